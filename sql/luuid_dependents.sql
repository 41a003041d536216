-- Names what depends on luuid, with the statement that drops it if there is one: what the current
-- user and the roles whose rights it has own, and what is in the way of their columns. It changes
-- nothing. luuid_removal.sql ends with it. By the search_path, every name is one of pg_catalog.
\set ON_ERROR_STOP on
\set QUIET on
BEGIN READ ONLY;
SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
    types CONSTANT oid[] := ARRAY['luuid', 'luuid[]', 'luuid_slice', 'luuid_slice[]']::regtype[];
    lines text;
BEGIN
    PERFORM set_config('quote_all_identifiers', 'off', true);
    WITH member AS (
        SELECT classid, objid FROM pg_depend JOIN pg_extension ON refobjid = oid
        WHERE refclassid = 'pg_extension'::regclass AND deptype = 'e'
            AND extname IN ('luuid', 'luuid_contrib')
        UNION ALL SELECT 'pg_type'::regclass, unnest(types)
    ), col AS (
        SELECT attrelid, attnum, attname, atttypid, relkind, reloftype, relpartbound
        FROM pg_class JOIN pg_attribute ON attrelid = oid
        WHERE relkind IN ('r', 'p', 'f', 'c') AND atttypid = ANY (types)
            AND pg_has_role(relowner, 'USAGE')
    ), follower (classid, objid) AS (  -- ALTER TABLE changes it too: as in luuid_removal.sql
        SELECT 'pg_attrdef'::regclass, oid FROM pg_attrdef
        JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum) WHERE attgenerated = ''
        UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM pg_index
        WHERE num_nulls(indexprs, indpred) = 2
        UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint
        WHERE contype IN ('p', 'u', 'n')
    ), on_column AS (
        SELECT attrelid, attnum, classid, objid, objsubid FROM col JOIN pg_depend
            ON (refclassid, refobjid, refobjsubid) = ('pg_class'::regclass, attrelid, attnum)
        WHERE (classid, objid) NOT IN (TABLE follower)
    ), expression (classid, objid, tree) AS (
        SELECT 'pg_attrdef'::regclass, oid, adbin::text FROM pg_attrdef
        UNION ALL SELECT 'pg_class'::regclass, indexrelid, concat(indexprs, indpred) FROM pg_index
        UNION ALL SELECT 'pg_constraint'::regclass, oid, conbin::text FROM pg_constraint
        UNION ALL SELECT 'pg_policy'::regclass, oid, concat(polqual, polwithcheck) FROM pg_policy
        UNION ALL SELECT 'pg_proc'::regclass, oid, concat(proargdefaults, prosqlbody) FROM pg_proc
        UNION ALL SELECT 'pg_rewrite'::regclass, oid, concat(ev_qual, ev_action) FROM pg_rewrite
        UNION ALL SELECT 'pg_trigger'::regclass, oid, tgqual::text FROM pg_trigger
        UNION ALL SELECT 'pg_type'::regclass, oid, typdefaultbin::text FROM pg_type
    ), found AS (  -- pg_depend knows nothing of the type of ARRAY[]::luuid[]: the expression does
        SELECT classid, objid FROM expression
        WHERE tree ~ format(':[a-z_]*typ[a-z]* (%s) ', array_to_string(types, '|'))
        UNION SELECT d.classid, d.objid FROM pg_depend AS d
        JOIN member AS m ON (refclassid, refobjid) = (m.classid, m.objid)
        WHERE objsubid = 0 AND deptype <> 'i'
        UNION SELECT classid, objid FROM on_column
        EXCEPT SELECT classid, objid FROM member
    ), owned (classid, objid, owner, relation, kind) AS (
        SELECT classid, objid, relowner, oid, relkind FROM pg_depend JOIN pg_class ON oid = refobjid
        WHERE refclassid = 'pg_class'::regclass AND deptype IN ('a', 'i')
        UNION SELECT 'pg_class'::regclass, oid, relowner, oid, relkind FROM pg_class
        WHERE relkind = 'p'
        UNION SELECT 'pg_type'::regclass, oid, typowner, NULL, NULL FROM pg_type
        UNION SELECT 'pg_proc'::regclass, oid, proowner, NULL, NULL FROM pg_proc
        UNION SELECT 'pg_constraint'::regclass, c.oid, typowner, NULL, NULL
        FROM pg_constraint AS c JOIN pg_type AS t ON t.oid = contypid
    )
    SELECT string_agg(line, chr(10) ORDER BY line) INTO lines FROM (
        SELECT concat_ws(': ', 'luuid stays in '
            || pg_describe_object('pg_class'::regclass, attrelid, attnum),
            (SELECT string_agg(coalesce(substring(word FROM  -- bounds of partitions as times
                '^[0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8}$')::luuid::timestamptz::text, word),
                '''') FROM string_to_table(pg_get_expr(relpartbound, attrelid), '''') AS word),
            CASE relkind WHEN 'p' THEN 'PARTITION BY ' || pg_get_partkeydef(attrelid) END,
            (SELECT 'inheritance of ' || string_agg(inhrelid::regclass::text, ', ')
                FROM pg_inherits JOIN pg_class AS c ON oid = inhparent AND c.relkind = 'r'
                WHERE attrelid IN (inhrelid, inhparent)),
            'OF ' || nullif(reloftype, 0)::regtype,
            what,
            format(CASE
                WHEN relkind = 'f' THEN 'ALTER FOREIGN TABLE %s ALTER %I TYPE %s;'
                WHEN relkind = 'c' THEN 'ALTER TYPE %s ALTER ATTRIBUTE %I TYPE %s CASCADE;'
                WHEN atttypid IN (types[3], types[4]) THEN 'ALTER TABLE %s ALTER %I TYPE %s;' END,
                attrelid::regclass, attname, replace(replace(atttypid::regtype::text,
                    'luuid_slice', 'tstzrange'), 'luuid', 'uuid')))
        FROM col LEFT JOIN (
            SELECT attrelid, attnum,
                string_agg(DISTINCT pg_describe_object(classid, objid, objsubid), ', ') AS what
            FROM on_column GROUP BY attrelid, attnum) AS o USING (attrelid, attnum)
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0) || ' depends on luuid'
            || CASE owner WHEN quote_ident(current_user)::regrole THEN ''
                ELSE ', of role ' || owner::regrole END
            || coalesce(': ' || format(CASE type
                WHEN 'default value' THEN CASE attgenerated
                    WHEN '' THEN 'ALTER TABLE %1$s ALTER %4$I DROP DEFAULT;'
                    WHEN 's' THEN 'ALTER TABLE %1$s ALTER %4$I DROP EXPRESSION;' END
                WHEN 'domain constraint' THEN 'ALTER DOMAIN %5$s DROP CONSTRAINT %6$I;'
                WHEN 'index' THEN 'DROP INDEX %2$I.%3$I;'
                WHEN 'policy' THEN 'DROP POLICY %4$I ON %1$s;'
                WHEN 'rule' THEN CASE kind
                    WHEN 'v' THEN 'DROP VIEW %1$s;'
                    WHEN 'm' THEN 'DROP MATERIALIZED VIEW %1$s;'
                    ELSE 'DROP RULE %4$I ON %1$s;' END
                WHEN 'statistics object' THEN 'DROP STATISTICS %2$I.%3$I;'
                WHEN 'table constraint' THEN 'ALTER TABLE %1$s DROP CONSTRAINT %4$I;'
                WHEN 'trigger' THEN 'DROP TRIGGER %4$I ON %1$s;' END,
                relation::regclass, names[1], names[2], names[3], contypid::regtype, conname), '')
        FROM found JOIN owned USING (classid, objid)
        LEFT JOIN pg_constraint AS c ON classid = 'pg_constraint'::regclass AND c.oid = objid
        LEFT JOIN pg_class AS target ON target.oid = confrelid
        LEFT JOIN pg_attrdef AS d ON classid = 'pg_attrdef'::regclass AND d.oid = objid
        LEFT JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum),
            pg_identify_object_as_address(classid, objid, 0) AS a (type, names, arguments)
        WHERE (pg_has_role(owner, 'USAGE')
                OR (classid, objid) IN (SELECT classid, objid FROM on_column))
            AND NOT EXISTS (SELECT FROM member AS m
                WHERE m.classid = 'pg_class'::regclass AND m.objid = relation)
            AND (classid NOT IN ('pg_class'::regclass, 'pg_attrdef'::regclass)
                OR (classid, objid) IN (SELECT classid, objid FROM on_column)
                OR relation NOT IN (SELECT attrelid FROM col))
            AND coalesce(coninhcount, 0) = 0  -- not what is dropped with that of a parent
            AND NOT EXISTS (SELECT FROM pg_depend AS p
                WHERE deptype = 'P' AND (p.classid, p.objid) = (found.classid, found.objid))
            AND (target.oid IS NULL OR target.relowner <> owner OR 'p' IN (kind, target.relkind))
    ) AS l (line);
    IF lines IS NOT NULL THEN
        RAISE INFO '%', lines;
    END IF;
END $$;
COMMIT;
