-- JIT: compiled expressions, inlined and optimized, give the rows of interpreted ones.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE VIEW answered AS SELECT n, is_law, answer(format('SELECT t::text FROM (%s) AS t', source)), (explained(source)).compiled
FROM (SELECT * FROM asked UNION ALL SELECT 0, false, 'SELECT sum(n) FROM (SELECT count(*) OVER (ORDER BY id RANGE BETWEEN ''1 day'' PRECEDING '
    'AND ''1 h'' FOLLOWING) AS n FROM # WHERE timed) AS w') AS a, replace(query, '#', 'ids') AS source;
SET jit = off;
CREATE TABLE interpreted AS SELECT * FROM answered;
SET jit = on;
SET jit_above_cost = 0;
SET jit_inline_above_cost = 0;
SET jit_optimize_above_cost = 0;
CREATE TABLE compiled AS SELECT * FROM answered;
-- If the server has JIT, it compiles all. The laws hold: both runs could fail in the same way.
SELECT count(*) AS queries, count(*) FILTER (WHERE c.compiled) = CASE WHEN pg_jit_available() THEN count(*) ELSE 0 END AS all_compiled,
    count(*) FILTER (WHERE i.compiled) AS interpreted_compiled, count(*) FILTER (WHERE i.answer IS DISTINCT FROM c.answer) AS wrong,
    string_agg(c.answer, ' ' ORDER BY n) FILTER (WHERE c.is_law) AS laws
FROM interpreted AS i JOIN compiled AS c USING (n) \gx
-- An error in compiled code is an ordinary error, and the backend continues.
SELECT state, message FROM cases($$SELECT luuid(id::bytea || '\x00') FROM ids; SELECT overlay(id::text PLACING 'g' FROM 36)::luuid FROM ids
    WHERE place = 1; SELECT luuid_generate(t) FROM times WHERE t = 'infinity'$$), refusal(said);
SELECT min(id) FROM ids;
