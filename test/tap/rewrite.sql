-- Random conditions on the time of an id and on ids, over tables with lossy index scans, and the rows of a query: with comparisons
-- replaced, as written, and on a column that has the time. For rewrite.pl.
SET timezone = 'UTC';
CREATE FUNCTION one_of(VARIADIC texts text[]) RETURNS text LANGUAGE sql VOLATILE RETURN texts[1 + floor(random() * cardinality(texts))];

-- A tenth has no time; two rows fill a page.
CREATE DOMAIN stamp AS uuid;
CREATE TABLE event (id luuid, u uuid, d stamp, other luuid, at timestamptz, a int, b int, n int, pad char(3000));
ALTER TABLE event ALTER pad SET STORAGE PLAIN;
INSERT INTO event SELECT id, id, id::uuid, luuid_generate_v7(timestamptz '2026-01-01' + n % 97 * interval '1 day'), luuid_extract_timestamp(id), random() * random() * 20, n / 400, n, ''
FROM (SELECT n, CASE WHEN n % 10 = 0 THEN gen_random_uuid()::luuid ELSE luuid_generate_v7(timestamptz '2026-01-01' + n * interval '20 min') END AS id
    FROM generate_series(1, 6000) AS n) AS s;
CREATE TABLE by_pages AS TABLE event;
CREATE INDEX ON by_pages USING brin (a, id) WITH (pages_per_range = 8);
CREATE INDEX ON by_pages USING brin (id, b) WITH (pages_per_range = 16);
CREATE INDEX ON by_pages (b, id);
CREATE TABLE by_rows AS TABLE event;
CREATE INDEX ON by_rows (a, id);
CREATE INDEX ON by_rows (b, id);
CREATE INDEX ON by_rows (u uuid_time_ops, a);
CREATE INDEX ON by_rows (d uuid_time_ops, b);
CREATE TABLE parted (LIKE event) PARTITION BY RANGE (id);
CREATE TABLE parted_early PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-02-10 00:00+00'));
CREATE TABLE parted_late PARTITION OF parted DEFAULT;
INSERT INTO parted TABLE event;
CREATE INDEX ON parted (b, id);
CREATE INDEX ON parted USING brin (a, id) WITH (pages_per_range = 8);
DROP TABLE event;
-- By these the planner expects the same rows of a comparison as it is written, so that costs can be compared.
SELECT format('CREATE STATISTICS %3$s_%2$s (ndistinct) ON (%1$s), (%1$s::date), (date_trunc(''week'', %1$s)) FROM %2$s', subject || '::luuid::timestamptz',
    relation, subject)
FROM unnest(ARRAY['id', 'u', 'd', 'other']) AS subject, unnest(ARRAY['by_pages', 'by_rows', 'parted', 'parted_early', 'parted_late']) AS relation \gexec
VACUUM ANALYZE;

