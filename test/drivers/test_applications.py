"""The programs of doc/applications.md: the server reads the same fields in their ids as they do, and has them in the same order. They
read the times of ids of all versions, and sort these, as the server does."""
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

from contract import arrived, psql

ROOT = Path(os.environ["LUUID_IDS"]).parents[2]
PAGE = (ROOT / "doc/applications.md").read_text(encoding="utf-8")
SNIPPETS = dict(re.findall(r"^<!-- (\S+) -->\n```\w+\n(.*?)^```$", PAGE, re.M | re.S))
COUNT = 70_000  # more than a counter makes before it wraps

with open(ROOT / "test/data/vectors.tsv", encoding="utf-8") as file:  # in the server's order
    VECTORS = [line.split("\t")[1:4] for line in file if line.startswith("id\t")]

# Each prints ids of versions b and 7, in turn, with the milliseconds and the shard that it reads in them; or those of the file
# "given", one a line, in order, with the microseconds that it reads.
MAINS = {
    "Luuid.java": f"""class Main {{ public static void main(String[] all) throws Exception {{
        if (all.length > 0) {{
            java.nio.file.Files.lines(java.nio.file.Path.of("given")).map(java.util.UUID::fromString).sorted(Luuid::compare).forEach(id -> {{
                var time = Luuid.timestamp(id);
                System.out.println(id + "\\t" + (time == null ? "" : time.getEpochSecond() * 1000000 + time.getNano() / 1000)); }});
            return; }}
        for (int n = 0; n < {COUNT}; n++) for (var id : new java.util.UUID[] {{Luuid.generate(), Luuid.generateV7()}})
            System.out.println(id + "\\t" + Luuid.timestamp(id).toEpochMilli() + "\\t" + Luuid.shard(id, 16)); }} }}""",
    "luuid.go": f"""package main
        import ("encoding/hex"; "fmt"; "os"; "sort"; "strings")
        func main() {{
        if len(os.Args) > 1 {{
            text, _ := os.ReadFile("given")
            var ids [][16]byte
            for _, line := range strings.Fields(string(text)) {{
                var id [16]byte
                hex.Decode(id[:], []byte(strings.ReplaceAll(line, "-", "")))
                ids = append(ids, id) }}
            sort.Slice(ids, func(a, b int) bool {{ return Less(ids[a], ids[b]) }})
            for _, id := range ids {{
                if Timestamp(id).IsZero() {{ fmt.Printf("%x\\t\\n", id) }} else {{ fmt.Printf("%x\\t%d\\n", id, Timestamp(id).UnixMicro()) }} }}
            return }}
        for n := 0; n < {COUNT}; n++ {{ for _, id := range [][16]byte{{Generate(), GenerateV7()}} {{
            fmt.Printf("%x\\t%d\\t%d\\n", id, Timestamp(id).UnixMilli(), Shard(id, 16)) }} }} }}""",
    "luuid.rb": f"""require "./luuid"
        if ARGV.any?
          File.readlines("given", chomp: true).sort {{ |a, b| Luuid.compare(a, b) }}.each do |id|
            puts [id, Luuid.timestamp(id)&.then {{ |time| (time.to_r * 1_000_000).floor }}].join("\\t")
          end
          exit
        end
        {COUNT}.times do
          [Luuid.generate, Luuid.generate_v7].each {{ |id| puts [id, (Luuid.timestamp(id).to_r * 1000).to_i, Luuid.shard(id, 16)].join("\\t") }}
        end""",
    "Luuid.php": f"""<?php require './Luuid.php';
        if ($argc > 1) {{
            $ids = file('given', FILE_IGNORE_NEW_LINES);
            usort($ids, 'Luuid::compare');
            foreach ($ids as $id) {{
                $time = Luuid::timestamp($id);
                echo $id, "\\t", $time ? $time->format('U') * 1000000 + $time->format('u') : '', "\\n"; }}
            exit;
        }}
        for ($n = 0; $n < {COUNT}; $n++) foreach ([Luuid::generate(), Luuid::generateV7()] as $id) {{
            echo implode("\\t", [$id, Luuid::timestamp($id)->format('Uv'), Luuid::shard($id, 16)]), "\\n"; }}""",
    "luuid.rs": f"""mod luuid;
        fn main() {{
        if std::env::args().count() > 1 {{
            let text = std::fs::read_to_string("given").unwrap();
            let mut ids: Vec<u128> = text.lines().map(|line| u128::from_str_radix(&line.replace('-', ""), 16).unwrap()).collect();
            ids.sort_by(luuid::compare);
            for id in ids {{
                let micros = luuid::timestamp(id).map(|time| match time.duration_since(std::time::UNIX_EPOCH) {{
                    Ok(since) => since.as_micros() as i64,
                    Err(before) => -(((before.duration().as_nanos() + 999) / 1000) as i64),
                }});
                println!("{{:032x}}\\t{{}}", id, micros.map_or(String::new(), |micros| micros.to_string()));
            }}
            return;
        }}
        for _ in 0..{COUNT} {{ for id in [luuid::generate(), luuid::generate_v7()] {{
            let time = luuid::timestamp(id).unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
            println!("{{:032x}}\\t{{}}\\t{{}}", id, time.as_millis(), luuid::shard(id, 16)); }} }} }}""",
    "Luuid.cs": f"""using System; using System.Collections.Generic; using System.IO;
        class Program {{ static void Main(string[] all) {{
            if (all.Length > 0) {{
                var ids = new List<Guid>(); foreach (var line in File.ReadLines("given")) ids.Add(new Guid(line));
                ids.Sort(Luuid.Compare);
                foreach (var id in ids) Console.WriteLine(id + "\\t" + (Luuid.Ticks(id) is long ticks ? Math.Floor(ticks / 10m).ToString() : ""));
                return; }}
            for (var n = 0; n < {COUNT}; n++) foreach (var id in new[] {{ Luuid.Generate(), Luuid.GenerateV7() }})
                Console.WriteLine($"{{id}}\\t{{Luuid.Timestamp(id).Value.ToUnixTimeMilliseconds()}}\\t{{Luuid.Shard(id, 16)}}"); }} }}""",
}
# How each reads the clock, and a reading before 1970.
CLOCKS = {
    "Luuid.java": ("Instant.now()", "Instant.ofEpochSecond(-5)"),
    "luuid.go": ("time.Now()", "time.Unix(-5, 0)"),
    "luuid.rb": ("Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)", "-5_000_000_000"),
    "Luuid.php": ("microtime(true)", "-5.0"),
    "luuid.rs": ("SystemTime::now()", "(UNIX_EPOCH - Duration::from_secs(5))"),
    "Luuid.cs": ("DateTimeOffset.UtcNow.Ticks", "new DateTime(1960, 1, 1).Ticks"),
}
COMMANDS = {
    "Luuid.java": ("Main.java", "javac -Xlint:all -Werror Main.java Luuid.java && java Main"),
    "Luuid.cs": ("Main.cs", "mcs -warnaserror Main.cs Luuid.cs && mono Main.exe"),
    "luuid.go": ("main.go", "GO111MODULE=off GOFLAGS= GOCACHE=$PWD/cache go run main.go luuid.go"),
    "luuid.rb": ("main.rb", "ruby -w main.rb"),
    "Luuid.php": ("main.php", "php main.php"),
    "luuid.rs": ("main.rs", "rustc -O -D warnings main.rs && ./main"),
}


