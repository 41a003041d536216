"""Django: a field of type luuid, whose lookups take times too, luuid_floor() for expressions, and arrays of ids."""

from datetime import date, datetime
from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.contrib.postgres.operations import CreateExtension
from django.core.exceptions import ValidationError
from django.db import models
from django.db.backends.signals import connection_created
from django.db.models import lookups
from django.utils.timezone import get_default_timezone, is_naive, make_aware

from luuid import ceiling, floor


def _register(connection: Any, **signal: Any) -> None:
    if connection.vendor == "postgresql":
        import_module(f"luuid.{connection.Database.__name__}").register_luuid(connection.connection)  # of psycopg2 or psycopg


class LuuidConfig(AppConfig):
    """In INSTALLED_APPS, it makes each connection return a luuid[] as a list of UUIDs."""

    name, label = "luuid.django", "luuid"

    def ready(self) -> None:
        connection_created.connect(_register)


class LuuidExtension(CreateExtension):
    """The operation that creates the extension, and registers its types with the connection that the migration and a test runner go on with."""

    def __init__(self) -> None:
        self.name = "luuid"

    def database_forwards(self, app_label: Any, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        super().database_forwards(app_label, schema_editor, from_state, to_state)
        _register(schema_editor.connection)


class LuuidField(models.UUIDField):
    """A column of type luuid. As a key it has default=luuid.generate, or from Django 5 on a db_default. A key with a db_default is not
    editable unless you say so: forms, the admin and Django REST Framework leave it to the server, as they do a BigAutoField."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._of_server = bool(options.get("primary_key")) and "db_default" in options
        if self._of_server:
            options.setdefault("editable", False)
        super().__init__(*args, **options)

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, options | ({"editable": self.editable} if self._of_server else {})

    def db_type(self, connection: Any) -> str:
        return "luuid"

    rel_db_type = cast_db_type = db_type

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:  # without it, PostgreSQL would compare two parameters as uuid
        return "%s::luuid"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.to_python(value)

    def to_python(self, value: Any) -> Any:
        if isinstance(value, date):  # UUIDField raises TypeError for it
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
        return super().to_python(value)


def _time(value: date) -> Any:
    """What a DateTimeField makes of it: a date or naive datetime is one of the default time zone, with a warning if USE_TZ is set."""
    when = models.DateTimeField().get_prep_value(value if isinstance(value, datetime) else datetime(value.year, value.month, value.day))
    return make_aware(when, get_default_timezone()) if is_naive(when) else when


def _bound(value: Any, bound: Any) -> Any:
    return bound(_time(value)) if isinstance(value, date) else value


class _OfTime(lookups.Lookup):
    """A comparison that takes a date or datetime too: filter(id__gte=when) finds the ids of that time and later."""

    rhs: Any

    def get_prep_lookup(self) -> Any:
        self.rhs = _bound(self.rhs, floor if self.lookup_name in ("gte", "lt") else ceiling)
        return super().get_prep_lookup()


# Each class has a name in this module, since Django pickles queries.
@LuuidField.register_lookup
class GreaterThan(_OfTime, lookups.GreaterThan):
    pass


@LuuidField.register_lookup
class GreaterThanOrEqual(_OfTime, lookups.GreaterThanOrEqual):
    pass


@LuuidField.register_lookup
class LessThan(_OfTime, lookups.LessThan):
    pass


@LuuidField.register_lookup
class LessThanOrEqual(_OfTime, lookups.LessThanOrEqual):
    pass


@LuuidField.register_lookup
class Range(lookups.Range):
    rhs: Any

    def get_prep_lookup(self) -> Any:
        first, last = self.rhs
        self.rhs = _bound(first, floor), _bound(last, ceiling)
        return super().get_prep_lookup()


class Floor(models.Func):
    """luuid_floor() of an expression, or for a uuid column: filter(id__gte=Floor(when))."""

    function = "luuid_floor"
    output_field: Any = LuuidField()

    def __init__(self, when: Any, **options: Any) -> None:
        super().__init__(_time(when) if isinstance(when, date) else when, **options)


__all__ = ["Floor", "LuuidConfig", "LuuidExtension", "LuuidField"]
