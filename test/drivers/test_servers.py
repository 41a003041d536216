"""The Python client in servers whose workers are forked, most of them after the first id: by Python in Gunicorn, by C in
uWSGI; with threads and without."""
import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import time
import unittest
import uuid
from pathlib import Path

import luuid
from luuid._reading import _INVERSE, _WORD

Path("pages.py").write_text("""
import os
import time
import luuid

luuid.generate("sequential")

def application(environ, start_response):
    made = [luuid.generate(mode, node=0) for mode in ("sequential", "variable") for _ in range(500)]
    start_response("200 OK", [("Content-Type", "text/plain")])
    time.sleep(.05)  # so that others answer too
    return [f"{os.getpid()} {' '.join(map(str, made))}".encode()]
""")


class Servers(unittest.TestCase):
    def check(self, *command):
        with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as free:
            port = free.getsockname()[1]
        server = subprocess.Popen([part.replace("PORT", str(port)) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env=os.environ | {"PYTHONPATH": f"{os.environ['PYTHONPATH']}:."})
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        made = {}
        for _ in range(200):
            connections = [http.client.HTTPConnection("127.0.0.1", port, timeout=10) for _ in range(8)]
            try:
                for connection in connections:
                    connection.request("GET", "/")
                for connection in connections:
                    pid, *ids = connection.getresponse().read().decode().split()
                    made.setdefault(int(pid), []).extend(map(uuid.UUID, ids))
            except ConnectionRefusedError:
                time.sleep(.1)
            if len(made) == 4:
                break
        self.assertEqual(len(made), 4)
        for pid, ids in made.items():
            self.assertEqual({luuid.pid(id) for id in ids}, {pid % 65536})
            self.assertEqual(len(set(ids)), len(ids))
        # Other counters too: the steps of no two are beside each other.
        steps = sorted(luuid.counter(ids[-1]) * _INVERSE & _WORD for ids in made.values())
        self.assertGreater(min(after - before for before, after in zip(steps, steps[1:])), 100)

    def test_uwsgi(self):
        """Forked after the first id, with threads, and with the application loaded in each worker."""
        for options in [], ["--threads", "4"], ["--lazy-apps"], ["--lazy"]:
            with self.subTest(options=options):
                self.check("uwsgi", "--plugin", "python3", "--http-socket", "127.0.0.1:PORT", "--master", "--die-on-term", "--processes", "4",
                           "--wsgi-file", "pages.py", *options)

    @unittest.skipUnless(shutil.which("gunicorn"), "there is no Gunicorn here")
    def test_gunicorn(self):
        for options in ["--preload"], ["--preload", "--threads", "4"], []:
            with self.subTest(options=options):
                self.check("gunicorn", "--workers", "4", "--bind", "127.0.0.1:PORT", *options, "pages")


if __name__ == "__main__":
    unittest.main()
