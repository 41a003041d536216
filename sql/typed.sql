-- Mistakes that people type: each error has a hint, and following the hint works.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE TABLE event (id luuid PRIMARY KEY, tenant int);
INSERT INTO event SELECT luuid_generate(timestamptz '2026-11-01' + n * interval '1 hour'), n % 5 FROM generate_series(0, 719) AS n;
CREATE INDEX event_of_tenant ON event (tenant, id);
ANALYZE event;
-- A time in place of an id, wherever the literal comes from. If the text looks like an id, or is empty, the hint shows the form of an id.
PREPARE since AS SELECT count(*) FROM event WHERE id >= $1;
CREATE TABLE part (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT r.* FROM cases($$SELECT FROM event WHERE id >= '2026-11-10'; SELECT FROM event WHERE id >= '2026-11-10 12:34:56.789+01';
    SELECT FROM event WHERE id BETWEEN ' 2026-11-10T00:00:00Z' AND '2026-11-11'; SELECT FROM event WHERE id >= '2026-11-10 00:00:00+00';
    INSERT INTO event VALUES ('2026-11-10'); EXECUTE since('2026-11-10');
    CREATE TABLE part_11 PARTITION OF part FOR VALUES FROM ('2026-11-01') TO ('2026-12-01'); SELECT FROM event WHERE id >= '2026-11';
    SELECT FROM event WHERE id >= 'yesterday'; SELECT FROM event WHERE id = '20261110-0000-b000-0000-00000000000g';
    SELECT FROM event WHERE id >= '%s%n%L-1-1'$$), refusal(said) AS r;
COPY event (id) FROM STDIN;
2026-11-10 00:00:00+00
\.
-- What to write instead.
SELECT counted('event WHERE id >= @2026-11-10') AS since,
    counted('event WHERE id >= luuid_floor(''2026-11-10'') AND id < luuid_floor(''2026-11-11'')') AS of_day;
PREPARE since_time AS SELECT count(*) FROM event WHERE id >= $1::timestamptz;
EXECUTE since_time('2026-11-10');
CREATE TABLE part_11 PARTITION OF part FOR VALUES FROM (luuid_floor('2026-11-01 00:00+00')) TO (luuid_floor('2026-12-01 00:00+00'));
SELECT luuid_floor('2026-11-01') = luuid_floor(timestamptz '2026-11-01') AS floor,
    luuid_ceiling('2026-11-01') = luuid_ceiling(timestamptz '2026-11-01') AS ceiling,
    luuid_range_floor('[2026-11-01,2026-12-01)') = luuid_floor('2026-11-01') AS range_floor,
    luuid_range_ceiling('[2026-11-01,2026-12-01)') = luuid_ceiling('2026-11-30 23:59:59.999999') AS range_ceiling;
-- A row that contains an id.
SELECT (refusal($$SELECT FROM event WHERE (tenant, id) >= (3, timestamptz '2026-11-10')$$)).state;
SELECT count(*) AS of_rows, (SELECT count(*) FROM event WHERE tenant > 3 OR tenant = 3 AND id >= timestamptz '2026-11-10') AS there_are
FROM event WHERE (tenant, id) >= (3, luuid_floor('2026-11-10'));
SELECT plan_says('Index Cond: .ROW', $$SELECT FROM event WHERE (tenant, id) >= (3, luuid_floor('2026-11-10')) ORDER BY tenant, id LIMIT 9$$)
    AS by_index;
-- Arithmetic with the time of an id.
SELECT said, state FROM cases($$date_trunc('day', id); now() - id; extract(epoch FROM id)$$), refusal(format('SELECT %s FROM event', said));
SELECT date_trunc('day', id::timestamptz) AS day, timestamptz '2026-12-01' - id::timestamptz AS age,
    extract(epoch FROM id::timestamptz) AS epoch, id::date AS date, id::timestamp AS timestamp
FROM event ORDER BY id LIMIT 1;
SELECT id::date AS day, count(*) FROM event GROUP BY id::date ORDER BY id::date LIMIT 3;
-- Two columns with one name; and the time of an id, compared as it is first written.
SELECT (refusal('SELECT id, id::timestamptz FROM event ORDER BY id')).*;
SELECT count(*) FROM (SELECT id, id::timestamptz AS made FROM event ORDER BY id) AS ordered;
CALL plan_without('seqscan');
SELECT plan_says('Index Cond', 'SELECT FROM event WHERE id::timestamptz > @2026-11-10') AS by_cast,
    plan_says('Index Cond', 'SELECT FROM event WHERE id > @2026-11-10') AS by_id;
