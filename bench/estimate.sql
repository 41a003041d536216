-- Compares the planner's estimate for a slice of time with the actual rows. The columns of a table have the same times: a
-- timestamptz, and ids of each kind. The q-error is the larger of estimate / actual and its inverse, where fewer than 10 rows
-- count as 10. Takes :rows, :places, :joins, :kinds, and :grown, the number of rates at which rows are added. With :grown = 0 it
-- loads only the steady table, and measures what shows whether estimates are as good for a larger one.
\set report estimate
\ir measure.sql
SET timezone = 'UTC';

CREATE TABLE subject (name text, of text, type text, opclass text, lower text, upper text);
INSERT INTO subject VALUES
    ('timestamptz', 'at', 'timestamptz', '', 'at >= %L', 'at < %L'),
    ('luuid v7', 'v7', 'luuid', '', 'v7 >= timestamptz %L', 'v7 < timestamptz %L'),
    ('luuid v7, cast', 'v7', 'luuid', '', 'v7::timestamptz >= %L', 'v7::timestamptz < %L'),
    ('luuid variable', 'variable', 'luuid', '', 'variable >= timestamptz %L', 'variable < timestamptz %L'),
    ('luuid sequential', 'sequential', 'luuid', '', 'sequential >= timestamptz %L', 'sequential < timestamptz %L'),
    ('uuid, uuid_time_ops', 'kept', 'uuid', 'uuid_time_ops', 'kept >= timestamptz %L', 'kept < timestamptz %L'),
    ('uuid v7, uuid_time_ops', 'kept_v7', 'uuid', 'uuid_time_ops', 'kept_v7 >= timestamptz %L', 'kept_v7 < timestamptz %L'),
    ('uuid v7', 'plain_v7', 'uuid', '', 'plain_v7 >= v7_floor(%L)', 'plain_v7 < v7_floor(%L)');

\ir v7.sql
CREATE FUNCTION sequential(at timestamptz) RETURNS luuid LANGUAGE plpgsql SET luuid.mode = sequential AS $$
BEGIN
    RETURN luuid_generate(at);
END $$;

SELECT :grown = 0 AS is_alone \gset
\if :is_alone
DELETE FROM subject WHERE of NOT IN ('at', 'v7', 'variable', 'plain_v7');
CREATE OR REPLACE FUNCTION sequential(at timestamptz) RETURNS luuid LANGUAGE sql AS $$ SELECT NULL::luuid $$;
\endif

CREATE TABLE item (n int8, at timestamptz, variable luuid, sequential luuid, v7 luuid, kept uuid, kept_v7 uuid, plain_v7 uuid,
    payload text) WITH (autovacuum_enabled = off);

-- 100 days long ago, so that nothing ends at now(), and some more at the same rate. Row n is at time_of(rate, n).
CREATE FUNCTION time_of(rate text, part float8) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT timestamptz '2020-01-01 00:00+00' + floor(8640000000 * CASE rate
        WHEN 'steady' THEN part
        WHEN 'growing' THEN sqrt(part)
        -- Half an hour of each two and a half days.
        WHEN 'in bursts' THEN (floor(part * 40) + (part * 40 - floor(part * 40)) / 120) / 40
        -- Twelve hours a day.
        WHEN 'with empty nights' THEN (floor(part * 100) + (part * 100 - floor(part * 100)) / 2) / 100 END) * interval '1 ms'
$$;
CREATE PROCEDURE fill(rate text, begin float8, "end" float8, rows float8) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO item
    SELECT n, at, luuid_generate(at), sequential(at), v7(at), luuid_generate(at)::uuid, v7, v7, 'some payload of a row'
    FROM generate_series((begin * rows)::int8, ("end" * rows)::int8 - 1) AS n,
        -- OFFSET 0 has each evaluated once.
        LATERAL (SELECT time_of(rate, n / rows) AS at OFFSET 0) AS t, LATERAL (SELECT v7(at) AS v7 OFFSET 0) AS k;
END $$;

