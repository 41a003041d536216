"""Sealed ids while their key changes: the cookbook's recipe in SQL, Python, JavaScript and C++ opens what any of the keys sealed."""
import json
import subprocess
import unittest
from pathlib import Path

import luuid
from contract import psql
from opened import private_ids

ROOT = Path("../../..")
SECTION = (ROOT / "doc/cookbook/urls.md").read_text(encoding="utf-8").split("\n## Sealed ids\n")[1].split("\n## ")[0]
RECIPE = SECTION.split("```sql\n")[1].split("```")[0].replace("storefront", "test_sealed_storefront")


class Sealed(unittest.TestCase):
    def test_each_language_opens_by_every_key(self):
        self.addCleanup(psql, "DROP OWNED BY test_sealed_storefront; DROP ROLE test_sealed_storefront")
        psql(RECIPE)
        psql("CREATE TABLE gift (id luuid PRIMARY KEY); INSERT INTO gift SELECT luuid_generate_v7() FROM generate_series(1, 100)")
        ids, by_old = psql("SELECT id FROM gift ORDER BY id"), psql("SELECT public_id(id) FROM gift ORDER BY id")
        psql("INSERT INTO sealing.key (key) VALUES (gen_random_bytes(16))")
        by_new = psql("SELECT public_id(id) FROM gift ORDER BY id")
        keys = [bytes.fromhex(key) for key in psql("SELECT encode(key, 'hex') FROM sealing.key ORDER BY number DESC")]
        self.assertEqual([str(luuid.seal(id, keys[0])) for id in ids], by_new)
        self.assertFalse(set(by_old) & set(by_new))

        public = by_old + by_new
        opened = [[str(id) for id in private_ids(each, keys)] for each in public]
        self.assertEqual([luuid.UUID(id) in private_ids(each, keys) for id, each in zip(ids * 2, public)], [True] * 200)
        self.assertEqual(sum(id in ids for each in opened for id in each), 200)  # the other key's are of no row
        values = ", ".join(f"({place}, '{each}'::uuid)" for place, each in enumerate(public))
        by_sql = psql(f"""SELECT array_to_json(ARRAY(SELECT unnest(private_ids(id)) ORDER BY 1))
            FROM (VALUES {values}) AS v (place, id) ORDER BY place""")
        self.assertEqual([sorted(json.loads(each)) for each in by_sql], [sorted(each) for each in opened])

        as_text = json.dumps([key.hex() for key in keys])
        script = f"""import {{ privateIds }} from "./opened.mjs";
            const keys = {as_text}.map((key) => Buffer.from(key, "hex"));
            console.log(JSON.stringify({json.dumps(public)}.map((each) => privateIds(each, keys))));"""
        by_node = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, check=True).stdout
        self.assertEqual(json.loads(by_node), opened)

        Path("opened.cpp").write_text("""#include "opened.hpp"
            #include <luuid/standard.hpp>
            #include <iostream>
            int main() {
                std::vector<luuid::SealKey> keys(2);
                for (luuid::SealKey& key : keys) {
                    unsigned char bytes[luuid::seal_key_size];
                    for (unsigned byte; unsigned char& place : bytes) {
                        std::cin >> std::hex >> byte;
                        place = static_cast<unsigned char>(byte);
                    }
                    key = luuid::load_seal_key(bytes);
                }
                for (std::string text; std::cin >> text; std::cout << '\\n')
                    for (const luuid::Id& id : private_ids(*luuid::parse(text), keys))
                        std::cout << luuid::to_string(id) << ' ';
            }""", encoding="ascii")
        subprocess.run(["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/src", "-o", "opened", "opened.cpp"], check=True)
        words = [f"{byte:02x}" for key in keys for byte in key] + public + ["018f2d9f-9a2a-7def-8c3f-7b1a2c4d5e6f"]
        by_cpp = subprocess.run(["./opened"], input="\n".join(words), capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split() for line in by_cpp.splitlines()], opened + [[]])


if __name__ == "__main__":
    unittest.main()
