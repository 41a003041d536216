// The cookbook's consumer loop, by node-postgres: each row once, though its connection is ended, and writers commit late.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

import { follow } from "./follow_pg.mjs";

const handle = async (client, id, what) => {
    assert.notEqual(what, "stop");
    await client.query("INSERT INTO handled VALUES ($1)", [id]);
};

const write = async (writer) => {
    const client = new pg.Client();
    await client.connect();
    for (let n = 0; n < 20; n++) {
        await client.query("BEGIN");
        await client.query("INSERT INTO signup (what) VALUES ('written')");
        await sleep(20 * (writer % 3));
        await client.query("COMMIT");
    }
    await client.end();
};

test("each row is handled once", async () => {
    execFileSync("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE handled (id uuid)",
        "-f", resolve("follow.sql")], { cwd: join(dirname(process.env.LUUID_IDS), "../..") });
    const client = new pg.Client();
    await client.connect();
    const counts = async () => Object.values((await client.query(
        "SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM handled")).rows[0]);

    const following = assert.rejects(follow("mailer", handle), { code: "ERR_ASSERTION" });
    const writing = Promise.all([0, 1, 2, 3, 4, 5].map(write));
    while ((await counts())[0] === 0) await sleep(10);
    const { rows: [{ ended }] } = await client.query(`SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
        WHERE application_name = 'mailer'`);
    assert(ended > 0);
    await writing;
    for (const deadline = Date.now() + 60_000; (await counts())[0] < 120 && Date.now() < deadline;) await sleep(10);
    assert.deepEqual(await counts(), [120, 120]);

    await client.query("INSERT INTO signup (what) VALUES ('stop')");
    await following;
    await client.end();
});
