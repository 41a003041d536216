"""Django: a field of type luuid whose ids the application makes, and the least id of a time for filters."""
from typing import Any

from django.db import models

from luuid import generate


class LuuidField(models.UUIDField):
    """As a key: LuuidField(primary_key=True, default=generate)."""

    def db_type(self, connection: Any) -> str:
        return "luuid"

    rel_db_type = cast_db_type = db_type

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.to_python(value)


class Floor(models.Func):
    """filter(id__gte=Floor(when))"""

    function = "luuid_floor"
    output_field = LuuidField()


__all__ = ["Floor", "LuuidField", "generate"]
