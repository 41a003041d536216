// The cookbook's consumer loop, by node-postgres: each row once, though its connection is ended, its handler fails, the server
// refuses it, as one that starts does, or is read-only, as a standby is; and writers commit late. They are in order, without
// waiting for those that fail, which are set aside.
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

// More than two pages, of which a hundredth always fails.
const BACKLOG = `INSERT INTO signup (what)
    SELECT CASE WHEN n % 100 = 0 THEN 'always fails' WHEN n IN (1, 1150) THEN 'fails once' ELSE 'written' END
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
    const answer = async (query) => Object.values((await client.query(query)).rows[0])[0];
    // What fails is tried ten times over a quarter of an hour, if nobody hurries it.
    const others = "FROM handled WHERE id NOT IN (SELECT id FROM failed)";
    await until(async () => await answer(`SELECT count(*)::int ${others}`) >= 1306);
    assert(await answer(`SELECT count(*) = 1306 AND array_agg(id ORDER BY n) = array_agg(id ORDER BY id) ${others}`));
    assert(await answer("SELECT max(tries) < 10 FROM failed"));
    await until(async () => {
        await client.query("UPDATE failed SET again = now() WHERE again < 'infinity'");
        return await answer("SELECT count(*)::int FROM failed WHERE again = 'infinity'") === 12;
    });
    assert.deepEqual(await counts(), [1308, 1308]);
    assert.deepEqual(await answer(`SELECT array_agg(DISTINCT tries || what || error || coalesce(again::text, ''))
        FROM failed JOIN signup USING (id)`), ["10always failsError: always failsinfinity", "1fails onceError: fails once"]);
    await assert.rejects(client.query("SELECT next_signups('mail')"), { code: "P0002" });
});
