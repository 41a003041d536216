-- The ids, times and functions that the other tests use. Only results are printed, not these definitions.
\a \pset footer off \set ECHO errors
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- Each later test begins with this, in any order: an empty schema for what it creates, and these settings. JIT is off because a
-- disabled plan costs enough to trigger compilation, which would take most of the time.
CREATE PROCEDURE standard_settings() LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config(name, value, false) FROM (VALUES ('timezone', 'UTC'), ('datestyle', 'ISO, YMD'), ('intervalstyle', 'postgres'),
        ('jit', 'off')) AS v (name, value);
END
$$;
CREATE PROCEDURE begin_test() LANGUAGE plpgsql AS $$
BEGIN
    SET LOCAL client_min_messages = warning;
    DROP SCHEMA IF EXISTS test CASCADE;
    CREATE SCHEMA test;
    GRANT USAGE ON SCHEMA test TO public;
    CALL standard_settings();
END
$$;

-- Switches these kinds of plan off, such as 'seqscan', and all others on again.
CREATE PROCEDURE plan_without(VARIADIC kinds text[] DEFAULT '{}') LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config(name, reset_val, false) FROM pg_settings WHERE name ~ '^enable_' AND setting = 'off';
    PERFORM set_config('enable_' || kind, 'off', false) FROM unnest(kinds) AS kind;
END
$$;

