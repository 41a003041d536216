-- Measures what a row costs in a bulk insert, in rounds in which each generator has its turn: a table with a primary key and
-- :base rows gets :rows more, in :rounds parts. bench/insert uses the tables afterwards.
\set report insert
\ir measure.sql
\ir bulk.sql

-- A table and its first rows in one transaction, which at wal_level = minimal costs no WAL.
CREATE PROCEDURE prepare(base int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
BEGIN
    FOR each IN SELECT * FROM peer LOOP
        EXECUTE format('CREATE TABLE %I (id %s PRIMARY KEY DEFAULT %s, payload text NOT NULL)',
                       each.name, each.type, each.call);
        EXECUTE format('INSERT INTO %I (payload) SELECT repeat(''x'', 100) FROM generate_series(1, %s)',
                       each.name, base);
        COMMIT;
    END LOOP;
END $$;
CALL prepare(:base);
VACUUM;
CHECKPOINT;
COPY (SELECT) TO PROGRAM 'sync';

SELECT format('CALL insert_in_bulk(''bulk'', %s, %s)', round, :rows / :rounds)
FROM generate_series(1, :rounds) AS round \gexec

INSERT INTO measured
SELECT 'primary key, bytes a row', name, 0, pg_relation_size(quote_ident(name || '_pkey'))::float8 / (:base + :rows)
FROM peer;
CHECKPOINT;
COPY (SELECT) TO PROGRAM 'sync';
