-- Compares four kinds of key, case by case, in one shop whose orders have the same times with each. Takes :orders and :rounds.
\set report workload
\ir measure.sql

-- How a kind of key says what the cases ask: a partition's bound, a range of times, the time itself, the order of time,
-- and the orders in the five minutes after another.
CREATE TABLE way (name text, schema text, key text, given text, made text, created_at text, bound text, condition text,
                  time text, place text, following text);
INSERT INTO way VALUES
    ('luuid v7', 'by_luuid', 'luuid', 'luuid_generate_v7(at)', 'luuid_generate_v7()', '', 'luuid_floor(%L)',
     'o.id >= %1$L::timestamptz AND o.id < %2$L::timestamptz',
     'o.id::timestamptz', 'id', 'f.id >= o.id::timestamptz AND f.id < o.id::timestamptz + interval ''5 min'''),
    ('uuid v7, created_at', 'by_uuid', 'uuid', 'luuid_generate_v7(at)', 'luuid_generate_v7()', NULL, NULL, NULL, NULL, NULL, NULL),
    ('bigint, created_at', 'by_bigint', 'bigint', 'n', 'nextval(''public.numbers'')', NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO way
SELECT 'luuid variable', 'by_variable', key, 'luuid_generate(at)', 'luuid_generate()', created_at, bound, condition, time, place,
    following FROM way WHERE name = 'luuid v7';
UPDATE way SET made = 'uuidv7()' WHERE key = 'uuid' AND current_setting('server_version_num')::int >= 180000;
UPDATE way SET created_at = ', created_at timestamptz NOT NULL DEFAULT now()',
    bound = '%L', condition = 'o.created_at >= %1$L AND o.created_at < %2$L', time = 'o.created_at', place = 'created_at',
    following = 'f.created_at >= o.created_at AND f.created_at < o.created_at + interval ''5 min'''
WHERE created_at IS NULL;

-- In 100 days, and ten more that the statistics do not know, until now.
SELECT date_trunc('day', now()) - interval '110 days' AS opening \gset
CREATE TABLE sold AS
SELECT n, timestamptz :'opening' + (n - 1 + random() * 0.9) * 8640000000 / :orders * interval '1 ms' AS at, n::bigint * 7919 % 1000 AS customer,
    n % 100 AS total
FROM generate_series(1, :orders * 11 / 10) AS n;
UPDATE sold SET at = date_trunc('milliseconds', at);
ALTER SEQUENCE numbers RESTART WITH 1000000000;

-- Two items of each order follow it.
CREATE PROCEDURE sell(name text, first int, last int) LANGUAGE plpgsql AS $$
DECLARE
    way way;
BEGIN
    SELECT * INTO way FROM way AS w WHERE w.name = sell.name;
    EXECUTE format('INSERT INTO %s.orders SELECT %s, customer, total%s FROM sold WHERE n BETWEEN %s AND %s ORDER BY n',
                   way.schema, way.given, CASE WHEN way.created_at <> '' THEN ', at' END, first, last);
    EXECUTE format('INSERT INTO %1$s.items SELECT %2$s, id, total FROM (
                        SELECT 2 * n + twice AS n, o.id, o.total, %3$s AS at FROM (
                            SELECT *, %5$s - 1 + row_number() OVER (ORDER BY %4$s) AS n FROM %1$s.orders AS o
                            WHERE %3$s >= (SELECT min(at) FROM sold WHERE n >= %5$s)) AS o, generate_series(0, 1) AS twice ORDER BY 1) AS i',
                   way.schema, way.given, way.time, way.place, first);
END $$;

