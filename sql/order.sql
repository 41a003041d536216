-- The order: chronological, total, the same in every operator and every sort.
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\pset null '(null)'

-- `place` is the fixture's own computation: nil; by (ticks, version, sequence, bytes); untimed by (version, bytes).
-- Agreement with the order of integers for all pairs implies totality, antisymmetry and transitivity.
SELECT count(*) > 1000000 AS pairs,
    count(*) FILTER (WHERE luuid_cmp(a.id, b.id) <> sign(a.place - b.place)) AS cmp,
    count(*) FILTER (WHERE luuid_cmp(b.id, a.id) <> -luuid_cmp(a.id, b.id)) AS antisymmetry,
    count(*) FILTER (WHERE (a.id < b.id) <> (a.place < b.place)) AS lt,
    count(*) FILTER (WHERE (a.id <= b.id) <> (a.place <= b.place)) AS le,
    count(*) FILTER (WHERE (a.id = b.id) <> (a.place = b.place)) AS eq,
    count(*) FILTER (WHERE (a.id <> b.id) <> (a.place <> b.place)) AS ne,
    count(*) FILTER (WHERE (a.id >= b.id) <> (a.place >= b.place)) AS ge,
    count(*) FILTER (WHERE (a.id > b.id) <> (a.place > b.place)) AS gt
FROM ids AS a, hard AS b;

