-- The second extension: luuid in GiST and GIN indexes, with the functions that btree_gist and btree_gin have for uuid.
-- This test is for the declarations of its script, not for the module.
\a \pset footer off \set ECHO errors
CALL begin_test();
SET client_min_messages = warning;
-- Install it in two steps, as after pg_upgrade from an earlier server.
CREATE EXTENSION luuid_contrib VERSION '1.0' CASCADE;
ALTER EXTENSION luuid_contrib UPDATE;
RESET client_min_messages;
-- Its version is the one for this server. Every object is parallel safe, immutable, strict and in pg_catalog, and has a
-- comment, except the array type, and functions, which are of a class or type that has one.
SELECT extversion = CASE WHEN current_setting('server_version_num')::int < 180000 THEN '1.0' ELSE '1.1' END AS version
FROM pg_extension WHERE extname = 'luuid_contrib';
SELECT object AS uncommented FROM member WHERE extname = 'luuid_contrib' AND classid <> 'pg_proc'::regclass AND comment IS NULL;
SELECT object AS elsewhere FROM member
WHERE extname = 'luuid_contrib' AND (pg_identify_object(classid, objid, 0)).schema IS DISTINCT FROM 'pg_catalog';
SELECT signature AS marked_otherwise FROM function
WHERE extname = 'luuid_contrib' AND (proparallel = 's' AND provolatile = 'i' AND proisstrict AND NOT proleakproof) IS NOT TRUE;
-- Every function of the extension is in a contrib library.
SELECT DISTINCT probin FROM function WHERE extname = 'luuid_contrib' ORDER BY 1;
SELECT amname, opcname, opcintype::regtype, opcdefault, opckeytype::regtype, amvalidate(oid) FROM class
WHERE extname = 'luuid_contrib' ORDER BY amname;
SELECT amname, amopstrategy AS n, string_agg(amopopr::regoperator::text, ' ' ORDER BY amopopr::regoperator::text COLLATE "C") AS operators
FROM pg_amop JOIN family AS f ON f.oid = amopfamily WHERE extname = 'luuid_contrib' GROUP BY 1, 2 ORDER BY 1, 2;
-- An index of either kind gives the rows of a sequential scan: each operator of the classes, with a luuid and a uuid on
-- the right, for every edge value.
CREATE TABLE kept AS SELECT id, place FROM ids;
VACUUM ANALYZE kept;
CREATE VIEW answered AS SELECT operator, type, id AS value,
    answer(format('SELECT count(*) || '' '' || coalesce(sum(place), 0) FROM kept WHERE id %s %L::%s', operator, id, type))
FROM unnest(ARRAY['=', '<>', '~<~', '~<=~', '~>=~', '~>~']) AS operator, unnest(ARRAY['luuid', 'uuid']) AS type, hard
WHERE place % 11 = 0 OR place = 1;
CALL plan_without('bitmapscan', 'indexscan');
CREATE TABLE truth AS TABLE answered;
SELECT count(*) > 300 AS answers, count(*) FILTER (WHERE answer !~ '^0') > 250 AS many FROM truth;
CREATE VIEW by_index AS SELECT count(*) FILTER (WHERE plan_says('Index.*kept_gi', format('SELECT FROM kept WHERE id %s %L', operator, value)) > 0)
    AS operators FROM (SELECT operator, min(value) AS value FROM truth WHERE operator <> '<>' GROUP BY operator) AS o;
