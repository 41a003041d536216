"""The ids that can be computed again: the cookbook's functions in SQL, Python and JavaScript compute the same."""
import json
import subprocess
import unittest
from pathlib import Path

from computed import computed_id
from contract import psql

SECTION = Path("../../../doc/cookbook/tables.md").read_text(encoding="utf-8").split("## Ids that can be computed again")[1]
SQL = SECTION.split("```sql\n")[1].split("```")[0]
NAMES = ["", "shop 7: a-1", "Größe € 𝄞", *map(str, range(200))]
TIMES = [0, 1, 1793520000250, 2**48 - 1]
CASES = [(time, name) for time in TIMES for name in NAMES]


class Computed(unittest.TestCase):
    def test_each_language_computes_the_same(self):
        values = ", ".join(f"({place}, {time}, '{name}')" for place, (time, name) in enumerate(CASES))
        by_sql = psql(f"""{SQL}; SELECT computed_id('1970-01-01Z'::timestamptz + time / 1000.0 * interval '1 s', name)
            FROM (VALUES {values}) AS v (place, time, name) ORDER BY place""")
        script = f"""import {{ computedId }} from "./computed.mjs";
            console.log(JSON.stringify({json.dumps(CASES)}.map((each) => computedId(...each))));"""
        by_node = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, check=True).stdout
        self.assertEqual([str(computed_id(*each)) for each in CASES], by_sql)
        self.assertEqual(json.loads(by_node), by_sql)


if __name__ == "__main__":
    unittest.main()
