-- Which key for which case: one shop with three kinds of key, whose orders have the same times. Takes :orders and
-- :rounds.
\set report workload
\ir measure.sql

-- How a kind of key says what the cases ask: a range of times, the time itself, the order of time, and the orders in the
-- five minutes after another.
CREATE TABLE way (name text, schema text, key text, given text, made text, created_at text, condition text, time text,
                  place text, following text);
INSERT INTO way VALUES
    ('luuid', 'by_luuid', 'luuid', 'luuid_generate(at)', 'luuid_generate()', '', 'o.id >= %1$L::timestamptz AND o.id < %2$L::timestamptz',
     'o.id::timestamptz', 'id', 'f.id >= o.id::timestamptz AND f.id < o.id::timestamptz + interval ''5 min'''),
    ('uuid v7, created_at', 'by_uuid', 'uuid', 'luuid_generate_v7(at)', 'luuid_generate_v7()', NULL, NULL, NULL, NULL, NULL),
    ('bigint, created_at', 'by_bigint', 'bigint', 'n', 'nextval(''public.numbers'')', NULL, NULL, NULL, NULL, NULL);
UPDATE way SET made = 'uuidv7()' WHERE key = 'uuid' AND current_setting('server_version_num')::int >= 180000;
UPDATE way SET created_at = ', created_at timestamptz NOT NULL DEFAULT now()',
    condition = 'o.created_at >= %1$L AND o.created_at < %2$L', time = 'o.created_at', place = 'created_at',
    following = 'f.created_at >= o.created_at AND f.created_at < o.created_at + interval ''5 min'''
WHERE created_at IS NULL;

-- In 100 days, with two items each.
CREATE TABLE sold AS
SELECT n, timestamptz '2026-01-01 00:00+00' + (n + random() * 0.9) * 8640000000 / :orders * interval '1 ms' AS at, n::bigint * 7919 % 1000 AS customer, n % 100 AS total
FROM generate_series(1, :orders) AS n;
UPDATE sold SET at = date_trunc('milliseconds', at);
ALTER SEQUENCE numbers RESTART WITH 1000000000;
SELECT statement FROM way, LATERAL (VALUES
    (1, format('CREATE SCHEMA %s', schema)),
    (2, format('CREATE TABLE %s.orders (id %s PRIMARY KEY DEFAULT %s, customer int NOT NULL, total int NOT NULL%s)', schema, key, made, created_at)),
    (3, format('CREATE TABLE %s.items (id %s PRIMARY KEY DEFAULT %s, order_id %2$s NOT NULL REFERENCES %1$s.orders, amount int NOT NULL)', schema, key, made)),
    (4, format('INSERT INTO %s.orders SELECT %s, customer, total%s FROM sold ORDER BY n', schema, given, CASE WHEN created_at <> '' THEN ', at' END)),
    (5, format('INSERT INTO %s.items SELECT %s, id, total FROM (SELECT 2 * n + twice AS n, o.id, o.total, %s AS at FROM (SELECT *, row_number() OVER (ORDER BY %s) AS n FROM %1$s.orders) AS o, generate_series(0, 1) AS twice ORDER BY 1) AS i',
               schema, given, time, place)),
    (6, format('CREATE INDEX ON %s.orders (customer, %s)', schema, place)),
    (7, format('CREATE INDEX ON %s.items (order_id)', schema)),
    (8, CASE WHEN created_at <> '' THEN format('CREATE INDEX ON %s.orders (created_at)', schema) END),
    (9, format('CREATE STATISTICS %s.days ON date_trunc(''day'', %s, ''UTC'') FROM %1$s.orders', schema, replace(time, 'o.', '')))
) AS s (step, statement) WHERE statement IS NOT NULL ORDER BY step \gexec
INSERT INTO measured
SELECT relation || ' with indexes, bytes a row', name, 0, pg_total_relation_size(schema || '.' || relation)::float8 / count
FROM way, (VALUES ('orders', :orders), ('items', 2 * :orders)) AS r (relation, count)
ORDER BY relation DESC, schema;
VACUUM ANALYZE;
CHECKPOINT;

