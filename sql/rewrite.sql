-- The rewrite of comparisons of an id's time: what a new session's first statement makes of it, rows, plans, estimates,
-- and what is left as it was written.
SET timezone = 'UTC';
SET jit = off;
SET datestyle = 'ISO, YMD';

CREATE TABLE entry (id luuid PRIMARY KEY, kept uuid, n int, at timestamptz);
INSERT INTO entry SELECT id, id, n, luuid_extract_timestamp(id) FROM (SELECT id_at(11, 17672256000000000 + n * bigint '36000000000', digits('e' || n)) AS id, n FROM generate_series(1, 8000) AS n) AS e;
-- Without a time: nil is before, the others are after all that have one.
INSERT INTO entry SELECT id, id, -row_number() OVER () FROM ids WHERE NOT timed AND place % 20 = 1;
CREATE INDEX entry_kept ON entry (kept uuid_time_ops);
CREATE TABLE visit (id luuid PRIMARY KEY, seen timestamptz, n int);
INSERT INTO visit SELECT id, timestamptz '2026-01-01' + n * interval '8 hours', n FROM (SELECT id_at(11, 17672256000000000 + n * bigint '288000000000', digits('v' || n)) AS id, n FROM generate_series(1, 1000) AS n) AS v;
VACUUM ANALYZE entry;
VACUUM ANALYZE visit;

-- The module of a session that has not preloaded it comes while its first statement is planned.
\c -
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz >= '2026-11-01 00:00+00';
SET timezone = 'UTC';
SET jit = off;
SET datestyle = 'ISO, YMD';
-- The kind of scan does not matter here.
SET enable_seqscan = off;
SET enable_bitmapscan = off;

-- Every comparison, in either order of its operands, of a luuid and of a uuid column.
SELECT said, plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index, plan_says('Filter', 'SELECT n FROM entry WHERE ' || said) AS filter,
    answer('SELECT count(*) FROM entry WHERE ' || said) AS rows, answer('SELECT count(*) FILTER (WHERE ' || said || ') FROM entry') AS wanted
