"""The cookbook's consumer loop, by psycopg: each row once, though its connection is ended, and writers commit late."""
import os
import subprocess
import threading
import time
import unittest

import psycopg

from follow_psycopg import follow


class Stop(Exception):
    pass


def handle(connection, id, what):
    if what == "stop":
        raise Stop
    connection.execute("INSERT INTO handled VALUES (%s)", [id])


def consume():
    try:
        follow("mailer", handle)
    except Stop:
        pass


def write(writer):
    with psycopg.connect() as connection:
        for n in range(20):
            connection.execute("INSERT INTO signup (what) VALUES ('written')")
            time.sleep(0.02 * (writer % 3))
            connection.commit()


class Follow(unittest.TestCase):
    def test_each_row_is_handled_once(self):
        subprocess.run(["psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", "CREATE TABLE handled (id uuid)",
                        "-f", os.path.abspath("follow.sql")], cwd=os.path.join(os.path.dirname(os.environ["LUUID_IDS"]), "../.."), check=True)
        threads = [threading.Thread(target=write, args=[writer]) for writer in range(6)] + [threading.Thread(target=consume, daemon=True)]
        for thread in threads:
            thread.start()
        with psycopg.connect(autocommit=True) as connection:
            counts = "SELECT count(*), count(DISTINCT id) FROM handled"
            while connection.execute(counts).fetchone()[0] == 0:
                time.sleep(0.01)
            ended = connection.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'mailer'")
            self.assertGreater(ended.fetchone()[0], 0)
            for thread in threads[:-1]:
                thread.join()
            deadline = time.time() + 60
            while connection.execute(counts).fetchone()[0] < 120 and time.time() < deadline:
                time.sleep(0.01)
            self.assertEqual(connection.execute(counts).fetchone(), (120, 120))
            connection.execute("INSERT INTO signup (what) VALUES ('stop')")
            threads[-1].join(60)
            self.assertFalse(threads[-1].is_alive())
