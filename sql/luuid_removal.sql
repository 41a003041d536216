-- Makes the luuid columns of the tables that the current user owns columns of uuid, in one transaction: doc/operations.md.
-- ALTER TABLE calls what a table's owner chose, with the rights of who runs it. So tables of other owners stay as they are.
\set ON_ERROR_STOP on
BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL client_min_messages = notice;
DO $$ DECLARE ids oid[] := ARRAY['luuid'::regtype, 'luuid[]'::regtype]; mine oid[]; keys oid[]; step text; r record; BEGIN
IF (SELECT usename FROM pg_stat_activity WHERE pid = pg_backend_pid()) IS DISTINCT FROM current_user THEN  -- RESET ROLE gives its rights.
    RAISE EXCEPTION 'role % did not begin this session', current_user USING ERRCODE = 'insufficient_privilege'; END IF;
FOR r IN SELECT *, oid::regclass AS name FROM pg_class WHERE pg_get_userbyid(relowner) = current_user AND relkind IN ('r', 'p', 'f', 'c') AND oid IN (
    SELECT attrelid FROM pg_attribute LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum) WHERE atttypid = ANY (ids) OR pg_get_expr(adbin,
    adrelid) ~ '^[("]*luuid_generate' UNION SELECT conrelid FROM pg_constraint JOIN pg_attribute ON attrelid = confrelid WHERE atttypid = ANY (ids))
LOOP IF r.relkind IN ('r', 'p') AND r.relpersistence <> 't' AND r.reloftype = 0 THEN EXECUTE format('LOCK TABLE ONLY %s', r.name);
    ELSE RAISE NOTICE '% keeps luuid', pg_describe_object('pg_class'::regclass, r.oid, 0); END IF; END LOOP;
-- A locked table keeps its owner, columns, children and foreign keys. One whose name another table has taken is not locked.
mine := ARRAY(SELECT oid FROM pg_class JOIN pg_locks ON relation = oid WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'
    AND relkind IN ('r', 'p') AND pg_get_userbyid(relowner) = current_user);
keys := ARRAY(SELECT oid FROM pg_constraint WHERE contype = 'f' AND EXISTS (SELECT FROM pg_attribute WHERE atttypid = ANY (ids)
    AND (attrelid = conrelid AND attnum = ANY (conkey) OR attrelid = confrelid AND attnum = ANY (confkey))));
LOOP FOR r IN SELECT DISTINCT t, concat(t::regclass, ' keeps luuid because of ', pg_describe_object(classid, objid, objsubid), (  -- bounds as times
        SELECT string_agg(coalesce(substring(word FROM '^[-0-9a-f]{36}$')::luuid::timestamptz::text, word), '''' ORDER BY n)
        FROM pg_class, regexp_split_to_table(': ' || pg_get_expr(relpartbound, oid), '''') WITH ORDINALITY AS w (word, n) WHERE oid = t)) AS why
    FROM unnest(mine) AS t, LATERAL (  -- a parent, child or foreign key of what keeps it; a user's cast in a key; an expression or partition key
    SELECT 'pg_class'::regclass, other, 0 FROM pg_inherits, unnest(ARRAY[inhparent, inhrelid]) AS other WHERE t IN (inhparent, inhrelid)
        AND other <> ALL (mine) AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = inhparent AND atttypid = ANY (ids))
    UNION ALL SELECT tableoid, oid, 0 FROM pg_constraint WHERE oid = ANY (keys) AND t IN (conrelid, confrelid) AND (NOT ARRAY[conrelid, confrelid]
        <@ mine OR 16384 <= ANY (SELECT atttypid FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey) AND atttypid <> ALL (ids)))
    UNION ALL SELECT classid, objid, objsubid FROM pg_depend AS d JOIN pg_attribute ON attrelid = refobjid AND atttypid = ANY (ids)
    WHERE d.refclassid = 'pg_class'::regclass AND refobjid = t AND (objid = t AND objsubid = attnum AND refobjsubid = 0 OR refobjsubid = attnum
        AND objid <> ALL (keys) AND EXISTS (SELECT FROM pg_depend AS u WHERE (u.classid, u.objid) = (d.classid, d.objid) AND refclassid::regclass
        IN ('pg_proc', 'pg_operator', 'pg_type') AND classid::regclass IN ('pg_class', 'pg_constraint', 'pg_statistic_ext'))))
    AS x (classid, objid, objsubid) LOOP mine := array_remove(mine, r.t); RAISE NOTICE '%', r.why; END LOOP; EXIT WHEN NOT FOUND; END LOOP;
FOR r IN SELECT rolname, nspname FROM pg_roles AS o, pg_namespace AS n JOIN pg_class ON relnamespace = n.oid AND pg_class.oid = ANY (mine)
    WHERE current_setting('is_superuser')::bool AND NOT rolsuper AND rolname <> 'pg_database_owner'
    AND (pg_has_role(o.oid, nspowner, 'MEMBER') OR has_schema_privilege(o.oid, n.oid, 'CREATE')) ORDER BY o.oid DESC LOOP
    RAISE EXCEPTION 'role % can put tables in the place of those in %', r.rolname, r.nspname USING ERRCODE = 'insufficient_privilege'; END LOOP;
keys := ARRAY(SELECT oid FROM pg_constraint WHERE oid = ANY (keys) AND conrelid = ANY (mine) AND conparentid = 0);
FOREACH step IN ARRAY ARRAY(SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) FROM pg_constraint WHERE oid = ANY (keys))
    || ARRAY(SELECT format('ALTER TABLE %s %s', attrelid::regclass, string_agg(format('ALTER %I TYPE %s', attname, replace(atttypid::regtype::text,
        'luuid', 'uuid')), ', ')) FROM pg_attribute WHERE attrelid = ANY (mine) AND atttypid = ANY (ids) AND attinhcount = 0 GROUP BY attrelid)
    || ARRAY(SELECT format('ALTER TABLE ONLY %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, CASE WHEN old !~ 'luuid_' THEN replace(old,
        'luuid', 'uuid') ELSE coalesce(CASE WHEN old ~ '_v7' THEN to_regprocedure('uuidv7()')::text END, 'gen_random_uuid()') END)
        FROM pg_attrdef JOIN pg_attribute ON (attrelid, attnum) = (adrelid, adnum), pg_get_expr(adbin, adrelid) AS old WHERE adrelid = ANY (mine)
        AND atttypid = ANY (ids || 'uuid'::regtype) AND old ~ '^([("]*luuid_generate|(''[^'']*''|NULL|ARRAY[[]])::"?luuid"?([[]])?$)')
    || ARRAY(SELECT format('ALTER TABLE %1$s ADD CONSTRAINT %2$I %3$s; COMMENT ON CONSTRAINT %2$I ON %1$s IS %4$L', conrelid::regclass, conname,
        pg_get_constraintdef(oid), obj_description(oid, 'pg_constraint')) FROM pg_constraint WHERE oid = ANY (keys))
LOOP EXECUTE step; END LOOP; END $$; COMMIT;
