// JavaScript's query builders, mappers and drivers that need no setting for luuid: an id is a string to them.
// needs: release
import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PrismaPg } from "@prisma/adapter-pg";
import knexOf from "knex";
import { Kysely, PostgresDialect, sql } from "kysely";
import objection from "objection";
import pg from "pg";
import pgPromise from "pg-promise";
import postgres from "postgres";
import { DataTypes, Op, Sequelize } from "sequelize";

import { contract, psql, typeOfId } from "./contract.mjs";

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: database } = process.env;
const connection = { host, port: Number(port), user, password, database };
const idsOf = async (rows) => (await rows).map((row) => row.id);

// Of a driver that takes SQL.
const bySql = (query, { among = "id = ANY ($1)", since = "id >= $1::timestamptz" } = {}) => {
    const found = (condition, ...values) => query(`SELECT id FROM event WHERE ${condition} ORDER BY id`, values);
    return {
        insert: (id) => query("INSERT INTO event (id) VALUES ($1)", [id]),
        generate: async () => (await query("INSERT INTO event DEFAULT VALUES RETURNING id", []))[0],
        find: (id) => found("id = $1", id),
        among: (some) => found(among, some),
        since: (time) => found(since, time),
        all: () => found("true"),
    };
};

const kysely = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
after(() => kysely.destroy());
const selected = (condition) => idsOf(condition(kysely.selectFrom("event").select("id")).orderBy("id").execute());
contract("Kysely", {
    insert: (id) => kysely.insertInto("event").values({ id }).execute(),
    generate: async () => (await kysely.insertInto("event").defaultValues().returning("id").executeTakeFirst()).id,
    find: (id) => selected((query) => query.where("id", "=", id)),
    // It would write `in ()`.
    among: async (some) => some.length === 0 ? [] : selected((query) => query.where("id", "in", some)),
    since: (time) => selected((query) => query.where("id", ">=", sql`${time}::timestamptz`)),
    all: () => selected((query) => query),
});

const knex = knexOf({ client: "pg", connection });
after(() => knex.destroy());
const events = () => knex("event").orderBy("id");
contract("Knex", {
    insert: (id) => knex("event").insert({ id }),
    generate: async () => (await knex("event").insert({}).returning("id"))[0].id,
    find: (id) => idsOf(events().where({ id })),
    among: (some) => idsOf(events().whereIn("id", some)),
    since: (time) => idsOf(events().where("id", ">=", knex.raw("?::timestamptz", [time]))),
    all: () => idsOf(events()),
});

test("Kysely and Knex make a column", async () => {
    await kysely.schema.createTable("by_kysely").addColumn("id", sql`luuid`, (column) => column.primaryKey()).execute();
    await knex.schema.createTable("by_knex", (table) => table.specificType("id", "luuid").primary());
    assert.deepEqual([await typeOfId("by_kysely"), await typeOfId("by_knex")], ["luuid", "luuid"]);
});

class Event extends objection.Model {
    static tableName = "event";
}
Event.knex(knex);
contract("Objection", {
    insert: (id) => Event.query().insert({ id }),
    generate: async () => (await Event.query().insert({})).id,
    find: (id) => idsOf(Event.query().where({ id })),
    among: (some) => idsOf(Event.query().findByIds(some).orderBy("id")),
    since: (time) => idsOf(Event.query().where("id", ">=", objection.raw("?::timestamptz", [time])).orderBy("id")),
    all: () => idsOf(Event.query().orderBy("id")),
});

const sequelize = new Sequelize(database, user, password, { host, port, dialect: "postgres", logging: false });
after(() => sequelize.close());
const Row = sequelize.define("event", {
    id: { type: "luuid", primaryKey: true, defaultValue: sequelize.literal("luuid_generate_v7()") },
    what: { type: DataTypes.TEXT, allowNull: false, defaultValue: "" },
}, { tableName: "event", timestamps: false });
const rows = (where) => idsOf(Row.findAll({ where, order: ["id"] }));
contract("Sequelize", {
    insert: (id) => Row.create({ id }),
    generate: async () => (await Row.create({})).id,
    find: (id) => rows({ id }),
    among: (some) => rows({ id: some }),
    since: (time) => rows({ id: { [Op.gte]: sequelize.cast(time.toISOString(), "timestamptz") } }),
    all: () => rows({}),
});

test("Sequelize makes a column, leaves it alone, and converts one said to be uuid: the warning still stands", async () => {
    const sheet = (type) => sequelize.define("sheet", {
        id: { type: "luuid", primaryKey: true, defaultValue: sequelize.literal("luuid_generate_v7()") }, parent: { type },
    }, { tableName: "sheet", timestamps: false });
    const columns = () => psql(`SELECT concat_ws(' ', attname, atttypid::regtype, pg_get_expr(adbin, adrelid))
        FROM pg_attribute LEFT JOIN pg_attrdef ON (attrelid, attnum) = (adrelid, adnum)
        WHERE attrelid IN ('event'::regclass, 'sheet'::regclass) AND attnum > 0 ORDER BY attrelid, attnum`);
    await sheet("luuid").sync();
    const made = ["id luuid luuid_generate_v7()", "what text ''::text", "id luuid luuid_generate_v7()", "parent luuid"];
    assert.deepEqual(await columns(), made);
    for (let times = 0; times < 2; times++) {
        await sequelize.sync({ alter: true });
        assert.deepEqual(await columns(), made);
    }
    await sheet(DataTypes.UUID).sync({ alter: true });
    assert.deepEqual(await columns(), [...made.slice(0, 3), "parent uuid"]);
});

const porsager = postgres(connection);
after(() => porsager.end());
// It says that a Date is a timestamptz.
contract("postgres.js", bySql((text, values) => idsOf(porsager.unsafe(text, values)), { since: "id >= $1" }));

const promise = pgPromise();
const promised = promise(connection);
after(() => promise.end());
// It writes values into the text, where an array is one of text.
contract("pg-promise", bySql((text, values) => idsOf(promised.any(text, values)), { among: "id = ANY ($1::luuid[])" }));

const adapter = await new PrismaPg(connection).connect();
after(() => adapter.dispose());
const argument = (value) => ({
    scalarType: value instanceof Date ? "datetime" : "uuid",
    arity: Array.isArray(value) ? "list" : "scalar",
});
contract("Prisma's pg adapter", bySql(async (text, values) => {
    const { rows } = await adapter.queryRaw({ sql: text, args: values, argTypes: values.map(argument) });
    return rows.map(([id]) => id);
}));
