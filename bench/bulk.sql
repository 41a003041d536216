-- Measures the time and the WAL of a row in a bulk insert into the tables of all peers in turn, with a payload of 100 bytes.
CREATE PROCEDURE insert_in_bulk(what text, round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
    before pg_lsn;
    ms float8;
BEGIN
    FOR each IN SELECT * FROM peers(round) LOOP
        before := pg_current_wal_insert_lsn();
        ms := milliseconds(format('INSERT INTO %I (payload) SELECT repeat(''x'', 100) FROM generate_series(1, %s)',
                                  each.name, rows));
        INSERT INTO measured VALUES
            (what || ', µs a row', each.name, round, ms / rows * 1e3),
            (what || ', WAL bytes a row', each.name, round, (pg_current_wal_insert_lsn() - before)::float8 / rows);
        COMMIT;
    END LOOP;
END $$;
