// Emmett's event store, of npm: its consumer loses a message that was inserted first and commits late, and stalls behind
// any open transaction of the server. A reader of the same tables by luuid.settle_sequence of sql/plain.sql gets each
// message once, and waits for those alone that write messages. Run by test/drivers/run.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";

import { getPostgreSQLEventStore } from "@event-driven-io/emmett-postgresql";
import pg from "pg";

const { LUUID_IDS, PGDATABASE, PGHOST, PGPORT, PGUSER } = process.env;
const plain = resolve(dirname(LUUID_IDS), "../../sql/plain.sql");
const clients = [];
const connect = async () => {
    const client = new pg.Client();
    clients.push(client);
    await client.connect();
    return client;
};
const until = async (what, holds) => {
    for (const deadline = Date.now() + 60_000; !holds(); await sleep(5)) assert(Date.now() < deadline, `timed out waiting for ${what}`);
};

test("messages of concurrent transactions", async (t) => {
    execFileSync("psql", ["-Xq", "-v", "ON_ERROR_STOP=1", "-f", plain]);
    const store = getPostgreSQLEventStore(`postgresql://${PGUSER}@${PGHOST}:${PGPORT}/${PGDATABASE}`);
    await store.schema.migrate();
    const append = (stream) => store.appendToStream(stream, [{ type: "Opened", data: {} }]);
    // The store's own function, in a transaction of the application's.
    const appendIn = (client, stream) => client.query(`SELECT emt_append_to_stream(ARRAY[gen_random_uuid()::text],
        ARRAY['{}'::jsonb], ARRAY['{}'::jsonb], ARRAY['1'], ARRAY['Opened'], ARRAY['E'], '${stream}', 'order', v_partition => 'emt:default')`);
    await append("first");

    const byConsumer = [];
    const consumer = store.consumer({ pulling: { batchSize: 10, pullingFrequencyInMs: 5 } });
    consumer.reactor({ processorId: "mailer", eachMessage: ({ metadata }) => void byConsumer.push(metadata.streamName) });
    const consuming = consumer.start();

    const byReader = [];
    const reader = await connect();
    let last = 0, reads = true;
    const read = async () => {
        while (reads) {
            const { rows: [{ upto }] } = await reader.query("CALL luuid.settle_sequence('emt_global_message_position', NULL, '1 s')");
            const { rows } = await reader.query(`SELECT stream_id, global_position FROM emt_messages
                WHERE global_position > $1 AND global_position <= $2 ORDER BY global_position`, [last, upto]);
            byReader.push(...rows.map(({ stream_id }) => stream_id));
            last = rows.at(-1)?.global_position ?? last;
            await sleep(5);
        }
    };
    const reading = read();
    t.after(async () => {
        reads = false;
        await Promise.allSettled([reading, consumer.stop(), consuming]);
        await Promise.allSettled([store.close(), ...clients.map((client) => client.end())]);
    });
    await until("the first message", () => byConsumer.includes("first") && byReader.includes("first"));

    // One transaction writes a row of its own before its message, another takes its message's number meanwhile.
    const [early, late, other] = [await connect(), await connect(), await connect()];
    await early.query("BEGIN; CREATE TABLE written ()");
    await late.query("BEGIN");
    await appendIn(late, "late");
    await appendIn(early, "early");
    await early.query("COMMIT");
    const writers = [0, 1, 2, 3].map(async (writer) => {
        for (let n = 0; n < 25; n++) await append(`writer ${writer}, ${n}`);
    });
    await until("the consumer", () => byConsumer.includes("early"));
    assert(!byReader.includes("early"), "the reader is not ahead of the transaction that was first");
    await Promise.all(writers);
    await late.query("COMMIT");

    await append("after");
    await until("the message after them", () => byConsumer.includes("after") && byReader.includes("after"));
    assert(!byConsumer.includes("late"), "the consumer has lost the late message");

    // A transaction that writes no message, of another table or another database.
    await other.query("BEGIN; CREATE TABLE elsewhere ()");
    await append("beside");
    await until("the message beside it", () => byReader.includes("beside"));
    assert(!byConsumer.includes("beside"), "the consumer waits for it");
    await other.query("ROLLBACK");
    await until("the consumer", () => byConsumer.includes("beside"));

    const { rows } = await early.query("SELECT stream_id FROM emt_messages ORDER BY global_position");
    assert.deepEqual(byReader, rows.map(({ stream_id }) => stream_id));
    assert.equal(rows.length, 105);
});
