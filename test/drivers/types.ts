// A use of the JavaScript client that its types permit, and some that they do not. Checked by test_clients.mjs.
import { pgTable } from "drizzle-orm/pg-core";
import type { Generated, Kysely } from "kysely";
import { ceiling, compare, counter, floor, fromBase32, generate, generateV7, inShard, near, node, pid, shard,
    ticks, timestamp, toBase32, version, type Mode } from "luuid";
import { luuid } from "luuid/drizzle";
import { registerLuuid } from "luuid/pg";

const mode: Mode = "sequential";
const ids: string[] = [generate(), generate({ mode, version: 8, node: 1 }), generateV7(), generateV7(new Date()), generateV7(0n),
    near(generate(), 8, { version: 11 }), inShard(0, 4)];
const when: Date | null = timestamp(ids.sort(compare)[0]);
export const numbers: (number | null)[] = [shard(ids[0], 4), version(ids[0]), counter(ids[0]), pid(ids[0]), node(ids[0])];
export const ends: string[] = [floor(when ?? 0n), ceiling(ticks(ids[0]) ?? 0n), fromBase32(toBase32(ids[0]))];
export const paper = pgTable("paper", { id: luuid("id").primaryKey().$defaultFn(() => generateV7()) });
export const key: string = {} as typeof paper.$inferSelect.id;
export interface Database { paper: { id: string }; event: { id: Generated<string>; what: Generated<string> } }
export const written = (db: Kysely<Database>) => db.insertInto("paper").values([{ id: generateV7() }]).returning("id").execute();
export const since = async (db: Kysely<Database>, time: Date): Promise<string[]> =>
    (await db.selectFrom("event").select("id").where("id", ">=", floor(time)).execute()).map(({ id }) => id);
export const register: (client: Parameters<typeof registerLuuid>[0]) => Promise<void> = registerLuuid;

// @ts-expect-error: there is no such mode
generate({ mode: "odd" });
// @ts-expect-error: nor version
generate({ version: 4 });
// @ts-expect-error: that is generateV7()
generate({ version: 7 });
// @ts-expect-error: a Date, or a bigint
generateV7("2026-11-01");
// @ts-expect-error: the mode is the generator's, and not that of a place
near(ids[0], 16, { mode });
// @ts-expect-error: an id can tell no time
timestamp(ids[0]).getTime();
