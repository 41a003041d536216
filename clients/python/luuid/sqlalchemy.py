"""SQLAlchemy: the column type luuid, which reflection and Alembic's --autogenerate then know."""

from datetime import date, datetime
from operator import ge, gt, le, lt
from typing import Any
from uuid import UUID

from sqlalchemy import Date, DateTime
from sqlalchemy.dialects.postgresql.base import ischema_names
from sqlalchemy.types import UserDefinedType

_SIGNS = {lt: "<", le: "<=", gt: ">", ge: ">="}
_Base: Any = UserDefinedType.Comparator


class _Comparator(_Base):
    """Comparisons that a Session's update() and delete() leave to the server. In Python, UUIDs have another order."""

    def operate(self, op: Any, *other: Any, **options: Any) -> Any:
        return self.op(_SIGNS[op], precedence=5, is_comparison=True)(*other) if op in _SIGNS else super().operate(op, *other, **options)


class Luuid(UserDefinedType[UUID]):
    cache_ok = True
    comparator_factory = _Comparator

    @property
    def python_type(self) -> type[UUID]:
        return UUID

    def get_col_spec(self, **options: Any) -> str:
        return "luuid"

    def bind_processor(self, dialect: Any) -> Any:
        return lambda id: id and str(id)

    def literal_processor(self, dialect: Any) -> Any:  # for Alembic's --sql
        return lambda id: f"'{UUID(str(id))}'"

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        return lambda id: UUID(id) if isinstance(id, str) else id

    def coerce_compared_value(self, op: Any, value: Any) -> Any:  # a time in Event.id >= when
        if isinstance(value, datetime):
            return DateTime(timezone=True)
        return Date() if isinstance(value, date) else self


ischema_names["luuid"] = Luuid  # for reflected columns
