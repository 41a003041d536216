-- Measures hash joins and hash aggregates over the same ids as luuid and as uuid, in turns. Takes :rows, :rounds, :sessions (of
-- sequential mode) and :timeout. Prints a table for bench/run: medians, and the buckets and batches that explain them.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION luuid;
CREATE EXTENSION dblink;

-- A session of its own for each part, as many backends would have made them.
CREATE FUNCTION make(call text, parts int, part_rows int) RETURNS SETOF luuid LANGUAGE plpgsql AS $$
BEGIN
    FOR part IN 1 .. parts LOOP
        RETURN QUERY SELECT id FROM dblink(
            format('dbname=%s port=%s host=%s', current_database(), current_setting('port'),
                   split_part(current_setting('unix_socket_directories'), ',', 1)),
            format('SELECT %s FROM generate_series(1, %s)', call, part_rows)) AS t(id luuid);
    END LOOP;
END $$;

CREATE TABLE kind (name text, call text, parts int);
INSERT INTO kind VALUES
    ('variable', 'luuid_generate_variable()', 1),
    ('sequential', 'luuid_generate_sequential()', :sessions),
    ('v1', 'luuid_generate_v1()', 1),
    ('v4', 'gen_random_uuid()', 1),
    ('v7', 'luuid_generate_v7()', 1);
CREATE TABLE memory (name text, work_mem text);
INSERT INTO memory VALUES ('one batch', '1GB'), ('batches', '8MB');
CREATE TABLE task (name text, query text);
INSERT INTO task VALUES
    ('hash join', 'SELECT count(*) FROM %1$I AS a JOIN %1$I AS b USING (id)'),
    ('hash aggregate', 'SELECT count(*) FROM (SELECT id FROM %1$I GROUP BY id OFFSET 0) AS g');
CREATE TABLE type (name text);
INSERT INTO type VALUES ('luuid'), ('uuid');

SELECT format('CREATE UNLOGGED TABLE %I AS SELECT make(%L, %s, %s) AS id',
              'luuid ' || name, call, parts, :rows / parts) FROM kind \gexec
SELECT format('CREATE UNLOGGED TABLE %I AS SELECT id::uuid FROM %I', 'uuid ' || name, 'luuid ' || name) FROM kind \gexec
VACUUM ANALYZE;

SET enable_mergejoin = off;
SET enable_nestloop = off;
SET enable_sort = off;
SET hash_mem_multiplier = 1;
SET max_parallel_workers_per_gather = 0;
SET jit = off;

-- What the executor says of a run: its time, and its buckets and batches. One that takes longer than :timeout seconds
-- is given up, and leaves no row.
CREATE TABLE measured (kind text, task text, memory text, type text, round int, ms float8, said text);
CREATE FUNCTION measure(of_kind text, of_task text, of_memory text, of_type text, round int) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
    line text;
    ms float8;
    said text := '';
BEGIN
    PERFORM set_config('work_mem', (SELECT work_mem FROM memory WHERE name = of_memory), true);
    FOR line IN EXECUTE (SELECT format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ' || query, of_type || ' ' || of_kind)
                         FROM task WHERE name = of_task) LOOP
        IF line ~ 'Batches' THEN
            said := trim(regexp_replace(line, '\s+', ' ', 'g'));
        ELSIF line ~ '^Execution Time' THEN
            ms := substring(line FROM '[0-9.]+');
        END IF;
    END LOOP;
    INSERT INTO measured VALUES (of_kind, of_task, of_memory, of_type, round, ms, said);
END $$;
SET statement_timeout = :'timeout';
\set ON_ERROR_STOP off
\pset tuples_only on
\o /dev/null
-- The two types next to each other, and either of them first by turns.
SELECT format('SELECT measure(%L, %L, %L, %L, %s)', kind.name, task.name, memory.name, type.name, round)
FROM kind, task, memory, type, generate_series(1, :rounds) AS round
ORDER BY round, kind.name, task.name, memory.name, (type.name = 'uuid') = (round % 2 = 0) \gexec
\o
\pset tuples_only off
\set ON_ERROR_STOP on
RESET statement_timeout;

\pset format unaligned
\pset fieldsep '\t'
\pset footer off
SELECT kind, task, memory,
       coalesce(round(percentile_cont(0.5) WITHIN GROUP (ORDER BY l.ms))::text, 'over ' || :'timeout') AS "luuid ms",
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY u.ms)) AS "uuid ms",
       round(percentile_cont(0.5) WITHIN GROUP (ORDER BY l.ms / u.ms)::numeric, 2) AS ratio,
       min(l.said) AS luuid, min(u.said) AS uuid
FROM measured AS u LEFT JOIN (SELECT * FROM measured WHERE type = 'luuid') AS l USING (kind, task, memory, round)
WHERE u.type = 'uuid'
GROUP BY kind, task, memory ORDER BY kind, task, memory;
