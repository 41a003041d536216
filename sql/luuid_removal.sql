-- Prints how a database can do without luuid: for each owner, the statements that make columns of luuid columns of uuid, to be
-- read and run as that owner, and as comments what has to be done by hand before. It reads the catalogs and changes nothing:
--   psql -X -f luuid_removal.sql DATABASE > removal.sql
-- ALTER TABLE calls functions that the table's owner chose, with the rights of who runs it. So no statement is for another role.
\set ON_ERROR_STOP on \set QUIET on \pset format unaligned \pset tuples_only on \echo '\\set ON_ERROR_STOP on'
BEGIN TRANSACTION READ ONLY, ISOLATION LEVEL REPEATABLE READ;  -- By this path, it prints schemas and calls no operator of a user.
SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL standard_conforming_strings = on; SET LOCAL datestyle = ISO;
-- The stored expressions that name an object of the extensions. pg_depend does not have all: ARRAY[]::luuid[].
SELECT $search$member (classid, objid) AS (
    SELECT classid, objid FROM pg_depend JOIN pg_extension AS e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid
    WHERE deptype = 'e' AND extname IN ('luuid', 'luuid_contrib')
    UNION SELECT d.classid, d.objid FROM member AS m JOIN pg_depend AS d ON refclassid = m.classid AND refobjid = m.objid WHERE deptype = 'i'
), tree (classid, objid, nodes) AS (
    SELECT tableoid, oid, adbin::text FROM pg_attrdef UNION ALL SELECT tableoid, oid, conbin::text FROM pg_constraint
    UNION ALL SELECT tableoid, oid, relpartbound::text FROM pg_class UNION ALL SELECT tableoid, oid, typdefaultbin::text FROM pg_type
    UNION ALL SELECT 'pg_class'::regclass, indexrelid, concat(indexprs, indpred) FROM pg_index
    UNION ALL SELECT 'pg_class'::regclass, partrelid, partexprs::text FROM pg_partitioned_table
    UNION ALL SELECT tableoid, oid, concat(polqual, polwithcheck) FROM pg_policy UNION ALL SELECT tableoid, oid, stxexprs::text FROM pg_statistic_ext
    UNION ALL SELECT tableoid, oid, concat(proargdefaults, prosqlbody) FROM pg_proc UNION ALL SELECT tableoid, oid, tgqual::text FROM pg_trigger
    UNION ALL SELECT tableoid, oid, concat(ev_qual, ev_action) FROM pg_rewrite UNION ALL SELECT tableoid, oid, prqual::text FROM pg_publication_rel
), named (classid, objid) AS (  -- by number, without those that are a position, a length or a typmod
    SELECT DISTINCT classid, objid FROM tree,
        regexp_matches(regexp_replace(nodes, ':(\w*location|\w*len|\w*typmod|constvalue) \d+|\(i [^)]*\)', '', 'g'), '\m\d{5,}\M', 'g') AS number
    WHERE number[1] IN (SELECT objid::text FROM member) AND (classid, objid) NOT IN (TABLE member)
)$search$ AS search \gset
WITH RECURSIVE :search, id_column AS (  -- columns that become uuid or uuid[]
    SELECT a.*, relowner, relkind, relpersistence, CASE atttypid WHEN luuid.oid THEN 'uuid' ELSE 'uuid[]' END AS type
    FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = attrelid JOIN pg_type AS luuid ON luuid.oid = to_regtype('pg_catalog.luuid')
    WHERE relkind IN ('r', 'p', 'f', 'c') AND attnum > 0 AND NOT attisdropped AND atttypid IN (luuid.oid, typarray)
), edge (parent, child) AS (
    SELECT inhparent, inhrelid FROM pg_inherits UNION ALL SELECT typrelid, c.oid FROM pg_class AS c JOIN pg_type AS t ON t.oid = reloftype
), family (root, relid) AS (SELECT attrelid, attrelid FROM id_column UNION SELECT root, child FROM family JOIN edge ON parent = relid
), change AS (  -- of a column and those that inherit it, or what is in its way
    SELECT i.*, (SELECT min(CASE WHEN c.relowner <> i.relowner THEN format('first give %s the same owner', c.oid::regclass)
            WHEN d.objid IS NOT NULL THEN 'a partition key cannot change: detach the partitions, and drop the table'
            WHEN c.relpersistence = 't' THEN 'end the session of this temporary table' END)
        FROM family JOIN pg_class AS c ON c.oid = relid JOIN pg_attribute AS a ON a.attrelid = relid AND a.attname = i.attname
            LEFT JOIN pg_depend AS d ON (d.classid, d.objid, d.objsubid) = ('pg_class'::regclass, relid, a.attnum)
                AND (d.refclassid, d.refobjid, d.refobjsubid, d.deptype) = (d.classid, relid, 0, 'i')
        WHERE root = i.attrelid) AS obstacle
    FROM id_column AS i WHERE (attrelid, attname) NOT IN (SELECT child, attname FROM edge JOIN id_column ON attrelid = parent)
), new_default AS (  -- with the type exchanged outside of quotes; NULL is for one that its owner has to think of
    SELECT a.oid, adrelid, attname, c.relowner, calls, pg_get_expr(adbin, adrelid) AS before, CASE
        WHEN NOT calls THEN (SELECT string_agg(CASE token[1] WHEN '::luuid' THEN '::uuid' ELSE token[1] END, '' ORDER BY n)
            FROM regexp_matches(pg_get_expr(adbin, adrelid), $$'[^']*'|"[^"]*"|::luuid\M|.$$, 'g') WITH ORDINALITY AS t (token, n))
        WHEN atttypid IN ('uuid'::regtype, to_regtype('pg_catalog.luuid')) THEN 'gen_random_uuid()' END AS expression,
        (adrelid, attname) IN (SELECT relid, change.attname FROM change JOIN family ON root = attrelid WHERE obstacle IS NOT NULL) AS waits
    FROM named JOIN pg_attrdef AS a ON classid = a.tableoid AND objid = a.oid JOIN pg_class AS c ON c.oid = adrelid
        JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum AND attgenerated = '', LATERAL (
            SELECT count(*) > 0 FROM pg_depend AS d WHERE (d.classid, d.objid) = (named.classid, a.oid)
            AND (refclassid, refobjid) IN (TABLE member) AND refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass)) AS d (calls)
), found (classid, objid, objsubid) AS (  -- what uses luuid, such a column, or a row with one
    SELECT classid, objid, 0 FROM named UNION SELECT d.classid, d.objid, d.objsubid
    FROM pg_depend AS d JOIN (SELECT classid, objid, 0 FROM member UNION ALL SELECT 'pg_class'::regclass, attrelid, attnum FROM id_column)
        AS r (classid, objid, objsubid) ON refclassid = r.classid AND refobjid = r.objid AND r.objsubid IN (0, refobjsubid)
    WHERE deptype IN ('n', 'a') AND d.classid NOT IN ('pg_amop'::regclass, 'pg_amproc'::regclass) AND (d.classid, d.objid) NOT IN (TABLE member)
    UNION SELECT 'pg_class'::regclass, a.attrelid, a.attnum
    FROM id_column AS i JOIN pg_type AS t ON typrelid = i.attrelid, unnest(ARRAY[t.oid, typarray]) AS type JOIN pg_attribute AS a ON a.atttypid = type
), foreign_key AS (
    SELECT DISTINCT con.*, c.relowner FROM pg_constraint AS con JOIN pg_class AS c ON c.oid = conrelid
        JOIN id_column ON attrelid = conrelid AND attnum = ANY (conkey) OR attrelid = confrelid AND attnum = ANY (confkey)
    WHERE contype = 'f' AND conparentid = 0 AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgconstraint = con.oid AND tgenabled <> 'O')
), hand (classid, objid, objsubid, reason) AS (
    SELECT f.*, CASE relkind WHEN 'p' THEN 'a partition key cannot change: detach the partitions, and drop the table'
        ELSE 'drop it, and create it again for uuid' END
    FROM found AS f LEFT JOIN pg_class AS c ON f.classid = c.tableoid AND c.oid = f.objid LEFT JOIN pg_index ON indexrelid = c.oid
        LEFT JOIN pg_constraint AS con ON f.classid = con.tableoid AND con.oid = f.objid
    WHERE CASE  -- Others go with another object, or stay. ALTER TABLE builds an index again if uuid has its class.
        WHEN f.objsubid > 0 THEN relkind NOT IN ('v', 'm') AND (f.objid, f.objsubid) NOT IN (SELECT attrelid, attnum FROM id_column)
        WHEN indexrelid IS NOT NULL THEN NOT relispartition AND (indexprs IS NOT NULL OR (f.classid, f.objid) IN (TABLE named)
            OR EXISTS (SELECT FROM pg_opclass WHERE oid = ANY (indclass::oid[]) AND NOT opcdefault))
        WHEN c.oid IS NOT NULL THEN relkind = 'p' OR NOT relispartition
        WHEN f.classid = 'pg_proc'::regclass THEN (f.classid, f.objid) NOT IN (SELECT classid, objid FROM pg_depend WHERE deptype = 'i')
        WHEN con.oid IS NOT NULL THEN contype NOT IN ('n', 'p', 'u') AND con.oid NOT IN (SELECT oid FROM foreign_key) AND conparentid = 0
        ELSE (f.classid, f.objid) NOT IN (SELECT 'pg_attrdef'::regclass, oid FROM new_default WHERE expression IS NOT NULL) END
    UNION SELECT 'pg_class'::regclass, attrelid, 0, obstacle FROM change WHERE obstacle IS NOT NULL
    UNION SELECT 'pg_class'::regclass, indexrelid, 0, 'it is invalid, and would become valid: drop it, or REINDEX' FROM pg_index
    WHERE NOT indisvalid AND indrelid IN (SELECT relid FROM family)
    UNION SELECT c.tableoid, c.oid, 0, 'afterwards, set its name, comment, options and marks again: ALTER TABLE builds it like its parent''s'
    FROM pg_class AS c JOIN pg_index ON indexrelid = c.oid JOIN id_column ON attrelid = indrelid AND attnum = ANY (indkey) WHERE relispartition
    UNION SELECT classid, objid, objsubid, 'it would be dropped with the extension: ALTER ... NO DEPENDS ON EXTENSION' FROM pg_depend
    WHERE refclassid = 'pg_extension'::regclass AND deptype = 'x' AND refobjid IN (SELECT oid FROM pg_extension WHERE extname ~ '^luuid(_contrib)?$')
    UNION SELECT tableoid, oid, 0, 'edit its body, which says luuid' FROM pg_proc WHERE prosrc ~ '\mluuid' AND (tableoid, oid) NOT IN (TABLE member)
), described (classid, objid, owner, definition) AS (  -- computed for objects of hand alone, by OFFSET
    SELECT tableoid, oid, relowner, CASE WHEN relkind IN ('i', 'I') THEN pg_get_indexdef(oid) ELSE concat_ws(E'\n', pg_get_partkeydef(oid),
        (SELECT string_agg(format('%s %s', p.oid::regclass, pg_get_expr(p.relpartbound, p.oid)), E'\n')
            FROM pg_inherits JOIN pg_class AS p ON p.oid = inhrelid WHERE inhparent = c.oid)) END FROM pg_class AS c
    UNION ALL SELECT tableoid, oid, proowner, CASE WHEN prokind <> 'a' THEN pg_get_functiondef(oid) END FROM pg_proc
    UNION ALL SELECT tableoid, oid, typowner, concat_ws(' DEFAULT ', format_type(typbasetype, typtypmod), pg_get_expr(typdefaultbin, 0)) FROM pg_type
    UNION ALL SELECT con.tableoid, con.oid, coalesce(relowner, typowner), concat(nullif(contypid, 0)::regtype || ' ', pg_get_constraintdef(con.oid))
    FROM pg_constraint AS con LEFT JOIN pg_class AS c ON c.oid = conrelid LEFT JOIN pg_type AS t ON t.oid = contypid
    UNION ALL SELECT of.classid, of.objid, relowner, of.definition FROM pg_class AS c JOIN (
        SELECT tableoid, oid, adrelid, pg_get_expr(adbin, adrelid) FROM pg_attrdef UNION ALL SELECT tableoid, oid, ev_class,
            CASE rulename WHEN '_RETURN' THEN pg_get_viewdef(ev_class) ELSE pg_get_ruledef(oid) END FROM pg_rewrite
        UNION ALL SELECT tableoid, oid, tgrelid, pg_get_triggerdef(oid) FROM pg_trigger UNION ALL SELECT tableoid, oid, polrelid,
            concat_ws(' WITH CHECK ', pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy
    ) AS of (classid, objid, relid, definition) ON c.oid = of.relid
    UNION ALL SELECT tableoid, oid, stxowner, pg_get_statisticsobjdef(oid) FROM pg_statistic_ext
    UNION ALL SELECT r.tableoid, r.oid, pubowner, NULL FROM pg_publication_rel AS r JOIN pg_publication AS p ON p.oid = prpubid
), line (part, owner, rank, note, statement) AS (  -- what has no row in described is the first superuser's if it is nobody's
    SELECT 1, coalesce(owner, (SELECT refobjid FROM pg_shdepend AS s JOIN pg_database AS b ON b.oid = dbid AND datname = current_database()
        WHERE (s.classid, s.objid, deptype) = (h.classid, h.objid, 'o')), 10), 1,
        format('By hand: %s: %s', pg_describe_object(h.classid, h.objid, objsubid), reason) || coalesce(E'\n' || definition, ''), NULL
    FROM hand AS h LEFT JOIN LATERAL (SELECT * FROM described AS d WHERE (d.classid, d.objid) = (h.classid, h.objid) OFFSET 0) AS d ON true
    UNION ALL SELECT 1, r.oid, 1, format('By hand: prepared transaction %L: end it', gid), NULL
    FROM pg_prepared_xacts JOIN pg_roles AS r ON rolname = owner WHERE database = current_database()
    UNION ALL SELECT 1, relowner, 5, NULL, format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I;', conrelid::regclass, conname) FROM foreign_key
    UNION SELECT 2, c.relowner, 3, NULL, format('LOCK TABLE %s;', relid::regclass) FROM change JOIN family ON root = attrelid
        JOIN pg_class AS c ON c.oid = relid WHERE obstacle IS NULL AND c.relkind IN ('r', 'p')
    UNION SELECT 3, relowner, 3, NULL, format('LOCK TABLE %s;', conrelid::regclass) FROM foreign_key
    UNION ALL SELECT 2, relowner, 6, NULL, format('ALTER %s %s;', CASE relkind WHEN 'c' THEN 'TYPE ' ELSE 'TABLE ' END || attrelid::regclass,
        string_agg(format(CASE relkind WHEN 'c' THEN 'ALTER ATTRIBUTE %I TYPE %s CASCADE' ELSE 'ALTER %I TYPE %s' END, attname, type), ', '))
    FROM change WHERE obstacle IS NULL GROUP BY relowner, relkind, attrelid
    UNION ALL SELECT 2, relowner, o.rank, note, format('ALTER TABLE ONLY %s ALTER %I %s;', adrelid::regclass, attname, option)
    FROM new_default, LATERAL (VALUES (5, NULL, 'DROP DEFAULT'), (7, CASE WHEN calls THEN format('The default of %s.%I was %s',
        adrelid::regclass, attname, before) END, 'SET DEFAULT ' || expression)) AS o (rank, note, option) WHERE expression IS NOT NULL AND NOT waits
    UNION ALL SELECT 2, relowner, 7, NULL, format('ALTER TABLE ONLY %s ALTER %I SET %s;', attrelid::regclass, attname, option)
    FROM id_column, LATERAL (VALUES ('STORAGE ' || CASE attstorage WHEN 'e' THEN 'EXTERNAL' WHEN 'm' THEN 'MAIN' WHEN 'p' THEN 'PLAIN' END),
        ('COMPRESSION ' || CASE attcompression WHEN 'p' THEN 'pglz' WHEN 'l' THEN 'lz4' END)) AS o (option) WHERE type = 'uuid[]' AND option <> ''
    UNION ALL SELECT 3, relowner, 5, NULL, concat_ws(E'\n', format('ALTER TABLE %s ADD CONSTRAINT %I %s;', conrelid::regclass, conname,
        pg_get_constraintdef(oid)), (SELECT format('COMMENT ON CONSTRAINT %I ON %s IS %L;', conname, conrelid::regclass, description)
        FROM pg_description WHERE classoid = 'pg_constraint'::regclass AND objoid = foreign_key.oid)) FROM foreign_key
    UNION ALL SELECT CASE extname WHEN 'luuid' THEN 5 ELSE 4 END, extowner, 5, NULL, format($do$DO $$ DECLARE uses text; BEGIN
    WITH RECURSIVE %s SELECT string_agg(pg_describe_object(classid, objid, 0), E'\n') INTO uses FROM named;
    IF uses IS NOT NULL THEN RAISE EXCEPTION 'expressions still use luuid' USING ERRCODE = 'dependent_objects_still_exist', DETAIL = uses; END IF;
    DROP EXTENSION IF EXISTS %s RESTRICT; END $$;$do$, :'search', extname) FROM pg_extension WHERE extname IN ('luuid', 'luuid_contrib')
), script (part, owner, rank, note, statement) AS (  -- which stops where code of another owner would run
    TABLE line UNION ALL SELECT part, owner, s.* FROM (SELECT part, owner, count(statement) > 0 FROM line GROUP BY part, owner)
        AS block (part, owner, runs) JOIN pg_roles AS r ON r.oid = owner, LATERAL (
        SELECT 0, format('%s. %s, as %s', part, (ARRAY['Foreign keys off', 'Columns', 'Foreign keys on', 'Last', 'Last'])[part], rolname), NULL
        UNION ALL SELECT 2, NULL, concat_ws(E'\n', CASE WHEN rolname !~ '[\n\r]' THEN format('\connect - %I', rolname) END, format($do$BEGIN;
SET LOCAL ROLE %I; SET LOCAL client_encoding = %L; SET LOCAL search_path = pg_catalog, pg_temp; SET LOCAL standard_conforming_strings = on;$do$,
            rolname, current_setting('client_encoding'))) WHERE runs
        UNION ALL SELECT 4, NULL, concat($do$DO $$ BEGIN
    IF EXISTS (SELECT FROM pg_stat_activity JOIN pg_roles AS r ON r.oid = usesysid JOIN pg_roles AS o ON o.rolname = current_user
        WHERE pid = pg_backend_pid() AND r.rolsuper AND NOT o.rolsuper)
    THEN RAISE EXCEPTION 'code of % would run with the rights of the superuser of this session', current_user USING ERRCODE = 'insufficient_privilege'; END IF;
    IF EXISTS (SELECT FROM pg_locks JOIN pg_class AS t ON t.oid = relation WHERE pid = pg_backend_pid() AND mode = 'AccessExclusiveLock'
        AND ($do$, CASE part WHEN 2 THEN $do$EXISTS (SELECT FROM pg_constraint JOIN pg_class AS c ON c.oid = conrelid
            JOIN pg_attribute ON attrelid = t.oid AND attnum = ANY (confkey) AND atttypid IN ('luuid'::regtype, 'luuid[]'::regtype)
            WHERE contype = 'f' AND confrelid = t.oid AND c.relowner <> t.relowner) OR $do$ END, $do$pg_get_userbyid(relowner) <> current_user))
    THEN RAISE EXCEPTION 'a table here is not of %, or one of another owner references it by a foreign key', current_user USING ERRCODE = 'insufficient_privilege'; END IF;
END $$;$do$) WHERE runs
        UNION ALL SELECT 9, NULL, CASE WHEN runs THEN E'COMMIT;\n' ELSE '' END) AS s (rank, note, statement)
)
-- A comment ends with its line, and a name can have an end of line.
SELECT concat_ws(E'\n', '-- ' || regexp_replace(note, '[\n\r]+', E'\n--   ', 'g'), statement)
FROM script WHERE EXISTS (SELECT FROM member) ORDER BY part, owner, rank, note COLLATE "C", statement COLLATE "C";
COMMIT;
