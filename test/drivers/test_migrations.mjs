// Migrations of JavaScript's mappers, which make the extension and a table on the mapper's own pool: arrays of ids come back
// through connections that are older than the extension, and through these when it was dropped and made again.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";

import { EntitySchema as MikroSchema, MikroORM } from "@mikro-orm/postgresql";
import { asc } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate } from "drizzle-orm/node-postgres/migrator";
import { pgTable } from "drizzle-orm/pg-core";
import knexOf from "knex";
import { Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { luuid } from "luuid/drizzle";
import { registerLuuid } from "luuid/pg";
import pg from "pg";
import { Sequelize } from "sequelize";
import { DataSource, EntitySchema } from "typeorm";

import { ids, psql } from "./contract.mjs";

const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password } = process.env;
const rows = [{ id: ids[0], parents: [] }, { id: ids[1], parents: ids.slice(2, 5) }];
const table = "CREATE TABLE tree (id luuid PRIMARY KEY, parents luuid[] NOT NULL)";
const migrations = { "1": ["CREATE EXTENSION luuid", table], "2": ["DROP EXTENSION luuid CASCADE", "DROP TABLE tree", "CREATE EXTENSION luuid", table] };
const upTo = (last) => Object.keys(migrations).filter((name) => name <= last);

// `opened` connects to a database; its migrate(last) makes the migrations up to that.
const check = (name, opened) => test(name, async () => {
    const database = `migrated_by_${name.toLowerCase()}`;
    await psql(`CREATE DATABASE ${database} TEMPLATE template0`);
    const { migrate, insert, all, close } = await opened(database);
    try {
        for (const last of Object.keys(migrations)) {
            await migrate(last);
            for (const row of rows) await insert(row);
            // More than one connection reads.
            for (const found of await Promise.all(Array.from({ length: 4 }, all)))
                assert.deepEqual(found.map(({ id, parents }) => ({ id, parents })), rows);
        }
    } finally {
        await close();
    }
});

check("Knex", async (database) => {
    const pool = { min: 4, afterCreate: (client, done) => registerLuuid(client).then(() => done(null, client), done) };
    const knex = knexOf({ client: "pg", connection: { host, port: Number(port), user, password, database }, pool });
    await Promise.all(Array.from({ length: 4 }, () => knex.raw("SELECT pg_sleep(0.1)")));
    return {
        migrate: (last) => knex.migrate.latest({ migrationSource: {
            getMigrations: async () => upTo(last), getMigrationName: (name) => name,
            getMigration: async (name) => ({ up: async (knex) => { for (const text of migrations[name]) await knex.raw(text); }, down: () => {} }),
        } }),
        insert: (row) => knex("tree").insert(row),
        all: () => knex("tree").orderBy("id"),
        close: () => knex.destroy(),
    };
});

// A pool whose connections are older than what the migrations make.
const olderPool = async (database) => {
    const pool = new pg.Pool({ database, onConnect: registerLuuid });
    await Promise.all(Array.from({ length: 4 }, () => pool.query("SELECT pg_sleep(0.1)")));
    return pool;
};

check("Kysely", async (database) => {
    const kysely = new Kysely({ dialect: new PostgresDialect({ pool: await olderPool(database) }) });
    const up = (name) => async (db) => { for (const text of migrations[name]) await sql.raw(text).execute(db); };
    return {
        migrate: async (last) => {
            const provider = { getMigrations: async () => Object.fromEntries(upTo(last).map((name) => [name, { up: up(name) }])) };
            const { error } = await new Migrator({ db: kysely, provider }).migrateToLatest();
            assert.ifError(error);
        },
        insert: (row) => kysely.insertInto("tree").values(row).execute(),
        all: () => kysely.selectFrom("tree").selectAll().orderBy("id").execute(),
        close: () => kysely.destroy(),
    };
});

check("Drizzle", async (database) => {
    const tree = pgTable("tree", { id: luuid("id").primaryKey(), parents: luuid("parents").array().notNull() });
    const pool = await olderPool(database), db = drizzle(pool);
    mkdirSync("drizzle/meta", { recursive: true });
    return {
        migrate: (last) => {
            for (const name of upTo(last)) writeFileSync(`drizzle/${name}.sql`, migrations[name].join(";\n--> statement-breakpoint\n"));
            const entries = upTo(last).map((tag, idx) => ({ idx, tag, when: 1 + idx, version: "7", breakpoints: true }));
            writeFileSync("drizzle/meta/_journal.json", JSON.stringify({ version: "7", dialect: "postgresql", entries }));
            return migrate(db, { migrationsFolder: "drizzle" });
        },
        insert: (row) => db.insert(tree).values(row),
        all: () => db.select().from(tree).orderBy(asc(tree.id)),
        close: () => pool.end(),
    };
});

check("Sequelize", async (database) => {
    const sequelize = new Sequelize(database, user, password, { host, port, dialect: "postgres", logging: false });
    sequelize.addHook("afterConnect", registerLuuid);
    await Promise.all(Array.from({ length: 4 }, () => sequelize.query("SELECT pg_sleep(0.1)")));
    const Tree = sequelize.define("tree", { id: { type: "luuid", primaryKey: true }, parents: { type: "luuid[]" } }, { tableName: "tree", timestamps: false });
    return {
        migrate: async (last) => { for (const text of migrations[last]) await sequelize.getQueryInterface().sequelize.query(text); },
        insert: ({ id, parents }) => Tree.create({ id, parents: `{${parents}}` }),
        all: () => Tree.findAll({ order: ["id"], raw: true }),
        close: () => sequelize.close(),
    };
});

check("TypeORM", async (database) => {
    const Tree = new EntitySchema({ name: "tree", columns: { id: { type: "luuid", primary: true }, parents: { type: "luuid", array: true } } });
    const classes = Object.keys(migrations).map((name) => class {
        name = `Migration${1_800_000_000_000 + Number(name)}`;
        async up(runner) { for (const text of migrations[name]) await runner.query(text); }
    });
    const source = new DataSource({ type: "postgres", host, port, username: user, password, database, entities: [Tree], migrations: [], extra: { onConnect: registerLuuid } });
    source.driver.supportedDataTypes.push("luuid");
    await source.initialize();
    await Promise.all(Array.from({ length: 4 }, () => source.query("SELECT pg_sleep(0.1)")));
    const trees = source.getRepository(Tree);
    return {
        migrate: (last) => {
            source.migrations.push(new classes[last - 1]());
            return source.runMigrations();
        },
        insert: (row) => trees.insert(row),
        all: () => trees.find({ order: { id: "ASC" } }),
        close: () => source.destroy(),
    };
});

check("MikroORM", async (dbName) => {
    const Tree = new MikroSchema({ name: "tree", tableName: "tree", properties: {
        id: { type: "string", columnType: "luuid", primary: true }, parents: { type: "string[]", columnType: "luuid[]" } } });
    const orm = await MikroORM.init({ entities: [Tree], host, port: Number(port), user, password, dbName, allowGlobalContext: true });
    await Promise.all(Array.from({ length: 4 }, () => orm.em.getConnection().execute("SELECT pg_sleep(0.1)")));
    return {
        migrate: (last) => orm.schema.execute(migrations[last].join(";\n")),
        insert: (row) => orm.em.fork().insert(Tree, row),
        all: () => orm.em.fork().find(Tree, {}, { orderBy: { id: "asc" } }),
        close: () => orm.close(),
    };
});