FROM unnest(ARRAY[
    'id::timestamptz < ''2026-01-03 00:00+00''', 'id::timestamptz <= ''2026-01-03 00:00+00''', 'id::timestamptz = ''2026-01-03 00:00+00''',
    'id::timestamptz >= ''2026-11-01 00:00+00''', 'id::timestamptz > ''2026-11-01 00:00+00''', 'luuid_extract_timestamp(kept) >= ''2026-11-01 00:00+00''',
    'timestamptz ''2026-11-01 00:00+00'' < kept::luuid::timestamptz', 'timestamptz ''2026-11-01 00:00+00'' = id::timestamptz',
    'id::timestamptz BETWEEN ''2026-05-01 00:00+00'' AND ''2026-05-01 02:00+00''', 'id::timestamptz BETWEEN SYMMETRIC ''2026-05-02 00:00+00'' AND ''2026-05-01 00:00+00''',
    'id::timestamptz >= now() - (now() - timestamptz ''2026-11-01 00:00+00'')', 'id::timestamptz >= (SELECT timestamptz ''2026-11-01 00:00+00'')',
    'id::timestamptz < ''2026-01-03 00:00+00'' OR id::timestamptz >= ''2026-11-01 00:00+00'' AND id::timestamptz < ''2026-11-02 00:00+00''',
    'NOT id::timestamptz < ''2026-11-01 00:00+00''', 'id::timestamptz >= NULL', 'id::timestamptz >= ''-infinity''', 'id::timestamptz <= ''infinity''', 'id::timestamptz >= ''infinity''',
    -- What stays: nothing of an index answers them.
    'id::timestamptz <> ''2026-11-01 00:00+00''', '(id::timestamptz >= ''2026-11-01 00:00+00'') IS NOT TRUE', 'id::timestamptz IS NULL', 'id::timestamptz >= at'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;

-- A date or a local time is converted by the time zone when the query runs; one out of range is no error, as it is none
-- in a comparison with timestamptz.
SET timezone = 'America/New_York';
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz >= current_date - 7 AND timestamp '2026-11-02' > id::timestamptz;
SELECT said, plan_says('Filter', 'SELECT n FROM entry WHERE ' || said) AS filter, answer('SELECT count(*) FROM entry WHERE ' || said) AS rows, answer('SELECT count(*) FROM entry WHERE ' || replace(said, 'id::timestamptz', 'at')) AS wanted
FROM unnest(ARRAY[
    'id::timestamptz >= date ''2026-11-01'' AND id::timestamptz < date ''2026-11-02''', 'id::timestamptz BETWEEN timestamp ''2026-03-08 02:00'' AND timestamp ''2026-03-08 03:30''',
    'date ''2026-05-01'' = id::timestamptz', 'timestamp ''2026-05-01 00:00'' > id::timestamptz', 'id::timestamptz >= date ''300000-01-01''', 'id::timestamptz <= date ''300000-01-01''',
    'id::timestamptz > timestamp ''-infinity''', 'id::timestamptz >= date ''4714-11-24 BC''', 'id::timestamptz >= NULL::date', 'id::timestamptz < NULL::timestamp'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
SET timezone = 'UTC';

-- A time that is rounded, by a cast to date or timestamp, date_trunc or date_bin, has the bounds of what rounds to it, and
-- is filtered by what was written.
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::date = '2026-11-01';
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE date_trunc('month', id::timestamptz) >= date_trunc('month', now());
SELECT said, plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index, answer('SELECT count(*) FROM entry WHERE ' || said) AS rows,
    answer('SELECT count(*) FROM entry WHERE ' || replace(replace(said, 'id::timestamptz', 'at'), 'id::', 'at::')) AS wanted
FROM unnest(ARRAY[
    'id::date = ''2026-05-01''', 'date ''2026-05-01'' = id::date', 'id::date BETWEEN ''2026-05-01'' AND ''2026-05-02''', 'id::date < ''2026-01-02''', 'id::date <= ''2026-01-02''', 'NOT id::date <= ''2026-11-01''',
    'id::date = (SELECT date ''2026-05-01'')', 'id::date = NULL', 'id::date < date ''-infinity''', 'id::date < date ''5874897-12-31''', 'id::date = timestamp ''2026-05-01 00:00''', 'id::date >= timestamptz ''2026-11-01 00:00+00''',
    'id::timestamp >= ''2026-11-01 00:00''', 'id::timestamp::date = ''2026-05-01''', 'date_trunc(''day'', id::timestamptz) = ''2026-05-01 00:00+00''', 'date_trunc(''hour'', id::timestamp) = ''2026-05-01 01:00''',
    'date_trunc(''month'', id::date) = ''2026-05-01''', 'date_trunc(''day'', id::timestamptz)::date = ''2026-05-01''', 'date_trunc(''Weeks'', id::timestamptz) < ''2026-01-20 00:00+00''',
    'date_bin(''1 day 2 hours'', id::timestamptz, ''2026-01-01 00:00+00'') = ''2026-01-14 00:00+00''', 'date_bin(''15 min'', id::timestamp, ''2026-01-01'') <= ''2026-01-02 00:00''',
    'date_trunc(''day'', id::timestamptz, ''Europe/Berlin'') = ''2026-05-01 00:00+02''', '(id::timestamptz AT TIME ZONE ''Europe/Berlin'')::date = ''2026-05-01''',
    '(id::timestamptz AT TIME ZONE ''EST'')::date = ''2026-05-01''', '(id::timestamptz AT TIME ZONE ''MSK'')::date = ''2026-05-01''', '(id::timestamptz AT TIME ZONE ''Europe/Berlin'')::date >= ''5874897-12-31''',
    'date_trunc(''day'', id::timestamptz AT TIME ZONE ''Europe/Berlin'') AT TIME ZONE ''Europe/Berlin'' = ''2026-05-01 00:00+02''',
    -- What is rounded may be before all ids, and what it is rounded to before all times.
    'date_bin(''400000 days'', id::timestamptz AT TIME ZONE ''EST'', ''1200-01-01'') = ''1200-01-01''', 'date_bin(''3000000 days'', id::timestamp, ''3600-01-01'') < ''4000-01-01 BC''',
    'date_bin(''3000000 days'', id::timestamptz AT TIME ZONE ''UTC'', ''3502-06-01'') <= ''4713-12-31 BC''',
    -- What stays.
    'id::date <> ''2026-05-01''', 'id::date = at::date', '(id::timestamptz AT TIME ZONE ''Europe/Berlin'')::date = timestamptz ''2026-05-01 00:00+00''',
    'date_trunc(''day'', id::timestamptz AT TIME ZONE ''Europe/Berlin'') AT TIME ZONE ''UTC'' = ''2026-05-01 00:00+00''', 'date_bin(n * interval ''1 hour'', id::timestamptz, ''2026-01-01 00:00+00'') = ''2026-05-01 00:00+00'' AND n = 24'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;

-- extract of the epoch and the year, compared with numbers, infinite ones among them. A year depends on a time zone.
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE extract(epoch FROM id::timestamptz) >= 1793491200 AND extract(epoch FROM id::timestamptz) < 1793494800.5;
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE extract(year FROM id::timestamptz) = 2026;
SELECT said, plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index, answer('SELECT count(*) FROM entry WHERE ' || said) AS rows,
    answer('SELECT count(*) FROM entry WHERE ' || replace(replace(said, 'id::timestamptz', 'at'), 'id::', 'at::')) AS wanted
FROM unnest(ARRAY[
    'extract(epoch FROM id::timestamptz) >= 1793491200', '1793491200 > extract(epoch FROM id::timestamptz)', 'extract(epoch FROM id::timestamptz) = extract(epoch FROM timestamptz ''2026-05-01 00:00+00'')',
    'extract(epoch FROM id::timestamptz) BETWEEN 1793491200.0000001 AND 1793577600.0000009', 'extract(epoch FROM id::timestamptz) > ''NaN''', 'extract(epoch FROM id::timestamptz) < ''Infinity''',
    'extract(epoch FROM id::timestamptz) >= ''-Infinity''', 'extract(epoch FROM id::timestamptz) > -1e100', 'extract(epoch FROM id::timestamptz) <= 1e100', 'extract(epoch FROM id::timestamptz) = NULL',
    'extract(epoch FROM date_trunc(''day'', id::timestamptz)) = 1777593600', 'extract(year FROM id::timestamptz) = 2026', 'extract(year FROM id::timestamptz) <= 2025.9', 'extract(year FROM id::date) > 2025.1',
    'extract(year FROM id::timestamp) < 2027', 'extract(year FROM id::timestamptz AT TIME ZONE ''Asia/Tokyo'') = 2027', 'extract(year FROM id::timestamptz) < ''NaN''', 'extract(year FROM id::timestamptz) >= 1e100',
    'extract(year FROM id::timestamptz) BETWEEN -5000 AND 2026', 'extract(epoch FROM id::timestamptz) IN (1777593600, 1777597200, NULL)',
    -- What stays.
    'extract(month FROM id::timestamptz) = 5', 'extract(epoch FROM id::timestamp) >= 1793491200', 'extract(epoch FROM id::date) = 1777593600', 'to_char(id::timestamptz, ''YYYY'') = ''2026'''
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;

-- date_part gives a float8, which has 52 bits of an epoch.
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE date_part('epoch', id::timestamptz) >= 1793491200.25;
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE date_part('year', id::timestamptz) < 2025.5;
SELECT said, plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index, answer('SELECT count(*) FROM entry WHERE ' || said) AS rows,
    answer('SELECT count(*) FROM entry WHERE ' || replace(replace(said, 'id::timestamptz', 'at'), 'id::', 'at::')) AS wanted
FROM unnest(ARRAY[
    'date_part(''epoch'', id::timestamptz) = 1777593600', '1793491200 > date_part(''epoch'', id::timestamptz)', 'date_part(''epoch'', id::timestamptz) <= ''-Infinity''', 'date_part(''epoch'', id::timestamptz) < ''NaN''',
    'date_part(''epoch'', id::timestamptz) >= -1e300', 'date_part(''year'', id::timestamptz) = 2027', 'date_part(''year'', id::date) > 2026.9999999999998', 'date_part(''year'', id::timestamptz) < 2026.0000000000002',
    'date_part(''year'', id::timestamptz) <= 2025.9999999999998', 'date_part(''year'', id::timestamptz) >= ''NaN''', 'date_part(''year'', id::timestamptz) < 1e300', 'date_part(''year'', id::timestamptz) IN (2025, 2027)',
    -- What stays.
    'date_part(''month'', id::timestamptz) = 5', 'date_part(''epoch'', id::timestamp) >= 1793491200', 'date_part(''year'', id::timestamptz) = real ''2027'''
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;

-- = ANY is the OR of comparisons with the array's elements, if these are known and 32 at most.
SET enable_bitmapscan = on;
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::date IN ('2026-05-01', '2026-11-01');
SET enable_bitmapscan = off;
SELECT said, plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index, answer('SELECT count(*) FROM entry WHERE ' || said) AS rows,
    answer('SELECT count(*) FROM entry WHERE ' || replace(replace(said, 'id::timestamptz', 'at'), 'id::', 'at::')) AS wanted
FROM unnest(ARRAY[
    'id::timestamptz IN (''2026-05-01 00:00+00'', ''2026-05-01 01:00+00'')', 'id::timestamptz = ANY (''{2026-05-01 00:00+00,NULL,2026-05-01 01:00+00}'')', 'id::date IN (''2026-05-01'')',
    'id::date IN (''2026-05-01'', (timestamptz ''2026-11-01 00:00+00'' - interval ''1 day'')::date)', 'id::timestamptz < ANY (''{2026-01-02 00:00+00,2026-01-03 00:00+00}'')', 'date_trunc(''day'', id::timestamptz) IN (''2026-05-01 00:00+00'', ''2026-05-03 00:00+00'')',
    'id::date = ANY (''[5:6]={2026-05-01,2026-11-01}'')', 'id::date = ANY (''{{2026-05-01,2026-05-02},{2026-11-01,NULL}}'')', 'extract(year FROM id::timestamptz) IN (2025, 2027)',
    'id::date = ANY (''{}'')', 'id::date = ANY (NULL::date[])', 'id::date = ANY (''{NULL}'')',
    -- What stays.
    'id::date NOT IN (''2026-05-01'', ''2026-11-01'')', 'id::date = ALL (''{2026-05-01}'')', 'id::date = ANY (ARRAY[[date ''2026-05-01''], [date ''2026-11-01'']])',
    'id::date = ANY ((SELECT array_agg(date ''2026-01-01'' + n) FROM generate_series(0, 31) AS n)::date[])'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
PREPARE on_days (date[]) AS SELECT count(*) FROM entry WHERE id::date = ANY ($1);
EXPLAIN (COSTS OFF) EXECUTE on_days ('{2026-05-01,2026-11-01}');
EXECUTE on_days ('{2026-05-01,2026-11-01}');
SELECT array_agg(date '2026-01-01' + n) AS many FROM generate_series(0, 32) AS n \gset
EXPLAIN (COSTS OFF) EXECUTE on_days (:'many');
EXECUTE on_days (:'many');

-- Times near changes of the clocks: of an hour, of a minute past midnight, of a day that is left out, and of 160 hours.
CREATE TABLE change AS SELECT zone, at + (n - 100) * interval '20 min 1 us' AS at, luuid_floor(at + (n - 100) * interval '20 min 1 us') AS id FROM generate_series(1, 200) AS n,
    (VALUES ('Europe/Berlin', timestamptz '2026-10-25 01:00+00'), ('America/Goose_Bay', '2010-11-07 03:01+00'), ('Pacific/Apia', '2011-12-30 10:00+00'), ('AAA+100BBB-60,M3.2.0,M11.1.0', '2026-10-29 14:00+00'),
        ('AAA+100BBB-60,M3.2.0,M11.1.0', '2026-03-12 06:00+00')) AS z (zone, at);
CREATE INDEX ON change (id);
CREATE TABLE change_trial (zone text, said text, wanted text, rows text, is_rewritten boolean);
DO $$
DECLARE
    each record;
BEGIN
    FOR each IN SELECT DISTINCT ON (zone, rounded, operator, day) zone, format('%s %s (timestamptz %L)::%s', replace(rounded, '@', quote_literal(zone)), operator, at, kind) AS said FROM change,
            (VALUES ('date', 'id::date'), ('timestamp', 'id::timestamp'), ('timestamptz', 'date_trunc(''day'', id::timestamptz)'), ('date', 'date_trunc(''day'', id::timestamptz)::date'),
                ('timestamptz', 'date_trunc(''month'', id::date)'), ('date', '(id::timestamptz AT TIME ZONE @)::date'), ('timestamptz', 'date_trunc(''day'', id::timestamptz, @)'),
                ('timestamptz', 'date_trunc(''day'', id::timestamptz AT TIME ZONE @) AT TIME ZONE @')) AS r (kind, rounded),
            unnest(ARRAY['=', '<', '<=', '>=']) AS o (operator), LATERAL date_bin('20 hours', at, 'epoch') AS day ORDER BY zone, rounded, operator, day, at
    LOOP
        PERFORM set_config('timezone', CASE WHEN strpos(each.said, each.zone) > 0 THEN 'UTC' ELSE each.zone END, true);
        INSERT INTO change_trial SELECT each.zone, each.said, answer(format('SELECT count(*) FROM change WHERE %s', replace(replace(each.said, 'id::timestamptz', 'at'), 'id::', 'at::'))),
            answer('SELECT count(*) FROM change WHERE ' || each.said), plan_says('Index Cond', 'SELECT FROM change WHERE ' || each.said) > 0;
    END LOOP;
END $$;
SELECT zone, count(*) > 100 AS many, bool_and(is_rewritten) AS rewritten, count(*) FILTER (WHERE wanted::int BETWEEN 1 AND 999) > 50 AS some, count(*) FILTER (WHERE rows <> wanted) AS wrong FROM change_trial GROUP BY zone ORDER BY zone;

-- Untimed ids are excluded once for each range without the other bound.
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz >= '2026-11-01 00:00+00' AND id::timestamptz >= now();
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz >= '2026-11-01 00:00+00' AND id::timestamptz < now();
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz < now();
EXPLAIN (COSTS OFF) SELECT n FROM entry WHERE id::timestamptz = '2026-11-01 00:00+00';

-- Parameters, at plan time and later.
PREPARE since (timestamptz) AS SELECT count(*) FROM entry WHERE id::timestamptz >= $1;
EXPLAIN (COSTS OFF) EXECUTE since ('2026-11-01 00:00+00');
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since ('2026-11-01 00:00+00');
EXECUTE since ('2026-11-01 00:00+00');
EXECUTE since (NULL);
RESET plan_cache_mode;

-- Views, sub-selects, CTEs and set operations; the view is stored as it was written.
CREATE VIEW timed_entry AS SELECT n, id::timestamptz AS created_at FROM entry;
CREATE VIEW barrier_entry WITH (security_barrier) AS SELECT n, id::timestamptz AS created_at FROM entry WHERE n <> 7;
CREATE VIEW recent_entry AS SELECT n FROM entry WHERE id::timestamptz >= '2026-11-01 00:00+00';
SELECT pg_get_viewdef('recent_entry') ~ 'id\)::timestamp with time zone >= ' AS stored;
SELECT said, plan_says('Index Cond', said) AS by_index, plan_says('Filter: .*id.::timestamp', said) AS filter, answer('SELECT count(*) FROM (' || said || ') AS s') AS rows
FROM unnest(ARRAY[
    'SELECT n FROM timed_entry WHERE created_at >= ''2026-11-01 00:00+00''', 'SELECT n FROM barrier_entry WHERE created_at >= ''2026-11-01 00:00+00''', 'SELECT n FROM recent_entry',
    'WITH e AS (SELECT n, luuid_extract_timestamp(id) AS t FROM entry) SELECT n FROM e WHERE t >= ''2026-11-01 00:00+00''',
    'WITH e AS MATERIALIZED (SELECT n FROM entry WHERE id::timestamptz >= ''2026-11-01 00:00+00'') SELECT n FROM e',
    'SELECT n FROM (SELECT n, id::timestamptz AS t FROM entry OFFSET 0) AS e WHERE t >= ''2026-11-01 00:00+00''',
    'SELECT n FROM visit WHERE EXISTS (SELECT FROM entry WHERE entry.n = visit.n AND entry.id::timestamptz < ''2026-01-02 00:00+00'')',
    'SELECT n FROM visit WHERE (SELECT count(*) FROM entry WHERE id::timestamptz < visit.seen) = 23',
    'SELECT n FROM entry WHERE id::timestamptz >= ''2026-11-01 00:00+00'' UNION ALL SELECT n FROM entry WHERE id::timestamptz < ''2026-01-02 00:00+00''',
    'SELECT id FROM entry GROUP BY id HAVING id::timestamptz >= ''2026-11-01 00:00+00''',
    'SELECT max(id) FROM entry WHERE id::timestamptz < ''2026-11-01 00:00+00''',
    'SELECT id::timestamptz FROM entry GROUP BY id::timestamptz HAVING id::timestamptz >= ''2026-11-01 00:00+00'''
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
-- Grouped by the time itself, beside an aggregate: the id is not there.
SELECT count(*) FROM (SELECT id::timestamptz FROM entry GROUP BY id::timestamptz HAVING id::timestamptz >= max(at)) AS s;

-- Joins: on times of the other table, on windows of its ids whichever side they are written on, and outer ones.
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
SET enable_memoize = off;
SELECT said, plan_says('Index Cond: .*floor.*ceiling|Index Cond: .*floor.*floor', 'SELECT count(*) FROM ' || said) AS by_index, answer('SELECT count(*) FROM ' || said) AS rows,
    (SELECT answer('SELECT count(*) FROM ' || replace(replace(said, 'e.id::timestamptz', 'e.at'), 'v.id::timestamptz', '(v.seen)'))) AS wanted
FROM unnest(ARRAY[
    'visit AS v JOIN entry AS e ON e.id::timestamptz BETWEEN v.seen AND v.seen + interval ''1 h''',
    'entry AS e JOIN visit AS v ON e.id::timestamptz >= v.id::timestamptz AND e.id::timestamptz < v.id::timestamptz + interval ''2 h''',
    'visit AS v JOIN entry AS e ON v.id::timestamptz <= e.id::timestamptz AND e.id::timestamptz < v.id::timestamptz + interval ''2 h''',
    'visit AS v LEFT JOIN entry AS e ON e.id::timestamptz >= v.seen AND e.id::timestamptz < v.seen + interval ''1 h'' AND e.n > 4000',
    'visit AS v LEFT JOIN entry AS e ON e.id::timestamptz >= v.seen AND e.id::timestamptz < v.seen + interval ''1 h'' WHERE e.id IS NULL'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
RESET enable_material;
RESET enable_memoize;
RESET enable_mergejoin;
-- Equal times of two tables hash.
SET enable_nestloop = off;
RESET enable_hashjoin;
SELECT plan_says('Hash Cond', 'SELECT * FROM visit JOIN entry ON entry.id::timestamptz = visit.seen') AS hashed;
RESET enable_nestloop;

-- Partitions are pruned when a query is planned, and when a parameter is known.
CREATE TABLE parted (LIKE entry, PRIMARY KEY (id)) PARTITION BY RANGE (id);
CREATE TABLE parted_early PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-05-01'));
CREATE TABLE parted_late PARTITION OF parted FOR VALUES FROM (luuid_floor('2026-05-01')) TO (MAXVALUE);
INSERT INTO parted SELECT * FROM entry;
EXPLAIN (COSTS OFF) SELECT n FROM parted WHERE id::timestamptz >= '2026-06-01 00:00+00';
SELECT * FROM tables_read($$SELECT n FROM parted WHERE id::timestamptz < (SELECT timestamptz '2026-03-01 00:00+00')$$);

-- A UNION ALL that the planner merges with the query: each arm has its own condition. A new session's first statement.
CREATE VIEW every AS SELECT id::timestamptz AS at, n, id FROM entry UNION ALL SELECT luuid_extract_timestamp(kept), -n, kept::luuid FROM entry
    UNION ALL SELECT seen, n, id FROM visit UNION ALL SELECT id::timestamptz, n, id FROM parted;
CREATE VIEW every_model AS SELECT at, n, at AS id FROM entry UNION ALL SELECT at, -n, at FROM entry UNION ALL SELECT seen, n, luuid_extract_timestamp(id) FROM visit UNION ALL SELECT at, n, at FROM parted;
\c -
EXPLAIN (COSTS OFF) SELECT n FROM (SELECT id::timestamptz AS at, n FROM entry UNION ALL SELECT id::timestamptz, n FROM visit) AS s WHERE at >= '2026-11-01 00:00+00' AND at < '2026-11-01 03:00+00' AND n > 5;
SET timezone = 'UTC';
SET jit = off;
SET datestyle = 'ISO, YMD';
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT said, plan_says('Index Cond', 'SELECT n FROM every WHERE ' || said) AS by_index, answer('SELECT count(*) FROM every WHERE ' || said) AS rows,
    answer('SELECT count(*) FROM every_model WHERE ' || replace(said, 'id::timestamptz', 'id')) AS wanted
FROM unnest(ARRAY[
    'at >= ''2026-11-01 00:00+00''', 'at < ''2026-01-03 00:00+00'' AND at >= ''2026-01-02 00:00+00'' AND n % 2 = 0', 'timestamptz ''2026-05-01 00:00+00'' = at', 'NOT at < ''2026-11-01 00:00+00''',
    'at >= (SELECT timestamptz ''2026-11-01 00:00+00'')', 'at::date = ''2026-05-01''', 'date_trunc(''month'', at) < ''2026-02-01 00:00+00''', 'at IN (''2026-05-01 00:00+00'')', 'id::timestamptz < ''2026-01-03 00:00+00''',
    'at >= ''2026-11-01 00:00+00'' AND id::date = ''2026-11-02''', 'at >= NULL', 'at >= ''-infinity'' AND at <= ''infinity''',
    -- What stays.
    'at <> ''2026-11-01 00:00+00''', '(at >= ''2026-11-01 00:00+00'') IS NOT TRUE'
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
-- The key of its partitions prunes, when the query is planned and later.
SELECT plan_says('on parted', 'SELECT n FROM every WHERE at >= ''2026-06-01 00:00+00''') AS partitions;
SELECT * FROM tables_read($$SELECT n FROM every WHERE at < (SELECT timestamptz '2026-03-01 00:00+00') AND n > 0$$);
-- In a UNION ALL of a UNION ALL, beneath joins, and beside arms that the planner does not merge: the condition is pushed into them.
SELECT said, plan_says('Index Cond', said) AS by_index, answer('SELECT count(*) FROM (' || said || ') AS s') AS rows, answer('SELECT count(*) FROM (' || replace(replace(said, 'every', 'every_model'), 'id::timestamptz', 'at') || ') AS s') AS wanted
FROM unnest(ARRAY[
    'SELECT FROM (SELECT at, n FROM every UNION ALL SELECT id::timestamptz, n FROM entry) AS s WHERE at >= ''2026-11-01 00:00+00'' AND n <> 7',
    'SELECT FROM visit LEFT JOIN every ON every.n = visit.n AND every.at < ''2026-01-03 00:00+00''', 'SELECT FROM visit WHERE EXISTS (SELECT FROM every WHERE every.n = visit.n AND every.at < ''2026-01-03 00:00+00'')',
    'SELECT FROM (SELECT id::timestamptz AS at FROM entry WHERE n > 0 UNION ALL SELECT DISTINCT id::timestamptz FROM entry UNION ALL SELECT id::timestamptz FROM entry GROUP BY 1 UNION ALL (SELECT id::timestamptz FROM entry LIMIT 10000)) AS s WHERE at >= ''2026-11-01 00:00+00''',
    -- A join on the time stays.
    'SELECT FROM visit JOIN every ON every.at >= visit.seen AND every.at < visit.seen + interval ''1 h'''
    ]) WITH ORDINALITY AS s (said, place) ORDER BY place;
-- A row as a whole has the columns of the UNION ALL alone: the conditions stay.
SELECT e FROM (SELECT at, n FROM every) AS e WHERE at < '2026-01-01 02:00+00' AND n > 0;
SELECT row_to_json(e) FROM (SELECT at, n FROM every) AS e WHERE at < '2026-01-01 02:00+00' AND n > 0;
SELECT e.n FROM every AS e WHERE at < '2026-01-01 02:00+00' AND n > 0 AND e IS NOT NULL;
SELECT (SELECT row_to_json(e) -> 'n') FROM every AS e WHERE at < '2026-01-01 02:00+00' AND n > 0;
SELECT e.n, e::text LIKE '(%,1,%)' AS is_row FROM every AS e WHERE at < '2026-01-01 02:00+00' AND n > 0;
SELECT (SELECT count(*) FROM json_object_keys(row_to_json(e))) AS columns FROM every AS e WHERE at < '2026-01-01 02:00+00' AND n > 0;
SELECT v.n, s.is_row FROM (VALUES (1), (0)) AS v (n) LEFT JOIN (SELECT n, coalesce(e::text, 'none') <> 'none' AS is_row FROM every AS e WHERE at < '2026-01-01 02:00+00') AS s USING (n) ORDER BY n;
SET plan_cache_mode = force_generic_plan;
PREPARE of_every (timestamptz) AS SELECT count(*) FROM every WHERE at < $1;
EXECUTE of_every ('2026-01-03 00:00+00');
EXECUTE of_every (NULL);
RESET plan_cache_mode;

-- An index, a predicate or a partition key that names the time is used as before.
CREATE TABLE by_time AS SELECT * FROM entry;
CREATE INDEX by_time_at ON by_time ((id::timestamptz));
EXPLAIN (COSTS OFF) SELECT n FROM by_time WHERE id::timestamptz >= '2026-11-01 00:00+00';
EXPLAIN (COSTS OFF) SELECT FROM (SELECT id::timestamptz AS at FROM by_time UNION ALL SELECT id::timestamptz FROM entry) AS s WHERE at >= '2026-11-01 00:00+00';
DROP INDEX by_time_at;
CREATE INDEX by_time_recent ON by_time (n) WHERE id::timestamptz >= '2026-10-01 00:00+00';
EXPLAIN (COSTS OFF) SELECT n FROM by_time WHERE id::timestamptz >= '2026-11-01 00:00+00' AND n = 7500;
CREATE INDEX parted_at ON parted ((id::timestamptz));
SELECT plan_says('Index Cond: .*id.::timestamp', $$SELECT n FROM parted WHERE id::timestamptz = '2026-11-01 00:00+00'$$) > 0 AS by_time;
CREATE TABLE parted_time (LIKE entry) PARTITION BY RANGE ((id::timestamptz));
CREATE TABLE parted_time_early PARTITION OF parted_time FOR VALUES FROM (MINVALUE) TO ('2026-05-01 00:00+00');
CREATE TABLE parted_time_late PARTITION OF parted_time FOR VALUES FROM ('2026-05-01 00:00+00') TO (MAXVALUE);
SELECT table_name FROM tables_read($$SELECT n FROM parted_time WHERE id::timestamptz >= '2026-11-01 00:00+00'$$);

-- The rows expected are those of the same range of ids.
SELECT said, round((explained('SELECT * FROM entry WHERE ' || said)).rows / (explained('SELECT * FROM entry WHERE ' || key)).rows) AS ratio, (explained('SELECT * FROM entry WHERE ' || key)).rows > 20 AS some
FROM (VALUES ('id::timestamptz >= ''2026-11-01 00:00+00''', 'id <@ tstzrange(''2026-11-01 00:00+00'', NULL)'), ('id::timestamptz < ''2026-02-01 00:00+00''', 'id <@ tstzrange(NULL, ''2026-02-01 00:00+00'')'),
    ('id::timestamptz BETWEEN ''2026-05-01 00:00+00'' AND ''2026-05-03 00:00+00''', 'id <@ tstzrange(''2026-05-01 00:00+00'', ''2026-05-03 00:00+00'')'),
    ('id::timestamptz < ''2026-02-01 00:00+00'' OR id::timestamptz >= ''2026-11-01 00:00+00''', 'id <@ tstzrange(NULL, ''2026-02-01 00:00+00'') OR id <@ tstzrange(''2026-11-01 00:00+00'', NULL)'),
    ('id::date = ''2026-05-01''', 'id <@ tstzrange(''2026-05-01 00:00+00'', ''2026-05-02 00:00+00'')'), ('id::date < ''2026-02-01''', 'id <@ tstzrange(NULL, ''2026-02-01 00:00+00'')'),
    ('date_trunc(''month'', id::timestamptz) = ''2026-05-01 00:00+00''', 'id <@ tstzrange(''2026-05-01 00:00+00'', ''2026-06-01 00:00+00'')')) AS s (said, key);

-- Row security: a function that leaks sees no hidden row, and a policy is rewritten too.
CREATE FUNCTION leak(int) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS $$ BEGIN RAISE NOTICE 'saw %', $1; RETURN true; END $$;
CREATE TABLE hidden (id luuid PRIMARY KEY, n int);
INSERT INTO hidden SELECT id, n FROM entry WHERE n BETWEEN 1 AND 8 OR n < 0;
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY late ON hidden USING (id::timestamptz >= '2026-01-01 06:00+00');
CREATE ROLE rewrite_reader;
GRANT SELECT ON hidden TO rewrite_reader;
SET ROLE rewrite_reader;
SELECT n FROM hidden WHERE leak(n) AND id::timestamptz < '2026-01-01 08:00+00' ORDER BY n;
EXPLAIN (COSTS OFF) SELECT n FROM hidden WHERE leak(n) AND id::timestamptz < '2026-01-01 08:00+00';
EXPLAIN (COSTS OFF) SELECT n FROM (SELECT n, id::timestamptz AS at FROM hidden UNION ALL SELECT n, id::timestamptz FROM hidden) AS s WHERE leak(n) AND at < '2026-01-01 08:00+00';
SELECT n FROM hidden WHERE leak(n) AND id::date = '2026-01-01' AND date_trunc('hour', id::timestamptz) < '2026-01-01 08:00+00' ORDER BY n;
RESET ROLE;
DROP TABLE hidden;
DROP ROLE rewrite_reader;

-- UPDATE and DELETE.
EXPLAIN (COSTS OFF) UPDATE entry SET n = n WHERE id::timestamptz >= '2026-11-01 00:00+00';
EXPLAIN (COSTS OFF) DELETE FROM entry WHERE id::timestamptz = '2026-11-01 00:00+00';
RESET enable_seqscan;
RESET enable_bitmapscan;

-- The setting.
SET luuid.enable_time_rewrite = off;
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id::timestamptz >= '2026-11-01 00:00+00';
RESET luuid.enable_time_rewrite;

-- Random conditions on ids of every kind, in WHERE, in the ON of inner and outer joins and above a UNION ALL: rewritten, not rewritten, and
-- on the times that the fixture computed.
CREATE TABLE probe AS SELECT id, u, at, row_number() OVER (ORDER BY place) AS n FROM hard;
-- Its epoch as a float8 is that of the next second.
INSERT INTO probe SELECT id, id, luuid_extract_timestamp(id), 0 FROM luuid_floor(timestamptz '4000-01-01 00:00+00' - interval '1 microsecond') AS id;
CREATE INDEX ON probe (id);
CREATE INDEX ON probe (u uuid_time_ops);
ANALYZE probe;
-- The float8 of an epoch far away is up to 31 microseconds from it, on either side.
SELECT count(*) > 100 AS many, sum(wanted::int) > 1000 AS some, count(*) FILTER (WHERE rows <> wanted) AS wrong
FROM (SELECT answer(format('SELECT count(*) FROM probe WHERE date_part(''epoch'', id::timestamptz) %s %s', operator, value)) AS rows, answer(format('SELECT count(*) FROM probe WHERE date_part(''epoch'', at) %s %s', operator, value)) AS wanted
    FROM (SELECT DISTINCT quote_literal(date_part('epoch', t)) || '::float8' AS value FROM (SELECT t FROM times UNION SELECT '4000-01-01 00:00+00') AS t) AS t, unnest(ARRAY['=', '<', '<=', '>=', '>']) AS o (operator)) AS s;
-- AND, OR, NOT and CASE over comparisons of %1$s with a time, an unknown one, or a sub-select.
CREATE FUNCTION random_condition(depth int) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    operator text := (ARRAY['<', '<=', '=', '>=', '>', '<>'])[1 + floor(random() * 6)];
    other text;
BEGIN
    IF depth > 0 AND random() < 0.7 THEN
        RETURN format(replace((ARRAY['(@ AND @)', '(@ OR @)', 'NOT (@ AND @)', '(NOT @ OR @)', '(CASE WHEN @ THEN @ END)'])[1 + floor(random() * 4.3)], '@', '%s'),
            random_condition(depth - 1), random_condition(depth - 1));
    END IF;
    SELECT format('timestamptz %L', t) INTO other FROM times ORDER BY random() LIMIT 1;
    other := CASE floor(random() * 8) WHEN 0 THEN 'NULL' WHEN 1 THEN '(SELECT ' || other || ')' ELSE other END;
    RETURN CASE WHEN random() < 0.2 THEN '%1$s BETWEEN ' || other || ' AND ''3000-01-01''' WHEN random() < 0.5 THEN '%1$s ' || operator || ' ' || other
        ELSE other || ' ' || operator || ' %1$s' END;
END $$;
CREATE FUNCTION rows_of(query text, at text) RETURNS text LANGUAGE sql AS
    $$ SELECT answer('SELECT coalesce(string_agg(n::text, '' '' ORDER BY n), '''') FROM (' || format(query, at) || ') AS s (n)') $$;
SELECT FROM setseed(0.26);
CREATE TABLE trial AS SELECT n, (ARRAY['SELECT p.n FROM probe AS p WHERE ', 'SELECT p.n FROM probe AS q JOIN probe AS p ON p.n = q.n AND ',
    'SELECT q.n * 1000 + coalesce(p.n, 0) FROM probe AS q LEFT JOIN probe AS p ON p.n = q.n AND '])[1 + n % 3] || random_condition(3) AS query FROM generate_series(1, 200) AS n;
INSERT INTO trial SELECT n, 'SELECT s.n FROM (SELECT p.n, %1$s AS t FROM probe AS p UNION ALL SELECT -p.n, %1$s FROM probe AS p) AS s WHERE ' || replace(random_condition(3), '%1$s', 's.t') FROM generate_series(201, 250) AS n;
ALTER TABLE trial ADD wanted text, ADD of_luuid text, ADD of_uuid text, ADD as_written text, ADD is_rewritten boolean;
UPDATE trial SET wanted = rows_of(query, 'p.at'), of_luuid = rows_of(query, 'p.id::timestamptz'), of_uuid = rows_of(query, 'luuid_extract_timestamp(p.u)'),
    is_rewritten = plan_says('p(_\d)?.id.::timestamp', format(query, 'p.id::timestamptz')) = 0;
SET luuid.enable_time_rewrite = off;
UPDATE trial SET as_written = rows_of(query, 'p.id::timestamptz');
RESET luuid.enable_time_rewrite;
SELECT count(*) AS trials, count(*) FILTER (WHERE wanted <> '') > 100 AS some, count(*) FILTER (WHERE is_rewritten) > 50 AS many_rewritten, count(*) FILTER (WHERE is_rewritten AND n > 200) > 10 AS many_unions, count(*) FILTER (WHERE of_luuid <> wanted) AS wrong,
    count(*) FILTER (WHERE of_uuid <> wanted) AS uuid_wrong, count(*) FILTER (WHERE as_written <> wanted) AS as_written_wrong FROM trial;

DROP VIEW timed_entry, barrier_entry, recent_entry, every, every_model;
DROP TABLE entry, visit, parted, by_time, parted_time, probe, trial, change, change_trial;
DROP FUNCTION leak(int), random_condition(int), rows_of(text, text);
