-- Hashing: equal values have equal hashes, in luuid and uuid; and the locality of function 1.
SET timezone = 'UTC';
SET jit = off;

-- The family uses the same functions for uuid and luuid.
SELECT amprocnum, count(DISTINCT amproc) AS functions, count(*) AS types
FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS a ON a.oid = opfmethod
WHERE opfname = 'luuid_ops' AND amname = 'hash' GROUP BY amprocnum ORDER BY amprocnum;

-- Function 2 agrees with function 1 at salt 0; at any other salt it is uuid's own, fully mixed, as is that of bloom
-- filters.
SELECT count(*) FILTER (WHERE luuid_hash_extended(id, 0) & 4294967295 <> luuid_hash(id)::bigint & 4294967295) AS low_half,
    count(*) FILTER (WHERE luuid_hash_extended(id, s) <> uuid_hash_extended(u, s)) AS salted,
    count(*) FILTER (WHERE luuid_hash_mixed(id) <> uuid_hash(u)) AS mixed
FROM ids, unnest(ARRAY[1, -1, 4294967296, 8816678312871386365]) AS s;

-- Function 1 of versions b and 8: the first 7 bits with the top bit flipped, over 25 mixed bits. For all others: mixed
-- bits alone, uuid's own.
SELECT timed AND version IN (8, 11) AS locality, count(*) > 400 AS many,
    count(*) FILTER (WHERE (luuid_hash(id) >> 25) <>
        (('x' || lpad(left(u::text, 2), 8, '0'))::bit(32)::int / 2 - 64)) AS not_prefix,
    count(*) FILTER (WHERE luuid_hash(id) & 33554431 <> uuid_hash(u) & 33554431) AS not_mixed_below,
    count(*) FILTER (WHERE luuid_hash(id) <> uuid_hash(u)) AS not_uuids
FROM ids GROUP BY 1 ORDER BY 1;
-- So signed hash ranges follow the order of the prefix.
SELECT count(*) AS wrong FROM (SELECT luuid_hash(id) >> 25 AS h,
    lag(luuid_hash(id) >> 25) OVER (ORDER BY left(u::text, 2) COLLATE "C") AS before FROM ids
    WHERE timed AND version IN (8, 11)) AS o WHERE h < before;
-- 25 mixed bits distinguish the ids of one sequential window: 200 000 ids have 199 400 values (24 bits: 198 800, 20
-- bits: 181 900).
SELECT count(DISTINCT luuid_hash(id)) > 199100 AS apart
FROM (SELECT ('db44' || lpad(to_hex(n % 65536), 4, '0') || '-' || lpad(to_hex(n / 65536), 4, '0')
    || '-b000-0001-01a1fb719404')::luuid AS id FROM generate_series(1, 200000) AS n) AS window_ids;
-- Rows are stored by these values, so they never change.
SELECT id, luuid_hash(id), luuid_hash_extended(id, 0), luuid_hash_extended(id, 1)
FROM unnest(ARRAY['00000000-0000-0000-0000-000000000000', '20be0ffc-314a-bd53-7a50-013a65ca76d2',
    '7ff00000-0000-b000-0000-017f22e279b0', '80000000-0000-8000-8000-017f22e279b0',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::luuid[]) AS id;

-- Every plan that hashes gives the rows of equality: each id once, on either side.
CREATE TABLE uuids AS SELECT u AS id FROM ids;
CREATE TABLE luuids AS SELECT id FROM ids UNION ALL SELECT id FROM hard;
ANALYZE uuids, luuids;
SET enable_mergejoin = off;
SET enable_nestloop = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM luuids AS a JOIN uuids AS b ON a.id = b.id;
SELECT count(*) - (SELECT count(*) FROM luuids) AS missing FROM luuids AS a JOIN uuids AS b ON a.id = b.id;
SELECT count(*) - (SELECT count(*) FROM luuids) AS missing FROM uuids AS a JOIN luuids AS b ON a.id = b.id;
SELECT count(*) - (SELECT count(*) FROM luuids) AS missing FROM luuids AS a JOIN (SELECT DISTINCT id FROM luuids) AS b USING (id);
SELECT count(*) AS unmatched FROM uuids AS a FULL JOIN luuids AS b ON a.id = b.id WHERE a.id IS NULL OR b.id IS NULL;
SELECT count(*) AS antijoin FROM luuids AS a WHERE NOT EXISTS (SELECT FROM uuids AS b WHERE a.id = b.id);
RESET enable_mergejoin;
RESET enable_nestloop;

SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT id, count(*) FROM luuids GROUP BY id;
SELECT count(*) - (SELECT count(*) FROM ids) AS groups, sum(n) - (SELECT count(*) FROM luuids) AS rows
FROM (SELECT id, count(*) AS n FROM luuids GROUP BY id) AS g;
SELECT count(*) - (SELECT count(*) FROM ids) AS union FROM (SELECT id FROM luuids UNION SELECT id FROM uuids) AS o;
SELECT count(*) AS except FROM (SELECT id FROM luuids EXCEPT SELECT id FROM uuids) AS o;
RESET enable_sort;

-- A hashed subplan, and lists.
SELECT plan_says('hashed SubPlan', 'SELECT count(*) FROM luuids WHERE id NOT IN (SELECT id FROM uuids)') AS hashed;
SELECT count(*) AS not_in FROM luuids WHERE id NOT IN (SELECT id FROM uuids);
SELECT count(*) AS not_in FROM uuids WHERE id NOT IN (SELECT id FROM luuids);
SELECT (SELECT count(*) FROM luuids WHERE id = ANY (ARRAY(SELECT id FROM uuids))) = (SELECT count(*) FROM luuids) AS in_uuids,
    (SELECT count(*) FROM uuids WHERE id = ANY (ARRAY(SELECT id FROM luuids))) = (SELECT count(*) FROM uuids) AS in_luuids;
-- Lists of constants, long enough to be hashed.
SELECT type, answer(format('SELECT count(*) FROM luuids WHERE id = ANY (%L::%s[])', array_agg(id), type)) AS listed
FROM (SELECT id FROM hard ORDER BY place LIMIT 50) AS h, unnest(ARRAY['luuid', 'uuid']) AS type GROUP BY type ORDER BY type;

-- HASH partitions: every row is in the partition of its hash, and is found there by a luuid and a uuid.
CREATE TABLE parts (id luuid PRIMARY KEY) PARTITION BY HASH (id);
SELECT format('CREATE TABLE parts_%s PARTITION OF parts FOR VALUES WITH (MODULUS 4, REMAINDER %1$s)', n) FROM generate_series(0, 3) AS n \gexec
INSERT INTO parts SELECT id FROM ids;
INSERT INTO parts SELECT ('b1b2b3b40000b000' || lpad(to_hex(n), 4, '0') || '017f22e279b0')::luuid
FROM generate_series(1, 2000) AS n;
ANALYZE parts;
SELECT count(*) AS partitions, min(n) > 1000 AS even FROM (SELECT tableoid, count(*) AS n FROM parts GROUP BY tableoid) AS p;
EXPLAIN (COSTS OFF) SELECT * FROM parts WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
EXPLAIN (COSTS OFF) SELECT * FROM parts WHERE id = uuid '20be0ffc-314a-bd53-7a50-013a65ca76d2';
SELECT count(*) - (SELECT count(*) FROM ids) AS missing FROM ids, LATERAL (SELECT FROM parts WHERE id = ids.u OFFSET 0) AS found;
SELECT count(*) - (SELECT count(*) FROM ids) AS missing FROM ids, LATERAL (SELECT FROM parts WHERE id = ids.id OFFSET 0) AS found;
