-- Settings: accepted values, privileges, effects on ids, and luuid_status().
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
SELECT mode, version, pid = pg_backend_pid() % 65536 AS pid,
    leased = (current_setting('shared_preload_libraries') ~ 'luuid') AS leased, clock_steps_back, node ~ '^[0-9a-f]{7}$' AS node,
    node_source ~ '^system identifier( and mac)?$' AS source FROM luuid_status() \gx
SELECT name, setting, context, vartype, enumvals, boot_val FROM pg_settings WHERE name LIKE 'luuid.%' ORDER BY name COLLATE "C";
-- Words, in either case; other values are rejected and change nothing.
SELECT n, name, word, r.state, r.message, r.detail, replace(r.hint, '"', '') AS hint, current_setting('luuid.' || name) AS now
FROM (VALUES (1, 'mode', 'sequential'), (2, 'mode', 'VARIABLE'), (3, 'mode', 'random'), (4, 'version', '8'), (5, 'version', 'B'),
    (6, 'version', '7'), (7, 'version', '11'), (8, 'node', 'FEDCBA9'), (9, 'node', 'mac'), (10, 'node', 'Random'), (11, 'node', 'AUTO'),
    (12, 'node', '012345'), (13, 'node', '01234567'), (14, 'node', '012345g'), (15, 'node', ''),
    (16, 'node', '0123abc')) AS v (n, name, word), refusal(format('SET luuid.%I = %L', name, word)) AS r;
SET luuid.colour = 'red';
-- Every id contains the node's digits: 28 bits in version b, the last 26 in version 8, whose variant takes two.
SET luuid.node = 'fedcba9';
SET luuid.version = 'b';
CREATE VIEW of_node AS SELECT luuid_extract_mac(luuid_generate()) AS mac, substr(luuid_generate()::text, 15, 9) AS digits, version, node, node_source
FROM luuid_status();
TABLE of_node \gx
SELECT answer_after('SET LOCAL luuid.version = ''8''', 'SELECT o::text FROM of_node AS o') AS v8;
-- A change of node takes effect with the next id, does not restart the counter, and keeps ids increasing.
SELECT luuid_generate() AS a \gset
SET luuid.node = '0000001';
SELECT luuid_generate() AS b \gset
SELECT luuid_extract_mac(:'b') AS mac,
    (luuid_extract_counter(:'b') - luuid_extract_counter(:'a') + 4294967296) % 4294967296 AS step, :'a'::luuid < :'b'::luuid AS increasing,
    answer_after('SET LOCAL luuid.node = ''7654321''', 'SELECT node FROM luuid_status()') AS local, (luuid_status()).node \gx
-- random: constant for the backend, not drawn per id.
SET luuid.node = 'random';
SELECT count(DISTINCT luuid_extract_mac(luuid_generate())) AS nodes, (SELECT node_source FROM luuid_status()) FROM generate_series(1, 100);
-- mac: the first interface's address, or zeros without one; auto: a hash, the same in every backend, in ids of both versions.
SET luuid.node = 'mac';
SELECT node_source IN ('mac', 'none') AND (node_source = 'mac' OR node = '0000000') AS is_mac, node AS mac_here FROM luuid_status() \gset
SET luuid.node = 'auto';
SELECT node AS node_here, node_source AS source_here FROM luuid_status() \gset
SELECT :'is_mac' AS mac, :'node_here' <> :'mac_here' AS another, :'source_here' = CASE WHEN :'mac_here' <> '0000000'
    THEN 'system identifier and mac' ELSE 'system identifier' END AS of_both;
\c -
SELECT node = :'node_here' AND node_source = :'source_here' AS same_in_every_backend,
    right(replace(luuid_extract_mac(luuid_generate())::text, ':', ''), 7) = node AS in_ids FROM luuid_status();
-- Every role may set mode and version. Only superusers may set the node, which is an identity, and the limit, which concerns all.
CREATE ROLE regress_luuid_user;
SET ROLE regress_luuid_user;
SELECT state, message FROM cases($$SET luuid.node = '0123abc'; SELECT set_config('luuid.node', 'random', false); SET luuid.max_ahead = 0$$),
    refusal(said);
SELECT answer_after('SET LOCAL luuid.mode = ''sequential''; SET LOCAL luuid.version = ''8''',
    'SELECT concat_ws('' '', mode, version, luuid_extract_version(luuid_generate())) FROM luuid_status()') AS set_by_user;
RESET ROLE;
DROP ROLE regress_luuid_user;
-- Set for a database or by a function, as any setting.
CREATE FUNCTION sequential_id() RETURNS luuid LANGUAGE sql VOLATILE SET luuid.mode = 'sequential' AS 'SELECT luuid_generate()';
SELECT luuid_generate_sequential() AS s \gset
SELECT ('x' || left(sequential_id()::text, 8))::bit(32)::bigint - ('x' || left(:'s', 8))::bit(32)::bigint IN (1, 1 - 4294967296)
    OR date_bin('10 min', now(), 'epoch') <> date_bin('10 min', luuid_extract_timestamp(:'s'), 'epoch') AS sequential, mode
        FROM luuid_status();
-- How far ids may run ahead of the clock: a time, set by superusers only.
SELECT said, state, current_setting('luuid.max_ahead') AS now FROM cases('5s; 0; 24d; -1; 25d'), refusal(format('SET luuid.max_ahead = %L', said));
-- A session that would exceed it waits, until it is cancelled here: these ids take a millisecond each.
\c -
SELECT ahead FROM luuid_status();
SET luuid.max_ahead = '20ms';
PREPARE narrow AS SELECT count(luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 32)) FROM generate_series(1, $1::int);
EXECUTE narrow(100);
SELECT ahead <= '20 ms' AS bounded FROM luuid_status();
SET statement_timeout = '100ms';
EXECUTE narrow(1000000);
RESET statement_timeout;
SELECT ahead <= '20 ms' AS bounded FROM luuid_status();
-- With 0 no session waits. Generators of given times and of other kinds, which are not ahead, never wait.
SET luuid.max_ahead = 0;
EXECUTE narrow(1000000);
SELECT ahead > '10 min' AS far_ahead FROM luuid_status();
RESET luuid.max_ahead;
SELECT luuid_generate(timestamptz '2026-11-21 12:00+00') IS NOT NULL AS at, luuid_generate_v1() IS NOT NULL AS v1,
    luuid_generate_v7() IS NOT NULL AS v7, luuid_generate_uniqid() IS NOT NULL AS uniqid \gx
SET statement_timeout = '100ms';
SELECT luuid_generate();
RESET statement_timeout;
-- No setting is a list.
SELECT name, message FROM pg_settings, refusal(format('SET %s TO a, b', name)) WHERE name LIKE 'luuid.%'
    AND message NOT LIKE '% takes only one argument';
