"""SQLAlchemy over psycopg2: a model whose key is a luuid, and a model that keeps uuid."""
import asyncio
import contextlib
import subprocess
import unittest
import unittest.mock
from pathlib import Path
from uuid import UUID

import sqlalchemy
from sqlalchemy import Column, DateTime, Index, MetaData, Table, Text, column, create_engine, event
from sqlalchemy import func, literal, literal_column, select, text, update
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import DBAPIError, InvalidRequestError, NoSuchModuleError, SAWarning
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.orm import Session, declarative_base
from sqlalchemy.schema import CreateTable
from sqlalchemy.types import NullType

from contract import IDS, TIMES, Contract, UuidColumn, psql
from luuid.psycopg2 import register_luuid
from luuid.sqlalchemy import Luuid as LuuidType

try:
    from alembic import command
    from alembic.config import Config
except ImportError:
    command = None

ENGINE = create_engine("postgresql+psycopg2://")
Base = declarative_base()


class Event(Base):
    __tablename__ = "event"
    id = Column(LuuidType, primary_key=True, server_default=func.luuid_generate_v7())
    what = Column(Text, nullable=False, server_default="")


class Models(Contract):
    def setUp(self):
        super().setUp()
        self.session = Session(ENGINE)
        self.addCleanup(self.session.close)

    def chronological(self, *conditions):
        return self.session.scalars(select(self.model.id).where(*conditions).order_by(text(self.order))).all()

    def insert(self, ids):
        self.session.add_all([self.model(id=id) for id in ids])
        self.session.commit()

    def generate(self):
        made = self.model()
        self.session.add(made)
        self.session.commit()
        return made.id

    def find(self, id):
        found = self.session.get(self.model, id)
        return [found.id] if found else []

    def among(self, ids):
        return self.chronological(self.model.id.in_(ids))

    def ordered(self):
        return self.chronological()

    def send_text(self, text):
        self.find(text)

    def sqlstate(self, error):
        self.session.rollback()
        return error.orig.pgcode

    def test_a_batch_of_server_ids_comes_back(self):
        made = [self.model() for _ in range(10)]
        self.session.add_all(made)
        self.session.commit()
        self.assertEqual({type(model.id) for model in made}, {UUID})
        self.assertEqual(set(self.ordered()), {model.id for model in made})


class Luuid(Models, unittest.TestCase):
    model = Event
    order = "id"

    @classmethod
    def setUpClass(cls):
        psql("DROP TABLE event")
        Base.metadata.create_all(ENGINE)

    def since(self, time):
        return self.chronological(self.model.id >= time)

    def test_a_session_knows_what_an_update_by_time_met(self):
        self.insert(self.ids)
        rows = self.session.scalars(select(Event)).all()
        for condition, met in {Event.id < TIMES[4]: TIMES.index(TIMES[4]), Event.id <= self.ids[6]: 7}.items():
            self.session.execute(update(Event).where(condition).values(what=str(met)), execution_options={"synchronize_session": "fetch"})
            if sqlalchemy.__version__ >= "2":  # whose default is to ask if Python does not tell
                self.session.execute(update(Event).where(condition).values(what=str(met)))
            self.assertEqual({row.id for row in rows if row.what == str(met)}, set(self.ids[:met]))
            with self.assertRaisesRegex(InvalidRequestError, "Could not evaluate current criteria in Python"):
                self.session.execute(update(Event).where(condition).values(what=""), execution_options={"synchronize_session": "evaluate"})
        self.assertEqual(Event.id.type.python_type, UUID)

    def test_the_table_is_as_the_model_says(self):
        self.assertEqual(psql("SELECT data_type, udt_name, column_default FROM information_schema.columns"
                              " WHERE table_name = 'event' AND column_name = 'id'"),
                         ["luuid|luuid|luuid_generate_v7()"])


class Arrays(unittest.TestCase):
    def test_arrays_come_back(self):
        engine = create_engine("postgresql+psycopg2://")
        self.addCleanup(engine.dispose)
        event.listen(engine, "checkout", lambda connection, *_: register_luuid(connection))
        trees = Table("tree", MetaData(), Column("id", LuuidType, primary_key=True), Column("parents", postgresql.ARRAY(LuuidType)))
        trees.create(engine)
        with engine.begin() as connection:
            connection.execute(trees.insert(), [{"id": IDS[1], "parents": IDS[2:5]}, {"id": IDS[2], "parents": None}])
            self.assertEqual(connection.execute(select(trees.c.parents).order_by(trees.c.id)).scalars().all(), [IDS[2:5], None])
            found = select(trees.c.id).where(trees.c.parents.contains([IDS[3]]))
            self.assertEqual(connection.execute(found).scalars().all(), [IDS[1]])


