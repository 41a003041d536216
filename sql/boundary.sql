-- Boundaries of times and ranges. slice.sql has the operators, which compare with them.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- Of infinite times; vectors.sql has those of others.
SELECT t, luuid_floor(t), luuid_ceiling(t) FROM unnest('{-infinity,infinity}'::timestamptz[]) AS t;
-- Ranges: inclusive or exclusive bounds, finite, infinite or missing, and empty ranges. slice.sql has what they contain.
SELECT slice, luuid_range_floor(slice), luuid_range_ceiling(slice)
FROM unnest(ARRAY['empty', '(,)', '[2022-02-22 19:22:22+00,2022-02-22 19:22:22+00]', '(2022-02-22 19:22:22+00,)', '[,2022-02-22 19:22:22+00)',
    '[-infinity,infinity]', '(-infinity,infinity)', '[infinity,]', '[,-infinity]']::tstzrange[]) AS slice;
-- CQL's query ids, as its documentation defines them: minTimeuuid(t) is the least version-1 id of the millisecond t by signed bytes, maxTimeuuid(t)
-- the greatest of the millisecond's last tick. The floor is minTimeuuid; a range between two of them, copied as ids, finds the same rows.
CREATE FUNCTION min_timeuuid(t timestamptz) RETURNS luuid LANGUAGE sql
    RETURN id_at(1, (extract(epoch FROM t) * 1000)::bigint * 10000, repeat('80', 16));
CREATE FUNCTION max_timeuuid(t timestamptz) RETURNS luuid LANGUAGE sql
    RETURN id_at(1, (extract(epoch FROM t) * 1000)::bigint * 10000 + 9999, repeat('7f', 16));
SELECT min_timeuuid(t), max_timeuuid(t), max_timeuuid(t)::timestamptz AS last_time FROM (VALUES (timestamptz '2013-01-01 00:05+00')) AS v (t);
CREATE TABLE of_time AS SELECT t, min_timeuuid(t) AS least, max_timeuuid(t) AS greatest FROM times
    WHERE t BETWEEN '1582-10-15 00:00+00' AND '5236-03-31 00:00+00' AND date_trunc('milliseconds', t) = t;
SELECT count(*) > 50 AS many, count(*) FILTER (WHERE luuid_floor(t)::text IS DISTINCT FROM least::text) AS unlike FROM of_time;
-- CQL's four comparisons with its query ids are these with times. luuid_ceiling() is of a microsecond, maxTimeuuid of a millisecond.
SELECT count(*) > 5000 AS pairs, count(*) FILTER (WHERE (id >= least) IS DISTINCT FROM (id >= t)) AS ge_min,
    count(*) FILTER (WHERE (id < least) IS DISTINCT FROM (id < t)) AS lt_min,
    count(*) FILTER (WHERE (id > greatest) IS DISTINCT FROM (id >= t + interval '1 ms')) AS gt_max,
    count(*) FILTER (WHERE (id <= greatest) IS DISTINCT FROM (id < t + interval '1 ms')) AS le_max,
    count(*) FILTER (WHERE (id > greatest) IS DISTINCT FROM (id > luuid_ceiling(t))) > 0 AS is_not_the_ceiling
FROM ids, of_time WHERE version = 1 \gx
CREATE TABLE timeline AS SELECT id_at(1, ticks, digits('t' || n)) AS id, ticks / 10000 AS ms
FROM generate_series(1, 30000) AS n, LATERAL (SELECT 17672256000000000 + n * 1237 AS ticks) AS t;
SELECT count(*) FILTER (WHERE is_found) AS found, count(*) FILTER (WHERE is_found IS DISTINCT FROM (ms > a AND ms < b)) AS wrong
FROM timeline, (VALUES (1767225600500, 1767225603000)) AS between_ms (a, b), LATERAL (SELECT id::luuid > max_timeuuid(to_timestamp(a / 1000.0))
    AND id::luuid < min_timeuuid(to_timestamp(b / 1000.0)) AS is_found) AS f;
