-- Removes luuid from a database: its columns become uuid, and every row stays. Run it with psql, as a superuser:
--
--   psql -X -1 -v ON_ERROR_STOP=1 -f luuid_removal.sql DATABASE
--
-- It drops what depends on the extension, changes the types, drops the extension without CASCADE, and recreates what
-- works without luuid. For what does not, such as a DEFAULT luuid_generate() or a view that compares an id with a time,
-- it shows the definition in a WARNING. A table partitioned by luuid's chronological order becomes partitioned by a new
-- column, made_at, at the same times. If any of this fails, nothing changes. Tables are locked until it ends.

-- Gives a recreated object the owner and the privileges that it had, and no others: ALTER DEFAULT PRIVILEGES may have
-- granted some.
CREATE FUNCTION pg_temp.restore_rights(kind text, name text, owner oid, acl aclitem[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    is_routine constant boolean := kind = 'ROUTINE';
    object constant text := CASE WHEN is_routine THEN 'ROUTINE ' ELSE 'TABLE ' END || name;
    step record;
BEGIN
    EXECUTE format('ALTER %s %s OWNER TO %s', kind, name, owner::regrole);
    FOR step IN
        SELECT DISTINCT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee
        FROM aclexplode(CASE WHEN is_routine
            THEN (SELECT coalesce(proacl, acldefault('f', proowner)) FROM pg_proc WHERE oid = name::regprocedure)
            ELSE (SELECT relacl FROM pg_class WHERE oid = name::regclass) END)
    LOOP
        EXECUTE format('REVOKE ALL ON %s FROM %s', object, step.grantee);
    END LOOP;
    FOR step IN
        SELECT privilege_type, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE grantee::regrole::text END AS grantee,
            CASE WHEN is_grantable THEN 'WITH GRANT OPTION' ELSE '' END AS option
        FROM aclexplode(coalesce(acl, acldefault(CASE WHEN is_routine THEN 'f' ELSE 'r' END::"char", owner)))
    LOOP
        EXECUTE format('GRANT %s ON %s TO %s %s', step.privilege_type, object, step.grantee, step.option);
    END LOOP;
END
$$;
CREATE FUNCTION pg_temp.rights(kind text, name text, owner oid, acl aclitem[]) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT format('; SELECT pg_temp.restore_rights(%L, %L, %L, %L)', kind, name, owner, acl)
$$;

-- Commands that mark a recreated index as its table's replica identity, or as the one to cluster by.
CREATE FUNCTION pg_temp.marks(index oid) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN indisreplident THEN format('; ALTER TABLE %s REPLICA IDENTITY USING INDEX %I', indrelid::regclass, relname) ELSE '' END
        || CASE WHEN indisclustered THEN format('; ALTER TABLE %s CLUSTER ON %I', indrelid::regclass, relname) ELSE '' END
    FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid WHERE indexrelid = index
$$;

-- The command that enables a recreated trigger or rule as it was; nothing for the default.
CREATE FUNCTION pg_temp.enabled(kind text, relation regclass, name name, state "char") RETURNS text LANGUAGE sql STABLE AS $$
    SELECT CASE state WHEN 'O' THEN '' ELSE format('; ALTER TABLE %s %s %s %I', relation,
        CASE state WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END, kind, name) END
$$;

-- uuid in the place of luuid and of its domains where a definition converts to them, outside of quotes.
CREATE FUNCTION pg_temp.with_uuid(definition text, domains text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(CASE WHEN token[1] IS NOT NULL THEN '::uuid' ELSE token[2] END, '' ORDER BY place)
    FROM (SELECT string_agg(regexp_replace(name, '(\W)', '\\\1', 'g'), '|') FROM unnest(array_append(domains, 'luuid')) AS name) AS n (names),
        regexp_matches(definition, '(::(?:' || names || ')(?![\w$"]))|("[^"]*"|''[^'']*''|[^''":]+|.)', 'g') WITH ORDINALITY AS t (token, place)
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
            -- A table partitioned by a column of luuid is recreated, so everything that depends on it is included. One
            -- that is partitioned by an operator class of luuid depends on that.
            UNION ALL
            SELECT 'pg_class'::regclass, partrelid, 0 FROM pg_partitioned_table
            WHERE reached.classid = 'pg_class'::regclass AND partrelid = reached.objid
                AND reached.objsubid = ANY (partattrs::int2[])
        ) AS next
        WHERE NOT (next.classid = 'pg_class'::regclass AND next.objsubid = 0
                AND EXISTS (SELECT FROM pg_class WHERE oid = next.objid AND relkind IN ('r', 'p', 'f', 't', 'S', 'c'))
                AND NOT EXISTS (SELECT FROM pg_partitioned_table WHERE partrelid = next.objid
                    AND (reached.objsubid = ANY (partattrs::int2[]) AND reached.objid = next.objid
                        OR reached.classid = 'pg_opclass'::regclass AND reached.objid = ANY (partclass::oid[]))))
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
            || CASE WHEN relforcerowsecurity THEN '; ALTER TABLE ' || c.oid::regclass || ' FORCE ROW LEVEL SECURITY' ELSE '' END
            || CASE relreplident WHEN 'f' THEN '; ALTER TABLE ' || c.oid::regclass || ' REPLICA IDENTITY FULL'
                WHEN 'n' THEN '; ALTER TABLE ' || c.oid::regclass || ' REPLICA IDENTITY NOTHING' ELSE '' END AS rights,
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
    SELECT DISTINCT ON (identity) identity, rank, removal, pg_temp.with_uuid(creation, domains) AS creation, definition
    FROM (
        SELECT pg_describe_object(classid, objid, 0), 1, 'DROP ROUTINE IF EXISTS ' || oid::regprocedure || ' CASCADE',
            -- A type's name is at the end of an argument or a line, unlike the name of an argument.
            CASE WHEN prokind <> 'a' THEN regexp_replace(signature, '\mluuid\M(?=[],)[\n]| DEFAULT )', 'uuid', 'g')
                || substr(pg_get_functiondef(oid), length(signature) + 1)
                || pg_temp.rights('ROUTINE', regexp_replace(oid::regprocedure::text, '\mluuid\M', 'uuid', 'g'), proowner, proacl) END, NULL
        FROM dependent JOIN pg_proc ON classid = 'pg_proc'::regclass AND oid = objid,
            LATERAL (SELECT CASE WHEN prokind <> 'a' THEN substring(pg_get_functiondef(oid), '^.*?\n LANGUAGE ') END) AS s (signature)
            -- A range type drops its constructors.
            WHERE NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = oid AND deptype = 'i')
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), CASE contype WHEN 'f' THEN 4 ELSE 3 END,
            format('ALTER TABLE IF EXISTS %s DROP CONSTRAINT IF EXISTS %I CASCADE', conrelid::regclass, conname),
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname,
                CASE WHEN contype IN ('p', 'u') AND EXISTS (SELECT FROM parted WHERE parted.oid = conrelid AND by_time)
                    THEN regexp_replace(pg_get_constraintdef(c.oid), '\)', ', ' || made_at || ')') ELSE pg_get_constraintdef(c.oid) END)
                -- To validate it runs functions of the table's owner. Even as that role, they could change what runs
                -- after them here, by a setting or an operator. REFRESH restricts what it runs, this does not.
                || CASE WHEN contype = 'c' AND convalidated THEN ' NOT VALID' ELSE '' END
                || CASE WHEN contype IN ('p', 'u', 'x') THEN pg_temp.marks(conindid) ELSE '' END, NULL
        FROM dependent JOIN pg_constraint AS c ON classid = 'pg_constraint'::regclass AND c.oid = objid
        WHERE conrelid <> 0 AND contype IN ('c', 'p', 'u', 'x', 'f') AND conparentid = 0 AND coninhcount = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 2, format('DROP INDEX IF EXISTS %s CASCADE', c.oid::regclass),
            regexp_replace(regexp_replace(definition, '\mluuid_byte_ops\M', 'uuid_ops', 'g'),
                '\mluuid_(minmax|minmax_multi|bloom)_ops\M', 'uuid_\1_ops', 'g') || pg_temp.marks(c.oid), NULL
        FROM dependent JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid JOIN pg_index AS i ON indexrelid = c.oid,
            -- Of a partitioned table, on its partitions too, and a unique one with the partition key.
            LATERAL (SELECT CASE WHEN relkind = 'i' THEN pg_get_indexdef(c.oid)
                WHEN indisunique AND EXISTS (SELECT FROM parted WHERE parted.oid = indrelid AND by_time)
                    THEN regexp_replace(replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON '), ' btree \(([^()]*)\)', ' btree (\1, ' || made_at || ')')
                ELSE replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') END) AS d (definition)
        WHERE relkind IN ('i', 'I') AND NOT relispartition
            AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid AND contype IN ('p', 'u', 'x'))
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 5,
            format('ALTER TABLE %s ALTER %I DROP %s', adrelid::regclass, attname, CASE WHEN attgenerated = '' THEN 'DEFAULT' ELSE 'EXPRESSION IF EXISTS' END),
            CASE WHEN attgenerated = '' THEN format('ALTER TABLE %s ALTER %I SET DEFAULT %s', adrelid::regclass, attname, pg_get_expr(adbin, adrelid)) END,
            format('GENERATED ALWAYS AS (%s) STORED', pg_get_expr(adbin, adrelid))
        FROM dependent JOIN pg_attrdef AS d ON classid = 'pg_attrdef'::regclass AND d.oid = objid
            JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
        WHERE attgenerated = '' OR attinhcount = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 6, format('DROP %s IF EXISTS %s CASCADE', kind, c.oid::regclass),
            -- A materialized view's owner runs its query.
            format('CREATE %s %s %s AS %s', kind, c.oid::regclass,
                'WITH (' || array_to_string(reloptions, ', ') || ')', rtrim(pg_get_viewdef(c.oid), ';'))
                || CASE relkind WHEN 'm' THEN ' WITH NO DATA' ELSE '' END
                || pg_temp.rights(kind, c.oid::regclass::text, relowner, relacl)
                || CASE WHEN relkind = 'm' AND relispopulated THEN '; REFRESH MATERIALIZED VIEW ' || c.oid::regclass ELSE '' END, NULL
        FROM dependent JOIN pg_class AS c ON classid = 'pg_class'::regclass AND c.oid = objid,
            LATERAL (VALUES (CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'MATERIALIZED VIEW' END)) AS k (kind)
        WHERE relkind IN ('v', 'm') AND objsubid = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP POLICY IF EXISTS %I ON %s', polname, polrelid::regclass),
            format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.policyname, polrelid::regclass, permissive, cmd,
                (SELECT string_agg(CASE WHEN role = 'public' THEN 'PUBLIC' ELSE quote_ident(role) END, ', ') FROM unnest(roles) AS role))
                || coalesce(' USING (' || qual || ')', '') || coalesce(' WITH CHECK (' || with_check || ')', ''), NULL
        FROM dependent JOIN pg_policy AS policy ON classid = 'pg_policy'::regclass AND policy.oid = objid
            JOIN pg_class AS c ON c.oid = polrelid
            JOIN pg_policies AS p ON p.policyname = polname AND p.tablename = relname AND p.schemaname = relnamespace::regnamespace::name
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP TRIGGER IF EXISTS %I ON %s', tgname, tgrelid::regclass),
            pg_get_triggerdef(t.oid) || pg_temp.enabled('TRIGGER', tgrelid, tgname, tgenabled), NULL
        FROM dependent JOIN pg_trigger AS t ON classid = 'pg_trigger'::regclass AND t.oid = objid
        WHERE NOT tgisinternal AND tgparentid = 0
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, format('DROP RULE IF EXISTS %I ON %s', rulename, ev_class::regclass),
            rtrim(pg_get_ruledef(r.oid), ';') || pg_temp.enabled('RULE', ev_class, rulename, ev_enabled), NULL
        FROM dependent JOIN pg_rewrite AS r ON classid = 'pg_rewrite'::regclass AND r.oid = objid WHERE rulename <> '_RETURN'
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 7, 'DROP STATISTICS IF EXISTS ' || stxnamespace::regnamespace || '.' || quote_ident(stxname),
            format('%s; ALTER STATISTICS %s.%I OWNER TO %s', pg_get_statisticsobjdef(s.oid), stxnamespace::regnamespace, stxname, stxowner::regrole), NULL
        FROM dependent JOIN pg_statistic_ext AS s ON classid = 'pg_statistic_ext'::regclass AND s.oid = objid
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 8, format('ALTER PUBLICATION %I DROP TABLE %s', pubname, prrelid::regclass),
            format('ALTER PUBLICATION %I ADD TABLE %s%s%s', pubname, prrelid::regclass,
                (SELECT ' (' || string_agg(quote_ident(attname), ', ') || ')' FROM pg_attribute WHERE attrelid = prrelid AND attnum = ANY (prattrs::int2[])),
                ' WHERE (' || pg_get_expr(prqual, prrelid) || ')'), NULL
        FROM dependent JOIN pg_publication_rel AS r ON classid = 'pg_publication_rel'::regclass AND r.oid = objid
            JOIN pg_publication AS p ON p.oid = prpubid
        UNION ALL
        SELECT pg_describe_object(classid, objid, 0), 9, 'DROP TYPE IF EXISTS ' || oid::regtype || ' CASCADE', NULL,
            CASE typtype WHEN 'd' THEN 'CREATE DOMAIN ' || oid::regtype || ' AS ' || format_type(typbasetype, typtypmod)
                || coalesce(' DEFAULT ' || typdefault, '') || CASE WHEN typnotnull THEN ' NOT NULL' ELSE '' END
                || coalesce((SELECT string_agg(format(' CONSTRAINT %I %s', conname, pg_get_constraintdef(c.oid)), '')
                    FROM pg_constraint AS c WHERE contypid = t.oid AND contype = 'c'), '')
            ELSE (SELECT format('CREATE TYPE %s AS RANGE (SUBTYPE = %s)', t.oid::regtype, rngsubtype::regtype) FROM pg_range WHERE rngtypid = t.oid) END
        FROM dependent JOIN pg_type AS t ON classid = 'pg_type'::regclass AND oid = objid WHERE typtype IN ('d', 'r')
    ) AS object (identity, rank, removal, creation, definition),
        (SELECT array_agg(oid::regtype::text) FROM dependent JOIN pg_type ON classid = 'pg_type'::regclass AND oid = objid WHERE typtype = 'd')
            AS of_luuid (domains)
    ORDER BY identity;

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
            EXECUTE format($$ALTER TABLE %1$s ALTER %2$I TYPE timestamptz USING coalesce(luuid_extract_timestamp(%3$s::luuid),
                CASE WHEN %3$s::luuid < luuid_floor('-infinity') THEN timestamptz '-infinity' ELSE 'infinity' END),
                ALTER %2$I SET NOT NULL, ALTER %2$I SET DEFAULT now()$$, step.name, made_at, step.key);
        END IF;
    END LOOP;

    -- Sequences of the columns of tables that are recreated: those of serial columns stay, and those of identity columns
    -- begin where they were.
    CREATE TEMP TABLE sequence ON COMMIT DROP AS
    SELECT seq.oid::regclass::text AS name, parted.name AS "table", attname, attidentity <> '' AS is_identity, s.seqstart AS last, false AS is_called
    FROM parted JOIN pg_depend AS d ON refclassid = 'pg_class'::regclass AND refobjid = parted.oid AND deptype IN ('a', 'i')
        JOIN pg_class AS seq ON d.classid = 'pg_class'::regclass AND seq.oid = d.objid AND relkind = 'S'
        JOIN pg_sequence AS s ON seqrelid = seq.oid JOIN pg_attribute ON attrelid = parted.oid AND attnum = refobjsubid;
    FOR step IN SELECT * FROM sequence LOOP
        EXECUTE format('UPDATE sequence SET (last, is_called) = (SELECT last_value, is_called FROM %s) WHERE name = %L', step.name, step.name);
        IF NOT step.is_identity THEN
            EXECUTE format('ALTER SEQUENCE %s OWNED BY NONE', step.name);
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
        UNION ALL SELECT CASE WHEN is_identity THEN format('SELECT setval(pg_get_serial_sequence(%L, %L), %s, %L)', "table", attname, last, is_called)
            ELSE format('ALTER SEQUENCE %s OWNED BY %s.%I', name, "table", attname) END FROM sequence
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
                IF step.creation LIKE '% NOT VALID' THEN
                    RAISE WARNING '% is NOT VALID, since rows were not checked again', step.identity
                        USING HINT = 'Its owner may run ALTER TABLE ... VALIDATE CONSTRAINT.';
                END IF;
            EXCEPTION WHEN OTHERS THEN
                UPDATE dropped SET removal = SQLERRM WHERE identity = step.identity;
            END;
        END LOOP;
    END LOOP;
    FOR step IN SELECT * FROM dropped ORDER BY rank, identity LOOP
        -- Types, generated columns and aggregates are not recreated. Of an aggregate, there is no definition to show.
        RAISE WARNING '% is not there without luuid', step.identity
            USING DETAIL = coalesce(regexp_replace(step.creation, '; SELECT pg_temp\..*', ''), step.definition, step.removal), HINT = CASE WHEN step.creation IS NOT NULL THEN step.removal ELSE
                'Columns keep their values, and are of type uuid where they were of luuid.' END;
    END LOOP;
    -- The server does not look into a body that is text.
    FOR step IN
        SELECT oid::regprocedure AS name FROM pg_proc
        WHERE prosrc ~ '\mluuid(_\w+)?\M' AND pronamespace NOT IN ('pg_catalog'::regnamespace, pg_my_temp_schema())
    LOOP
        RAISE WARNING 'function % may need luuid', step.name USING DETAIL = 'Its body has that word.';
    END LOOP;
END
$removal$;
