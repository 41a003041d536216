// Ids are strings. Functions return the canonical form of RFC 9562, and accept what PostgreSQL does: either case, a hyphen
// or none after any four digits, braces around the whole. They throw a TypeError for what is no time, and a RangeError for
// any other invalid argument. Those that generate throw a TypeError if Date.now() returns no finite number.

export type Mode = "variable" | "sequential";

export interface Placing {
    /** 11, the default, is version b; 8 is for validators that require RFC 9562. */
    version?: 8 | 11;
    /** The node, 28 bits; the default is the machine's. */
    node?: number;
}

export interface Options extends Placing {
    /** "variable", the default, spreads ids over shards; "sequential" keeps the ids of ten minutes together. */
    mode?: Mode;
}

/** A Date, or microseconds since 1970 as a bigint. */
export type Time = Date | bigint;

/** A new id of version 7, which begins with its time; the default is now. It is greater than all earlier ones of this process or
 * worker, whatever the clock does; one of a given time, from 1970 to 10889, than earlier ones of that time. */
export function generateV7(at?: Time): string;
/** A new id of version b or 8, greater than all that this process or worker got since the clock last stepped back by more than 10 s. */
export function generate(options?: Options): string;
/** A new id with the first bits of `id`: 0 to 32, by default 16. So it is on the same shard if the number of shards is a power
 * of two up to 2^bits. For another number n, use inShard(shard(id, n), n). */
export function near(id: string, bits?: number, options?: Placing): string;
/** A new id on this shard, 0 to shards - 1, of 1 to 2147483647 shards. */
export function inShard(shard: number, shards: number, options?: Placing): string;

/** The version, 0 to 15; 11 is version b. */
export function version(id: string): number;
/** The time of an id in 100 ns since 1970; null if it has none. */
export function ticks(id: string): bigint | null;
/** The time of an id, rounded down to milliseconds; null if it has none. */
export function timestamp(id: string): Date | null;
/** The counter of versions b and 8, if the variable mode generated the id; null for other versions. */
export function counter(id: string): number | null;
/** The process id modulo 65 536 of versions b and 8; null for others. */
export function pid(id: string): number | null;
/** The node: 28 bits of version b, 26 of 8, 48 of 1 and 6; null for others. */
export function node(id: string): number | null;
/** The shard of an id, 0 to shards - 1, of 1 to 2147483647 shards. */
export function shard(id: string, shards: number): number;

/** For sort(): orders ids by time, as the server does. It reads only the digits that decide, so it may not notice a text that is no id. */
export function compare(a: string, b: string): -1 | 0 | 1;
/** The least id of a time: an id is >= floor(when) if and only if its time is `when` or later. */
export function floor(when: Time): string;
/** The greatest id of a time: an id is <= ceiling(when) if and only if its time is `when` or earlier. */
export function ceiling(when: Time): string;

/** The UUID of version 4 that stands for an id of version 7 and hides its time, as UUIDv47 does under this key of 16 bytes. */
export function seal(id: string, key: Uint8Array): string;
/** The id of version 7 that was sealed under this key. With a wrong key it has a random time. */
export function unseal(id: string, key: Uint8Array): string;

/** 26 characters of Crockford's base 32 in lower case, as a TypeID ends with. */
export function toBase32(id: string): string;
/** The id of 26 such characters in either case. Ignores hyphens, reads o as 0, i and l as 1. */
export function fromBase32(text: string): string;
