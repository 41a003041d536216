-- Casts: implicit, assignment and explicit ones; and a column that changes its type.
-- What can break here is a declaration of the install script, not a line of the module.
\a \t
CALL begin_test();
\set VERBOSITY terse

-- uuid to luuid is implicit: every function and operator here accepts a uuid.
SELECT luuid_extract_version(uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'),
    luuid_extract_pid(uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'),
        uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' < luuid '20be0ffc-314a-bd53-7a50-013a65ca76d3';
SELECT pg_typeof(coalesce(luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2', uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2')),
    pg_typeof(CASE WHEN true THEN uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' ELSE luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' END);
SELECT pg_typeof(id) FROM (SELECT uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' AS id
    UNION SELECT luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2') AS o;
-- An untyped literal has the type of the other operand.
SELECT luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' = '20BE0FFC314ABD537A50013A65CA76D2',
    '{20be0ffc-314a-bd53-7a50-013a65ca76d2}' = uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2';

-- luuid to uuid needs an assignment or an explicit cast, so uuid's byte order never replaces this one. bytea and timestamptz
-- only by explicit casts; date and timestamp too, in the session's time zone.
CREATE FUNCTION takes_uuid(uuid) RETURNS text LANGUAGE sql RETURN $1::text;
CREATE TABLE other (b bytea, t timestamptz, x text, l luuid);
SELECT state, message FROM unnest(ARRAY['SELECT takes_uuid(luuid #)', 'SELECT uuid_cmp(luuid #, luuid #)', 'INSERT INTO other (b) VALUES (luuid #)',
    'INSERT INTO other (t) VALUES (luuid #)', 'INSERT INTO other (l) VALUES (''\x20be0ffc314abd537a50013a65ca76d2''::bytea)',
    'INSERT INTO other (l) VALUES (timestamptz ''2026-01-01'')', 'SELECT (luuid #)::bigint', 'SELECT date_part(''day'', luuid #)',
    'CREATE TABLE days (day date DEFAULT luuid #)', 'CREATE INDEX ON hard ((id::date))', 'CREATE INDEX ON hard ((id::timestamp))',
    -- A column of text becomes luuid with USING alone.
    'ALTER TABLE other ALTER x TYPE luuid']) AS said,
    refusal(replace(said, '#', '''20be0ffc-314a-bd53-7a50-013a65ca76d2'''));
SELECT takes_uuid(luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::uuid);
CREATE TABLE both_ways (u uuid, l luuid);
INSERT INTO both_ways SELECT id, u FROM hard;
UPDATE both_ways SET u = l, l = u;
SELECT count(*) AS wrong FROM both_ways WHERE (u = l AND u::text = l::text) IS NOT TRUE;

INSERT INTO other (x) VALUES (luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2') RETURNING x;
INSERT INTO other (b, t) VALUES (luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::bytea,
    luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::timestamptz) RETURNING b, t;
SELECT date_trunc('day', luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::timestamptz),
    luuid '919108f7-52d1-4320-9bac-f847db4148a8'::timestamptz IS NULL AS untimed;

-- A date and a timestamp are the casts of the timestamptz.
SELECT count(*) FILTER (WHERE id::timestamp IS DISTINCT FROM at::timestamp) AS timestamp,
    count(*) FILTER (WHERE id::date IS DISTINCT FROM at::date) AS date, count(id::date) > 1000 AS many FROM ids;
SET timezone = 'Asia/Kolkata';
SELECT luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::timestamp, luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'::date;
SELECT count(*) FILTER (WHERE id::timestamp IS DISTINCT FROM at::timestamp) AS timestamp,
    count(*) FILTER (WHERE id::date IS DISTINCT FROM at::date) AS date FROM ids;
SET timezone = 'UTC';

-- Arrays are cast as their elements are.
SELECT ARRAY[uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2']::luuid[], '{20BE0FFC314ABD537A50013A65CA76D2,NULL}'::luuid[]::uuid[];
SELECT count(*) AS wrong FROM (SELECT array_agg(id ORDER BY place) AS l, array_agg(u ORDER BY place) AS u FROM ids) AS a
WHERE (l::uuid[] = u AND u::luuid[] = l AND l::text = u::text) IS NOT TRUE;
SELECT array_agg(place) = array_agg(row_number::int) AS sorted
FROM (SELECT place, row_number() OVER () FROM (SELECT place FROM ids ORDER BY ARRAY[id]) AS o) AS s;
SELECT (SELECT array_agg(id ORDER BY place) FROM hard) < (SELECT array_agg(id ORDER BY place DESC) FROM hard) AS array_less;

-- A column changes from uuid to luuid and back: no row is rewritten, and the rows are the same.
CREATE TABLE kept (n int, id uuid);
INSERT INTO kept SELECT place, u FROM ids;
-- By a function, since a view would keep the column's type.
CREATE FUNCTION image(OUT file oid, OUT rows text) LANGUAGE sql AS
    $$ SELECT pg_relation_filenode('kept'), md5(string_agg(n || ctid::text || id::text, ',' ORDER BY n)) FROM kept $$;
SELECT file AS file_before, rows AS rows_before FROM image() \gset
ALTER TABLE kept ALTER id TYPE luuid;
SELECT file = :file_before AS not_rewritten, rows = :'rows_before' AS same_rows, (SELECT pg_typeof(id) FROM kept LIMIT 1) AS type
FROM image();
SELECT count(*) AS wrong FROM (SELECT n, row_number() OVER (ORDER BY id) FROM kept) AS s WHERE n <> row_number;
ALTER TABLE kept ALTER id TYPE uuid;
SELECT pg_relation_filenode('kept') = :file_before AS not_rewritten, pg_typeof(id) AS type FROM kept LIMIT 1;
SELECT count(*) AS wrong FROM kept JOIN ids ON place = n WHERE kept.id IS DISTINCT FROM u;

-- With indexes: their order changes, so they are rebuilt; the table is not.
ALTER TABLE kept ADD PRIMARY KEY (id);
CREATE INDEX kept_hash ON kept USING hash (id);
ALTER TABLE kept ALTER id TYPE luuid;
SELECT pg_relation_filenode('kept') = :file_before AS not_rewritten;
CALL plan_without('seqscan', 'sort');
SELECT count(*) AS wrong FROM (SELECT n, row_number() OVER () FROM (SELECT n FROM kept ORDER BY id OFFSET 0) AS o) AS s
WHERE n <> row_number;
SELECT count(*) - (SELECT count(*) FROM ids) AS missing FROM ids, LATERAL (SELECT FROM kept WHERE kept.id = ids.u OFFSET 0) AS k;
ALTER TABLE kept ALTER id TYPE uuid;
SELECT count(*) AS wrong FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM kept ORDER BY id OFFSET 0) AS o) AS s
WHERE before >= id;
CALL plan_without();

-- A statement that returns the column is refused from then on, until it is prepared again.
PREPARE kept_ids AS SELECT id FROM kept LIMIT 0;
ALTER TABLE kept ALTER id TYPE luuid;
EXECUTE kept_ids;
EXECUTE kept_ids;
DEALLOCATE ALL;

-- Columns of other types become luuid with USING, which reports invalid values.
CREATE TABLE texts (id text);
INSERT INTO texts SELECT upper(u::text) FROM hard;
ALTER TABLE texts ALTER id TYPE luuid USING id::luuid;
SELECT count(*) AS missing FROM texts FULL JOIN hard USING (id) WHERE texts.id IS NULL OR hard.id IS NULL;

-- Domains, composites and ranges can contain it as any type.
CREATE DOMAIN recent AS luuid CHECK (VALUE >= timestamptz '2020-01-01 00:00:00+00');
SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2'::recent;
SELECT luuid_extract_timestamp('20be0ffc-314a-b000-0000-019b76da8000'::recent);
CREATE TYPE span AS RANGE (SUBTYPE = luuid);
SELECT span(luuid_floor(timestamptz '2012-10-15'),
    luuid_ceiling(timestamptz '2012-10-16')) @> luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2' AS contains;
