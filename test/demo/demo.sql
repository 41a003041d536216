-- What luuid does, told to somebody who has just met it, in 80 columns.
SET timezone = 'UTC';
SET client_min_messages = warning;
\echo
\echo '== 1. A key that needs no sequence, and a table that needs no created_at.'
\set ECHO queries
CREATE EXTENSION luuid;
CREATE TABLE event (
    id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), what text);
INSERT INTO event (what) VALUES ('opened'), ('paid'), ('shipped') RETURNING *;
\set ECHO none

\echo '== 2. An id of version 7 begins with the time, which can be read back.'
\echo
\echo '   zzzzzzzz-zzzz-7rrr-vrrr-rrrrrrrrrrrr'
\echo '   milliseconds  fraction, and random bits'
\echo
\set ECHO queries
SELECT left(id::text, 23) AS id, id::timestamptz::time(3) AS created
FROM event ORDER BY event.id;
\set ECHO none

\echo '== 3. Ids sort by time, so the primary key serves time ranges.'
\echo '      Here are 100 000 rows of 100 days.'
\set ECHO queries
INSERT INTO event
SELECT luuid_generate_v7(now() - g * interval '86.4 seconds'), 'older'
FROM generate_series(1, 100000) g;
VACUUM ANALYZE event;
SELECT count(*) AS "a day last week" FROM event
WHERE id <@ tstzrange(now() - interval '8 days', now() - interval '7 days');
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF)
SELECT count(*) FROM event WHERE id >= now() - interval '1 day';
SELECT min(id)::timestamptz AS oldest, max(id)::timestamptz AS newest
FROM event;
\set ECHO none

-- How many rows the planner expects of a condition, and how many there are.
CREATE FUNCTION pg_temp.expected(source regclass, condition text, OUT rows int) LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE format('EXPLAIN (FORMAT json) SELECT FROM %s WHERE %s', source, condition) INTO plan;
    rows := plan->0->'Plan'->>'Plan Rows';
END $$;
CREATE FUNCTION pg_temp.counted(condition text, OUT rows int) LANGUAGE plpgsql AS
    $$ BEGIN EXECUTE 'SELECT count(*) FROM event WHERE ' || condition INTO rows; END $$;
