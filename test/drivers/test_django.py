"""Django: a model whose key is a luuid that the server makes, and one that keeps uuid and is none the wiser."""
import os
import unittest
from datetime import datetime
from pathlib import Path
from uuid import UUID

import django
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import ProgrammingError, connection, connections, models
from django.db.backends.postgresql.base import Database
from django.db.backends.signals import connection_created
from django.db.migrations.state import ProjectState
from django.db.models.functions import Cast

from contract import IDS, Contract, UuidColumn, psql

Path("shop").mkdir()
Path("shop/models.py").write_text("""
from django.db import models
from luuid.django import LuuidAutoField

class Event(models.Model):
    id = LuuidAutoField(primary_key=True)
    what = models.TextField(default="")

class Payment(models.Model):
    id = LuuidAutoField(primary_key=True)
    event = models.ForeignKey(Event, models.CASCADE)
""")
settings.configure(
    INSTALLED_APPS=["shop"],
    DATABASES={alias: {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"] + suffix} | {
        name: os.environ.get(f"PG{name}") for name in ("USER", "PASSWORD", "HOST", "PORT")}
               for alias, suffix in (("default", ""), ("fresh", "_fresh"))},
    USE_TZ=True)
django.setup()
if Database.__name__ == "psycopg":  # which Django takes since 4.2
    from luuid.psycopg import register_luuid
else:
    from luuid.psycopg2 import register_luuid
connection_created.connect(lambda connection, **_: register_luuid(connection.connection), weak=False)
from luuid.django import Floor, LuuidAutoField, LuuidField  # noqa: E402
from shop.models import Event, Payment  # noqa: E402


class Models(Contract):
    order = "id"

    def chronological(self, query):
        return list(query.order_by(self.order).values_list("id", flat=True))

    def insert(self, ids):
        self.model.objects.bulk_create([self.model(id=id) for id in ids])

    def find(self, id):
        return list(self.model.objects.filter(id=id).values_list("id", flat=True))

    def among(self, ids):
        return self.chronological(self.model.objects.filter(id__in=ids))

    def since(self, time):
        return self.chronological(self.model.objects.filter(id__gte=Floor(time)))

    def ordered(self):
        return self.chronological(self.model.objects)

    def send_text(self, text):
        # A field refuses what is no UUID by itself; the server is asked past it.
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id FROM {self.table} WHERE id = %s", [text])

    def sqlstate(self, error):
        refused = error.__cause__  # psycopg 3's, which Django takes since 4.2, or psycopg2's
        return refused.sqlstate if hasattr(refused, "sqlstate") else refused.pgcode


class Luuid(Models, unittest.TestCase):
    model = Event
    table = "shop_event"

    @classmethod
    def setUpClass(cls):
        call_command("makemigrations", "shop", verbosity=0)
        call_command("migrate", verbosity=0)

    def generate(self):
        return Event.objects.create().id

    def test_a_batch_of_server_ids_comes_back(self):
        made = Event.objects.bulk_create([Event() for _ in range(10)])
        self.assertEqual(self.ordered(), [event.id for event in made])

    def test_validation_takes_ids_alone(self):
        Event(id=self.ids[2], what="sold").full_clean()
        with self.assertRaisesRegex(ValidationError, "is not a valid UUID"):
            Event(id="sold", what="sold").full_clean()

    def test_a_time_is_no_id(self):
        with self.assertRaises(TypeError):
            Event.objects.filter(id__gte=datetime.now())

    def test_a_fresh_database_needs_the_extension_first(self):
        psql('CREATE DATABASE test_django_fresh TEMPLATE template1')
        self.addCleanup(connections["fresh"].close)
        with self.assertRaisesRegex(ProgrammingError, 'type "luuid" does not exist'):
            call_command("migrate", database="fresh", verbosity=0)
        with connections["fresh"].schema_editor() as editor:
            CreateExtension("luuid").database_forwards("shop", editor, ProjectState(), ProjectState())
        call_command("migrate", database="fresh", verbosity=0)
        # Where connections are told of the type, it is when they are made.
        connections["fresh"].close()
        self.assertIsInstance(Event.objects.using("fresh").create().id, UUID)

    def test_a_foreign_key_holds_it(self):
        event = Event.objects.create(what="sold")
        Payment.objects.create(event=event)
        self.assertEqual(Payment.objects.get(event__what="sold").event_id, event.id)
        self.assertEqual(Event.objects.get(payment__event=event), event)

    def test_the_table_is_as_the_model_says(self):
        self.assertEqual(psql("SELECT table_name, column_name, udt_name, column_default FROM information_schema.columns"
                              " WHERE udt_name = 'luuid' AND table_name LIKE 'shop%' ORDER BY 1, 2"),
                         ["shop_event|id|luuid|luuid_generate()",
                          "shop_payment|event_id|luuid|", "shop_payment|id|luuid|luuid_generate()"])


class Tree(models.Model):
    id = LuuidField(primary_key=True)
    parents = ArrayField(LuuidField(), null=True)

    class Meta:
        app_label = "trees"


class Arrays(unittest.TestCase):
    def test_arrays_come_back(self):
        with connection.schema_editor() as editor:
            editor.create_model(Tree)
        Tree.objects.bulk_create([Tree(id=IDS[1], parents=IDS[2:5]), Tree(id=IDS[2])])
        self.assertEqual(list(Tree.objects.order_by("id").values_list("parents", flat=True)), [IDS[2:5], None])
        self.assertEqual(Tree.objects.get(parents__contains=[IDS[3]]).id, IDS[1])


class LegacyEvent(models.Model):
    id = models.UUIDField(primary_key=True)
    what = models.TextField(default="")

    class Meta:
        app_label = "legacy"
        db_table = "legacy"


class UuidModel(UuidColumn, Models, unittest.TestCase):
    model = LegacyEvent
    order = Cast("id", LuuidField())

    def generate(self):
        # A default of the server's is no matter of this field.
        return UUID(psql("INSERT INTO legacy DEFAULT VALUES RETURNING id")[0])


class UuidFromServerField(LuuidAutoField):
    def db_type(self, connection):
        return "uuid"


class LegacyEventFromServer(models.Model):
    id = UuidFromServerField(primary_key=True)
    what = models.TextField(default="")

    class Meta:
        app_label = "legacy"
        db_table = "legacy"


class UuidFromServerModel(UuidModel):
    model = LegacyEventFromServer

    def generate(self):
        return self.model.objects.create().id
