"""The programs of doc/applications.md: the server reads in their ids what they read themselves, in their order."""
import os
import re
import shutil
import socket
import subprocess
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

from contract import psql

ROOT = Path(os.environ["LUUID_IDS"]).parents[2]
PAGE = (ROOT / "doc/applications.md").read_text(encoding="utf-8")
SNIPPETS = dict(re.findall(r"^<!-- (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.M | re.S))
COUNT = 70_000  # more than a counter makes before it wraps

# Each prints ids with the milliseconds and the shard that it reads in them.
MAINS = {
    "Luuid.java": f"""class Main {{ public static void main(String[] all) {{
        for (int n = 0; n < {COUNT}; n++) {{ var id = Luuid.generate();
            System.out.println(id + "\\t" + Luuid.timestamp(id).toEpochMilli() + "\\t" + Luuid.shard(id, 16)); }} }} }}""",
    "luuid.go": f"""package main
        import "fmt"
        func main() {{ for n := 0; n < {COUNT}; n++ {{ id := Generate()
            fmt.Printf("%x\\t%d\\t%d\\n", id, Timestamp(id).UnixMilli(), Shard(id, 16)) }} }}""",
    "luuid.rb": f"""require "./luuid"
        {COUNT}.times {{ id = Luuid.generate; puts [id, (Luuid.timestamp(id).to_r * 1000).to_i, Luuid.shard(id, 16)].join("\\t") }}""",
    "Luuid.php": f"""<?php require './Luuid.php';
        for ($n = 0; $n < {COUNT}; $n++) {{ $id = Luuid::generate();
            echo implode("\\t", [$id, Luuid::timestamp($id)->format('Uv'), Luuid::shard($id, 16)]), "\\n"; }}""",
    "luuid.rs": f"""mod luuid;
        fn main() {{ for _ in 0..{COUNT} {{ let id = luuid::generate();
            let time = luuid::timestamp(id).duration_since(std::time::UNIX_EPOCH).unwrap();
            println!("{{:032x}}\\t{{}}\\t{{}}", id, time.as_millis(), luuid::shard(id, 16)); }} }}""",
}
COMMANDS = {
    "Luuid.java": ("Main.java", "javac -Xlint:all -Werror Main.java Luuid.java && java Main"),
    "luuid.go": ("main.go", "GO111MODULE=off GOFLAGS= GOCACHE=$PWD/cache go run main.go luuid.go"),
    "luuid.rb": ("main.rb", "ruby -w main.rb"),
    "Luuid.php": ("main.php", "php main.php"),
    "luuid.rs": ("main.rs", "rustc -O -D warnings main.rs && ./main"),
}


class Applications(unittest.TestCase):
    def test_they_are_short(self):
        for code in re.findall(r"^```\w+#?\n(.*?)^```$", PAGE, re.M | re.S):
            self.assertLessEqual(len(code.splitlines()), 25)


    @unittest.skipUnless(shutil.which("php"), "there is no php here")
    def test_php_on_a_web_server(self):
        """Each request starts over: its own ids are in order."""
        folder = Path("applications/web")
        folder.mkdir(parents=True)
        (folder / "Luuid.php").write_text(SNIPPETS["Luuid.php"], encoding="utf-8")
        (folder / "index.php").write_text("<?php require './Luuid.php'; for ($n = 0; $n < 100; $n++) echo Luuid::generate(), ' ';")
        with socket.create_server(("127.0.0.1", 0)) as free:
            place = f"127.0.0.1:{free.getsockname()[1]}"
        server = subprocess.Popen(["php", "-q", "-S", place, "-t", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        answers = []
        while len(answers) < 40:
            try:
                with urllib.request.urlopen(f"http://{place}/") as answer:
                    answers.append(answer.read().decode().split())
            except urllib.error.URLError:
                time.sleep(.05)
        (folder / "made").write_text("".join(f"{request}\t{id}\n" for request, ids in enumerate(answers) for id in ids))
        psql("DROP TABLE IF EXISTS made; CREATE TABLE made (n serial, request int, id luuid)")
        psql(f"\\copy made (request, id) FROM '{folder}/made'")
        self.assertEqual(psql("""SELECT count(*), count(DISTINCT id), bool_and(before IS NULL OR before < id), count(DISTINCT luuid_extract_mac(id)) > 1
            FROM (SELECT *, lag(id) OVER (PARTITION BY request ORDER BY n) AS before FROM made) AS row"""), ["4000|4000|t|t"])


def check(name):
    def test(self):
        file, command = COMMANDS[name]
        program = re.search(r"(javac|go|ruby|php|rustc) ", command)[1]
        if not shutil.which(program):
            self.skipTest(f"there is no {program} here")
        folder = Path("applications", name)
        folder.mkdir(parents=True)
        (folder / name).write_text(SNIPPETS[name], encoding="utf-8")
        (folder / file).write_text(MAINS[name], encoding="utf-8")
        made = subprocess.run(command, shell=True, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        (folder / "made").write_text(made, encoding="ascii")
        psql("DROP TABLE IF EXISTS made; CREATE TABLE made (n serial, id luuid, millisecond bigint, shard int)")
        psql(f"\\copy made (id, millisecond, shard) FROM '{folder}/made'")
        self.assertEqual(psql("""
            SELECT count(*), count(DISTINCT id), bool_and(before IS NULL OR before < id), max(abs(extract(epoch FROM now() - at))) < 600,
                bool_and(luuid_extract_version(id) = 11 AND luuid_shard(id, 16) = shard
                    AND at = to_timestamp(millisecond / 1000) + millisecond % 1000 * interval '1 ms'),
                count(DISTINCT shard), count(DISTINCT (luuid_extract_pid(id), luuid_extract_mac(id)))
            FROM (SELECT *, luuid_extract_timestamp(id) AS at, lag(id) OVER (ORDER BY n) AS before FROM made) AS row"""),
            [f"{COUNT}|{COUNT}|t|t|t|16|1"])
    return test


for name in COMMANDS:
    setattr(Applications, f"test_{name.replace('.', '_')}", check(name))
assert COMMANDS.keys() == SNIPPETS.keys()

if __name__ == "__main__":
    unittest.main()
