// node-postgres: ids are strings, and bytes on the way in, in a luuid column and in a uuid column.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import { registerLuuid } from "luuid/pg";
import pg from "pg";

const rows = readFileSync(process.env.LUUID_IDS, "ascii").trimEnd().split("\n").map((line) => line.split("\t"));
const ids = rows.map(([id]) => id);
const bytesOf = (id) => Buffer.from(id.replaceAll("-", ""), "hex");

const connected = async () => {
    const client = new pg.Client();
    await client.connect();
    after(() => client.end());
    return client;
};
const plain = await connected();
const registered = await connected();
await registerLuuid(registered);

test("a pool registers each of its connections", async () => {
    const pool = new pg.Pool({ onConnect: registerLuuid });
    after(() => pool.end());
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of clients) {
        assert.deepEqual((await client.query("SELECT $1::luuid[] AS ids", [ids])).rows, [{ ids }]);
        client.release();
    }
});

const columnOf = (client) => async (text, values, options) =>
    (await client.query({ text, values, rowMode: "array", ...options })).rows.map(([value]) => value);

for (const [table, version, chronological, client] of [
    ["event", "b", "ORDER BY id", registered],
    ["legacy", "7", "ORDER BY id USING #<#", plain],
]) {
    const column = columnOf(client);
    const found = (condition, ...values) => column(`SELECT id FROM ${table} WHERE ${condition} ${chronological}`, values);
    const insert = async (some) => {
        for (const id of some) {
            await column(`INSERT INTO ${table} (id) VALUES ($1)`, [id], { name: `insert into ${table}` });
        }
    };
    const truncated = (name, body) => test(`${table}: ${name}`, async () => {
        await client.query(`TRUNCATE ${table}`);
        await body();
    });

    truncated("ids of the client are stored and read back", async () => {
        await insert([...ids].sort());
        assert.deepEqual(await found("true"), ids);
        assert.deepEqual(await column(`SELECT uuid_send(id::uuid) FROM ${table} ${chronological}`), ids.map(bytesOf));
    });

    truncated("ids of the server come back as made", async () => {
        const made = [];
        for (let n = 0; n < 100; n++) {
            made.push(...await column(`INSERT INTO ${table} DEFAULT VALUES RETURNING id`));
        }
        assert(made.every((id) => id[14] === version));
        assert.deepEqual(await found("true"), made);
    });

    truncated("bytes are taken for ids", async () => {
        await insert(ids.map(bytesOf));
        assert.deepEqual(await found("true"), ids);
    });

    truncated("an id finds its row", async () => {
        await insert(ids.slice(1));
        assert.deepEqual(await found("id = $1", ids[0]), []);
        for (const id of ids.slice(1)) {
            assert.deepEqual(await found("id = $1", id), [id]);
        }
    });

    truncated("an array finds its rows", async () => {
        await insert(ids);
        assert.deepEqual(await found("id = ANY ($1)", [ids[5], ids[0], ids[3]]), [ids[0], ids[3], ids[5]]);
        assert.deepEqual(await found("id = ANY ($1)", []), []);
    });

    truncated("a time finds the rows since", async () => {
        await insert(ids);
        const times = rows.map(([, time]) => time);
        for (const time of times.filter(Boolean)) {
            assert.deepEqual(await found("id >= $1::timestamptz", new Date(time)), ids.slice(times.indexOf(time)));
        }
    });

    truncated("arrays come back", async () => {
        await insert(ids);
        assert.deepEqual(await column(`SELECT array_agg(id ${chronological}) FROM ${table}`), [ids]);
    });

    truncated("what is no id is refused", async () => {
        await assert.rejects(found("id = $1", `${ids[2]}x`), { code: "22P02" });
        await assert.rejects(found("id = $1", bytesOf(ids[2]).subarray(1)), { code: "08P01" });
        await insert(ids);
    });
}

test("unregistered, an array of ids is one string", async () => {
    const [some] = await columnOf(plain)("SELECT $1::luuid[]", [ids.slice(0, 2)]);
    assert.equal(some, `{${ids[0]},${ids[1]}}`);
});

test("without the extension nothing is registered", async () => {
    const client = new pg.Client({ database: "postgres" });
    await client.connect();
    after(() => client.end());
    await registerLuuid(client);
});

test("binary results are read as UTF-8, which loses bytes", async () => {
    for (const type of ["luuid", "uuid"]) {
        const [value] = await columnOf(plain)(`SELECT $1::${type}`, [ids[2]], { binary: true, types: { getTypeParser: () => String } });
        assert.notEqual(Buffer.from(value).length, 16);
    }
});
