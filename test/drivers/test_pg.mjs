// node-postgres: ids are strings, and bytes on the way in, in a luuid column and in a uuid column.
import assert from "node:assert/strict";
import { once } from "node:events";
import { after, test } from "node:test";

import { registerLuuid } from "luuid/pg";
import pg from "pg";

import { contract, ids, psql } from "./contract.mjs";

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

test("the extension may be newer than the connections, and be another one later", async () => {
    await psql("CREATE DATABASE pg_later TEMPLATE template0");
    const pool = new pg.Pool({ database: "pg_later", max: 10, onConnect: registerLuuid });
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    after(() => {
        clients.forEach((client) => client.release());
        return pool.end();
    });
    for (const change of ["CREATE EXTENSION luuid", "DROP EXTENSION luuid; CREATE TYPE mood AS ENUM ('ok'); CREATE EXTENSION luuid"]) {
        await clients[0].query(change);
        for (const [n, client] of clients.entries()) {
            const text = "SELECT $1::luuid[] AS ids, 'ok' AS mood, $1::luuid[] AS again, NULL::luuid[] AS ids";
            const expected = [{ ids: null, mood: "ok", again: ids }];
            const both = await Promise.all([client.query(text, [ids]), client.query({ text, rowMode: "array" }, [ids])]);
            assert.deepEqual(both.map(({ rows }) => rows), [expected, [[ids, "ok", ids, null]]]);
            const later = await new Promise((resolve, reject) => {
                client.query(text, [ids], (error, result) => (error ? reject(error) : resolve(result)));
            });
            assert.deepEqual(later.rows, expected);
            const several = await client.query(`SELECT ARRAY['${ids[n]}'::luuid] AS ids; SELECT '{${ids[n]},NULL}'::luuid[]`);
            assert.deepEqual(several.map(({ rows }) => Object.values(rows[0])[0]), [[ids[n]], [ids[n], null]]);
            const [row] = await once(client.query(new pg.Query("SELECT $1::luuid[] AS ids", [ids])), "row");
            assert.deepEqual(row, { ids });
        }
    }
});

test("it asks once for each type, and an error of that is nobody's", async () => {
    const client = await connected();
    const asked = [];
    const { query } = client;
    client.query = (...given) => query.apply(client, given, asked.push(given[0]));
    await registerLuuid(client);
    await client.query("CREATE TYPE mood AS ENUM ('ok', '{}')");
    for (let n = 0; n < 3; n++) assert.deepEqual((await client.query("SELECT '{}'::mood AS mood, 1 AS one")).rows, [{ mood: "{}", one: 1 }]);
    assert.equal(asked.length, 6);
    await client.query("BEGIN; CREATE TYPE rage AS ENUM ('ok')");
    const [kept, failed] = await Promise.allSettled(["SELECT 'ok'::rage AS rage", "SELECT 1/0"].map((text) => client.query(text)));
    assert.deepEqual(kept.value.rows, [{ rage: "ok" }]);
    assert.equal(failed.reason.code, "22012");
    await client.query("ROLLBACK");
    await new Promise((resolve) => client.query("no SQL", (error) => resolve(assert.equal(error.code, "42601"))));
});

const columnOf = (client) => async (text, values, options) =>
    (await client.query({ text, values, rowMode: "array", ...options })).rows.map(([value]) => value);

for (const [table, order, client] of [
    ["event", "event.id", registered],
    ["legacy", "legacy.id::luuid", plain],
]) {
    const column = columnOf(client);
    const found = (condition, ...values) => column(`SELECT id FROM ${table} WHERE ${condition} ORDER BY ${order}`, values);
    const insert = (id) => column(`INSERT INTO ${table} (id) VALUES ($1)`, [id], { name: `insert into ${table}` });
    contract(table, {
        insert,
        generate: async () => (await column(`INSERT INTO ${table} DEFAULT VALUES RETURNING id`))[0],
        find: (id) => found("id = $1", id),
        among: (some) => found("id = ANY ($1)", some),
        since: (time) => found("id >= $1::timestamptz", time),
        all: () => found("true"),
    });

    test(`${table}: bytes are taken for ids, and come back, as arrays do`, async () => {
        await client.query(`TRUNCATE ${table}`);
        for (const id of ids) await insert(bytesOf(id));
        assert.deepEqual(await found("true"), ids);
        assert.deepEqual(await column(`SELECT uuid_send(id::uuid) FROM ${table} ORDER BY ${order}`), ids.map(bytesOf));
        assert.deepEqual(await column(`SELECT array_agg(id ORDER BY ${order}) FROM ${table}`), [ids]);
    });

    test(`${table}: bytes of another number are refused`, async () => {
        await assert.rejects(found("id = $1", bytesOf(ids[2]).subarray(1)), { code: "08P01" });
        assert.deepEqual(await found("id = $1", ids[2]), [ids[2]]);
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
