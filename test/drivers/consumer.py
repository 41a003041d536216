"""A consumer for test_follow.mjs by psycopg, as consumer.mjs."""
from follow_psycopg import follow

tried = set()


def handle(connection, row):
    id, what = row
    if what == "stop":
        raise SystemExit
    connection.execute("INSERT INTO handled (id) VALUES (%s)", [id])
    if what == "always fails" or what == "fails once" and id not in tried:
        tried.add(id)
        raise ValueError(what)
    if what != "fails at commit":
        connection.execute("INSERT INTO finished VALUES (%s)", [id])


follow("mailer", handle)
