-- Installing and removing: the extension changes nothing for other tables, and leaves nothing behind.
\a \pset footer off \set ECHO errors

-- The tests' database has PostgreSQL's default settings, whatever the server's are, if plans and texts depend on them.
-- pg_regress sets others itself.
LOAD 'luuid';
DO $$
DECLARE
    name text;
    value text;
BEGIN
    FOR name, value IN SELECT s.name, boot_val FROM pg_settings AS s
        WHERE context IN ('user', 'superuser') AND source IN ('configuration file', 'command line', 'global', 'user') AND s.name <> 'max_stack_depth'
            AND (category ~ '^(Query Tuning|Resource Usage|Version and Platform|Developer|Client.*Statement)' OR s.name ~ '^luuid[.]')
    LOOP
        PERFORM set_config(name, value, true);
        EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET %I FROM CURRENT', current_database(), name);
    END LOOP;
    EXECUTE format('ALTER ROLE CURRENT_USER IN DATABASE %I SET search_path = test, public', current_database());
END
$$;
\c -
SET timezone = 'UTC';
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS luuid;
RESET client_min_messages;

-- Queries of plain uuid columns before the extension exists: every kind of plan that uses an operator family.
CREATE TABLE plain WITH (autovacuum_enabled = off) AS SELECT encode(substr(sha256(n::text::bytea), 1, 16), 'hex')::uuid AS id,
    encode(substr(sha256((n % 500)::text::bytea), 1, 16), 'hex')::uuid AS other FROM generate_series(1, 2000) AS n;
