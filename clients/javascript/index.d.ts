// Ids are strings. Those that are returned are in the canonical form; all that the server accepts is accepted: either
// case, hyphens after any four digits or none, braces. What is out of range or no id is a RangeError, what is no time a
// TypeError.

export type Mode = "variable" | "sequential";

export interface Placing {
    /** 11, the default, is version b; 8 is for validators that require RFC 9562. */
    version?: 8 | 11;
    /** 28 bits; the machine's if not given. */
    node?: number;
}

export interface Options extends Placing {
    /** "variable", the default, spreads ids over shards; "sequential" keeps those of ten minutes together. */
    mode?: Mode;
}

/** Version 7 begins with its time: it has no place to choose. */
export interface Timed {
    version: 7;
    /** The time of the id if not now, as for rows of the past. */
    at?: Time;
}

/** A time, or microseconds since 1970. */
export type Time = Date | bigint;

/** A new id, greater than every one that this function returned here before, unless the clock stepped back by more than
 * 10 s. Those of version 7 are among themselves, whatever the clock does; one of a given time is greater than those of that
 * time before. TypeError if Date.now() is no finite number. */
export function generate(options?: Options | Timed): string;
/** A new id that has its first bits, 16 if not given, in common with this one, so that it is on its shard if the number of
 * shards is a power of two up to 2^bits. For any number n: inShard(shard(id, n), n). */
export function near(id: string, bits?: number, options?: Placing): string;
/** A new id on this shard. */
export function inShard(shard: number, shards: number, options?: Placing): string;

/** 11 is version b. */
export function version(id: string): number;
/** When it was made, in 100 ns since 1970; null if its version does not tell. */
export function ticks(id: string): bigint | null;
/** The same in whole milliseconds. */
export function timestamp(id: string): Date | null;
/** That of the variable mode, in versions b and 8. */
export function counter(id: string): number | null;
/** The process id modulo 65 536, in versions b and 8. */
export function pid(id: string): number | null;
/** 28 bits of version b, 26 of version 8, 48 of versions 1 and 6. */
export function node(id: string): number | null;
/** The shard of an id, from 0 to shards - 1. */
export function shard(id: string, shards: number): number;

/** For sort(): chronological order, which is the server's. It reads the digits that decide: what is no id may go unnoticed. */
export function compare(a: string, b: string): -1 | 0 | 1;
/** The least id of a time: id >= floor(when) if and only if it was made at that time or later. */
export function floor(when: Time): string;
/** The greatest id of a time: id <= ceiling(when) if and only if it was made at that time or earlier. */
export function ceiling(when: Time): string;

/** An id of version 7 as a UUID of version 4 that does not show its time, as UUIDv47 makes it with this key of 16 bytes. */
export function seal(id: string, key: Uint8Array): string;
/** The id of version 7 that was sealed. Another key, and a UUID that none was sealed as, have one of a random time. */
export function unseal(id: string, key: Uint8Array): string;

/** 26 characters of Crockford's alphabet in lower case, as TypeID's suffix. */
export function toBase32(id: string): string;
/** Of either case; hyphens are ignored, o is 0, i and l are 1. */
export function fromBase32(text: string): string;
