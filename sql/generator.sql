-- Generation: that each id is greater than the one before, and their fields.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- The fields of an id: version b, this backend's process, the node, and the clock's time at the call, not at the start
-- of the transaction. The clock may step meanwhile.
\c -
BEGIN;
DO 'BEGIN PERFORM pg_sleep(0.02); END';
SELECT clock_timestamp() AS before, luuid_generate() AS id, clock_timestamp() AS after \gset
SELECT luuid_extract_version(:'id') AS version, luuid_extract_pid(:'id') = pg_backend_pid() % 65536 AS pid,
    luuid_extract_mac(:'id') IS NOT NULL AS mac,
    -- Within a millisecond: a counter that wrapped takes the next one.
    luuid_extract_timestamp(:'id') BETWEEN date_trunc('milliseconds', least(:'before'::timestamptz, :'after'))
        AND greatest(:'before'::timestamptz, :'after') + interval '1 ms' AS now \gx
COMMIT;
-- Also across changes of mode and version, which take effect at once.
SELECT count(*) AS ids, count(*) FILTER (WHERE id <= before) AS not_greater FROM (SELECT id, lag(id) OVER () AS before
    FROM (SELECT CASE WHEN n % 5 = 0 THEN luuid_generate() WHEN n % 5 < 3 THEN luuid_generate_sequential() ELSE luuid_generate_variable() END AS id
        FROM generate_series(1, 5000) AS n OFFSET 0) AS g) AS s;
CREATE TABLE made (n serial, id luuid DEFAULT luuid_generate() PRIMARY KEY, mode text);
SELECT FROM generate_series(1, 3) AS turn, unnest(ARRAY['variable', 'sequential']) AS mode, unnest(ARRAY['b', '8']) AS version,
    executed(format('SET LOCAL luuid.mode = %1$s; SET LOCAL luuid.version = %2$L; INSERT INTO made (mode)
        SELECT ''%1$s %2$s'' FROM generate_series(1, 1000)', mode, version));
SELECT mode, count(*), min(luuid_extract_version(id)) AS version, count(*) FILTER (WHERE id <= before) AS not_greater,
    count(*) FILTER (WHERE id::text !~ CASE WHEN mode ~ '8' THEN '^.{14}8...-[89ab]' ELSE '^.{14}b' END) AS not_so
FROM (SELECT *, lag(id) OVER (ORDER BY n) AS before FROM made) AS s GROUP BY mode ORDER BY mode COLLATE "C";
-- A column default is used unless INSERT gives a value, for each row; the newest is last.
INSERT INTO made (id, mode) VALUES (DEFAULT, 'default'), (DEFAULT, 'default'), ('20be0ffc-314a-bd53-7a50-013a65ca76d2', 'given');
INSERT INTO made (mode) SELECT 'selected' FROM made LIMIT 5000;
SELECT mode, count(*), count(DISTINCT id) AS different FROM made WHERE mode IN ('default', 'given', 'selected') GROUP BY mode ORDER BY mode COLLATE "C";
SELECT (SELECT id FROM made ORDER BY id DESC LIMIT 1) = (SELECT id FROM made ORDER BY n DESC LIMIT 1) AS newest_is_last;
-- Neither a failed nor a rolled back subtransaction makes an id repeat.
BEGIN;
SELECT luuid_generate() AS a \gset
SAVEPOINT s;
SELECT luuid_generate() AS b \gset
ROLLBACK TO s;
SELECT luuid_generate() AS c \gset
COMMIT;
SELECT :'a'::luuid < :'b'::luuid AND :'b'::luuid < :'c'::luuid AS increasing;
-- For back-filling: any requested millisecond; the counter advances; the order of new ids is unaffected.
CALL standard_settings();
SELECT count(*) AS times, count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM date_trunc('milliseconds', t)) AS wrong,
    count(DISTINCT id) AS ids
FROM (SELECT t, luuid_generate(t) AS id FROM times
    WHERE t >= '1970-01-01' AND t < '10889-08-02 05:31:50.656' OFFSET 0) AS g;
SELECT count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM at) AS wrong, count(DISTINCT id) AS ids,
    count(*) FILTER (WHERE id <= before) AS not_greater
FROM (SELECT *, lag(id) OVER () AS before FROM (SELECT at, luuid_generate(at) AS id
    FROM generate_series(timestamptz '2020-01-01', '2020-01-02', '1 min') AS at OFFSET 0) AS g) AS s;
SELECT a < b AS increasing, later > b AS later, earlier < a AS earlier FROM (SELECT luuid_generate() AS a, luuid_generate('10000-01-01') AS later,
    luuid_generate('1970-01-01') AS earlier, luuid_generate() AS b OFFSET 0) AS g;
