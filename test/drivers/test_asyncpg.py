"""asyncpg, which sends ids in binary once the type has a codec, and as text before."""
import asyncio
import unittest
from uuid import UUID

import asyncpg

from contract import SqlContract, UuidColumn, psql
from luuid_asyncpg import register_luuid


class Session(SqlContract):
    mark = "$1"
    # What stands beside a luuid is taken for one unless it says what it is.
    time_mark = "$1::timestamptz"

    def setUp(self):
        super().setUp()
        self.loop = asyncio.new_event_loop()
        self.addCleanup(self.loop.close)
        self.connection = self.wait(self.connect())
        self.addCleanup(lambda: self.wait(self.connection.close()))

    def wait(self, coroutine):
        return self.loop.run_until_complete(coroutine)

    async def connect(self):
        return await asyncpg.connect()

    def rows(self, statement, *parameters):
        return [row[0] for row in self.wait(self.connection.fetch(statement, *parameters))]

    def insert(self, ids):
        self.wait(self.connection.executemany(f"INSERT INTO {self.table} (id) VALUES ($1)", [[id] for id in ids]))

    def sqlstate(self, error):
        return error.sqlstate


class Text(Session, unittest.TestCase):
    """Without a codec ids are str."""

    kind = str

    def test_copy_has_no_encoder(self):
        with self.assertRaisesRegex(asyncpg.InternalClientError, "no binary format encoder for type luuid"):
            self.wait(self.connection.copy_records_to_table(self.table, records=[self.ids[:1]], columns=["id"]))


class Binary(Session, unittest.TestCase):
    async def connect(self):
        connection = await super().connect()
        await register_luuid(connection)
        return connection

    def send_text(self, text):
        # The codec itself refuses what is no UUID; the server is asked past it.
        self.rows("SELECT $1::text::luuid", text)

    def test_copy(self):
        self.wait(self.connection.copy_records_to_table(self.table, records=[[id] for id in self.ids], columns=["id"]))
        self.assertEqual(self.ordered(), self.ids)

    def test_a_pool_registers_the_type(self):
        async def generate():
            async with asyncpg.create_pool(min_size=1, max_size=1, init=register_luuid) as pool:
                return await pool.fetchval("SELECT luuid_generate()")
        self.assertIsInstance(self.wait(generate()), UUID)

    def test_a_pool_is_renewed_after_another_extension(self):
        async def generate(*statements, init=register_luuid):
            async with asyncpg.create_pool(database="asyncpg_later", min_size=1, max_size=1, init=init) as pool:
                for statement in statements:
                    await pool.execute(statement)
                await pool.expire_connections()
                return await pool.fetchval("SELECT ARRAY[luuid_generate()]")
        psql("CREATE DATABASE asyncpg_later TEMPLATE template0")
        with self.assertRaisesRegex(ValueError, "unknown type"):
            self.wait(generate())
        self.assertIsInstance(self.wait(generate("CREATE EXTENSION luuid", init=None))[0], str)
        self.assertIsInstance(self.wait(generate("DROP EXTENSION luuid", "CREATE EXTENSION luuid"))[0], UUID)

    def test_prepared(self):
        self.insert(self.ids)
        statement = self.wait(self.connection.prepare(f"SELECT id FROM {self.table} WHERE id = $1"))
        self.assertEqual([self.wait(statement.fetchval(id)) for id in self.ids], self.ids)

    def test_cursor(self):
        self.insert(self.ids)

        async def read():
            async with self.connection.transaction():
                return [row[0] async for row in self.connection.cursor(f"SELECT id FROM {self.table} ORDER BY {self.order}")]
        self.assertEqual(self.wait(read()), self.ids)


class UuidColumnUnregistered(UuidColumn, Session, unittest.TestCase):
    """A driver that knows uuid needs nothing."""

    def send_text(self, text):
        self.rows("SELECT $1::text::uuid", text)