CREATE FUNCTION planned(condition text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    plan json;
BEGIN
    EXECUTE 'EXPLAIN (FORMAT JSON) SELECT * FROM item WHERE ' || condition INTO plan;
    RETURN plan -> 0 -> 'Plan' ->> 'Plan Rows';
END $$;
-- Rows are numbered by their time.
CREATE FUNCTION number_at(instant timestamptz) RETURNS int8 LANGUAGE sql AS $$
    SELECT coalesce((SELECT n FROM item WHERE at >= instant ORDER BY at, n LIMIT 1), (SELECT max(n) + 1 FROM item))
$$;

CREATE TABLE point (figure text, peer text, place int, width interval, rows float8, planned float8);
CREATE PROCEDURE estimate(part text, first timestamptz, last timestamptz, places int, widths interval[]) LANGUAGE plpgsql AS $$
BEGIN
    CREATE TEMP TABLE slice AS
    SELECT place, width, begin, begin + width AS "end", number_at(begin + width) - number_at(begin) AS rows
    FROM generate_series(1, places) AS place, unnest(widths) AS width,
        LATERAL (SELECT first + random() * (last - first - width) + 0 * place * interval '1 s' AS begin) AS b;
    INSERT INTO point
    SELECT part, name, place, width, rows, planned(format(lower || ' AND ' || upper, begin, "end")) FROM slice, subject;
    DROP TABLE slice;
END $$;

CREATE TABLE rate (name text, place int);
INSERT INTO rate VALUES ('steady', 1), ('growing', 2), ('with empty nights', 3), ('in bursts', 4);

CREATE PROCEDURE start(rate text, rows float8) LANGUAGE plpgsql AS $$
DECLARE
    statement text;
BEGIN
    TRUNCATE item;
    FOR statement IN SELECT DISTINCT format('DROP INDEX IF EXISTS %I', 'item_' || of) FROM subject LOOP
        EXECUTE statement;
    END LOOP;
    CALL fill(rate, 0, 1, rows);
    FOR statement IN SELECT DISTINCT format('CREATE INDEX %I ON item (%I %s)', 'item_' || of, of, opclass) FROM subject LOOP
        EXECUTE statement;
    END LOOP;
END $$;

-- Each table is loaded once, and grows: slices without statistics, of what ANALYZE has seen, and of the rows that came
-- since. The steady table is the last, and what is planned and joined is of it before it grows.
CREATE PROCEDURE load(rate text, rows float8, places int) LANGUAGE plpgsql AS $$
BEGIN
    CALL start(rate, rows);
    DELETE FROM pg_statistic WHERE starelid = 'item'::regclass;
    IF rate = 'with empty nights' THEN
        CALL estimate('never analyzed', time_of(rate, 0), time_of(rate, 1), places, '{1 min,1 h,1 day,10 days}');
    END IF;
    ANALYZE item;
    CALL estimate(rate, time_of(rate, 0), time_of(rate, 1), places, '{1 s,1 min,1 h,1 day,10 days,50 days}');
END $$;
CREATE PROCEDURE grow(rate text, rows float8, places int) LANGUAGE plpgsql AS $$
DECLARE
    so_far float8 := 1;
    part float8;
BEGIN
    FOREACH part IN ARRAY CASE rate WHEN 'in bursts' THEN ARRAY[0.2] ELSE ARRAY[0.1, 0.5, 1] END LOOP
        CALL fill(rate, so_far, 1 + part, rows);
        so_far := 1 + part;
        CALL estimate(format('%s, %s %% more', rate, part * 100), time_of(rate, CASE rate WHEN 'in bursts' THEN 0 ELSE 1 END),
            time_of(rate, so_far), places, CASE rate WHEN 'in bursts' THEN '{1 min,1 h,1 day,10 days}' ELSE '{1 min,1 h,1 day}' END::interval[]);
    END LOOP;
END $$;
SELECT format('CALL load(%L, %s, %s)', name, :rows, :places), 'VACUUM item',
    CASE WHEN place = 4 OR place BETWEEN 2 AND :grown THEN format('CALL grow(%L, %s, %s)', name, :rows, :places) END
FROM rate WHERE name <> 'steady' AND :grown > 0 ORDER BY place DESC \gexec
CALL load('steady', :rows, :places);
VACUUM item;

-- The pages of the index that are read for a slice, from a second to 50 days.
CREATE FUNCTION pages_read(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    began bigint := pg_stat_get_xact_blocks_fetched('item_variable'::regclass);
BEGIN
    PERFORM planned(condition);
    RETURN pg_stat_get_xact_blocks_fetched('item_variable'::regclass) - began;
END $$;
INSERT INTO measured
SELECT 'pages read for a slice, at most', name, 0, max(pages_read(format(lower || ' AND ' || upper, begin, begin + width)))
FROM subject, generate_series(1, 49) AS day, unnest('{1 s,1 h,1 day,10 days,50 days}'::interval[]) AS width,
    LATERAL (SELECT time_of('steady', 0) + day * interval '1 day' AS begin) AS b
WHERE name = 'luuid variable' GROUP BY name;

-- What it takes to plan the slice of an hour, all rows from a time on, a day, and a join with the five minutes after each
-- row: eight of them in one query, since the server tells whole microseconds.
CREATE TABLE question (figure text, peer text, query text);
INSERT INTO question
SELECT 'planning, µs', name, format('SELECT n FROM item WHERE %s AND %s', lower, upper) FROM subject WHERE name <> 'uuid v7'
UNION ALL VALUES
    ('planning from a time on, µs', 'timestamptz', 'SELECT n FROM item WHERE at >= %L'),
    ('planning from a time on, µs', 'luuid v7', 'SELECT n FROM item WHERE v7 >= timestamptz %L'),
    ('planning a day, µs', 'timestamptz', 'SELECT n FROM item WHERE at >= date %1$L AND at < date %1$L + 1'),
    ('planning a day, µs', 'luuid v7', 'SELECT n FROM item WHERE v7::date = %1$L'),
    ('planning a join, µs', 'timestamptz',
        'SELECT a.n FROM item AS a JOIN item AS b ON b.at >= a.at AND b.at < a.at + interval ''5 min'' WHERE a.at >= %L AND a.at < %L'),
    ('planning a join, µs', 'luuid v7',
        'SELECT a.n FROM item AS a JOIN item AS b ON b.v7 >= a.v7 AND b.v7 < a.v7::timestamptz + interval ''5 min'' '
        'WHERE a.v7 >= timestamptz %L AND a.v7 < timestamptz %L');
CREATE TABLE planning (figure text, peer text, round int, milliseconds float8);
CREATE PROCEDURE plan_hours(round int, begin timestamptz) LANGUAGE plpgsql AS $$
DECLARE
    each question;
    plan json;
BEGIN
    FOR each IN SELECT * FROM question ORDER BY md5(figure || peer || begin || round) LOOP
        EXECUTE 'EXPLAIN (FORMAT JSON, SUMMARY) ' || array_to_string(array_fill(
            format(each.query, begin, begin + interval '1 h'), ARRAY[8]), ' UNION ALL ') INTO plan;
        INSERT INTO planning VALUES (each.figure, each.peer, round, (plan -> 0 ->> 'Planning Time')::float8 / 8);
    END LOOP;
END $$;
SELECT format('CALL plan_hours(%s, %L)', round, time_of('steady', place / 101.0))
FROM generate_series(1, 7) AS round, generate_series(1, 100) AS place ORDER BY round, place \gexec
INSERT INTO measured
SELECT figure, peer, round, percentile_cont(0.5) WITHIN GROUP (ORDER BY milliseconds) * 1000
FROM planning GROUP BY figure, peer, round;

\if :is_alone
\else
-- Two tables joined over an hour; in how many windows it takes more than 1.2 times what timestamptz takes, and the
-- median of the ratios. That of a window is the median of its ratios in eight rounds of all windows, where each is the
-- first of the two by turns: the second finds the rows in the processor's caches.
CREATE TABLE other (LIKE item) WITH (autovacuum_enabled = off);
INSERT INTO other SELECT * FROM item;
SELECT format('CREATE INDEX ON other (%I %s)', of, opclass) FROM subject WHERE name IN ('timestamptz', 'luuid v7') \gexec
VACUUM (ANALYZE) other;
CREATE TABLE turn (peer text, win int, round int, milliseconds float8);
CREATE PROCEDURE joined(win int, round int, begin timestamptz) LANGUAGE plpgsql AS $$
DECLARE
    each subject;
BEGIN
    SET LOCAL statement_timeout = '20 s';
    FOR each IN SELECT * FROM subject WHERE name IN ('timestamptz', 'luuid v7')
        ORDER BY (name = 'timestamptz') = (round % 2 = 0) LOOP
        INSERT INTO turn SELECT each.name, win, round, milliseconds(format(
            'SELECT count(*) FROM (SELECT * FROM item WHERE %1$s AND %2$s) AS a JOIN (SELECT * FROM other WHERE %1$s AND %2$s) AS b USING (n)',
            format(each.lower, begin), format(each.upper, begin + interval '1 h')));
    END LOOP;
END $$;
SELECT format('CALL joined(%s, %s, %L)', win, round,
    time_of('steady', 0) + win * (time_of('steady', 1) - time_of('steady', 0) - interval '1 h') / :joins)
FROM generate_series(1, 8) AS round, generate_series(1, :joins) AS win ORDER BY round, win \gexec
INSERT INTO measured
SELECT figure, 'luuid v7', 0, value FROM (
    SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY ratio) AS median, count(*) FILTER (WHERE ratio > 1.2 AND difference > 0.2) AS slower
    FROM (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY l.milliseconds / t.milliseconds) AS ratio,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY l.milliseconds - t.milliseconds) AS difference
        FROM turn AS l JOIN turn AS t USING (win, round)
        WHERE l.peer = 'luuid v7' AND t.peer = 'timestamptz' GROUP BY win) AS w) AS s,
    LATERAL (VALUES ('join of an hour, of timestamptz''s time', median), ('joins of an hour slower by a fifth and 0.2 ms', slower)) AS f (figure,
        value);
