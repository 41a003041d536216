-- Lists what in this database depends on luuid, and changes nothing. luuid_removal.sql goes by the same list.
--
--   psql -X -f luuid_dependents.sql DATABASE
--
--   first     its owner has to drop it first, and to write it again without luuid; or it is in the way
--   changes   it stays, and no longer means the same
--   convert   luuid_removal.sql converts it; a default that calls luuid is dropped
\set QUIET on
SET search_path = pg_catalog, pg_temp;  -- definitions get qualified names, and no operator of a user is called
SET client_min_messages = warning;

CREATE TEMP VIEW member AS  -- what the extensions consist of
SELECT classid, objid FROM pg_depend JOIN pg_extension AS e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
WHERE deptype = 'e' AND extname IN ('luuid', 'luuid_contrib')
UNION SELECT 'pg_type'::regclass, typarray FROM pg_type WHERE oid = to_regtype('pg_catalog.luuid')
UNION SELECT 'pg_extension'::regclass, oid FROM pg_extension WHERE extname IN ('luuid', 'luuid_contrib');

CREATE TEMP VIEW id_column AS  -- columns that become uuid or uuid[]
SELECT attrelid, attnum, attname, attislocal, CASE atttypid WHEN luuid.oid THEN 'uuid' ELSE 'uuid[]' END AS type
FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid JOIN pg_type AS luuid ON luuid.oid = to_regtype('pg_catalog.luuid')
WHERE relkind IN ('r', 'p') AND relpersistence <> 't' AND attnum > 0 AND NOT attisdropped AND atttypid IN (luuid.oid, typarray);

-- Partitioned tables whose key depends on luuid. They are created anew, since the type of a key cannot change. The word
-- luuid_byte_ops is taken out of a key that has it as often as it has the class: then each of the words is the class.
CREATE TEMP VIEW parted AS
SELECT partrelid, regexp_replace(key, ' luuid_byte_ops\M', '', 'g') AS new_key,
    partexprs IS NULL AND bytes = (SELECT count(*) FROM regexp_matches(key, ' luuid_byte_ops\M', 'g'))
        AND key !~ 'luuid_ops|uuid_time_ops' AND NOT (partstrat = 'r' AND by_time)
        -- What CREATE TABLE (LIKE) does not copy.
        AND NOT relispartition AND relreplident = 'd' AND reltablespace = 0 AND relpersistence = 'p'
        AND NOT relrowsecurity AND NOT relforcerowsecurity
        AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = partrelid AND attnum > 0
            AND (attacl IS NOT NULL OR attstattarget >= 0
            -- The server's own mark, from 15.20 on, is not the user's option.
            OR EXISTS (SELECT FROM unnest(attoptions) AS option WHERE option !~ '^pg_attver='))) AS is_convertible
FROM pg_partitioned_table JOIN pg_class AS c ON c.oid = partrelid, pg_get_partkeydef(partrelid) AS key, LATERAL (
    SELECT count(*) FILTER (WHERE opcname = 'luuid_byte_ops') AS bytes, bool_or(opcname <> 'luuid_byte_ops') AS by_time
    FROM unnest(partclass::oid[]) AS class (oid) JOIN pg_opclass USING (oid) JOIN member ON classid = 'pg_opclass'::regclass AND objid = oid
) AS classes
WHERE EXISTS (SELECT FROM pg_depend AS d JOIN member AS m ON m.classid = refclassid AND m.objid = refobjid
    WHERE d.classid = 'pg_class'::regclass AND d.objid = partrelid AND objsubid = 0);

