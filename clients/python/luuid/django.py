"""Django: fields of type luuid, whose ids the application or the server makes, and the least id of a time for filters."""
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


class LuuidAutoField(models.AutoField):
    """A key that the server makes: LuuidAutoField(primary_key=True)."""

    validators: Any = []  # not those of integers
    default_error_messages = models.UUIDField.default_error_messages
    to_python = models.UUIDField.to_python
    from_db_value = LuuidField.from_db_value
    db_type = rel_db_type = cast_db_type = LuuidField.db_type

    def db_type_suffix(self, connection: Any) -> str:
        return "DEFAULT luuid_generate()"

    def get_prep_value(self, value: Any) -> Any:
        return self.to_python(value)


class Floor(models.Func):
    """filter(id__gte=Floor(when))"""

    function = "luuid_floor"
    output_field = LuuidField()


__all__ = ["Floor", "LuuidAutoField", "LuuidField", "generate"]
