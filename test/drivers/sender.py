"""A worker of the outbox for test_follow.mjs by psycopg, as sender.mjs."""
from outbox_psycopg import send_all

tried = set()


def send(id, message):
    if message == "stop":
        raise SystemExit
    if message == "fails once" and id not in tried:
        tried.add(id)
        raise ValueError(message)
    print(message, flush=True)


send_all("sender", send)
