// The cookbook's consumer loop, by node-postgres: each row once and in order, though its connection is ended, its handler
// fails, the server refuses it, as one that starts does, or is read-only, as a standby is; and writers commit late. A row
// that always fails is set aside.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

import pg from "pg";

import { follow } from "./follow_pg.mjs";

// The loop has no end: it runs in a worker.
const tried = new Set();
const handle = async (client, { id, what }) => {
    await client.query("INSERT INTO handled (id) VALUES ($1)", [id]);
    if (what === "always fails" || what === "fails once" && !tried.has(id)) {
        tried.add(id);
        throw new Error(what);
    }
};
if (!isMainThread) {
    console.warn = (error) => parentPort.postMessage(error.message);
    await follow("mailer", handle);
}

// More than two pages.
const BACKLOG = `INSERT INTO signup (what)
    SELECT CASE n WHEN 1 THEN 'fails once' WHEN 700 THEN 'always fails' WHEN 1100 THEN 'fails once' ELSE 'written' END
    FROM generate_series(1, 1200) AS n`;

const connected = async () => new pg.Client().connect();
const write = async (client, writer) => {
    for (let n = 0; n < 20; n++) {
        await client.query("BEGIN");
        await client.query("INSERT INTO signup (what) VALUES ('written')");
        await sleep(20 * (writer % 3));
        await client.query("COMMIT");
    }
    await client.end();
};

const until = async (condition) => {
    for (const deadline = Date.now() + 60_000; !await condition(); await sleep(10)) assert(Date.now() < deadline, `${condition}`);
};

const alterDatabase = (what) => execFileSync("psql", ["-Xq", "-d", "postgres", "-c", `ALTER DATABASE test_follow ${what}`]);

test("each row is handled once", async (context) => {
    execFileSync("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE handled (n serial, id uuid)",
        "-f", resolve("follow.sql"), "-c", BACKLOG], { cwd: join(dirname(process.env.LUUID_IDS), "../..") });
    const client = await connected(), writers = await Promise.all([0, 1, 2, 3, 4, 5].map(connected));
    context.after(() => client.end());
    const counts = async () => Object.values((await client.query(
        "SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM handled")).rows[0]);
    const end = async () => (await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mailer'")).rowCount > 0;

    const log = [], consumer = new Worker(new URL(import.meta.url)).on("message", (message) => log.push(message));
    context.after(() => consumer.terminate());
    const writing = Promise.all(writers.map(write));
    await until(async () => (await counts())[0] > 0);
    for (const [refuse, accept, reason] of [
        ["ALLOW_CONNECTIONS false", "ALLOW_CONNECTIONS true", /not currently accepting connections/],
        ["SET default_transaction_read_only = on", "RESET default_transaction_read_only", /read-only transaction/]]) {
        alterDatabase(refuse);
        await until(end);
        await until(() => log.some((message) => reason.test(message)));
        alterDatabase(accept);
    }
    await writing;
    await until(async () => (await counts())[0] >= 1319);
    assert.deepEqual(await counts(), [1319, 1319]);
    const answer = async (query) => Object.values((await client.query(query)).rows[0])[0];
    assert(await answer("SELECT array_agg(id ORDER BY n) = array_agg(id ORDER BY id) FROM handled"));
    assert.deepEqual(await answer("SELECT array_agg(tries || what || error ORDER BY tries) FROM failed JOIN signup USING (id)"), [
        "1fails onceError: fails once", "1fails onceError: fails once", "10always failsError: always fails"]);
    assert(log.includes("fails once"));
    await assert.rejects(client.query("SELECT next_signups('mail')"), { code: "P0002" });
});
