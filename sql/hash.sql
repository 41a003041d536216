-- Hashing: equal values have equal hashes, in luuid and uuid; and the locality of function 1.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- The family uses the same functions for uuid and luuid.
SELECT amprocnum, count(DISTINCT amproc) AS functions, count(*) AS types
FROM pg_amproc JOIN pg_opfamily AS f ON f.oid = amprocfamily JOIN pg_am AS a ON a.oid = opfmethod
WHERE opfname = 'luuid_ops' AND amname = 'hash' GROUP BY amprocnum ORDER BY amprocnum;
-- Function 2 agrees with function 1 at salt 0; at any other salt it is uuid's own, fully mixed, as is that of bloom filters.
SELECT count(*) FILTER (WHERE luuid_hash_extended(id, 0) & 4294967295 IS DISTINCT FROM luuid_hash(id)::bigint & 4294967295) AS low_half,
    count(*) FILTER (WHERE luuid_hash_extended(id, s) IS DISTINCT FROM uuid_hash_extended(u, s)) AS salted,
    count(*) FILTER (WHERE luuid_hash_mixed(id) IS DISTINCT FROM uuid_hash(u)) AS mixed
FROM ids, unnest(ARRAY[1, -1, 4294967296, 8816678312871386365]) AS s;
-- Function 1 of versions b and 8: the first 7 bits with the top bit flipped, over 25 mixed bits. For all others: mixed bits alone, uuid's own.
SELECT timed AND version IN (8, 11) AS locality, count(*) > 400 AS many,
    count(*) FILTER (WHERE (luuid_hash(id) >> 25) IS DISTINCT FROM
        (('x' || lpad(left(u::text, 2), 8, '0'))::bit(32)::int / 2 - 64)) AS not_prefix,
    count(*) FILTER (WHERE luuid_hash(id) & 33554431 IS DISTINCT FROM uuid_hash(u) & 33554431) AS not_mixed_below,
    count(*) FILTER (WHERE luuid_hash(id) IS DISTINCT FROM uuid_hash(u)) AS not_uuids
FROM ids GROUP BY 1 ORDER BY 1;
-- So ranges of the signed hash are ranges of the prefix.
SELECT count(*) > 400 AS many, count(*) FILTER (WHERE h < before) AS wrong FROM (SELECT luuid_hash(id) >> 25 AS h,
    lag(luuid_hash(id) >> 25) OVER (ORDER BY left(u::text, 2) COLLATE "C") AS before FROM ids WHERE timed AND version IN (8, 11)) AS o;
-- 25 mixed bits distinguish the ids of one sequential window: 200 000 ids have 199 400 values (24 bits: 198 800, 20 bits: 181 900).
SELECT count(DISTINCT luuid_hash(id)) > 199100 AS apart
FROM (SELECT ('db44' || lpad(to_hex(n % 65536), 4, '0') || '-' || lpad(to_hex(n / 65536), 4, '0')
    || '-b000-0001-01a1fb719404')::luuid AS id FROM generate_series(1, 200000) AS n) AS window_ids;
-- Rows are stored by these values, so they never change.
SELECT id, luuid_hash(id), luuid_hash_extended(id, 0) AS of_salt_0, luuid_hash_extended(id, 1) AS of_salt_1
FROM unnest(ARRAY['00000000-0000-0000-0000-000000000000', '20be0ffc-314a-bd53-7a50-013a65ca76d2',
    '7ff00000-0000-b000-0000-017f22e279b0', '80000000-0000-8000-8000-017f22e279b0',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'ffffffff-ffff-ffff-ffff-ffffffffffff']::luuid[]) AS id;
-- Every plan that hashes gives the rows of equality: each id once, on either side.
CREATE TABLE uuids AS SELECT u AS id FROM ids;
CREATE TABLE luuids AS SELECT id FROM ids UNION ALL SELECT id FROM hard;
ANALYZE uuids, luuids;
CALL plan_without('mergejoin', 'nestloop');
SELECT plan_of('SELECT count(*) FROM luuids AS a JOIN uuids AS b ON a.id = b.id');
SELECT counted('luuids') AS luuids, counted('uuids') AS uuids,
    string_agg(counted(said)::text, ' ') AS "of uuids, luuids, distinct; unmatched, antijoin"
