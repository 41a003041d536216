// The JavaScript client: its own tests, and its ids in a server that it reaches by node-postgres. The Python client's
// are in test_clients.py.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, test } from "node:test";

import pg from "pg";

const root = dirname(dirname(dirname(process.env.LUUID_IDS)));
process.env.LUUID_VECTORS = join(root, "test/data/vectors.tsv");
// Installs it by the commands of its README, beside the packages that it may use.
const [, commands] = readFileSync(join(root, "clients/javascript/README.md"), "utf8").match(/^```sh\n(npm .*?)```/ms);
mkdirSync("project");
writeFileSync("project/package.json", "{}");
const shell = (command) => execFileSync("sh", ["-ec", command],
    { cwd: "project", env: { ...process.env, npm_config_audit: "false", npm_config_offline: "true" }, stdio: ["ignore", "ignore", "inherit"] });
shell(commands.replace("./clients/javascript", (path) => `'${join(root, path)}'`));
const installed = "project/node_modules/luuid";
const luuid = await import(join(process.cwd(), installed, "index.js"));

const count = 100_000;
const client = new pg.Client();
await client.connect();
after(() => client.end());
const answer = async (text, values) => (await client.query({ text, values, rowMode: "array" })).rows;

// In the order that the client made them.
const runs = ["variable", "sequential"].flatMap((mode) => [8, 11].map((version) =>
    Array.from({ length: count / 4 }, () => luuid.generate({ mode, version }))));
runs.push(Array.from({ length: count / 4 }, () => luuid.generateV7()));
// After these, since the ids that it places run ahead of the clock, in the state that all copies share.
await import(join(root, "clients/javascript/test/luuid.test.js"));
const arrived = async (type) => {
    await client.query(`DROP TABLE IF EXISTS arrived; CREATE TABLE arrived (made int, run int, id ${type}, milliseconds bigint,
        counter bigint, pid int, shard int, base32 text)`);
    for (const [run, ids] of runs.entries()) {
        await client.query(`INSERT INTO arrived SELECT made, ${run}, id, milliseconds, counter, pid, shard, base32
            FROM unnest($1::${type}[], $2::bigint[], $3::bigint[], $4::int[], $5::int[], $6::text[])
            WITH ORDINALITY AS row (id, milliseconds, counter, pid, shard, base32, made)`,
        [ids, ids.map((id) => luuid.timestamp(id).getTime()), ids.map(luuid.counter), ids.map(luuid.pid),
            ids.map((id) => luuid.shard(id, 16)), ids.map(luuid.toBase32)]);
    }
};

for (const type of ["luuid", "uuid"]) {
    test(`100 000 ids of the client in a ${type} column`, async () => {
        await arrived(type);
        assert.deepEqual(await answer("SELECT count(DISTINCT id)::int FROM arrived"), [[count / 4 * 5]]);
        assert.deepEqual(await answer(`SELECT count(*)::int FROM arrived
            WHERE (luuid_extract_timestamp(id), luuid_extract_counter(id), luuid_extract_pid(id), luuid_shard(id, 16), luuid_to_base32(id))
                IS DISTINCT FROM (to_timestamp(milliseconds / 1000) + milliseconds % 1000 * interval '1 ms', counter, pid, shard, base32)`), [[0]]);
        assert.deepEqual(await answer(`SELECT count(*)::int FROM (SELECT id, lag(id) OVER (PARTITION BY run ORDER BY made) AS before
            FROM arrived) AS pair WHERE NOT before::luuid < id::luuid`), [[0]]);
        const shards = await answer("SELECT count(*)::int FROM arrived WHERE run < 2 GROUP BY luuid_shard(id, 16)");
        assert.equal(shards.length, 16);
        assert(shards.every(([rows]) => Math.abs(rows - count / 32) < count / 1000), `${shards}`);
        assert.deepEqual((await answer("SELECT id FROM arrived ORDER BY run, made")).flat(), runs.flat());
    });
}

test("a later install, and a clean one, find it and Drizzle", () => {
    for (const command of ["npm install", "rm -r node_modules && npm ci"]) {
        shell(command);
        shell(`test ! -L node_modules/luuid && node -e 'import("luuid/drizzle").then(({ luuid }) => luuid("id"))'`);
    }
});

test("its tarball", () => {
    const listed = execFileSync("tar", ["tzf", "project/luuid-1.0.0.tgz"], { encoding: "utf8" }).trim().split("\n").sort();
    assert.deepEqual(listed, ["LICENSE", "README.md", "drizzle.d.ts", "drizzle.js", "generator.js", "index.d.ts", "index.js", "package.json",
        "pg.d.ts", "pg.js", "reading.js", "seal.js"].map((name) => `package/${name}`));
});

test("publint and arethetypeswrong find nothing in it", () => {
    // Its README says what a CommonJS file in TypeScript needs.
    for (const [name, ...options] of [["publint", "--strict"], ["attw", "--profile", "esm-only"]]) {
        execFileSync(`../node_modules/.bin/${name}`, ["project/luuid-1.0.0.tgz", ...options], { stdio: ["ignore", process.stderr, "inherit"] });
    }
});

test("pyright finds nothing in the Python client", () => {
    // SQLAlchemy has types from 2.0 on.
    const files = readdirSync(join(root, "clients/python/luuid")).filter((file) => file.endsWith(".py") && file !== "sqlalchemy.py");
    execFileSync("../node_modules/.bin/pyright", ["--pythonpath", "/usr/bin/python3", ...files.map((file) => join(root, "clients/python/luuid", file))],
        { stdio: ["ignore", process.stderr, "inherit"] });
});

test("its types", () => {
    const check = (...files) => execFileSync(process.execPath, ["../node_modules/typescript/bin/tsc", "--noEmit", "--strict",
        "--module", "nodenext", "--target", "es2022", ...files], { stdio: ["ignore", process.stderr, "inherit"] });
    check(`${installed}/index.d.ts`, `${installed}/pg.d.ts`);
    // Drizzle's own types, for every database, do not pass.
    check("--skipLibCheck", "types.ts");
});

test("require", { skip: process.features.require_module ? false : "this Node.js requires no ES module" }, () => {
    assert.equal(createRequire(join(process.cwd(), "project/"))("luuid").generate, luuid.generate);
});

test("a query by time", async () => {
    await arrived("luuid");
    const when = luuid.timestamp(runs[3][count / 8]);
    for (const [bound, comparison] of [[luuid.floor, ">="], [luuid.ceiling, "<="]]) {
        const [[byId]] = await answer(`SELECT count(*)::int FROM arrived WHERE id ${comparison} $1`, [bound(when)]);
        const [[byTime]] = await answer(`SELECT count(*)::int FROM arrived WHERE id ${comparison} $1::timestamptz`, [when]);
        assert.equal(byId, byTime);
        assert(byId > 0 && byId < count / 4 * 5);
    }
});
