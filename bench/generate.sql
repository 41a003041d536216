-- What an id costs to make in SQL: nanoseconds of each generator, by rounds in which each has its turn.
-- Takes :rows and :rounds. Prints a table for bench/run.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION luuid;
CREATE SEQUENCE numbers;
-- Another generator is one line here.
CREATE TABLE generator (call text);
INSERT INTO generator VALUES
    ('gen_random_uuid()'),
    ('nextval(''numbers'')'),
    ('luuid_generate()'),
    ('luuid_generate_variable()'),
    ('luuid_generate_sequential()'),
    ('luuid_generate_v1()'),
    ('luuid_generate_v7()'),
    ('luuid_generate_near(''20be0ffc-314a-bd53-7a50-013a65ca76d2'')'),
    ('luuid_generate_in_shard(3, 8)');
SELECT count(*) > 0 AS has_ossp FROM pg_available_extensions WHERE name = 'uuid-ossp' \gset
\if :has_ossp
CREATE EXTENSION "uuid-ossp";
INSERT INTO generator VALUES ('uuid_generate_v1()'), ('uuid_generate_v4()');
\endif
SELECT current_setting('server_version_num')::int >= 180000 AS has_v7 \gset
\if :has_v7
INSERT INTO generator VALUES ('uuidv7()');
\endif

SET max_parallel_workers_per_gather = 0;
SET jit = off;

CREATE FUNCTION milliseconds(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    begun timestamptz := clock_timestamp();
BEGIN
    EXECUTE query;
    RETURN extract(epoch FROM clock_timestamp() - begun) * 1000;
END $$;

-- Two measures, since to subtract the empty loop is to subtract a little too much: the difference from the empty loop,
-- and the slope from one call a row to nine, over a twentieth of the rows.
CREATE TABLE measured (call text, round int, difference float8, slope float8);
CREATE PROCEDURE measure(round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each record;
    loop_ms float8 := milliseconds(format('SELECT count(g) FROM generate_series(1, %s) AS g', rows));
    one text;
    nine text;
BEGIN
    -- From another one in each round.
    FOR each IN SELECT call FROM (SELECT call, row_number() OVER (ORDER BY ctid) AS at, count(*) OVER () AS all_of
                                  FROM generator) AS g ORDER BY (at + round * 5) % all_of LOOP
        one := format('SELECT count(%s) FROM generate_series(1, %s)', each.call, rows / 20);
        nine := format('SELECT %s FROM generate_series(1, %s)',
                       (SELECT string_agg(format('count(%s)', each.call), ', ') FROM generate_series(1, 9)), rows / 20);
        INSERT INTO measured VALUES (
            each.call, round,
            (milliseconds(format('SELECT count(%s) FROM generate_series(1, %s)', each.call, rows)) - loop_ms)
                / rows * 1e6,
            (milliseconds(nine) - milliseconds(one)) / 8 / (rows / 20) * 1e6);
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s, %s)', round, :rows) FROM generate_series(1, :rounds) AS round \gexec

\pset format unaligned
\pset fieldsep '\t'
\pset footer off
SELECT counter_scope AS counter, m.call, round(ns::numeric, 1) AS "ns an id, loop subtracted", round(slope_ns::numeric, 1) AS "ns, by slope",
       round(ratio::numeric, 3) AS "of gen_random_uuid", round(slope_ratio::numeric, 3) AS "of gen_random_uuid, by slope"
FROM (SELECT call, percentile_cont(0.5) WITHIN GROUP (ORDER BY m.difference) AS ns,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY m.slope) AS slope_ns,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY m.difference / r.difference) AS ratio,
             percentile_cont(0.5) WITHIN GROUP (ORDER BY m.slope / r.slope) AS slope_ratio
      FROM measured AS m
      JOIN (SELECT round, difference, slope FROM measured WHERE call = 'gen_random_uuid()') AS r USING (round)
      GROUP BY call) AS m, luuid_status()
ORDER BY ns;
