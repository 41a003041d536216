-- Measures what it costs to read the rows of a range of time: by a primary key whose ids have the time, and by an index on a
-- second column. Rows are a millisecond apart, a slice has a thousand. Takes :rows, :slices and :rounds.
\set report slice
\ir measure.sql
SET client_encoding = 'UTF8';

\ir v7.sql

CREATE TABLE way (name text, columns text, key text, time_index text, condition text);
INSERT INTO way VALUES
    ('luuid v7 key', 'id luuid PRIMARY KEY', 'luuid_generate_v7(%s)', NULL,
     'id >= luuid_floor(begin) AND id < luuid_floor(begin + interval ''1 s'')'),
    ('luuid variable key', 'id luuid PRIMARY KEY', 'luuid_generate(%s)', NULL,
     'id >= luuid_floor(begin) AND id < luuid_floor(begin + interval ''1 s'')'),
    ('uuid v7 key', 'id uuid PRIMARY KEY', 'v7(%s)', NULL,
     'id >= v7_floor(begin) AND id < v7_floor(begin + interval ''1 s'')'),
    ('uuid v4, created_at', 'id uuid PRIMARY KEY, created_at timestamptz', 'gen_random_uuid(), %s', 'created_at',
     'created_at >= begin AND created_at < begin + interval ''1 s'''),
    ('bigint, created_at', 'id bigint PRIMARY KEY, created_at timestamptz', 'nextval(''numbers''), %s', 'created_at',
     'created_at >= begin AND created_at < begin + interval ''1 s''');

SELECT format('CREATE TABLE %I (%s, payload text NOT NULL)', name, columns) FROM way
UNION ALL
SELECT format('CREATE INDEX ON %I (%s)', name, time_index) FROM way WHERE time_index IS NOT NULL
UNION ALL
SELECT format('INSERT INTO %I SELECT %s, repeat(''x'', 100) FROM generate_series(1, %s) AS ms',
              name, format(key, 'timestamptz ''2026-01-01 00:00+00'' + ms * interval ''1 ms'''), :rows) FROM way \gexec
CREATE TABLE slice AS
SELECT timestamptz '2026-01-01 00:00+00' + floor(random() * (:rows - 1000)) * interval '1 ms' AS begin
FROM generate_series(1, :slices);
VACUUM ANALYZE;
CHECKPOINT;

-- The plan that a query with parameters gets.
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE PROCEDURE measure(round int) LANGUAGE plpgsql AS $$
DECLARE
    each way;
BEGIN
    FOR each IN SELECT * FROM way ORDER BY md5(name || round) LOOP
        INSERT INTO measured SELECT
            'slice of 1000 rows, µs', each.name, round,
            milliseconds(format('SELECT sum(length) FROM slice, LATERAL (
                                     SELECT sum(length(payload)) AS length FROM %I WHERE %s) AS sliced',
                                each.name, each.condition)) / count(*) * 1e3 FROM slice;
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s)', round) FROM generate_series(1, :rounds) AS round \gexec

INSERT INTO measured
SELECT 'indexes for key and time, bytes a row', name, 0, pg_indexes_size(quote_ident(name))::float8 / :rows FROM way;
COPY measured TO STDOUT;
