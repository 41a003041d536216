// Which versions of id the usual validators of JavaScript take, as the table of doc/drivers.md says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import Ajv from "ajv";
import addFormats from "ajv-formats";
import { type } from "arktype";
import { isUUID } from "class-validator";
import Joi from "joi";
import pg from "pg";
import { validate } from "uuid";
import * as valibot from "valibot";
import validator from "validator";
import * as yup from "yup";
import * as zod from "zod";
import { z as zod3 } from "zod/v3";

const arkUuid = type("string.uuid");
const valibotUuid = valibot.pipe(valibot.string(), valibot.uuid());

const takes = {
    "ajv-formats `uuid`": addFormats.default(new Ajv.default()).compile({ type: "string", format: "uuid" }),
    "arktype `string.uuid`": (id) => arkUuid.allows(id),
    "class-validator `isUUID`": (id) => isUUID(id),
    "class-validator `isUUID`, `loose`": (id) => isUUID(id, "loose"),
    "class-validator `isUUID`, `7`": (id) => isUUID(id, "7"),
    "class-validator `isUUID`, `8`": (id) => isUUID(id, "8"),
    "joi `uuid`": (id) => !Joi.string().uuid().validate(id).error,
    "uuid `validate`": validate,
    "valibot `uuid`": (id) => valibot.safeParse(valibotUuid, id).success,
    "validator `isUUID`": (id) => validator.isUUID(id),
    "yup `uuid`": (id) => yup.string().uuid().isValidSync(id),
    "zod 3 `uuid`": (id) => zod3.string().uuid().safeParse(id).success,
    "zod 4 `z.guid`": (id) => zod.guid().safeParse(id).success,
    "zod 4 `z.uuid`": (id) => zod.uuid().safeParse(id).success,
    "zod 4 `z.uuidv4`": (id) => zod.uuidv4().safeParse(id).success,
    "zod 4 `z.uuidv7`": (id) => zod.uuidv7().safeParse(id).success,
};

const client = new pg.Client();
await client.connect();
after(() => client.end());

const generated = async (call) => {
    const { rows } = await client.query(`SELECT ${call} AS id FROM generate_series(1, 500)`);
    return rows.map(({ id }) => id);
};
const ids = { b: await generated("luuid_generate()"), 7: await generated("luuid_generate_v7()") };
await client.query("SET luuid.version = 8");
ids[8] = await generated("luuid_generate()");

const [, table] = readFileSync("../../../doc/drivers.md", "utf8").match(/^\| validator \|.*\n\| ---.*\n((?:\|.*\n)+)/m);
const rows = table.trimEnd().split("\n").map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()))
    .filter(([name]) => !/^(Java|Python|pydantic|[.]NET) /.test(name)); // TestJdbc.java and test_parsers.py have these

test("every validator is in the table", () => {
    assert.deepEqual(rows.map(([name]) => name).sort(), Object.keys(takes).sort());
});
for (const [name, ...cells] of rows) {
    for (const [place, version] of ["b", "8", "7"].entries()) {
        test(`${name}, version ${version}: ${cells[place]}`, () => {
            const taken = ids[version].filter((id) => takes[name](id)).length;
            assert.equal(taken, cells[place] === "yes" ? 500 : 0);
        });
    }
}
