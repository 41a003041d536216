-- Removes luuid from a database: its columns become uuid, and every row stays. Run it as a superuser, by psql:
--
--   psql -X -1 -v ON_ERROR_STOP=1 -f luuid_removal.sql DATABASE
--
-- It shows the list of luuid_dependents.sql. While that has an object to drop first, it ends with an error, which changes
-- nothing; otherwise it converts what is luuid's own. It runs, edits and replaces no code of users. Nothing is dropped by
-- CASCADE, so what the list should miss is an error too. Tables stay locked until the end.
\ir luuid_dependents.sql

DO $removal$
DECLARE
    found text;
    statement text;
BEGIN
    SELECT string_agg(object, E'\n') INTO found
    FROM (SELECT object FROM luuid_dependents WHERE list = 'first' ORDER BY object LIMIT 5) AS shown;
    IF found IS NOT NULL THEN
        RAISE EXCEPTION 'luuid cannot be removed, because other objects than columns, keys and indexes depend on it'
            USING ERRCODE = 'dependent_objects_still_exist', DETAIL = found,
            HINT = 'luuid_dependents.sql lists all that has to be dropped first, with definitions. These are the first five.';
    END IF;

    -- All that is done, in order, by the definitions of before.
    CREATE TEMP TABLE step ON COMMIT DROP AS
    WITH foreign_key AS (
        SELECT con.*, conrelid::regclass AS name FROM judged JOIN pg_constraint AS con ON con.oid = objid
        WHERE classid = 'pg_constraint'::regclass AND list = 'convert' AND contype = 'f'
    ), partition AS (
        SELECT partrelid::regclass AS parent, inhrelid::regclass AS name, pg_get_expr(relpartbound, inhrelid) AS bound
        FROM parted JOIN pg_inherits ON inhparent = partrelid JOIN pg_class AS c ON c.oid = inhrelid
    ), type_change AS (
        SELECT attrelid, string_agg(format('ALTER %I TYPE %s', attname, type), ', ') AS actions
        FROM id_column AS i
        -- An inherited column follows its parent's.
        WHERE NOT EXISTS (SELECT FROM pg_inherits JOIN id_column AS p ON p.attrelid = inhparent AND p.attname = i.attname
            WHERE inhrelid = i.attrelid AND inhparent NOT IN (SELECT partrelid FROM parted))
        GROUP BY attrelid
    ), parent AS (
        SELECT c.*, c.oid::regclass AS name, 'pg_temp.luuid_removal_' || c.oid AS copy, new_key
        FROM parted JOIN pg_class AS c ON c.oid = partrelid
    ), parent_index AS (
        SELECT c.oid, name, c.relname, pg_get_indexdef(c.oid) AS definition, format('%I.%I', c.relnamespace::regnamespace, c.relname) AS index,
            format('CREATE %sINDEX %I ON ', CASE WHEN indisunique THEN 'UNIQUE ' END, c.relname) AS head, obj_description(c.oid, 'pg_class') AS comment
        FROM parent JOIN pg_index ON indrelid = parent.oid JOIN pg_class AS c ON c.oid = indexrelid
        WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
    ), constrained AS (
        SELECT CASE contype WHEN 'f' THEN 11 ELSE 9 END AS rank, conindid, conrelid::regclass AS name, conname, pg_get_constraintdef(oid) AS definition,
            obj_description(oid, 'pg_constraint') AS comment
        FROM pg_constraint
        WHERE oid IN (SELECT oid FROM foreign_key) OR contype IN ('p', 'u') AND conrelid IN (SELECT partrelid FROM parted)
    )
    SELECT 1 AS rank, 0::oid AS turn, format('ALTER TABLE %s DROP CONSTRAINT %I', name, conname) AS command FROM foreign_key
    UNION ALL  -- ONLY, since a partition's own default is its own.
    SELECT 2, 0, format('ALTER TABLE ONLY %s ALTER %I DROP DEFAULT', adrelid::regclass, attname)
    FROM judged JOIN pg_attrdef AS a ON a.oid = objid JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
    WHERE classid = 'pg_attrdef'::regclass AND list = 'convert'
    UNION ALL
    SELECT 3, 0, format('ALTER TABLE %s DETACH PARTITION %s', parent, name) FROM partition
    UNION ALL
    SELECT 4, 0, format('CREATE TABLE %s (LIKE %s INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)', copy, name) FROM parent
    UNION ALL
    SELECT 5, 0, format('ALTER TABLE %s %s', coalesce(copy, attrelid::regclass::text), actions) FROM type_change LEFT JOIN parent ON oid = attrelid
    UNION ALL
    SELECT 6, 0, format('DROP TABLE %s; CREATE TABLE %1$s (LIKE %s INCLUDING ALL) PARTITION BY %s; DROP TABLE %2$s;', name, copy, new_key)
        || format('ALTER TABLE %s OWNER TO %s; COMMENT ON TABLE %1$s IS %3$L', name, relowner::regrole, obj_description(oid, 'pg_class'))
    FROM parent
    UNION ALL  -- The privileges of before, and none by ALTER DEFAULT PRIVILEGES.
    SELECT 7, 0, format('REVOKE ALL ON %s FROM %s', name, CASE role WHEN 0 THEN 'PUBLIC' ELSE role::regrole::text END)
    FROM parent, LATERAL (SELECT relowner UNION SELECT grantee FROM pg_default_acl, aclexplode(defaclacl)
        WHERE defaclrole = current_user::regrole AND defaclobjtype = 'r' AND defaclnamespace IN (0, relnamespace)) AS r (role)
    UNION ALL
    SELECT 8, 0, format('GRANT %s ON %s TO %s', privilege_type, name, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
        || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END
    FROM parent, aclexplode(coalesce(relacl, acldefault('r', relowner)))
    -- Not ON ONLY, by which it would stay invalid. Partitions bring their own indexes, with names and marks, which belong to
    -- the same ones as before if these are created in the same order.
    UNION ALL
    SELECT 9, oid, head || name || substr(definition, length(head || 'ONLY ' || name) + 1) || format('; COMMENT ON INDEX %s IS %L', index, comment)
    FROM parent_index
    UNION ALL
    SELECT 10, 0, format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, name, bound) FROM partition
    UNION ALL
    SELECT rank, conindid, format('ALTER TABLE %s ADD CONSTRAINT %I %s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L', name, conname, definition, comment)
    FROM constrained
    UNION ALL
    SELECT 12, 0, 'DROP EXTENSION IF EXISTS luuid_contrib; DROP EXTENSION IF EXISTS luuid';

    FOR statement IN SELECT command FROM step ORDER BY rank, turn LOOP
        EXECUTE statement;
    END LOOP;
END
$removal$;
\echo 'luuid is removed. Converted columns have no statistics yet: ANALYZE them, as by vacuumdb --analyze-only.'