SELECT statement FROM way, LATERAL (VALUES
    (1, format('CREATE SCHEMA %s', schema)),
    (2, format('CREATE TABLE %s.orders (id %s PRIMARY KEY DEFAULT %s, customer int NOT NULL, total int NOT NULL%s)', schema, key, made, created_at)),
    (3, format('CREATE TABLE %s.items (id %s PRIMARY KEY DEFAULT %s, order_id %2$s NOT NULL REFERENCES %1$s.orders, amount int NOT NULL)',
        schema, key, made)),
    (4, format('CALL sell(%L, 1, %s)', name, :orders)),
    (5, format('CREATE INDEX ON %s.orders (customer, %s)', schema, place)),
    (6, format('CREATE INDEX ON %s.items (order_id)', schema)),
    (7, CASE WHEN created_at <> '' THEN format('CREATE INDEX ON %s.orders (created_at)', schema) END),
    (8, format('CREATE STATISTICS %s.days ON date_trunc(''day'', %s, ''UTC'') FROM %1$s.orders', schema, replace(time, 'o.', '')))
) AS s (step, statement) WHERE statement IS NOT NULL ORDER BY step \gexec
INSERT INTO measured
SELECT relation || ' with indexes, bytes a row', name, 0, pg_total_relation_size(schema || '.' || relation)::float8 / count
FROM way, (VALUES ('orders', :orders), ('items', 2 * :orders)) AS r (relation, count)
ORDER BY relation DESC, schema;
INSERT INTO measured
SELECT 'orders in a compressed dump, bytes a row', name, 0, size_of(format('SELECT * FROM %s.orders', schema), '') / :orders
FROM way ORDER BY schema;

-- The same orders in a partition for each day. A unique index has to contain what partitions are by.
SELECT statement FROM way, LATERAL (
    SELECT 0, format('CREATE TABLE %s.daily (LIKE %1$s.orders INCLUDING DEFAULTS, PRIMARY KEY (id%s)) PARTITION BY RANGE (%s)',
                     schema, CASE WHEN created_at <> '' THEN ', created_at' END, place)
    UNION ALL
    SELECT 1 + day, format('CREATE TABLE %s.daily_%s PARTITION OF %1$s.daily FOR VALUES FROM (%3$s) TO (%4$s)', schema, day,
                           format(bound, timestamptz :'opening' + day * interval '1 day'),
                           format(bound, timestamptz :'opening' + (day + 1) * interval '1 day'))
    FROM generate_series(0, 99) AS day
    UNION ALL
    SELECT 200, format('INSERT INTO %s.daily SELECT * FROM %1$s.orders', schema)
    UNION ALL
    SELECT 201, format('CREATE INDEX ON %s.daily (created_at)', schema) WHERE created_at <> '') AS s (step, statement)
ORDER BY schema, step \gexec

VACUUM ANALYZE;
SELECT format('CALL sell(%L, %s, %s)', name, :orders + 1, :orders * 11 / 10) FROM way \gexec
CHECKPOINT;

-- A thousand orders whose keys are known.
CREATE TABLE known (name text, number int, key text);
SELECT format('INSERT INTO known SELECT %L, number, o.id FROM %s.orders AS o JOIN (
                   SELECT at, row_number() OVER (ORDER BY at) AS number
                   FROM (SELECT at FROM sold WHERE n <= %s ORDER BY md5(n::text) LIMIT 1000) AS a) AS s ON %s = s.at', name, schema, :orders, time)
FROM way \gexec

-- A range of a length begins at a random time of those that the statistics know or do not. `times` are the executions of
-- a turn.
CREATE TABLE question (figure text, length interval, times int, query text, is_scan boolean DEFAULT false,
                       is_new boolean DEFAULT false, random_page_cost float DEFAULT 4);
