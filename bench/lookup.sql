-- Measures what it costs to find any id of a table by its primary key, in rounds in which each generator has its turn. Takes
-- :rows, :lookups and :rounds.
\set report order
\ir measure.sql

SELECT format('CREATE UNLOGGED TABLE %I AS SELECT %s AS id FROM generate_series(1, %s)', name, call, :rows) FROM peer
UNION ALL
SELECT format('ALTER TABLE %I ADD PRIMARY KEY (id)', name) FROM peer
UNION ALL
SELECT format('CREATE UNLOGGED TABLE %I AS SELECT id FROM %I ORDER BY random() LIMIT %s',
              name || ', sought', name, :lookups)
FROM peer \gexec
VACUUM ANALYZE;

SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_seqscan = off;
CREATE PROCEDURE measure(round int, lookups int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
BEGIN
    FOR each IN SELECT * FROM peers(round) LOOP
        INSERT INTO measured VALUES ('look up, ns', each.name, round, milliseconds(
            format('SELECT count(*) FROM %I AS sought JOIN %I AS kept USING (id)', each.name || ', sought', each.name))
                / lookups * 1e6);
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s, %s)', round, :lookups) FROM generate_series(1, :rounds) AS round \gexec
COPY measured TO STDOUT;
