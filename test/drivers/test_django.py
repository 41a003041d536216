"""Django: a model whose key is a luuid, made by the server from Django 5 on and by the application before, in queries by time,
migrations, fixtures, the admin and Django REST Framework; and a model that keeps uuid."""
import io
import json
import os
import pickle
import unittest
import warnings
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from uuid import UUID

import django
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import ProgrammingError, connection, connections, models
from django.db.migrations.state import ProjectState
from django.db.models.functions import Cast, Now
from django.test import override_settings

from contract import IDS, TIMES, Contract, UuidColumn, psql

BY_SERVER = django.VERSION >= (5,)
KEY = 'db_default=Func(function="luuid_generate_v7")' if BY_SERVER else "default=luuid.generate_v7"
FIRST = "datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)"
Path("shop").mkdir()
Path("shop/models.py").write_text(f"""
from django.db import models
from django.db.models import Func
import luuid
from luuid.django import LuuidField
import datetime

class Event(models.Model):
    id = LuuidField(primary_key=True, {KEY})
    what = models.TextField(default="")

class Note(models.Model):
    id = LuuidField(primary_key=True, {KEY})
    event = models.ForeignKey(Event, models.CASCADE, related_name="notes")
    text = models.TextField()

class Payment(models.Model):
    id = LuuidField(primary_key=True, default=luuid.generate)
    event = models.ForeignKey(Event, models.CASCADE)

    class Meta:
        constraints = [models.CheckConstraint(name="late", {"condition" if django.VERSION >= (5, 1) else "check"}=models.Q(id__gte={FIRST}))]
""")
Path("urls.py").write_text("""
from django.contrib import admin
from django.urls import path
from shop.models import Event, Payment
admin.site.register([Event, Payment])
urlpatterns = [path("admin/", admin.site.urls)]
""")
settings.configure(
    INSTALLED_APPS=[f"django.contrib.{app}" for app in ("admin", "auth", "contenttypes", "sessions", "messages")] +
                   ["luuid.django.LuuidConfig", "shop"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware"],
    TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True, "OPTIONS": {"context_processors": [
        f"django.{place}" for place in ("template.context_processors.request", "contrib.auth.context_processors.auth",
                                        "contrib.messages.context_processors.messages")]}}],
    ROOT_URLCONF="urls", SECRET_KEY="any", ALLOWED_HOSTS=["*"], DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={alias: {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"] + suffix} | {
        name: os.environ.get(f"PG{name}") for name in ("USER", "PASSWORD", "HOST", "PORT")}
               for alias, suffix in (("default", ""), ("fresh", "_fresh"))},
    USE_TZ=True, TIME_ZONE="America/Phoenix")  # without summer time
