#!/bin/bash
# Stands in for the entrypoint of PostgreSQL's image, where no registry is reachable. It does what starts, restarts and stops
# a server. As root it becomes the user postgres; it creates a cluster where PGDATA is empty, for
# a superuser with POSTGRES_PASSWORD or as POSTGRES_HOST_AUTH_METHOD says, and then becomes the server.
set -euo pipefail
[[ ${1-} != -* ]] || set -- postgres "$@"

if [ "$(id -u)" = 0 ]; then
    mkdir -p "$PGDATA"
    chown postgres: "$PGDATA"
    exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256}
    if [ -z "${POSTGRES_PASSWORD-}" ] && [ "$method" != trust ]; then
        echo "Error: Database is uninitialized and superuser password is not specified." >&2
        exit 1
    fi
    initdb --username=postgres --pwfile=<(echo "${POSTGRES_PASSWORD:-none}")
    echo "host all all all $method" >> "$PGDATA/pg_hba.conf"
fi
exec "$@"