-- A range of a length begins at a random time. `times` are the executions of a turn.
CREATE TABLE question (figure text, length interval, times int, query text, is_scan boolean DEFAULT false);
INSERT INTO question VALUES
    ('insert of 1000 orders with 2000 items, µs', NULL, 1, 'WITH o AS (INSERT INTO orders (customer, total) SELECT n, n FROM generate_series(1, 1000) AS n RETURNING id)
        INSERT INTO items (order_id, amount) SELECT id, amount FROM o, generate_series(1, 2) AS amount'),
    ('orders of an hour, newest first, µs', '1 hour', 50, 'SELECT total FROM orders AS o WHERE @condition ORDER BY @place DESC'),
    ('a customer''s last 20 orders, µs', '1 hour', 50, 'SELECT total FROM orders WHERE customer = 77 ORDER BY @place DESC LIMIT 20'),
    ('a page of 50 in a range, µs', '10 days', 50, 'SELECT total FROM orders AS o WHERE @condition ORDER BY @place LIMIT 50'),
    ('count of an hour, µs', '1 hour', 50, 'SELECT count(*) FROM orders AS o WHERE @condition'),
    ('count of a week, µs', '7 days', 5, 'SELECT count(*) FROM orders AS o WHERE @condition'),
    ('sum of a day, µs', '1 day', 20, 'SELECT sum(total) FROM orders AS o WHERE @condition'),
    ('sums by day of 30 days, µs', '30 days', 1, 'SELECT date_trunc(''day'', @time, ''UTC'') AS day, sum(total) FROM orders AS o WHERE @condition GROUP BY day ORDER BY day'),
    ('orders of a day with their items, µs', '1 day', 5, 'SELECT sum(amount) FROM orders AS o JOIN items ON order_id = o.id WHERE @condition'),
    ('orders in the 5 minutes after each of an hour, µs', '1 hour', 20, 'SELECT count(*) FROM orders AS o JOIN orders AS f ON @following WHERE @condition');
INSERT INTO question VALUES ('sum of a week, by a sequential scan, µs', '7 days', 1, 'SELECT sum(total) FROM orders AS o WHERE @condition', true);

-- The next one of a round's random ranges, which are the same for all keys.
CREATE FUNCTION asked(each question, way way) RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(each.query, '@condition', format(way.condition, begin, begin + each.length)),
                   '@time', way.time), '@place', way.place), '@following', way.following)
    FROM (SELECT date_trunc('milliseconds', timestamptz '2026-01-01 00:00+00' + random() * (interval '99 days' - coalesce(each.length, '0'))) AS begin) AS b
$$;

CREATE TABLE answer (figure text, round int, answer text);
CREATE PROCEDURE take_turn(round int, each question, way way) LANGUAGE plpgsql AS $$
DECLARE
    queries text[];
    total float8 := 0;
    query text;
BEGIN
    PERFORM set_config('search_path', way.schema || ', public', true), setseed(round / 1000.0),
        set_config(name, (NOT each.is_scan)::text, true) FROM unnest(ARRAY['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan']) AS name;
    SELECT array_agg(asked(each, way)) INTO queries FROM generate_series(1, each.times);
    FOREACH query IN ARRAY queries LOOP
        total := total + milliseconds(query);
    END LOOP;
    INSERT INTO measured VALUES (each.figure, way.name, round, total / each.times * 1e3);
    IF each.length IS NOT NULL THEN
        EXECUTE format('SELECT sum(hashtext(q::text)) FROM (%s) AS q', queries[1]) INTO query;
        INSERT INTO answer VALUES (each.figure, round, query);
    END IF;
    COMMIT;
END $$;
CREATE PROCEDURE measure(round int) LANGUAGE plpgsql AS $$
DECLARE
    each record;
BEGIN
    FOR each IN SELECT q, w FROM question AS q, way AS w ORDER BY q.figure, md5(w.name || round) LOOP
        CALL take_turn(round, each.q, each.w);
    END LOOP;
END $$;
SELECT format('CALL measure(%s)', round) FROM generate_series(1, :rounds) AS round \gexec

DO $$
BEGIN
    ASSERT NOT EXISTS (SELECT FROM answer GROUP BY figure, round HAVING count(DISTINCT answer) > 1), 'the keys have different answers';
END $$;
COPY measured TO STDOUT;
