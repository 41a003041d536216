"""Django: a field of type luuid that compares with times, and the least id of a time for expressions."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import lookups

from luuid import ceiling, floor


class LuuidField(models.UUIDField):
    """A key is LuuidField(primary_key=True, default=generate), or has a db_default, from Django 5 on."""

    def db_type(self, connection: Any) -> str:
        return "luuid"

    rel_db_type = cast_db_type = db_type

    def get_placeholder(self, value: Any, compiler: Any, connection: Any) -> str:  # or two values compare as uuid does
        return "%s::luuid"

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.to_python(value)

    def to_python(self, value: Any) -> Any:
        if isinstance(value, date):  # on which UUIDField fails
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
        return super().to_python(value)


def _bound(value: Any, bound: Any) -> Any:
    return bound(value) if isinstance(value, date) else value


class _OfTime(lookups.Lookup):
    """filter(id__gte=when): the ids from this time on."""

    rhs: Any

    def get_prep_lookup(self) -> Any:
        self.rhs = _bound(self.rhs, floor if self.lookup_name in ("gte", "lt") else ceiling)
        return super().get_prep_lookup()


# Classes with a name in this module: queries are pickled.
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
    """filter(id__gte=Floor(when)), of an expression, or over a uuid column"""

    function = "luuid_floor"
    output_field = LuuidField()


__all__ = ["Floor", "LuuidField"]
