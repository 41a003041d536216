-- Boundaries: comparing ids compares times, for every id and every time.
\a \t
CALL begin_test();
\pset null '(null)'

-- `at` is the fixture's own reading of an id's time.
CREATE VIEW crossed AS SELECT ids.*, t, luuid_floor(t) AS floor, luuid_ceiling(t) AS ceiling FROM ids, times;
CREATE VIEW crossed_hard AS SELECT hard.*, t FROM hard, times;

-- id >= luuid_floor(t) if and only if its time is >= t; id <= luuid_ceiling(t) if and only if it is <= t.
SELECT count(*) > 300000 AS pairs,
    count(*) FILTER (WHERE (id >= floor) IS DISTINCT FROM (at >= t)) AS floor,
    count(*) FILTER (WHERE (id <= ceiling) IS DISTINCT FROM (at <= t)) AS ceiling,
    count(*) FILTER (WHERE at = t) > 1000 AS at_the_time
FROM crossed WHERE timed;

-- An untimed id other than nil is >= every floor, and > the ceiling of every finite time. Nil is <= every boundary.
SELECT count(*) FILTER (WHERE (id >= floor) IS NOT TRUE) AS floor,
    count(*) FILTER (WHERE (id > ceiling) IS NOT TRUE AND isfinite(t)) AS ceiling,
    count(*) FILTER (WHERE (id > ceiling) IS NOT TRUE) AS infinite_ceiling
FROM crossed WHERE NOT timed AND place > 1;
SELECT id, count(*) FILTER (WHERE (id <= floor AND id <= ceiling) IS NOT TRUE) AS nil FROM crossed WHERE place = 1 GROUP BY id;

-- For every id, timed or not: an operator and its negator are opposites, an operator and its commutator the same.
SELECT count(*) FILTER (WHERE ((id < t) <> (id >= t) AND (id > t) <> (id <= t) AND (id = t) <> (id <> t)) IS NOT TRUE) AS negators,
    count(*) FILTER (WHERE ((t < id) <> (t >= id) AND (t > id) <> (t <= id) AND (t = id) <> (t <> id)) IS NOT TRUE) AS commuted_negators,
    count(*) FILTER (WHERE ((id < t) = (t > id) AND (id <= t) = (t >= id) AND (id = t) = (t = id)
        AND (id <> t) = (t <> id)) IS NOT TRUE) AS commutators,
    count(*) FILTER (WHERE ((id < t)::int + (id = t)::int + (id > t)::int) IS DISTINCT FROM 1) AS trichotomy
FROM crossed_hard;
-- Untimed ids are equal to no time: nil is before all, the others after all.
SELECT count(*) FILTER (WHERE id = t) AS at, count(*) FILTER (WHERE (id < t) IS DISTINCT FROM (place = 1)) AS before,
    count(*) FILTER (WHERE (id > t) IS DISTINCT FROM (place > 1)) AS after FROM crossed_hard WHERE NOT timed;

-- All of it works with a uuid column.
SELECT count(*) FILTER (WHERE (u >= t) IS DISTINCT FROM (id >= t) OR (u < t) IS DISTINCT FROM (id < t)
    OR (t <= u) IS DISTINCT FROM (id >= t) OR (u = t) IS DISTINCT FROM (id = t)) AS wrong FROM crossed_hard;

-- Examples.
SELECT t, luuid_floor(t), luuid_ceiling(t)
FROM unnest(ARRAY['-infinity', '1582-10-14 23:59:59.999999+00', '1582-10-15 00:00+00', '1970-01-01 00:00+00',
    '2022-02-22 19:22:22+00', '5236-03-31 21:21:00.684697+00', '5236-03-31 21:21:00.684698+00', '10889-08-02 05:31:50.655+00',
    '10889-08-02 05:31:50.655001+00', 'infinity']::timestamptz[]) AS t;

