-- Measures what it costs to insert a row into a table of :size rows, in rounds in which each generator has its turn: :sample
-- rows with a payload in each of :rounds. To save time, the rows before have no payload, and their key is built at once: the
-- figures depend only on the size of the index.
\set report scale
\ir measure.sql
\ir bulk.sql
SET maintenance_work_mem = '1GB';

-- A table, its rows and its key in one transaction, which at wal_level = minimal costs no WAL.
CREATE PROCEDURE prepare(size int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
BEGIN
    FOR each IN SELECT * FROM peer LOOP
        EXECUTE format('CREATE TABLE %I (id %s DEFAULT %s, payload text)', each.name, each.type, each.call);
        EXECUTE format('INSERT INTO %I (payload) SELECT NULL FROM generate_series(1, %s)', each.name, size);
        EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (id)', each.name);
        COMMIT;
    END LOOP;
END $$;

CALL prepare(:size);
VACUUM;
CHECKPOINT;
COPY (SELECT) TO PROGRAM 'sync';
SELECT format('CALL insert_in_bulk(''%s M rows'', %s, %s)', trim_scale(:size / 1e6), round, :sample)
FROM generate_series(1, :rounds) AS round \gexec
COPY measured TO STDOUT;
