-- Text: luuid accepts and rejects exactly what uuid does, has the same output, and reports what is wrong.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- Errors: the message is uuid's with this type's name, and a detail with the reason and position.
SELECT r.* FROM cases('; 20be0ffc-314a-bd53-7a50-013a65ca76d; 20be0ffc-314a-bd53-7a50-013a65ca76d22; {20be0ffc-314a-bd53-7a50-013a65ca76d2;
    20be0ffc--314a-bd53-7a50-013a65ca76d2') AS t, refusal(format('SELECT %L::luuid', t)) AS r;
-- 40 000 mutated texts of every form: accepted with uuid's value, or rejected with its SQLSTATE and message.
SELECT FROM setseed(0.25);
SELECT count(*) FILTER (WHERE by_luuid !~ '^22P02 ') > 10000 AS many_accepted, count(*) FILTER (WHERE by_luuid ~ '^22P02 ') > 10000 AS many_refused,
    count(*) FILTER (WHERE by_uuid IS DISTINCT FROM by_luuid) AS disagreed, min(input) FILTER (WHERE by_uuid IS DISTINCT FROM by_luuid) AS first
FROM generate_series(1, 40000) AS n, mutated_text(n) AS input, read_as('uuid', input) AS by_uuid, read_as('luuid', input) AS by_luuid \gx
-- If the server supports soft errors (from 16 on), the error is soft.
SELECT CASE WHEN current_setting('server_version_num')::int >= 160000
    THEN answer('SELECT pg_input_is_valid(''x'', ''luuid'') || '' '' || pg_input_is_valid(''{20be0ffc-314a-bd53-7a50-013a65ca76d2}'', ''luuid'')')
    ELSE 'false true' END AS soft;
-- A long text is rejected as any other; the message contains all of it, as for uuid.
SELECT state, length(message) - length(t) AS rest, detail FROM repeat('a', 1000000) AS t, refusal(format('SELECT %L::luuid', t));
-- No text is an error for luuid_is_valid; vectors.sql has what is valid.
SELECT luuid_is_valid(repeat('a', 1000000)) AS of_a_million, luuid_is_valid(repeat('é', 18)) AS of_36_bytes;