-- Ranges: inclusive or exclusive bounds, finite, infinite or missing, and empty ranges. slice.sql has what they contain.
SELECT slice, luuid_range_floor(slice), luuid_range_ceiling(slice)
FROM (VALUES (1, 'empty'::tstzrange), (2, '(,)'), (3, '[2022-02-22 19:22:22+00,2022-02-22 19:22:22+00]'),
    (4, '(2022-02-22 19:22:22+00,)'), (5, '[,2022-02-22 19:22:22+00)'),
    (6, '[-infinity,infinity]'), (7, '(-infinity,infinity)'), (8, '[infinity,]'), (9, '[,-infinity]')) AS v (n, slice) ORDER BY n;

-- CQL's query ids, as its documentation defines them: minTimeuuid(t) is the least version-1 id of the millisecond t by
-- signed bytes, maxTimeuuid(t) the greatest of the millisecond's last tick. The floor is minTimeuuid; a range between
-- two of them, copied as ids, finds the same rows.
CREATE FUNCTION min_timeuuid(t timestamptz) RETURNS luuid LANGUAGE sql
    RETURN id_at(1, (extract(epoch FROM t) * 1000)::bigint * 10000, repeat('80', 16));
CREATE FUNCTION max_timeuuid(t timestamptz) RETURNS luuid LANGUAGE sql
    RETURN id_at(1, (extract(epoch FROM t) * 1000)::bigint * 10000 + 9999, repeat('7f', 16));
SELECT min_timeuuid('2013-01-01 00:05+0000'), max_timeuuid('2013-01-01 00:05+0000'),
    max_timeuuid('2013-01-01 00:05+0000')::timestamptz;
SELECT count(*) > 50 AS many, count(*) FILTER (WHERE luuid_floor(t)::text IS DISTINCT FROM min_timeuuid(t)::text) AS unlike
FROM times WHERE t BETWEEN '1582-10-15 00:00+00' AND '5236-03-31 00:00+00' AND date_trunc('milliseconds', t) = t;
-- CQL's four comparisons with them are these with times. The ceiling is that of a microsecond, not maxTimeuuid.
SELECT count(*) > 5000 AS pairs,
    count(*) FILTER (WHERE (id >= least) IS DISTINCT FROM (id >= t)) AS ge_min,
    count(*) FILTER (WHERE (id < least) IS DISTINCT FROM (id < t)) AS lt_min,
    count(*) FILTER (WHERE (id > greatest) IS DISTINCT FROM (id >= t + interval '1 ms')) AS gt_max,
    count(*) FILTER (WHERE (id <= greatest) IS DISTINCT FROM (id < t + interval '1 ms')) AS le_max,
    count(*) FILTER (WHERE (id > greatest) IS DISTINCT FROM (id > luuid_ceiling(t))) > 0 AS is_not_the_ceiling
FROM ids, (SELECT t, min_timeuuid(t)::luuid AS least, max_timeuuid(t)::luuid AS greatest FROM times
    WHERE t BETWEEN '1582-10-15 00:00+00' AND '5236-03-31 00:00+00' AND date_trunc('milliseconds', t) = t OFFSET 0) AS of_time
WHERE version = 1;
CREATE TABLE timeline AS
SELECT id_at(1, 17672256000000000 + n * 1237, digits('t' || n)) AS id, 17672256000000000 + n * 1237 AS ticks
FROM generate_series(1, 30000) AS n;
SELECT count(*) AS found, count(*) FILTER (WHERE ticks / 10000 <= a OR ticks / 10000 >= b) AS wrong,
    (SELECT count(*) FROM timeline WHERE ticks / 10000 > a AND ticks / 10000 < b) AS there_are
FROM timeline, (VALUES (1767225600500, 1767225603000)) AS between_ms (a, b)
WHERE id::luuid > max_timeuuid(to_timestamp(a / 1000.0)) AND id::luuid < min_timeuuid(to_timestamp(b / 1000.0)) GROUP BY a, b;