class Applications(unittest.TestCase):
    def test_they_are_short(self):
        for code in re.findall(r"^```\w+#?\n(.*?)^```$", PAGE, re.M | re.S):
            self.assertLessEqual(len(code.splitlines()), 100)

    @unittest.skipUnless(shutil.which("gofmt"), "there is no gofmt here")
    def test_go_is_formatted(self):
        """... with the snippets of doc/drivers.md, which are here too."""
        Path("luuid.go").write_text(SNIPPETS["luuid.go"], encoding="utf-8")
        snippets = ["luuid.go", "luuid_pgx_v4.go", "luuid_pgx_v5.go", "luuid_gorm.go"]
        self.assertEqual(subprocess.run(["gofmt", "-d", *snippets], capture_output=True, text=True, check=True).stdout, "")

    @unittest.skipUnless(shutil.which("rubocop"), "there is no rubocop here")
    def test_ruby_is_linted(self):
        Path("luuid.rb").write_text(SNIPPETS["luuid.rb"], encoding="utf-8")
        Path(".rubocop.yml").write_text("AllCops: { TargetRubyVersion: 3.1, NewCops: enable, SuggestExtensions: false }\n", encoding="utf-8")
        linted = subprocess.run(["rubocop", "--lint", "--cache", "false", "luuid.rb", "luuid_rails.rb"], capture_output=True, text=True)
        self.assertEqual(linted.returncode, 0, linted.stdout + linted.stderr)

    @unittest.skipUnless(shutil.which("ruby"), "there is no ruby here")
    def test_ruby_in_ractors(self):
        Path("ractors.rb").write_text(SNIPPETS["luuid.rb"] + """
            before = Luuid.generate_v7
            ractors = 4.times.map { |n| Ractor.new(n) { |n| 10_000.times.map { n.odd? ? Luuid.generate : Luuid.generate_v7 } } }
            made = ractors.map { |ractor| ractor.respond_to?(:take) ? ractor.take : ractor.value }
            raise unless made.flatten.uniq.size == 40_000 && made.all? { |ids| ids == ids.sort { |a, b| Luuid.compare(a, b) } } && before
        """, encoding="utf-8")
        subprocess.run(["ruby", "-W0", "ractors.rb"], check=True)

    @unittest.skipUnless(shutil.which("php"), "there is no php here")
    def test_php_on_a_web_server(self):
        """Each request starts over: its own ids are in order."""
        folder = Path("applications/web")
        folder.mkdir(parents=True)
        (folder / "Luuid.php").write_text(SNIPPETS["Luuid.php"], encoding="utf-8")
        (folder / "index.php").write_text("""<?php require './Luuid.php';
            for ($n = 0; $n < 100; $n++) echo Luuid::generate(), ' ', Luuid::generateV7(), ' ';""")
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
        self.assertEqual(psql("""
            SELECT count(*), count(DISTINCT id), bool_and(before IS NULL OR before < id), count(DISTINCT luuid_extract_mac(id)) > 1
            FROM (SELECT *, lag(id) OVER (PARTITION BY request, luuid_extract_version(id) ORDER BY n) AS before FROM made) AS row"""),
            ["8000|8000|t|t"])


