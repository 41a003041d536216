"""psycopg2, which puts parameters into the statement as literals: as it comes, and with the type registered."""
import contextlib
import io
import unittest

import psycopg2
import psycopg2.errors
import psycopg2.extensions
import psycopg2.extras

from contract import SqlContract, Unknown, UuidColumn
from luuid.psycopg2 import register_luuid

psycopg2.extras.register_uuid()


class Session(SqlContract):
    def setUp(self):
        super().setUp()
        self.connection = psycopg2.connect("")
        self.connection.autocommit = True
        self.addCleanup(self.connection.close)
        self.cursor = self.connection.cursor()

    def rows(self, statement, *parameters):
        self.cursor.execute(statement, parameters)
        return [row[0] for row in self.cursor]

    def insert(self, ids):
        psycopg2.extras.execute_values(self.cursor, f"INSERT INTO {self.table} (id) VALUES %s", [[id] for id in ids])

    def sqlstate(self, error):
        return error.pgcode


class Unregistered(Unknown, Session, unittest.TestCase):
    def test_a_list_of_str_needs_its_type(self):
        with self.assertRaises(psycopg2.errors.UndefinedFunction):
            Session.among(self, self.ids)

    def test_copy(self):
        self.cursor.copy_expert(f"COPY {self.table} (id) FROM STDIN", io.StringIO("\n".join(self.ids)))
        out = io.StringIO()
        self.cursor.copy_expert(f"COPY (SELECT id FROM {self.table} ORDER BY id) TO STDOUT", out)
        self.assertEqual(out.getvalue().splitlines(), self.ids)


class Registered(Session, unittest.TestCase):
    def setUp(self):
        super().setUp()
        register_luuid(self.connection)

    def test_no_transaction_is_begun_and_none_is_ended(self):
        connection = psycopg2.connect("")
        self.addCleanup(connection.close)
        register_luuid(connection)
        self.assertEqual(connection.info.transaction_status, psycopg2.extensions.TRANSACTION_STATUS_IDLE)
        cursor = connection.cursor()
        cursor.execute("SET LOCAL work_mem = '123 kB'")
        register_luuid(connection)
        cursor.execute("SHOW work_mem")
        self.assertEqual(cursor.fetchone(), ("123kB",))

    def test_it_is_registered_again_after_another_extension(self):
        self.connection.autocommit = False
        self.cursor.execute("DROP EXTENSION luuid CASCADE; CREATE EXTENSION luuid")
        self.addCleanup(self.connection.rollback)
        register_luuid(self.connection)
        self.assertEqual(self.rows("SELECT %s::luuid[]", self.ids), [self.ids])

    def test_without_the_extension_nothing_is_registered(self):
        with contextlib.closing(psycopg2.connect(dbname="postgres")) as connection:
            register_luuid(connection)


class UuidColumnUnregistered(UuidColumn, Session, unittest.TestCase):
    """A driver that knows uuid needs nothing."""