INSERT INTO question VALUES
    ('insert of 1000 orders with 2000 items, µs', NULL, 1, 'WITH o AS (INSERT INTO orders (customer, total) SELECT n, n FROM generate_series(1, '
        '1000) AS n RETURNING id)
        INSERT INTO items (order_id, amount) SELECT id, amount FROM o, generate_series(1, 2) AS amount'),
    ('orders of an hour, newest first, µs', '1 hour', 50, 'SELECT total FROM orders AS o WHERE @condition ORDER BY @place DESC'),
    ('a customer''s last 20 orders, µs', '1 hour', 50, 'SELECT total FROM orders WHERE customer = 77 ORDER BY @place DESC LIMIT 20'),
    ('a page of 50 in a range, µs', '10 days', 50, 'SELECT total FROM orders AS o WHERE @condition ORDER BY @place LIMIT 50'),
    ('count of an hour, µs', '1 hour', 50, 'SELECT count(*) FROM orders AS o WHERE @condition'),
    ('count of a week, µs', '7 days', 5, 'SELECT count(*) FROM orders AS o WHERE @condition'),
    ('sum of a day, µs', '1 day', 20, 'SELECT sum(total) FROM orders AS o WHERE @condition'),
    ('sums by day of 30 days, µs', '30 days', 1, 'SELECT date_trunc(''day'', @time, ''UTC'') AS day, sum(total) FROM orders AS o WHERE @condition '
        'GROUP BY day ORDER BY day'),
    ('orders in the 5 minutes after each of an hour, µs', '1 hour', 20,
        'SELECT count(*) FROM orders AS o JOIN orders AS f ON @following WHERE @condition'),
    ('an order by its key, of 100 partitions, µs', '1 hour', 50, 'SELECT total FROM daily WHERE id = @key'),
    ('count of an hour, of 100 partitions, µs', '1 hour', 50, 'SELECT count(*) FROM daily AS o WHERE @condition');
INSERT INTO question VALUES ('sum of a week, by a sequential scan, µs', '7 days', 1, 'SELECT sum(total) FROM orders AS o WHERE @condition', true);
INSERT INTO question (figure, length, times, query, is_new, random_page_cost)
SELECT format('orders of a %s with their items%s, µs', CASE WHEN is_new THEN 'new day' ELSE 'day' END, ', random_page_cost = ' || nullif(cost, 4)),
       '1 day', 5, 'SELECT sum(amount) FROM orders AS o JOIN items ON order_id = o.id WHERE @condition', is_new, cost
FROM unnest(ARRAY[false, true]) AS is_new, unnest(ARRAY[4, 1.1]) AS cost;

-- The next one of a round's random ranges and keys, which are the same for all kinds.
CREATE FUNCTION asked(each question, way way, opening timestamptz DEFAULT :'opening') RETURNS text LANGUAGE sql AS $$
    SELECT replace(replace(replace(replace(replace(each.query, '@condition', format(way.condition, begin, begin + each.length)),
                   '@time', way.time), '@place', way.place), '@following', way.following),
                   '@key', (SELECT quote_literal(key) FROM known WHERE known.name = way.name AND known.number = b.number))
    FROM (SELECT date_trunc('milliseconds', CASE WHEN each.is_new THEN opening + interval '100 days' + random() * (interval '9 days' - each.length)
                                                 ELSE opening + random() * (interval '99 days' - coalesce(each.length, '0')) END) AS begin,
                 1 + floor(random() * 1000) AS number) AS b
$$;

CREATE TABLE answer (figure text, round int, answer text);
CREATE PROCEDURE take_turn(round int, each question, way way) LANGUAGE plpgsql AS $$
DECLARE
    queries text[];
    total float8 := 0;
    query text;
BEGIN
    PERFORM set_config('search_path', way.schema || ', public', true), setseed(round / 1000.0),
        set_config('random_page_cost', each.random_page_cost::text, true);
    PERFORM set_config(name, (NOT each.is_scan)::text, true) FROM unnest(ARRAY['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'])
        AS name;
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
CREATE PROCEDURE measure(round int, least_times int) LANGUAGE plpgsql AS $$
DECLARE
    each record;
BEGIN
    FOR each IN SELECT q, w FROM question AS q, way AS w WHERE q.times >= least_times ORDER BY q.figure, md5(w.name || round) LOOP
        CALL take_turn(round, each.q, each.w);
    END LOOP;
END $$;
-- A short turn is over before a shared machine's speed has changed, or in the middle of it: it takes more rounds.
SELECT format('CALL measure(%s, %s)', round, CASE WHEN round <= :rounds THEN 1 ELSE 20 END) FROM generate_series(1, 5 * :rounds) AS round \gexec

DO $$
BEGIN
    ASSERT NOT EXISTS (SELECT FROM answer GROUP BY figure, round HAVING count(DISTINCT answer) > 1), 'the keys have different answers';
END $$;
COPY measured TO STDOUT;