class LaterExtensions(unittest.TestCase):
    """Arrays of a pool's ten connections that are older than the extension, and older than another one."""

    TREES = Table("tree", MetaData(), Column("id", LuuidType), Column("parents", postgresql.ARRAY(LuuidType)))

    def check(self, run, run_at_once):
        for extension in "CREATE EXTENSION luuid", "DROP EXTENSION luuid CASCADE; CREATE EXTENSION luuid":
            run_at_once(10, select(1))
            run(*map(text, [*extension.split("; "), "DROP TABLE IF EXISTS tree"]))
            run(CreateTable(self.TREES), self.TREES.insert().values(id=IDS[1], parents=IDS[2:5]))
            query = select(func.array_agg(self.TREES.c.id), self.TREES.c.parents).group_by(self.TREES.c.parents)
            self.assertEqual([tuple(row) for row in run_at_once(10, query)], [([IDS[1]], IDS[2:5])] * 10)

    def database(self):
        psql(f"CREATE DATABASE later_{self._testMethodName} TEMPLATE template0")
        return f"later_{self._testMethodName}"

    def check_driver(self, driver, register):
        engine = create_engine(f"postgresql+{driver}:///{self.database()}", pool_size=10)
        self.addCleanup(engine.dispose)
        event.listen(engine, "checkout", lambda connection, *_: register(connection))

        def run(*statements):
            with engine.begin() as connection:
                for statement in statements:
                    connection.execute(statement)

        def run_at_once(count, query):
            with contextlib.ExitStack() as stack:
                connections = [stack.enter_context(engine.connect()) for _ in range(count)]
                return [connection.execute(query).one() for connection in connections]

        self.check(run, run_at_once)

    def test_psycopg2(self):
        self.check_driver("psycopg2", register_luuid)

    @unittest.skipUnless(sqlalchemy.__version__ >= "2", "SQLAlchemy has psycopg 3 from 2.0 on")
    def test_psycopg(self):
        from luuid import psycopg
        self.check_driver("psycopg", psycopg.register_luuid)


class UuidOfTheDialect(unittest.TestCase):
    """On a luuid column the dialect's type takes a UUID, and gives the text."""

    def test_results_are_text(self):
        id = column("id", postgresql.UUID(as_uuid=True))
        with ENGINE.connect() as connection:
            found = connection.execute(select(id).select_from(text("(VALUES (luuid_floor('epoch'::timestamptz))) AS v (id)"))
                                       .where(id != UUID(int=0))).scalar()
        self.assertIsInstance(found, str)


class Reflection(unittest.TestCase):
    def test_a_reflected_table_has_its_types(self):
        psql("CREATE TABLE reflected (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), parents luuid[])")
        reflected = Table("reflected", MetaData(), autoload_with=ENGINE)
        self.assertIsInstance(reflected.c.id.type, LuuidType)
        self.assertIsInstance(reflected.c.parents.type.item_type, LuuidType)
        self.assertRegex(str(CreateTable(reflected).compile(ENGINE)),
                         r"id luuid DEFAULT luuid_generate_v7\(\) NOT NULL,\s+parents luuid\[\]")

    def test_untold_it_has_none(self):
        with unittest.mock.patch.dict(postgresql.base.ischema_names):
            del postgresql.base.ischema_names["luuid"]
            with self.assertWarnsRegex(SAWarning, "Did not recognize type 'luuid'"):
                reflected = Table("event", MetaData(), autoload_with=ENGINE)
        self.assertIsInstance(reflected.c.id.type, NullType)


class Literals(unittest.TestCase):
    def test_literals_are_found(self):
        psql(f"TRUNCATE event CASCADE; INSERT INTO event VALUES ('{IDS[0]}'), ('{IDS[1]}')")
        found = select(Event.id).where(Event.id.in_(IDS[:2])).compile(ENGINE, compile_kwargs={"literal_binds": True})
        self.assertEqual(sorted(psql(str(found))), sorted(map(str, IDS[:2])))


class UuidModel(UuidColumn, Models, unittest.TestCase):
    class model(declarative_base()):
        __tablename__ = "legacy"
        id = Column(postgresql.UUID(as_uuid=True), primary_key=True, server_default=text("luuid_generate_v7()"))
        what = Column(Text, server_default="")

    def since(self, time):
        return self.chronological(self.model.id >= literal(time, DateTime(timezone=True)))


