-- Plans: queries that the primary key alone serves.
\a \t
CALL begin_test();

CREATE TABLE event (id luuid PRIMARY KEY, body text);
INSERT INTO event SELECT id_at(11, 17672256000000000 + n * bigint '36000000000', digits('e' || n)), 'body ' || n
FROM generate_series(1, 8000) AS n;
CREATE TABLE visit (n int, event uuid);
INSERT INTO visit SELECT n, (SELECT id FROM event WHERE body = 'body ' || n * 8) FROM generate_series(1, 1000) AS n;
VACUUM ANALYZE event, visit;

-- The kind of scan does not matter here.
CALL plan_without('seqscan', 'bitmapscan');

-- One id: as a literal, as a uuid parameter of a generic plan, as an array of either.
SET plan_cache_mode = force_generic_plan;
PREPARE by_uuid (uuid) AS SELECT * FROM event WHERE id = $1;
PREPARE by_uuids (uuid[]) AS SELECT * FROM event WHERE id = ANY ($1);
PREPARE by_luuids (luuid[]) AS SELECT * FROM event WHERE id = ANY ($1);
PREPARE after_uuid (uuid) AS SELECT * FROM event WHERE id > $1 ORDER BY id LIMIT 10;
SELECT plan_of(said) FROM unnest(ARRAY['SELECT * FROM event WHERE id = ''20be0ffc-314a-bd53-7a50-013a65ca76d2''',
    'EXECUTE by_uuid (''20be0ffc-314a-bd53-7a50-013a65ca76d2'')', 'EXECUTE by_uuids (''{20be0ffc-314a-bd53-7a50-013a65ca76d2}'')',
    'EXECUTE by_luuids (''{20be0ffc-314a-bd53-7a50-013a65ca76d2}'')', 'EXECUTE after_uuid (''20be0ffc-314a-bd53-7a50-013a65ca76d2'')'
    ]) WITH ORDINALITY AS s (said, n) ORDER BY n;
SELECT answer('SELECT count(*) FROM event WHERE id = ANY (ARRAY(SELECT event FROM visit))') AS found;

-- Time: a constant is folded into an id; a stable expression becomes one at executor start, a parameter when it is
-- known.
PREPARE by_range (tstzrange) AS SELECT * FROM event WHERE id <@ $1;
PREPARE by_times (timestamptz, timestamptz) AS SELECT count(*) FROM event WHERE id >= $1 AND id < $2;
SELECT plan_of(said) FROM unnest(ARRAY['SELECT * FROM event WHERE id >= timestamptz ''2026-06-01''',
    'SELECT * FROM event WHERE id >= now() - interval ''7 days''', 'SELECT * FROM event WHERE now() - interval ''7 days'' < id AND id <= now()',
    'SELECT * FROM event WHERE id = timestamptz ''2026-06-01''', 'SELECT * FROM event WHERE id <@ tstzrange(''2026-06-01'', ''2026-06-02'')',
    'SELECT * FROM event WHERE tstzrange(now() - interval ''1 day'', now()) @> id', 'EXECUTE by_range (''[2026-06-01,2026-06-02)'')',
    'EXECUTE by_times (''2026-06-01'', ''2026-06-02'')']) WITH ORDINALITY AS s (said, n) ORDER BY n;
EXECUTE by_times ('2026-06-01', '2026-06-02');
SELECT count(*) FROM event WHERE luuid_extract_timestamp(id) >= '2026-06-01'
    AND luuid_extract_timestamp(id) < '2026-06-02';
RESET plan_cache_mode;
DEALLOCATE ALL;

-- The newest, the oldest id.
SELECT plan_of('SELECT * FROM event ORDER BY id DESC LIMIT 10');
SELECT plan_of('SELECT * FROM event WHERE id < timestamptz ''2026-06-01'' ORDER BY id DESC LIMIT 10');
SELECT plan_says('Index Only Scan Backward', 'SELECT max(id) FROM event') AS max,
    plan_says('Index Only Scan using', 'SELECT min(id) FROM event') AS min;
SELECT (SELECT max(id) FROM event) = (SELECT id FROM event WHERE body = 'body 8000') AS max,
    (SELECT min(id) FROM event) = (SELECT id FROM event WHERE body = 'body 1') AS min;
CALL plan_without();

-- A table keyed by luuid joins one that references it by uuid: hash, merge, and nested loop over the index.
CREATE VIEW joined AS SELECT plan_of('SELECT count(*) FROM event JOIN visit ON event.id = visit.event'),
    answer('SELECT count(*) FROM event JOIN visit ON event.id = visit.event WHERE body = ''body '' || n * 8');
CALL plan_without('mergejoin', 'nestloop');
TABLE joined;
CALL plan_without('nestloop', 'hashjoin');
TABLE joined;
CALL plan_without('hashjoin', 'mergejoin', 'memoize', 'bitmapscan');
TABLE joined;
-- By the time of another table's row.
CREATE TABLE day (at timestamptz);
INSERT INTO day VALUES ('2026-06-01'), ('2026-07-01');
ANALYZE day;
SELECT plan_of('SELECT count(*) FROM day JOIN event ON id >= day.at AND id < day.at + interval ''1 day''');
SELECT count(*) FROM day JOIN event ON id >= day.at AND id < day.at + interval '1 day';
CALL plan_without();

-- The planner knows the fraction of the table in a time range.
SELECT part, abs((explained(format('SELECT * FROM event WHERE id < %L::timestamptz', at))).rows / 8000 - part) < 0.02 AS close
FROM (VALUES (0.0, '2025-12-31 23:00:00+00'::timestamptz), (0.25, '2026-03-25 08:00:00+00'), (0.5, '2026-06-16 16:00:00+00'),
    (0.75, '2026-09-08'), (1.0, '2027-01-01')) AS v (part, at) ORDER BY part;
