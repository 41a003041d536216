-- Measures what building an index, a sort and one comparison cost, over ids in the order of generation and shuffled, in rounds
-- in which each generator has its turn. Takes :rows and :rounds.
\set report order
\ir measure.sql
SET maintenance_work_mem = '1GB';
SET work_mem = '1GB';
SET enable_indexonlyscan = off;
SET enable_indexscan = off;

CREATE PROCEDURE measure(arrangement text, peer text, round int) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO measured VALUES
        (format('CREATE INDEX, %s, ms', arrangement), peer, round, milliseconds(format('CREATE INDEX built ON %I (id)', arrangement))),
        (format('ORDER BY, %s, ms', arrangement), peer, round,
         milliseconds(format('SELECT count(*) FROM (SELECT id FROM %I ORDER BY id OFFSET 0) AS sorted', arrangement)));
    DROP INDEX built;
END $$;

-- Two tables of one generator differ by two hundredths, by where they lie in memory, and generators in order by less. So each
-- round has new tables.
SELECT statement
FROM generate_series(1, :rounds) AS round, LATERAL peers(round) WITH ORDINALITY AS p (name, type, call, e, s, r, place, turn),
    LATERAL (VALUES
        (1, format('CREATE UNLOGGED TABLE "as made" AS SELECT %s::%s AS id FROM generate_series(1, %s)', call, type, :rows)),
        (2, 'CREATE UNLOGGED TABLE shuffled AS SELECT id FROM "as made" ORDER BY random()'),
        (3, 'VACUUM ANALYZE "as made", shuffled'),
        (4, format('CALL measure(''as made'', %L, %s)', name, round)),
        (5, format('CALL measure(''shuffled'', %L, %s)', name, round)),
        (6, format('CREATE UNLOGGED TABLE %I AS SELECT least(id, next) AS id, greatest(id, next) AS next
                    FROM (SELECT id, lead(id) OVER () AS next FROM shuffled) AS pair WHERE next IS NOT NULL', name || ', pairs')),
        (7, 'DROP TABLE "as made", shuffled')) AS s (step, statement)
WHERE round = 1 OR step <> 6
ORDER BY round, turn, step \gexec
VACUUM ANALYZE;

CREATE PROCEDURE compare(round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each record;
BEGIN
    FOR each IN SELECT format('SELECT count(*) FROM %I WHERE id < next', name || ', pairs') AS query, name
                FROM peers(round) LOOP
        INSERT INTO measured VALUES
            ('<, ns', each.name, round,
             slope(each.query, each.query || repeat(' AND id < next', 8), rows - 1));
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL compare(%s, %s)', round, :rows) FROM generate_series(1, :rounds) AS round \gexec

COPY measured TO STDOUT;