FROM cases('luuids AS a JOIN uuids AS b ON a.id = b.id; uuids AS a JOIN luuids AS b ON a.id = b.id;
    luuids JOIN (SELECT DISTINCT id FROM luuids) AS b USING (id); uuids AS a FULL JOIN luuids AS b ON a.id = b.id WHERE a.id IS NULL OR b.id IS NULL;
    luuids AS a WHERE NOT EXISTS (SELECT FROM uuids AS b WHERE a.id = b.id)');
CALL plan_without('sort');
SELECT plan_of('SELECT id, count(*) FROM luuids GROUP BY id');
SELECT count(*) AS groups, sum(n) AS rows, counted('(SELECT id FROM luuids UNION SELECT id FROM uuids) AS o') AS union,
    counted('(SELECT id FROM luuids EXCEPT SELECT id FROM uuids) AS o') AS except FROM (SELECT id, count(*) AS n FROM luuids GROUP BY id) AS g \gx
CALL plan_without();
-- A hashed subplan, and lists.
SELECT plan_says('hashed SubPlan', 'SELECT count(*) FROM luuids WHERE id NOT IN (SELECT id FROM uuids)') AS hashed,
    string_agg(counted(said)::text, ' ') AS "not in uuids, luuids; in uuids, luuids"
FROM cases('luuids WHERE id NOT IN (SELECT id FROM uuids); uuids WHERE id NOT IN (SELECT id FROM luuids);
    luuids WHERE id = ANY (ARRAY(SELECT id FROM uuids)); uuids WHERE id = ANY (ARRAY(SELECT id FROM luuids))');
-- A list of constants of either type finds what one of text does.
CREATE TABLE listed AS SELECT id, u, place AS n FROM hard UNION ALL SELECT NULL, NULL, 0;
SELECT array_agg(u ORDER BY place) FILTER (WHERE place % 50 = 3) AS few, array_agg(u ORDER BY place) FILTER (WHERE place % 3 = 1) AS many
    FROM hard \gset
SELECT count(*) AS lists, count(*) FILTER (WHERE answer(query) <> '0') AS some,
    string_agg(query, ', ') FILTER (WHERE answer(query) IS DISTINCT FROM answer(as_text)) AS wrong
FROM unnest(ARRAY['%s = ANY (%s)', '%s <> ALL (%s)', '%s = ALL (%s)', '%s <> ANY (%s)', 'NOT %s = ANY (%s)']) AS said,
    unnest(ARRAY['id', 'u']) AS subject, unnest(ARRAY['luuid', 'uuid']) AS element,
    unnest(ARRAY['{}', '{NULL}', :'few', array_append(:'few'::uuid[], NULL)::text, :'many', array_append(:'many'::uuid[], NULL)::text,
        format('[3:4]=%s', (:'few'::uuid[])[1:2]), format('{%1$s,%1$s}', :'few')]) AS list,
    LATERAL (SELECT 'SELECT count(*) FROM listed WHERE ' || format(said, subject, format('%L::%s[]', list, element)) AS query,
        'SELECT count(*) FROM listed WHERE ' || format(said, subject || '::text', format('%L::text[]', list)) AS as_text) AS q;
-- The server hashes a list of nine elements or more, of the column's type or the other, in every clause, from the first statement
-- of a session on.
CREATE VIEW barred WITH (security_barrier) AS SELECT * FROM listed WHERE n >= 0;
CREATE TABLE cut (LIKE listed) PARTITION BY LIST (n);
CREATE TABLE cut_rest PARTITION OF cut DEFAULT;
INSERT INTO cut SELECT * FROM listed;
CREATE TABLE guarded AS TABLE listed;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE TABLE place AS SELECT * FROM unnest(ARRAY['SELECT FROM listed WHERE %s', 'SELECT FROM listed WHERE NOT %s',
    'SELECT FROM listed WHERE (%s) IS NOT TRUE', 'SELECT FROM listed WHERE coalesce(%s, true)',
    'SELECT FROM listed WHERE CASE WHEN n < 0 THEN true ELSE %s END', 'SELECT FROM listed WHERE n < 0 OR n > 0 AND %s', 'SELECT %s FROM listed',
    'SELECT count(*) FILTER (WHERE %s) FROM listed', 'SELECT sum((%s)::int) OVER () FROM listed',
    'SELECT id, u FROM listed GROUP BY id, u HAVING %s OR count(*) > 5', 'WITH c AS MATERIALIZED (SELECT * FROM listed) SELECT FROM c WHERE %s',
    'SELECT FROM (SELECT * FROM listed OFFSET 0) AS s WHERE %s',
    'SELECT FROM (SELECT max(id::text)::luuid AS id, max(u::text)::uuid AS u FROM listed GROUP BY n) AS s WHERE %s',
    'SELECT FROM unnest(ARRAY(SELECT id FROM listed), ARRAY(SELECT u FROM listed)) AS s (id, u) WHERE %s', 'SELECT FROM barred WHERE %s',
    'SELECT FROM cut WHERE %s', 'SELECT FROM listed LEFT JOIN (SELECT 1 AS one OFFSET 0) AS o ON %s',
    'SELECT FROM (SELECT 1 AS one OFFSET 0) AS o LEFT JOIN (SELECT * FROM listed OFFSET 0) AS s ON %s',
    'SELECT FROM listed WHERE EXISTS (SELECT FROM (SELECT 1 OFFSET 0) AS o WHERE %s)', 'SELECT FROM listed ORDER BY %s, n LIMIT 1',
    'UPDATE listed SET n = CASE WHEN %s THEN 1 ELSE n END', 'DELETE FROM listed WHERE %s', 'DELETE FROM listed RETURNING %s',
    'MERGE INTO listed USING (SELECT 1 AS one) AS o ON true WHEN MATCHED AND %s THEN DO NOTHING',
    'DO $each$ BEGIN PERFORM FROM listed WHERE %s; END $each$', 'INSERT INTO listed SELECT * FROM listed RETURNING %s',
    'CREATE POLICY listed ON guarded USING (%s); SET LOCAL ROLE pg_read_all_data; SELECT FROM guarded']) AS query;
\c
BEGIN;
SET LOCAL enable_hashagg = off;
CREATE OR REPLACE FUNCTION pg_catalog.luuid_hash(luuid) RETURNS int LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN RAISE 'hashed'; END $$;
SELECT message AS first FROM refusal(format('SELECT FROM listed WHERE id <> ALL (%L::uuid[])', :'many'));
SELECT query, string_agg(condition, ', ') AS not_hashed
FROM place, unnest(ARRAY['id = ANY (%L::uuid[])', 'id <> ALL (%L::uuid[])', 'u = ANY (%L::luuid[])', 'u <> ALL (%L::luuid[])',
    'id = ANY (%L::luuid[])']) AS condition,
    LATERAL refusal(format(query, format(condition, :'many')) || '; DO $do$ BEGIN RAISE ''not hashed''; END $do$')
WHERE message <> 'hashed' GROUP BY query ORDER BY query COLLATE "C";
ROLLBACK;
-- HASH partitions: every row is in the partition of its hash, and is found there by a luuid and a uuid.
CREATE TABLE parts (id luuid PRIMARY KEY) PARTITION BY HASH (id);
SELECT FROM generate_series(0, 3) AS n, executed(format('CREATE TABLE parts_%s PARTITION OF parts FOR VALUES WITH (MODULUS 4, REMAINDER %1$s)', n));
INSERT INTO parts SELECT id FROM ids UNION ALL SELECT ('b1b2b3b40000b000' || lpad(to_hex(n), 4, '0') || '017f22e279b0')::luuid
    FROM generate_series(1, 2000) AS n;
ANALYZE parts;
SELECT count(*) AS partitions, min(n) > 1000 AS even FROM (SELECT tableoid, count(*) AS n FROM parts GROUP BY tableoid) AS p;
SELECT plan_of('SELECT * FROM parts WHERE id = ''20be0ffc-314a-bd53-7a50-013a65ca76d2''') AS by_literal,
    plan_of('SELECT * FROM parts WHERE id = uuid ''20be0ffc-314a-bd53-7a50-013a65ca76d2''') AS by_uuid;
SELECT string_agg(counted(said)::text, ' ') AS "ids, by uuid, by luuid" FROM cases('ids;
    ids, LATERAL (SELECT FROM parts WHERE id = ids.u OFFSET 0) AS found; ids, LATERAL (SELECT FROM parts WHERE id = ids.id OFFSET 0) AS found');
