// Drizzle: push keeps a column that the schema declares as luuid, and changes one that it declares as uuid to uuid.
// needs: release
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { generateDrizzleJson, generateMigration, pushSchema } from "drizzle-kit/api";
import { asc, eq, inArray, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { luuid } from "luuid/drizzle";
import pg from "pg";

import { contract, psql, typeOfId } from "./contract.mjs";

const event = pgTable("event", {
    id: luuid("id").primaryKey().default(sql`luuid_generate_v7()`),
    what: text("what").notNull().default(""),
});

const pool = new pg.Pool();
after(() => pool.end());
const db = drizzle(pool);
const found = async (condition) =>
    (await db.select().from(event).where(condition).orderBy(asc(event.id))).map((row) => row.id);

contract("Drizzle", {
    insert: (id) => db.insert(event).values({ id }),
    generate: async () => (await db.insert(event).values({}).returning())[0].id,
    find: (id) => found(eq(event.id, id)),
    among: (some) => found(inArray(event.id, some)),
    since: (time) => found(sql`${event.id} >= ${time.toISOString()}::timestamptz`),
    all: () => found(undefined),
});

const push = (table, name) => pushSchema({ [name]: table }, db, ["public"], [name]);
const pushed = async (table, name = "event") => (await push(table, name)).statementsToExecute;

test("push and generate change nothing in the table of the documentation, nor in one that push made", async () => {
    assert.deepEqual(await pushed(event), []);
    const columns = () => ({ id: luuid("id").primaryKey().default(sql`luuid_generate_v7()`),
        parent: luuid("parent").notNull(), all: luuid("all").array() });
    await (await push(pgTable("sheet", columns()), "sheet")).apply();
    assert.equal(await typeOfId("sheet"), "luuid");
    const sheet = pgTable("sheet", columns());
    assert.deepEqual(await pushed(sheet, "sheet"), []);
    const [none, first, second] = [{}, { sheet }, { sheet }].map((schema) => generateDrizzleJson(schema));
    assert.match((await generateMigration(none, first)).join("\n"), /"id" "?luuid"? PRIMARY KEY DEFAULT luuid_generate_v7\(\) NOT NULL/);
    assert.deepEqual(await generateMigration(first, second), []);
});

test("push of a column said to be uuid changes its type: the warning still stands", async () => {
    const other = pgTable("event", {
        id: uuid("id").primaryKey().default(sql`luuid_generate_v7()`),
        what: text("what").notNull().default(""),
    });
    assert.match((await pushed(other)).join("\n"), /ALTER COLUMN "id" SET DATA TYPE uuid/);
});

test("push drops the index by time of a uuid column, unless the schema has it", async () => {
    const legacy = (indexes) => pgTable("legacy", {
        id: uuid("id").primaryKey().default(sql`luuid_generate_v7()`),
        what: text("what").notNull().default(""),
    }, indexes);
    const byTime = (table) => [index("legacy_by_time").on(sql`(${table.id}::luuid)`)];
    assert.deepEqual(await pushed(legacy(byTime), "legacy"), []);
    assert.match((await pushed(legacy(() => []), "legacy")).join("\n"), /DROP INDEX "legacy_by_time"/);
    await psql("DROP INDEX legacy_by_time");
    await (await push(legacy(byTime), "legacy")).apply();
    assert.deepEqual(await psql("SELECT pg_get_indexdef('legacy_by_time'::regclass)"),
        ["CREATE INDEX legacy_by_time ON public.legacy USING btree (((id)::luuid))"]);
    assert.deepEqual(await pushed(legacy(byTime), "legacy"), []);
});