CREATE TEMP TABLE v7_event AS SELECT luuid_generate_v7(id::timestamptz)::uuid AS id FROM event;
CREATE UNIQUE INDEX ON v7_event (id);
ANALYZE v7_event;
-- The least id of version 7 that is not before a time.
CREATE FUNCTION pg_temp.v7_bound(at timestamptz) RETURNS uuid
RETURN (lpad(to_hex(ceil(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid;
\echo '== 4. The planner knows the time: the rows that it expects of a time range,'
\echo '      and what it expects of uuid v7 with bounds made by hand.'
\echo
SELECT 'the last ' || span AS "time range",
       pg_temp.expected('event', format('id >= now() - interval %L', '1 ' || span)) AS luuid,
       pg_temp.expected('v7_event', format('id >= %L', pg_temp.v7_bound(now() - ('1 ' || span)::interval))) AS "uuid v7",
       pg_temp.counted(format('id >= now() - interval %L', '1 ' || span)) AS counted
FROM unnest('{hour,day,month}'::text[]) WITH ORDINALITY AS range (span, place)
ORDER BY place;

\echo '== 5. A consumer reads below the horizon, and misses no row: the horizon stays'
\echo '      before the ids of a transaction that may still commit.'
\set ECHO queries
CREATE TABLE outbox (
    id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), what text);
BEGIN;
INSERT INTO outbox (what) VALUES ('generated first, committed last');
\set ECHO none
\echo '-- Meanwhile, in another session:'
\echo
\setenv PGOPTIONS '-c client_min_messages=warning'
\! psql -X -q -P footer=off -e -c "INSERT INTO outbox (what) VALUES ('generated last, committed first');" -c "SELECT what, id < luuid_horizon() AS settled FROM outbox;"
\echo '-- And here again:'
\echo
\set ECHO queries
COMMIT;
\set ECHO none
SELECT pg_sleep(0.01) \g /dev/null
\set ECHO queries
SELECT what, id < luuid_horizon() AS settled FROM outbox ORDER BY id;
\set ECHO none

\echo '== 6. A locality UUID begins with a counter, which chooses a shard: variable'
\echo '      mode fills all evenly, sequential mode keeps ten minutes on one.'
\echo
\echo '   wwwwwwww-xxxx-byyy-yyyy-zzzzzzzzzzzz'
\echo '   counter  pid   node     milliseconds since 1970'
\echo
\set ECHO queries
SELECT luuid_shard(id, 8) AS shard, count(v) AS variable,
       repeat('#', count(v)::int / 1000) AS "in 100 000",
       count(s) AS sequential,
       repeat('#', count(s)::int / 5000) AS "in 100 000"
FROM (SELECT luuid_generate_variable() AS v, NULL::luuid AS s
      FROM generate_series(1, 100000)
      UNION ALL
      SELECT NULL, luuid_generate_sequential()
      FROM generate_series(1, 100000)) AS made, coalesce(v, s) AS id
GROUP BY shard ORDER BY shard;
\set ECHO none

\echo '== 7. A child on the shard of its parent, of 1024.'
\set ECHO queries
SELECT kin, kin_id AS id, luuid_shard(kin_id, 1024) AS shard
FROM (SELECT parent, luuid_generate_near(parent) AS child
      FROM (SELECT luuid_generate() AS parent
            FROM generate_series(1, 3)) AS made) AS pair,
     LATERAL (VALUES ('parent', parent), ('child', child)) AS of (kin, kin_id);
\set ECHO none

\echo '== 8. What a row costs, beside bigint and uuid: medians of 5 turns with'
\echo '      100 000 rows of 100 bytes each, into one table for each key. This is the'
\echo '      slowest step.'
\echo
CREATE TEMP TABLE key (
    place int GENERATED ALWAYS AS IDENTITY, name text, type text, generated_by text,
    seconds float8[] DEFAULT '{}', wal numeric[] DEFAULT '{}'
);
INSERT INTO key (name, type, generated_by)
SELECT * FROM (VALUES ('bigint', 'bigint', 'nextval(''number'')'),
                      ('uuid v4', 'uuid', 'gen_random_uuid()'),
                      ('uuid v7', 'uuid', 'uuidv7()'),
                      ('luuid', 'luuid', 'luuid_generate_v7()')) AS of (name, type, generated_by)
WHERE name <> 'uuid v7' OR to_regprocedure('uuidv7()') IS NOT NULL;
CREATE SEQUENCE number;
SELECT format('CREATE TABLE %I (id %s PRIMARY KEY DEFAULT %s, payload text)', 'by ' || name, type, generated_by) FROM key \gexec
CREATE PROCEDURE pg_temp.insert_rows() LANGUAGE plpgsql AS $$
DECLARE
    k record;
    started timestamptz;
    lsn pg_lsn;
BEGIN
    FOR k IN SELECT name FROM key ORDER BY place LOOP
        started := clock_timestamp();
        lsn := pg_current_wal_insert_lsn();
        EXECUTE format('INSERT INTO %I (payload) SELECT repeat(''x'', 100) FROM generate_series(1, 100000)', 'by ' || k.name);
        UPDATE key SET seconds = seconds || extract(epoch FROM clock_timestamp() - started)::float8,
                       wal = wal || pg_current_wal_insert_lsn() - lsn
        WHERE name = k.name;
    END LOOP;
END $$;
\echo '      Turn 1'
CALL pg_temp.insert_rows();
\echo '      Turn 2'
CALL pg_temp.insert_rows();
\echo '      Turn 3'
CALL pg_temp.insert_rows();
\echo '      Turn 4'
CALL pg_temp.insert_rows();
\echo '      Turn 5'
CALL pg_temp.insert_rows();
\echo
WITH row_of AS (
    SELECT place, name,
           10 * (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY s) FROM unnest(seconds) AS s) AS time,
           (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY w) FROM unnest(wal) AS w) / 100000 AS wal,
           pg_relation_size(format('%I', 'by ' || name || '_pkey')) / 500000.0 AS index
    FROM key
)
SELECT name AS key,
       round(time::numeric, 2) AS "µs", repeat('#', (time * 7 / max(time) OVER ())::int) AS " ",
       round(wal) AS "log, bytes", repeat('#', (wal * 7 / max(wal) OVER ())::int) AS " ",
       round(index, 1) AS "index, bytes", repeat('#', (index * 7 / max(index) OVER ())::int) AS " "
FROM row_of ORDER BY place;
\echo 'This server ends here. For psql in another, to type README''s first SQL into:'
\echo
\echo '    make psql'

