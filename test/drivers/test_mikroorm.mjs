// MikroORM: a key that the schema calls luuid is kept, and one that it calls uuid is converted.
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { EntitySchema, MikroORM, raw } from "@mikro-orm/postgresql";

import { contract, psql, typeOfId } from "./contract.mjs";

const open = async (columnType) => {
    const orm = await MikroORM.init({
        host: process.env.PGHOST, port: Number(process.env.PGPORT), user: process.env.PGUSER, password: process.env.PGPASSWORD,
        dbName: process.env.PGDATABASE, schemaGenerator: { skipTables: ["legacy"] }, entities: [new EntitySchema({
            name: "event", tableName: "event",
            properties: {
                id: { type: "string", columnType, primary: true, defaultRaw: "luuid_generate()" },
                what: { type: "text", default: "" },
            },
        })],
    });
    after(() => orm.close());
    return orm;
};
const orm = await open("luuid");
const found = async (where) => (await orm.em.fork().find("event", where, { orderBy: { id: "asc" } })).map(({ id }) => id);

contract("MikroORM", {
    insert: (id) => orm.em.fork().insert("event", { id }),
    generate: async () => {
        const em = orm.em.fork(), event = em.create("event", {});
        await em.persist(event).flush();
        return event.id;
    },
    find: (id) => found({ id }),
    among: (some) => found({ id: { $in: some } }),
    since: (time) => found({ [raw("id >= ?::timestamptz", [time])]: [] }),
    all: () => found({}),
});

test("its schema is the table's, and with uuid it would convert the column", async () => {
    assert.doesNotMatch(await orm.schema.getUpdateSchemaSQL(), /type/);
    assert.equal(await typeOfId("event"), "luuid");
    assert.match(await (await open("uuid")).schema.getUpdateSchemaSQL(), /alter column "id" type uuid/);
    assert.deepEqual(await psql("SELECT count(*)::int FROM event WHERE id IS NULL"), [0]);
});
