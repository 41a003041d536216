"""What an application does with ids, whatever its driver. A suite says how its driver does each step; the tests are here."""
import csv
import os
import subprocess
from datetime import datetime, timedelta
from uuid import UUID

with open(os.environ["LUUID_IDS"], encoding="ascii") as file:
    ROWS = list(csv.reader(file, delimiter="\t"))
# In chronological order, each with its time or None.
IDS = [UUID(id) for id, _ in ROWS]
TIMES = [datetime.fromisoformat(time) if time else None for _, time in ROWS]


def psql(statement):
    """The lines that psql answers: another way to the server than the driver under test."""
    answer = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", statement], check=True, capture_output=True, text=True)
    return answer.stdout.splitlines()


def arrived(file, columns):
    """Ids that a program made, whose fields it reads: a line for each run of it, or each version, with their number, how many differ,
    whether they are in order, of now, and as the server reads them, and on how many of 16 shards."""
    psql("DROP TABLE IF EXISTS arrived; CREATE TABLE arrived (n serial, run int, id luuid, millisecond bigint, shard int, counter bigint, "
         "pid int, base32 text)")
    psql(f"\\copy arrived ({columns}) FROM '{file}' (NULL 'None')")
    return psql("""
        SELECT run, count(*), count(DISTINCT id), bool_and(before IS NULL OR before < id), max(abs(extract(epoch FROM now() - at))) < 600,
            bool_and(luuid_shard(id, 16) = shard AND at = to_timestamp(millisecond / 1000) + millisecond % 1000 * interval '1 ms'
                AND (counter = luuid_extract_counter(id) AND pid = luuid_extract_pid(id) AND base32 = luuid_to_base32(id)) IS NOT false),
            count(DISTINCT shard), count(DISTINCT (luuid_extract_pid(id), luuid_extract_mac(id)))
        FROM (SELECT *, luuid_extract_timestamp(id) AS at, lag(id) OVER (PARTITION BY run ORDER BY n) AS before
            FROM (SELECT n, coalesce(run, luuid_extract_version(id)) AS run, id, millisecond, shard, counter, pid, base32 FROM arrived) AS row
        ) AS row GROUP BY run ORDER BY run""")


class Contract:
    """Mixed into a TestCase that says how to insert ids, generate one, find one, those among some and those since a
    time, list all in order, and send what is no id."""

    table = "event"
    # What the driver makes of an id, and how finely it tells times.
    kind = UUID
    finest = "microseconds"

    def setUp(self):
        psql(f"TRUNCATE {self.table} CASCADE")
        self.ids = [self.kind(str(id)) for id in IDS]

    def test_client_ids_are_stored_and_read_back(self):
        self.insert(sorted(self.ids))
        stored = psql(f"SELECT encode(uuid_send(id::uuid), 'hex') FROM {self.table} ORDER BY id::luuid")
        self.assertEqual(stored, [id.hex for id in IDS])
        self.assertEqual(self.ordered(), self.ids)

    def test_server_ids_come_back_as_made(self):
        made = [self.generate() for _ in range(100)]
        self.assertTrue(all(isinstance(id, self.kind) for id in made))
        self.assertEqual({str(id)[14] for id in made}, {"7"})
        self.assertEqual(self.ordered(), made)

    def test_an_id_finds_its_row(self):
        self.insert(self.ids[1:])
        self.assertEqual([self.find(id) for id in self.ids], [[]] + [[id] for id in self.ids[1:]])

    def test_an_array_finds_its_rows(self):
        self.insert(self.ids[1:])
        self.assertEqual(self.among(self.ids[5::-1]), self.ids[1:6])
        self.assertEqual(self.among([]), [])

    def test_a_time_finds_the_rows_since(self):
        self.insert(self.ids)
        for time in filter(None, TIMES):
            self.assertEqual(self.since(time), self.ids[TIMES.index(time):])
        after_all_times = self.ids[max(place for place, time in enumerate(TIMES) if time) + 1:]
        self.assertEqual(self.since(max(filter(None, TIMES)) + timedelta(**{self.finest: 1})), after_all_times)

    def test_what_is_no_id_is_refused(self):
        with self.assertRaises(Exception) as refused:
            self.send_text("20be0ffc-314a-bd53-7a50-013a65ca76d2x")
        self.assertEqual(self.sqlstate(refused.exception), "22P02")
        self.insert(self.ids)


class SqlContract(Contract):
    """The contract of a driver that takes SQL: rows(statement, parameter) is all that a suite must give."""

    mark = "%s"
    time_mark = "%s"
    list_mark = None
    # What a query selects, and the order of time.
    chosen = order = "id"
    time_index = "event_pkey"

    def generate(self):
        return self.rows(f"INSERT INTO {self.table} DEFAULT VALUES RETURNING {self.chosen}")[0]

    def find(self, id):
        return self.rows(f"SELECT {self.chosen} FROM {self.table} WHERE id = {self.mark}", id)

    def among(self, ids):
        return self.rows(f"SELECT {self.chosen} FROM {self.table} WHERE id = ANY ({self.list_mark or self.mark}) ORDER BY {self.order}", ids)

    def since(self, time):
        return self.rows(f"SELECT {self.chosen} FROM {self.table} WHERE id >= {self.time_mark} ORDER BY {self.order}", time)

    def ordered(self):
        return self.rows(f"SELECT {self.chosen} FROM {self.table} ORDER BY {self.order}")

    def send_text(self, text):
        self.find(text)

    def array(self, ids):
        """What the driver makes of an array of ids."""
        return ids

    def test_arrays_come_back(self):
        self.insert(self.ids)
        self.assertEqual(self.rows(f"SELECT array_agg(id ORDER BY {self.order}) FROM {self.table}"), [self.array(self.ids)])

    def test_null_is_none(self):
        self.assertEqual(self.rows(f"SELECT {self.chosen} FROM (SELECT) AS one LEFT JOIN {self.table} ON true"), [None])

    def test_a_parameter_uses_the_index(self):
        self.rows("SELECT set_config('enable_seqscan', 'off', false)")
        by_id = self.rows(f"EXPLAIN SELECT id FROM {self.table} WHERE id = {self.mark}", self.ids[2])
        self.assertRegex("\n".join(by_id), r"Index Cond: \(id = ")
        by_time = self.rows(f"EXPLAIN SELECT id FROM {self.table} WHERE id >= {self.time_mark}", TIMES[2])
        self.assertRegex("\n".join(by_time), rf"{self.time_index} .*\n *Index Cond: ")


class UuidColumn:
    """Mixed in before a contract: the same with a column that stays uuid."""

    table = "legacy"
    order = "id::luuid"
    time_index = "legacy_by_time"


class Unknown:
    """Mixed in before a contract: the driver does not know the type. Ids are str, an array of them is one str, and a
    list of str must be told that it is one of ids."""

    kind = str

    def array(self, ids):
        return "{" + ",".join(ids) + "}"

    def among(self, ids):
        return self.rows(f"SELECT {self.chosen} FROM {self.table} WHERE id = ANY ({self.mark}::luuid[]) ORDER BY {self.order}", ids)
