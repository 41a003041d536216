-- Included first by every report in SQL: the peers that this server has, and the table for figures. Takes :report.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION luuid;
CREATE SEQUENCE numbers;

CREATE TABLE peer (name text, type text, call text, extension text, server int, reports text,
                   place int GENERATED ALWAYS AS IDENTITY);
\copy peer (name, type, call, extension, server, reports) FROM 'bench/peers.tsv' WITH (FORMAT csv, DELIMITER E'\t', HEADER)
DELETE FROM peer
WHERE NOT :'report' = ANY (string_to_array(reports, ' '))
   OR server > current_setting('server_version_num')::int / 10000
   OR extension NOT IN (SELECT name FROM pg_available_extensions);
SELECT DISTINCT format('CREATE EXTENSION %I', extension) FROM peer WHERE extension IS NOT NULL \gexec

-- A value of each round, from which bench/summary makes medians, and medians of the ratios within a round.
CREATE TABLE measured (figure text, peer text, round int, value float8);

-- The peers in the order of a round: a random one, so that none always follows the same other.
CREATE FUNCTION peers(round int) RETURNS SETOF peer LANGUAGE sql AS $$
    SELECT * FROM peer ORDER BY md5(name || round)
$$;

CREATE FUNCTION milliseconds(query text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    begun timestamptz := clock_timestamp();
BEGIN
    EXECUTE query;
    RETURN extract(epoch FROM clock_timestamp() - begun) * 1000;
END $$;

-- Nanoseconds of one more expression: a row with nine of them less a row with one. To subtract a row with none would
-- subtract some nanoseconds of the loop itself.
CREATE FUNCTION slope(one text, nine text, rows int) RETURNS float8 LANGUAGE sql AS $$
    SELECT (milliseconds(nine) - milliseconds(one)) / 8 / rows * 1e6
$$;

-- Of a query's rows, written by COPY with these options and compressed.
CREATE FUNCTION size_of(query text, options text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    file text := current_setting('data_directory') || '/size';
BEGIN
    EXECUTE format('COPY (%s) TO PROGRAM %L %s', query, format('gzip | wc -c > %L', file), options);
    RETURN pg_read_file(file);
END $$;