CALL plan_without('seqscan');
CREATE INDEX kept_gist ON kept USING gist (id);
SELECT operators, (SELECT count(*) FROM (TABLE answered EXCEPT TABLE truth) AS d) AS differ FROM by_index;
-- Index-only scans return the id. The chronological order is not in these classes.
SELECT plan_says('Index Only Scan', $$SELECT id FROM kept WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'$$) AS only_index,
    plan_says('Index Cond', $$SELECT FROM kept WHERE id < luuid_floor('2026-11-01')$$) AS by_time;
SELECT count(*) AS missing FROM ids WHERE NOT EXISTS (SELECT id FROM kept WHERE kept.id = ids.id OFFSET 0);
DROP INDEX kept_gist;
CREATE INDEX kept_gin ON kept USING gin (id, (ARRAY[place % 7]));
SELECT operators, (SELECT count(*) FROM (TABLE answered EXCEPT TABLE truth) AS d) AS differ FROM by_index;
SELECT count(*) AS beside_an_array FROM ids, LATERAL (SELECT FROM kept
    WHERE kept.id = ids.u AND ARRAY[kept.place % 7] @> ARRAY[ids.place % 7] OFFSET 0) AS k WHERE place <= 100;
CALL plan_without();
-- Exclusion constraints: one booking of an item at a time, and one item in a place at a time. ids that differ in one bit
-- are not equal, whatever their times.
CREATE TABLE booking (item luuid, during tstzrange, EXCLUDE USING gist (item WITH =, during WITH &&));
CREATE TABLE visit (place int, guest luuid, during tstzrange, EXCLUDE USING gist (place WITH =, guest WITH <>, during WITH &&));
INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
    ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03,2026-11-04)'), ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)');
INSERT INTO visit VALUES (1, '20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
    (1, '20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-05)'), (2, '20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-05)');
-- The chronological order has no such constraint. The extensions that this requires cannot be dropped before it.
SELECT state, message FROM cases($$INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-05)');
    INSERT INTO visit VALUES (1, '20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-04,2026-11-06)');
    CREATE TABLE none (id luuid, EXCLUDE USING gist (id WITH <)); DROP EXTENSION btree_gist; DROP EXTENSION luuid$$), refusal(said);
-- A key WITHOUT OVERLAPS and a foreign key to it: from 18 on; earlier servers report a syntax error.
CREATE FUNCTION states(VARIADIC statements text[]) RETURNS text LANGUAGE sql AS
    $$ SELECT string_agg((refusal(said)).state, ' ' ORDER BY n) FROM unnest(statements) WITH ORDINALITY AS s (said, n) $$;
SELECT states('CREATE TABLE price (id luuid, during daterange, PRIMARY KEY (id, during WITHOUT OVERLAPS))',
    'CREATE TABLE sale (id luuid, during daterange, FOREIGN KEY (id, PERIOD during) REFERENCES price (id, PERIOD during))',
    $$INSERT INTO price VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
        ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03,2026-11-05)'), ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)')$$,
    $$INSERT INTO sale VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)')$$,
    $$INSERT INTO price VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)')$$,
    $$INSERT INTO sale VALUES ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)')$$) = CASE
    WHEN current_setting('server_version_num')::int < 180000 THEN '42601 42601 42P01 42P01 42P01 42P01'
    ELSE 'accepted accepted accepted accepted 23P01 23503' END AS overlaps_are_refused;
SET client_min_messages = error;
DROP TABLE IF EXISTS sale, price;
RESET client_min_messages;
-- A uuid column keeps contrib's own class.
CREATE TABLE plain (id uuid);
CREATE INDEX plain_gist ON plain USING gist (id);
CREATE INDEX plain_gin ON plain USING gin (id);
SELECT relname, opcname FROM pg_index AS i JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_opclass AS o ON o.oid = indclass[0]
WHERE indrelid = 'plain'::regclass ORDER BY relname COLLATE "C";
-- Without it, everything is as before.
DROP TABLE kept, booking, visit, plain;
DROP EXTENSION luuid_contrib, btree_gist, btree_gin;
SELECT proname AS left_behind FROM pg_proc WHERE proname ~ 'luuid_gi' UNION ALL SELECT typname FROM pg_type WHERE typname ~ 'luuid_gi'
UNION ALL SELECT opfname FROM pg_opfamily AS f JOIN pg_am AS a ON a.oid = opfmethod WHERE opfname ~ 'luuid' AND amname ~ '^gi';
