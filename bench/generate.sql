-- Measures what SQL takes to generate an id, in rounds in which each generator has its turn. Takes :rows and :rounds.
-- Needs bench/floor.
\set report generate
\ir measure.sql
-- What it costs without the extension's code.
\ir ../sql/plain.sql

-- The least that any generator in C can take: memory for an id, and that with the time and a counter.
CREATE FUNCTION floor_palloc() RETURNS uuid AS 'floor' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION floor_clock() RETURNS uuid AS 'floor' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
INSERT INTO peer VALUES ('floor: palloc', 'uuid', 'floor_palloc()'), ('floor: palloc, clock', 'uuid', 'floor_clock()');

CREATE FUNCTION calls(call text, times int, rows int) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT %s FROM generate_series(1, %s)', string_agg(format('count(%s)', call), ', '), rows)
    FROM generate_series(1, times)
$$;

CREATE PROCEDURE measure(round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
BEGIN
    FOR each IN SELECT * FROM peers(round) LOOP
        INSERT INTO measured VALUES
            ('ns an id', each.name, round, slope(calls(each.call, 1, rows), calls(each.call, 9, rows), rows));
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s, %s)', round, :rows) FROM generate_series(1, :rounds) AS round \gexec

UPDATE measured SET figure = figure || ', preloaded' FROM luuid_status() WHERE leased;
COPY measured TO STDOUT;
