"""The cookbook's consumer loop, by psycopg: each row once, though its connection is ended, its handler fails, the server
refuses it, as one that starts does, or is read-only, as a standby is; and writers commit late."""
import os
import subprocess
import threading
import time
import unittest

import psycopg

from follow_psycopg import follow

failures = iter([ValueError])


def handle(connection, rows):
    for id, what in rows:
        if what == "stop":
            raise SystemExit
        connection.execute("INSERT INTO handled VALUES (%s)", [id])
        for failure in failures:
            raise failure


def write(connection, writer):
    for n in range(20):
        connection.execute("INSERT INTO signup (what) VALUES ('written')")
        time.sleep(0.02 * (writer % 3))
        connection.commit()


def wait_until(condition):
    deadline = time.time() + 60
    while not condition():
        if time.time() > deadline:
            raise TimeoutError
        time.sleep(0.01)


def alter_database(what):
    subprocess.run(["psql", "-Xq", "-d", "postgres", "-c", f"ALTER DATABASE test_follow {what}"], check=True)


class Follow(unittest.TestCase):
    def test_each_row_is_handled_once(self):
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE handled (id uuid)",
                        "-f", os.path.abspath("follow.sql")], cwd=os.path.join(os.path.dirname(os.environ["LUUID_IDS"]), "../.."), check=True)
        writers = [threading.Thread(target=write, args=[psycopg.connect(), writer]) for writer in range(6)]
        consumer = threading.Thread(target=follow, args=["mailer", handle], daemon=True)
        for thread in [*writers, consumer]:
            thread.start()
        with psycopg.connect(autocommit=True) as connection:
            def answer(query):
                return connection.execute(query).fetchone()

            counts = "SELECT count(*), count(DISTINCT id) FROM handled"
            wait_until(lambda: answer(counts)[0] > 0)
            end = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'mailer'"
            for refuse, accept, reason in (
                    ("ALLOW_CONNECTIONS false", "ALLOW_CONNECTIONS true", "not currently accepting connections"),
                    ("SET default_transaction_read_only = on", "RESET default_transaction_read_only", "read-only transaction")):
                alter_database(refuse)
                with self.assertLogs() as logs:
                    wait_until(lambda: answer(end)[0] > 0)
                    wait_until(lambda: reason in "".join(logs.output))
                alter_database(accept)
            for thread in writers:
                thread.join()
            wait_until(lambda: answer(counts)[0] >= 120)
            self.assertEqual(answer(counts), (120, 120))
            self.assertRaises(StopIteration, next, failures)
            connection.execute("INSERT INTO signup (what) VALUES ('stop')")
            consumer.join(60)
            self.assertFalse(consumer.is_alive())


if __name__ == "__main__":
    unittest.main()
