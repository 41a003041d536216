-- The second extension: luuid in GiST and GIN indexes, with the functions that btree_gist and btree_gin have for uuid.
-- What can break here is a declaration of its script, not a line of the module.
\a \t
CALL begin_test();
SET client_min_messages = warning;
-- As after pg_upgrade from an earlier server.
CREATE EXTENSION luuid_contrib VERSION '1.0' CASCADE;
ALTER EXTENSION luuid_contrib UPDATE;
RESET client_min_messages;

-- Its version is the one for this server. Every object is parallel safe, immutable, strict and in pg_catalog, and has a
-- comment, except the array type, and functions, which are of a class or type that has one.
SELECT extversion = CASE WHEN current_setting('server_version_num')::int < 180000 THEN '1.0' ELSE '1.1' END AS version
FROM pg_extension WHERE extname = 'luuid_contrib';
CREATE VIEW member AS
SELECT classid, objid FROM pg_depend
WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'luuid_contrib')
    AND NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type));
SELECT pg_describe_object(classid, objid, 0) AS uncommented FROM member
WHERE classid <> 'pg_proc'::regclass AND obj_description(objid, classid::regclass::name) IS NULL;
SELECT pg_describe_object(classid, objid, 0) AS elsewhere FROM member
WHERE (pg_identify_object(classid, objid, 0)).schema IS DISTINCT FROM 'pg_catalog';
SELECT p.oid::regprocedure AS marked_otherwise FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid
WHERE proparallel <> 's' OR provolatile <> 'i' OR NOT proisstrict OR proleakproof;
-- Every function of the extension is in a contrib library.
SELECT DISTINCT probin FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid ORDER BY 1;
SELECT amname, opcname, opcintype::regtype, opcdefault, opckeytype::regtype, amvalidate(c.oid)
FROM pg_opclass AS c JOIN pg_am AS a ON a.oid = opcmethod JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid
ORDER BY amname;
SELECT amname, amopstrategy AS n,
    string_agg(amopopr::regoperator::text, ' ' ORDER BY amopopr::regoperator::text COLLATE "C") AS operators
FROM pg_amop JOIN pg_opfamily AS f ON f.oid = amopfamily JOIN pg_am AS a ON a.oid = opfmethod
    JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid
GROUP BY 1, 2 ORDER BY 1, 2;

-- An index of either kind gives the rows of a sequential scan: each operator of the classes, with a luuid and a uuid on
-- the right, for every edge value.
CREATE TABLE kept AS SELECT id, place FROM ids;
CREATE INDEX kept_gist ON kept USING gist (id);
CREATE INDEX kept_gin ON kept USING gin (id);
VACUUM ANALYZE kept;
CREATE FUNCTION answers(scan text) RETURNS TABLE (operator text, type text, value luuid, n bigint, places bigint)
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('enable_seqscan', (scan = 'seqscan')::text, true);
    PERFORM set_config(name, (scan <> 'seqscan')::text, true) FROM unnest(ARRAY['enable_bitmapscan', 'enable_indexscan']) AS name;
    FOR operator, type, value IN
        SELECT o, t, id FROM unnest(ARRAY['=', '<>', '~<~', '~<=~', '~>=~', '~>~']) AS o, unnest(ARRAY['luuid', 'uuid']) AS t,
            (SELECT id FROM hard WHERE place % 11 = 0 UNION SELECT id FROM hard WHERE place = 1) AS h
    LOOP
        EXECUTE format('SELECT count(*), sum(place) FROM kept WHERE id %s %L::%s', operator, value, type) INTO n, places;
        RETURN NEXT;
    END LOOP;
