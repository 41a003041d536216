"""Which versions of id the parsers of Python and .NET take, as the table of doc/drivers.md says: those that are here."""
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from uuid import UUID

import pydantic

from contract import psql


def of_pydantic(kind):
    model = pydantic.create_model("Event", id=(kind, ...))
    return lambda ids: [accepts(lambda id: model(id=id), id) for id in ids]


def accepts(parse, id):
    try:
        return bool(parse(id))
    except ValueError:
        return False


def dotnet(ids):
    Path("Parse.cs").write_text("""
        using System;
        class Parse { static void Main() { string id; while ((id = Console.ReadLine()) != null) {
            Guid guid; Console.WriteLine(Guid.TryParse(id, out guid) && Guid.Parse(id).ToString() == id); } } }""")
    subprocess.run(["mcs", "Parse.cs"], check=True)
    answer = subprocess.run(["mono", "Parse.exe"], input="\n".join(ids), check=True, capture_output=True, text=True).stdout
    return [line == "True" for line in answer.split()]


PARSERS = {"Python `uuid.UUID`": lambda ids: [accepts(UUID, id) for id in ids]}
if pydantic.VERSION.startswith("2."):
    # Earlier ones have no UUID7 and UUID8.
    kinds = {"UUID": UUID} | {name: getattr(pydantic, name) for name in ("UUID4", "UUID7", "UUID8") if hasattr(pydantic, name)}
    PARSERS |= {f"pydantic 2 `{name}`": of_pydantic(kind) for name, kind in kinds.items()}
else:
    PARSERS["pydantic 1.10 `UUID`"] = of_pydantic(UUID)
if shutil.which("mcs"):
    PARSERS[".NET `Guid.Parse`"] = dotnet
TABLE = dict(re.findall(r"^\| ((?:Python|pydantic|\.NET) .*?) \| (.*) \|$", Path("../../../doc/drivers.md").read_text(encoding="utf-8"), re.M))


class Parsers(unittest.TestCase):
    def test_ids_of_each_version(self):
        made = [psql(f"{query} FROM generate_series(1, 500)") for query in (
            "SELECT luuid_generate()", "SET luuid.version = 8; SELECT luuid_generate()", "SELECT luuid_generate_v7()")]
        self.assertEqual([{id[14] for id in ids} for ids in made], [{"b"}, {"8"}, {"7"}])
        for name, parse in PARSERS.items():
            with self.subTest(name):
                taken = [{True: "yes", False: "no"}[all(answers)] for answers in map(parse, made) if len(set(answers)) == 1]
                self.assertEqual(TABLE[name], " | ".join(taken))