-- What depends on these directly, and on which of them. What depends on a view is found when the view is gone.
CREATE TEMP VIEW dependent AS
WITH root (kind, classid, objid, objsubid) AS (
    SELECT CASE classid WHEN 'pg_opclass'::regclass THEN 'class' WHEN 'pg_type'::regclass THEN 'type' ELSE 'function' END, classid, objid, 0
    FROM member
    UNION ALL SELECT 'column', 'pg_class'::regclass, attrelid, attnum FROM id_column
    UNION ALL SELECT 'new table', 'pg_class'::regclass, partrelid, 0 FROM parted
    UNION ALL SELECT DISTINCT 'row type', 'pg_type'::regclass, unnest(ARRAY[t.oid, typarray]), 0 FROM id_column JOIN pg_type AS t ON typrelid = attrelid
)
SELECT d.classid, d.objid, d.objsubid, array_agg(DISTINCT kind) AS roots
FROM root AS r JOIN pg_depend AS d ON refclassid = r.classid AND refobjid = r.objid AND r.objsubid IN (0, refobjsubid)
WHERE (deptype IN ('n', 'a') OR kind = 'new table' AND d.classid = 'pg_class'::regclass AND d.objid IN (SELECT seqrelid FROM pg_sequence))
    AND d.classid NOT IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
    AND NOT EXISTS (SELECT FROM member AS m LEFT JOIN pg_rewrite AS rule ON m.classid = 'pg_class'::regclass AND ev_class = m.objid
        WHERE m.classid = d.classid AND m.objid = d.objid OR d.classid = 'pg_rewrite'::regclass AND rule.oid = d.objid)
GROUP BY d.classid, d.objid, d.objsubid;

-- The list to which each belongs. NULL is for what goes by another object, as the index of a constraint, or stays as it is.
CREATE TEMP VIEW judged AS
-- ALTER TABLE ... TYPE rebuilds an index if it has neither an expression, nor a predicate that calls something, nor a
-- class that uuid lacks.
SELECT d.*, pg_get_indexdef(i.indexrelid) AS definition, CASE
    WHEN con.oid IS NOT NULL THEN NULL
    WHEN indexprs IS NULL AND NOT EXISTS (SELECT FROM pg_depend AS x WHERE x.classid = d.classid AND x.objid = d.objid
            AND refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass))
        AND NOT EXISTS (SELECT FROM pg_opclass WHERE oid = ANY (indclass::oid[]) AND NOT opcdefault)
        AND roots && '{column,"new table"}' AND (partrelid IS NULL OR c.reltablespace = 0) THEN 'convert'
    ELSE 'first' END AS list
FROM dependent AS d JOIN pg_index AS i ON d.classid = 'pg_class'::regclass AND indexrelid = d.objid JOIN pg_class AS c ON c.oid = indexrelid
    LEFT JOIN parted ON partrelid = indrelid LEFT JOIN pg_constraint AS con ON conindid = indexrelid AND contype IN ('p', 'u', 'x')
UNION ALL
SELECT d.*, pg_get_constraintdef(con.oid), CASE
    WHEN contype = 'n' OR contype = 'c' AND roots = '{"new table"}' OR contype = 'f' AND conparentid <> 0 THEN NULL
    WHEN contype = 'f' AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = con.oid AND tgenabled <> 'O') THEN 'convert'
    WHEN contype IN ('p', 'u') AND (partrelid IS NULL OR reloptions IS NULL AND reltablespace = 0) THEN 'convert'
    ELSE 'first' END
FROM dependent AS d JOIN pg_constraint AS con ON d.classid = 'pg_constraint'::regclass AND con.oid = d.objid
    LEFT JOIN pg_class AS c ON c.oid = conindid LEFT JOIN parted ON partrelid = conrelid
UNION ALL
SELECT d.*, pg_get_expr(adbin, adrelid), CASE
    WHEN attgenerated <> '' THEN CASE WHEN roots <> '{"new table"}' THEN 'first' END
    WHEN 'function' = ANY (roots) OR adbin::text ~ (':consttype ' || to_regtype('pg_catalog.luuid')::oid || ' ') THEN 'convert' END
FROM dependent AS d JOIN pg_attrdef AS a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid
    JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
UNION ALL
SELECT d.*, CASE d.objsubid WHEN 0 THEN pg_get_partkeydef(partrelid) END, CASE
    WHEN i.attnum IS NOT NULL OR is_convertible AND d.objsubid = 0 AND NOT 'function' = ANY (roots) THEN 'convert'
    WHEN relkind IN ('v', 'm') OR d.objsubid = 0 AND relispartition AND partrelid IS NULL THEN NULL
    ELSE 'first' END
FROM dependent AS d JOIN pg_class AS c ON d.classid = 'pg_class'::regclass AND c.oid = d.objid AND relkind NOT IN ('i', 'I')
    LEFT JOIN id_column AS i ON i.attrelid = c.oid AND i.attnum = d.objsubid LEFT JOIN parted ON partrelid = c.oid
