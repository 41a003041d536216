// What the suites in JavaScript share: the contract of a mapper, ids, and another way to the server.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { test } from "node:test";

import pg from "pg";

// In chronological order.
export const ids = readFileSync(process.env.LUUID_IDS, "ascii").trimEnd().split("\n").map((line) => line.split("\t")[0]);

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

// Of an error that may wrap the driver's.
const sqlstateOf = (error) => error.code ?? error.originalCode ??
    sqlstateOf(error.cause ?? error.original ?? error.nativeError ?? { code: String(error) });

// Answers programs.py by a mapper that can insert(id), generate(), find(id), list those among(ids), those since(time), and all(),
// of the table event, or of legacy if the name is that.
export const contract = (name, mapper) => test(name, async () => {
    const commands = {
        ...mapper,
        insert: async (...some) => {
            for (const id of some) await mapper.insert(id);
            return [];
        },
        generate: async () => [await mapper.generate()],
        among: (...some) => mapper.among(some),
        since: (time) => mapper.since(new Date(time)),
        refuse: mapper.find,
        ordered: mapper.all,
    };
    const asking = spawn("/usr/bin/python3", ["programs.py"], { stdio: ["pipe", "pipe", "inherit"] });
    asking.stdin.write(`mapper\t${name}\tfinest=milliseconds\nready\n`);
    for await (const line of createInterface({ input: asking.stdout })) {
        const [, command, ...values] = line.split("\t");
        const answer = await commands[command](...values).catch((error) => ["error", sqlstateOf(error)]);
        asking.stdin.write(`${answer.join("\t")}\n`);
    }
    if (asking.exitCode === null) await once(asking, "exit");
    assert.equal(asking.exitCode, 0);
});
