"""Django: a field of type luuid that compares with times, and the least id of a time for expressions."""

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import lookups

from luuid import ceiling, floor


class LuuidField(models.UUIDField):
    """A key is LuuidField(primary_key=True, default=generate), or has a db_default, from Django 5 on."""

    def db_type(self, connection: Any) -> str:
        return "luuid"

    rel_db_type = cast_db_type = db_type

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.to_python(value)


class _OfTime(lookups.Lookup):
    """filter(id__gte=when): the ids from this time on."""

    def get_prep_lookup(self) -> Any:
        bound = floor if self.lookup_name in ("gte", "lt") else ceiling
        return bound(self.rhs) if isinstance(self.rhs, datetime) else super().get_prep_lookup()


for lookup in lookups.GreaterThan, lookups.GreaterThanOrEqual, lookups.LessThan, lookups.LessThanOrEqual:
    LuuidField.register_lookup(type(lookup.__name__, (_OfTime, lookup), {}))


class Floor(models.Func):
    """filter(id__gte=Floor(when)), of an expression, or over a uuid column"""

    function = "luuid_floor"
    output_field = LuuidField()


__all__ = ["Floor", "LuuidField"]