class Drivers(unittest.TestCase):
    """Comparisons with times through each driver that SQLAlchemy has here."""

    def check(self, rows):
        psql("TRUNCATE event CASCADE")
        psql(f"INSERT INTO event SELECT unnest('{{{','.join(map(str, IDS))}}}'::luuid[])")
        first, second = list(filter(None, TIMES))[2:4]
        for condition, sql in {
                Event.id >= first: f"id >= '{first}'", Event.id < second: f"id < '{second}'",
                Event.id.between(first, second): f"id BETWEEN '{first}' AND '{second}'::timestamptz",
                Event.id >= first.date(): f"id >= '{first.date()}'", Event.id >= IDS[5]: f"id >= '{IDS[5]}'",
                Event.id == IDS[5]: f"id = '{IDS[5]}'"}.items():
            sql = sql.replace("+00:00'", "+00:00'::timestamptz") if "timestamptz" not in sql else sql.replace("' AND", "'::timestamptz AND")
            sql = sql.replace(f"{first.date()}'", f"{first.date()}'::date")
            self.assertEqual(sorted(map(str, rows(select(Event.id).where(condition)))), sorted(psql(f"SELECT id FROM event WHERE {sql}")))

        # A date, and a time without a zone, are what they are beside the dialect's own type; asyncpg refuses the latter.
        at = literal_column("event.id::timestamptz", DateTime(timezone=True))

        def since(left, when):
            with contextlib.suppress(DBAPIError):
                return sorted(map(str, rows(select(Event.id).where(left >= when, at.is_not(None)))))

        for when in first.date(), first.replace(tzinfo=None), first:
            self.assertEqual(since(Event.id, when), since(at, when))

    def test_psycopg2(self):
        with Session(ENGINE) as session:
            self.check(lambda query: session.scalars(query).all())

    def test_psycopg(self):
        try:
            engine = create_engine("postgresql+psycopg://")
        except NoSuchModuleError:
            self.skipTest("SQLAlchemy has psycopg 3 from 2.0 on")
        self.addCleanup(engine.dispose)
        with Session(engine) as session:
            self.check(lambda query: session.scalars(query).all())

    def test_asyncpg(self):
        async def rows(query):
            engine = create_async_engine("postgresql+asyncpg://")
            async with engine.connect() as connection:
                found = (await connection.scalars(query)).all()
            await engine.dispose()
            return found

        self.check(lambda query: asyncio.run(rows(query)))


@unittest.skipUnless(command, "there is no Alembic here")
class Alembic(unittest.TestCase):
    def change(self, path, old, new):
        text = Path(path).read_text()
        self.assertIn(old, text)
        Path(path).write_text(text.replace(old, new, 1))

    def revision(self, *indexes):
        """The file that --autogenerate writes."""
        self.config.attributes["model"] = MetaData()
        Table("migrated", self.config.attributes["model"], Column("id", LuuidType, primary_key=True),
              Column("parent", postgresql.UUID, nullable=False), Column("parents", postgresql.ARRAY(LuuidType)), *indexes)
        return Path(command.revision(self.config, autogenerate=True).path)

    def test_migrations(self):
        subprocess.run(["createdb", "migrated"], check=True)
        command.init(Config("alembic.ini"), "migrations")
        self.config = Config("alembic.ini")
        self.config.set_main_option("sqlalchemy.url", "postgresql+psycopg2:///migrated")
        self.change("migrations/env.py", "target_metadata = None", "target_metadata = config.attributes['model']")

        first = self.revision()
        with self.assertRaisesRegex(NameError, "name 'luuid' is not defined"):
            command.upgrade(self.config, "head")
        first.unlink()
        self.change("migrations/script.py.mako", "import sqlalchemy as sa", "import luuid.sqlalchemy\nimport sqlalchemy as sa")

        # SQLAlchemy reads indexes of expressions from 2 on; before, Alembic leaves them to you.
        def by_time():
            return Index("by_time", text("(parent::luuid)"))

        reads = sqlalchemy.__version__ >= "2"
        made = self.revision(by_time())
        self.change(made, "    op.create_table", '    op.execute("CREATE EXTENSION luuid")\n    op.create_table')
        if not reads:
            self.change(made, "    # ### end", "    op.execute('CREATE INDEX by_time ON migrated ((parent::luuid))')\n    # ### end")
        command.upgrade(self.config, "head")
        definition = subprocess.run(["psql", "-XqAtd", "migrated", "-c", "SELECT pg_get_indexdef('by_time'::regclass)"],
                                    check=True, capture_output=True, text=True).stdout
        self.assertIn("((parent)::luuid)", definition)
        self.assertNotIn("op.", self.revision(by_time()).read_text().partition("def upgrade")[2])
        command.upgrade(self.config, "head")
        self.assertEqual("by_time" in self.revision().read_text(), reads)
