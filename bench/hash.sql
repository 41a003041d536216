-- Hash joins and hash aggregates over the same ids as luuid and as uuid, in turns; the medians, and why.
-- Takes :rows, :rounds and :sessions (of sequential mode). Prints a table for bench/run.
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

CREATE TABLE measured (kind text, task text, memory text, type text, round int, ms float8);
CREATE PROCEDURE measure(round int) LANGUAGE plpgsql AS $$
DECLARE
    run record;
    begun timestamptz;
BEGIN
    FOR run IN
        SELECT kind.name AS kind, task.name AS task, memory.name AS memory, work_mem, type.name AS type,
               format(query, type.name || ' ' || kind.name) AS query
        FROM kind, task, memory, type
        -- The two types next to each other, and either of them first by turns.
        ORDER BY kind, task, memory, (type.name = 'uuid') = (round % 2 = 0)
    LOOP
        PERFORM set_config('work_mem', run.work_mem, true);
        begun := clock_timestamp();
        EXECUTE run.query;
        INSERT INTO measured VALUES (run.kind, run.task, run.memory, run.type, round,
                                     extract(epoch FROM clock_timestamp() - begun) * 1000);
    END LOOP;
END $$;
SELECT format('CALL measure(%s)', round) FROM generate_series(0, :rounds) AS round \gexec

-- What the planner got for its hashes: buckets and batches, or what was spilled.
CREATE FUNCTION explained(query text, memory text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    said text := '';
BEGIN
    PERFORM set_config('work_mem', memory, true);
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || query LOOP
        IF line ~ 'Batches' THEN
            said := trim(line);
        END IF;
    END LOOP;
    RETURN regexp_replace(said, '\s+', ' ', 'g');
END $$;

\pset format unaligned
\pset fieldsep '\t'
\pset footer off
WITH median AS (
    SELECT kind, task, memory, type, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms
    FROM measured WHERE round > 0 GROUP BY kind, task, memory, type
), ratio AS (
    SELECT kind, task, memory, percentile_cont(0.5) WITHIN GROUP (ORDER BY l.ms / u.ms) AS ratio
    FROM measured AS l JOIN measured AS u USING (kind, task, memory, round)
    WHERE l.type = 'luuid' AND u.type = 'uuid' AND round > 0 GROUP BY kind, task, memory
)
SELECT kind, task, memory, round(l.ms) AS "luuid ms", round(u.ms) AS "uuid ms", round(ratio::numeric, 2) AS ratio,
       explained(format(query, 'luuid ' || kind), work_mem) AS luuid,
       explained(format(query, 'uuid ' || kind), work_mem) AS uuid
FROM median AS l JOIN median AS u USING (kind, task, memory) JOIN ratio USING (kind, task, memory)
JOIN task ON task.name = task JOIN memory ON memory.name = memory
WHERE l.type = 'luuid' AND u.type = 'uuid'
ORDER BY kind, task, memory;
