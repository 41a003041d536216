"""The Python client: its own tests, and its ids in a server that it reaches by psycopg 3. The JavaScript client's are in
test_clients.mjs."""
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import uuid
from importlib import metadata
from pathlib import Path
from types import FunctionType

import psycopg

ROOT = Path(os.environ["LUUID_IDS"]).parents[2]
os.environ["LUUID_VECTORS"] = str(ROOT / "test/data/vectors.tsv")

# As people install it, but without a network: with the setuptools that is here, unless that is too old to build it.
CAN_BUILD = int(metadata.version("setuptools").split(".")[0]) >= 77
folder = tempfile.TemporaryDirectory()
subprocess.run(["cp", "-rL", str(ROOT / "clients/python"), f"{folder.name}/source"], check=True)
if not CAN_BUILD:
    shutil.copytree(f"{folder.name}/source/luuid", f"{folder.name}/installed/luuid")
else:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-build-isolation", "--no-deps",
                    "--root-user-action=ignore", "--target", f"{folder.name}/installed", f"{folder.name}/source"],
                   check=True, stdout=sys.stderr)
sys.path.insert(0, f"{folder.name}/installed")
sys.path.insert(1, str(ROOT / "clients/python/tests"))

import luuid  # noqa: E402
from luuid.psycopg import register_luuid, register_luuid_async  # noqa: E402
from test_luuid import Process, Vectors  # noqa: E402, F401

COUNT = 100_000


