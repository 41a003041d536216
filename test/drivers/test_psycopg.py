"""psycopg 3: as it comes, and with the type registered: as text, in binary, prepared, and in a pipeline."""
import unittest
from datetime import date, datetime, timezone

import psycopg
from psycopg.types.range import Range

from contract import TIMES, SqlContract, Unknown, UuidColumn
from luuid.psycopg import register_luuid


class Session(SqlContract):
    binary = False
    prepare = None

    def setUp(self):
        super().setUp()
        self.connection = psycopg.connect(autocommit=True)
        self.addCleanup(self.connection.close)

    def rows(self, statement, *parameters):
        return [row[0] for row in self.connection.execute(statement, parameters, binary=self.binary, prepare=self.prepare)]

    def insert(self, ids):
        self.connection.cursor().executemany(f"INSERT INTO {self.table} (id) VALUES (%s)", [[id] for id in ids])

    def sqlstate(self, error):
        return error.sqlstate

    def test_a_range_finds_its_rows(self):
        self.insert(self.ids)
        days, times = ([kind(year, 1, 1, **zone) for year in (2000, 2020)]
                       for kind, zone in ((date, {}), (datetime, {"tzinfo": timezone.utc})))
        among = [id for id, time in zip(self.ids, TIMES) if time and times[0] <= time < times[1]]
        for bounds, of_times in (days, "luuid_range(%s)"), (times, "%s"):
            self.assertEqual(
                self.rows(f"SELECT id FROM {self.table} WHERE id <@ {of_times} ORDER BY {self.order}", Range(*bounds)), among)


class Unregistered(Unknown, Session, unittest.TestCase):
    pass


class Text(Session, unittest.TestCase):
    format = "text"

    def setUp(self):
        super().setUp()
        register_luuid(self.connection)

    def test_a_result_column_of_that_name_sorts_as_what_it_is(self):
        self.insert(self.ids)
        self.assertEqual(self.rows(f"SELECT id::uuid FROM {self.table} ORDER BY id"), sorted(self.ids))
        self.assertEqual(self.rows(f"SELECT id::uuid FROM {self.table} ORDER BY {self.table}.{self.order}"), self.ids)

    def test_without_the_extension_nothing_is_registered(self):
        with psycopg.connect(dbname="postgres") as connection:
            register_luuid(connection)

    def test_it_is_registered_again_after_another_extension(self):
        self.connection.execute("BEGIN; DROP EXTENSION luuid CASCADE; CREATE EXTENSION luuid")
        self.addCleanup(self.connection.rollback)
        register_luuid(self.connection)
        self.assertEqual(self.rows("SELECT %s::luuid[]", self.ids), [self.ids])

    def test_copy(self):
        cursor = self.connection.cursor()
        with cursor.copy(f"COPY {self.table} (id) FROM STDIN (FORMAT {self.format})") as copy:
            for id in self.ids:
                copy.write_row([id])
        with cursor.copy(f"COPY (SELECT id FROM {self.table} ORDER BY {self.order}) TO STDOUT (FORMAT {self.format})") as copy:
            copy.set_types(["luuid"])
            self.assertEqual([row[0] for row in copy.rows()], self.ids)

    def test_copy_of_types_that_are_set(self):
        cursor = self.connection.cursor()
        cursor.execute("CREATE TEMP TABLE tree (id luuid, parents luuid[])")
        with cursor.copy(f"COPY tree FROM STDIN (FORMAT {self.format})") as copy:
            copy.set_types(["luuid", "luuid[]"])
            for id in self.ids:
                copy.write_row([id, self.ids[:3]])
            copy.write_row([None, [None, self.ids[0]]])
        self.assertEqual(self.rows("SELECT id FROM tree ORDER BY id"), [*self.ids, None])
        self.assertEqual(self.rows("SELECT DISTINCT parents FROM tree WHERE id IS NOT NULL"), [self.ids[:3]])
        with cursor.copy(f"COPY tree TO STDOUT (FORMAT {self.format})") as copy:
            copy.set_types(["luuid", "luuid[]"])
            self.assertEqual(list(copy.rows())[-2:], [(self.ids[-1], self.ids[:3]), (None, [None, self.ids[0]])])

    def test_a_parameter_fits_both_types(self):
        cursor = self.connection.cursor()
        cursor.execute("CREATE TEMP TABLE kept (id uuid)")
        cursor.execute("INSERT INTO kept VALUES (%s)", [self.ids[3]])
        self.assertEqual(self.rows("SELECT id FROM kept WHERE id = %s", self.ids[3]), [self.ids[3]])


class Binary(Text):
    binary = True
    format = "binary"


class Prepared(Binary):
    prepare = True


class Pipeline(Text):
    """Statements go out before the answers of those before them are read."""

    def insert(self, ids):
        with self.connection.pipeline():
            for id in ids:
                self.connection.execute(f"INSERT INTO {self.table} (id) VALUES (%s)", [id])


class TextUuidColumn(UuidColumn, Session, unittest.TestCase):
    """A driver that knows uuid needs nothing."""


class BinaryUuidColumn(TextUuidColumn):
    binary = True