CREATE INDEX plain_id ON plain (id);
CREATE INDEX plain_hash ON plain USING hash (other);
CREATE TABLE plain_parts (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE plain_low PARTITION OF plain_parts FOR VALUES FROM (MINVALUE) TO ('80000000-0000-0000-0000-000000000000');
CREATE TABLE plain_high PARTITION OF plain_parts FOR VALUES FROM ('80000000-0000-0000-0000-000000000000') TO (MAXVALUE);
CREATE TABLE plain_times (at timestamptz) PARTITION BY RANGE (at);
CREATE TABLE plain_time PARTITION OF plain_times DEFAULT;
VACUUM ANALYZE plain, plain_parts;

CREATE TABLE way (n int PRIMARY KEY, without text, query text);
INSERT INTO way VALUES
    (1, '', 'SELECT * FROM plain ORDER BY id'), (2, '', 'SELECT * FROM plain ORDER BY other, id DESC'),
    (3, 'hashjoin nestloop', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (4, 'mergejoin nestloop', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (5, 'mergejoin hashjoin', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (6, 'seqscan', 'SELECT * FROM plain WHERE id = ''6b86b273-ff34-fce1-9d6b-804eff5a3f57'''),
    (7, 'seqscan', 'SELECT * FROM plain WHERE id > ''f0000000-0000-0000-0000-000000000000'' ORDER BY id DESC LIMIT 10'),
    (8, 'seqscan', 'SELECT * FROM plain WHERE other = ''6b86b273-ff34-fce1-9d6b-804eff5a3f57'' ORDER BY id'),
    (9, 'seqscan', 'SELECT * FROM plain WHERE id = ANY (''{6b86b273-ff34-fce1-9d6b-804eff5a3f57}''::uuid[])'),
    (10, 'hashagg', 'SELECT other, count(*) FROM plain GROUP BY other ORDER BY other'),
    (11, 'sort', 'SELECT other, count(*) FROM plain GROUP BY other'), (12, '', 'SELECT count(DISTINCT other) FROM plain'),
    (13, 'sort', 'SELECT other FROM plain INTERSECT SELECT id FROM plain'),
    (14, '', 'SELECT * FROM plain WHERE other NOT IN (SELECT id FROM plain)'),
    (15, '', 'SELECT DISTINCT ON (other) * FROM plain ORDER BY other, id'),
    (16, '', 'SELECT id, row_number() OVER (PARTITION BY other ORDER BY id) FROM plain'),
    (17, '', 'SELECT * FROM plain_parts WHERE id < ''10000000-0000-0000-0000-000000000000'''),
    (18, '', 'SELECT * FROM plain_parts ORDER BY id'),
    (19, 'hashjoin nestloop', 'SELECT * FROM plain AS a, plain AS b, plain AS c WHERE a.id = b.other AND b.other = c.id'),
    (20, '', 'SELECT a.id FROM plain AS a FULL JOIN plain AS b ON a.id = b.other WHERE a.other = b.id OR a.id IS NULL'),
    (21, '', 'SELECT * FROM plain_times WHERE at = ''2026-01-01'' OR at <@ tstzrange(''2026-05-01'', ''2026-06-01'')');
-- The plan of each with costs, and a fingerprint of its rows in order.
CREATE FUNCTION ways() RETURNS TABLE (n int, plan text, rows text) LANGUAGE plpgsql AS $$
DECLARE
    step record;
BEGIN
    FOR step IN SELECT * FROM way ORDER BY way.n LOOP
        n := step.n;
        PERFORM set_config('enable_' || kind, 'off', true) FROM string_to_table(step.without, ' ') AS kind;
        EXECUTE 'EXPLAIN (VERBOSE, FORMAT JSON) ' || step.query INTO plan;
        EXECUTE format('SELECT count(*) || '' '' || coalesce(md5(string_agg(q::text, '';'')), '''') FROM (%s) AS q', step.query) INTO rows;
        PERFORM set_config('enable_' || kind, 'on', true) FROM string_to_table(step.without, ' ') AS kind;
        RETURN NEXT;
    END LOOP;
END
$$;
CREATE TABLE before AS SELECT * FROM ways();
SELECT count(*) AS ways, count(DISTINCT plan) AS plans, bool_and(rows ~ '^[0-9]') AS each_has_rows FROM before;
-- The type of an untyped literal or parameter beside each core type, on either side of every operator whose name the extension uses.
CREATE FUNCTION readings() RETURNS TABLE (operator text, type regtype, readings text) LANGUAGE plpgsql AS $$
DECLARE
    side text;
BEGIN
    FOR operator, type, side IN SELECT name, t.oid, said FROM pg_type AS t,
            string_to_table('= <> < <= >= > ~<~ ~<=~ ~>=~ ~>~ #<# #<=# #>=# #># <@ @>', ' ') AS name,
            unnest(ARRAY['$1 %s NULL::%s', 'NULL::%2$s %1$s $1']) AS said
        WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm') AND typname !~ 'luuid'
    LOOP
        BEGIN
            EXECUTE 'PREPARE reading AS SELECT ' || format(side, operator, type);
            SELECT left(side, 1) || parameter_types::text INTO readings FROM pg_prepared_statements WHERE name = 'reading';
            DEALLOCATE reading;
        EXCEPTION WHEN OTHERS THEN
            readings := left(side, 1) || SQLSTATE;
        END;
        RETURN NEXT;
    END LOOP;
END
$$;
CREATE TABLE readings_before AS SELECT * FROM readings();
SELECT count(*) > 1000 AS many_readings, count(*) FILTER (WHERE readings !~ '42883') > 300 AS many_accepted FROM readings_before;

CREATE VIEW objects AS SELECT 'pg_proc'::regclass AS catalog, oid FROM pg_proc UNION ALL SELECT 'pg_operator', oid FROM pg_operator
    UNION ALL SELECT 'pg_opclass', oid FROM pg_opclass UNION ALL SELECT 'pg_opfamily', oid FROM pg_opfamily
    UNION ALL SELECT 'pg_amop', oid FROM pg_amop UNION ALL SELECT 'pg_amproc', oid FROM pg_amproc
    UNION ALL SELECT 'pg_cast', oid FROM pg_cast UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typname ~ 'luuid';
CREATE TABLE objects_before AS SELECT * FROM objects;

-- With the extension: the same plans and rows, and the same type for every literal. Operators that did not exist before are left out.
CREATE EXTENSION luuid;
SELECT n AS changed_by_creation FROM (SELECT * FROM ways() EXCEPT SELECT * FROM before) AS changed;
SELECT type, readings, string_agg(operator, ' ' ORDER BY operator COLLATE "C") AS operators
FROM (SELECT * FROM readings() EXCEPT SELECT * FROM readings_before) AS changed GROUP BY type, readings ORDER BY readings COLLATE "C";
SELECT readings AS readings_before, count(*) FROM readings_before WHERE operator ~ '[#~]' AND type = 'uuid'::regtype GROUP BY readings ORDER BY 1;
SELECT tstzrange('2026-11-01', '2026-12-01') @> '[2026-11-03,2026-11-04)' AS range_in_range,
    '[2026-11-03,2026-11-04)' <@ tstzrange('2026-11-01', '2026-12-01') AS the_other_way;
SELECT pg_typeof(min(NULL)) AS min_of_null, pg_typeof(max('x')) AS max_of_literal;

-- Everything is in the schema that needs no search path.
SELECT nspname AS schema_of_luuid, extrelocatable FROM pg_extension JOIN pg_namespace AS n ON n.oid = extnamespace WHERE extname = 'luuid';
ALTER EXTENSION luuid SET SCHEMA public;

-- No name is the core's, except min and max, and operators whose meaning for luuid is the usual one.
CREATE TABLE member AS SELECT classid, objid FROM pg_depend JOIN pg_extension AS e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
    WHERE deptype = 'e' AND extname = 'luuid';
SELECT proname AS function_of_the_core FROM pg_proc WHERE proname IN (SELECT proname FROM pg_proc JOIN member ON classid = 'pg_proc'::regclass AND objid = oid)
    AND oid NOT IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass) GROUP BY proname ORDER BY proname;
SELECT oid::regoperator AS operator_of_the_core FROM pg_operator AS ours JOIN member ON classid = 'pg_operator'::regclass AND objid = ours.oid
WHERE 'luuid'::regtype NOT IN (oprleft, oprright)
    AND EXISTS (SELECT FROM pg_operator AS theirs WHERE theirs.oprname = ours.oprname AND theirs.oid <> ours.oid);
SELECT typname AS type_of_the_core FROM pg_type AS ours JOIN member ON classid = 'pg_type'::regclass AND objid = ours.oid
WHERE EXISTS (SELECT FROM pg_type AS theirs WHERE theirs.typname = ours.typname AND theirs.oid <> ours.oid);

-- Dropped, it leaves nothing behind.
DROP EXTENSION luuid;
SELECT catalog AS left_in, oid AS left_behind FROM objects EXCEPT SELECT * FROM objects_before;
SELECT n AS changed_by_removal FROM (SELECT * FROM ways() EXCEPT SELECT * FROM before) AS changed;
DROP VIEW objects;
DROP TABLE plain, plain_parts, plain_times, before, objects_before, readings_before, way, member;
DROP FUNCTION ways(), readings();

-- For the tests that follow.
CREATE EXTENSION luuid;
