// MikroORM: it keeps a column that the entity declares as luuid, and converts one that it declares as uuid.
// needs: release
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { EntitySchema, MikroORM, raw } from "@mikro-orm/postgresql";

import { contract, psql, typeOfId } from "./contract.mjs";

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: dbName } = process.env;
const mapped = async (name, columnType, defaultRaw) => {
    const Row = new EntitySchema({
        name, tableName: name,
        properties: {
            id: { type: "string", columnType, primary: true, defaultRaw },
            what: { type: "text", default: "" },
        },
    });
    const orm = await MikroORM.init({
        entities: [Row], host, port: Number(port), user, password, dbName, discovery: { warnWhenNoEntities: false },
        schemaGenerator: { managementDbName: dbName }, allowGlobalContext: true,
    });
    after(() => orm.close());
    return { Row, orm };
};

const { Row, orm } = await mapped("event", "luuid", "luuid_generate()");
const found = async (where) => (await orm.em.fork().find(Row, where, { orderBy: { id: "asc" } })).map(({ id }) => id);
contract("MikroORM", {
    insert: (id) => orm.em.fork().insert(Row, { id }),
    generate: async () => {
        const session = orm.em.fork(), made = session.create(Row, {});
        session.persist(made);
        await session.flush();
        return made.id;
    },
    find: (id) => found({ id }),
    among: (some) => found({ id: { $in: some } }),
    since: (time) => found({ id: { $gte: raw("?::timestamptz", [time]) } }),
    all: () => found({}),
});

const update = ({ orm }) => orm.schema.getUpdateSchemaSQL({ wrap: false, safe: true });
test("an update of the schema changes nothing", async () => {
    assert.doesNotMatch(await update({ orm }), /"event"/);
    assert.equal(await typeOfId("event"), "luuid");
});

test("an update of a column said to be uuid converts it: the warning still stands", async () => {
    assert.match(await update(await mapped("event", "uuid", "luuid_generate()")), /alter column "id" type uuid/);
});

test("an update makes a column, and a second one nothing", async () => {
    const sheet = await mapped("sheet", "luuid", "luuid_generate()");
    await sheet.orm.schema.updateSchema({ wrap: false, safe: true });
    assert.equal(await typeOfId("sheet"), "luuid");
    assert.doesNotMatch(await update(sheet), /"sheet"/);
});