INSERT INTO measured SELECT 'join of an hour, ms', peer, 0, percentile_cont(0.5) WITHIN GROUP (ORDER BY milliseconds) FROM turn GROUP BY peer;
DROP TABLE other;

CALL grow('steady', :rows, :places);
\endif

-- Tables whose leaf pages between the ends of a range are not like those at the ends, and tables whose rows pg_class does
-- not tell: of :kinds rows, or fewer ids, over 100 days. None if :kinds is 0.
CREATE TABLE kind (name text, part float8, copies text, payload int, in_order_of text, change text, is_vacuumed boolean, more text);
INSERT INTO kind SELECT * FROM (VALUES
    ('never analyzed, rows of 1.5 kB', 0.1, '1', 1500, 'n', NULL, false, NULL),
    ('never analyzed, narrow rows', 1, '1', 0, 'n', NULL, false, NULL),
    ('no row at VACUUM', 0.2, '1', 0, 'n', 'DELETE FROM item', true,
        'INSERT INTO item SELECT n, at, luuid_generate(at) FROM generate_series(1, @) AS n, '
        'LATERAL (SELECT timestamptz ''2026-01-01 00:00+00'' + n * (interval ''100 days'' / @) AS at) AS t'),
    ('19 of 20 old rows deleted', 1, '1', 0, 'n', 'DELETE FROM item WHERE n < @ / 2 AND hashint8(n) % 20 <> 0', true, NULL),
    ('every third day thinned', 1, '1', 0, 'n', 'DELETE FROM item WHERE n * 100 / @ % 3 = 0 AND hashint8(n) % 20 <> 0', true, NULL),
    ('nine of ten rows deleted', 1, '1', 0, 'n', 'DELETE FROM item WHERE hashint8(n) % 10 <> 0', true, NULL),
    ('foreign key, 25 rows an id every fifth day', 0.2, 'CASE WHEN n * 500 / @ % 5 = 0 THEN 25 ELSE 1 END', 0, 'n', NULL, true, NULL),
    ('foreign key, by a power law', 0.1, 'least(2000, power(1 - (hashint8(n) + 2147483648.0) / 4294967296, -0.9))::int', 0, 'n',
        NULL, true, NULL),
    ('half nulls', 1, '1', 0, 'n', 'UPDATE item SET at = NULL, variable = NULL WHERE n % 2 = 1', true, NULL),
    ('in no order', 1, '1', 0, 'hashint8(n)', NULL, true, NULL),
    ('20 % wider rows since ANALYZE', 0.8, '1', 40, 'n', NULL, true,
        'INSERT INTO item SELECT n, at, luuid_generate(at), repeat(''x'', 1000) FROM '
        '(SELECT n, at + interval ''100 days'' AS at FROM item WHERE n % 5 = 0) AS s')) AS k WHERE :kinds > 0;
