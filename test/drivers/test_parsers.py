"""Which versions of id the parsers of Python take, as the table of doc/drivers.md says."""
import re
import unittest
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel

from contract import psql


class Event(BaseModel):
    id: UUID


TAKE = {"Python `uuid.UUID`": UUID, "pydantic 1.10 `UUID`": lambda id: Event(id=id)}
DOCUMENT = Path("../../../doc/drivers.md").read_text(encoding="utf-8")
TABLE = dict(re.findall(r"^\| ((?:Python|pydantic) .*?) \| (.*) \|$", DOCUMENT, re.M))


class Parsers(unittest.TestCase):
    def test_ids_of_each_version(self):
        self.assertEqual(TABLE, dict.fromkeys(TAKE, "yes | yes | yes"))
        for version, query in {"b": "SELECT luuid_generate()", "8": "SET luuid.version = 8; SELECT luuid_generate()",
                               "7": "SELECT luuid_generate_v7()"}.items():
            for id in psql(f"{query} FROM generate_series(1, 500)"):
                self.assertEqual(id[14], version)
                for take in TAKE.values():
                    take(id)
