// Prisma's schema engine, which npm has as WebAssembly: db pull, then db push of what that wrote.
// needs: release
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, test } from "node:test";

import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import * as engine from "@prisma/schema-engine-wasm/schema_engine_bg";
import pg from "pg";

import { psql } from "./contract.mjs";

// The package's own entry imports the .wasm, as bundlers have it.
const wasm = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm/schema_engine_bg").replace(/js$/, "wasm");
const { instance } = await WebAssembly.instantiate(readFileSync(wasm), { "./schema_engine_bg.js": engine });
engine.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

// The engine leaves timers of a minute behind.
const { setTimeout } = globalThis;
globalThis.setTimeout = (...timer) => setTimeout(...timer).unref();

// The adapter knows no "char", which the engine reads in the catalogs.
class Pool extends pg.Pool {
    async query(...query) {
        const result = await super.query(...query);
        for (const field of result.fields) field.dataTypeID = field.dataTypeID === 18 ? 25 : field.dataTypeID;
        return result;
    }
}
const pool = new Pool();
after(() => pool.end());
const empty = 'datasource db {\n  provider = "postgresql"\n}\n';
const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
const schemaEngine = await engine.SchemaEngine.new({ datamodels: [["schema.prisma", empty]] }, () => {}, adapter);
const files = (content) => ({ files: [{ path: "schema.prisma", content }] });
const pull = async (schema) => (await schemaEngine.introspect({
    schema: files(schema), baseDirectoryPath: ".", force: false, compositeTypeDepth: -1, namespaces: null })).schema.files[0].content;
const push = async (schema) => (await schemaEngine.schemaPush({
    schema: files(schema), force: false, filters: { externalTables: [], externalEnums: [] } })).executedSteps;

test("db pull, then db push, of what is there and of what that made", async () => {
    const columns = () => psql(`SELECT concat_ws(' ', attrelid::regclass, attname, atttypid::regtype, pg_get_expr(adbin, adrelid))
        FROM pg_attribute LEFT JOIN pg_attrdef ON (attrelid, attnum) = (adrelid, adnum)
        WHERE attrelid = ANY ('{event,legacy,note}'::regclass[]) AND attnum > 0 ORDER BY 1`);
    await psql("CREATE TABLE note (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), event luuid REFERENCES event, since luuid NOT NULL)");
    const made = await columns();
    const schema = await pull(empty);
    assert.equal(await push(schema), 0);
    await psql("DROP TABLE event, legacy, note");
    assert.notEqual(await push(schema), 0);
    assert.deepEqual(await columns(), made);
    assert.equal(await push(schema), 0);
    assert.equal(await pull(schema), schema);
});

test("the model of the documentation, whose index by time the engine leaves alone, and one of the class that it would drop", async () => {
    const [model] = readFileSync("schema.prisma", "utf8").match(/^model [^]*?^}$/m);
    const indexes = () => psql("SELECT indexdef FROM pg_indexes WHERE tablename = 'legacy' AND indexname <> 'legacy_pkey' ORDER BY 1");
    await psql("DROP TABLE event, legacy, note");
    assert.equal(await push(empty + model), 1);
    assert.deepEqual(await psql("SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = 'legacy'::regclass AND adnum = 1"),
        ["luuid_generate_v7()"]);
    await psql("CREATE INDEX legacy_by_time ON legacy ((id::luuid))");
    const [byTime] = await indexes();
    assert.equal(await push(empty + model), 0);
    assert.deepEqual(await indexes(), [byTime]);
    await psql("CREATE INDEX legacy_by_class ON legacy (id uuid_time_ops)");
    assert.equal(await push(empty + model), 1);
    assert.deepEqual(await indexes(), [byTime]);
});
