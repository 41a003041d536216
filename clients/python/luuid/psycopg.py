"""psycopg 3: results of type luuid as uuid.UUID."""
from typing import Any

from psycopg.types import TypeInfo
from psycopg.types.uuid import UUIDBinaryLoader, UUIDLoader


def register_luuid(connection: Any) -> None:
    """Of this connection: once for each, since the type's OID differs from database to database."""
    luuid = TypeInfo.fetch(connection, "luuid")
    if luuid is None:
        raise LookupError("this database has no extension luuid")
    luuid.register(connection)
    for loader in UUIDLoader, UUIDBinaryLoader:
        connection.adapters.register_loader(luuid.oid, loader)
