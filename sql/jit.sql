-- JIT: compiled expressions, inlined and optimized, give the rows of interpreted ones.
\a \t
CALL begin_test();

CREATE TABLE asked (n serial, query text);
INSERT INTO asked (query) VALUES
    ('SELECT count(*) FILTER (WHERE luuid_cmp(a.id, b.id) <> sign(a.place - b.place)), '
        'count(*) FILTER (WHERE (a.id < b.id) <> (a.place < b.place)), count(*) FILTER (WHERE (a.id <= b.u) <> (a.place <= b.place)) '
        'FROM hard AS a, hard AS b'),
    ('SELECT count(*) FILTER (WHERE (a.u >= b.id) <> (a.place >= b.place)), count(*) FILTER (WHERE (a.id > b.id) <> (a.place > b.place)), '
        'count(*) FILTER (WHERE (a.id ~<~ b.id) <> (a.u < b.u)), count(*) FILTER (WHERE (a.id = b.u) <> (a.place = b.place)) FROM hard AS a, '
        'hard AS b'),
    ('SELECT count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM at), '
        'count(*) FILTER (WHERE luuid_extract_version(id) <> version), sum(luuid_extract_counter(id)), sum(luuid_extract_pid(id)), '
        'count(DISTINCT luuid_extract_mac(id)) FROM ids'),
    ('SELECT count(*) FILTER (WHERE (id >= t) IS DISTINCT FROM (at >= t)), count(*) FILTER (WHERE (id <= t) IS DISTINCT FROM (at <= t)), '
        'count(*) FILTER (WHERE (t = id) IS DISTINCT FROM (t = at)), count(*) FILTER (WHERE (id <@ tstzrange(NULL, t)) IS DISTINCT FROM (at < t)) '
        'FROM hard, times WHERE timed AND t > ''-infinity'''),
    ('SELECT count(*) FILTER (WHERE luuid_from_bits(luuid_msb(id), luuid_lsb(id)) <> id), count(*) FILTER (WHERE id::text::luuid <> id '
        'OR NOT luuid_is_valid(id::text)), count(*) FILTER (WHERE id::bytea::luuid <> u) FROM ids'),
    ('SELECT sum(luuid_hash(id)::bigint), sum(luuid_hash_extended(id, 0)::numeric), sum(luuid_hash_extended(id, 7)::numeric), '
        'sum((luuid_inspect(id)).sequence) FROM ids'),
    ('SELECT min(id)::text, max(id)::text FROM ids'),
    ('SELECT string_agg(place::text, '','') FROM (SELECT place FROM ids ORDER BY id, place OFFSET 0) AS o'),
    ('SELECT sum(a.place) FROM ids AS a JOIN ids AS b ON a.id = b.u'),
    ('SELECT count(*), sum(n) FROM (SELECT id, count(*) AS n FROM ids GROUP BY id) AS g'),
    ('SELECT sum(n) FROM (SELECT count(*) OVER (ORDER BY id RANGE BETWEEN ''1 day'' PRECEDING AND ''1 h'' FOLLOWING) AS n FROM ids '
        'WHERE timed) AS w'),
    ('SELECT count(*), count(DISTINCT luuid_generate()) FROM ids');
CREATE VIEW answered AS SELECT n, answer(format('SELECT t::text FROM (%s) AS t', query)), (explained(query)).compiled FROM asked;
SET jit = off;
CREATE TABLE interpreted AS SELECT * FROM answered;
SET jit = on;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
CREATE TABLE compiled AS SELECT * FROM answered;
-- If the server has JIT, all are compiled.
SELECT count(*) AS queries,
    count(*) FILTER (WHERE c.compiled) = CASE WHEN pg_jit_available() THEN count(*) ELSE 0 END AS all_compiled,
    count(*) FILTER (WHERE i.compiled) AS interpreted_compiled,
    count(*) FILTER (WHERE i.answer IS DISTINCT FROM c.answer) AS wrong
FROM interpreted AS i JOIN compiled AS c USING (n);
-- The laws hold, rather than fail in the same way.
SELECT n, answer FROM compiled WHERE n IN (1, 2, 4, 5) ORDER BY n;

-- An error in compiled code is an ordinary error, and the backend continues.
SELECT state, message FROM refusal('SELECT luuid(id::bytea || ''\x00'') FROM ids');
SELECT state, message FROM refusal('SELECT overlay(id::text PLACING ''g'' FROM 36)::luuid FROM ids WHERE place = 1');
SELECT state, message FROM refusal('SELECT luuid_generate(t) FROM times WHERE t = ''infinity''');
SELECT min(id) FROM ids;
