// Prisma's schema engine, which npm has as WebAssembly: db pull, then db push of what that wrote, and migrate by its steps.
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
const { query } = pg.Pool.prototype;
pg.Pool.prototype.query = async function (...args) {
    const result = await query.apply(this, args);
    for (const field of result.fields) field.dataTypeID = field.dataTypeID === 18 ? 25 : field.dataTypeID;
    return result;
};
const empty = 'datasource db {\n  provider = "postgresql"\n}\n';
// The adapter's own drops a shadow database before it leaves it.
let shadows = 0;
class Adapter extends PrismaPg {
    async connectToShadowDb() {
        const database = `shadow_${++shadows}`;
        await psql(`CREATE DATABASE ${database} TEMPLATE template0`);
        return new PrismaPg({ database }).connect();
    }
}
const engineOn = (pool) => {
    after(() => pool.end());
    return engine.SchemaEngine.new({ datamodels: [["schema.prisma", empty]] }, () => {}, bindMigrationAwareSqlAdapterFactory(new Adapter(pool)));
};
const schemaEngine = await engineOn(new pg.Pool());
const filters = { externalTables: [], externalEnums: [] };
const files = (content) => ({ files: [{ path: "schema.prisma", content }] });
const pull = async (schema) => (await schemaEngine.introspect({
    schema: files(schema), baseDirectoryPath: ".", force: false, compositeTypeDepth: -1, namespaces: null })).schema.files[0].content;
const push = async (schema) => (await schemaEngine.schemaPush({
    schema: files(schema), force: false, filters })).executedSteps;

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

const [model] = readFileSync("schema.prisma", "utf8").match(/^model [^]*?^}$/m);

test("the model of the documentation, whose index by time the engine leaves alone, and one of the class that it would drop", async () => {
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

test("migrate dev, deploy and diff, of a first migration that makes the extension", async () => {
    await psql("CREATE DATABASE migrated TEMPLATE template0");
    const pool = new pg.Pool({ database: "migrated" }), migrated = await engineOn(pool);
    const migrations = [];
    // As the commands read them in their folder, and replay them in a shadow database.
    const migrationsList = () => ({
        baseDir: "migrations", shadowDbInitScript: "",
        lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
        migrationDirectories: migrations.map(([path, value]) => ({ path, migrationFile: { path: "migration.sql", content: { tag: "ok", value } } })),
    });
    // migrate dev proposes no reset; --create-only writes a script, or none if there is nothing to do.
    const dev = async (migrationName, content) => {
        const found = await migrated.devDiagnostic({ migrationsList: migrationsList(), filters });
        assert.deepEqual(found.action, { tag: "createMigration" });
        return (await migrated.createMigration({ migrationName, draft: false, migrationsList: migrationsList(), schema: files(content), filters })).migrationScript;
    };
    const deploy = async () => (await migrated.applyMigrations({ migrationsList: migrationsList(), filters })).appliedMigrationNames;
    const diff = (from, to) => migrated.diff({ from, to, script: true, exitCode: true, filters });
    const target = (content) => ({ tag: "schemaDatamodel", ...files(content) });

    const script = await dev("first", empty + model);
    assert.match(script, /"id" UUID NOT NULL DEFAULT luuid_generate_v7\(\)/);
    migrations.push(["1_first", `CREATE EXTENSION luuid;\n${script}`]);
    assert.deepEqual(await deploy(), ["1_first"]);
    assert.equal(await dev("nothing", empty + model), null);
    migrations.push(["2_by_time", "CREATE INDEX legacy_by_time ON legacy ((id::luuid))"]);
    assert.deepEqual(await deploy(), ["2_by_time"]);
    assert.equal(await dev("nothing", empty + model), null);

    const more = model.replace("what String", "more Int?\n  what String");
    assert.match(await dev("second", empty + more), /^-- AlterTable\nALTER TABLE "legacy" ADD COLUMN +"more" INTEGER;\n*$/);
    assert.equal((await diff({ tag: "migrations", ...migrationsList() }, target(empty + model))).exitCode, 0);
    assert((await diff({ tag: "empty" }, target(empty + model))).stdout.includes(script.trim()));
    assert.deepEqual(await deploy(), []);
    assert.deepEqual((await pool.query("INSERT INTO legacy DEFAULT VALUES RETURNING luuid_extract_version(id) AS version")).rows, [{ version: 7 }]);
    assert.equal((await pool.query("SELECT FROM pg_indexes WHERE indexname = 'legacy_by_time'")).rowCount, 1);
});
