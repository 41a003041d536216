-- Text: luuid accepts and rejects exactly what uuid does, has the same output, and reports what is wrong.
\a \t
CALL begin_test();
\pset null '(null)'

-- Errors: the message is uuid's but for the type's name; reason and position are added.
SELECT n, t, r.state, r.message, r.detail, r.hint
FROM (VALUES (1, ''), (2, '20be0ffc-314a-bd53-7a50-013a65ca76d'), (3, '20be0ffc-314a-bd53-7a50-013a65ca76d22'),
    (4, '{20be0ffc-314a-bd53-7a50-013a65ca76d2'), (5, '20be0ffc--314a-bd53-7a50-013a65ca76d2')) AS bad (n, t),
    LATERAL refusal(format('SELECT %L::luuid', t)) AS r ORDER BY n;

-- 40 000 mutated texts of every form: accepted with uuid's value, or rejected with its SQLSTATE and message.
CREATE TABLE tally (accepted int, refused int, disagreed int, first text);
DO $$
DECLARE
    alphabet text := '0123456789abcdefABCDEF{}-----gGzZ x''"\.+' || chr(9) || chr(127) || chr(1);
    forms text[] := ARRAY['8-4-4-4-12', '32', '4-4-4-4-4-4-4-4', '{8-4-4-4-12}', '{32}', '8-8-16', '{4-4-24}', '12-20'];
    accepted int := 0; refused int := 0; disagreed int := 0; first text;
    source text; form text; part text; at int; text_in text; edits int;
    by_uuid text; by_luuid text;
BEGIN
    PERFORM setseed(0.25);
    FOR n IN 1 .. 40000 LOOP
        source := digits(n::text);
        IF n % 5 = 0 THEN source := upper(source); END IF;
        form := forms[1 + n % 8];
        text_in := '';
        at := 1;
        FOREACH part IN ARRAY string_to_array(btrim(form, '{}'), '-') LOOP
            text_in := text_in || CASE WHEN at > 1 THEN '-' ELSE '' END || substr(source, at, part::int);
            at := at + part::int;
        END LOOP;
        IF left(form, 1) = '{' THEN text_in := '{' || text_in || '}'; END IF;

        edits := floor(random() * 4);
        FOR e IN 1 .. edits LOOP
            at := 1 + floor(random() * (length(text_in) + 1));
            part := substr(alphabet, 1 + floor(random() * length(alphabet))::int, 1);
            CASE floor(random() * 6)::int
                WHEN 0 THEN text_in := overlay(text_in PLACING part FROM at FOR 1);
                WHEN 1 THEN text_in := overlay(text_in PLACING part FROM at FOR 0);
                WHEN 2 THEN text_in := overlay(text_in PLACING '' FROM at FOR 1);
                WHEN 3 THEN text_in := overlay(text_in PLACING '-' FROM at FOR 0);
                WHEN 4 THEN text_in := overlay(text_in PLACING to_hex(n % 16) FROM at FOR 1);
                ELSE text_in := CASE WHEN n % 16 = 0 THEN left(text_in, at - 1) ELSE text_in END;
            END CASE;
        END LOOP;

        BEGIN
            by_uuid := text_in::uuid::text;
        EXCEPTION WHEN OTHERS THEN
            by_uuid := SQLSTATE || SQLERRM;
        END;
        BEGIN
            by_luuid := text_in::luuid::text;
            accepted := accepted + 1;
        EXCEPTION WHEN OTHERS THEN
            by_luuid := SQLSTATE || replace(SQLERRM, 'type luuid:', 'type uuid:');
            refused := refused + 1;
        END;
        IF by_uuid IS DISTINCT FROM by_luuid THEN
            disagreed := disagreed + 1;
            first := coalesce(first, text_in);
        END IF;
    END LOOP;
    INSERT INTO tally VALUES (accepted, refused, disagreed, first);
END
$$;
SELECT accepted > 10000 AS many_accepted, refused > 10000 AS many_refused, disagreed, first FROM tally;

-- Output equals uuid's for every id, and round-trips.
SELECT count(*) FILTER (WHERE id::text IS DISTINCT FROM u::text) AS output, count(*) FILTER (WHERE id::text::luuid IS DISTINCT FROM id) AS back,
    count(*) FILTER (WHERE upper(id::text)::luuid IS DISTINCT FROM id) AS upper,
    count(*) FILTER (WHERE replace(id::text, '-', '')::luuid IS DISTINCT FROM id) AS bare
FROM ids;

-- If the server supports soft errors (from 16 on), the error is soft.
SELECT CASE WHEN current_setting('server_version_num')::int >= 160000
    THEN answer('SELECT pg_input_is_valid(''x'', ''luuid'') || '' '' || pg_input_is_valid(''{20be0ffc-314a-bd53-7a50-013a65ca76d2}'', ''luuid'')')
    ELSE 'false true' END AS soft;

-- A long text is rejected as any other; the message contains all of it, as for uuid.
SELECT state, length(message) - length(t) AS rest, detail FROM repeat('a', 1000000) AS t, refusal(format('SELECT %L::luuid', t));

-- luuid_is_valid is true for the 36 characters alone, in either case, of any version; no text raises an error.
SELECT t, luuid_is_valid(t)
FROM unnest(ARRAY['20Be0ffc-314a-bD53-7a50-013a65ca76d2', '20be0ffc314abd537a50013a65ca76d2', '{20be0ffc-314a-bd53-7a50-013a65ca76d2}',
    '20be-0ffc-314abd53-7a50-013a-65ca76d2', '20be0ffc-314a-bd53-7a50-013a65ca76d', '20be0ffc-314a-bd53-7a50-013a65ca76d22', '', NULL]) AS t;
SELECT count(*) FILTER (WHERE luuid_is_valid(id::text) IS NOT TRUE) AS refused,
    count(*) FILTER (WHERE luuid_is_valid(replace(id::text, '-', ''))) AS accepted,
    count(*) FILTER (WHERE luuid_is_valid(overlay(id::text PLACING chr(1 + place % 47) FROM 1 + place % 36))) AS broken
FROM ids WHERE chr(1 + place % 47) <> '-';
SELECT luuid_is_valid(repeat('a', 1000000)), luuid_is_valid(repeat('é', 18));
