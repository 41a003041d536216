"""Django: a field of type luuid, whose lookups take times too, and luuid_floor() for expressions."""

from datetime import date
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import lookups

from luuid import ceiling, floor


class LuuidField(models.UUIDField):
    """A column of type luuid. As a key it has default=luuid.generate, or from Django 5 on a db_default."""

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


def _bound(value: Any, bound: Any) -> Any:
    return bound(value) if isinstance(value, date) else value


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
    output_field = LuuidField()


__all__ = ["Floor", "LuuidField"]
