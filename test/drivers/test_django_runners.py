"""Django's test runner and pytest-django, which connect to an empty database, migrate it, and test on that connection: arrays come back
in a migration and in tests, in both databases, and after the extension was dropped and created again."""
# needs: release
import importlib.util
import os
import subprocess
import sys
import unittest
from pathlib import Path

FILES = {
    "settings.py": """
import os
DATABASES = {alias: {"ENGINE": "django.db.backends.postgresql", "NAME": os.environ["PGDATABASE"] + suffix}
             for alias, suffix in (("default", ""), ("other", "_other"))}
INSTALLED_APPS = ["django.contrib.postgres", "luuid.django.LuuidConfig", "forest"]
SECRET_KEY = "any"
USE_TZ = True
""",
    "forest/models.py": """
from django.contrib.postgres.fields import ArrayField
from django.db import models
from luuid.django import LuuidField
import luuid

class Tree(models.Model):
    id = LuuidField(primary_key=True, default=luuid.generate)
    parents = ArrayField(LuuidField(), default=list)
""",
    "forest/migrations/0001_initial.py": """
from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from luuid.django import LuuidExtension, LuuidField
import luuid

def plant(apps, schema_editor):
    trees = apps.get_model("forest", "Tree").objects.using(schema_editor.connection.alias)
    id = luuid.generate()
    trees.create(id=id, parents=[id])
    assert trees.get().parents == [id]
    trees.all().delete()

class Migration(migrations.Migration):
    initial = True
    operations = [
        LuuidExtension(),
        migrations.CreateModel("Tree", [("id", LuuidField(default=luuid.generate, primary_key=True, serialize=False)),
                                        ("parents", ArrayField(LuuidField(), default=list, size=None))]),
        migrations.RunPython(plant, migrations.RunPython.noop),
    ]
""",
    "forest/tests.py": """
from django.contrib.postgres.aggregates import ArrayAgg
from django.core.management import call_command
from django.db import connections
from django.test import TestCase, TransactionTestCase
from forest.models import Tree
import luuid

class Arrays:
    databases = ["default", "other"]

    def check(self):
        for alias in self.databases:
            trees = Tree.objects.using(alias)
            made = [trees.create(id=id, parents=[id]).id for id in (luuid.generate(), luuid.generate())]
            self.assertEqual([tree.parents for tree in trees.order_by("id")], [[id] for id in made])
            self.assertEqual(trees.aggregate(ids=ArrayAgg("id", ordering="id")), {"ids": made})

class InTransaction(Arrays, TestCase):
    def test_arrays(self):
        self.check()

class OfTransactions(Arrays, TransactionTestCase):
    def test_arrays(self):
        self.check()

    def test_after_another_extension(self):
        for alias in self.databases:
            call_command("migrate", "forest", "zero", database=alias, verbosity=0)
            call_command("migrate", database=alias, verbosity=0)
        self.check()

    def test_in_another_connection(self):
        for alias in self.databases:
            connections[alias].close()
        self.check()
""",
}


class Runners(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for name, text in FILES.items():
            path = Path("project", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for package in "project/forest", "project/forest/migrations":
            Path(package, "__init__.py").touch()

    def run_tests(self, *command):
        environment = os.environ | {"DJANGO_SETTINGS_MODULE": "settings", "PYTHONPATH": f"{os.environ['PYTHONPATH']}{os.pathsep}."}
        done = subprocess.run([sys.executable, "-m", *command], cwd="project", env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_django(self):
        self.assertIn("Ran 4 tests", self.run_tests("django", "test"))

    def test_django_in_parallel(self):
        self.assertIn("Ran 4 tests", self.run_tests("django", "test", "--parallel", "2"))

    @unittest.skipUnless(importlib.util.find_spec("pytest_django"), "there is no pytest-django here")
    def test_pytest_django(self):
        self.assertIn("4 passed", self.run_tests("pytest", "-q", "-p", "no:cacheprovider", "forest/tests.py"))