def check(name):
    def test(self):
        file, command = COMMANDS[name]
        program = re.search(r"(javac|go|ruby|php|rustc|mcs) ", command)[1]
        if not shutil.which(program):
            self.skipTest(f"there is no {program} here")
        folder = Path("applications", name)
        folder.mkdir(parents=True)
        (folder / name).write_text(SNIPPETS[name], encoding="utf-8")
        (folder / file).write_text(MAINS[name], encoding="utf-8")
        made = subprocess.run(command, shell=True, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout
        (folder / "made").write_text(made, encoding="ascii")
        self.assertEqual(
            arrived(folder / "made", "id, millisecond, shard"),
            [f"7|{COUNT}|{COUNT}|t|t|t|1|1", f"11|{COUNT}|{COUNT}|t|t|t|16|1"])
        # The last 62 bits of version 7 are random: each is set in about half of the ids.
        halves = psql("""
            SELECT bool_and(share BETWEEN 0.45 AND 0.55) FROM (
                SELECT avg(get_bit(('x' || encode(uuid_send(id::uuid), 'hex'))::bit(128), place)) AS share
                FROM (SELECT id FROM arrived WHERE luuid_extract_version(id) = 7 LIMIT 4000) AS row, generate_series(66, 127) AS place
                GROUP BY place) AS row""")
        self.assertEqual(halves, ["t"])

        (folder / "given").write_text("".join(f"{id}\n" for id, *_ in sorted(VECTORS)), encoding="ascii")
        read = subprocess.run(f"{command} given", shell=True, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        self.assertEqual([line.replace("-", "", 4) if line[8] == "-" else line for line in read],
                         [f"{id.replace('-', '')}\t{int(ticks) // 10 if ticks else ''}" for id, _, ticks in VECTORS])

        self.assertEqual(SNIPPETS[name].count(CLOCKS[name][0]), 1)
        (folder / name).write_text(SNIPPETS[name].replace(*CLOCKS[name]), encoding="utf-8")
        made = subprocess.run(command, shell=True, cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
        # A millisecond has 4096 ids, or less where the counter wraps.
        self.assertEqual({int(line.split("\t")[1]) for line in made} - set(range(2 * COUNT // 4096 + 3)), set())
    return test


for name in COMMANDS:
    setattr(Applications, f"test_{name.replace('.', '_')}", check(name))
assert COMMANDS.keys() == SNIPPETS.keys()

if __name__ == "__main__":
    unittest.main()