END
$$;
CREATE TABLE answered AS SELECT * FROM answers('seqscan');
SELECT count(*) > 300 AS answers, count(*) FILTER (WHERE n > 0) > 250 AS many FROM answered;
DROP INDEX kept_gin;
SELECT count(*) AS differ_by_gist FROM (SELECT * FROM answers('index') EXCEPT TABLE answered) AS d;
CALL plan_without('seqscan');
SELECT count(*) AS by_index FROM (SELECT operator, min(value) AS value FROM answered WHERE operator <> '<>' GROUP BY operator) AS o
WHERE plan_says('Index', format('SELECT FROM kept WHERE id %s %L', operator, value)) > 0;
-- Index-only scans return the id.
SELECT plan_says('Index Only Scan', $$SELECT id FROM kept WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'$$) AS only_index;
SELECT count(*) AS missing FROM ids WHERE NOT EXISTS (SELECT id FROM kept WHERE kept.id = ids.id OFFSET 0);
-- The chronological order is not in these classes.
SELECT plan_says('Index Cond', $$SELECT FROM kept WHERE id < luuid_floor('2026-11-01')$$) AS by_time;
CALL plan_without();
DROP INDEX kept_gist;
CREATE INDEX kept_gin ON kept USING gin (id, (ARRAY[place % 7]));
SELECT count(*) AS differ_by_gin FROM (SELECT * FROM answers('index') EXCEPT TABLE answered) AS d;
CALL plan_without('seqscan');
SELECT count(*) AS by_index FROM (SELECT operator, min(value) AS value FROM answered WHERE operator <> '<>' GROUP BY operator) AS o
WHERE plan_says('Bitmap Index Scan on kept_gin', format('SELECT FROM kept WHERE id %s %L', operator, value)) > 0;
SELECT count(*) AS beside_an_array FROM ids, LATERAL (SELECT FROM kept
    WHERE kept.id = ids.u AND ARRAY[kept.place % 7] @> ARRAY[ids.place % 7] OFFSET 0) AS k WHERE place <= 100;
CALL plan_without();
DROP TABLE kept, answered;

-- Exclusion constraints: one booking of an item at a time, and one item in a place at a time. ids that differ in one bit
-- are not equal, whatever their times.
CREATE TABLE booking (item luuid, during tstzrange, EXCLUDE USING gist (item WITH =, during WITH &&));
CREATE TABLE visit (place int, guest luuid, during tstzrange, EXCLUDE USING gist (place WITH =, guest WITH <>, during WITH &&));
INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
    ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03,2026-11-04)'), ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)');
INSERT INTO visit VALUES (1, '20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
    (1, '20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-05)'), (2, '20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-05)');
-- The chronological order has no such constraint. The extensions that this requires cannot be dropped before it.
SELECT state, message FROM unnest(ARRAY[
    'INSERT INTO booking VALUES (''20be0ffc-314a-bd53-7a50-013a65ca76d2'', ''[2026-11-02,2026-11-05)'')',
    'INSERT INTO visit VALUES (1, ''20be0ffd-314a-bd53-7a50-013a65ca76d2'', ''[2026-11-04,2026-11-06)'')',
    'CREATE TABLE none (id luuid, EXCLUDE USING gist (id WITH <))', 'DROP EXTENSION btree_gist', 'DROP EXTENSION luuid']) AS said, refusal(said);
DROP TABLE booking, visit;

-- From 18 on, a key WITHOUT OVERLAPS and a foreign key to it; before, a syntax error.
CREATE FUNCTION overlaps_are_refused() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('server_version_num')::int < 180000 THEN
        RETURN (refusal('CREATE TABLE price (id luuid, during daterange, PRIMARY KEY (id, during WITHOUT OVERLAPS))')).state = '42601';
    END IF;
    EXECUTE 'CREATE TABLE price (id luuid, during daterange, PRIMARY KEY (id, during WITHOUT OVERLAPS))';
    EXECUTE 'CREATE TABLE sale (id luuid, during daterange,
        FOREIGN KEY (id, PERIOD during) REFERENCES price (id, PERIOD during))';
    INSERT INTO price VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)'),
        ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03,2026-11-05)'),
        ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-01,2026-11-03)');
    INSERT INTO sale VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)');
    RETURN (SELECT string_agg((refusal(query)).state, ' ') = '23P01 23503' FROM unnest(ARRAY[
        $q$INSERT INTO price VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)')$q$,
        $q$INSERT INTO sale VALUES ('20be0ffd-314a-bd53-7a50-013a65ca76d2', '[2026-11-02,2026-11-04)')$q$]) AS query);
END
$$;
SELECT overlaps_are_refused();
SET client_min_messages = error;
DROP TABLE IF EXISTS sale, price;
RESET client_min_messages;

-- A uuid column keeps contrib's own class.
CREATE TABLE plain (id uuid);
CREATE INDEX plain_gist ON plain USING gist (id);
CREATE INDEX plain_gin ON plain USING gin (id);
SELECT relname, opcname FROM pg_index AS i JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_opclass AS o ON o.oid = indclass[0]
WHERE indrelid = 'plain'::regclass ORDER BY relname COLLATE "C";
DROP TABLE plain;

-- Without it, everything is as before.
DROP EXTENSION luuid_contrib;
DROP EXTENSION btree_gist, btree_gin;
SELECT proname FROM pg_proc WHERE proname ~ 'luuid_gi' UNION ALL SELECT typname FROM pg_type WHERE typname ~ 'luuid_gi'
UNION ALL SELECT opfname FROM pg_opfamily AS f JOIN pg_am AS a ON a.oid = opfmethod WHERE opfname ~ 'luuid' AND amname ~ '^gi';
