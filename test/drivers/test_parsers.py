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


def taken(take, id):
    try:
        take(id)
        return True
    except ValueError:
        return False


class Parsers(unittest.TestCase):
    def test_every_parser_is_in_the_table(self):
        self.assertEqual(set(TABLE), set(TAKE))

    def test_ids_of_each_version(self):
        generate = {"b": "luuid_generate()", "8": "luuid_generate()", "7": "luuid_generate_v7()"}
        for place, version in enumerate(generate):
            setting = "SET luuid.version = 8;" if version == "8" else ""
            ids = psql(f"{setting} SELECT {generate[version]} FROM generate_series(1, 500)")
            self.assertEqual([id[14] for id in ids], [version] * 500)
            for name, take in TAKE.items():
                self.assertEqual({taken(take, id) for id in ids}, {TABLE[name].split(" | ")[place] == "yes"}, name)
