-- Changes luuid to uuid in the tables of the current user, in one transaction: doc/operations.md.
-- ALTER TABLE calls functions, as of checks, with the rights of the role that runs it. So tables of
-- other owners stay, and columns in expressions, which it would parse again.
\set ON_ERROR_STOP on
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL search_path = pg_catalog, pg_temp;
DO $$
DECLARE
    types CONSTANT oid[] := ARRAY['luuid'::regtype, 'luuid[]'::regtype];
    processes CONSTANT int := current_setting('max_connections')::int
        + current_setting('max_prepared_transactions')::int;
    me oid;
    tables oid[];  -- what is locked
    plain oid[];   -- those of them that may be changed
    needed int;    -- locks
    changes text[];
    item record;
BEGIN
    -- 1. After SET ROLE, a function could RESET ROLE, and would have the rights of the first role.
    SELECT usesysid INTO me FROM pg_stat_activity
    WHERE pid = pg_backend_pid() AND usename = current_user;
    IF me IS NULL THEN
        RAISE EXCEPTION 'role % did not begin this session', current_user
            USING ERRCODE = 'insufficient_privilege', HINT = 'Connect as that role.';
    END IF;
    -- 2. Find the tables that have to do with luuid. Count the locks that their changes take: on
    -- tables, on indexes and keys that are dropped and created, on the heap of a table with arrays.
    PERFORM set_config('quote_all_identifiers', 'off', true);
    tables := ARRAY(
        SELECT oid FROM pg_class
        WHERE relowner = me AND relkind = 'r' AND relpersistence <> 't' AND oid IN (
            SELECT attrelid FROM pg_attribute
            LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
            WHERE atttypid = ANY (types) OR pg_get_expr(adbin, adrelid) ~ 'luuid'
            UNION ALL SELECT conrelid FROM pg_constraint JOIN pg_attribute ON attrelid = confrelid
            WHERE attnum = ANY (confkey) AND atttypid = ANY (types)));
    needed := (SELECT count(*) FROM pg_locks) + cardinality(tables)
        + (SELECT 3 * count(*) FROM pg_index WHERE indrelid = ANY (tables))
        + (SELECT 2 * count(*) FROM pg_attrdef WHERE adrelid = ANY (tables))
        + (SELECT 6 * count(*) FROM pg_constraint WHERE conrelid = ANY (tables) AND contype = 'f')
        + (SELECT 8 * count(*) FROM pg_attribute
            WHERE attrelid = ANY (tables) AND atttypid = types[2]);
    IF needed > processes * current_setting('max_locks_per_transaction')::int THEN
        RAISE EXCEPTION 'the removal may take % locks, more than the server has space for', needed
            USING ERRCODE = 'configuration_limit_exceeded', HINT = format(
            'Set max_locks_per_transaction to %s, and restart the server.', needed / processes + 1);
    END IF;
    -- 3. Lock before reading more: what is not locked can change, and another can take its name.
    FOR item IN SELECT unnest(tables)::regclass AS relation LOOP
        EXECUTE format('LOCK TABLE ONLY %s', item.relation);
    END LOOP;
    plain := ARRAY(
        SELECT oid FROM pg_class
        WHERE oid = ANY (tables) AND relowner = me AND relkind = 'r' AND reloftype = 0
            AND oid IN (SELECT relation FROM pg_locks
                WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock')
            AND oid NOT IN (SELECT unnest(ARRAY[inhparent, inhrelid]) FROM pg_inherits));
    -- 4. A schema can still be renamed: by no other role whose rights this user has.
    FOR item IN
        SELECT rolname, nspname FROM pg_namespace AS n, pg_roles AS r
        WHERE n.oid IN (SELECT relnamespace FROM pg_class WHERE oid = ANY (plain))
            AND rolname NOT IN (current_user, 'pg_database_owner') AND pg_has_role(r.oid, 'USAGE')
            AND NOT rolsuper AND (pg_has_role(r.oid, nspowner, 'USAGE')
                OR has_schema_privilege(r.oid, n.oid, 'CREATE'))
    LOOP
        RAISE EXCEPTION 'role % can put tables in the place of those in %',
            item.rolname, item.nspname USING ERRCODE = 'insufficient_privilege',
            HINT = 'Give the schema or the tables another owner for the run.';
    END LOOP;
    -- 5. Choose what changes, and write one ALTER TABLE a table for each of three phases: keys are
    -- dropped, columns and defaults are changed, keys are made again. So no order has to be found.
    WITH RECURSIVE own AS (
        SELECT attrelid, attnum, attname, atttypid FROM pg_attribute
        WHERE attrelid = ANY (plain) AND atttypid = ANY (types)
    ), pair AS (  -- the columns of foreign keys, whose types bring no cast of another role
        SELECT c.oid, conname, conrelid, source, confrelid, target
        FROM pg_constraint AS c, unnest(conkey, confkey) AS u (source, target)
        WHERE contype = 'f' AND conrelid = ANY (plain) AND confrelid = ANY (plain) AND NOT EXISTS (
            SELECT FROM (VALUES (conrelid, conkey), (confrelid, confkey)) AS s (relation, numbers)
            JOIN pg_attribute ON attrelid = relation AND attnum = ANY (numbers)
            WHERE atttypid >= 16384 AND atttypid <> ALL (types))
    ), follower (classid, objid) AS (  -- what ALTER TABLE changes with a column, or step 5 drops
        SELECT 'pg_attrdef'::regclass, oid FROM pg_attrdef
        JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum) WHERE attgenerated = ''
        UNION ALL SELECT 'pg_class'::regclass, indexrelid FROM pg_index
        WHERE num_nulls(indexprs, indpred) = 2
        UNION ALL SELECT 'pg_constraint'::regclass, oid FROM pg_constraint
        WHERE contype IN ('p', 'u', 'n') OR oid IN (SELECT oid FROM pair)
    ), held AS (  -- what more depends on, and what such a column references
        SELECT attrelid, attnum FROM own JOIN pg_depend
            ON (refclassid, refobjid, refobjsubid) = ('pg_class'::regclass, attrelid, attnum)
        WHERE (classid, objid) NOT IN (TABLE follower)
        UNION SELECT confrelid, target FROM held
        JOIN pair ON (conrelid, source) = (attrelid, attnum)
    ), changed AS (
        SELECT attrelid, attnum FROM own EXCEPT SELECT attrelid, attnum FROM held
    ), key AS (
        SELECT DISTINCT oid, conname, conrelid FROM pair
        WHERE (conrelid, source) IN (TABLE changed) OR (confrelid, target) IN (TABLE changed)
    ), clause (phase, relation, clause) AS (
        SELECT 1, conrelid, format('DROP CONSTRAINT %I', conname) FROM key
        UNION ALL SELECT 2, attrelid, format('ALTER %I TYPE pg_catalog.uuid%s', attname,
            CASE atttypid WHEN types[2] THEN '[]' END)
        FROM own JOIN changed USING (attrelid, attnum)
        UNION ALL SELECT 2, adrelid, format('ALTER %I SET DEFAULT ', attname) || CASE value
            WHEN 'luuid_generate()' THEN 'pg_catalog.gen_random_uuid()'
            WHEN 'luuid_generate_v7()' THEN 'pg_catalog.' || coalesce(
                to_regprocedure('uuidv7()')::text, 'gen_random_uuid()')
            -- '...'::luuid or ARRAY[]::luuid[]: the same of uuid. NULL for what stays.
            ELSE array_to_string(regexp_match(value,
                '^((?:''[^'']*''|ARRAY[[][]])::)l(uuid(?:[[][]])?)$'), 'pg_catalog.') END
        FROM pg_attrdef JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum),
            pg_get_expr(adbin, adrelid) AS value
        WHERE adrelid = ANY (plain) AND attgenerated = ''
            AND (atttypid <> ALL (types) OR (attrelid, attnum) IN (TABLE changed))
        UNION ALL SELECT 3, conrelid, format('ADD CONSTRAINT %I %s', conname,
            pg_get_constraintdef(oid)) FROM key
    )
    SELECT array_agg(statement ORDER BY phase, relation) INTO changes FROM (
        SELECT phase, relation, format('ALTER TABLE %s %s', relation::regclass,
            string_agg(clause, ', ')) FROM clause WHERE clause IS NOT NULL GROUP BY phase, relation
        UNION ALL SELECT 4, conrelid, format('COMMENT ON CONSTRAINT %I ON %s IS %L', conname,
            conrelid::regclass, comment) FROM key, obj_description(oid, 'pg_constraint') AS comment
        WHERE comment IS NOT NULL) AS s (phase, relation, statement);
    FOR item IN SELECT unnest(changes) AS change LOOP
        EXECUTE item.change;
    END LOOP;
END $$;
COMMIT;
\ir luuid_dependents.sql
