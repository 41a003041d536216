-- Plans: queries that the primary key alone serves.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE TABLE event (id luuid PRIMARY KEY, body text);
INSERT INTO event SELECT id, 'body ' || n FROM hourly('e', 8000);
CREATE TABLE visit AS SELECT n / 8 AS n, id::uuid AS event FROM hourly('e', 8000) WHERE n % 8 = 0;
VACUUM ANALYZE event, visit;
-- The kind of scan does not matter here.
CALL plan_without('seqscan', 'bitmapscan');
-- One id: as a literal, as a uuid parameter of a generic plan, as an array of either. A time: the planner folds a constant
-- into an id; the executor computes one from a stable expression at its start, and from a parameter when it is known.
SET plan_cache_mode = force_generic_plan;
PREPARE by_uuid (uuid) AS SELECT * FROM event WHERE id = $1;
PREPARE by_uuids (uuid[]) AS SELECT * FROM event WHERE id = ANY ($1);
PREPARE by_luuids (luuid[]) AS SELECT * FROM event WHERE id = ANY ($1);
PREPARE after_uuid (uuid) AS SELECT * FROM event WHERE id > $1 ORDER BY id LIMIT 10;
PREPARE by_range (tstzrange) AS SELECT * FROM event WHERE id <@ $1;
PREPARE by_times (timestamptz, timestamptz) AS SELECT count(*) FROM event WHERE id >= $1 AND id < $2;
SELECT plan_of(said) FROM cases($$SELECT * FROM event WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'; EXECUTE by_uuid (NULL);
    EXECUTE by_uuids (NULL); EXECUTE by_luuids (NULL); EXECUTE after_uuid (NULL); SELECT * FROM event WHERE id >= @2026-06-01;
    SELECT * FROM event WHERE id >= now() - interval '7 days'; SELECT * FROM event WHERE now() - interval '7 days' < id AND id <= now();
    SELECT * FROM event WHERE id = @2026-06-01; SELECT * FROM event WHERE id <@ tstzrange('2026-06-01', '2026-06-02');
    SELECT * FROM event WHERE tstzrange(now() - interval '1 day', now()) @> id; EXECUTE by_range (NULL); EXECUTE by_times (NULL, NULL);
    SELECT * FROM event ORDER BY id DESC LIMIT 10; SELECT * FROM event WHERE id < @2026-06-01 ORDER BY id DESC LIMIT 10$$);
SELECT answer('EXECUTE by_times (''2026-06-01'', ''2026-06-02'')') AS of_day,
    counted('event WHERE id = ANY (ARRAY(SELECT event FROM visit))') AS listed,
    counted('event WHERE luuid_extract_timestamp(id) >= @2026-06-01 AND luuid_extract_timestamp(id) < @2026-06-02') AS there_are;
-- The newest, the oldest id.
SELECT plan_says('Index Only Scan Backward', 'SELECT max(id) FROM event') AS by_max, plan_says('Index Only Scan using', 'SELECT min(id) FROM event')
    AS by_min, (SELECT max(id) FROM event) = (SELECT id FROM event WHERE body = 'body 8000') AS max,
    (SELECT min(id) FROM event) = (SELECT id FROM event WHERE body = 'body 1') AS min \gx
CALL plan_without();
-- A table keyed by luuid joins one that references it by uuid: hash, merge, and nested loop over the index.
CREATE VIEW joined AS SELECT plan_of('SELECT count(*) FROM event JOIN visit ON event.id = visit.event'),
    counted('event JOIN visit ON event.id = visit.event WHERE body = ''body '' || n * 8');
CALL plan_without('mergejoin', 'nestloop');
TABLE joined;
CALL plan_without('nestloop', 'hashjoin');
TABLE joined;
CALL plan_without('hashjoin', 'mergejoin', 'memoize', 'bitmapscan');
TABLE joined;
-- A constant reaches the other table.
SELECT plan_says('event = ''20be0ffc-', 'SELECT FROM event JOIN visit ON id = event WHERE id = ''20be0ffc-314a-bd53-7a50-013a65ca76d2''') AS passed_on,
    plan_says('id = ''20be0ffc-', 'SELECT FROM event JOIN visit ON id = event WHERE event = luuid ''20be0ffc-314a-bd53-7a50-013a65ca76d2''') AS back;
-- By the time of another table's row.
CREATE TABLE day AS SELECT unnest(ARRAY['2026-06-01', '2026-07-01']::timestamptz[]) AS at;
ANALYZE day;
SELECT plan_of('SELECT count(*) FROM ' || said), counted(said) FROM cases('day JOIN event ON id >= day.at AND id < day.at + interval ''1 day''');
CALL plan_without();
-- The planner knows the fraction of the table in a time range.
SELECT count(*) FILTER (WHERE abs(planned('event WHERE id < timestamptz ' || quote_literal(at)) / 8000 - part) < 0.02) AS close
FROM (VALUES (0.0, '2025-12-31 23:00+00'), (0.25, '2026-03-25 08:00+00'), (0.5, '2026-06-16 16:00+00'), (0.75, '2026-09-08'), (1.0, '2027-01-01'))
    AS v (part, at);
