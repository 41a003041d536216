// TypeORM: it keeps a column that the entity declares as luuid, and drops one, with its values, that it declares as uuid.
// needs: release
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DataSource, EntitySchema, In, Raw } from "typeorm";

import { contract, ids, psql, typeOfId } from "./contract.mjs";
import { Event, dataSource } from "./luuid_typeorm.mjs";

await dataSource.initialize();
after(() => dataSource.destroy());
const events = dataSource.getRepository(Event);
const found = async (id) => (await events.find({ where: id && { id }, order: { id: "ASC" } })).map((event) => event.id);

contract("TypeORM", {
    insert: (id) => events.insert({ id }),
    generate: async () => (await events.save({})).id,
    find: found,
    among: (some) => found(In(some)),
    since: (time) => found(Raw((id) => `${id} >= :time::timestamptz`, { time })),
    all: () => found(undefined),
});

test("synchronize keeps the column", async () => {
    await psql("INSERT INTO event (id) VALUES ($1) ON CONFLICT DO NOTHING", [ids[0]]);
    const before = await psql("SELECT id FROM event");
    await dataSource.synchronize();
    assert.deepEqual((await dataSource.driver.createSchemaBuilder().log()).upQueries, []);
    assert.equal(await typeOfId("event"), "luuid");
    assert.deepEqual(await psql("SELECT id FROM event"), before);
});

test("arrays come back, of a table that it made, in which it changes nothing", async () => {
    const Tree = new EntitySchema({
        name: "tree",
        columns: {
            id: { type: "luuid", primary: true, default: () => "luuid_generate_v7()" },
            parent: { type: "luuid", nullable: true }, parents: { type: "luuid", array: true },
        },
    });
    const source = new DataSource({ ...dataSource.options, entities: [Tree] });
    source.driver.supportedDataTypes.push("luuid");
    await source.initialize();
    after(() => source.destroy());
    await source.synchronize();
    assert.equal(await typeOfId("tree"), "luuid");
    assert.deepEqual((await source.driver.createSchemaBuilder().log()).upQueries, []);
    const trees = source.getRepository(Tree);
    await trees.insert({ id: ids[1], parents: ids.slice(2, 5) });
    assert.deepEqual((await trees.findOneBy({ id: ids[1] })).parents, ids.slice(2, 5));
});

const sourceOf = (entity) => new DataSource({
    type: "postgres", host: process.env.PGHOST, port: process.env.PGPORT, username: process.env.PGUSER,
    password: process.env.PGPASSWORD, database: process.env.PGDATABASE, entities: [new EntitySchema(entity)],
});
const lost = (type) => sourceOf({
    name: "lost", columns: { id: { type, primary: true, default: () => "luuid_generate_v7()" } },
});
const synchronize = async (source) => {
    await source.initialize();
    try {
        await source.synchronize();
    } finally {
        await source.destroy();
    }
};

test("untold, it refuses the type", async () => {
    await assert.rejects(lost("luuid").initialize(), /Data type "luuid" in "lost.id" is not supported/);
});

test("synchronize of a column said to be uuid drops the ids: the warning still stands", async () => {
    await psql("CREATE TABLE lost (id luuid PRIMARY KEY DEFAULT luuid_generate_v7())");
    await psql("INSERT INTO lost VALUES ($1)", [ids[0]]);
    await synchronize(lost("uuid"));
    assert.equal(await typeOfId("lost"), "uuid");
    assert.notEqual((await psql("SELECT id FROM lost"))[0], ids[0]);
});

test("synchronize leaves the index by time of a uuid column, but drops one of the class", async () => {
    const legacy = sourceOf({
        name: "legacy",
        columns: {
            id: { type: "uuid", primary: true, default: () => "luuid_generate_v7()" },
            what: { type: "text", default: "" },
        },
    });
    await psql("CREATE INDEX legacy_by_class ON legacy (id uuid_time_ops)");
    await synchronize(legacy);
    assert.deepEqual(await psql("SELECT indexname FROM pg_indexes WHERE tablename = 'legacy' AND indexname LIKE 'legacy_by%'"), ["legacy_by_time"]);
});
