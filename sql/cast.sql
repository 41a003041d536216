-- Casts: implicit, assignment and explicit ones; and a column that changes its type.
-- This test is for the declarations of the install script, not for the module.
\a \pset footer off \set ECHO errors
CALL begin_test();
\set VERBOSITY terse
\set id '\'20be0ffc-314a-bd53-7a50-013a65ca76d2\''
-- uuid to luuid is implicit: every function and operator here accepts a uuid. An untyped literal has the type of the other operand.
SELECT luuid_extract_version(uuid :id) AS version, luuid_extract_pid(uuid :id) AS pid, uuid :id < luuid '20be0ffc-314a-bd53-7a50-013a65ca76d3' AS less,
    pg_typeof(coalesce(luuid :id, uuid :id)) AS of_coalesce, pg_typeof(CASE WHEN true THEN uuid :id ELSE luuid :id END) AS of_case,
    (SELECT pg_typeof(id) FROM (SELECT uuid :id AS id UNION SELECT luuid :id) AS o) AS of_union, luuid :id = '20BE0FFC314ABD537A50013A65CA76D2' AS bare,
    '{20be0ffc-314a-bd53-7a50-013a65ca76d2}' = uuid :id AS braces \gx
-- luuid to uuid needs an assignment or an explicit cast, so uuid's byte order never replaces this one. bytea, timestamptz,
-- date and timestamp, these two in the session's time zone, need an explicit cast. A column of text becomes luuid only with USING.
CREATE FUNCTION takes_uuid(uuid) RETURNS text LANGUAGE sql RETURN $1::text;
CREATE TABLE other (b bytea, t timestamptz, x text, l luuid);
SELECT state, message FROM cases($$SELECT takes_uuid(luuid #); SELECT uuid_cmp(luuid #, luuid #); INSERT INTO other (b) VALUES (luuid #);
    INSERT INTO other (t) VALUES (luuid #); INSERT INTO other (l) VALUES ('\x20be0ffc314abd537a50013a65ca76d2'::bytea);
    INSERT INTO other (l) VALUES (timestamptz '2026-01-01'); SELECT (luuid #)::bigint; SELECT date_part('day', luuid #);
    CREATE TABLE days (day date DEFAULT luuid #); CREATE INDEX ON hard ((id::date)); CREATE INDEX ON hard ((id::timestamp));
    ALTER TABLE other ALTER x TYPE luuid$$), refusal(replace(said, '#', '''20be0ffc-314a-bd53-7a50-013a65ca76d2'''));
SELECT takes_uuid(luuid :id::uuid);
CREATE TABLE both_ways (u uuid, l luuid);
INSERT INTO both_ways SELECT id, u FROM hard;
UPDATE both_ways SET u = l, l = u;
SELECT count(*) > 200 AS many, count(*) FILTER (WHERE (u = l AND u::text = l::text) IS NOT TRUE) AS wrong FROM both_ways;
INSERT INTO other (x, b, t) VALUES (luuid :id, luuid :id::bytea, luuid :id::timestamptz) RETURNING x, b, t;
SELECT date_trunc('day', luuid :id::timestamptz), luuid '919108f7-52d1-4320-9bac-f847db4148a8'::timestamptz IS NULL AS untimed;
-- The casts to date and timestamp are those of the id's timestamptz.
CREATE VIEW local_times AS SELECT count(*) FILTER (WHERE id::timestamp IS DISTINCT FROM at::timestamp) AS timestamp,
    count(*) FILTER (WHERE id::date IS DISTINCT FROM at::date) AS date, count(id::date) > 1000 AS many FROM ids;
TABLE local_times;
SET timezone = 'Asia/Kolkata';
SELECT *, luuid :id::timestamp AS local_time, luuid :id::date AS local_date FROM local_times \gx
-- So are their functions where the planner does not replace them: as the final functions of aggregates.
CREATE AGGREGATE local_time(luuid) (SFUNC = luuid_larger, STYPE = luuid, FINALFUNC = luuid_to_timestamp);
CREATE AGGREGATE local_date(luuid) (SFUNC = luuid_larger, STYPE = luuid, FINALFUNC = luuid_to_date);
SELECT count(*) FILTER (WHERE (time, date) IS DISTINCT FROM (at::timestamp, at::date)) AS unlike, count(date) > 1000 AS many
FROM (SELECT at, local_time(id) AS time, local_date(id) AS date FROM ids GROUP BY id, at) AS i;
SET timezone = 'UTC';
-- Arrays are cast as their elements are.
SELECT ARRAY[uuid :id]::luuid[], '{20BE0FFC314ABD537A50013A65CA76D2,NULL}'::luuid[]::uuid[];
SELECT l::uuid[] = u AS to_uuid, u::luuid[] = l AS to_luuid, l::text = u::text AS to_text
FROM (SELECT array_agg(id ORDER BY place) AS l, array_agg(u ORDER BY place) AS u FROM ids) AS a;
SELECT array_agg(place) = array_agg(row_number::int) AS sorted
FROM (SELECT place, row_number() OVER () FROM (SELECT place FROM ids ORDER BY ARRAY[id]) AS o) AS s;
SELECT (SELECT array_agg(id ORDER BY place) FROM hard) < (SELECT array_agg(id ORDER BY place DESC) FROM hard) AS array_less;
-- A column changes from uuid to luuid and back: no row is rewritten, and the rows are the same. The order of its indexes
-- changes, so they are rebuilt. A function reads the column, since PostgreSQL does not change the type of one in a view.
CREATE TABLE kept AS SELECT place AS n, u AS id FROM ids;
CREATE FUNCTION image(OUT file oid, OUT rows text) LANGUAGE sql AS
    $$ SELECT pg_relation_filenode('kept'), md5(string_agg(n || ctid::text || id::text, ',' ORDER BY n)) FROM kept $$;
SELECT file AS file_before, rows AS rows_before FROM image() \gset
ALTER TABLE kept ALTER id TYPE luuid;
SELECT file = :file_before AS not_rewritten, rows = :'rows_before' AS same_rows, (SELECT pg_typeof(id) FROM kept LIMIT 1) AS type,
    (SELECT count(*) FROM (SELECT n, row_number() OVER (ORDER BY id) FROM kept) AS s WHERE n <> row_number) AS wrong FROM image() \gx
ALTER TABLE kept ALTER id TYPE uuid;
SELECT file = :file_before AS not_rewritten, rows = :'rows_before' AS same_rows, (SELECT pg_typeof(id) FROM kept LIMIT 1) AS type FROM image();
ALTER TABLE kept ADD PRIMARY KEY (id);
CREATE INDEX kept_hash ON kept USING hash (id);
ALTER TABLE kept ALTER id TYPE luuid;
CALL plan_without('seqscan', 'sort');
SELECT file = :file_before AS not_rewritten, (SELECT count(*) FROM (SELECT n, row_number() OVER () FROM (SELECT n FROM kept ORDER BY id OFFSET 0)
        AS o) AS s WHERE n <> row_number) AS wrong,
    (SELECT count(*) FROM ids, LATERAL (SELECT FROM kept WHERE kept.id = ids.u OFFSET 0) AS k) = (SELECT count(*) FROM ids) AS found FROM image();
ALTER TABLE kept ALTER id TYPE uuid;
SELECT count(*) AS wrong FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM kept ORDER BY id OFFSET 0) AS o) AS s
WHERE before >= id;
CALL plan_without();
-- The server refuses a prepared statement that returns the column, until it is prepared again.
PREPARE kept_ids AS SELECT id FROM kept LIMIT 0;
ALTER TABLE kept ALTER id TYPE luuid;
EXECUTE kept_ids;
EXECUTE kept_ids;
DEALLOCATE ALL;
-- Columns of other types become luuid with USING, which reports invalid values.
CREATE TABLE texts AS SELECT upper(u::text) AS id FROM hard;
ALTER TABLE texts ALTER id TYPE luuid USING id::luuid;
SELECT count(*) > 200 AS many, count(*) FILTER (WHERE texts.id IS NULL OR hard.id IS NULL) AS missing FROM texts FULL JOIN hard USING (id);
-- Domains, composites and ranges can contain it as any type.
CREATE DOMAIN recent AS luuid CHECK (VALUE >= timestamptz '2020-01-01');
SELECT :id::recent;
CREATE TYPE span AS RANGE (SUBTYPE = luuid);
SELECT luuid_extract_timestamp('20be0ffc-314a-b000-0000-019b76da8000'::recent),
    span(luuid_floor(timestamptz '2012-10-15'), luuid_ceiling(timestamptz '2012-10-16')) @> luuid :id AS contains;
