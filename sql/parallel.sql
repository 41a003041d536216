-- Parallel query: workers give the rows of one process.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE TABLE big AS SELECT id, u, place, at FROM ids, generate_series(1, 4);
ANALYZE big;
CREATE VIEW answered AS SELECT n, is_law, answer(format('SELECT t::text FROM (%s) AS t', source)), plan_says('Gather|Workers', source) AS workers
    FROM asked, replace(query, '#', 'big') AS source;
SET max_parallel_workers_per_gather = 0;
CREATE TABLE alone AS SELECT * FROM answered;
SET max_parallel_workers_per_gather = 2;
SET min_parallel_table_scan_size = 0;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
CREATE TABLE together AS SELECT * FROM answered;
SELECT count(*) AS queries, count(*) FILTER (WHERE together.workers > 0) AS parallel, count(*) FILTER (WHERE alone.workers > 0) AS not_alone,
    count(*) FILTER (WHERE alone.answer IS DISTINCT FROM together.answer) AS wrong,
    string_agg(together.answer, ' ' ORDER BY n) FILTER (WHERE together.is_law) AS laws FROM alone JOIN together USING (n) \gx
-- The plans: partial aggregates are combined, sorted runs are merged in this order, the hash table is shared.
SELECT plan_says('Partial Aggregate', 'SELECT min(id), max(id) FROM big') AS partial,
    plan_says('Gather Merge', 'SELECT * FROM big ORDER BY id') AS merged,
    plan_says('Parallel Hash', 'SELECT count(*) FROM big AS a JOIN big AS b ON a.id = b.u') > 0 AS shared_hash;
-- An index built by several processes gives the same rows.
SET max_parallel_maintenance_workers = 2;
ALTER TABLE big SET (parallel_workers = 2);
CREATE INDEX big_id ON big (id);
CALL plan_without('seqscan', 'bitmapscan');
SELECT plan_says('Parallel Index', 'SELECT count(*) FROM big WHERE id >= timestamptz ''1500-01-01 00:00+00''') AS parallel_index,
    counted('big WHERE id >= @1970-01-02') = 4 * counted('ids WHERE at >= ''1970-01-02'' OR at IS NULL AND place > 1') AS same;
CALL plan_without();
-- Everything runs in one worker, generators too: it has its own generator and process id, and its leader's settings.
SELECT pg_backend_pid() AS leader \gset
SELECT force_parallel('on');
SET parallel_leader_participation = off;
SELECT luuid_extract_pid(luuid_generate()) <> :leader % 65536 AS elsewhere;
SELECT luuid_extract_version(luuid_generate_variable()) AS variable, luuid_extract_version(luuid_generate_sequential()) AS sequential,
    luuid_extract_timestamp(luuid_generate('2026-01-01 00:00:00+00')) = '2026-01-01 00:00:00+00' AS at, (luuid_status()).mode \gx
SET luuid.version = '8';
SET luuid.mode = 'sequential';
SET luuid.node = '1234567';
SELECT luuid_extract_version(luuid_generate()) AS of_version, right(luuid_extract_mac(luuid_generate())::text, 8) AS of_node, mode, version, node FROM luuid_status() \gx
RESET luuid.mode;
SELECT force_parallel('off');
-- Ids generated in two workers at once are distinct, and each worker's increase.
SELECT plan_says('Workers', 'SELECT luuid_generate() FROM big') AS parallel;
SELECT count(*) = count(DISTINCT id) AS distinct, count(*) FILTER (WHERE id <= before) AS not_greater
FROM (SELECT id, lag(id) OVER (PARTITION BY luuid_extract_pid(id) ORDER BY n) AS before
    FROM (SELECT id, row_number() OVER () AS n FROM (SELECT luuid_generate() AS id FROM big OFFSET 0) AS g) AS m) AS s;