CREATE PROCEDURE estimate_kind(kind text) LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO point
    SELECT kind, name, place, width, rows, planned(format(lower || ' AND ' || upper, begin, begin + width))
    FROM generate_series(1, 200) AS place, subject,
        LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + place * 37 % 2400 * interval '1 h' AS begin,
            exp(place % 20 * 0.4) * interval '1 h' AS width) AS w,
        LATERAL (SELECT count(*) AS rows FROM item WHERE at >= begin AND at < begin + width) AS r
    WHERE name IN ('timestamptz', 'luuid variable', 'luuid variable, cast');
END $$;
SELECT 'DROP TABLE item',
    'CREATE TABLE item (n int8, at timestamptz, variable luuid, payload text) WITH (autovacuum_enabled = off, vacuum_truncate = off)',
    'ALTER TABLE item ALTER payload SET STORAGE plain', 'CREATE INDEX ON item (at)', 'CREATE INDEX ON item (variable)',
    replace(format('INSERT INTO item SELECT n, at, variable, repeat(''x'', %s) FROM '
        '(SELECT n FROM generate_series(1, (%s * @)::int8) AS n ORDER BY %s) AS s, '
        'LATERAL (SELECT timestamptz ''2026-01-01 00:00+00'' + n * (interval ''100 days'' / (%2$s * @)) AS at) AS t, '
        'LATERAL (SELECT luuid_generate(at) AS variable OFFSET 0) AS i, generate_series(1, %4$s)',
        payload, part, in_order_of, copies), '@', :'kinds'),
    replace(change, '@', :'kinds'), CASE WHEN is_vacuumed THEN 'VACUUM ANALYZE item' END, replace(more, '@', :'kinds'),
    format('CALL estimate_kind(%L)', name)
FROM kind \gexec

CREATE VIEW error AS
SELECT *, greatest(greatest(planned, 10) / greatest(rows, 10), greatest(rows, 10) / greatest(planned, 10)) AS q FROM point;
INSERT INTO measured
SELECT figure || ': ' || of, peer, 0, CASE of WHEN 'median' THEN median WHEN 'greatest' THEN greatest ELSE high END
FROM (SELECT figure, peer, percentile_cont(0.5) WITHIN GROUP (ORDER BY q) AS median,
        percentile_cont(0.95) WITHIN GROUP (ORDER BY q) AS high, max(q) AS greatest FROM error GROUP BY figure, peer) AS e,
    unnest(ARRAY['median', '95th percentile', 'greatest']) AS of
ORDER BY figure ~ 'more', (SELECT place FROM rate WHERE figure ^@ name), length(figure), figure, of DESC;
COPY (SELECT figure, peer, round, value FROM measured) TO STDOUT;
-- For the chart: what was planned, and counted, of slices of the steady table and of that with empty nights.
COPY (SELECT 'point', figure, peer, rows, planned FROM point WHERE figure IN ('steady', 'with empty nights') AND place <= 30) TO STDOUT;
