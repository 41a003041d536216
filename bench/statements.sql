-- Creates the tables for bench/statements: events of 90 days and their items, with each kind of key, in one table and in 90
-- partitions. Each pair of tables is in a schema of its own. Takes :rows and :rounds.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
CREATE EXTENSION luuid;
\ir v7.sql
-- Where the server makes no version 7, luuid does.
SELECT CASE WHEN current_setting('server_version_num')::int >= 180000 THEN 'uuidv7()' ELSE 'luuid_generate_v7()' END AS v7
\gset

-- How a row has its key by default, the key of row n at a time, and the least key of a day's partition.
CREATE TABLE kind (schema text, type text, call text, made text, bound text);
INSERT INTO kind VALUES
    ('bigint', 'bigint', 'nextval(''numbers'')', 'nextval(''numbers'')', 'day * :rows / 90'),
    ('uuid', 'uuid', :'v7', 'luuid_generate_v7(at)', 'v7_floor(at)'),
    ('luuid_v7', 'luuid', 'luuid_generate_v7()', 'luuid_generate_v7(at)', 'luuid_floor(at)'),
    ('luuid_variable', 'luuid', 'luuid_generate()', 'luuid_generate(at)', 'luuid_floor(at)');
UPDATE kind SET bound = replace(bound, ':rows', :'rows');

-- A thousand events have items. Others are what is looked up, ten in each round, and can be deleted. They are the same of
-- each kind, by their place in time, and so lie in the same partitions.
CREATE TABLE place AS
SELECT row_number() OVER () AS n, place
FROM (SELECT place FROM generate_series(1, :rows) AS place ORDER BY random() LIMIT 1000 + 10 * :rounds) AS p;

CREATE PROCEDURE prepare(each kind, rows int, partitioned boolean, created_at boolean) LANGUAGE plpgsql AS $$
DECLARE
    least text;
    next text;
BEGIN
    EXECUTE format('CREATE SCHEMA %I', each.schema);
    PERFORM set_config('search_path', format('%I, public', each.schema), true);
    CREATE SEQUENCE numbers;
    EXECUTE format('CREATE TABLE event (id %s PRIMARY KEY DEFAULT %s, payload text NOT NULL) %s',
                   each.type, each.call, CASE WHEN partitioned THEN 'PARTITION BY RANGE (id)' END);
    IF created_at THEN
        ALTER TABLE event ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
        CREATE INDEX ON event (created_at);
    END IF;
    FOR day IN 0 .. CASE WHEN partitioned THEN 89 ELSE -1 END LOOP
        least := coalesce(next, 'MINVALUE');
        EXECUTE format('SELECT quote_literal(%s) FROM (SELECT %s AS day, now() - %s * interval ''1 day'' AS at) AS d',
                       each.bound, day + 1, 89 - day) INTO next;
        EXECUTE format('CREATE TABLE event_%s PARTITION OF event FOR VALUES FROM (%s) TO (%s)',
                       day, least, CASE WHEN day < 89 THEN next ELSE 'MAXVALUE' END);
    END LOOP;
    EXECUTE format('INSERT INTO event SELECT %s, repeat(''x'', 100) %s FROM (
                        SELECT now() - interval ''90 days'' * (1 - n / %s.0) AS at FROM generate_series(1, %3$s) AS n) AS r',
                   each.made, CASE WHEN created_at THEN ', at' END, rows);
    EXECUTE format('CREATE TABLE item (id %s PRIMARY KEY DEFAULT %s, event_id %1$s NOT NULL REFERENCES event,
                                       payload text NOT NULL)', each.type, each.call);
    CREATE INDEX ON item (event_id);

    CREATE TABLE drawn AS SELECT n, id
        FROM (SELECT row_number() OVER (ORDER BY id) AS place, id FROM event) AS e JOIN place USING (place);
    CREATE TABLE parents AS SELECT id AS event_id FROM drawn WHERE n <= 1000 ORDER BY n;
    INSERT INTO item (event_id, payload) SELECT event_id, repeat('x', 100) FROM generate_series(1, 10), parents;
    CREATE TABLE sought AS SELECT (n - 1001) / 10 + 1 AS round, (n - 1001) % 10 AS place, drawn.id, i.id AS item
        FROM drawn JOIN (SELECT row_number() OVER (ORDER BY id) AS at, id FROM item) AS i ON at = n * 7919 % 10000 + 1
        WHERE n > 1000;
END $$;

SELECT format('CALL prepare((%L, %L, %L, %L, %L), %s, %L, %L)', schema || suffix, type, call, made, bound, :rows,
              suffix = '_partitioned', suffix = '_created_at')
FROM kind, (VALUES (''), ('_partitioned'), ('_created_at')) AS s (suffix)
WHERE type = 'uuid' OR suffix <> '_created_at' \gexec
VACUUM ANALYZE;
CHECKPOINT;
