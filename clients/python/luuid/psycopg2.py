"""psycopg2: returns luuid as uuid.UUID. Register each connection, since the type's OID differs from database to database."""

from typing import Any

from psycopg2.extensions import TRANSACTION_STATUS_IDLE
from psycopg2.extras import register_uuid


def register_luuid(connection: Any) -> None:
    """Registers the type with a connection, if its database has the extension."""
    was_idle = connection.info.transaction_status == TRANSACTION_STATUS_IDLE
    with connection.cursor() as cursor:
        cursor.execute("SELECT oid, typarray FROM pg_type WHERE oid = to_regtype('luuid')")
        oids = cursor.fetchone()
    if was_idle:
        connection.rollback()
    if oids:
        register_uuid(oids, connection)
