-- The order in every sort. catalog.sql has that of the operators.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- `place` is the fixture's own computation: nil; by (ticks, version, sequence, bytes); untimed by (version, bytes). Sorting: in a window, backwards
-- and forwards, by two columns, a uuid column in this order, and in a top-N sort, which uses no abbreviated keys.
SELECT ordering AS wrong_ordering FROM unnest(ARRAY['id', 'id NULLS FIRST, place DESC', 'u USING #<#', 'id LIMIT 1500', 'id DESC', 'id USING ~<~']) AS ordering
WHERE answer(format('SELECT count(*) FROM (SELECT place, u, row_number() OVER () AS n FROM (SELECT * FROM ids ORDER BY %s OFFSET 0) AS o) AS s
    JOIN (SELECT id, row_number() OVER (ORDER BY u) AS by_bytes FROM ids) AS b ON b.id = u WHERE n = CASE %1$L WHEN ''id DESC''
    THEN (SELECT count(*) FROM ids) + 1 - place WHEN ''id USING ~<~'' THEN by_bytes ELSE place END', ordering))::int IS DISTINCT FROM
    CASE ordering WHEN 'id LIMIT 1500' THEN 1500 ELSE (SELECT count(*) FROM ids) END;
SELECT count(*) AS wrong_in_window FROM (SELECT place, row_number() OVER (ORDER BY id) AS n FROM ids) AS s WHERE place <> n;
-- Many ids with equal abbreviated keys: the full comparison decides. And an external merge sort.
CREATE TABLE many AS
SELECT (lpad(to_hex(n % 65536), 8, '0') || '0001b0000000017f22e279b0')::luuid AS id, n FROM generate_series(1, 30000) AS n
UNION ALL SELECT overlay(digits('m' || n) PLACING 'b' FROM 13 FOR 1)::luuid, n FROM generate_series(1, 30000) AS n;
CREATE VIEW wrong AS SELECT count(*) FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM many ORDER BY id OFFSET 0) AS o) AS s
WHERE before >= id;
SET work_mem = '64kB';
SELECT count AS wrong_on_disk FROM wrong;
RESET work_mem;
SELECT count AS wrong_in_memory FROM wrong;
CREATE INDEX many_id ON many (id);
CALL plan_without('seqscan', 'sort');
SELECT count AS wrong_by_index FROM wrong;
CALL plan_without();
-- min and max, with and without an index, over groups, over no rows and over NULL.
SELECT count(*) AS groups, count(*) FILTER (WHERE first IS DISTINCT FROM (SELECT id FROM ids WHERE place = least)
    OR last IS DISTINCT FROM (SELECT id FROM ids WHERE place = greatest)) AS wrong
FROM (SELECT min(id) AS first, max(id) AS last, min(place) AS least, max(place) AS greatest FROM ids GROUP BY ROLLUP (place % 97)) AS g;
SELECT (SELECT min(id) FROM many) = (SELECT min(id) FROM (SELECT id FROM many OFFSET 0) AS o) AS min,
    (SELECT max(id) FROM many) = (SELECT max(id) FROM (SELECT id FROM many OFFSET 0) AS o) AS max;
SELECT min(id) AS min_of_none, max(id) AS max_of_none FROM ids WHERE false;
SELECT min(id) AS min_beside_null, max(id) AS max_beside_null FROM (VALUES (NULL::luuid), ('00000000-0000-0000-0000-000000000000'), (NULL)) AS v (id);
SELECT min(u::luuid) = min(id) AS of_uuid, greatest(min(id), max(id)) = max(id) AS greatest,
    least(max(id), min(id)) = min(id) AS least FROM ids;