UNION ALL
SELECT d.*, CASE d.classid
    WHEN 'pg_rewrite'::regclass THEN coalesce((SELECT pg_get_viewdef(ev_class) FROM pg_rewrite WHERE oid = d.objid AND rulename = '_RETURN'),
        pg_get_ruledef(d.objid))
    WHEN 'pg_proc'::regclass THEN (SELECT pg_get_functiondef(oid) FROM pg_proc WHERE oid = d.objid AND prokind <> 'a')
    WHEN 'pg_trigger'::regclass THEN pg_get_triggerdef(d.objid)
    WHEN 'pg_statistic_ext'::regclass THEN pg_get_statisticsobjdef(d.objid)
    WHEN 'pg_policy'::regclass THEN (SELECT concat_ws(' WITH CHECK ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid))
        FROM pg_policy WHERE oid = d.objid) END, 'first'
FROM dependent AS d WHERE classid NOT IN ('pg_class'::regclass, 'pg_constraint'::regclass, 'pg_attrdef'::regclass);

CREATE TEMP VIEW luuid_dependents AS
SELECT DISTINCT list, pg_describe_object(classid, objid, objsubid) AS object, array_to_string(roots, ', ') AS depends_on, definition
FROM judged WHERE list IS NOT NULL
-- The planner calls functions and operators of checks where a partition is attached. A table with uuid[] is rewritten, with all indexes.
UNION ALL
SELECT DISTINCT 'first', pg_describe_object(d.classid, d.objid, 0), 'a function that would be called',
    coalesce(pg_get_constraintdef(con.oid), pg_get_indexdef(indexrelid))
FROM pg_depend AS d LEFT JOIN pg_constraint AS con ON d.classid = 'pg_constraint'::regclass AND con.oid = d.objid AND contype = 'c'
        AND EXISTS (SELECT FROM parted, pg_partition_tree(partrelid) WHERE relid = conrelid)
    LEFT JOIN pg_index ON d.classid = 'pg_class'::regclass AND indexrelid = d.objid
        AND indrelid IN (SELECT attrelid FROM id_column WHERE type = 'uuid[]')
WHERE refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass) AND coalesce(con.oid, indexrelid) IS NOT NULL
UNION ALL
SELECT 'first', format('subscription %I to table %s', subname, srrelid::regclass), 'new table', NULL
FROM pg_subscription_rel JOIN pg_subscription AS s ON s.oid = srsubid JOIN parted ON partrelid = srrelid
UNION ALL
SELECT 'first', format('prepared transaction %L', gid), 'locks', NULL FROM pg_prepared_xacts WHERE database = current_database()
UNION ALL
SELECT 'first', format('max_locks_per_transaction, which has to be %s at least', needed / backends + 1), 'locks', NULL
FROM (SELECT 3 * count(*) FROM pg_class AS c LEFT JOIN pg_index ON indexrelid = c.oid
        WHERE EXISTS (SELECT FROM id_column WHERE attrelid IN (c.oid, indrelid))) AS n (needed),
    LATERAL (SELECT current_setting('max_connections')::int + current_setting('max_prepared_transactions')::int) AS b (backends)
WHERE needed > current_setting('max_locks_per_transaction')::int * backends
UNION ALL
SELECT 'changes', format('%s: ORDER BY %I, comparisons and keyset pages', attrelid::regclass, attname), 'order of bytes, no longer of time', NULL
FROM id_column WHERE attislocal
UNION ALL
SELECT 'changes', pg_describe_object('pg_proc'::regclass, oid, 0), 'luuid, by a word in its body', prosrc
FROM pg_proc WHERE prosrc ~ '\mluuid(_\w+)?\M' AND pronamespace <> 'pg_catalog'::regnamespace
UNION ALL
SELECT 'changes', format('ALTER ROLE or DATABASE ... SET %s', setting), 'luuid, by name; RESET it', NULL
FROM pg_db_role_setting, unnest(setconfig) AS setting WHERE setting LIKE 'luuid.%';

SELECT * FROM luuid_dependents ORDER BY array_position(ARRAY['first', 'changes', 'convert'], list), object;
\set QUIET off