-- The ids follow the RFC and the description of the order, and use nothing of the extension but its input, so that the
-- tests compare two independent implementations.
-- 32 hexadecimal digits that look random and are the same on every run.
CREATE FUNCTION digits(text) RETURNS text LANGUAGE sql IMMUTABLE RETURN substr(encode(sha256($1::bytea), 'hex'), 1, 32);
-- A number of [0, 1) that looks random and is the same on every run.
CREATE FUNCTION fraction(text) RETURNS float LANGUAGE sql IMMUTABLE RETURN ('x' || substr(digits($1), 1, 7))::bit(28)::int / 268435456.0;
-- The id of a version at a time (100 ns since 1970), all other bits from 32 digits. NULL if the version lacks that time.
CREATE FUNCTION id_at(version int, ticks bigint, rest text) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE
        WHEN version IN (1, 6) AND count NOT BETWEEN 0 AND (1::bigint << 60) - 1 THEN NULL
        WHEN version IN (7, 8, 11) AND (ticks % 10000 <> 0 OR ms NOT BETWEEN 0 AND (1::bigint << 48) - 1) THEN NULL
        WHEN version = 1 THEN substr(c, 8, 8) || substr(c, 4, 4) || '1' || substr(c, 1, 3) || substr(rest, 17)
        WHEN version = 6 THEN substr(c, 1, 8) || substr(c, 9, 4) || '6' || substr(c, 13, 3) || tail
        WHEN version = 7 THEN z || '7' || substr(rest, 14, 3) || tail
        WHEN version = 8 THEN substr(rest, 1, 12) || '8' || substr(rest, 14, 3) || substr(tail, 1, 4) || z
        WHEN version = 11 THEN substr(rest, 1, 12) || 'b' || substr(rest, 14, 7) || z
    END::uuid
    FROM (SELECT ticks + 122192928000000000, ticks / 10000) AS a (count, ms),
        LATERAL (SELECT
            lpad(to_hex(greatest(count, 0)), 15, '0'),
            lpad(to_hex(greatest(ms, 0)), 12, '0'),
            translate(substr(rest, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') || substr(rest, 18)) AS b (c, z, tail)
$$;

-- Ids of version b, one an hour or one each few hours, after the beginning of 2026.
CREATE FUNCTION hourly(seed text, rows int, hours int DEFAULT 1, OUT n int, OUT id uuid) RETURNS SETOF record LANGUAGE sql AS $$
    SELECT m, id_at(11, 17672256000000000 + m * hours * bigint '36000000000', digits(seed || m)) FROM generate_series(1, rows) AS m
$$;

-- Every edge time in every version that has it, with the lowest, the highest and any other bits; as unsigned bytes and
-- as the signed ones of version 1's comparison.
CREATE TABLE edge (ticks bigint);
INSERT INTO edge
SELECT tick + step
FROM unnest(ARRAY[
        0, 10000,                                   -- 1970, and a millisecond later
        -122192928000000000,                        -- 1582-10-15: versions 1 and 6 begin
        (1::bigint << 60) - 1 - 122192928000000000, -- year 5236: they end
        ((1::bigint << 48) - 1) * 10000,            -- year 10889: the others end
        (1::bigint << 44) * 10000,                  -- year 2527
        9466848000000000,                           -- 2000-01-01, where the server counts from
        16455577420000000,                          -- 2022-02-22 19:22:22
        -11644473600000000                          -- before 1970
    ]) AS tick,
    unnest(ARRAY[0, 1, 9, 10, 11, 9990, 9999, 10000, 20000, -1, -9, -10, -11, -10000, -10001]) AS step
UNION
-- Versions 1 and 6 end within a millisecond: the whole ones around it.
SELECT ((1::bigint << 60) - 1 - 122192928000000000) / 10000 * 10000 + step FROM unnest(ARRAY[0, 10000, 20000, -10000]) AS step
UNION
SELECT ('x' || substr(digits('edge' || n), 1, 15))::bit(60)::bigint % 3000000000000 * 10000 FROM generate_series(1, 20) AS n;

CREATE TABLE raw (id uuid);
INSERT INTO raw
SELECT id_at(version, ticks, rest)
FROM edge, unnest(ARRAY[1, 6, 7, 8, 11]) AS version,
    LATERAL (VALUES (repeat('0', 32)), (repeat('f', 32)), (repeat('80', 16)), (repeat('7f', 16)), (digits(ticks::text || version)),
        (digits(version::text))) AS r (rest)
UNION
-- Random ids, in every version and a random variant.
SELECT overlay(digits('any' || n) PLACING to_hex(n % 16) FROM 13 FOR 1)::uuid FROM generate_series(1, 800) AS n
UNION
-- Every version with every variant: lowest and highest.
SELECT (repeat(fill, 12) || to_hex(version) || repeat(fill, 3) || to_hex(variant) || repeat(fill, 15))::uuid
FROM generate_series(0, 15) AS version, generate_series(0, 15) AS variant, unnest(ARRAY['0', 'f']) AS fill
UNION
-- One millisecond of versions b and 8, with the counter blocks around the ends of their sequence.
SELECT (block || pid || to_hex(version) || repeat('0', 3) || '8000' || '017f22e279b0')::uuid
FROM unnest(ARRAY['00000000', '00000001', '0000ffff', '00010000', '10000000', 'f0000000', 'ffffffff', '7fffffff', '80000000',
        '52500000', 'b9150000', 'b915ffff']) AS block,
    unnest(ARRAY['0000', '0001', 'ffff']) AS pid, unnest(ARRAY[8, 11]) AS version
UNION
SELECT unnest(ARRAY['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001',
    'ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-8000-8000-000000000000',
        '00000000-0000-b000-0000-000000000000']::uuid[]);
DELETE FROM raw WHERE id IS NULL;
-- The fields that determine the order, read from the digits.
CREATE VIEW reading AS
SELECT id, version, timed, CASE WHEN timed THEN ticks END AS ticks,
    CASE WHEN id = '00000000-0000-0000-0000-000000000000' THEN 0 WHEN timed THEN 1 ELSE 2 END AS era,
    CASE WHEN timed AND version IN (8, 11) THEN ((c * 20893) & 65535) << 16 | (w & 65535) ELSE 0 END AS sequence,
    -- Signed bytes sort as unsigned ones whose top bit is flipped.
    CASE WHEN version = 1 THEN ('x' || substr(hex, 17))::bit(64) # x'8080808080808080' END AS signed_bytes,
    CASE WHEN timed THEN timestamptz '1970-01-01 00:00:00+00' + make_interval(days => day::int)
        + (us - day * 86400000000) * interval '1 microsecond' END AS at
FROM raw,
    LATERAL (SELECT replace(id::text, '-', '')) AS a (hex),
    LATERAL (SELECT ('x' || lpad(substr(hex, 13, 1), 8, '0'))::bit(32)::int, substr(hex, 17, 1) ~ '[89ab]',
        ('x' || substr(hex, 1, 8))::bit(32)::bigint & 4294967295,
        ('x' || lpad(reverse(substr(hex, 1, 4)), 8, '0'))::bit(32)::bigint) AS b (version, rfc, w, c),
    LATERAL (SELECT version IN (1, 11) OR version IN (6, 7, 8) AND rfc,
        CASE
            WHEN version IN (8, 11) THEN ('x' || substr(hex, 21))::bit(48)::bigint * 10000
            WHEN version = 7 THEN ('x' || substr(hex, 1, 12))::bit(48)::bigint * 10000
            WHEN version = 1 THEN
                ('x' || '0' || substr(hex, 14, 3) || substr(hex, 9, 4) || substr(hex, 1, 8))::bit(64)::bigint - 122192928000000000
            WHEN version = 6 THEN ('x' || '0' || substr(hex, 1, 12) || substr(hex, 14, 3))::bit(64)::bigint - 122192928000000000
        END) AS d (timed, ticks),
    LATERAL (SELECT div(ticks, 10)::bigint - (ticks % 10 < 0)::int) AS e (us),
    LATERAL (SELECT div(us, 86400000000)::bigint - (us % 86400000000 < 0)::int) AS f (day);

-- Each id with its place in the order: nil; by (ticks, version, sequence, bytes), the last 8 bytes of version 1 as
-- signed; untimed by (version, bytes).
CREATE TABLE ids (id luuid, u uuid, place int, version int, timed boolean, ticks bigint, at timestamptz);
INSERT INTO ids
SELECT id::text::luuid, id, row_number() OVER (ORDER BY era, ticks, version, sequence, signed_bytes, id), version, timed, ticks,
    at
FROM reading
ORDER BY digits(id::text);
ANALYZE ids;
SELECT count(*) > 2000 AS many, count(DISTINCT u) = count(*) AS distinct, count(DISTINCT version) AS versions,
    count(*) FILTER (WHERE NOT timed) > 500 AS untimed, min(at), max(at)
FROM ids \gx
-- Times of which many have several versions.
SELECT count(*) > 30 AS shared FROM (SELECT 1 FROM ids WHERE timed GROUP BY ticks HAVING count(DISTINCT version) > 3) AS t;
-- The edge ids, few enough for cross joins.
CREATE TABLE hard (id luuid, u uuid, place int, timed boolean, ticks bigint, at timestamptz);
INSERT INTO hard
SELECT id, u, place, timed, ticks, at FROM ids
WHERE place IN (1, 2, (SELECT max(place) FROM ids)) OR u::text ~ '(0000000|fffffff)$' AND place % 3 = 0 OR place % 17 = 0;
SELECT count(*) BETWEEN 200 AND 800 AS few FROM hard;
-- Queries that have the same answer with every plan, on a table # with the columns of ids. The answer of a law is 0.
CREATE TABLE asked (n serial, is_law boolean, query text);
INSERT INTO asked (is_law, query) VALUES
    (true, 'SELECT count(*) FILTER (WHERE luuid_cmp(a.id, b.id) <> sign(a.place - b.place)), '
        'count(*) FILTER (WHERE (a.id < b.id) <> (a.place < b.place)), count(*) FILTER (WHERE (a.id <= b.u) <> (a.place <= b.place)), '
        'count(*) FILTER (WHERE (a.u >= b.id) <> (a.place >= b.place)), count(*) FILTER (WHERE (a.id > b.id) <> (a.place > b.place)), '
        'count(*) FILTER (WHERE (a.id ~<~ b.id) <> (a.u < b.u)), count(*) FILTER (WHERE (a.id = b.u) <> (a.place = b.place)) '
        'FROM hard AS a, hard AS b'),
    (true, 'SELECT count(*) FILTER (WHERE (id >= t) IS DISTINCT FROM (at >= t)), count(*) FILTER (WHERE (id <= t) IS DISTINCT FROM (at <= t)), '
        'count(*) FILTER (WHERE (t = id) IS DISTINCT FROM (t = at)), count(*) FILTER (WHERE (id <@ tstzrange(NULL, t)) IS DISTINCT FROM (at < t)) '
        'FROM hard, times WHERE timed AND t > ''-infinity'''),
    (true, 'SELECT count(*) FILTER (WHERE luuid_from_bits(luuid_msb(id), luuid_lsb(id)) <> id), count(*) FILTER (WHERE id::text::luuid <> u '
        'OR NOT luuid_is_valid(id::text)), count(*) FILTER (WHERE id::bytea::luuid <> u), '
        'count(*) FILTER (WHERE luuid_floor(at) > id OR luuid_ceiling(at) < id) FROM #'),
    (false, 'SELECT count(*) FILTER (WHERE luuid_extract_timestamp(u) IS DISTINCT FROM at), sum(luuid_extract_version(id)), '
        'sum(luuid_extract_counter(id)), sum(luuid_extract_pid(id)), count(DISTINCT luuid_extract_mac(id)) FROM #'),
    (false, 'SELECT sum(luuid_hash(id)::bigint), sum(luuid_hash_extended(id, 0)::numeric), sum(luuid_hash_extended(id, 7)::numeric), '
        'sum((luuid_inspect(id)).sequence), sum(luuid_msb(id)::numeric), sum(luuid_lsb(id)::numeric) FROM #'),
    (false, 'SELECT count(*), min(id)::text, max(id)::text FROM #'),
    (false, 'SELECT sum(hashtext(id::text)) FROM # WHERE id >= timestamptz ''2000-01-01 00:00:00+00'''),
    (false, 'SELECT sum(hashtext(id::text)) FROM # WHERE id <@ tstzrange(''1969-01-01 00:00:00+00'', now())'),
    (false, 'SELECT string_agg(place::text, '','') FROM (SELECT place FROM # ORDER BY id, place OFFSET 0) AS o'),
    (false, 'SELECT string_agg(place::text, '','') FROM (SELECT place FROM # ORDER BY id DESC LIMIT 500) AS o'),
    (false, 'SELECT sum(a.place) FROM # AS a JOIN # AS b ON a.id = b.u'),
    (false, 'SELECT count(*), sum(n) FROM (SELECT id, count(*) AS n FROM # GROUP BY id) AS g'),
    (false, 'SELECT count(*) FROM (SELECT min(id) AS least, max(id) AS greatest FROM # GROUP BY place % 10) AS g JOIN ids ON ids.id = least '
        'OR ids.id = greatest'),
    (false, 'SELECT count(*), count(DISTINCT luuid_generate()) FROM #');

-- Times: the infinities, the server's first and last, and the microseconds around every edge.
CREATE TABLE times (t timestamptz);
INSERT INTO times
SELECT unnest(ARRAY['-infinity', '4714-11-24 00:00:00+00 BC', '0001-01-01 00:00:00+00 BC', '1582-10-14 23:59:59.999999+00',
    '1582-10-15 00:00:00+00', '1969-12-31 23:59:59.999999+00', '1970-01-01 00:00:00+00', '2022-02-22 19:22:22+00',
    '10889-08-02 05:31:50.655+00', '10889-08-02 05:31:50.656+00', '294276-12-31 23:59:59.999999+00', 'infinity']::timestamptz[])
UNION
SELECT at + step * interval '1 microsecond'
FROM (SELECT DISTINCT at FROM reading JOIN edge USING (ticks)) AS edges, unnest(ARRAY[0, 1, -1, 1000, -999]) AS step
WHERE hashint8(step) % 2 = 0 OR extract(year FROM at) IN (1582, 1969, 1970, 5236, 10889)
UNION
SELECT timestamptz '0100-01-01 00:00:00+00' + make_interval(days => ('x' || substr(digits('t' || n), 1,
    6))::bit(24)::int % 8000000)
    + (('x' || substr(digits('t' || n), 9, 9))::bit(36)::bigint) * interval '1 microsecond'
FROM generate_series(1, 60) AS n;
SELECT count(*) BETWEEN 200 AND 600 AS enough, min(t), max(t) FROM times;

-- Rows for estimates: numbered ones whose times begin in 2016 and come at a rate, each with ids of versions b and 7.
CREATE FUNCTION fill(relation text, rate text, first int, last int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format($i$
        INSERT INTO %I
        -- As id_at() does, inlined for speed; OFFSET 0 has the digits evaluated once.
        SELECT at, (substr(d, 1, 12) || 'b' || substr(d, 13, 7) || z)::uuid, (z || '7' || substr(d, 1, 3) || '8' || substr(d, 4, 15))::uuid,
            (substr(d, 9, 12) || 'b' || substr(d, 21, 7) || z)::uuid, (z || '7' || substr(d, 9, 3) || '8' || substr(d, 12, 15))::uuid, n
        FROM generate_series(%s, %s) AS n,
            LATERAL (SELECT CASE %L
                WHEN 'steady' THEN n * 864000.0
                WHEN 'growing' THEN sqrt(n / 25000.0) * 250 * 86400000
                WHEN 'bursty' THEN (n / 100) * 86400000.0 + n %% 100 * 432000 END AS ms) AS rate,
            LATERAL (SELECT digits('b' || n) AS d, lpad(to_hex(1451606400000 + floor(ms)::bigint), 12, '0') AS z OFFSET 0) AS field,
            LATERAL (SELECT timestamptz '2016-01-01 00:00+00' + floor(ms)::bigint * interval '1 ms' AS at) AS time
        $i$, relation, first, last, rate);
END
$$;
-- Times of 2026 that are spread in one of five ways.
CREATE FUNCTION times(distribution text, rows int) RETURNS SETOF timestamptz LANGUAGE sql AS $$
    SELECT timestamptz '2026-01-05 00:00+00' + interval '1 day' * CASE distribution
        WHEN 'steady' THEN 150 * part
        WHEN 'nights' THEN d + floor(d / 5) * 2 + (9 + 8 * (150 * part - d)) / 24
        WHEN 'bursts' THEN floor(60 * part) * 2.5 + (60 * part - floor(60 * part)) / 48
        WHEN 'growth' THEN 150 * ln(1 + part * 200) / ln(201.0)
        WHEN 'newer' THEN floor(60 * part) * 2.5 + (60 * part - floor(60 * part)) / 48 END
    FROM generate_series(1, rows) AS n, LATERAL (SELECT n::float / rows AS part) AS p, LATERAL (SELECT floor(150 * part) AS d) AS e
$$;

-- The text of a UUID in one of eight forms, with up to three edits.
CREATE FUNCTION mutated_text(n int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    alphabet text := '0123456789abcdefABCDEF{}-----gGzZ x''"\.+' || chr(9) || chr(127) || chr(1);
    form text := ('{8-4-4-4-12,32,4-4-4-4-4-4-4-4,(8-4-4-4-12),(32),8-8-16,(4-4-24),12-20}'::text[])[1 + n % 8];
    source text := CASE WHEN n % 5 = 0 THEN upper(digits(n::text)) ELSE digits(n::text) END;
    input text; part text; at int := 1;
BEGIN
    FOREACH part IN ARRAY string_to_array(btrim(form, '()'), '-') LOOP
        input := concat_ws('-', input, substr(source, at, part::int));
        at := at + part::int;
    END LOOP;
    IF form ~ '^[(]' THEN input := '{' || input || '}'; END IF;
    FOR edit IN 1 .. floor(random() * 4) LOOP
        at := 1 + floor(random() * (length(input) + 1));
        part := substr(alphabet, 1 + floor(random() * length(alphabet))::int, 1);
        input := CASE floor(random() * 6)::int
            WHEN 0 THEN overlay(input PLACING part FROM at FOR 1)
            WHEN 1 THEN overlay(input PLACING part FROM at FOR 0)
            WHEN 2 THEN overlay(input PLACING '' FROM at FOR 1)
            WHEN 3 THEN overlay(input PLACING '-' FROM at FOR 0)
            WHEN 4 THEN overlay(input PLACING to_hex(n % 16) FROM at FOR 1)
            ELSE CASE WHEN n % 16 = 0 THEN left(input, at - 1) ELSE input END END;
    END LOOP;
    RETURN input;
END
$$;
-- The value that a type reads from a text, or its error.
CREATE FUNCTION read_as(type text, input text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN CASE type WHEN 'uuid' THEN input::uuid::text ELSE input::luuid::text END;
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || replace(SQLERRM, 'type luuid:', 'type uuid:');
END
$$;
-- The error of a statement, or 'accepted'.
CREATE FUNCTION refusal(statement text, OUT state text, OUT message text, OUT detail text, OUT hint text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    state := 'accepted';
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
        hint = PG_EXCEPTION_HINT;
END
$$;
-- The result of a dynamic query.
CREATE FUNCTION answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    EXECUTE query INTO result;
    RETURN result;
END
$$;
-- In the text of a query to be planned, @2026-05-01 is short for timestamptz '2026-05-01'; so is @2026-05-01T12:00.
CREATE FUNCTION spelled(query text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN regexp_replace(query, '@(\d{4}-\d\d-\d\d[T\d:]*)', 'timestamptz ''\1''', 'g');
-- A plan's lines; how often one contains a text, for plans that differ otherwise between servers; and a plan in a line.
CREATE FUNCTION plan_lines(query text, options text DEFAULT 'COSTS OFF') RETURNS SETOF text LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('EXPLAIN (%s) %s', options, spelled(query));
END
$$;
CREATE FUNCTION plan_says(pattern text, query text) RETURNS bigint LANGUAGE sql
    RETURN (SELECT count(*) FROM plan_lines(query) AS line WHERE line ~ pattern);
CREATE FUNCTION plan_of(query text) RETURNS text LANGUAGE sql
    RETURN (SELECT string_agg(ltrim(line, ' ->'), ' / ') FROM plan_lines(query) AS line);
-- The top node of a plan.
CREATE FUNCTION explained(query text, OUT rows float, OUT cost float, OUT compiled boolean) LANGUAGE sql AS $$
    SELECT (plan #>> '{0,Plan,Plan Rows}')::float, (plan #>> '{0,Plan,Total Cost}')::float, plan #> '{0,JIT}' IS NOT NULL
    FROM (SELECT answer('EXPLAIN (FORMAT JSON) ' || spelled(query))::json AS plan OFFSET 0) AS p
$$;
-- The tables in a plan; in brackets those that run-time pruning skipped.
CREATE FUNCTION tables_read(query text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(CASE WHEN read THEN name ELSE '[' || name || ']' END, ' ' ORDER BY name), 'none') FROM (
        SELECT node ->> 'Relation Name' AS name, bool_or((node ->> 'Actual Loops')::float > 0) AS read FROM jsonb_path_query(
            answer('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) ' || spelled(query))::jsonb,
            'strict $.** ? (exists (@."Relation Name"))') AS node GROUP BY 1) AS tables
$$;

-- The objects of luuid, and of luuid_contrib while it is there. From 17 on array types, and the row types of views, are members too.
CREATE VIEW member AS SELECT extname, classid, objid, obj_description(objid, classid::regclass::name) AS comment,
    pg_describe_object(classid, objid, 0) AS object
FROM pg_depend JOIN pg_extension AS e ON e.oid = refobjid AND refclassid = 'pg_extension'::regclass WHERE deptype = 'e' AND extname ~ '^luuid'
    AND NOT (classid = 'pg_type'::regclass AND objid IN (SELECT typarray FROM pg_type UNION ALL SELECT reltype FROM pg_class));
CREATE VIEW function AS SELECT p.*, p.oid::regprocedure AS signature, extname
FROM pg_proc AS p JOIN member ON classid = 'pg_proc'::regclass AND objid = p.oid;
CREATE VIEW operator AS SELECT o.*, o.oid::regoperator AS signature
FROM pg_operator AS o JOIN member ON classid = 'pg_operator'::regclass AND objid = o.oid;
CREATE VIEW class AS SELECT c.*, amname, extname
FROM pg_opclass AS c JOIN pg_am AS a ON a.oid = opcmethod JOIN member ON classid = 'pg_opclass'::regclass AND objid = c.oid;
CREATE VIEW family AS SELECT f.*, amname, extname
FROM pg_opfamily AS f JOIN pg_am AS a ON a.oid = opfmethod JOIN member ON classid = 'pg_opfamily'::regclass AND objid = f.oid;
-- True if a type can replace another: the same type, or one with an implicit cast that does nothing.
CREATE FUNCTION coercible(source oid, target oid) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT source = target OR target IN ('"any"'::regtype, 'anyelement'::regtype) OR EXISTS (SELECT FROM pg_cast
        WHERE castsource = source AND casttarget = target AND castmethod = 'b' AND castcontext = 'i')
$$;

-- Two settings by their names since 16 and before: run everything in a parallel worker.
CREATE FUNCTION force_parallel(word text) RETURNS void LANGUAGE sql AS $$
    SELECT FROM pg_settings, set_config(name, word, false) WHERE name IN ('debug_parallel_query', 'force_parallel_mode')
$$;
-- The answer to a query with the bounds of an id beside a comparison of its time, or without.
CREATE FUNCTION answer(query text, is_rewritten boolean) RETURNS text LANGUAGE sql
    RETURN (SELECT answer(query) FROM set_config('luuid.enable_time_rewrite', is_rewritten::text, true));
-- The answer to a query after a statement, which is undone.
CREATE FUNCTION answer_after(statement text, query text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RAISE EXCEPTION USING ERRCODE = 'LUUID', MESSAGE = answer(query);
EXCEPTION WHEN SQLSTATE 'LUUID' THEN
    RETURN SQLERRM;
END
$$;
-- Runs a statement that a query has written.
CREATE FUNCTION executed(statement text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE statement; END $$;

-- The cases of a list, which semicolons separate.
CREATE FUNCTION cases(list text, OUT said text) RETURNS SETOF text LANGUAGE sql IMMUTABLE
    AS $$ SELECT btrim(each, E' \n') FROM string_to_table(list, ';') AS each $$;
-- A table of the rows of a query, which autovacuum leaves alone, with indexes and statistics.
CREATE PROCEDURE make(relation text, query text, VARIADIC indexes text[] DEFAULT '{}') LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %I WITH (autovacuum_enabled = off) AS %s', relation, query);
    PERFORM executed(format('CREATE INDEX ON %I %s', relation, index)) FROM unnest(indexes) AS index;
    EXECUTE format('ANALYZE %I', relation);
END
$$;
-- Two partitions of a table, before and after.
CREATE PROCEDURE split(relation text, at text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TABLE %1$I PARTITION OF %2$I FOR VALUES FROM (MINVALUE) TO (%3$s);
        CREATE TABLE %4$I PARTITION OF %2$I FOR VALUES FROM (%3$s) TO (MAXVALUE)', relation || '_low', relation, at, relation || '_high');
END
$$;

-- For estimates, of a FROM list: the rows that the planner expects, and the actual rows.
CREATE FUNCTION planned(source text) RETURNS float LANGUAGE sql RETURN (explained('SELECT * FROM ' || source)).rows;
CREATE FUNCTION counted(source text) RETURNS float LANGUAGE sql RETURN answer(spelled('SELECT count(*) FROM ' || source))::float;
-- The rows that the planner expects at the node of a plan whose line has a text.
CREATE FUNCTION rows_at(pattern text, query text) RETURNS float LANGUAGE sql
    RETURN (SELECT substring(line FROM 'rows=([0-9]+)')::float FROM plan_lines(query, 'COSTS') AS line WHERE line ~ pattern LIMIT 1);
-- The q-error; fewer than 10 rows count as 10. What ? stands for is id to the planner, and the column of times where rows are
-- counted. Compared with the planner's estimate for that column; and the cases that are further off than a factor.
CREATE FUNCTION q_error(planned float, counted float) RETURNS float LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT greatest(greatest(planned, 10) / greatest(counted, 10), greatest(counted, 10) / greatest(planned, 10))
$$;
CREATE FUNCTION q_error(source text) RETURNS float LANGUAGE sql
    RETURN q_error(planned(replace(source, '?', 'id')), counted(replace(source, '?', 'at')));
CREATE FUNCTION as_times(source text) RETURNS float LANGUAGE sql
    RETURN q_error(planned(replace(source, '?', 'id')), planned(replace(source, '?', 'at')));
CREATE FUNCTION beyond(most float, source text, list text) RETURNS TABLE (said text, q float) LANGUAGE sql AS $$
    SELECT c.said, e.q FROM cases(list) AS c, q_error(source || c.said) AS e (q) WHERE (e.q <= most) IS NOT TRUE
$$;
CREATE FUNCTION during(subject text, since timestamptz, before timestamptz) RETURNS text LANGUAGE sql
    RETURN format('%1$s >= timestamptz %2$L AND %1$s < timestamptz %3$L', subject, since, before);
-- The worst of the days from one to another, by a table's id or another column, of the rows that have such a time.
CREATE FUNCTION worst(relation text, subject text, first int, last int) RETURNS float LANGUAGE sql AS $$
    SELECT max(q_error(planned(format('%s WHERE %s', relation, during(subject, day, day + interval '1 day'))),
        counted(format('%s WHERE %s', relation, during('at', day, day + interval '1 day')))))
    FROM generate_series(first, last - 1) AS n, LATERAL (SELECT timestamptz '2016-01-01' + n * interval '1 day' AS day) AS day
$$;
-- How often planning evaluates slow() in so many bounds, and the pages of an index that it reads.
CREATE SEQUENCE evaluated;
CREATE FUNCTION slow(operand anyelement) RETURNS anyelement LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM nextval('evaluated'); RETURN operand; END $$;
CREATE FUNCTION evaluations(source text, bound text, bounds int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    began bigint := nextval('evaluated');
BEGIN
    PERFORM planned(source || (SELECT string_agg(format(bound, n), ' AND ') FROM generate_series(1, bounds) AS n));
    RETURN nextval('evaluated') - began;
END
$$;
CREATE FUNCTION pages_read(index text, source text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    began bigint := pg_stat_get_xact_blocks_fetched(index::regclass);
BEGIN
    PERFORM planned(source);
    RETURN pg_stat_get_xact_blocks_fetched(index::regclass) - began;
END
$$;
-- How many estimates a user gets of ten ranges, each a day longer.
CREATE FUNCTION answers(relation text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(DISTINCT rows_at('Bitmap Index Scan', format('SELECT * FROM %s WHERE %s', relation,
        during('id', '2016-03-01', timestamptz '2016-09-06 00:00+00' + day * interval '1 day')))) FROM generate_series(1, 10) AS day $$;
CREATE FUNCTION answers(relation text, role name) RETURNS int LANGUAGE sql AS
    $$ SELECT answer_after('SET LOCAL ROLE regress_luuid_' || role, format('SELECT answers(%L)', relation))::int $$;
-- Whether the estimates of a table, odd, are in range; and so with a histogram of elements of another, shape.
CREATE FUNCTION odd_estimates() RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_and((planned(source) BETWEEN 1 AND most) IS TRUE) FROM (
        SELECT 16000, 'odd WHERE ' || said FROM cases('id >= @2016-05-01 AND id < @2016-06-01; id >= @2016-05-01; id < @2016-05-01;
            id::timestamptz <@ ''{[2016-05-01,2016-06-01),[2016-07-01,)}''::tstzmultirange; id = @2016-05-01; id = (SELECT now())')
        UNION ALL SELECT 16000 * 16000, 'odd AS a JOIN odd AS b ON ' || said FROM cases('b.id >= a.id;
            b.id >= a.id AND b.id < a.id::timestamptz + interval ''1 day'';
            b.id > a.at AND b.id < a.at + interval ''1 day'' AND a.id > @2016-05-01')) AS e (most, source)
$$;
CREATE FUNCTION with_shape(shape text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE shaped AS SELECT elements FROM shape WHERE name = %L', shape);
    ANALYZE shaped;
    FOR slot IN 1..5 LOOP
        EXECUTE format($i$ UPDATE pg_statistic SET stakind2 = 2, stavalues2 = e.values
            FROM (SELECT stavalues%1$s AS values FROM pg_statistic WHERE starelid = 'shaped'::regclass AND stakind%1$s = 4) AS e
            WHERE starelid = 'odd'::regclass AND staattnum = 1 $i$, slot);
    END LOOP;
    DROP TABLE shaped;
    RETURN odd_estimates();
END
$$;
-- For comparisons of the time of an id.
-- Served and not served alike: the rows of conditions on ids, those of the same ones on times, and the scans with a bound.
-- ? stands for the time of the id.
CREATE FUNCTION compared(list text) RETURNS TABLE (said text, by_index bigint, rows text, wanted text) LANGUAGE sql AS $$
    SELECT c.said, plan_says('Index Cond', 'SELECT n FROM ' || source), counted(source), counted(regexp_replace(source,
        'id::timestamptz|luuid_extract_timestamp\(kept\)|kept::luuid::timestamptz|id(?=::)', 'at', 'g'))
    FROM cases(list) AS c, LATERAL (SELECT 'entry WHERE ' || replace(c.said, '?', 'id::timestamptz') AS source) AS s
$$;
-- Those that have other rows, or not so many scans with a bound.
CREATE FUNCTION unlike(scans int, list text) RETURNS TABLE (said text, by_index bigint, rows text, wanted text) LANGUAGE sql AS $$
    SELECT * FROM compared(list) WHERE (by_index = scans AND rows = wanted) IS NOT TRUE
$$;

-- Random conditions: AND, OR, NOT and CASE over comparisons of %1$s, converted and rounded, with a time, an unknown one, or a sub-select.
CREATE FUNCTION random_condition(depth int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    operator text := (ARRAY['<', '<=', '=', '>=', '>', '<>'])[1 + floor(random() * 6)];
    other text;
BEGIN
    IF depth > 0 AND random() < 0.7 THEN
        RETURN format(replace((ARRAY['(@ AND @)', '(@ OR @)', 'NOT (@ AND @)', '(NOT @ OR @)',
            '(CASE WHEN @ THEN @ END)'])[1 + floor(random() * 4.3)], '@', '%s'),
            random_condition(depth - 1), random_condition(depth - 1));
    END IF;
    SELECT format('timestamptz %L', t) INTO other FROM times ORDER BY random() LIMIT 1;
    other := CASE floor(random() * 8) WHEN 0 THEN 'NULL' WHEN 1 THEN '(SELECT ' || other || ')' ELSE other END;
    RETURN replace(replace(replace(CASE floor(random() * 8) WHEN 0 THEN '# BETWEEN ~ AND ''3000-01-01''' WHEN 1 THEN '% <@ tstzrange(NULL, ~)'
        WHEN 2 THEN '# IN (~, ''2012-10-15 20:58:18.45+02'')'
        WHEN 3 THEN '~ ' || operator || ' #' WHEN 4 THEN '% ' || operator || ' ~' WHEN 5
            THEN '(% AT TIME ZONE ''Europe/Berlin'')::date ' || operator || ' (~)::date' ELSE '# ' || operator || ' ~' END, '~', other),
        '#', (ARRAY['%', '%::date', '%::timestamp', 'date_trunc(''month'', %)'])[1 + floor(random() * 4)]), '%', '%1$s');
END $$;
CREATE FUNCTION rows_of(query text, at text) RETURNS text LANGUAGE sql AS
    $$ SELECT answer('SELECT coalesce(string_agg(n::text, '' '' ORDER BY n), '''') FROM (' || format(query, at) || ') AS s (n)') $$;

-- Random queries on the tables made, kept_time, seen and part_made.
CREATE FUNCTION random_of(VARIADIC texts text[]) RETURNS text LANGUAGE sql VOLATILE RETURN texts[1 + floor(random() * cardinality(texts))];
-- Of a table's time, X, and of Y, which is another row's, or known.
CREATE FUNCTION random_comparison(x text, y text) RETURNS text LANGUAGE sql VOLATILE
    RETURN replace(replace(random_of('X >= Y AND X < Y + interval ''2 hours''', 'X >= Y AND X < Y + interval ''2 hours''',
    'X BETWEEN Y - interval ''1 day'' AND Y',
    'X <@ tstzrange(Y, Y + interval ''1 hour'')', 'X >= Y', 'X < Y', 'Y = X', 'Y > X', 'X::date = Y::date', 'X::date >= Y::date',
        'X::date < Y::date AND X > Y - interval ''2 days''', 'date_trunc(''day'', X) = Y',
    'date_trunc(''day'', X) <= Y', 'X::date IN (''2026-01-10'', ''2026-02-10'')', 'X = Y OR X::date = ''2026-01-15''', 'NOT X > Y',
        'X >= Y AND Y >= X - interval ''1 hour'''), 'X', split_part(x, ' ', 2)), 'Y', y);
CREATE FUNCTION random_query() RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    x text := random_of('made x.id::timestamptz', 'kept_time x.u::luuid::timestamptz', 'seen x.at', 'part_made x.id::timestamptz');
    y text := random_of('made y.id::timestamptz', 'kept_time y.u::luuid::timestamptz', 'seen y.at', 'part_made y.id::timestamptz');
    known text := format(random_of('timestamptz %L', 'timestamptz %L', '(SELECT timestamptz %L)'),
        timestamptz '2026-01-01 00:00+00' + floor(random() * 60) * interval '1 day');
    few text := (SELECT format('y.n BETWEEN %s AND %s', n, n + random_of('10', '50')::int) FROM floor(random() * 4000) AS n);
BEGIN
    RETURN format(random_of('SELECT x.n FROM %1$s AS x WHERE %4$s', 'SELECT x.n FROM %1$s AS x WHERE %4$s AND %5$s',
        'SELECT x.n FROM %1$s AS x JOIN %2$s AS y ON %3$s WHERE %6$s', 'SELECT x.n FROM %1$s AS x JOIN %2$s AS y ON %3$s AND %4$s WHERE %6$s',
            'SELECT y.n FROM %2$s AS y LEFT JOIN %1$s AS x ON %3$s WHERE %6$s',
                'SELECT y.n FROM %2$s AS y WHERE EXISTS (SELECT FROM %1$s AS x WHERE %3$s) AND %6$s',
                'SELECT y.n FROM %2$s AS y WHERE NOT EXISTS (SELECT FROM %1$s AS x WHERE %3$s) AND %6$s'),
        split_part(x, ' ', 1), split_part(y, ' ', 1), random_comparison(x, split_part(y, ' ', 2)), random_comparison(x, known),
            random_comparison(x, known), few);
END $$;
CREATE FUNCTION digest(query text) RETURNS text LANGUAGE sql
    RETURN answer('SELECT count(*) || md5(coalesce(string_agg(n::text, '' '' ORDER BY n), '''')) FROM (' || query || ') AS s');
