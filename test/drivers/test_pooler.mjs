// Arrays of ids in a pool of node-postgres through PgBouncer in transaction mode, in two databases, whose types have other OIDs;
// and again after a database was restored over itself while the pool was open.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { registerLuuid } from "luuid/pg";
import pg from "pg";

import { ids, psql } from "./contract.mjs";

const { PGHOST, PGPORT, PGUSER, PGDATABASE } = process.env;
const skip = spawnSync("pgbouncer", ["--version"]).error && "there is no PgBouncer here";

test("a pool of ten, in two databases, before and after a restore", { skip, timeout: 120_000 }, async () => {
    const databases = [PGDATABASE, `${PGDATABASE}_other`];
    await psql(`CREATE DATABASE ${databases[1]}`);
    execFileSync("psql", ["-Xqc", "CREATE TYPE mood AS ENUM ()", "-c", "CREATE EXTENSION luuid", databases[1]]);
    const port = await new Promise((resolve) => {
        const server = createServer().listen(0, "127.0.0.1", () => { const { port } = server.address(); server.close(() => resolve(port)); });
    });
    const folder = mkdtempSync(join(tmpdir(), "luuid-pooler."));
    after(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "pgbouncer.ini"), `[databases]\n* = host=${PGHOST} port=${PGPORT} user=${PGUSER}\n[pgbouncer]\npool_mode = transaction
default_pool_size = 2\nauth_type = any\nunix_socket_dir =\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\n`);
    // It does not run as root.
    const user = process.getuid() === 0 ? ["-u", PGUSER] : [];
    const pooler = spawn("pgbouncer", ["-q", ...user, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
    after(() => pooler.kill());
    for (let turn = 0; turn < 300; turn++) {
        const client = new pg.Client({ port });
        if (await client.connect().then(() => client.end(), () => "refused") !== "refused") break;
        await new Promise((resolve) => { setTimeout(resolve, 100); });
    }
    const pools = databases.map((database) => new pg.Pool({ database, port, max: 10, onConnect: registerLuuid }));
    const restore = (database) => execFileSync("sh", ["-c", 'pg_dump -Fc "$0" | pg_restore --clean -d "$0"', database]);
    for (const change of [() => {}, restore]) {
        databases.forEach(change);
        for (const pool of pools) {
            const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
            for (const client of clients) assert.deepEqual((await client.query("SELECT $1::luuid[] AS ids", [ids])).rows, [{ ids }]);
            clients.forEach((client) => client.release());
        }
    }
    await Promise.all(pools.map((pool) => pool.end()));
});
