"""The Python client: its own tests, and the ids of both clients in a server. test_clients.mjs has the JavaScript client's tests."""
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
from contract import arrived  # noqa: E402
from luuid.psycopg import register_luuid_async  # noqa: E402
from test_luuid import Process, Vectors  # noqa: E402, F401

assert luuid.__file__.startswith(folder.name)

COUNT = 25_000
# Each prints the ids of five runs, and the fields that it reads in them.
PROGRAMS = {
    "Python": [sys.executable, "-c", f"""
import luuid
for run, (mode, version) in enumerate([("variable", 8), ("variable", 11), ("sequential", 8), ("sequential", 11), (None, 7)]):
    for _ in range({COUNT}):
        id = luuid.generate(mode, version) if mode else luuid.generate_v7()
        print(run, id, luuid.ticks(id) // 10_000, luuid.shard(id, 16), luuid.counter(id), luuid.pid(id), luuid.to_base32(id), sep="\\t")
"""],
    "JavaScript": ["node", "--input-type=module", "-e", f"""
import {{ counter, generate, generateV7, pid, shard, timestamp, toBase32 }} from "luuid";
for (const [run, settings] of [["variable", 8], ["variable", 11], ["sequential", 8], ["sequential", 11], null].entries()) {{
    const lines = Array.from({{ length: {COUNT} }}, () => {{
        const id = settings ? generate({{ mode: settings[0], version: settings[1] }}) : generateV7();
        return [run, id, timestamp(id).getTime(), shard(id, 16), counter(id) ?? "None", pid(id) ?? "None", toBase32(id)].join("\\t");
    }});
    console.log(lines.join("\\n"));
}}"""],
}


class Arrived(unittest.TestCase):
    """Ids of the clients in a server."""

    def check(self, language):
        if not shutil.which(PROGRAMS[language][0]):
            self.skipTest(f"there is no {language} here")
        with open(f"{folder.name}/made", "w", encoding="ascii") as made:
            subprocess.run(PROGRAMS[language], check=True, stdout=made, env={**os.environ, "PYTHONPATH": f"{folder.name}/installed"})
        lines = [line.rsplit("|", 2) for line in arrived(f"{folder.name}/made", "run, id, millisecond, shard, counter, pid, base32")]
        self.assertEqual([line for line, _, _ in lines], [f"{run}|{COUNT}|{COUNT}|t|t|t" for run in range(5)])
        self.assertEqual([shards for _, shards, _ in lines[:2]], ["16", "16"])

    def test_python(self):
        self.check("Python")

    def test_javascript(self):
        self.check("JavaScript")


@unittest.skipUnless(CAN_BUILD, "setuptools here is older than 77, which knows no license of PEP 639")
class Packages(unittest.TestCase):
    """What people get of the client."""

    @classmethod
    def setUpClass(cls):
        for command in "sdist", "bdist_wheel":
            subprocess.run([sys.executable, "-c", "from setuptools import setup; setup()", "--quiet", command, "--dist-dir", f"{folder.name}/dist"],
                           cwd=f"{folder.name}/source", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

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

    @unittest.skipUnless(shutil.which("twine"), "there is no twine here")
    def test_twine_takes_both(self):
        files = list(Path(folder.name, "dist").iterdir())
        self.assertEqual(sorted(file.suffix for file in files), [".gz", ".whl"])
        said = subprocess.run(["twine", "check", "--strict", *files], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout
        self.assertEqual(said.count("PASSED"), 2, said)

    def test_the_source_tests_itself(self):
        subprocess.run(["tar", "xzf", *Path(folder.name, "dist").glob("*.tar.gz")], cwd=folder.name, check=True)
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