django.setup()
import luuid  # noqa: E402
from luuid.django import Floor, LuuidExtension, LuuidField  # noqa: E402
from shop.models import Event, Note, Payment  # noqa: E402


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
        if not BY_SERVER:
            Path("shop/migrations/0002_default.py").write_text("""
from django.db import migrations

class Migration(migrations.Migration):
    dependencies = [("shop", "0001_initial")]
    operations = [migrations.RunSQL("ALTER TABLE shop_event ALTER id SET DEFAULT luuid_generate_v7()", migrations.RunSQL.noop)]
""")
        call_command("migrate", verbosity=0)

    def generate(self):
        return Event.objects.create().id

    def since(self, time):
        return self.chronological(self.model.objects.filter(id__gte=time))

    def test_comparisons_with_a_time_are_the_servers(self):
        self.insert(self.ids)
        for time in filter(None, TIMES):
            for lookup, operator in {"gte": ">=", "gt": ">", "lte": "<=", "lt": "<"}.items():
                found = [str(id) for id in self.chronological(Event.objects.filter(**{f"id__{lookup}": time}))]
                self.assertEqual(found, psql(f"SELECT id FROM shop_event WHERE id {operator} '{time.isoformat()}'::timestamptz ORDER BY id"))
        first, last = list(filter(None, TIMES))[1:3]
        self.assertEqual([str(id) for id in self.chronological(Event.objects.filter(id__range=(first, last)))],
                         psql(f"SELECT id FROM shop_event WHERE id BETWEEN '{first}'::timestamptz AND '{last}'::timestamptz ORDER BY id"))
        self.assertEqual(self.chronological(Event.objects.filter(id__range=(self.ids[2], str(self.ids[4])))), self.ids[2:5])
        some = self.ids[4]
        self.assertEqual(self.chronological(Event.objects.filter(id__gte=some)), self.ids[4:])
        self.assertEqual(self.chronological(Event.objects.filter(id__gte=str(some))), self.ids[4:])
        self.assertEqual(list(Event.objects.filter(id__gte=Floor(Now()))), list(Event.objects.filter(id__gte=datetime.now(timezone.utc))))
        event = Event.objects.create()
        Payment.objects.create(event=event)
        hour = timedelta(hours=1)
        now = datetime.now(timezone.utc)
        self.assertEqual([Payment.objects.filter(event__id__gte=now + step).count() for step in (-hour, hour)], [1, 0])

    def test_no_migration_is_left_to_make(self):
        call_command("makemigrations", "--check", "--dry-run", stdout=io.StringIO())

    def test_fixtures(self):
        events = [Event.objects.create(what=what) for what in ("made", "sold")]
        Payment.objects.create(event=events[1])
        call_command("dumpdata", "shop", output="fixture.json", verbosity=0)
        self.assertEqual({row["pk"] for row in json.loads(Path("fixture.json").read_text()) if row["model"] == "shop.event"},
                         {str(event.id) for event in events})
        before = psql("SELECT * FROM shop_event JOIN shop_payment ON event_id = shop_event.id")
        psql("TRUNCATE shop_event CASCADE")
        call_command("loaddata", "fixture.json", verbosity=0)
        self.assertEqual(psql("SELECT * FROM shop_event JOIN shop_payment ON event_id = shop_event.id"), before)
        self.assertEqual(connection.ops.sequence_reset_sql(no_style(), [Event, Payment]), [])
        call_command("sqlsequencereset", "shop", stdout=io.StringIO())

    def test_the_admin(self):
        from django.contrib.auth.models import User
        from django.test import Client
        client = Client()
        client.force_login(User.objects.get_or_create(username="any", is_staff=True, is_superuser=True)[0])
        answer = client.post("/admin/shop/event/add/", {"what": "made"} if BY_SERVER else {"what": "made", "id": luuid.generate_v7()})
        self.assertEqual(answer.status_code, 302, answer.content)
        event = Event.objects.get(what="made")
        self.assertContains(client.get("/admin/shop/event/"), f"/admin/shop/event/{event.id}/change/")
        self.assertContains(client.get(f"/admin/shop/event/{event.id}/change/"), str(event.id))
        client.post(f"/admin/shop/event/{event.id}/change/", {"what": "sold", "id": event.id})
        self.assertEqual(Event.objects.get(id=event.id).what, "sold")
        self.assertContains(client.get("/admin/shop/payment/add/"), str(event.id))

    def assertContains(self, answer, text):
        self.assertEqual(answer.status_code, 200)
        self.assertIn(text, answer.content.decode())

    def test_the_rest_framework(self):
        try:
            from rest_framework import serializers
            from rest_framework.renderers import JSONRenderer
        except ImportError:
            self.skipTest("there is no Django REST Framework here")

        class Serializer(serializers.ModelSerializer):
            class Meta:
                model = Payment
                fields = "__all__"

        class EventSerializer(serializers.ModelSerializer):
            class Meta:
                model = Event
                fields = "__all__"

        new = EventSerializer(data={"what": "posted"})
        self.assertTrue(new.is_valid(), new.errors)
        self.assertEqual(new.save().id.version, 7)

        payment = Payment.objects.create(event=Event.objects.create())
        self.assertEqual(json.loads(JSONRenderer().render(Serializer(payment).data)), {"id": str(payment.id), "event": str(payment.event_id)})
        read = Serializer(data={"event": str(payment.event_id)})
        self.assertTrue(read.is_valid(), read.errors)
        self.assertEqual(read.save().event, payment.event)
        self.assertFalse(Serializer(data={"event": 7}).is_valid())

    @unittest.skipUnless(BY_SERVER, "this Django has no db_default")
    def test_a_change_from_the_applications_ids_to_the_servers_migrates(self):
        def model(name, **key):
            meta = type("Meta", (), {"app_label": "switch", "db_table": "switched"})
            return type(name, (models.Model,), {"id": LuuidField(primary_key=True, **key), "__module__": __name__, "Meta": meta})

        old, new = model("Old", default=luuid.generate), model("New", db_default=models.Func(function="luuid_generate_v7"))
        with connection.schema_editor() as editor:
            editor.create_model(old)
        with connection.schema_editor() as editor:
            editor.alter_field(old, *(kind._meta.get_field("id") for kind in (old, new)))
        self.assertEqual(new.objects.create().id.version, 7)

    def test_a_batch_comes_back(self):
        """Django 5.2 stores keys of the server's, and does not read them."""
        made = Event.objects.bulk_create([Event() for _ in range(10)])
        self.assertEqual(len(self.ordered()), 10)
        if not BY_SERVER:
            self.assertEqual(self.ordered(), [event.id for event in made])

    def test_validation_takes_ids_alone(self):
        Event(id=self.ids[2], what="sold").full_clean()
        with self.assertRaisesRegex(ValidationError, "is not a valid UUID"):
            Event(id="sold", what="sold").full_clean()

    def test_constraints_compare_as_the_server_does(self):
        event = Event.objects.create()
        for _ in range(30):  # of which half are less than that, to uuid
            payment = Payment(event=event)
            payment.full_clean()
            payment.save()

    def test_a_time_without_a_zone_is_one_of_the_default_zone_as_a_datetime_fields(self):
        class Moment(models.Model):
            at = models.DateTimeField()

            class Meta:
                app_label = "moments"

        with connection.schema_editor() as editor:
            editor.create_model(Moment)
        here = timezone(timedelta(hours=-7))  # of TIME_ZONE in November
        for at in datetime(2026, 11, 2, 3, 4, tzinfo=here), datetime(2026, 11, 2, tzinfo=here), datetime(2026, 11, 1, 23, 59, tzinfo=here):
            Moment.objects.create(at=at)
            Event.objects.create(id=luuid.generate_v7(at), what=str(at.timestamp()))
        for when in date(2026, 11, 2), datetime(2026, 11, 2, 3, 4), datetime(2026, 11, 2, 3, 4, tzinfo=timezone.utc):
            for lookup, value in ("gte", when), ("gt", when), ("lte", when), ("lt", when), ("range", (when, datetime(2026, 11, 2, 3, 4))):
                found = []
                for manager, field in (Moment.objects, "at"), (Event.objects, "id"):
                    with warnings.catch_warnings(record=True) as warned:
                        warnings.simplefilter("always")
                        rows = manager.filter(**{f"{field}__{lookup}": value})
                        times = sorted(row.at.timestamp() if field == "at" else float(row.what) for row in rows)
                    found.append((times, {warning.category for warning in warned}))
                self.assertEqual(found[1], found[0], (lookup, value))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(*(sorted(Event.objects.filter(id__gte=since).values_list("id")) for since in (when, Floor(when))))
        with override_settings(USE_TZ=False), warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertEqual(Event.objects.filter(id__gt=date(2026, 11, 2)).count(), 1)
        with self.assertRaisesRegex(TypeError, "a datetime with a time zone"):
            luuid.floor(datetime(2026, 11, 2))
        for condition in {"event__gte": datetime.now(timezone.utc)}, {"event": datetime.now(timezone.utc)}:
            with self.assertRaisesRegex(ValidationError, "is not a valid UUID"):
                Payment.objects.filter(**condition)

    @unittest.skipUnless(BY_SERVER, "this Django has no db_default")
    def test_the_servers_key_is_left_out_of_forms(self):
        from django.forms import inlineformset_factory, modelform_factory
        self.assertEqual(list(modelform_factory(Event, fields="__all__").base_fields), ["what"])
        self.assertTrue(modelform_factory(Event, fields="__all__")({"what": "made"}).is_valid())
        event, new = Event.objects.get_or_create(what="got")
        self.assertEqual((event.id.version, new, Event.objects.get_or_create(what="got")), (7, True, (event, False)))

        formset = inlineformset_factory(Event, Note, fields="__all__", extra=1)
        data = {"notes-TOTAL_FORMS": "2", "notes-INITIAL_FORMS": "0", "notes-0-text": "one", "notes-1-text": "two"}
        made = formset(data, instance=event)
        self.assertTrue(made.is_valid(), made.errors)
        one, _ = made.save()
        self.assertEqual(one.id.version, 7)
        shown = formset(instance=event)
        data = {"notes-TOTAL_FORMS": "2", "notes-INITIAL_FORMS": "2"}
        for number, form in enumerate(shown.initial_forms):
            data |= {f"notes-{number}-id": str(form.instance.pk), f"notes-{number}-text": form.instance.text + "!"}
        self.assertNotIn("notes-0-what", str(shown))
        changed = formset(data, instance=event)
        self.assertTrue(changed.is_valid(), changed.errors)
        changed.save()
        self.assertEqual(sorted(event.notes.values_list("text", flat=True)), ["one!", "two!"])

    @unittest.skipUnless(BY_SERVER, "this Django has no db_default")
    def test_whether_it_is_editable_is_kept(self):
        key = {"primary_key": True, "db_default": models.Func(function="luuid_generate_v7")}
        for options, editable in ((key, False), (key | {"editable": True}, True), (key | {"editable": False}, False), ({"primary_key": True}, True)):
            field = LuuidField(**options)
            self.assertEqual([field.editable, field.clone().editable, field.clone().clone().deconstruct()[3]],
                             [editable, editable, field.deconstruct()[3]])

    def test_queries_are_pickled(self):
        now = datetime.now(timezone.utc)
        for condition in {"id__gte": now}, {"id__gt": now}, {"id__lte": now}, {"id__lt": now}, {"id__range": (now, now)}:
            query = Event.objects.filter(**condition).query
            self.assertEqual(str(pickle.loads(pickle.dumps(query))), str(query))

    def test_a_fresh_database_needs_the_extension_first(self):
        psql('CREATE DATABASE test_django_fresh TEMPLATE template1')
        self.addCleanup(connections["fresh"].close)
        with self.assertRaisesRegex(ProgrammingError, 'type "luuid" does not exist'):
            call_command("migrate", database="fresh", verbosity=0)
        with connections["fresh"].schema_editor() as editor:
            LuuidExtension().database_forwards("shop", editor, ProjectState(), ProjectState())
        call_command("migrate", database="fresh", verbosity=0)
        self.assertIsInstance(Event.objects.using("fresh").create().id, UUID)

    def test_a_foreign_key_holds_it(self):
        event = Event.objects.create(what="sold")
        Payment.objects.create(event=event)
        self.assertEqual(Payment.objects.get(event__what="sold").event_id, event.id)
        self.assertEqual(Event.objects.get(payment__event=event), event)

    def test_the_table_is_as_the_model_says(self):
        self.assertEqual(psql("SELECT table_name, column_name, udt_name, column_default FROM information_schema.columns"
                              " WHERE udt_name = 'luuid' AND table_name LIKE 'shop%' ORDER BY 1, 2"),
                         ["shop_event|id|luuid|luuid_generate_v7()", "shop_note|event_id|luuid|",
                          f"shop_note|id|luuid|{'luuid_generate_v7()' if BY_SERVER else ''}", "shop_payment|event_id|luuid|",
                          "shop_payment|id|luuid|"])


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


class IndexByTime(unittest.TestCase):
    def test_it_is_made(self):
        with connection.schema_editor() as editor:
            editor.add_index(LegacyEvent, models.Index(Cast("id", LuuidField()), name="by_cast"))
        self.assertEqual(psql("SELECT pg_get_indexdef('by_cast'::regclass)"), ["CREATE INDEX by_cast ON public.legacy USING btree (((id)::luuid))"])


if BY_SERVER:
    class LegacyEventFromServer(models.Model):
        id = models.UUIDField(primary_key=True, db_default=models.Func(function="luuid_generate_v7"))
        what = models.TextField(default="")

        class Meta:
            app_label = "legacy"
            db_table = "legacy"

    class UuidFromServerModel(UuidModel):
        model = LegacyEventFromServer

        def generate(self):
            return self.model.objects.create().id
