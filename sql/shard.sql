-- Shards: the shard of an id, the start of a shard, and new ids on a shard.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- The start of the second of three is 2^32 / 3, rounded up.
SELECT luuid_shard_floor(1, 3);
-- A uuid column has the same shards. Ids generated near another have its first 16 bits, unless other bits are requested.
CREATE TABLE random_ids AS SELECT gen_random_uuid()::luuid AS id FROM generate_series(1, 10000);
SELECT count(*) FILTER (WHERE luuid_shard(id, 1000) IS DISTINCT FROM luuid_shard(id::uuid, 1000)) AS of_uuid,
    count(*) FILTER (WHERE left(luuid_generate_near(id)::text, 4) IS DISTINCT FROM left(id::text, 4)) AS not_near FROM random_ids;
-- Ids generated for a shard lie on it, wide or narrow, and are distinct. (Narrow ranges run far ahead of the clock.)
SET luuid.max_ahead = 0;
SELECT count(*) AS ids, count(DISTINCT id) AS different, count(*) FILTER (WHERE luuid_shard(id, n) IS DISTINCT FROM i) AS violations
FROM unnest(ARRAY[1, 3, 8, 1000, 32768, 65536, 2147483647]) AS n,
    LATERAL (SELECT DISTINCT i FROM unnest(ARRAY[0, n / 3, n - 1]) AS i) AS shards,
    LATERAL (SELECT luuid_generate_in_shard(i, n) AS id FROM generate_series(1, 1000 + 0 * i)) AS made;
-- (Ids in a narrow range take about a millisecond each, so the ids above are ahead of the clock; a new backend's are not.)
\c -
CALL standard_settings();
-- They are new locality UUIDs of the present, of this backend and the version that is set.
SELECT luuid_extract_version(child) AS version, luuid_extract_pid(child) = pg_backend_pid() % 65536 AS ours,
    luuid_extract_timestamp(child) BETWEEN now() - interval '1 second' AND clock_timestamp() + interval '1 second' AS now
FROM luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2') AS child;
SET luuid.version = '8';
SELECT luuid_extract_version(luuid_generate_near('00000000-0000-0000-0000-000000000000')) AS near,
    luuid_extract_version(luuid_generate_in_shard(1, 8)) AS in_shard;
RESET luuid.version;
-- Ids near many parents do not run ahead of the clock.
SELECT max(luuid_extract_timestamp(luuid_generate_near(id))) - clock_timestamp() < interval '1 second' AS with_the_clock
FROM random_ids, generate_series(1, 10);
-- Parents, children and ids of both modes of one backend in one statement are distinct. (These run as far ahead.)
SET luuid.max_ahead = 0;
SELECT count(*) AS ids, count(DISTINCT id) AS different
FROM (SELECT luuid_generate_variable() AS parent, luuid_generate_sequential() AS other FROM generate_series(1, 50000)) AS made,
    LATERAL (VALUES (parent), (other), (luuid_generate_near(parent)), (luuid_generate_near(other)),
        (luuid_generate_in_shard(luuid_shard(parent, 8), 8))) AS ids (id);
-- Errors.
SELECT state, message, detail, string_agg(said, ', ' ORDER BY said) AS of
FROM cases($$luuid_shard('20be0ffc-314a-bd53-7a50-013a65ca76d2', 0); luuid_shard_floor(4, 4);
    luuid_shard_floor(-1, 4); luuid_shard_floor(0, -2147483648); luuid_generate_in_shard(8, 8); luuid_generate_in_shard(0, 0);
    luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 33); luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', -1)$$),
    refusal('SELECT ' || said) GROUP BY 1, 2, 3 ORDER BY 2;