SET luuid.version = '8';
SELECT luuid_extract_version(luuid_generate('2020-01-01'));
SET luuid.mode = 'sequential';
SELECT (luuid_inspect(luuid_generate('2020-01-01'))).prefix - (luuid_inspect(luuid_generate('2030-01-01'))).prefix AS counts_from_now;
RESET luuid.mode;
RESET luuid.version;
-- Each generator is called for every row, in every mode.
SELECT count(DISTINCT a) AS a, count(DISTINCT b) AS b, count(DISTINCT c) AS c, count(DISTINCT d) AS d FROM (SELECT luuid_generate() AS a,
    luuid_generate_variable() AS b, luuid_generate_sequential() AS c, luuid_generate('2020-01-01') AS d FROM generate_series(1, 1000)) AS g \gx
-- Versions 1 and 7: each increases strictly, has the current time, and its version and variant.
\c -
CALL standard_settings();
CREATE TABLE rfc AS SELECT n, clock_timestamp() AS before, luuid_generate_v1() AS v1, luuid_generate_v7() AS v7, clock_timestamp() AS after
    FROM generate_series(1, 300000) AS n;
SELECT count(*) AS ids, count(DISTINCT v1) AS different_v1, count(DISTINCT v7) AS different_v7,
    count(*) FILTER (WHERE v1 <= v1_before) AS v1_not_greater, count(*) FILTER (WHERE v7 <= v7_before) AS v7_not_greater,
    count(*) FILTER (WHERE v7 ~<=~ v7_before) AS v7_not_greater_in_bytes,
    count(*) FILTER (WHERE (luuid_extract_version(v1) = 1 AND luuid_extract_version(v7) = 7) IS NOT TRUE) AS wrong_version,
    count(*) FILTER (WHERE substr(v1::text, 20, 1) !~ '[89ab]' OR substr(v7::text, 20, 1) !~ '[89ab]') AS wrong_variant
FROM (SELECT v1, v7, lag(v1) OVER (ORDER BY n) AS v1_before, lag(v7) OVER (ORDER BY n) AS v7_before FROM rfc) AS s \gx
-- A burst of version 1 takes 100 ns per id, and is ahead of the clock if it was faster; version 7 never is. The node of version 1
-- is no hardware address (its multicast bit is set), is constant in a backend, and ends with its process id.
SELECT bool_or(n = 1 AND luuid_extract_timestamp(v1) BETWEEN least(before, after) AND greatest(before, after)) AS first_v1,
    bool_or(n = 1 AND luuid_extract_timestamp(v7) BETWEEN date_trunc('milliseconds', least(before, after)) AND greatest(before, after)) AS first_v7,
    max(luuid_extract_timestamp(v7)) <= max(after) AS not_ahead, count(DISTINCT luuid_extract_mac(v1)) AS nodes,
    bool_and(get_byte(v1::bytea, 10) & 1 = 1) AS multicast, bool_and(('x' || right(v1::text, 6))::bit(24)::int = pg_backend_pid()) AS process
FROM rfc \gx
-- Version 7 has 62 random bits: none after the stamp is the same in all ids.
SELECT count(*) AS settled FROM (SELECT bit_and(luuid_lsb(v7)::bit(64)) AS ones, bit_or(luuid_lsb(v7)::bit(64)) AS any_one FROM rfc) AS s,
    generate_series(2, 63) AS b WHERE get_bit(ones, b) = 1 OR get_bit(any_one, b) = 0;
-- The first and the last time, and times beyond.
SELECT luuid_extract_timestamp(luuid_generate_v1('1582-10-15')) AS first_v1,
    luuid_extract_timestamp(luuid_generate_v1('5236-03-31 21:21:00.684696')) AS last_v1,
    luuid_extract_timestamp(luuid_generate_v7('1970-01-01')) AS first_v7,
    luuid_extract_timestamp(luuid_generate_v7('10889-08-02 05:31:50.655999')) AS last_v7 \gx
-- Any other time is rejected, and the backend continues.
SELECT state, replace(message, said, '…') AS message, detail, string_agg(version || said, ', ' ORDER BY version, said) AS of FROM (VALUES
    ('_v1', ARRAY['1582-10-14 23:59:59.999999+00', '5236-03-31 21:21:00.684697+00', 'infinity', '-infinity']),
    ('_v7', ARRAY['1969-12-31 23:59:59.999999+00', '10889-08-02 05:31:50.656+00', 'infinity', '-infinity']),
    ('', ARRAY['-infinity', '1969-12-31 23:59:59.999999+00', '1970-01-01 00:00:00+00', '10889-08-02 05:31:50.655999+00',
        '10889-08-02 05:31:50.656+00', 'infinity'])) AS v (version, times), unnest(times) AS said,
    refusal(format('SELECT luuid_generate%s(timestamptz %L)', version, said)) GROUP BY 1, 2, 3 ORDER BY 3;
