// The cookbook's consumer loops, by node-postgres and by psycopg, handle each row once, in order: although their connection is
// ended, their handler fails, the server refuses connections because it starts, or is a read-only standby, and writers commit
// late. They set aside rows that fail, at once or as their constraints are checked, and do not wait for them. Its workers of the
// outbox send what is there as they begin, and what was locked, although nobody commits.
// needs: preload
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

// More than two pages, of which a hundredth always fails.
const BACKLOG = `INSERT INTO signup (what)
    SELECT CASE WHEN n % 100 = 0 THEN 'always fails' WHEN n IN (1, 1150) THEN 'fails once' WHEN n IN (2, 701) THEN 'fails at commit'
        ELSE 'written' END
    FROM generate_series(1, 1200) AS n`;

// A handler may insert the first before the second.
const HANDLED = `CREATE TABLE finished (id uuid PRIMARY KEY);
    CREATE TABLE handled (n serial, id uuid REFERENCES finished DEFERRABLE INITIALLY DEFERRED)`;

const root = join(dirname(process.env.LUUID_IDS), "../..");
const psql = (at, ...what) => execFileSync("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-d", at, ...what], { cwd: root });

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
    for (const deadline = Date.now() + 600_000; !await condition(); await sleep(10)) assert(Date.now() < deadline, `${condition}`);
};

for (const [program, file, failure] of [
    [process.execPath, "consumer.mjs", (what) => `Error: ${what}`],
    ["/usr/bin/python3", "consumer.py", (what) => `ValueError('${what}')`]]) {
    test(`${file}: each row is handled once`, async (context) => {
        const database = file.replace(".", "_");
        const alterDatabase = (what) => psql("postgres", "-c", `ALTER DATABASE ${database} ${what}`);
        psql("postgres", "-c", `CREATE DATABASE ${database}`);
        psql(database, "-c", "CREATE EXTENSION luuid", "-c", HANDLED, "-f", resolve("follow.sql"), "-c", BACKLOG);
        const connected = async () => new pg.Client({ database }).connect();
        const client = await connected(), writers = await Promise.all([0, 1, 2, 3, 4, 5].map(connected));
        context.after(() => client.end());
        const answer = async (query) => Object.values((await client.query(query)).rows[0])[0];
        const end = async () => (await client.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'mailer'")).rowCount > 0;

        let log = "";
        const consumer = spawn(program, [file], { env: { ...process.env, PGDATABASE: database }, stdio: ["ignore", "inherit", "pipe"] });
        consumer.stderr.setEncoding("utf8").on("data", (text) => { log += text; });
        context.after(() => consumer.kill());
        // Not of the backlog alone, so that rows come up below one that was read.
        await until(() => answer("SELECT count(*) > 1000 FROM handled"));
        const writing = Promise.all(writers.map(write));
        await until(() => answer("SELECT count(*) > 1230 FROM handled"));
        for (const [refuse, accept, reason] of [
            ["ALLOW_CONNECTIONS false", "ALLOW_CONNECTIONS true", /not currently accepting connections/],
            ["SET default_transaction_read_only = on", "RESET default_transaction_read_only", /read-only transaction/]]) {
            alterDatabase(refuse);
            await until(end);
            await until(() => reason.test(log));
            alterDatabase(accept);
        }
        await writing;
        // What fails is tried ten times over a quarter of an hour, if nobody hurries it.
        const others = "FROM handled WHERE id NOT IN (SELECT id FROM failed)";
        await until(() => answer(`SELECT count(*) >= 1304 ${others}`));
        assert(await answer(`SELECT count(*) = 1304 AND array_agg(id ORDER BY n) = array_agg(id ORDER BY id) ${others}`));
        assert(await answer("SELECT max(tries) < 10 FROM failed"));
        await until(async () => {
            await client.query("UPDATE failed SET again = now() WHERE again < 'infinity'");
            return answer("SELECT count(*) = 14 FROM failed WHERE again = 'infinity'");
        });
        assert.equal(await answer("SELECT concat_ws(' ', count(*), count(DISTINCT id)) FROM handled"), "1306 1306");
        const failed = await answer(`SELECT array_agg(DISTINCT concat_ws(' ', tries, what,
            coalesce(substring(error FROM 'violates foreign key'), error), again)) FROM failed JOIN signup USING (id)`);
        assert.deepEqual(failed.sort(), [`1 fails once ${failure("fails once")}`, `10 always fails ${failure("always fails")} infinity`,
            "10 fails at commit violates foreign key infinity"]);
        await assert.rejects(client.query("SELECT next_signups('mail')"), { code: "P0002" });
        const [[status]] = await Promise.all([once(consumer, "exit"), client.query("INSERT INTO signup (what) VALUES ('stop')")]);
        assert.equal(status, 0, log);
    });
}

const [OUTBOX] = readFileSync(join(root, "doc/cookbook/following.md"), "utf8").split("## An ordered outbox\n")[1].match(/(?<=^```sql\n).*?(?=^```)/ms);

for (const [program, file] of [[process.execPath, "sender.mjs"], ["/usr/bin/python3", "sender.py"]]) {
    test(`${file}: each message is sent, in order`, async (context) => {
        const database = file.replace(".", "_");
        psql("postgres", "-c", `CREATE DATABASE ${database}`);
        psql(database, "-c", "CREATE EXTENSION luuid", "-c", OUTBOX);
        const client = await new pg.Client({ database }).connect();
        context.after(() => client.end());
        const message = (n) => n === 210 ? "fails once" : String(n);
        const insert = (from, upto) => client.query("INSERT INTO outbox (message) SELECT unnest($1::text[])",
            [Array.from({ length: upto - from }, (_, n) => message(from + n))]);
        await insert(0, 250);
        await client.query("BEGIN");
        await client.query("SELECT FROM outbox WHERE message = '7' FOR UPDATE");

        let out = "", log = "";
        const sender = spawn(program, [file], { env: { ...process.env, PGDATABASE: database }, stdio: ["ignore", "pipe", "pipe"] });
        sender.stdout.setEncoding("utf8").on("data", (text) => { out += text; });
        sender.stderr.setEncoding("utf8").on("data", (text) => { log += text; });
        context.after(() => sender.kill());
        // In the order in which each was sent for the last time.
        const sent = () => [...new Set(out.trim().split("\n").reverse())].reverse();
        const all = Array.from({ length: 250 }, (_, n) => message(n)).filter((what) => what !== "7");
        await until(() => sent().length >= 249);
        assert.deepEqual(sent(), all);
        assert.match(log, /fails once/);
        await client.query("ROLLBACK");
        await until(() => sent().length >= 250);
        assert.deepEqual(sent(), [...all, "7"]);

        await client.query("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'sender'");
        await insert(250, 500);
        await until(() => sent().length >= 500);
        assert.deepEqual(sent().slice(250), Array.from({ length: 250 }, (_, n) => String(250 + n)));
        const [[status]] = await Promise.all([once(sender, "exit"), client.query("INSERT INTO outbox (message) VALUES ('stop')")]);
        assert.equal(status, 0, log);
        assert.equal((await client.query("SELECT string_agg(message, ' ') FROM outbox")).rows[0].string_agg, "stop");
    });
}
