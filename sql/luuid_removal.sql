-- Changes luuid to uuid in the tables of the current user, in one transaction, and prints the columns that stay luuid, with
-- what depends on them: doc/operations.md. ALTER TABLE calls functions, as of checks, with the rights of the role that runs
-- it. So tables of other owners stay, and columns in expressions, which ALTER TABLE would parse again.
\set ON_ERROR_STOP on
BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL search_path = pg_catalog, pg_temp;
DO $$ DECLARE id oid := 'luuid'::regtype; me oid; plain oid[]; stay text[]; line text; item record; BEGIN
-- After SET ROLE, a function could RESET ROLE, and would have the rights of the role that connected.
SELECT usesysid INTO me FROM pg_stat_activity WHERE pid = pg_backend_pid() AND usename = current_user;
IF me IS NULL THEN RAISE EXCEPTION 'role % did not begin this session', current_user
    USING ERRCODE = 'insufficient_privilege'; END IF;
-- Lock the tables before reading the catalogs: an unlocked table can change, and another can take its name.
FOR line IN SELECT DISTINCT format('LOCK TABLE ONLY %s', oid::regclass) FROM pg_class, pg_attribute
    WHERE relowner = me AND relkind = 'r' AND relpersistence <> 't' AND attrelid = oid
    AND atttypid IN (id, 'uuid'::regtype) LOOP EXECUTE line; END LOOP;
plain := ARRAY(SELECT oid FROM pg_class, pg_locks WHERE oid = relation AND mode = 'AccessExclusiveLock'
    AND pid = pg_backend_pid() AND relowner = me AND relkind = 'r' AND reloftype = 0
    AND NOT EXISTS (SELECT FROM pg_inherits WHERE oid IN (inhparent, inhrelid)));
-- A schema can still be renamed. So no other role may own it or create in it, if this user has the role's rights.
FOR item IN SELECT rolname, nspname FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = relnamespace,
    pg_roles AS r WHERE c.oid = ANY (plain) AND pg_has_role(r.oid, 'USAGE') AND NOT rolsuper
    AND rolname NOT IN (current_user, 'pg_database_owner')
    AND (pg_has_role(r.oid, nspowner, 'USAGE') OR has_schema_privilege(r.oid, n.oid, 'CREATE'))
LOOP RAISE EXCEPTION 'role % can put tables in the place of those in %', item.rolname, item.nspname
    USING ERRCODE = 'insufficient_privilege'; END LOOP;
LOOP  -- Change a column on which only its default, plain indexes and keys depend, once no luuid references it.
    SELECT INTO line, stay min(format('ALTER TABLE %s ALTER %I TYPE uuid', oid::regclass, attname))
            FILTER (WHERE oid = ANY (plain) AND atttypid = id AND why IS NULL),
        array_agg(concat_ws(': ', pg_describe_object('pg_class'::regclass, oid, attnum), bounds, why))
    FROM pg_class JOIN pg_attribute ON attrelid = oid, pg_get_expr(relpartbound, oid) AS bounds, LATERAL (
    SELECT string_agg(DISTINCT concat(pg_describe_object(classid, objid, objsubid)), ', ') AS why FROM pg_depend
    WHERE refclassid = 'pg_class'::regclass AND refobjid = oid AND refobjsubid = attnum AND CASE classid
    WHEN 'pg_attrdef'::regclass THEN (SELECT adnum = attnum FROM pg_attrdef WHERE oid = objid)
    WHEN 'pg_class'::regclass THEN (SELECT num_nulls(indexprs, indpred) = 2 FROM pg_index WHERE indexrelid = objid)
    WHEN 'pg_constraint'::regclass THEN (SELECT contype IN ('p', 'u', 'n') OR ARRAY[conrelid, confrelid] <@ plain
        AND 16384 > ALL (SELECT atttypid FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)
        AND (atttypid <> id OR deptype = 'n')) FROM pg_constraint WHERE oid = objid) END IS NOT TRUE) AS d
    WHERE relowner = me AND relkind IN ('r', 'p', 'f', 'c') AND atttypid IN (id, 'luuid[]'::regtype);
    EXIT WHEN line IS NULL; EXECUTE line; END LOOP;
FOR line IN SELECT unnest(stay) LOOP  -- Shows the bounds of partitions as times.
    RAISE INFO 'luuid stays in %', (SELECT string_agg(coalesce(substring(word FROM
        '^[0-9a-f]{8}(?:-[0-9a-f]{4}){4}[0-9a-f]{8}$')::luuid::timestamptz::text, word), '''')
        FROM string_to_table(line, '''') AS word); END LOOP;
-- Defaults generate version 7 still, if the server can.
FOR line IN SELECT format('ALTER TABLE %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, coalesce(
        to_regprocedure(CASE WHEN value ~ 'v7' THEN 'uuidv7()' END)::text, 'gen_random_uuid()'))
    FROM pg_attrdef, pg_attribute, pg_get_expr(adbin, adrelid) AS value WHERE adrelid = ANY (plain)
    AND attrelid = adrelid AND attnum = adnum AND atttypid = 'uuid'::regtype
    AND value ~ '^"?luuid_generate(_v7)?"?[(][)]$' LOOP EXECUTE line; END LOOP; END $$; COMMIT;
