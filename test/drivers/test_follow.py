"""The cookbook's consumer loop, by psycopg: each row once, though its connection is ended, its handler fails, the server
refuses it, as one that starts does, or is read-only, as a standby is; and writers commit late. They are in order, without
waiting for those that fail, which are set aside."""
import os
import subprocess
import threading
import time
import unittest

import psycopg

from follow_psycopg import follow

# More than two pages, of which a hundredth always fails.
BACKLOG = """INSERT INTO signup (what)
SELECT CASE WHEN n % 100 = 0 THEN 'always fails' WHEN n IN (1, 1150) THEN 'fails once' ELSE 'written' END
FROM generate_series(1, 1200) AS n"""

tried = set()


def handle(connection, row):
    id, what = row
    if what == "stop":
        raise SystemExit
    connection.execute("INSERT INTO handled (id) VALUES (%s)", [id])
    if what == "always fails" or what == "fails once" and id not in tried:
        tried.add(id)
        raise ValueError(what)


def write(connection, writer):
    for _ in range(20):
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
        root = os.path.join(os.path.dirname(os.environ["LUUID_IDS"]), "../..")
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE handled (n serial, id uuid)",
                        "-f", os.path.abspath("follow.sql"), "-c", BACKLOG], cwd=root, check=True)
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
                    wait_until(lambda reason=reason: reason in "".join(logs.output))
                alter_database(accept)
            for thread in writers:
                thread.join()
            # What fails is tried ten times over a quarter of an hour, if nobody hurries it.
            in_order = "SELECT count(*), array_agg(id ORDER BY n) = array_agg(id ORDER BY id) FROM handled WHERE id NOT IN (SELECT id FROM failed)"
            wait_until(lambda: answer(in_order)[0] >= 1306)
            self.assertEqual(answer(in_order), (1306, True))
            self.assertLess(answer("SELECT max(tries) FROM failed")[0], 10)

            def has_given_up():
                connection.execute("UPDATE failed SET again = now() WHERE again < 'infinity'")
                return answer("SELECT count(*) FROM failed WHERE again = 'infinity'")[0] == 12

            wait_until(has_given_up)
            self.assertEqual(answer(counts), (1308, 1308))
            self.assertEqual(connection.execute("""SELECT tries, what, error, again::text, count(*)::int
                FROM failed JOIN signup USING (id) GROUP BY 1, 2, 3, 4 ORDER BY 1""").fetchall(), [
                    (1, "fails once", "ValueError('fails once')", None, 2),
                    (10, "always fails", "ValueError('always fails')", "infinity", 12)])
            self.assertRaises(psycopg.errors.NoDataFound, answer, "SELECT next_signups('mail')")
            connection.execute("INSERT INTO signup (what) VALUES ('stop')")
            consumer.join(60)
            self.assertFalse(consumer.is_alive())


if __name__ == "__main__":
    unittest.main()