-- A uuid on either side is compared as the same id.
SELECT count(*) FILTER (WHERE (a.id < b.u) <> (a.place < b.place) OR (a.id <= b.u) <> (a.place <= b.place)
    OR (a.id = b.u) <> (a.place = b.place)
        OR (a.id <> b.u) <> (a.place <> b.place) OR (a.id >= b.u) <> (a.place >= b.place)
            OR (a.id > b.u) <> (a.place > b.place)) AS luuid_uuid,
    count(*) FILTER (WHERE (a.u < b.id) <> (a.place < b.place) OR (a.u <= b.id) <> (a.place <= b.place)
        OR (a.u = b.id) <> (a.place = b.place)
        OR (a.u <> b.id) <> (a.place <> b.place) OR (a.u >= b.id) <> (a.place >= b.place)
            OR (a.u > b.id) <> (a.place > b.place)) AS uuid_luuid,
    count(*) FILTER (WHERE (a.u #<# b.u) <> (a.place < b.place) OR (a.u #<=# b.u) <> (a.place <= b.place)
        OR (a.u #>=# b.u) <> (a.place >= b.place) OR (a.u #># b.u) <> (a.place > b.place)) AS uuid_uuid
FROM hard AS a, hard AS b;

-- The byte order is that of uuid, for every combination.
SELECT count(*) FILTER (WHERE (a.id ~<~ b.id) <> (a.u < b.u) OR (a.id ~<=~ b.id) <> (a.u <= b.u)
    OR (a.id ~>=~ b.id) <> (a.u >= b.u) OR (a.id ~>~ b.id) <> (a.u > b.u)) AS luuid_luuid,
    count(*) FILTER (WHERE (a.id ~<~ b.u) <> (a.u < b.u) OR (a.id ~<=~ b.u) <> (a.u <= b.u) OR (a.id ~>=~ b.u) <> (a.u >= b.u)
        OR (a.id ~>~ b.u) <> (a.u > b.u)) AS luuid_uuid,
    count(*) FILTER (WHERE (a.u ~<~ b.id) <> (a.u < b.u) OR (a.u ~<=~ b.id) <> (a.u <= b.u) OR (a.u ~>=~ b.id) <> (a.u >= b.u)
        OR (a.u ~>~ b.id) <> (a.u > b.u)) AS uuid_luuid
FROM hard AS a, hard AS b;

-- Sorting: in a window, forwards and backwards, by two columns, and a uuid column in this order.
SELECT count(*) AS wrong FROM (SELECT place, row_number() OVER (ORDER BY id) AS n FROM ids) AS s WHERE place <> n;
SELECT count(*) AS wrong FROM (SELECT place, row_number() OVER () AS n
    FROM (SELECT place FROM ids ORDER BY id OFFSET 0) AS o) AS s WHERE place <> n;
SELECT count(*) AS wrong FROM (SELECT place, (SELECT count(*) FROM ids) + 1 - row_number() OVER () AS n
    FROM (SELECT place FROM ids ORDER BY id DESC OFFSET 0) AS o) AS s WHERE place <> n;
SELECT count(*) AS wrong FROM (SELECT place, row_number() OVER () AS n
    FROM (SELECT place FROM ids ORDER BY id NULLS FIRST, place DESC OFFSET 0) AS o) AS s WHERE place <> n;
SELECT count(*) AS wrong FROM (SELECT place, row_number() OVER () AS n
    FROM (SELECT place FROM ids ORDER BY u USING #<# OFFSET 0) AS o) AS s WHERE place <> n;
-- A top-N sort, which uses no abbreviated keys; and the byte order.
SELECT count(*) AS wrong FROM (SELECT place, row_number() OVER () AS n
    FROM (SELECT place FROM ids ORDER BY id LIMIT 1500) AS o) AS s WHERE place <> n;
SELECT count(*) AS wrong FROM (SELECT id, lag(id) OVER () AS before
    FROM (SELECT id FROM ids ORDER BY id USING ~<~ OFFSET 0) AS o) AS s WHERE before ~>=~ id OR before::uuid >= id::uuid;

-- Many ids with equal abbreviated keys: the full comparison decides. And an external merge sort.
CREATE TABLE many AS
SELECT (lpad(to_hex(n % 65536), 8, '0') || '0001b0000000017f22e279b0')::luuid AS id, n FROM generate_series(1, 30000) AS n
UNION ALL SELECT overlay(digits('m' || n) PLACING 'b' FROM 13 FOR 1)::luuid, n FROM generate_series(1, 30000) AS n;
SET work_mem = '64kB';
SELECT count(*) FILTER (WHERE before >= id) AS disk
FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM many ORDER BY id OFFSET 0) AS o) AS s;
RESET work_mem;
SELECT count(*) FILTER (WHERE before >= id) AS memory
FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM many ORDER BY id OFFSET 0) AS o) AS s;
CREATE INDEX many_id ON many (id);
SET enable_seqscan = off;
SET enable_sort = off;
SELECT count(*) FILTER (WHERE before >= id) AS index
FROM (SELECT id, lag(id) OVER () AS before FROM (SELECT id FROM many ORDER BY id OFFSET 0) AS o) AS s;
RESET enable_seqscan;
RESET enable_sort;

-- min and max, with and without an index, over groups, over no rows and over NULL.
SELECT min(id) = (SELECT id FROM ids WHERE place = 1) AS min, max(id) = (SELECT id FROM ids ORDER BY place DESC LIMIT 1) AS max
FROM ids;
SELECT count(*) AS groups, count(*) FILTER (WHERE first <> (SELECT id FROM ids WHERE place = least)
    OR last <> (SELECT id FROM ids WHERE place = greatest)) AS wrong
FROM (SELECT min(id) AS first, max(id) AS last, min(place) AS least, max(place) AS greatest FROM ids GROUP BY place % 97) AS g;
SELECT (SELECT min(id) FROM many) = (SELECT min(id) FROM (SELECT id FROM many OFFSET 0) AS o) AS min,
    (SELECT max(id) FROM many) = (SELECT max(id) FROM (SELECT id FROM many OFFSET 0) AS o) AS max;
SELECT min(id), max(id) FROM ids WHERE false;
SELECT min(id), max(id) FROM (VALUES (NULL::luuid), ('00000000-0000-0000-0000-000000000000'), (NULL)) AS v (id);
SELECT min(u::luuid) = min(id) AS of_uuid, greatest(min(id), max(id)) = max(id) AS greatest,
    least(max(id), min(id)) = min(id) AS least FROM ids;
DROP TABLE many;

-- An example of the order: one time in five versions, two successive ids in each mode, the ends.
SELECT id, luuid_extract_timestamp(id) AT TIME ZONE 'UTC' AS at
FROM (VALUES ('00000000-0000-0000-0000-000000000000'::luuid), ('00000000-0000-1000-8000-000000000000'),
    ('c232ab00-9414-11ec-b3c8-9f6bdeced846'), ('1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
    ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), ('52510000-0000-8000-8000-017f22e279b0'), ('00000001-0000-b000-0000-017f22e279b0'),
        ('00000000-0000-b000-0000-017f22e279b0'),
    ('5acbbdb0-0000-b000-0000-017f22e279b0'), ('919108f7-52d1-4320-9bac-f847db4148a8'), ('ffffffff-ffff-ffff-ffff-ffffffffffff'),
        ('c232ab00-9414-11ec-33c8-9f6bdeced846'), (NULL)) AS v (id)
ORDER BY id;

-- Cassandra's TimeUUIDType, by its rule: the timestamps as numbers; if these are equal, the last 8 bytes in turn, each
-- as a signed number. For pairs whose timestamps are often equal, and their last bytes too, of any variant.
CREATE FUNCTION signed_bytes(uuid) RETURNS int[] LANGUAGE sql IMMUTABLE AS $$
    SELECT array_agg((get_byte(uuid_send($1), n) + 128) % 256 - 128 ORDER BY n) FROM generate_series(8, 15) AS n
$$;
CREATE TABLE cassandra AS
SELECT a::luuid, b::luuid, CASE WHEN at <> bt THEN sign(at - bt) WHEN signed_bytes(a) < signed_bytes(b) THEN -1
        WHEN signed_bytes(a) > signed_bytes(b) THEN 1 ELSE 0 END::int AS cmp,
    at = bt AS tie, sign(uuid_cmp(a, b)) AS in_bytes
FROM (SELECT at, bt, id_at(1, at, a || a) AS a,
        id_at(1, bt, repeat('0', 16) || left(a, 2 * (n % 9)) || substr(b, 2 * (n % 9) + 1)) AS b
    FROM (SELECT n, 17672256000000000 + (hashint4(n) & 1), 17672256000000000 + (hashint4(-n) & 1), left(digits('a' || n), 16),
            left(digits('b' || n), 16) FROM generate_series(1, 9000) AS n) AS r (n, at, bt, a, b)) AS pairs;
SELECT count(*) AS pairs, count(*) FILTER (WHERE tie) > 4000 AS many_ties, count(*) FILTER (WHERE cmp = 0) > 400 AS many_equal,
    count(*) FILTER (WHERE tie AND cmp <> in_bytes) > 1000 AS many_unlike_bytes,
    count(*) FILTER (WHERE luuid_cmp(a, b) <> cmp OR luuid_cmp(b, a) <> -cmp OR (a < b) <> (cmp < 0) OR (a >= b) <> (cmp >= 0))
        AS wrong
FROM cassandra;
-- Sorting and an index agree with the comparison.
CREATE INDEX ON cassandra (a);
SELECT count(*) FILTER (WHERE luuid_cmp(before, a) > 0) AS descents, count(*) FILTER (WHERE before = a) AS repeats
FROM (SELECT a, lag(a) OVER () AS before FROM (SELECT a FROM cassandra ORDER BY a OFFSET 0) AS o) AS s;
DROP TABLE cassandra;
DROP FUNCTION signed_bytes(uuid);
