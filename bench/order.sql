-- Measures what building an index, a sort and one comparison cost, over ids in the order of generation and shuffled, in rounds
-- in which each generator has its turn. Takes :rows and :rounds.
\set report order
\ir measure.sql
SET maintenance_work_mem = '1GB';
SET work_mem = '1GB';

CREATE TABLE arrangement (name text, of text);
INSERT INTO arrangement VALUES ('as made', 'SELECT %3$s::%5$s AS id FROM generate_series(1, %4$s)'),
                               ('shuffled', 'SELECT id FROM %2$I ORDER BY random()');
SELECT format('CREATE UNLOGGED TABLE %1$I AS ' || of, peer.name || ', ' || arrangement.name,
              peer.name || ', as made', call, :rows, type)
FROM peer, arrangement ORDER BY place, arrangement.name \gexec
SELECT format('CREATE UNLOGGED TABLE %I AS SELECT least(id, next) AS id, greatest(id, next) AS next
               FROM (SELECT id, lead(id) OVER () AS next FROM %I LIMIT %s) AS pair WHERE next IS NOT NULL',
              name || ', pairs', name || ', shuffled', :rows / 2)
FROM peer \gexec
VACUUM ANALYZE;

CREATE PROCEDURE measure(round int, rows int, is_shuffled boolean) LANGUAGE plpgsql AS $$
DECLARE
    each record;
BEGIN
    FOR each IN SELECT * FROM (SELECT a.name FROM arrangement AS a WHERE a.name = 'as made' OR is_shuffled ORDER BY a.name)
                              AS a (arrangement), LATERAL peers(round) LOOP
        INSERT INTO measured VALUES
            (format('CREATE INDEX, %s, ms', each.arrangement), each.name, round,
             milliseconds(format('CREATE INDEX built ON %I (id)', each.name || ', ' || each.arrangement))),
            (format('ORDER BY, %s, ms', each.arrangement), each.name, round,
             milliseconds(format('SELECT count(*) FROM (SELECT id FROM %I ORDER BY id OFFSET 0) AS sorted',
                                 each.name || ', ' || each.arrangement)));
        DROP INDEX built;
        COMMIT;
    END LOOP;
    FOR each IN SELECT format('SELECT count(*) FROM %I WHERE id < next', name || ', pairs') AS query, name
                FROM peers(round) LOOP
        INSERT INTO measured VALUES
            ('<, ns', each.name, round,
             slope(each.query, each.query || repeat(' AND id < next', 8), rows / 2));
        COMMIT;
    END LOOP;
END $$;
SET enable_indexonlyscan = off;
SET enable_indexscan = off;
-- Peers in order differ by a hundredth, which shows in the median of more rounds than those of shuffled ids.
SELECT format('CALL measure(%s, %s, %L)', round, :rows, round <= :rounds) FROM generate_series(1, 4 * :rounds) AS round \gexec

COPY measured TO STDOUT;
