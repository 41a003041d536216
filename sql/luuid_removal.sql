-- Removes luuid from a database: its columns become uuid, and every row stays. Run it with psql, as a superuser:
--
--   psql -X -1 -v ON_ERROR_STOP=1 -f luuid_removal.sql DATABASE
--
-- It drops what depends on the extension, changes the types, drops the extension without CASCADE, and recreates what
-- works without luuid. For what does not, such as a DEFAULT luuid_generate() or a view that compares an id with a time,
-- it shows the definition in a WARNING. A table partitioned by luuid's chronological order becomes partitioned by a new
-- column, made_at, at the same times. If any of this fails, nothing changes. Tables are locked until it ends.

-- Commands that restore the owner and the privileges of a recreated object.
CREATE FUNCTION pg_temp.rights(kind text, name text, owner oid, acl aclitem[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('; ALTER %s %s OWNER TO %s', kind, name, owner::regrole)
        || coalesce((SELECT format('; REVOKE ALL ON %s %s FROM PUBLIC', grants_on, name) || string_agg(
            format('; GRANT %s ON %s %s TO %s', privilege_type, grants_on, name,
                CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END)
                || CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END, '') FROM aclexplode(acl)), '')
    FROM (SELECT CASE kind WHEN 'ROUTINE' THEN kind ELSE 'TABLE' END AS grants_on) AS k
$$;

DO $removal$
DECLARE
    made_at constant text := 'made_at';
    step record;
    statement text;
    progress boolean := true;
BEGIN
    -- Definitions get qualified names.
    PERFORM set_config('search_path', '', true), set_config('check_function_bodies', 'off', true),
        set_config('client_min_messages', 'warning', true);

    -- All objects that depend on the extensions, directly or indirectly. A column that depends on them stays, but
    -- objects that depend on the column are included.
    CREATE TEMP TABLE dependent ON COMMIT DROP AS
    WITH RECURSIVE member AS (
        SELECT d.classid, d.objid FROM pg_depend AS d JOIN pg_extension AS e ON e.oid = d.refobjid
        WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e' AND extname IN ('luuid', 'luuid_contrib')
    ), reached AS (
        SELECT classid, objid, 0 AS objsubid FROM member
        UNION
        SELECT next.classid, next.objid, next.objsubid
        FROM reached, LATERAL (
            SELECT d.classid, d.objid, d.objsubid FROM pg_depend AS d
            WHERE d.refclassid = reached.classid AND d.refobjid = reached.objid AND reached.objsubid IN (0, d.refobjsubid)
            -- A constraint includes its index, a view its rule, and a type its array.
            UNION ALL
            SELECT d.refclassid, d.refobjid, d.refobjsubid FROM pg_depend AS d
            WHERE d.classid = reached.classid AND d.objid = reached.objid AND d.deptype = 'i'
                AND (d.refclassid = 'pg_constraint'::regclass OR reached.classid = 'pg_rewrite'::regclass)
            -- A table partitioned by a column of luuid is recreated, so everything that depends on it is included.
            UNION ALL
            SELECT 'pg_class'::regclass, partrelid, 0 FROM pg_partitioned_table
            WHERE reached.classid = 'pg_class'::regclass AND partrelid = reached.objid
                AND reached.objsubid = ANY (partattrs::int2[])
        ) AS next
        WHERE NOT (next.classid = 'pg_class'::regclass AND next.objsubid = 0
                AND EXISTS (SELECT FROM pg_class WHERE oid = next.objid AND relkind IN ('r', 'p', 'f', 't', 'S', 'c'))
                AND NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = next.objid
                    AND reached.objsubid = ANY (partattrs::int2[]) AND reached.objid = next.objid))
            AND next.classid <> 'pg_extension'::regclass
    )
    SELECT DISTINCT classid, objid, objsubid FROM reached
    WHERE NOT EXISTS (SELECT FROM member WHERE member.classid = reached.classid AND member.objid = reached.objid);

    -- Columns of luuid, of domains over it and of arrays of it.
    CREATE TEMP TABLE converted ON COMMIT DROP AS
    SELECT a.attrelid, a.attrelid::regclass::text AS "table", attname, attinhcount = 0 AS is_own,
        CASE WHEN t.typcategory = 'A' THEN 'uuid[]' ELSE 'uuid' END AS type
    FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = attrelid JOIN pg_type AS t ON t.oid = atttypid
        LEFT JOIN pg_type AS element ON element.oid = t.typelem AND t.typcategory = 'A'
    WHERE relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
        AND 'luuid'::regtype IN (t.oid, t.typbasetype, element.oid, element.typbasetype);
    FOR step IN
        SELECT attrelid::regclass AS "table", attname, atttypid::regtype AS type
        FROM pg_attribute AS a JOIN dependent AS d ON d.classid = 'pg_class'::regclass AND d.objid = attrelid AND d.objsubid = attnum
            JOIN pg_class AS c ON c.oid = attrelid JOIN dependent AS t ON t.classid = 'pg_type'::regclass AND t.objid = atttypid
        WHERE relkind IN ('r', 'p', 'f', 'c') AND NOT EXISTS (SELECT FROM converted AS v WHERE v.attrelid = a.attrelid AND v.attname = a.attname)
    LOOP
        RAISE EXCEPTION 'column % of % has the type %, which has no counterpart without luuid', quote_ident(step.attname), step."table", step.type
            USING HINT = 'Convert or drop it first.';
    END LOOP;

    -- Tables partitioned by luuid, and their partition bounds.
    CREATE TEMP TABLE parted ON COMMIT DROP AS
    SELECT c.oid, c.oid::regclass::text AS name, relnamespace::regnamespace::text AS schema, relname,
        pg_temp.rights('TABLE', c.oid::regclass::text, relowner, relacl)
            || CASE WHEN relrowsecurity THEN '; ALTER TABLE ' || c.oid::regclass || ' ENABLE ROW LEVEL SECURITY' ELSE '' END
            || CASE WHEN relforcerowsecurity THEN '; ALTER TABLE ' || c.oid::regclass || ' FORCE ROW LEVEL SECURITY' ELSE '' END AS rights,
        partstrat = 'r' AND opcname <> 'luuid_byte_ops' AS by_time,
        (SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = partrelid AND attnum = partattrs[0]) AS key,
        CASE partstrat WHEN 'r' THEN 'RANGE' WHEN 'l' THEN 'LIST' ELSE 'HASH' END AS strategy
    FROM pg_partitioned_table AS p JOIN pg_class AS c ON c.oid = partrelid JOIN pg_opclass AS o ON o.oid = partclass[0]
    WHERE EXISTS (SELECT FROM dependent WHERE classid = 'pg_class'::regclass AND objid = partrelid AND objsubid = 0);
    SELECT name INTO step FROM parted JOIN pg_class AS c USING (oid) JOIN pg_partitioned_table ON partrelid = parted.oid
    WHERE partnatts > 1 OR relispartition OR partattrs[0] = 0
        OR EXISTS (SELECT FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = parted.oid AND child.relkind <> 'r');
    IF step.name IS NOT NULL THEN
        RAISE EXCEPTION '% is partitioned by luuid in more than one way', step.name
            USING HINT = 'Move its rows to a table that is partitioned by one column, or by none, first.';
    END IF;
    CREATE TEMP TABLE part ON COMMIT DROP AS
    SELECT parted.name AS parent, by_time, key, inhrelid::regclass::text AS name,
        CASE WHEN by_time THEN (
            SELECT string_agg(CASE WHEN n % 2 = 1 THEN piece ELSE quote_literal(coalesce(luuid_extract_timestamp(piece::luuid)::text,
                CASE WHEN piece::luuid < luuid_floor('-infinity') THEN '-infinity' ELSE 'infinity' END)) END, '' ORDER BY n)
            FROM string_to_table(bound, '''') WITH ORDINALITY AS p (piece, n))
        ELSE bound END AS bound
    FROM parted JOIN pg_inherits ON inhparent = parted.oid JOIN pg_class AS c ON c.oid = inhrelid,
        pg_get_expr(relpartbound, c.oid) AS bound;

    -- Objects to drop, the commands that drop and recreate them, and their rank: an object may need others of lower
    -- rank.
    CREATE TEMP TABLE dropped ON COMMIT DROP AS
    SELECT DISTINCT ON (identity) identity, rank, removal, regexp_replace(creation, '::luuid\M', '::uuid', 'g') AS creation
    FROM (
        SELECT pg_describe_object(classid, objid, 0), 1, 'DROP ROUTINE IF EXISTS ' || oid::regprocedure || ' CASCADE',
            CASE WHEN prokind <> 'a' THEN regexp_replace(pg_get_functiondef(oid), '\mluuid\M', 'uuid', 'g')
                || pg_temp.rights('ROUTINE', regexp_replace(oid::regprocedure::text, '\mluuid\M', 'uuid', 'g'), proowner, proacl) END
        FROM dependent JOIN pg_proc ON classid = 'pg_proc'::regclass AND oid = objid
            -- A range type drops its constructors.
            WHERE NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = oid AND deptype = 'i')
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), CASE contype WHEN 'f' THEN 4 ELSE 3 END,
            format('ALTER TABLE IF EXISTS %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname),
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                CASE WHEN contype IN ('p', 'u') AND EXISTS (SELECT FROM parted WHERE parted.oid = conrelid AND by_time)
                    THEN regexp_replace(pg_get_constraintdef(c.oid), '\)', ', ' || made_at || ')') ELSE pg_get_constraintdef(c.oid) END)
        FROM dependent JOIN pg_constraint AS c ON classid = 'pg_constraint'::regclass AND c.oid = objid
        WHERE conrelid <> 0 AND contype IN ('c', 'p', 'u', 'x', 'f') AND conparentid = 0 AND coninhcount = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 2, format('DROP INDEX IF EXISTS %s CASCADE', c.oid::regclass),
            regexp_replace(regexp_replace(pg_get_indexdef(c.oid), '\mluuid_byte_ops\M', 'uuid_ops', 'g'),
                '\mluuid_(minmax|minmax_multi|bloom)_ops\M', 'uuid_\1_ops', 'g')
        FROM dependent JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid
        WHERE relkind IN ('i', 'I') AND NOT relispartition
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u', 'x'))
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 5,
            format('ALTER TABLE %s ALTER %I DROP %s', adrelid::regclass, attname, CASE WHEN attgenerated = '' THEN 'DEFAULT' ELSE 'EXPRESSION IF EXISTS' END),
            CASE WHEN attgenerated = '' THEN format('ALTER TABLE %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, pg_get_expr(adbin, adrelid)) END
        FROM dependent JOIN pg_attrdef AS d ON classid = 'pg_attrdef'::regclass AND d.oid = objid
            JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE attgenerated = '' OR attinhcount = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 6, format('DROP %s IF EXISTS %s CASCADE', kind, c.oid::regclass),
            format('CREATE %s %s %s AS %s', kind, c.oid::regclass,
                'WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(c.oid), ';'))
                || pg_temp.rights(kind, c.oid::regclass::text, relowner, relacl)
        FROM dependent JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid,
            LATERAL (VALUES (CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END)) AS k (kind)
        WHERE relkind IN ('v', 'm') AND objsubid = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP POLICY IF EXISTS %I ON %s', polname, polrelid::regclass),
            format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.policyname, polrelid::regclass, permissive, cmd,
                (SELECT string_agg(CASE WHEN role = 'public' THEN 'PUBLIC' ELSE quote_ident(role) END, ', ') FROM unnest(roles) AS role))
                || coalesce(' USING (' || qual || ')', '') || coalesce(' WITH CHECK (' || with_check || ')', '')
        FROM dependent JOIN pg_policy AS policy ON classid = 'pg_policy'::regclass AND policy.oid = objid
            JOIN pg_class AS c ON c.oid = polrelid
            JOIN pg_policies AS p ON p.policyname = polname AND p.tablename = relname AND p.schemaname = relnamespace::regnamespace::name
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass),
            pg_get_triggerdef(t.oid) || CASE tgenabled WHEN 'O' THEN '' ELSE format('; ALTER TABLE %s %s TRIGGER %I', tgrelid::regclass,
                CASE tgenabled WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, tgname) END
        FROM dependent JOIN pg_trigger AS t ON classid = 'pg_trigger'::regclass AND t.oid = objid
        WHERE NOT tgisinternal AND tgparentid = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP RULE IF EXISTS %I ON %s', rulename, ev_class::regclass), pg_get_ruledef(r.oid)
        FROM dependent JOIN pg_rewrite AS r ON classid = 'pg_rewrite'::regclass AND r.oid = objid WHERE rulename <> '_RETURN'
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, 'DROP STATISTICS IF EXISTS ' || stxnamespace::regnamespace || '.' || quote_ident(stxname),
            pg_get_statisticsobjdef(s.oid)
        FROM dependent JOIN pg_statistic_ext AS s ON classid = 'pg_statistic_ext'::regclass AND s.oid = objid
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 9, 'DROP TYPE IF EXISTS ' || oid::regtype || ' CASCADE', NULL
        FROM dependent JOIN pg_type ON classid = 'pg_type'::regclass AND oid = objid WHERE typtype IN ('d', 'r')
    ) AS object (identity, rank, removal, creation)
    ORDER BY identity;
    -- Definitions use uuid instead of the domain's name.
    FOR step IN
        SELECT oid::regtype::text AS name FROM dependent JOIN pg_type ON classid = 'pg_type'::regclass AND oid = objid WHERE typtype = 'd'
    LOOP
        UPDATE dropped SET creation = replace(creation, '::' || step.name, '::uuid');
    END LOOP;

    -- Drop them, in descending rank.
    FOR step IN SELECT * FROM dropped WHERE rank < 9 ORDER BY rank DESC LOOP
        BEGIN
            EXECUTE step.removal;
        EXCEPTION WHEN undefined_table OR undefined_object THEN
            NULL;  -- Already dropped with the object it belonged to.
        END;
    END LOOP;
    FOR step IN SELECT * FROM part LOOP
        EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', step.parent, step.name);
        IF step.by_time THEN
            EXECUTE format('ALTER TABLE %s ADD %I timestamptz', step.name, made_at);
            -- Unlike UPDATE, this fires no triggers.
            EXECUTE format($$ALTER TABLE %1$s ALTER %2$I TYPE timestamptz USING coalesce(luuid_extract_timestamp(%3$s),
                CASE WHEN %3$s < luuid_floor('-infinity') THEN timestamptz '-infinity' ELSE 'infinity' END),
                ALTER %2$I SET NOT NULL, ALTER %2$I SET DEFAULT now()$$, step.name, made_at, step.key);
        END IF;
    END LOOP;

    -- Change the types. A partitioned table is recreated from a copy with changed types, since its key cannot change.
    FOR step IN SELECT * FROM parted LOOP
        EXECUTE format('CREATE TABLE %s.luuid_removal_copy (LIKE %s INCLUDING ALL EXCLUDING INDEXES EXCLUDING STATISTICS)',
            step.schema, step.name);
        FOR statement IN
            SELECT format('ALTER TABLE %s.luuid_removal_copy ALTER %I TYPE %s', step.schema, attname, type)
            FROM converted WHERE attrelid = step.oid
        LOOP
            EXECUTE statement;
        END LOOP;
        EXECUTE format('DROP TABLE %s', step.name);
        EXECUTE format('CREATE TABLE %s (LIKE %s.luuid_removal_copy INCLUDING ALL%s) PARTITION BY %s (%s)', step.name, step.schema,
            CASE WHEN step.by_time THEN format(', %I timestamptz NOT NULL DEFAULT now()', made_at) ELSE '' END,
            step.strategy, CASE WHEN step.by_time THEN quote_ident(made_at) ELSE step.key END);
        EXECUTE format('DROP TABLE %s.luuid_removal_copy', step.schema);
    END LOOP;
    FOR statement IN
        SELECT format('ALTER TABLE %s ALTER %I TYPE %s', v."table", v.attname, v.type)
        FROM converted AS v JOIN pg_attribute AS a ON a.attrelid = v.attrelid AND a.attname = v.attname WHERE attinhcount = 0
    LOOP
        EXECUTE statement;
    END LOOP;
    FOR step IN SELECT removal FROM dropped WHERE rank = 9 LOOP
        EXECUTE step.removal;
    END LOOP;

    DROP EXTENSION IF EXISTS luuid_contrib;
    DROP EXTENSION luuid;

    -- Attach the partitions and recreate objects.
    FOR statement IN
        SELECT format('ALTER TABLE %s ATTACH PARTITION %s %s', parent, name, bound) FROM part
        UNION ALL SELECT substr(rights, 3) FROM parted
    LOOP
        EXECUTE statement;
    END LOOP;
    WHILE progress LOOP
        progress := false;
        FOR step IN SELECT * FROM dropped WHERE creation IS NOT NULL ORDER BY rank, identity LOOP
            BEGIN
                EXECUTE step.creation;
                DELETE FROM dropped WHERE identity = step.identity;
                progress := true;
            EXCEPTION WHEN OTHERS THEN
                UPDATE dropped SET removal = SQLERRM WHERE identity = step.identity;
            END;
        END LOOP;
    END LOOP;
    FOR step IN SELECT * FROM dropped ORDER BY rank, identity LOOP
        -- For types and generated columns, which are not recreated, it shows the command that dropped or changed them.
        RAISE WARNING '% is not there without luuid', step.identity
            USING DETAIL = coalesce(step.creation, step.removal), HINT = CASE WHEN step.creation IS NOT NULL THEN step.removal ELSE
                'Columns keep their values, and are of type uuid where they were of luuid.' END;
    END LOOP;
END
$removal$;
