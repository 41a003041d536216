-- Short keys: the PHP scheme, in and out, the shard of a key, and generation.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- By hand: uniqid() 4b3403665fea1 is 0x4b340366 s and 0x5fea1 µs, and 0x5fea1 = 392 865.
SELECT luuid_from_uniqid(k) AS id, luuid_extract_timestamp(luuid_from_uniqid(k)) AS made, luuid_uniqid_shard(k) AS shard
FROM unnest(ARRAY['5abcd4b3403665fea1', 'abcd4b3403665fea1', '4b3403665fea1', '5ABCD4B3403665FEA1']) AS k;
-- The shard is decimal, with as many digits as it needs: a key that the PHP class generated for 12 shards, whose last
-- five digits 0xaf7e6 = 718 822 are on shard 10. The length of a key tells where its shard ends.
SELECT k, luuid_from_uniqid(k) AS id, luuid_uniqid_shard(k, n) AS shard, luuid_to_uniqid(luuid_from_uniqid(k), n) = k AS back
FROM (VALUES ('10aa286b01eea5af7e6', 12), ('2aa286b01eea5af7e6', 10), ('822aa286b01eea5af7e6', 1000)) AS keys (k, n);
-- Errors: a key for each reason, and numbers of shards and times beyond.
SELECT r.* FROM cases('4b3403665fea; gabcd4b3403665fea1; 5abcd-4b3403665fea; 5abçd4b3403665fea1; 4b340366f4240; 9abcd4b34036600008') AS key,
    refusal(format('SELECT luuid_from_uniqid(%L)', key)) AS r;
SELECT state, message, detail, string_agg(said, ', ' ORDER BY said) AS of
FROM cases($$luuid_uniqid_shard('4b3403665fea1', 0); luuid_to_uniqid(luuid_from_uniqid('4b3403665fea1'), 0);
    luuid_to_uniqid(luuid_from_uniqid('4b3403665fea1'), 1001); luuid_to_uniqid('00000000-0000-0000-0000-000000000000');
    luuid_to_uniqid(luuid_floor(timestamptz '2106-02-07 06:28:16Z')); luuid_generate_uniqid(0); luuid_generate_uniqid(1001)$$),
    refusal('SELECT ' || said) GROUP BY 1, 2, 3 ORDER BY 2;
SELECT luuid_to_uniqid(luuid_floor(timestamptz '2106-02-07 06:28:15.999999Z')) AS last_key;
-- New keys have the current time, each a later microsecond than the one before, and the shard with which they begin. Each value
-- of their four random digits occurs as often as expected: about 12 500 times in 200 000.
SELECT clock_timestamp() AS before \gset
CREATE TABLE made AS SELECT n, luuid_generate_uniqid() AS key, luuid_generate_uniqid(150) AS long_key FROM generate_series(1, 200000) AS n;
SELECT clock_timestamp() AS after \gset
SELECT count(DISTINCT key) AS keys, count(DISTINCT right(key, 13)) AS microseconds,
    count(*) FILTER (WHERE right(key, 13) <= before) AS not_later, count(*) FILTER (WHERE key !~ '^[0-9][0-9a-f]{17}$') AS malformed,
    count(*) FILTER (WHERE left(key, 1)::int IS DISTINCT FROM luuid_uniqid_shard(key)) AS misplaced,
    count(*) FILTER (WHERE left(long_key, -17) IS DISTINCT FROM luuid_uniqid_shard(long_key, 150)::text) AS long_misplaced,
    count(DISTINCT left(long_key, -17)) > 20 AS many_shards, count(*) FILTER (WHERE right(long_key, 13) <= right(key, 13)) AS long_not_later,
    count(DISTINCT substr(key, 2, 4)) > 62000 AS random
FROM (SELECT *, lag(right(key, 13)) OVER (ORDER BY n) AS before FROM made) AS s \gx
SELECT luuid_from_uniqid(key)::timestamptz BETWEEN :'before' AND :'after' AS of_now FROM made WHERE n = 1;
SELECT count(*) AS digits, max(abs(n - 12500)) < 600 AS even
FROM (SELECT count(*) AS n FROM made, generate_series(2, 5) AS place GROUP BY place, substr(key, place, 1)) AS s;
