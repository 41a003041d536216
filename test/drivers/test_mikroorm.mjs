// MikroORM: it keeps a column that the entity declares as luuid, and converts one that it declares as uuid.
// needs: release
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { EntitySchema, MikroORM, raw } from "@mikro-orm/postgresql";

import { contract, psql, typeOfId } from "./contract.mjs";

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: dbName } = process.env;
const mapped = async (name, columnType, indexes = []) => {
    const Row = new EntitySchema({
        name, tableName: name, indexes,
        properties: {
            id: { type: "string", columnType, primary: true, defaultRaw: "luuid_generate_v7()" },
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

const { Row, orm } = await mapped("event", "luuid");
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
    assert.match(await update(await mapped("event", "uuid")), /alter column "id" type uuid/);
});

test("an update makes a column, and a second one nothing", async () => {
    const sheet = await mapped("sheet", "luuid");
    await sheet.orm.schema.updateSchema({ wrap: false, safe: true });
    assert.equal(await typeOfId("sheet"), "luuid");
    assert.doesNotMatch(await update(sheet), /"sheet"/);
});

test("an update drops the index by time of a uuid column, unless the entity has it", async () => {
    const named = await mapped("legacy", "uuid", [{ name: "legacy_by_time", expression: "CREATE INDEX legacy_by_time ON legacy ((id::luuid))" }]);
    assert.doesNotMatch(await update(named), /legacy_by_time/);
    await psql("DROP INDEX legacy_by_time");
    await named.orm.schema.updateSchema({ wrap: false });
    assert.deepEqual(await psql("SELECT pg_get_indexdef('legacy_by_time'::regclass)"),
        ["CREATE INDEX legacy_by_time ON public.legacy USING btree (((id)::luuid))"]);
    assert.doesNotMatch(await update(named), /legacy_by_time/);
    assert.match(await update(await mapped("legacy", "uuid")), /drop index "legacy_by_time"/);
});
