-- Short keys: the 18-digit PHP scheme, in and out, and the shard that is read off a key.
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';

-- By hand: uniqid() 4b3403665fea1 is 0x4b340366 s and 0x5fea1 µs, and 0x5fea1 = 392 865.
SELECT luuid_from_uniqid(k) AS id, luuid_extract_timestamp(luuid_from_uniqid(k)) AS made, luuid_uniqid_shard(k) AS shard
FROM unnest(ARRAY['5abcd4b3403665fea1', 'abcd4b3403665fea1', '4b3403665fea1', '5ABCD4B3403665FEA1']) AS k;
SELECT luuid_to_uniqid(luuid_from_uniqid('abcd4b3403665fea1'), n) AS key, n AS shards FROM unnest(ARRAY[1, 4, 10, 16]) AS n;

-- to_uniqid(from_uniqid(k), n) = k for every well-formed k whose digit is its shard for n.
SELECT setseed(0.5);
CREATE TEMP TABLE keys AS
SELECT to_hex(us % n) || lpad(to_hex((random() * 65535)::int), 4, '0') || lpad(to_hex(s), 8, '0') || lpad(to_hex(us), 5, '0') AS key,
       n, s, us
FROM (SELECT 1 + (random() * 15)::int AS n,
             CASE g WHEN 1 THEN 0 WHEN 2 THEN 4294967295 ELSE (random() * 4294967295)::bigint END AS s,
             CASE g WHEN 3 THEN 0 WHEN 4 THEN 999999 ELSE (random() * 999999)::int END AS us
      FROM generate_series(1, 100000) AS g) AS parts;
SELECT count(*) AS keys,
       count(*) FILTER (WHERE luuid_to_uniqid(luuid_from_uniqid(key), n) <> key) AS lossy,
       count(*) FILTER (WHERE luuid_uniqid_shard(key, n) <> us % n) AS misplaced,
       count(*) FILTER (WHERE luuid_extract_timestamp(luuid_from_uniqid(key))
                              <> timestamptz 'epoch' + s * interval '1 second' + us * interval '1 microsecond') AS mistimed,
       count(*) FILTER (WHERE luuid_extract_version(luuid_from_uniqid(key)) <> 1) AS misversioned
FROM keys;

-- Their order as ids is the order of their times, and different keys are different ids.
SELECT count(DISTINCT luuid_from_uniqid(key)) = count(DISTINCT substr(key, 2)) AS one_to_one FROM keys;
SELECT count(*) AS violations
FROM (SELECT substr(key, 6) < lag(substr(key, 6)) OVER (ORDER BY luuid_from_uniqid(key)) AS falls FROM keys) AS ordered
WHERE falls;

-- An id of any version that has a time has a key of that microsecond.
SELECT luuid_to_uniqid(id) AS key, luuid_extract_timestamp(luuid_from_uniqid(luuid_to_uniqid(id))) AS made
FROM (VALUES (luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2'), ('c232ab00-9414-11ec-b3c8-9f6bdeced846'),
             ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')) AS ids (id);

-- What is refused, and how it is said. Every malformed key is 22P02, whatever function takes it.
SELECT n, key, r.state, r.message, r.detail, r.hint
FROM (VALUES
    (1, ''), (2, '5'), (3, '4b3403665fea'), (4, '4b3403665fea10'), (5, '35abcd4b3403665fea1'),
    (6, 'gabcd4b3403665fea1'), (7, '5abcd4b3403665fea '), (8, '5abcd-4b3403665fea'), (9, '5abçd4b3403665fea1'),
    (10, 'eabcd4b3403665fea1'), (11, '4b340366f4240'), (12, '4b340366fffff'), (13, ' 4b3403665fea')) AS bad (n, key),
    LATERAL refusal(format('SELECT luuid_from_uniqid(%L)', key)) AS r ORDER BY n;
SELECT count(*) AS violations
FROM (SELECT overlay(key PLACING chr(1 + (random() * 46)::int) FROM 1 + (random() * 17)::int) AS bad FROM keys LIMIT 2000) AS k
WHERE (refusal(format('SELECT luuid_from_uniqid(%L)', bad))).state <> '22P02'
   OR (refusal(format('SELECT luuid_uniqid_shard(%L)', bad))).state <> '22P02';
SELECT n, r.state, r.message, r.detail
FROM (VALUES
    (1, $$SELECT luuid_uniqid_shard('4b3403665fea1', 0)$$),
    (2, $$SELECT luuid_to_uniqid(luuid_from_uniqid('4b3403665fea1'), 0)$$),
    (3, $$SELECT luuid_to_uniqid(luuid_from_uniqid('4b3403665fea1'), 17)$$),
    (4, $$SELECT luuid_to_uniqid('00000000-0000-0000-0000-000000000000')$$),
    (5, $$SELECT luuid_to_uniqid('5abcd4b3-4036-45fe-8123-0123456789ab')$$),
    (6, $$SELECT luuid_to_uniqid(luuid_floor(timestamptz '1969-12-31 23:59:59.999999Z'))$$),
    (7, $$SELECT luuid_to_uniqid(luuid_floor(timestamptz '2106-02-07 06:28:16Z'))$$)) AS bad (n, query), LATERAL refusal(query) AS r
ORDER BY n;
SELECT luuid_to_uniqid(luuid_floor(timestamptz '2106-02-07 06:28:15.999999Z')) AS last_key;
SELECT luuid_from_uniqid(NULL), luuid_to_uniqid(NULL), luuid_uniqid_shard(NULL);
