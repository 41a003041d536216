// What an application does with ids through a mapper of JavaScript's. A suite says how its mapper does each step; the
// tests are here.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import pg from "pg";

const rows = readFileSync(process.env.LUUID_IDS, "ascii").trimEnd().split("\n").map((line) => line.split("\t"));
// In chronological order.
export const ids = rows.map(([id]) => id);

// Another way to the server than the mapper under test.
export const psql = async (statement, values) => {
    const client = new pg.Client();
    await client.connect();
    try {
        return (await client.query({ text: statement, values, rowMode: "array" })).rows.map(([value]) => value);
    } finally {
        await client.end();
    }
};

export const typeOfId = async (table) => (await psql(
    "SELECT atttypid::regtype::text FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'id'", [table]))[0];

// With a mapper that can insert(id), generate(), find(id), list those among(ids), those since(time), and all(), of a table.
export function contract(name, mapper, { table = "event", order = "event.id" } = {}) {
    const emptied = (what, body) => test(`${name}: ${what}`, async () => {
        await psql(`TRUNCATE ${table}`);
        await body();
    });
    const insert = async (some) => {
        for (const id of some) {
            await mapper.insert(id);
        }
    };

    emptied("ids of the client are stored and read back", async () => {
        await insert([...ids].sort());
        assert.deepEqual(await psql(`SELECT id::text FROM ${table} ORDER BY ${order}`), ids);
        assert.deepEqual(await mapper.all(), ids);
    });

    emptied("ids of the server come back as made", async () => {
        const made = [];
        for (let n = 0; n < 20; n++) {
            made.push(await mapper.generate());
        }
        assert(made.every((id) => id[14] === "7"));
        assert.deepEqual(await mapper.all(), made);
    });

    emptied("an id finds its row, and an array its rows", async () => {
        await insert(ids.slice(1));
        for (const id of ids) assert.deepEqual(await mapper.find(id), id === ids[0] ? [] : [id]);
        assert.deepEqual(await mapper.among([ids[5], ids[0], ids[3]]), [ids[3], ids[5]]);
    });

    emptied("a time finds the rows since", async () => {
        await insert(ids);
        const times = rows.map(([, time]) => time);
        for (const time of times.filter(Boolean)) {
            assert.deepEqual(await mapper.since(new Date(time)), ids.slice(times.indexOf(time)));
        }
    });
}
