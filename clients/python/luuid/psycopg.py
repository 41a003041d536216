"""psycopg 3: returns luuid as uuid.UUID, and knows "luuid" in COPY's set_types(). Register each connection, since the type's OID
differs from database to database."""

from typing import Any

from psycopg.types import TypeInfo
from psycopg.types.uuid import UUIDBinaryDumper, UUIDBinaryLoader, UUIDDumper, UUIDLoader


def register_luuid(connection: Any) -> None:
    """Registers the type with a Connection, if its database has the extension."""
    _register(connection, TypeInfo.fetch(connection, "luuid"))


async def register_luuid_async(connection: Any) -> None:
    """Registers the type with an AsyncConnection, if its database has the extension."""
    _register(connection, await TypeInfo.fetch(connection, "luuid"))


def _register(connection: Any, luuid: Any) -> None:
    if luuid:
        luuid.register(connection)
        for loader in UUIDLoader, UUIDBinaryLoader:
            connection.adapters.register_loader(luuid.oid, loader)
        for dumper in UUIDDumper, UUIDBinaryDumper:  # for the OID alone: a UUID parameter stays a uuid, which columns of both types take
            connection.adapters.register_dumper(None, type("Luuid" + dumper.__name__, (dumper,), {"oid": luuid.oid}))