class Arrived(unittest.TestCase):
    """Ids in the order that the client made them, as the server reads them."""

    @classmethod
    def setUpClass(cls):
        assert luuid.__file__.startswith(folder.name)
        cls.connection = psycopg.connect(autocommit=True)
        cls.addClassCleanup(cls.connection.close)
        register_luuid(cls.connection)
        cls.ids = {(mode, version): [luuid.generate(mode, version) for _ in range(COUNT // 4)]
                   for mode, version in (("variable", 8), ("variable", 11), ("sequential", 8), ("sequential", 11))}
        cls.ids["variable", 7] = [luuid.generate_v7() for _ in range(COUNT // 4)]

    def arrived(self, type):
        self.connection.execute(f"DROP TABLE IF EXISTS arrived; CREATE TABLE arrived (made int, "
                                f"run int, id {type}, milliseconds bigint, counter bigint, pid int, shard int, base32 text)")
        with self.connection.cursor().copy("COPY arrived FROM STDIN") as copy:
            for run, ids in enumerate(self.ids.values()):
                for made, id in enumerate(ids):
                    fields = luuid.counter(id), luuid.pid(id), luuid.shard(id, 16), luuid.to_base32(id)
                    copy.write_row((made, run, id, luuid.ticks(id) // 10_000, *fields))

    def answer(self, query):
        return self.connection.execute(query).fetchone()[0]

    def check(self, type):
        self.arrived(type)
        self.assertEqual(self.answer("SELECT count(DISTINCT id) FROM arrived"), COUNT // 4 * 5)
        self.assertEqual(self.answer("""SELECT count(*) FROM arrived
            WHERE (luuid_extract_timestamp(id), luuid_extract_counter(id), luuid_extract_pid(id), luuid_shard(id, 16), luuid_to_base32(id))
                IS DISTINCT FROM (to_timestamp(milliseconds / 1000) + milliseconds % 1000 * interval '1 ms', counter, pid, shard, base32)"""), 0)
        self.assertEqual(self.answer("""SELECT count(*) FROM (SELECT id, lag(id) OVER (PARTITION BY run ORDER BY made) AS before
            FROM arrived) AS pair WHERE NOT before::luuid < id::luuid"""), 0)
        shards = self.connection.execute("SELECT count(*) FROM arrived WHERE run < 2 GROUP BY luuid_shard(id, 16)").fetchall()
        self.assertEqual(len(shards), 16)
        self.assertTrue(all(abs(count - COUNT / 32) < COUNT / 1000 for count, in shards), shards)
        back = self.connection.execute("SELECT id FROM arrived ORDER BY run, made").fetchall()
        self.assertIs(back[0][0].__class__, uuid.UUID)
        self.assertTrue([id for id, in back] == [id for ids in self.ids.values() for id in ids])  # no diff of so many

    def test_in_a_luuid_column(self):
        self.check("luuid")

    def test_in_a_uuid_column(self):
        self.check("uuid")

    def test_a_query_by_time(self):
        self.arrived("luuid")
        when = luuid.timestamp(self.ids["sequential", 11][COUNT // 8])
        for bound, comparison in ((luuid.floor, ">="), (luuid.ceiling, "<=")):
            by_id, by_time = (self.connection.execute(f"SELECT count(*) FROM arrived WHERE id {comparison} %s", [bound]).fetchone()[0]
                              for bound in (bound(when), when))
            self.assertEqual(by_id, by_time)
            self.assertTrue(0 < by_id < COUNT // 4 * 5)


@unittest.skipUnless(CAN_BUILD, "setuptools here is older than 77, which knows no license of PEP 639")
class Packages(unittest.TestCase):
    """What people get of the client."""

    def test_the_wheel(self):
        [information] = Path(folder.name, "installed").glob("luuid-*.dist-info")
        self.assertEqual(information.name, f"luuid-{luuid.__version__}.dist-info")
        self.assertTrue(list(information.rglob("LICENSE")))
        told = (information / "METADATA").read_text()
        self.assertRegex(told, "(?m)^License-Expression: PostgreSQL$")
        self.assertRegex(told, "(?m)^License-File: LICENSE$")
        self.assertNotIn("License ::", told)
        own = {name for name, value in vars(luuid).items() if isinstance(value, FunctionType) and value.__module__.startswith("luuid")}
        self.assertEqual({name for name in own if name[0] != "_"}, set(luuid.__all__))

    def test_the_source_tests_itself(self):
        subprocess.run([sys.executable, "-c", "from setuptools import setup; setup()", "--quiet", "sdist", "--dist-dir", f"{folder.name}/sdist"],
                       cwd=f"{folder.name}/source", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        subprocess.run(["tar", "xzf", *Path(folder.name, "sdist").glob("*.tar.gz")], cwd=folder.name, check=True)
        source = Path(folder.name, f"luuid-{luuid.__version__}")
        self.assertTrue((source / "LICENSE").exists())
        environment = {name: value for name, value in os.environ.items() if name != "LUUID_VECTORS"}
        subprocess.run([sys.executable, "-m", "unittest", "-q", "tests.test_luuid.Vectors"], cwd=source, env=environment, check=True,
                       stderr=subprocess.DEVNULL)


class Types(unittest.TestCase):
    """Of the client, and of what uses it. The stubs of Django are not here, nor those of SQLAlchemy 1.4."""

    def check(self, use):
        file = Path(folder.name, "use.py")
        file.write_text(f"import uuid\nfrom datetime import datetime\nimport luuid\n{use}\n")
        mypy = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--allow-subclassing-any",
                               "--cache-dir", "../mypy", file, f"{folder.name}/installed/luuid"], text=True, stdout=subprocess.PIPE)
        return mypy.stdout

    def test_use(self):
        self.assertRegex(self.check("""
made: uuid.UUID = luuid.generate("sequential", version=8, node=1)
old: uuid.UUID = luuid.generate_v7(0)
when: datetime | None = luuid.timestamp(str(luuid.near(luuid.in_shard(0, 4), 8)))
ends: list[uuid.UUID] = sorted([luuid.floor(when or 0), luuid.ceiling(0), luuid.from_base32(luuid.to_base32(made))], key=luuid.sort_key)
numbers: list[int | None] = [luuid.shard(made, 4), luuid.ticks(made), luuid.counter(made), luuid.pid(made), luuid.node(made)]
"""), "^Success: ")

    def test_sqlalchemy(self):
        """With the types that SQLAlchemy has from 2.0 on."""
        self.assertRegex(self.check("""
from sqlalchemy import Column, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from luuid.sqlalchemy import Luuid
class Base(DeclarativeBase):
    pass
class Paper(Base):
    __tablename__ = "paper"
    id: Mapped[uuid.UUID] = mapped_column(Luuid, primary_key=True, default=luuid.generate)
def since(session: Session, when: datetime) -> list[uuid.UUID]:
    return list(session.scalars(select(Paper.id).where(Paper.id >= when)))
column: Column[uuid.UUID] = Column("id", Luuid())
"""), "^Success: ")

    def test_misuse(self):
        self.assertRegex(self.check('luuid.generate("odd")\nluuid.generate(version=4)\nluuid.timestamp(luuid.generate()).year'),
                         r"^.*:4: error: .*\n.*:5: error: .*\n.*:6: error: .*\nFound 3 errors")


class Adapters(unittest.TestCase):
    """Ids that the mapper's model makes, in a luuid column."""

    def test_asynchronous_psycopg(self):
        async def read():
            async with await psycopg.AsyncConnection.connect() as connection:
                await register_luuid_async(connection)
                return await (await connection.execute("SELECT luuid_generate(), ARRAY[luuid_generate()]")).fetchone()

        id, ids = asyncio.run(read())
        self.assertEqual({type(id), *map(type, ids)}, {uuid.UUID})

    def test_sqlmodel(self):
        try:
            from sqlmodel import Column, Field, Session, SQLModel, create_engine, select
        except ImportError:
            self.skipTest("there is no SQLModel here")
        from luuid.sqlalchemy import Luuid

        class Card(SQLModel, table=True):
            id: uuid.UUID = Field(default_factory=luuid.generate, sa_column=Column(Luuid, primary_key=True))

        engine = create_engine("postgresql+psycopg2://")
        self.addCleanup(engine.dispose)
        SQLModel.metadata.create_all(engine)
        with Session(engine) as session:
            cards = [Card() for _ in range(10)]
            made = [card.id for card in cards]
            session.add_all(cards)
            session.commit()
            found = session.exec(select(Card.id).where(Card.id >= luuid.timestamp(made[0])).order_by(Card.id)).all()
            self.assertEqual(found, made)
            self.assertEqual(session.connection().exec_driver_sql("SELECT pg_typeof(id)::text FROM card LIMIT 1").scalar(), "luuid")


if __name__ == "__main__":
    unittest.main()
