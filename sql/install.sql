-- Installing and removing: the extension changes nothing for those who do not use it, and leaves nothing behind.
SET timezone = 'UTC';
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS luuid;
RESET client_min_messages;

-- What a table with plain uuid columns does, before there is any luuid: every way to plan it that an operator family
-- has a say in.
CREATE TABLE plain (id uuid, other uuid) WITH (autovacuum_enabled = off);
INSERT INTO plain
SELECT encode(substr(sha256(n::text::bytea), 1, 16), 'hex')::uuid,
    encode(substr(sha256((n % 500)::text::bytea), 1, 16), 'hex')::uuid
FROM generate_series(1, 2000) AS n;
CREATE INDEX plain_id ON plain (id);
CREATE INDEX plain_hash ON plain USING hash (other);
CREATE TABLE plain_parts (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE plain_low PARTITION OF plain_parts
    FOR VALUES FROM (MINVALUE) TO ('80000000-0000-0000-0000-000000000000');
CREATE TABLE plain_high PARTITION OF plain_parts
    FOR VALUES FROM ('80000000-0000-0000-0000-000000000000') TO (MAXVALUE);
VACUUM ANALYZE plain, plain_parts;

CREATE TABLE way (n int PRIMARY KEY, settings text, query text);
INSERT INTO way VALUES
    (1, '', 'SELECT * FROM plain ORDER BY id'),
    (2, '', 'SELECT * FROM plain ORDER BY other, id DESC'),
    (3, 'enable_hashjoin, enable_nestloop', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (4, 'enable_mergejoin, enable_nestloop', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (5, 'enable_mergejoin, enable_hashjoin', 'SELECT * FROM plain AS a JOIN plain AS b ON a.id = b.other ORDER BY a.id, b.id'),
    (6, 'enable_seqscan', 'SELECT * FROM plain WHERE id = ''6b86b273-ff34-fce1-9d6b-804eff5a3f57'''),
    (7, 'enable_seqscan', 'SELECT * FROM plain WHERE id > ''f0000000-0000-0000-0000-000000000000'' ORDER BY id DESC LIMIT 10'),
    (8, 'enable_seqscan', 'SELECT * FROM plain WHERE other = ''6b86b273-ff34-fce1-9d6b-804eff5a3f57'' ORDER BY id'),
    (9, 'enable_seqscan', 'SELECT * FROM plain WHERE id = ANY (''{6b86b273-ff34-fce1-9d6b-804eff5a3f57}''::uuid[])'),
    (10, 'enable_hashagg', 'SELECT other, count(*) FROM plain GROUP BY other ORDER BY other'),
    (11, 'enable_sort', 'SELECT other, count(*) FROM plain GROUP BY other'),
    (12, '', 'SELECT count(DISTINCT other) FROM plain'),
    (13, 'enable_sort', 'SELECT other FROM plain INTERSECT SELECT id FROM plain'),
    (14, '', 'SELECT * FROM plain WHERE other NOT IN (SELECT id FROM plain)'),
    (15, '', 'SELECT DISTINCT ON (other) * FROM plain ORDER BY other, id'),
    (16, '', 'SELECT id, row_number() OVER (PARTITION BY other ORDER BY id) FROM plain'),
    (17, '', 'SELECT * FROM plain_parts WHERE id < ''10000000-0000-0000-0000-000000000000'''),
    (18, '', 'SELECT * FROM plain_parts ORDER BY id'),
    (19, 'enable_hashjoin, enable_nestloop',
        'SELECT * FROM plain AS a, plain AS b, plain AS c WHERE a.id = b.other AND b.other = c.id'),
    (20, '', 'SELECT a.id FROM plain AS a FULL JOIN plain AS b ON a.id = b.other WHERE a.other = b.id OR a.id IS NULL');

-- The plan of each, with its costs, and a fingerprint of its rows in the order they come.
CREATE FUNCTION ways() RETURNS TABLE (n int, plan text, rows text) LANGUAGE plpgsql AS $$
DECLARE
    line text;
    step record;
    setting text;
BEGIN
    FOR step IN SELECT * FROM way ORDER BY way.n LOOP
        FOREACH setting IN ARRAY string_to_array(step.settings, ', ') LOOP
            EXECUTE format('SET LOCAL %s = off', setting);
        END LOOP;
        n := step.n;
        plan := '';
        FOR line IN EXECUTE 'EXPLAIN (VERBOSE) ' || step.query LOOP
            plan := plan || line || E'\n';
        END LOOP;
        EXECUTE format('SELECT count(*) || '' '' || coalesce(encode(sha256(convert_to(string_agg(q::text, '';''), ''UTF8'')), ''hex''), '''')
            FROM (%s) AS q', step.query) INTO rows;
        FOREACH setting IN ARRAY string_to_array(step.settings, ', ') LOOP
            EXECUTE format('SET LOCAL %s = on', setting);
        END LOOP;
        RETURN NEXT;
    END LOOP;
END
$$;
CREATE TABLE before AS SELECT * FROM ways();
SELECT count(*) AS ways, count(DISTINCT plan) AS plans, bool_and(rows ~ '^[0-9]') AS run FROM before;
CREATE VIEW objects AS
SELECT 'pg_proc'::regclass AS catalog, oid FROM pg_proc
UNION ALL SELECT 'pg_operator', oid FROM pg_operator
UNION ALL SELECT 'pg_opclass', oid FROM pg_opclass
UNION ALL SELECT 'pg_opfamily', oid FROM pg_opfamily
UNION ALL SELECT 'pg_amop', oid FROM pg_amop
UNION ALL SELECT 'pg_amproc', oid FROM pg_amproc
UNION ALL SELECT 'pg_cast', oid FROM pg_cast
UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typname ~ 'luuid';
CREATE TABLE objects_before AS SELECT * FROM objects;

-- With the extension, in a schema of its own that is not on the search path: the same plans, the same rows.
CREATE SCHEMA elsewhere;
CREATE EXTENSION luuid SCHEMA elsewhere;
SELECT n FROM (SELECT * FROM ways() EXCEPT SELECT * FROM before) AS changed;

-- And with it on the search path.
SET search_path = elsewhere, public;
SELECT n FROM (SELECT * FROM ways() EXCEPT SELECT * FROM before) AS changed;
RESET search_path;

-- The type works from where nobody looks for it: equality, order, time and indexes need no search path.
CREATE TABLE remote (id elsewhere.luuid PRIMARY KEY);
INSERT INTO remote VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2'),
    ('1ec9414c-232a-6b00-b3c8-9f6bdeced846') ON CONFLICT DO NOTHING;
SELECT * FROM remote ORDER BY id;
SELECT id FROM remote WHERE id OPERATOR(elsewhere.>=) timestamptz '2015-01-01';

-- Without the search path there is no luuid < luuid, rather than uuid's byte order in its place.
\set VERBOSITY terse
SELECT id FROM remote WHERE id < (SELECT max(id::uuid::text)::elsewhere.luuid FROM remote);
\set VERBOSITY default

-- Relocatable: what is stored refers to objects, not to names. Its SQL functions follow it.
CREATE SCHEMA "else where";
ALTER EXTENSION luuid SET SCHEMA "else where";
SELECT * FROM remote ORDER BY id;
SELECT id FROM remote WHERE id OPERATOR("else where".>=) timestamptz '2015-01-01';
SELECT "else where".max(id) FROM remote;

-- In use, it stays; removed, it leaves nothing behind.
DROP EXTENSION luuid;
DROP TABLE remote;
DROP EXTENSION luuid;
SELECT * FROM objects EXCEPT SELECT * FROM objects_before;
DROP SCHEMA elsewhere, "else where";
SELECT n FROM (SELECT * FROM ways() EXCEPT SELECT * FROM before) AS changed;

-- Trusted: a role that may create in a database needs no superuser to install it.
CREATE ROLE regress_luuid_tenant;
CREATE SCHEMA tenant AUTHORIZATION regress_luuid_tenant;
DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO regress_luuid_tenant', current_database()); END $$;
SET SESSION AUTHORIZATION regress_luuid_tenant;
CREATE EXTENSION luuid SCHEMA tenant;
SELECT tenant.luuid_extract_version(tenant.luuid_generate());
DROP EXTENSION luuid;
RESET SESSION AUTHORIZATION;
DROP SCHEMA tenant;
DO $$ BEGIN EXECUTE format('REVOKE CREATE ON DATABASE %I FROM regress_luuid_tenant', current_database()); END $$;
DROP ROLE regress_luuid_tenant;

DROP VIEW objects;
DROP TABLE plain, plain_parts, before, objects_before, way;
DROP FUNCTION ways();

-- For the tests that follow.
CREATE EXTENSION luuid;
