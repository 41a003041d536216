"""Arrays of ids through PgBouncer in transaction mode, by ten connections to each of two databases, whose types have other OIDs;
and again after a database was restored over itself while they were open."""
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

import django
import psycopg2

import luuid
from contract import psql
from luuid.psycopg2 import register_luuid

FIRST = os.environ["PGDATABASE"]
DATABASES = [FIRST, f"{FIRST}_other"]
QUERY = "SELECT ids FROM forest"


def restore():
    """Each database over itself, as pg_restore --clean does, which drops the extension and creates another one."""
    for database in DATABASES:
        dump = subprocess.run(["pg_dump", "-Fc", database], check=True, capture_output=True).stdout
        subprocess.run(["pg_restore", "--clean", "-d", database], check=True, input=dump)


@unittest.skipUnless(shutil.which("pgbouncer"), "there is no PgBouncer here")
class Pooler(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ids = [luuid.generate(), luuid.generate_v7()]
        psql(f"CREATE DATABASE {DATABASES[1]}")
        for database in DATABASES:
            text = (f"CREATE TYPE mood_{database} AS ENUM (); CREATE EXTENSION IF NOT EXISTS luuid;"
                    f"CREATE TABLE forest (ids luuid[]); INSERT INTO forest VALUES ('{{{cls.ids[0]},{cls.ids[1]}}}')")
            subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", text, database], check=True)
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            cls.port = free.getsockname()[1]
        # It does not run as root.
        user = ["-u", os.environ["PGUSER"]] if os.getuid() == 0 else []
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        configuration = Path(folder.name, "pgbouncer.ini")
        configuration.write_text(f"[databases]\n* = host={os.environ['PGHOST']} port={os.environ['PGPORT']} user={os.environ['PGUSER']}\n"
                                 f"[pgbouncer]\npool_mode = transaction\ndefault_pool_size = 2\nauth_type = any\nunix_socket_dir =\n"
                                 f"listen_addr = 127.0.0.1\nlisten_port = {cls.port}\n")
        pooler = subprocess.Popen(["pgbouncer", "-q", *user, str(configuration)], stderr=subprocess.DEVNULL)
        cls.addClassCleanup(pooler.wait)
        cls.addClassCleanup(pooler.terminate)
        for _ in range(300):
            with contextlib.suppress(ConnectionRefusedError):
                return socket.create_connection(("127.0.0.1", cls.port)).close()
            time.sleep(.1)

    def check(self, read):
        """`read(database)` by ten connections, before and after a restore."""
        for change in lambda: None, restore:
            change()
            for database in DATABASES:
                self.assertEqual(read(database), [self.ids] * 10)

    def check_driver(self, connect, register):
        connections = {database: [connect(database) for _ in range(10)] for database in DATABASES}

        def read(database):
            answers = []
            for connection in connections[database]:
                self.addCleanup(connection.close)
                register(connection)
                cursor = connection.cursor()
                cursor.execute(QUERY)
                answers.append(cursor.fetchone()[0])
                connection.commit()
            return answers

        self.check(read)

    def test_psycopg2(self):
        self.check_driver(lambda database: psycopg2.connect(dbname=database, port=self.port), register_luuid)

    def test_psycopg(self):
        try:
            import psycopg
        except ImportError:
            self.skipTest("there is no psycopg 3 here")
        from luuid.psycopg import register_luuid as register
        self.check_driver(lambda database: psycopg.connect(dbname=database, port=self.port, prepare_threshold=None), register)

    def test_sqlalchemy(self):
        from sqlalchemy import create_engine, event, text
        engines = {}
        for database in DATABASES:
            # Ten transactions at once would not fit into the pooler's two connections.
            engine = engines[database] = create_engine(f"postgresql://127.0.0.1:{self.port}/{database}", pool_size=10,
                                                       isolation_level="AUTOCOMMIT")
            self.addCleanup(engine.dispose)
            event.listen(engine, "checkout", lambda connection, *_: register_luuid(connection))

        def read(database):
            with contextlib.ExitStack() as stack:
                made = [stack.enter_context(engines[database].connect()) for _ in range(10)]
                return [connection.execute(text(QUERY)).scalar() for connection in made]

        self.check(read)

    def test_django(self):
        from django.conf import settings  # not a name of this module, whose classes a loader asks for
        settings.configure(INSTALLED_APPS=["luuid.django.LuuidConfig"], DATABASES={
            alias: {"ENGINE": "django.db.backends.postgresql", "NAME": database, "HOST": "127.0.0.1", "PORT": self.port,
                    "USER": os.environ["PGUSER"], "DISABLE_SERVER_SIDE_CURSORS": True}
            for alias, database in zip(["default", "other"], DATABASES)})
        django.setup()
        from django.db import connections

        def read(database):
            answers = []
            made = [connections.create_connection(dict(zip(DATABASES, ["default", "other"]))[database]) for _ in range(10)]
            for connection in made:
                with connection.cursor() as cursor:
                    cursor.execute(QUERY)
                    answers.append(cursor.fetchone()[0])
            for connection in made:
                connection.close()  # as at the end of a request
            return answers

        self.check(read)


if __name__ == "__main__":
    unittest.main()