-- A role sees some rows of each; a view hides others from functions that leak.
CREATE ROLE reader;
GRANT SELECT, UPDATE, DELETE ON by_pages, by_rows, parted TO reader;
SELECT format('CREATE POLICY own ON %1$s USING (a < (SELECT current_setting(''test.a'')::int) OR id::date = ''2026-02-01'');
    ALTER TABLE %1$s ENABLE ROW LEVEL SECURITY;
    CREATE VIEW %1$s_barrier WITH (security_barrier) AS SELECT * FROM %1$s WHERE b <> 3 AND id::timestamptz >= ''2026-01-10 00:00+00'';
    GRANT SELECT, UPDATE, DELETE ON %1$s_barrier TO reader', relation)
FROM unnest(ARRAY['by_pages', 'by_rows', 'parted']) AS relation \gexec

-- The same query on the time that a column has: without a bound, and with none to find.
CREATE FUNCTION twin_of(query text) RETURNS text LANGUAGE sql RETURN regexp_replace(query, '(\w+)\.(id|u|d)::luuid::timestamptz', '\1.at', 'g');

-- Each form of the reference, of an expression # for the time and a time ~ that it is compared with.
CREATE TABLE form (form text, said text);
INSERT INTO form VALUES ('<', '# < ~'), ('<=', '# <= ~'), ('=', '# = ~'), ('>=', '# >= ~'), ('>', '~ < #'),
    ('BETWEEN', '# BETWEEN ~ AND ~ + interval ''5 days'''), ('NOT', 'NOT # < ~'), ('<@', '# <@ tstzrange(~, ~ + interval ''3 days'')'),
    ('@>', 'tstzmultirange(tstzrange(NULL, ~), tstzrange(~ + interval ''9 days'', ~ + interval ''11 days'')) @> #'),
    ('IN', '#::date IN ((~)::date, ''2026-02-03'')'), ('= ANY', '#::date = ANY (ARRAY[''2026-01-05'', (~)::date, NULL])'),
    ('= ANY', '# = ANY (ARRAY[~, ~ + interval ''20 min''])'), ('luuid_extract_timestamp(id)', '# > (~)::date'),
    ('AT TIME ZONE', '(# AT TIME ZONE ''Europe/Berlin'')::date <= (~)::date'), ('AT TIME ZONE', '# AT TIME ZONE ''Asia/Tokyo'' > (~)::timestamp'),
    ('date_trunc', 'date_trunc(''week'', #) = date_trunc(''week'', ~)'), ('date_trunc', 'date_trunc(''day'', #, ''America/New_York'') >= ~'),
    ('date', '#::date = (~)::date'), ('date', '#::date >= (~)::date'), ('date', '#::timestamp < (~)::date'),
    -- These stay as they are written.
    ('<>', '#::date <> (~)::date'), ('IS TRUE', '(# >= ~) IS NOT TRUE'), ('CASE', 'CASE WHEN # < ~ THEN b < 5 ELSE b > 9 END'),
    ('extract', 'extract(day FROM #) = 3'), ('column', '# > other::timestamptz'), ('column', '#::date = other::date');
CREATE FUNCTION random_time(x text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    subject text := x || one_of('.id', '.id', '.u', '.d', '.other');
    at timestamptz := timestamptz '2026-01-01 00:00+00' + floor(random() * 2100) * interval '1 hour';
    time text := format(one_of('timestamptz %L', 'timestamptz %L', '(SELECT timestamptz %L)', '(timestamptz %L + (now() - now()))'), at);
    -- A comparison of the id itself, too.
    said text := CASE WHEN random() < 0.3 THEN one_of('# >= ~', '~ > #', '# <@ tstzrange(~, ~ + interval ''4 days'')', '# > luuid_floor(~)',
        '# <= ''019c6000-0000-7000-8000-000000000000''', '# > x.other') ELSE (SELECT f.said FROM form AS f ORDER BY random() LIMIT 1) END;
BEGIN
    subject := subject || CASE WHEN said IN (SELECT f.said FROM form AS f) THEN '::luuid::timestamptz' ELSE '' END;
    RETURN replace(replace(replace(regexp_replace(said, '\m(b|other)\M', 'x.\1', 'g'), 'x.x.', 'x.'), '#', subject), '~', time);
END $$;
-- A condition on the time or the id, and one on other columns too.
CREATE FUNCTION random_condition(x text, depth int) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    IF depth > 0 AND random() < 0.8 THEN
        RETURN format(one_of('(%s AND %s)', '(%s OR %s)'), random_condition(x, depth - 1), random_condition(x, depth - 1));
    ELSIF random() < 0.6 THEN
        RETURN replace(random_time(x), 'x.', x || '.');
    END IF;
    RETURN format(one_of('%s.a = %s', '%s.b = %s', '%s.a < %s', '%s.a IN (3, %s)'), x, floor(random() * 15));
END $$;
CREATE FUNCTION random_query() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    relation text := one_of('by_pages', 'by_pages', 'by_rows', 'by_rows', 'parted') || one_of('', '', '', '_barrier');
    condition text := random_condition('x', 1) || ' AND ' || random_condition('x', 2 + (random() < 0.2)::int);
BEGIN
    RETURN format(one_of('SELECT x.n FROM %1$s AS x WHERE %2$s', 'SELECT x.n FROM %1$s AS x WHERE %2$s', 'SELECT x.n FROM %1$s AS x WHERE %2$s',
        'SELECT max(x.n) FROM %1$s AS x WHERE %2$s', 'DELETE FROM %1$s AS x WHERE %2$s RETURNING x.n',
        'UPDATE %1$s AS x SET n = -n WHERE %2$s RETURNING x.n',
        'SELECT x.n FROM %1$s AS x JOIN by_rows AS y ON x.n = y.n + 1 AND (x.id::luuid::timestamptz > y.id::luuid::timestamptz OR %3$s)
            WHERE %2$s AND y.b = 5',
        'SELECT y.n FROM by_rows AS y WHERE y.b = 5 AND y.a = 1 AND EXISTS (SELECT FROM %1$s AS x
            WHERE x.id::luuid::timestamptz >= y.id::luuid::timestamptz
            AND x.id::luuid::timestamptz < y.id::luuid::timestamptz + interval ''3 h'' AND %2$s)',
        'SELECT x.n FROM %1$s AS x JOIN by_rows AS y ON y.b = 5 AND (x.id >= y.at AND x.id < y.at + interval ''1 h'' OR x.id::luuid::timestamptz = y.at)
            WHERE %2$s AND y.a = 3'), relation, condition, random_condition('y', 1));
END $$;

-- The rows of a query, as a role, with comparisons replaced or not; what it changes is taken back.
CREATE FUNCTION rows_of(query text, reader text, is_rewritten boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    PERFORM set_config('luuid.enable_time_rewrite', is_rewritten::text, true), set_config('role', reader, true);
    EXECUTE format('WITH found (n) AS (%s) SELECT count(*) || '' '' || md5(coalesce(string_agg(n::text, '' '' ORDER BY n), '''')) FROM found',
        query) INTO found;
    RAISE EXCEPTION USING ERRCODE = 'LUUID', MESSAGE = found;
EXCEPTION WHEN SQLSTATE 'LUUID' THEN
    RETURN SQLERRM;
WHEN OTHERS THEN
    RETURN format('error %s: %s', SQLSTATE, SQLERRM);
END $$;
-- What a query costs, and the rows that the planner expects, where no kind of plan is switched off. What operators cost to evaluate
-- is left out. The cost of a plan with a BitmapAnd is null: the planner does not combine two indexes that can use the same clause, as
-- (a, id) and (b, id) can a comparison of the id.
CREATE FUNCTION plan_of(query text, is_rewritten boolean, OUT cost float, OUT expected float) LANGUAGE plpgsql
    SET enable_seqscan = on SET enable_indexscan = on SET enable_hashjoin = on SET cpu_operator_cost = 0 AS $$
DECLARE
    plan jsonb;
BEGIN
    PERFORM set_config('luuid.enable_time_rewrite', is_rewritten::text, true);
    EXECUTE 'EXPLAIN (FORMAT JSON) ' || query INTO plan;
    cost := CASE WHEN plan::text !~ 'BitmapAnd' THEN plan #>> '{0,Plan,Total Cost}' END;
    expected := plan #>> '{0,Plan,Plan Rows}';
END $$;
CREATE TABLE trial (query text, reader text, settings jsonb, replaced text, as_written text, on_twin text, is_lossy boolean, cost float,
    expected float, cost_as_written float, expected_as_written float);
CREATE PROCEDURE try_queries(trials int) LANGUAGE plpgsql AS $$
DECLARE
    query text;
    reader text;
    settings jsonb;
    plan text;
BEGIN
    PERFORM set_config('test.a', '5', false);
    FOR trial IN 1 .. trials LOOP
        query := random_query();
        reader := one_of('reader', 'none');
        settings := jsonb_build_object('work_mem', one_of('64kB', '4MB'), 'enable_seqscan', one_of('on', 'off', 'off'),
            'enable_indexscan', one_of('on', 'off'), 'enable_hashjoin', one_of('on', 'off'));
        PERFORM set_config(key, value, false) FROM jsonb_each_text(settings);
        plan := '';
        IF trial % 10 = 0 AND query ~ '^SELECT' THEN
            EXECUTE 'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ' || query INTO plan;
        END IF;
        INSERT INTO trial SELECT query, reader, settings, rows_of(query, reader, true), rows_of(query, reader, false),
            rows_of(twin_of(query), reader, false), plan ~ 'Lossy Heap Blocks": [1-9]', p.*, w.*
            FROM plan_of(query, true) AS p, plan_of(query, false) AS w;
        COMMIT;
    END LOOP;
END $$;

-- Beside them, a session updates rows that another one has found and waits for: their new versions no longer pass.
CREATE TABLE interleaving (query text, settings text, replaced text, as_written text, has_waited boolean);
CREATE PROCEDURE try_interleavings(trials int, server text) LANGUAGE plpgsql AS $$
DECLARE
    relation text;
    condition text;
    settings text;
    found text[];
    has_waited boolean;
BEGIN
    PERFORM dblink_connect('first', server), dblink_connect('second', server);
    FOR trial IN 1 .. trials LOOP
        relation := one_of('by_pages', 'by_rows', 'by_rows', 'parted');
        condition := random_condition('x', 1) || ' AND ' || random_condition('x', 2);
        -- Of these, 18 loses rows, as doc/neighbours.md says.
        CONTINUE WHEN relation = 'parted' AND condition ~ 'SELECT' AND current_setting('server_version_num')::int >= 180000;
        settings := format('SET timezone = ''UTC''; SET work_mem = %L; SET enable_seqscan = off; SET enable_indexscan = %s',
            one_of('64kB', '4MB'), one_of('on', 'off'));
        found := '{}';
        has_waited := false;
        FOR is_rewritten IN 0 .. 1 LOOP
            PERFORM dblink_exec('first', 'BEGIN'),
                dblink_exec('first', format('UPDATE %s AS x SET a = a + 100 WHERE n %% 3 = 0 AND (%s)', relation, condition)),
                dblink_exec('second', settings || format('; SET luuid.enable_time_rewrite = %s; BEGIN', is_rewritten::boolean)),
                dblink_send_query('second', format('UPDATE %s AS x SET pad = ''found'' WHERE %s', relation, condition));
            WHILE dblink_is_busy('second') = 1 LOOP
                PERFORM pg_stat_clear_snapshot(), pg_sleep(0.001);
                EXIT WHEN EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock');
            END LOOP;
            has_waited := has_waited OR dblink_is_busy('second') = 1;
            PERFORM dblink_exec('first', 'COMMIT');
            PERFORM FROM dblink_get_result('second') AS r (status text);
            PERFORM FROM dblink_get_result('second') AS r (status text);
            found := found || (SELECT r.rows FROM dblink('second',
                format('SELECT string_agg(n::text, '' '' ORDER BY n) FROM %s WHERE pad = ''found''', relation)) AS r (rows text));
            PERFORM dblink_exec('second', 'ROLLBACK'), dblink_exec('first', format('UPDATE %s SET a = a - 100 WHERE a >= 100', relation));
        END LOOP;
        INSERT INTO interleaving VALUES (condition, settings, found[2], found[1], has_waited);
        COMMIT;
    END LOOP;
    PERFORM dblink_disconnect('first'), dblink_disconnect('second');
END $$;

-- Queries for postgres_fdw, of the operators with a time too.
CREATE TABLE sent_query (number int, query text, wanted text);
CREATE FUNCTION random_sent_query() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    at timestamptz := timestamptz '2026-01-01 00:00+00' + floor(random() * 2100) * interval '1 hour';
    condition text := format(one_of('%s', '%s', 'x.a < 5 OR %s', 'NOT (%s)'), one_of(random_condition('x', 1), random_time('x'),
        replace(replace(one_of('# >= ~', '# < ~', '~ >= #', '# = ~', '# <> ~',
            '# <@ tstzrange(~, ~ + interval ''3 days'')',
            '# <@ luuid_range(daterange((~)::date, (~)::date + 2))', '# >= luuid_floor(~)', '# < luuid_ceiling(~)'), '#', one_of('x.id', 'x.u', 'x.d')),
        '~', format(one_of('timestamptz %L', '(timestamptz %L + (now() - now()))'), at))));
BEGIN
    RETURN format(one_of('SELECT x.n FROM %1$s AS x WHERE %2$s', 'SELECT x.n FROM %1$s AS x WHERE %2$s', 'SELECT max(x.n) FROM %1$s AS x WHERE %2$s',
        'DELETE FROM %1$s AS x WHERE %2$s RETURNING x.n', 'UPDATE %1$s AS x SET n = -n WHERE %2$s RETURNING x.n',
        'SELECT x.n FROM %1$s AS x JOIN %1$s AS y ON x.n = y.n + 1 AND x.id::luuid::timestamptz > y.u::luuid::timestamptz WHERE %2$s',
        'SELECT x.n FROM %1$s AS x JOIN %1$s AS y ON x.n = y.n + 1 AND x.id > y.u WHERE %2$s',
        -- postgres_fdw of 17 and 18 sends a semijoin that fails if a part of its condition is not sent.
        'SELECT y.n FROM by_rows AS y WHERE y.b = 5 AND y.a = 1 AND EXISTS (SELECT FROM %1$s AS x WHERE x.u >= y.at AND x.b = y.b)'),
        one_of('by_pages', 'by_rows', 'parted'), condition);
END $$;

-- Each operator, of each form of the time, with each kind of end, in each place of three-valued logic, over each kind of id.
CREATE TABLE swept (id luuid, n int);
INSERT INTO swept SELECT id, row_number() OVER () FROM (SELECT at FROM unnest('{-infinity,4714-11-24 00:00+00 BC,1970-01-01 00:00+00,
        2026-03-07 15:00+00,2026-03-08 05:00+00,294276-12-31 23:59:59.999999+00,infinity}'::timestamptz[]) AS at) AS t,
    LATERAL (VALUES (luuid_floor(at)), (luuid_ceiling(at))) AS v (id);
INSERT INTO swept SELECT id, 100 + row_number() OVER () FROM generate_series(-1, 1) AS step, LATERAL (SELECT timestamptz '2026-03-08 05:00+00' + step * s.width AS at
        FROM (VALUES (interval '1 us'), ('1 ms'), ('1 h'), ('1 day')) AS s (width)) AS t,
    LATERAL (VALUES (luuid_generate(at)), (luuid_generate_v7(at)), (luuid_generate_v1(at))) AS v (id);
INSERT INTO swept VALUES (NULL, 200), ('00000000-0000-0000-0000-000000000000', 201), ('ffffffff-ffff-ffff-ffff-ffffffffffff', 202),
    ('1f11aae4-0ab0-6b01-8000-0123456789ab', 203), ('1f11aae4-0ab0-6b00-8000-0123456789ab', 204), ('91461c99-f89d-49d2-af96-d8e2e14e9b58', 205),
    ('019cca43-8480-8000-8000-0123456789ab', 206), ('7d444840-9dc0-11d1-b245-5ffdce74fad2', 207);
CREATE INDEX ON swept (id);
VACUUM ANALYZE swept;
CREATE FUNCTION rows_swept(condition text, zone text, is_rewritten boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text;
BEGIN
    PERFORM set_config('luuid.enable_time_rewrite', is_rewritten::text, true), set_config('timezone', zone, true);
    EXECUTE 'SELECT string_agg(n::text, '' '' ORDER BY n) FROM swept WHERE ' || condition INTO found;
    RETURN found;
EXCEPTION WHEN OTHERS THEN
    RETURN format('error %s: %s', SQLSTATE, SQLERRM);
END $$;
-- New York sets its clocks forward at 2026-03-08 07:00 UTC.
CREATE TABLE sweep AS
WITH operator (operator) AS (VALUES ('<'), ('<='), ('='), ('>='), ('>'), ('<>')),
ending (at) AS (SELECT 'NULL::timestamptz' UNION ALL SELECT format('timestamptz %L', at)
    FROM (VALUES ('-infinity'), ('infinity'), ('4714-11-24 00:00+00 BC'), ('294276-12-31 23:59:59.999999+00'), ('2026-03-08 05:00+00'),
        ('2026-03-08 04:59:59.999999+00'), ('2026-03-08 05:00:00.000001+00'), ('2026-03-08 07:30+00'), ('1970-01-01 00:00+00')) AS v (at)),
shape (said) AS (SELECT format(said, operator) FROM operator, (VALUES ('# %s ~'), ('~ %s #'), ('# %s (~)::date'), ('# %s (~)::timestamp'),
        ('#::date %s (~)::date'), ('#::timestamp %s (~)::timestamp'), ('(~)::timestamp %s # AT TIME ZONE ''Asia/Tokyo'''),
        ('(# AT TIME ZONE ''Asia/Tokyo'')::date %s (~)::date'), ('date_trunc(''hour'', #) %s ~'), ('date_trunc(''day'', #, ''Europe/Berlin'') %s ~')) AS v (said)
    UNION ALL SELECT format('# <@ tstzrange(%s, %L)', ends, kinds) FROM unnest('{"~, ~","~, NULL","NULL, ~","''-infinity'', ~","~, ''infinity''"}'::text[]) AS ends,
        unnest('{[),[],(],()}'::text[]) AS kinds
    UNION ALL VALUES ('# <@ ''empty''::tstzrange'),
        ('# <@ tstzmultirange(tstzrange(NULL, ~), tstzrange(''infinity'', NULL))'),
        ('tstzmultirange(tstzrange(NULL, ~), tstzrange(~, ''infinity'', ''()'')) @> #'), ('# IN (~, NULL)'),
        ('#::date = ANY (ARRAY[(~)::date, NULL, ''2026-03-01''])'), ('# NOT IN (~, NULL)'), ('# BETWEEN SYMMETRIC ~ AND ''2026-03-08 05:00+00''')),
place (place) AS (VALUES ('%s'), ('NOT (%s)'), ('(%s) IS TRUE'), ('(%s) IS NOT TRUE'), ('(%s) IS UNKNOWN'), ('(%s) IS NOT FALSE'), ('(%s) OR NULL'),
    ('NOT ((%s) AND NULL)'), ('CASE WHEN %s THEN n < 105 ELSE n >= 105 END'), ('(%s) OR n = 201'), ('NOT ((%s) OR n = 201)'), ('coalesce(%s, n < 205)'))
SELECT zone, condition, rows_swept(condition, zone, true) AS replaced, rows_swept(condition, zone, false) AS as_written
FROM shape, ending, place, unnest(ARRAY['UTC', 'America/New_York']) AS zone,
    LATERAL format(place, replace(replace(said, '#', 'id::timestamptz'), '~', at)) AS condition;
