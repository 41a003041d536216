-- Partitions: by time on the primary key itself, by prefix, and of a table that keeps its uuid; pruning at plan time and at run time.
-- This test is for declarations, and for pruning in other releases of the server, not for the module.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- By time, with the default class. A row's time determines its partition, whatever its version.
CREATE TABLE event (id luuid PRIMARY KEY, body text) PARTITION BY RANGE (id);
CREATE TABLE twin (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT FROM unnest(ARRAY['event', 'twin']) AS relation, (VALUES ('old', NULL, '2026-01-01'), ('01', '2026-01-01', '2026-02-01'),
    ('02', '2026-02-01', '2026-03-01'), ('03', '2026-03-01', '2026-04-01'), ('new', '2026-04-01', NULL)) AS v (name, since, before),
    executed(format('CREATE TABLE %1$s_%2$s PARTITION OF %1$s FOR VALUES FROM (%3$s) TO (%4$s)', relation, name,
        coalesce('luuid_floor(timestamptz ''' || since || ''')', 'MINVALUE'), coalesce('luuid_floor(timestamptz ''' || before || ''')', 'MAXVALUE')));
CREATE TABLE event_overlap PARTITION OF event FOR VALUES
FROM (luuid_floor(timestamptz '2026-03-31 23:59:59.999999+00')) TO (luuid_ceiling(timestamptz '2026-04-01'));
INSERT INTO event SELECT id_at(version, 17672256000000000 + n * bigint '72000000000', digits('p' || n)), 'body ' || n
FROM generate_series(-100, 1299) AS n, unnest(ARRAY[1, 6, 7, 8, 11]) AS version;
INSERT INTO event SELECT id_at(11, 17672256000000000 + n * 10000, digits('q' || n)), 'edge' FROM generate_series(-2, 2) AS n;
INSERT INTO event VALUES ('00000000-0000-0000-0000-000000000000', 'nil'), ('919108f7-52d1-4320-9bac-f847db4148a8', 'random');
INSERT INTO twin SELECT id FROM event;
ANALYZE event, twin;
SELECT tableoid::regclass AS part, count(*), min(luuid_extract_timestamp(id)), max(luuid_extract_timestamp(id)),
    count(*) FILTER (WHERE luuid_extract_timestamp(id) IS NULL) AS untimed
FROM event GROUP BY tableoid ORDER BY tableoid::regclass::text COLLATE "C";
INSERT INTO event SELECT id, 'again' FROM event WHERE body = 'nil';
-- Pruned at plan time: constants. At executor start: a stable expression, and parameters of a generic plan. Ordered
-- partitions need no sort: the newest rows are in the last ones.
CALL plan_without('bitmapscan', 'seqscan');
SET plan_cache_mode = force_generic_plan;
PREPARE since (timestamptz) AS SELECT * FROM event WHERE id >= $1;
PREPARE during (tstzrange) AS SELECT * FROM event WHERE id <@ $1;
PREPARE by_uuid (uuid) AS SELECT * FROM event WHERE id = $1;
SELECT plan_of(said) FROM cases($$SELECT * FROM event WHERE id >= @2026-02-10 AND id < @2026-02-12;
    SELECT * FROM event WHERE id <@ tstzrange('2026-01-20', '2026-02-02');
    SELECT * FROM event WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'; SELECT * FROM event WHERE id = uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2';
    SELECT * FROM event WHERE id >= now() - (now() - @2026-03-10); EXECUTE since ('2026-03-10'); EXECUTE during ('[2026-01-10,2026-01-11)');
    EXECUTE by_uuid ('20be0ffc-314a-bd53-7a50-013a65ca76d2'); SELECT * FROM event ORDER BY id DESC LIMIT 5$$);
-- Pruned during execution: times from another table, row by row; an id from a subquery. Two comparisons cannot replace <@
-- with a subquery, which would run twice. They are added as bounds, so that it prunes as two comparisons with the bounds of a range do.
CALL plan_without('bitmapscan', 'seqscan', 'hashjoin', 'mergejoin', 'material', 'memoize');
CREATE TABLE day AS SELECT unnest(ARRAY['2026-01-10', '2026-03-10']::timestamptz[]) AS at;
ANALYZE day;
SELECT tables_read('SELECT * FROM ' || said) FROM cases($$event WHERE id <@ 'empty'::tstzrange;
    event WHERE id <@ tstzrange('2026-01-10', @2026-01-11 + (now() - now()));
    day, LATERAL (SELECT * FROM event WHERE id >= at AND id < at + interval '1 day' OFFSET 0) AS e; event WHERE id >= (SELECT max(at) FROM day);
    event WHERE id = (SELECT uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2');
    event WHERE id <@ (SELECT tstzrange(min(at), min(at) + interval '1 hour') FROM day);
    event WHERE id >= (SELECT min(at) FROM day) AND id < (SELECT min(at) + interval '1 hour' FROM day);
    (SELECT tstzrange(min(at), min(at) + interval '1 hour') AS slice FROM day) AS s, event WHERE id <@ slice$$);
CALL plan_without();
-- The rows are the same with pruning.
SELECT count(*) AS cases, count(*) FILTER (WHERE counted(format('event WHERE id %s timestamptz %L', op, at)) IS DISTINCT FROM
    counted(format('event WHERE luuid_extract_timestamp(id) %s timestamptz %L OR body = %L', op, at, nil_or_random))) AS wrong
FROM unnest(ARRAY['2025-12-31 23:59:59.999+00', '2026-01-01', '2026-01-01 00:00:00.000001+00',
    '2026-01-31 23:59:59.999999+00', '2026-02-01', '-infinity', 'infinity']::timestamptz[]) AS at,
    (VALUES ('<', 'nil'), ('<=', 'nil'), ('>=', 'random'), ('>', 'random')) AS v (op, nil_or_random);
-- A new month is attached by its bounds, which a row must satisfy.
CREATE TABLE event_wrong AS SELECT id, body FROM event WHERE body = 'body 0' LIMIT 1;
ALTER TABLE event_wrong ALTER id SET NOT NULL;
ALTER TABLE event DETACH PARTITION event_02;
ALTER TABLE event ATTACH PARTITION event_wrong FOR VALUES
FROM (luuid_floor(timestamptz '2026-02-01')) TO (luuid_floor(timestamptz '2026-03-01'));
ALTER TABLE event ATTACH PARTITION event_02 FOR VALUES
FROM (luuid_floor(timestamptz '2026-02-01')) TO (luuid_floor(timestamptz '2026-03-01'));
SELECT pg_get_expr(relpartbound, oid) AS bounds FROM pg_class WHERE relname = 'event_02';
-- By prefix, in byte order, with a primary key in the default class: both share equality. Each partition's key serves queries by time.
CREATE TABLE spread (id luuid PRIMARY KEY) PARTITION BY RANGE (id luuid_byte_ops);
CALL split('spread', '''80000000-0000-0000-0000-000000000000''');
INSERT INTO spread SELECT id FROM ids;
-- A table that keeps its uuid, partitioned by time, with PRIMARY KEY (id).
CREATE TABLE plain (id uuid PRIMARY KEY, body text) PARTITION BY RANGE (id uuid_time_ops);
CALL split('plain', 'luuid_floor(timestamptz ''2026-02-01'')');
INSERT INTO plain SELECT * FROM event;
ANALYZE spread, plain;
SELECT tableoid::regclass AS part, min(id::uuid::text COLLATE "C") >= '8' AS high,
    max(id::uuid::text COLLATE "C") >= '8' AS any_high, count(*) > 500 AS many FROM spread GROUP BY tableoid ORDER BY 1;
SELECT tableoid::regclass AS part, count(*), max(luuid_extract_timestamp(id)) < '2026-02-01' AS old FROM plain GROUP BY tableoid ORDER BY 1;
CALL plan_without('seqscan', 'bitmapscan');
SELECT plan_of('SELECT * FROM ' || said) FROM cases($$spread WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
    spread WHERE id = uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'; spread WHERE id ~<~ '20000000-0000-0000-0000-000000000000';
    spread WHERE id >= @2026-02-10; plain WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'$$);
SELECT tables_read('SELECT * FROM plain WHERE ' || said), counted('plain WHERE ' || said) = counted('event WHERE ' || replace(said, '#', '')) AS same
FROM cases('id < @2026-01-10; id #># luuid_ceiling(@2026-02-10)::uuid; id <@ tstzrange(''2026-02-10'', NULL)');
SELECT count(*) = (SELECT count(*) FROM ids) AS all, count(*) FILTER (WHERE before >= id) AS wrong
FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM spread ORDER BY id OFFSET 0) AS o) AS s;
INSERT INTO spread VALUES ('00000000-0000-0000-0000-000000000000');
INSERT INTO plain VALUES ('00000000-0000-0000-0000-000000000000');
-- Two tables with the same partitions, one of luuid and one of uuid in this order, are joined partitionwise. Without hash
-- joins, for which the cheaper of one join and partitionwise joins depends on the server's version.
SET enable_partitionwise_join = on;
CALL plan_without('hashjoin');
SELECT plan_says('Join|Nested', 'SELECT * FROM event JOIN twin USING (id)') AS joins,
    counted('event JOIN twin USING (id)') = counted('event') AS all_joined;
