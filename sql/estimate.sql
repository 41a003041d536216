-- Estimates: the rows that the planner expects of a time range, compared with the actual rows, and with its estimate
-- for a timestamptz column with the same times. Most tables are small enough for ANALYZE to read all rows, so that
-- nothing is random.
\a \t
CALL begin_test();

-- 25 000 rows in 250 days: at a constant rate, at a growing one, and with empty nights.
CREATE TABLE rate (name text);
INSERT INTO rate VALUES ('steady'), ('growing'), ('bursty');
SELECT FROM rate, executed(format('CREATE TABLE %I (at timestamptz, id luuid, v7 luuid, kept uuid, kept_v7 uuid, n int)
    WITH (autovacuum_enabled = off)', name));
SELECT FROM rate, fill(name, name, 0, 24999);
SELECT FROM rate, executed(format('CREATE INDEX ON %1$I (at); CREATE INDEX ON %1$I (id); CREATE INDEX ON %1$I (v7);
    CREATE INDEX ON %1$I (kept uuid_time_ops)', name));
VACUUM ANALYZE steady, growing, bursty;

-- 25 ranges of each width, from a minute to half of all.
CREATE TABLE slice AS
SELECT width, timestamptz '2016-01-01 00:00+00' + ('x' || substr(digits('s' || n), 1, 7))::bit(28)::int / 268435456.0 *
    (interval '250 days' - width) AS begin
FROM generate_series(1, 25) AS n,
    unnest(ARRAY['1 minute', '1 hour', '1 day', '25 days', '125 days']::interval[]) AS width;
CREATE TABLE measured AS
SELECT name, subject, width, q_error(planned(name, condition), counted(name, format('at >= %L AND at < %L', begin, begin + width))) AS q
FROM rate, slice, unnest(ARRAY['at', 'id', 'v7', 'kept', 'kept_v7']) AS subject,
    LATERAL (SELECT format('%1$s >= %2$L::timestamptz AND %1$s < %3$L::timestamptz', subject, begin, begin + width) AS condition) AS c;
CREATE VIEW error AS
SELECT name, subject, percentile_cont(0.5) WITHIN GROUP (ORDER BY q) AS median, percentile_cont(0.95) WITHIN GROUP (ORDER BY q) AS high
FROM measured GROUP BY name, subject;
SELECT * FROM error WHERE subject NOT IN ('at', 'kept_v7') AND (median <= 1.05 AND high <= 1.2) IS NOT TRUE;
-- Without an index, those of a timestamptz; those of a uuid column are of a sample.
SELECT * FROM error JOIN error AS time USING (name)
WHERE time.subject = 'at' AND error.subject = 'kept_v7' AND (error.median <= time.median * 1.01 AND error.high <= time.high * 1.1) IS NOT TRUE;

-- Five distributions, and a table that was never analyzed, from ten minutes to five days: the 95th percentile of an index
-- is at most 1.2, whatever that of a timestamptz is.
CREATE TABLE distribution (name text);
INSERT INTO distribution VALUES ('steady'), ('nights'), ('bursts'), ('growth'), ('newer'), ('never analyzed');
SELECT FROM distribution, LATERAL format('%I', 'of ' || name) AS relation,
    executed(format('CREATE TABLE %1$s (at timestamptz, id luuid, kept uuid) WITH (autovacuum_enabled = off);
        INSERT INTO %1$s SELECT at, luuid_generate(at), luuid_generate_v7(at)::uuid FROM times(%2$L, %3$s) AS at;
        CREATE INDEX ON %1$s (at); CREATE INDEX ON %1$s (id); CREATE INDEX ON %1$s (kept uuid_time_ops)', relation,
        replace(name, 'never analyzed', 'nights'), CASE name WHEN 'newer' THEN 40000 ELSE 50000 END));
VACUUM ANALYZE "of steady", "of nights", "of bursts", "of growth", "of newer";
INSERT INTO "of newer" SELECT t, luuid_generate(t), luuid_generate_v7(t)::uuid FROM times('newer', 10000) AS at,
    LATERAL (SELECT at + interval '150 days' AS t) AS n;
CREATE TABLE range AS
SELECT begin, begin + width AS "end" FROM generate_series(1, 40) AS n, LATERAL (SELECT interval '10 minutes' * 720 ^ (n % 20 / 19.0) AS width) AS w,
    LATERAL (SELECT timestamptz '2026-01-05 00:00+00' + ('x' || substr(digits('r' || n), 1, 7))::bit(28)::int / 268435456.0 *
        (interval '145 days') AS begin) AS b;
CREATE TABLE missed AS
SELECT name, subject, q_error(planned(relation, condition), counted(relation, format('at >= %L AND at < %L', begin, "end"))) AS q
FROM distribution, range, unnest(ARRAY['at', 'id', 'id::timestamptz', 'kept']) AS subject,
    LATERAL (SELECT format('%I', 'of ' || name) AS relation) AS r,
    LATERAL (SELECT format('%1$s >= %2$L::timestamptz AND %1$s < %3$L::timestamptz', subject, begin, "end") AS condition) AS c;
SELECT * FROM (SELECT name, subject, percentile_cont(0.5) WITHIN GROUP (ORDER BY q) AS median, percentile_cont(0.95) WITHIN
    GROUP (ORDER BY q) AS high, max(q) AS greatest
    FROM missed WHERE subject <> 'at' GROUP BY name, subject) AS of_each
WHERE (median <= 1.05 AND high <= 1.2 AND greatest <= 1.5) IS NOT TRUE;
-- Windows of ten minutes, an hour and a day beside the rows of such ranges, with none and 30 % of the ids untimed.
CREATE TABLE window_missed (name text, untimed boolean, q float);
CREATE PROCEDURE join_windows(are_untimed boolean) LANGUAGE plpgsql AS $$
DECLARE
    joined text := '%1$I AS o JOIN %1$I AS e ON e.%2$s >= o.%2$s AND e.%2$s < o.%2$s::timestamptz + interval %3$L AND o.%2$s >= timestamptz %4$L '
        'AND o.%2$s < timestamptz %5$L';
BEGIN
    INSERT INTO window_missed
    SELECT name, are_untimed, q_error(planned(format(joined, 'of ' || name, 'id', width, begin, "end"), 'true'),
        counted(format(joined, 'of ' || name, 'at', width, begin, "end"), 'true'))
    FROM distribution, range, unnest(ARRAY['10 minutes', '1 hour', '1 day']) AS width WHERE "end" - begin < interval '12 hours';
END
$$;
CALL join_windows(false);
SELECT FROM distribution, executed(format('INSERT INTO %1$I (id) SELECT overlay(digits(%1$L || n) PLACING ''4'' FROM 13 FOR 1)::uuid
    FROM generate_series(1, 21400) AS n', 'of ' || name));
CALL join_windows(true);
SELECT * FROM (SELECT name, untimed, percentile_cont(0.5) WITHIN GROUP (ORDER BY q) AS median, percentile_cont(0.95) WITHIN GROUP (ORDER BY q) AS high
    FROM window_missed GROUP BY name, untimed) AS of_each
WHERE (median <= 1.5 AND high <= 4) IS NOT TRUE;

-- Leaf pages that are not like those at the ends of a range, by rows that were deleted in part, ids that several rows
-- share, and nulls; and tables whose rows pg_class does not tell: never analyzed, without a row at VACUUM, or with wider
-- rows since ANALYZE. Where it tells none, all rows are estimated too. Each of 60 000 rows or so, but for wide ones.
CREATE TABLE kind (name text, rows int, copies text, payload int, change text, more text);
INSERT INTO kind VALUES
    ('wide, never analyzed', 9000, '1', 1500, '', ''),
    ('no row at VACUUM', 20000, '1', 0, 'DELETE FROM %I',
        'INSERT INTO %I SELECT n, at, luuid_generate(at) FROM generate_series(1, 60000) AS n, '
        'LATERAL (SELECT timestamptz ''2026-01-01 00:00+00'' + n * interval ''144 s'' AS at) AS t'),
    ('third days thinned', 60000, '1', 0, 'DELETE FROM %I WHERE n / 600 %% 3 = 0 AND n %% 20 <> 0', ''),
    ('foreign key in batches', 12000, 'CASE WHEN n / 120 % 5 = 0 THEN 25 ELSE 1 END', 0, '', ''),
    ('half nulls', 60000, '1', 0, 'UPDATE %I SET id = NULL WHERE n %% 2 = 1', ''),
    ('wider since ANALYZE', 40000, '1', 40, '',
        'INSERT INTO %1$I SELECT n, at, luuid_generate(at), repeat(''x'', 1000) FROM '
        '(SELECT n, at + interval ''100 days'' AS at FROM %1$I WHERE n <= 8000) AS s');
SELECT FROM kind, executed(format('CREATE TABLE %1$I (n int, at timestamptz, id luuid, payload text)
    WITH (autovacuum_enabled = off, vacuum_truncate = off);
    ALTER TABLE %1$I ALTER payload SET STORAGE plain; CREATE INDEX ON %1$I (id); CREATE INDEX ON %1$I (at);
    INSERT INTO %1$I SELECT n, at, id, repeat(''x'', %2$s) FROM generate_series(1, %3$s) AS n,
        LATERAL (SELECT timestamptz ''2026-01-01 00:00+00'' + n * (interval ''100 days'' / %3$s) AS at) AS t,
        LATERAL (SELECT luuid_generate(at) AS id OFFSET 0) AS i, generate_series(1, %4$s)', name, payload, rows, copies));
SELECT FROM kind, executed(format(change, name));
VACUUM ANALYZE "no row at VACUUM", "third days thinned", "foreign key in batches", "half nulls", "wider since ANALYZE";
SELECT FROM kind, executed(format(more, name));
SELECT * FROM (SELECT name, percentile_cont(0.95) WITHIN GROUP (ORDER BY q) AS high, max(q) AS greatest
    FROM kind, generate_series(1, 100) AS n,
        LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * 37 % 100 * interval '1 day' AS begin,
            exp(n % 20 * 0.4) * interval '1 h' AS width) AS r,
        LATERAL (SELECT format('? >= timestamptz %L AND ? < timestamptz %L', begin, begin + width) AS range) AS c,
        LATERAL (SELECT q_error(planned(format('%I', name), replace(range, '?', 'id')),
            counted(format('%I', name), 'id IS NOT NULL AND ' || replace(range, '?', 'at'))) AS q) AS e
    GROUP BY name) AS of_each
WHERE (high <= 1.2 AND greatest <= 2) IS NOT TRUE;
SELECT name, round((planned(format('%I', name), 'true') / counted(format('%I', name), 'true'))::numeric, 2) AS all
FROM kind WHERE name ~ 'never|no row' ORDER BY name;

-- Every form of a time range: each within a tenth of the actual rows.
SELECT said FROM unnest(ARRAY[
    'id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-04-01''',
    'timestamptz ''2016-03-01'' <= id AND timestamptz ''2016-04-01'' > id',
    'id BETWEEN timestamptz ''2016-03-01'' AND timestamptz ''2016-04-01''',
    'id >= luuid_floor(''2016-03-01'') AND id < luuid_floor(''2016-04-01'')::uuid',
    'id <@ tstzrange(''2016-03-01'', ''2016-04-01'')',
    'id <@ ''[2016-03-01,2016-04-01)''',
    'id <@ daterange(''2016-03-01'', ''2016-04-01'')',
    'tsrange(''2016-03-01'', ''2016-04-01'') @> id',
    'id <@ (SELECT range_agg(tstzrange(day, day + interval ''1 h'')) FROM generate_series(timestamptz ''2016-03-01'', ''2016-06-01'', '
        '''1 day'') AS day)',
    'kept #>=# luuid_floor(''2016-03-01'')::uuid AND kept #<# luuid_floor(''2016-04-01'')::uuid',
    'kept_v7 >= timestamptz ''2016-03-01'' AND kept_v7 < timestamptz ''2016-04-01''',
    -- More bounds than two, in any order.
    'id < timestamptz ''2016-06-01'' AND id >= timestamptz ''2016-02-01'' AND id < timestamptz ''2016-04-01'' AND id > timestamptz ''2016-03-01''',
    'id <@ tstzrange(''2016-02-01'', ''2016-04-01'') AND id >= timestamptz ''2016-03-01''',
    -- One bound only.
    'id >= timestamptz ''2016-03-01''',
    'id < timestamptz ''2016-03-01''',
    -- Under OR, with other clauses, and within an arm with another clause.
    'id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-03-08'' OR id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-08''',
    '(id <@ tstzrange(''2016-03-01'', ''2016-03-08'') AND n >= 0) OR (id <@ tstzrange(''2016-05-01'', ''2016-05-08'') AND n >= 0)',
    'n >= 0 AND (id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-04-01'' OR n < 0)',
    'NOT (id < timestamptz ''2016-03-01'' OR id >= timestamptz ''2016-04-01'')',
    -- Columns are independent: n does not restrict id, and v7 has the same times.
    'id >= timestamptz ''2016-03-01'' AND n >= 0 AND id < timestamptz ''2016-04-01'' AND n < 100000',
    -- The bounds of a stable expression.
    'id >= timestamptz ''2016-03-01'' AND id < now() - (now() - timestamptz ''2016-04-01'')',
    -- Empty ones.
    'id >= timestamptz ''2016-04-01'' AND id < timestamptz ''2016-03-01''',
    'id <@ ''empty''::tstzrange', 'id <@ ''{}''::tstzmultirange', 'id <@ NULL::tstzrange', 'id >= NULL::timestamptz',
    'id = timestamptz ''2016-03-01''', 'id >= timestamptz ''2017-01-01'' AND id < timestamptz ''2017-02-01''',
    'id < timestamptz ''2015-01-01'' AND id >= ''00000000-0000-0000-0000-000000000000''',
    'id >= timestamptz ''-infinity'' AND id <= timestamptz ''infinity'''
    ]) AS said
WHERE (q_error('steady', said) <= CASE WHEN said ~ 'kept #' THEN 1.5 WHEN said ~ 'SELECT' THEN 10 ELSE 1.1 END) IS NOT TRUE;
-- A range outside all times has no rows.
SELECT planned('steady', 'id >= timestamptz ''2017-01-01''') AS later, planned('steady', 'id < timestamptz ''2015-01-01''') AS earlier;

-- Parameters: their values in a custom plan; the server's defaults for one bound and for two in a generic plan.
PREPARE of_times (timestamptz, timestamptz) AS SELECT * FROM steady WHERE id >= $1 AND id < $2;
PREPARE of_range (tstzrange) AS SELECT * FROM steady WHERE id <@ $1;
PREPARE of_time (timestamptz) AS SELECT * FROM steady WHERE id >= $1;
PREPARE at_time (timestamptz) AS SELECT * FROM steady WHERE id = $1;
PREPARE at_cast (timestamptz) AS SELECT * FROM steady WHERE id::timestamptz = $1;
PREPARE of_cast (timestamptz) AS SELECT * FROM steady WHERE id::timestamptz >= $1;
PREPARE twin (timestamptz, timestamptz) AS SELECT * FROM steady WHERE at >= $1 AND at < $2;
SET plan_cache_mode = force_custom_plan;
SELECT planned('of_times (''2016-03-01'', ''2016-04-01'')') BETWEEN 2900 AND 3300 AS times,
    planned('of_range (''[2016-03-01,2016-04-01)'')') BETWEEN 2900 AND 3300 AS range;
SET plan_cache_mode = force_generic_plan;
SELECT planned('of_times (''2016-03-01'', ''2016-04-01'')') AS times, planned('of_range (''[2016-03-01,2016-04-01)'')') AS range,
    planned('twin (''2016-03-01'', ''2016-04-01'')') AS twin, planned('of_time (''2016-03-01'')') AS one,
        planned('of_cast (''2016-03-01'')') AS of_cast, planned('at_time (''2016-03-01'')') AS instant,
        planned('at_cast (''2016-03-01'')') AS cast_instant;
RESET plan_cache_mode;
DEALLOCATE ALL;
-- A time that is not known counts once, beside whatever bounds it has, with statistics and without.
CREATE TABLE fresh (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO fresh SELECT * FROM steady;
CREATE INDEX ON fresh (id);
SELECT planned('fresh', 'v7 = timestamptz ''2016-03-01''') AS of_known;
SELECT relation, said FROM unnest(ARRAY['steady', 'fresh']) AS relation,
    unnest(ARRAY['?::timestamptz >= #', '# > ?::timestamptz', '?::timestamptz >= # AND ?::timestamptz < #', '?::timestamptz <@ tstzrange(#, #)',
        '?::date >= #::date', '?::date = #::date', '?::timestamptz >= # OR ?::date < #']) AS said,
    LATERAL (SELECT replace(said, '#', '(SELECT timestamptz ''2016-03-01'')') AS condition) AS c
WHERE (q_error(planned(relation, replace(condition, '?', 'id')), planned(relation, replace(condition, '?', 'at'))) <= 1.01) IS NOT TRUE;

-- Windows: bounds at a constant distance from another row's time. For each of 250 rows of another table with the same
-- times, the rows that the planner expects of an index scan are compared with those in the window of that row.
SELECT FROM rate, executed(format('CREATE TABLE %1$I AS SELECT * FROM %2$I WHERE n %% 100 = 17; ANALYZE %1$I', name || '_visit', name));
CREATE TABLE in_window (name text, width interval, n int, rows bigint);
SELECT FROM rate, unnest(ARRAY['1 hour', '1 day', '25 days']) AS width, executed(format('INSERT INTO in_window SELECT %1$L, %3$L, o.n, count(e.at)
    FROM %2$I AS o LEFT JOIN %1$I AS e ON e.at >= o.at AND e.at < o.at + interval %3$L GROUP BY o.n', name, name || '_visit', width));
SELECT name FROM (SELECT name, q_error(planned / 250, rows) AS q
    FROM (SELECT name, width, planned(format('%I AS o JOIN %I AS e ON e.id >= luuid_floor(o.id::timestamptz)
        AND e.id < luuid_floor(o.id::timestamptz + interval %L)', name || '_visit', name, width), 'true') AS planned
        FROM rate, (SELECT DISTINCT width FROM in_window) AS w) AS p JOIN in_window USING (name, width)) AS e
GROUP BY name HAVING (percentile_cont(0.5) WITHIN GROUP (ORDER BY q) <= 2 AND percentile_cont(0.95) WITHIN GROUP (ORDER BY q) <= 5) IS NOT TRUE;
-- Every form of a window of a day, within a tenth.
SELECT said FROM unnest(ARRAY[
    'e.id >= o.id::timestamptz AND e.id < o.id::timestamptz + interval ''1 day''',
    'e.id < o.id::timestamptz + interval ''1 day'' AND o.id::timestamptz <= e.id',
    'e.id <@ tstzrange(o.id::timestamptz, o.id::timestamptz + ''1 day'')', 'tstzrange(o.at, o.at + ''1 day'', ''[]'') @> e.id',
    'e.id >= o.id AND e.id <= luuid_ceiling(o.id::timestamptz + interval ''1 day'')', 'e.v7 > o.at AND e.v7 < o.at + interval ''1 day''',
    'e.id BETWEEN o.at - interval ''12 hours'' AND o.at + interval ''12 hours''',
    'e.kept #>=# o.id::uuid AND e.kept #<# luuid_floor(o.id::timestamptz + interval ''24 hours'')::uuid',
    'o.id <= e.id AND luuid_floor(e.id::timestamptz - interval ''1 day'') < o.id',
    'e.id >= o.at AND e.n >= 0 AND e.id >= o.at - interval ''1 hour'' AND e.id < o.at + interval ''1 day'' AND e.id < o.at + interval ''2 days''',
    'e.id >= o.at AND e.id < o.at + interval ''1 day'' AND e.id < o.at + interval ''1 day''', 'e.id >= t AND e.id < t + interval ''1 day''']) AS said
WHERE (q_error(planned(format('(SELECT *, at + interval ''1 h'' AS t FROM steady_visit) AS o JOIN steady AS e ON %s', said), 'true'),
    25000) <= 1.1) IS NOT TRUE;
-- One bound, of columns with the same times, of which half of the pairs pass, and with different ones.
SELECT q_error(planned('steady_visit AS o JOIN steady AS e ON e.id >= o.id', 'true'), 250 * 25000 / 2) < 1.05 AS half,
    q_error(planned('growing_visit AS o JOIN steady AS e ON e.id < o.at', 'true'), counted('growing_visit AS o JOIN steady AS e ON e.at < o.at',
        'true')) < 1.05 AS growing;
-- Bounds that are known restrict the rows of either table.
SELECT q_error(planned(replace(joined, '?', 'id'), 'true'), counted(replace(joined, '?', 'at'), 'true')) < 1.2 AS close
FROM unnest(ARRAY['growing_visit AS o JOIN growing AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval ''1 day'' '
    'AND o.? >= timestamptz ''2016-08-01''',
    'steady_visit AS o JOIN steady AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval ''1 day'' AND o.? < timestamptz ''2016-02-01'' '
        'AND e.? < timestamptz ''2016-02-01''']) AS joined;
-- An index that answers the later clause alone has no use of the one before it.
SELECT (explained(format(joined, 'o.id <= luuid_ceiling(e.id::timestamptz)'))).cost > 0.5 * (explained(format(joined, 'true'))).cost AS as_later
FROM (VALUES ('SELECT FROM steady_visit AS o JOIN steady AS e ON o.n < 1000 AND %s '
    'AND e.id < luuid_floor(o.id::timestamptz + interval ''5 minutes'')')) AS j (joined);
BEGIN;
CREATE INDEX ON steady_visit USING brin (id);
SELECT (explained(format(joined, 'o.id < luuid_floor(e.id::timestamptz + interval ''5 minutes'')'))).cost > 0.5 * (explained(format(joined,
    'true'))).cost AS as_later
FROM (VALUES ('SELECT FROM steady_visit AS o JOIN steady AS e ON o.n < 1000 AND o.id >= e.id AND %s')) AS j (joined);
ROLLBACK;
-- A semijoin or an antijoin has the server's default, as that of two times.
SELECT said FROM unnest(ARRAY[
    'steady AS e WHERE EXISTS (SELECT FROM steady_visit AS o WHERE e.? < o.?)',
    'steady AS e WHERE NOT EXISTS (SELECT FROM steady_visit AS o WHERE e.? >= o.?)',
    'steady AS e WHERE EXISTS (SELECT FROM steady_visit AS o WHERE e.? >= o.? AND e.? < o.?::timestamptz + interval ''4 hours'')']) AS said
WHERE (q_error(planned(format('(SELECT FROM %s) AS s', replace(said, '?', 'id')), 'true'),
    planned(format('(SELECT FROM %s) AS s', replace(said, '?', 'at')), 'true')) <= 1.1) IS NOT TRUE;
-- Rows of one second of each minute in half an hour of every 60: 1275 pairs in each second. Rows count as evenly spread between
-- two of at most 300 points, of which a range of hours has enough for such a second, and one of weeks has not.
CREATE TABLE burst (id luuid) WITH (autovacuum_enabled = off);
CREATE INDEX ON burst (id);
INSERT INTO burst SELECT luuid_generate(timestamptz '2026-01-01 00:00+00' + n / 1500 * interval '60 h' + n % 1500 / 50 * interval '1 min'
    + n % 50 * interval '20 ms') FROM generate_series(0, 59999) AS n;
VACUUM ANALYZE burst;
SELECT hours, seconds * 1275 / planned('burst AS o JOIN burst AS e ON e.id >= o.id AND e.id < o.id::timestamptz + interval ''1 s''',
    format('o.id < timestamptz ''2026-01-01 00:00+00'' + interval ''%s h''', hours)) BETWEEN 1 AND most AS close
FROM (VALUES (20, 30, 3.5), (2400, 1200, 40)) AS w (hours, seconds, most);
-- No null is in a window.
CREATE TABLE half AS SELECT CASE WHEN n % 2 = 0 THEN id END AS id FROM steady;
ANALYZE half;
SELECT q_error(planned('steady_visit AS o JOIN half ON half.id >= o.id AND half.id < o.id::timestamptz + interval ''1 day''', 'true'),
    250 * 50) < 1.1 AS pairs;
-- A window of few rows is worth an index scan for each outer row.
SELECT plan_says('Nested Loop', 'SELECT * FROM steady AS o JOIN steady AS e ON e.n % 10 = o.n % 10 AND e.id >= luuid_floor(o.id::timestamptz) '
    'AND e.id < luuid_floor(o.id::timestamptz + interval ''5 minutes'')') AS nested;
-- In a generic plan too the width is known: the planner expects the window of any of the rows.
PREPARE window_of (timestamptz) AS SELECT * FROM steady WHERE id >= luuid_floor($1) AND id < luuid_floor($1 + interval '1 day');
PREPARE window_in (timestamptz) AS SELECT * FROM steady WHERE id <@ tstzrange($1 - interval '12 hours', $1 + interval '12 hours');
PREPARE window_after (luuid) AS SELECT * FROM steady WHERE id > $1 AND id <= $1::timestamptz + interval '1 day';
PREPARE window_before (luuid) AS SELECT * FROM steady WHERE id > $1;
SET plan_cache_mode = force_generic_plan;
SELECT q_error(planned('window_of (''2016-03-01'')'), 100) < 1.1 AS of, q_error(planned('window_in (''2016-03-01'')'), 100) < 1.1 AS in,
    q_error(planned('window_after (NULL)'), 100) < 1.1 AS after, planned('window_before (NULL)') AS before;
RESET plan_cache_mode;
DEALLOCATE ALL;

-- Byte order: an eighth of the ids by their first bits is an eighth of the rows; so is a shard.
SELECT shard FROM generate_series(0, 7) AS shard
WHERE (q_error('steady', format('id ~>=~ %L AND id ~<~ %L', luuid_shard_floor(shard, 8), coalesce(luuid_shard_floor(nullif(shard + 1, 8), 8),
    'ffffffff-ffff-ffff-ffff-ffffffffffff'))) <= 2.5) IS NOT TRUE;

-- Nulls, most common values and untimed ids are counted as such.
CREATE TABLE mixed (id luuid, at timestamptz) WITH (autovacuum_enabled = off);
INSERT INTO mixed SELECT id, at FROM steady WHERE n % 5 = 0;
INSERT INTO mixed SELECT NULL, NULL FROM generate_series(1, 2000);
INSERT INTO mixed SELECT m.id, m.at FROM steady AS m, generate_series(1, 3000) WHERE n = 12345;
INSERT INTO mixed SELECT digits('m' || n)::uuid, NULL FROM generate_series(1, 3000) AS n;
INSERT INTO mixed SELECT id_at(4, 0, digits('4' || n)), NULL FROM generate_series(1, 3000) AS n;
VACUUM ANALYZE mixed;
SELECT said FROM unnest(ARRAY[
    'id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-02''', 'id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-06-01''',
    'id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-04-01''', 'id < timestamptz ''2016-03-01''', 'id >= timestamptz ''2016-03-01''',
    'id > timestamptz ''2017-01-01''',
    format('id >= %L', (SELECT id FROM steady WHERE n = 12345)), format('id > %L', (SELECT id FROM steady WHERE n = 12345)),
    format('id <= %L', (SELECT id FROM steady WHERE n = 12345)), format('id < %L', (SELECT id FROM steady WHERE n = 12345)),
    format('id >= %1$L AND id <= %1$L', (SELECT id FROM steady WHERE n = 12345))]) AS said
WHERE (q_error('mixed', said) <= 1.25) IS NOT TRUE;

-- Most entries are nulls, at either end. Nulls that share entries make the mean page one of more rows. Longer entries
-- make a page of an index one of fewer.
CREATE TABLE mostly_null (id luuid, at timestamptz) WITH (autovacuum_enabled = off);
INSERT INTO mostly_null SELECT CASE WHEN m.n = 0 THEN s.id END, CASE WHEN m.n = 0 THEN s.at END FROM steady AS s, generate_series(0, 3) AS m(n)
    WHERE s.n % 5 = 0;
VACUUM ANALYZE mostly_null;
SELECT direction, more, are_shared, said, q FROM unnest(ARRAY['ASC', 'ASC NULLS FIRST', 'DESC', 'DESC NULLS LAST']) AS direction,
    (VALUES ('', false, 1.5), ('', true, 2), (', (repeat(''x'', 300))', false, 1.5)) AS v (more, are_shared, most),
    unnest(ARRAY['id < timestamptz ''2016-01-03''', 'id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-02''',
        'id >= timestamptz ''2016-02-01''']) AS said,
    answer_after(format('CREATE INDEX ON mostly_null (id %s%s) WITH (deduplicate_items = %s)', direction, more, are_shared),
        format('SELECT q_error(''mostly_null'', %L)', said)) AS q
WHERE (q::float <= most) IS NOT TRUE;

-- Of an id that separates two pages, all rows are on one side: each is expected in some 700 rows.
CREATE TABLE repeated (id luuid, n int) WITH (autovacuum_enabled = off);
CREATE INDEX ON repeated (id DESC) INCLUDE (n) WITH (fillfactor = 100);
INSERT INTO repeated SELECT luuid_floor(timestamptz '2026-01-01 00:00+00' + (n / 700) * interval '1 min'), n FROM generate_series(1, 20000) AS n
    ORDER BY hashint4(n);
VACUUM ANALYZE repeated;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY planned('repeated', format('id >= %1$L AND id <= %1$L', id))) > 400 AS near
    FROM (SELECT DISTINCT id FROM repeated) AS r;

-- After the last ANALYZE: a tenth more rows, and as many more. Each new day is right by an index, and unknown without.
CREATE TABLE bare (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO bare SELECT * FROM steady;
VACUUM ANALYZE bare;
SELECT FROM unnest(ARRAY['steady', 'bare']) AS name, fill(name, 'steady', 25000, 27499);
SELECT worst('steady', 'id', 250, 275) < 1.1 AS id, worst('steady', 'v7', 250, 275) < 1.1 AS v7, worst('steady', 'kept', 250, 275) < 1.1 AS kept,
    worst('bare', 'id', 250, 275) > 3 AS bare, worst('steady', 'at', 250, 275) > 3 AS twin;
-- So are windows of the new rows, and those that lead from old rows to new ones, whichever row a clause is of.
SELECT q_error(planned('steady AS o JOIN steady AS e ON e.id >= o.id AND e.id < o.id::timestamptz + interval ''1 day''',
    'o.id >= timestamptz ''2016-09-12'' AND o.id < timestamptz ''2016-09-22'''), 100000) < 1.2 AS newest;
SELECT clause, q_error(planned('steady AS o JOIN steady AS e ON ' || clause,
    'o.id >= timestamptz ''2016-08-27'' AND o.id < timestamptz ''2016-09-06'''), 800000) < 1.5 AS newest
FROM unnest(ARRAY['e.id >= o.id::timestamptz + interval ''12 days'' AND e.id < o.id::timestamptz + interval ''20 days''',
                  'o.id <= e.id::timestamptz - interval ''12 days'' AND o.id > e.id::timestamptz - interval ''20 days''']) AS clause;
SELECT FROM fill('steady', 'steady', 27500, 49999);
SELECT worst('steady', 'id', 250, 500) < 1.1 AS id, worst('steady', 'id', 0, 250) < 1.1 AS old, worst('steady', 'at', 0, 250) > 1.5 AS old_twin;
SELECT q_error('steady', 'id >= timestamptz ''2017-05-01''') < 1.1 AS newest, q_error('steady', 'id < timestamptz ''2017-05-01''') < 1.1 AS oldest;
-- No rows are later than the end of the index.
SELECT planned('steady', 'id >= timestamptz ''2017-06-01''') AS later;
-- Old rows are deleted and new ones inserted.
CREATE TABLE kept AS SELECT * FROM steady WHERE n < 25000;
ALTER TABLE kept SET (autovacuum_enabled = off);
CREATE INDEX ON kept (id);
VACUUM ANALYZE kept;
DELETE FROM kept WHERE n < 5000;
VACUUM kept;
INSERT INTO kept SELECT * FROM steady WHERE n BETWEEN 25000 AND 29999;
SELECT worst('kept', 'id', 251, 299) < 1.1 AS new;

-- Updates of all rows leave an entry for each version until VACUUM, as the table has room for each.
CREATE TABLE stirred (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO stirred SELECT * FROM steady WHERE n < 25000;
CREATE INDEX ON stirred (id);
CREATE INDEX ON stirred (n);
VACUUM ANALYZE stirred;
UPDATE stirred SET n = n + 1;
SELECT planned('stirred', 'id >= timestamptz ''2016-09-07''') < 5 AS newest,
    q_error(planned('stirred', 'id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-11'''),
        planned('stirred', 'at >= timestamptz ''2016-05-01'' AND at < timestamptz ''2016-05-11''')) < 1.25 AS as_twin;
VACUUM stirred;
SELECT q_error('stirred', 'id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-11''') < 1.25 AS vacuumed;
-- History that is filled in later is found, if pages of an index may be read.
CREATE TABLE refilled (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO refilled SELECT * FROM steady WHERE n < 25000;
CREATE INDEX ON refilled (id);
ANALYZE refilled;
SELECT FROM fill('refilled', 'steady', -15000, -1);
SELECT subject, max(q_error(planned('refilled', replace(said, '?', subject)), counted('refilled', replace(said, '?', 'at')))) < 2 AS close
FROM unnest(ARRAY['id', 'id::timestamptz']) AS subject, generate_series(-140, 240, 20) AS n,
    LATERAL (SELECT timestamptz '2016-01-01' + n * interval '1 day' AS day) AS d,
    unnest(ARRAY[format('? < timestamptz %L', day), format('? >= timestamptz %L', day), format('? >= timestamptz %L AND ? < timestamptz %L', day,
        day + interval '30 days')]) AS said GROUP BY subject ORDER BY subject;
SET luuid.enable_index_estimates = off;
SELECT planned('refilled', 'id < timestamptz ''2015-12-01''') < 1000 AS unread;
RESET luuid.enable_index_estimates;
-- One much later id counts as one row; rows after a pause, all at once, are where they are. With an index in either
-- direction.
-- The first leaves of a descending index are split in half.
CREATE FUNCTION rows_after_pause(direction text) RETURNS TABLE (far float, since boolean, burst boolean, pause float, part boolean)
    LANGUAGE plpgsql AS $$
BEGIN
    CREATE TABLE paused (LIKE steady) WITH (autovacuum_enabled = off);
    INSERT INTO paused SELECT * FROM steady WHERE steady.n < 25000;
    EXECUTE format('CREATE INDEX ON paused (id %s, n)', direction);
    ANALYZE paused;
    INSERT INTO paused VALUES ('9000-01-01', luuid_floor('9000-01-01'));
    far := planned('paused', 'id >= timestamptz ''2016-09-08''');
    since := q_error('paused', 'id >= timestamptz ''2016-08-01''') < 1.1;
    INSERT INTO paused SELECT at, luuid_generate_v7(at) FROM generate_series(timestamptz '2016-10-01 08:00+00', '2016-10-01 09:00+00', '1 s') AS at;
    burst := q_error('paused', 'id >= timestamptz ''2016-10-01''') < 1.5;
    pause := planned('paused', 'id >= timestamptz ''2016-09-10'' AND id < timestamptz ''2016-10-01''');
    part := q_error('paused', 'id >= timestamptz ''2016-10-01 08:10+00'' AND id < timestamptz ''2016-10-01 08:30+00''') < 1.3;
    DROP TABLE paused;
    RETURN NEXT;
END
$$;
SELECT direction, r.* FROM unnest(ARRAY['ASC', 'DESC', 'DESC NULLS LAST']) AS direction, rows_after_pause(direction) AS r;

-- Entries are counted by their rows, with or without deduplication; dead ones are not counted, and an emptied leaf page
-- does not represent the others.
CREATE TABLE reference (at timestamptz, id luuid) WITH (autovacuum_enabled = off);
CREATE INDEX ON reference (id);
INSERT INTO reference SELECT at, luuid_floor(at) FROM generate_series(0, 23999) AS n,
    LATERAL (SELECT timestamptz '2016-01-01 00:00+00' + n / 8 * interval '1 min' AS at) AS t;
VACUUM ANALYZE reference;
INSERT INTO reference SELECT at, luuid_floor(at) FROM generate_series(24000, 39999) AS n,
    LATERAL (SELECT timestamptz '2016-01-01 00:00+00' + n / 8 * interval '1 min' AS at) AS t;
INSERT INTO reference SELECT at, luuid_floor(at) FROM generate_series(1, 1000) AS n,
    LATERAL (SELECT timestamptz '2016-01-05 00:00+00' + n * interval '1 s' AS at) AS t;
SELECT q_error('reference', 'id >= timestamptz ''2016-01-03 12:00+00''') < 1.5 AS all,
    q_error('reference', 'id >= timestamptz ''2016-01-03 12:00+00'' AND id < timestamptz ''2016-01-03 16:00+00''') < 1.5 AS some;
DELETE FROM reference WHERE id >= timestamptz '2016-01-03 12:00+00';
CALL plan_without('seqscan', 'bitmapscan');
-- A scan marks as dead what no other session can see; autovacuum's worker is one of these.
DO $$
BEGIN
    FOR turn IN 1..100 LOOP
        PERFORM counted('reference', 'id >= timestamptz ''2016-01-03 12:00+00'' AND at > ''-infinity''');
        EXIT WHEN planned('reference', 'id >= timestamptz ''2016-01-03 12:00+00''') < 500;
        PERFORM pg_sleep(0.1);
    END LOOP;
END
$$;
CALL plan_without();
SELECT planned('reference', 'id >= timestamptz ''2016-01-03 12:00+00''') < 500 AS none;
CREATE TABLE emptied (LIKE steady) WITH (autovacuum_enabled = off);
CREATE INDEX ON emptied (id) WITH (fillfactor = 20);
INSERT INTO emptied SELECT * FROM steady WHERE n < 2500;
ANALYZE emptied;
INSERT INTO emptied SELECT * FROM steady WHERE n BETWEEN 2500 AND 49999;
DELETE FROM emptied WHERE n BETWEEN 2500 AND 24999;
VACUUM (INDEX_CLEANUP ON) emptied;
SELECT q_error('emptied', 'id >= timestamptz ''2016-01-26''') < 3 AS rest;

-- Each bound reduces the estimate by itself, so that estimates without the others are right: a bound that is also an
-- index's predicate does not make that index look small, in any order of the bounds.
CREATE TABLE predicate AS SELECT * FROM steady WHERE n < 25000 ORDER BY md5(n::text);
CREATE INDEX ON predicate (id);
CREATE INDEX ON predicate ((n % 2)) WHERE id >= timestamptz '2016-01-02';
VACUUM ANALYZE predicate;
SELECT said FROM unnest(ARRAY['id >= timestamptz ''2016-01-02'' AND id < timestamptz ''2016-01-03''',
    'id < timestamptz ''2016-01-03'' AND id >= timestamptz ''2016-01-02''',
    'id >= timestamptz ''2016-01-02'' AND id <@ tstzrange(''2016-01-01'', ''2016-01-03'')']) AS said
WHERE plan_says('predicate_id_idx', 'SELECT * FROM predicate WHERE n % 2 = 1 AND ' || said) <> 1;
-- So does an index on the id itself, though the planner estimates it for the other bound only.
CALL plan_without('seqscan', 'indexscan');
BEGIN;
DROP INDEX predicate_id_idx;
CREATE INDEX ON predicate (id) WHERE id >= timestamptz '2016-05-01';
SELECT said, q_error(rows_at('Bitmap Index Scan', 'SELECT * FROM predicate WHERE ' || said), counted('predicate', said)) < 1.5 AS close
FROM unnest(ARRAY['id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-05-03''',
    'id < timestamptz ''2016-05-03'' AND id >= timestamptz ''2016-05-01''']) AS said;
ROLLBACK;
CALL plan_without();
-- The order of the bounds does not matter, where an index's predicate begins before rows that the statistics do not know
-- of. The rows that VACUUM removed leave no sign of new ones in the size of the table.
CREATE TABLE reused AS SELECT luuid_generate(timestamptz '2016-01-01' + n * interval '1 hour') AS id, n FROM generate_series(1, 20000) AS n;
CREATE INDEX ON reused (id);
CREATE INDEX ON reused ((n % 2)) WHERE id >= timestamptz '2018-04-01';
CREATE INDEX ON reused ((n % 3)) WHERE id <@ tstzrange('2018-03-25', '2019-06-01');
ANALYZE reused;
DELETE FROM reused WHERE n <= 10000;
VACUUM reused;
INSERT INTO reused SELECT luuid_generate(timestamptz '2019-01-01' + n * interval '1 hour'), n FROM generate_series(1, 9000) AS n;
SELECT a, b FROM unnest(ARRAY['id >= timestamptz ''2018-04-01''', 'id <@ tstzrange(''2018-03-25'', ''2019-06-01'')',
    'id >= timestamptz ''2018-03-20''']) AS a,
    unnest(ARRAY['id < timestamptz ''2018-04-11''', 'id < timestamptz ''2019-02-01''']) AS b
WHERE planned('reused', a || ' AND ' || b) IS DISTINCT FROM planned('reused', b || ' AND ' || a);
-- Bounds of different joins are not combined.
CREATE TABLE many (k int);
INSERT INTO many SELECT k FROM generate_series(1, 100) AS k, generate_series(1, 10);
ANALYZE many;
SELECT q_error(planned(replace(joins, '?', 'id'), 'true'), planned(replace(joins, '?', 'at'), 'true')) < 1.1 AS of_joins
FROM (VALUES ('predicate LEFT JOIN many AS a ON a.k = n % 100 AND ? >= timestamptz ''2016-05-01''
    LEFT JOIN many AS b ON b.k = n % 100 AND ? < timestamptz ''2016-04-01''')) AS j (joins);
-- The planner also derives clauses on a subquery from the arms of an OR in ON, and estimates these before it has
-- planned the subquery.
SELECT q_error(planned(replace(joins, '?', 'id'), 'true'), planned(replace(joins, '?', 'at'), 'true')) < 1.1 AS of_arms
FROM (VALUES ('many AS a LEFT JOIN (SELECT * FROM predicate OFFSET 0) AS p
    ON k < 50 AND ? >= timestamptz ''2016-01-05'' AND ? < timestamptz ''2016-08-01'' AND ? >= timestamptz ''2016-05-01''
        AND ? < timestamptz ''2016-05-08''
    OR k >= 50 AND ? >= timestamptz ''2016-01-06'' AND ? < timestamptz ''2016-08-02'' AND ? >= timestamptz ''2016-06-01''
        AND ? < timestamptz ''2016-06-08''')) AS j (joins);
-- An unknown bound does not weaken a known one.
SET plan_cache_mode = force_generic_plan;
PREPARE after_both (luuid) AS SELECT * FROM predicate WHERE id >= timestamptz '2016-09-01' AND id > $1;
PREPARE in_both (tstzrange) AS SELECT * FROM predicate WHERE id >= timestamptz '2016-09-06 12:00+00' AND id <@ $1;
SELECT planned('after_both (''00000000-0000-0000-0000-000000000000'')') BETWEEN 500 AND 700 AS after, planned('in_both (''empty'')') BETWEEN 40
    AND 60 AS within;
RESET plan_cache_mode;
DEALLOCATE ALL;

-- Each operand is evaluated as often as for a timestamptz, though the selectivity of each bound depends on the others.
CREATE SEQUENCE evaluated;
CREATE FUNCTION slow(operand anyelement) RETURNS anyelement LANGUAGE plpgsql STABLE AS $$ BEGIN PERFORM nextval('evaluated'); RETURN operand; END $$;
CREATE FUNCTION evaluations(query text, bound text, bounds int) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    began bigint := nextval('evaluated');
BEGIN
    EXECUTE (SELECT 'EXPLAIN ' || query || string_agg(format(bound, n), ' AND ') FROM generate_series(1, bounds) AS n);
    RETURN nextval('evaluated') - began;
END
$$;
SELECT bounds, at >= bounds AS any, id <= at AS as_often FROM unnest(ARRAY[2, 10, 100]) AS bounds,
    evaluations('SELECT FROM predicate WHERE ', 'at >= slow(timestamptz ''2016-01-01'' + interval ''%s days'')', bounds) AS at,
    evaluations('SELECT FROM predicate WHERE ', 'id >= slow(timestamptz ''2016-01-01'' + interval ''%s days'')', bounds) AS id;
-- That of a window is evaluated for each question about its clause, but not for the other clauses.
SELECT hundred <= 10 * ten AS in_proportion FROM (VALUES ('SELECT FROM predicate AS e JOIN predicate AS o ON ')) AS q (query),
    evaluations(query, 'e.id >= o.at + slow(interval ''%s s'')', 100) AS hundred,
    evaluations(query, 'e.id >= o.at + slow(interval ''%s s'')', 10) AS ten;
-- A range reads 24 pages at most, and none if it is switched off.
CREATE FUNCTION pages_read_for(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    index oid := 'bursty_id_idx'::regclass;
    began bigint := pg_stat_get_xact_blocks_fetched(index);
BEGIN
    EXECUTE 'EXPLAIN SELECT FROM bursty WHERE ' || condition;
    RETURN pg_stat_get_xact_blocks_fetched(index) - began;
END
$$;
SELECT said FROM unnest(ARRAY['id >= timestamptz ''2016-09-01''', 'id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-09-02''',
    'id < timestamptz ''2016-09-02'' AND id >= timestamptz ''2016-03-01''', 'id <@ tstzrange(''2016-03-01'', ''2016-09-02'')',
    'id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-09-02'' AND id > timestamptz ''2016-02-28''']) AS said
WHERE (pages_read_for(said) BETWEEN 3 AND 24) IS NOT TRUE;
SELECT pages_read_for('id >= timestamptz ''2016-09-02'' AND id < timestamptz ''2016-09-01''') AS empty;
SET luuid.enable_index_estimates = off;
SELECT pages_read_for('id >= timestamptz ''2016-09-01''') AS pages;
RESET luuid.enable_index_estimates;
-- Clauses of two columns, whose statistics one ANALYZE wrote, in turn.
CREATE TABLE two AS SELECT id AS made, luuid_generate(timestamptz '2026-01-01' + random() * interval '100 days') AS changed FROM predicate;
ANALYZE two;
SELECT q_error('two', 'made < timestamptz ''2016-03-01'' AND changed >= timestamptz ''2026-03-01'' AND made >= timestamptz ''2016-02-01'' '
    'AND changed < timestamptz ''2026-03-20''') < 1.3 AS of_two;

-- Partitions, inheritance children and indexes on expressions have statistics of their own.
CREATE TABLE parted (id luuid NOT NULL, n int) PARTITION BY RANGE (id);
CREATE TABLE parted_spring PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (luuid_floor('2016-05-01'));
CREATE TABLE parted_summer PARTITION OF parted FOR VALUES FROM (luuid_floor('2016-05-01')) TO (MAXVALUE);
INSERT INTO parted SELECT id, n FROM steady WHERE n < 25000;
CREATE TABLE parent (id luuid, n int);
CREATE TABLE child () INHERITS (parent);
INSERT INTO parent SELECT id, n FROM steady WHERE n < 5000;
INSERT INTO child SELECT id, n FROM steady WHERE n BETWEEN 5000 AND 24999;
CREATE TABLE document (body jsonb);
INSERT INTO document SELECT jsonb_build_object('id', id) FROM steady WHERE n < 25000;
CREATE FUNCTION id_of(jsonb) RETURNS luuid LANGUAGE sql IMMUTABLE AS $$ SELECT ($1 ->> 'id')::uuid::luuid $$;
CREATE INDEX ON document (id_of(body));
ANALYZE parted, parent, child, document;
SELECT relation, planned FROM unnest(ARRAY['parted', 'parent', 'document']) AS relation,
    LATERAL (SELECT CASE relation WHEN 'document' THEN 'id_of(body)' ELSE 'id' END AS subject) AS s,
    LATERAL (SELECT format('%1$s >= timestamptz ''2016-02-10'' AND %1$s < timestamptz ''2016-05-20''', subject) AS condition) AS c,
    LATERAL (SELECT planned(relation, condition), counted(relation, condition)) AS e WHERE q_error(planned, counted) > 1.1;

-- A partition's clauses are its parent's, which may have bounds of the parent alone.
SELECT planned('parted', '(id <@ tstzrange(now() - (now() - timestamptz ''2016-02-10''), now()) AND n >= 0) '
    'OR id <@ tstzrange(now() - (now() - timestamptz ''2016-05-10''), now())') BETWEEN 1000 AND 25000 AS of_parts;

-- A table with children has their size, whatever was counted in it alone.
CREATE TABLE root (id luuid, at timestamptz);
INSERT INTO root SELECT id, at FROM steady WHERE n < 10;
CREATE TABLE branch () INHERITS (root);
INSERT INTO branch SELECT id, at FROM steady WHERE n < 25000;
VACUUM ANALYZE root, branch;
ANALYZE root;
SELECT q_error(planned('root LEFT JOIN many ON id < timestamptz ''2016-02-01''', 'true'),
    planned('root LEFT JOIN many ON at < timestamptz ''2016-02-01''', 'true')) < 1.1 AS of_children;

-- Extended statistics on other columns still apply with a time range.
CREATE TABLE pair (id luuid, a int, b int);
INSERT INTO pair SELECT id, n % 10, n % 10 FROM steady WHERE n < 25000;
CREATE STATISTICS pair_ab (dependencies) ON a, b FROM pair;
ANALYZE pair;
SELECT q_error('pair', 'a = 1 AND b = 1 AND id >= timestamptz ''2016-03-01'' AND id < timestamptz ''2016-05-01''') < 1.2 AS close;

-- A join over one hour of each of two tables is planned for few rows.
CREATE TABLE again AS SELECT * FROM growing;
CREATE INDEX ON again (id);
VACUUM ANALYZE again;
SELECT plan_says('Join', format('SELECT * FROM growing JOIN again USING (n) WHERE growing.id <@ %1$L::tstzrange AND again.id <@ %1$L::tstzrange',
    tstzrange(begin, begin + interval '20 days'))) = 1 AS joins, count(*)
FROM (SELECT begin FROM slice WHERE width = '1 day') AS windows GROUP BY joins;

-- A join on the time of an id has one row per time, as one on two times has.
SELECT (explained('SELECT FROM (SELECT at AS t FROM growing LIMIT 100) AS few JOIN growing ON id = t')).cost < 2 *
    (explained('SELECT FROM (SELECT at AS t FROM growing LIMIT 100) AS few JOIN growing ON at = t')).cost AS cheap;
SELECT q_error(planned('(SELECT at AS t FROM growing LIMIT 100) AS few JOIN growing ON id = t', 'true'),
    planned('(SELECT at AS t FROM growing LIMIT 100) AS few JOIN growing ON at = t', 'true')) < 1.1 AS joined,
    planned('growing', 'id = at') < 1000 AS beside,
    plan_says('Nested Loop', 'SELECT FROM growing AS a WHERE EXISTS (SELECT FROM growing AS b WHERE b.id = a.at AND b.n % 10 = a.n % 10) '
        'AND n < 100') AS nested, plan_says('Index Cond', 'SELECT * FROM (SELECT at AS t FROM growing LIMIT 100) AS few JOIN growing ON id = t')
        AS asked;

-- A sample of a uuid column's times has few values of a sparse beginning, which is not treated as empty.
CREATE TABLE sparse AS SELECT kept FROM growing WHERE n % 10 = 0;
ALTER TABLE sparse ALTER kept SET STATISTICS 10;
ANALYZE sparse;
SELECT day, q_error('sparse', format('kept < timestamptz %L', timestamptz '2016-01-01 00:00+00' + day * interval '1 day')) < 4 AS close
    FROM unnest(ARRAY[20, 30]) AS day;

-- A comparison of the cast counts as true where its bounds stand beside it alone: not for a column without an index, an
-- array that has a column, or what the planner derives later. An arm of an OR counts by the rows within its bounds.
CREATE TABLE part AS SELECT id, v7 AS other, at, n, n % 17 AS k FROM steady WHERE n BETWEEN 0 AND 24999;
CREATE INDEX ON part (id);
ANALYZE part;
SELECT said FROM unnest(ARRAY['id::timestamptz >= ''2016-01-02'' AND other::timestamptz = ''2016-05-01'' '
    'AND other > luuid_floor(''2016-01-01 10:00'')',
    'id::timestamptz >= ''2016-01-02'' AND id::date = ANY (ARRAY[date ''2016-03-01'', at::date])',
        '(id::timestamptz >= ''2016-01-02'' AND n = 3) OR id::timestamptz < ''2016-01-01 00:30''',
    'id::timestamptz >= ''2016-01-02'' AND EXISTS (SELECT FROM steady AS s WHERE s.n = k AND part.id::timestamptz < ''2016-01-02 01:00'')']) AS said
WHERE (planned('part', said) < 1000) IS NOT TRUE;
SELECT planned('part JOIN growing AS g ON part.id::timestamptz = g.id::timestamptz',
    'g.id::timestamptz = ''2016-02-01'' AND part.id::timestamptz >= ''2016-01-02''') < 1000 AS derived;
-- A view's comparison of the id, which comes before the bounds, leaves them to be counted once. Nor does one of a function
-- of the id answer for an index on the id.
SELECT q_error('(SELECT * FROM part WHERE id >= luuid_floor(''2016-01-01 10:00'')) AS p', said) < 1.2 AS once
    FROM unnest(ARRAY['id::timestamptz < ''2016-01-02''', 'id::date = ''2016-01-05''']) AS said;
SELECT plan_says('Index Cond', 'SELECT FROM part WHERE luuid_floor(id::timestamptz + interval ''1 h'') < ''2016-02-01''::timestamptz '
    'AND id <@ daterange(''2016-01-05'', ''2016-01-06'')') AS by_id;
-- Nor do the bounds of a join take rows from a table that was never analyzed.
CREATE TABLE newest AS SELECT id, at, n FROM part WHERE n < 2000;
CREATE INDEX ON newest (n);
SELECT q_error(planned('newest JOIN part ON newest.id::timestamptz <= part.id::timestamptz', 'part.n = 5'),
    planned('newest JOIN part ON newest.at <= part.at', 'part.n = 5')) < 1.1 AS as_times;
-- A range ends where it does from the other side too.
DROP INDEX newest_n_idx;
ANALYZE newest;
SELECT q_error(planned(replace(joined, '?', 'id'), 'part.n % 200 = 17'), counted(replace(joined, '?', 'at'), 'part.n % 200 = 17')) < 1.5 AS
    from_outside
FROM (VALUES ('part JOIN newest ON newest.? <@ tstzrange(part.?::timestamptz, part.?::timestamptz + interval ''1 hour'')')) AS j (joined);
-- An index on one column's time is chosen by the comparisons with that. It takes nothing from those with another column's, or another table's.
CREATE INDEX ON part ((id::timestamptz));
ANALYZE part;
SELECT relation, said FROM (VALUES ('part', '?::timestamptz >= ''2016-01-01 10:00'' AND @::timestamptz >= ''2016-03-01'' '
    'AND @::timestamptz < ''2016-03-03'''),
    ('part JOIN growing AS g ON g.?::timestamptz >= part.?::timestamptz AND g.?::timestamptz < part.?::timestamptz + interval ''1 day''',
        'part.n % 200 = 17')) AS v (relation, said)
WHERE (q_error(planned(replace(relation, '?', 'id'), replace(replace(said, '?', 'id'), '@', 'other')), counted(replace(relation, '?', 'at'),
    regexp_replace(said, '[?@]', 'at', 'g'))) <= 1.5) IS NOT TRUE;

-- An estimate does not reveal rows that the user may not see: an operator that is not leakproof gets no statistics of
-- rows that a view hides.
CREATE TABLE secret AS SELECT id, n FROM growing;
ANALYZE secret;
CREATE VIEW shown WITH (security_barrier) AS SELECT * FROM secret WHERE n IS NOT NULL;
CREATE VIEW estimates AS SELECT relation, count(DISTINCT rows_at('on secret', format('SELECT * FROM %s WHERE id < %L', relation,
    luuid_floor(timestamptz '2016-01-01' + month * interval '1 month')))) FROM unnest(ARRAY['secret', 'shown']) AS relation,
    generate_series(1, 6) AS month GROUP BY relation;
TABLE estimates;
BEGIN;
ALTER FUNCTION luuid_lt(luuid, luuid) NOT LEAKPROOF;
TABLE estimates;
ROLLBACK;
-- Rows newer than the statistics are not counted if row security hides rows.
CREATE TABLE hidden (id luuid, owner name) WITH (autovacuum_enabled = off);
CREATE TABLE kept_back (LIKE hidden) WITH (autovacuum_enabled = off);
CREATE TABLE kept_back_parted (LIKE hidden) PARTITION BY RANGE (id);
CREATE TABLE kept_back_part PARTITION OF kept_back_parted DEFAULT WITH (autovacuum_enabled = off);
CREATE TABLE forced (LIKE hidden) WITH (autovacuum_enabled = off);
SELECT FROM unnest(ARRAY['hidden', 'kept_back', 'kept_back_part', 'forced']) AS kept, executed(format('CREATE INDEX ON %1$s (id);
    INSERT INTO %1$s SELECT id, ''somebody'' FROM steady WHERE n < 5000; ANALYZE %1$s', kept));
ANALYZE kept_back_parted;
SELECT FROM unnest(ARRAY['hidden', 'kept_back', 'kept_back_part', 'forced']) AS kept, executed(format(
    'INSERT INTO %s SELECT id, ''somebody'' FROM steady WHERE n BETWEEN 25000 AND 25999', kept));
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON hidden USING (owner = current_user);
CREATE ROLE regress_luuid_reader;
GRANT SELECT ON hidden TO regress_luuid_reader;
-- How many estimates a user gets of ten ranges, each a day longer.
CREATE FUNCTION answers(relation text) RETURNS bigint LANGUAGE sql AS $$
    SELECT count(DISTINCT rows_at('Bitmap Index Scan', format('SELECT * FROM %s WHERE id >= timestamptz ''2016-03-01'' AND id < timestamptz %L',
        relation, timestamptz '2016-09-06 00:00+00' + day * interval '1 day'))) FROM generate_series(1, 10) AS day $$;
CREATE FUNCTION answers(relation text, role name) RETURNS int LANGUAGE sql AS
    $$ SELECT answer_after('SET LOCAL ROLE regress_luuid_' || role, format('SELECT answers(%L)', relation))::int $$;
CALL plan_without('seqscan', 'indexscan');
SELECT answers('hidden', 'reader') AS of_reader, answers('hidden') > 5 AS of_superuser;
-- Nor if a view hides them whose owner sees them: a security barrier view, a view over one, one over partitions, or one
-- over row security that is forced on the owner. A user who may read the table itself gets the count.
CREATE ROLE regress_luuid_owner;
GRANT CREATE ON SCHEMA test TO regress_luuid_owner;
GRANT SELECT ON kept_back, kept_back_parted TO regress_luuid_owner;
ALTER TABLE forced OWNER TO regress_luuid_owner;
ALTER TABLE forced ENABLE ROW LEVEL SECURITY;
ALTER TABLE forced FORCE ROW LEVEL SECURITY;
CREATE POLICY own ON forced USING (owner = current_user);
SET ROLE regress_luuid_owner;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM kept_back WHERE owner = current_user;
CREATE VIEW over_barrier AS SELECT id, owner FROM barrier;
CREATE VIEW barrier_of_parts WITH (security_barrier) AS SELECT * FROM kept_back_parted WHERE owner = current_user;
CREATE VIEW barrier_of_forced WITH (security_barrier) AS SELECT * FROM forced;
GRANT SELECT ON barrier, over_barrier, barrier_of_parts, barrier_of_forced TO regress_luuid_reader;
RESET ROLE;
-- A SECURITY DEFINER function is planned as its owner, whoever calls it.
CREATE FUNCTION answers_as_owner(text) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT answers($1)';
CREATE FUNCTION answers_as_reader(text) RETURNS bigint LANGUAGE sql SECURITY DEFINER AS 'SELECT answers($1)';
ALTER FUNCTION answers_as_owner(text) OWNER TO regress_luuid_owner;
ALTER FUNCTION answers_as_reader(text) OWNER TO regress_luuid_reader;
SELECT relation, to_reader, to_owner, as_reader, as_owner FROM unnest(ARRAY['barrier', 'over_barrier', 'barrier_of_parts']) AS relation,
    answers(relation, 'reader') AS to_reader, answers(relation, 'owner') AS to_owner,
    answer_after('SET LOCAL ROLE regress_luuid_owner', format('SELECT answers_as_reader(%L)', relation)) AS as_reader,
    answer_after('SET LOCAL ROLE regress_luuid_reader', format('SELECT answers_as_owner(%L)', relation)) AS as_owner
WHERE (to_reader = 1 AND to_owner > 5 AND as_reader = '1' AND as_owner::int > 5) IS NOT TRUE;
SELECT answers('kept_back', 'owner') > 5 AS of_owner, answer_after('SET LOCAL ROLE regress_luuid_reader',
    'SELECT answers_as_owner(''kept_back'') > 5') AS as_owner, answers('forced', 'owner') AS forced,
    answers('barrier_of_forced', 'owner') AS barrier_of_forced, answers('barrier_of_forced', 'reader') AS to_reader;
GRANT SELECT ON kept_back TO regress_luuid_reader;
SELECT answers('barrier', 'reader') > 5 AS may_read_the_table;
ALTER TABLE kept_back ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON kept_back TO regress_luuid_reader USING (owner = current_user);
CREATE POLICY owners ON kept_back TO regress_luuid_owner USING (true);
SELECT answers('barrier', 'reader') AS but_not_its_rows;
DROP OWNED BY regress_luuid_owner;
DROP ROLE regress_luuid_owner;
-- A table that was never analyzed has no statistics whose rights the server checks: those of the column are.
CREATE TABLE unseen (id luuid, n int) WITH (autovacuum_enabled = off);
INSERT INTO unseen SELECT id, n FROM steady WHERE n < 27000;
CREATE INDEX ON unseen (id);
GRANT SELECT ON unseen TO regress_luuid_reader;
SELECT answers('unseen', 'reader') AS of_table;
REVOKE SELECT ON unseen FROM regress_luuid_reader;
GRANT SELECT (id, n) ON unseen TO regress_luuid_reader;
SELECT answers('unseen', 'reader') AS of_columns;
ALTER TABLE unseen ENABLE ROW LEVEL SECURITY;
CREATE POLICY odd ON unseen USING (n % 2 = 1);
SELECT answers('unseen', 'reader') AS of_policy;
CALL plan_without();
-- An operator that is not leakproof gets no estimate there, and the bounds beside it have theirs.
ALTER POLICY own ON hidden USING (owner IS NOT NULL);
SET ROLE regress_luuid_reader;
SELECT planned('hidden', bounds || ' AND ' || slice) AS of_slice, q_error(planned('hidden', bounds), counted('hidden', bounds)) < 1.3 AS of_bounds
FROM (VALUES ('id >= timestamptz ''2016-01-05'' AND id < timestamptz ''2016-02-05''',
    'id <@ (SELECT tstzrange(''2016-01-01'', ''2016-03-01''))')) AS b (bounds, slice);
RESET ROLE;
DROP OWNED BY regress_luuid_reader;
DROP ROLE regress_luuid_reader;
-- An operator that names our estimators need not compare ids.
CREATE FUNCTION int_lt_again(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 < $2; END';
CREATE OPERATOR <<< (FUNCTION = int_lt_again, LEFTARG = int, RIGHTARG = int, RESTRICT = luuid_timesel);
CREATE OPERATOR @@@ (FUNCTION = int_lt_again, LEFTARG = int, RIGHTARG = int, RESTRICT = luuid_timesel);
SELECT planned('steady', 'n <<< 5') BETWEEN 1 AND 50000 AS lesser, planned('steady', 'n @@@ 5') BETWEEN 1 AND 50000 AS within;

-- Statistics that ANALYZE would not compute cause no failure, and every estimate stays in range.
CREATE TABLE odd AS SELECT id, at FROM mixed;
CREATE INDEX ON odd (id);
ANALYZE odd;
CREATE FUNCTION odd_estimates() RETURNS boolean LANGUAGE sql AS $$
    SELECT bool_and(sane) FROM (
    SELECT bool_and(planned('odd', condition) BETWEEN 1 AND 16000) AS sane
        FROM unnest(ARRAY['id >= timestamptz ''2016-05-01'' AND id < timestamptz ''2016-06-01''',
        'id >= timestamptz ''2016-05-01''', 'id < timestamptz ''2016-05-01''', 'id <@ ''{[2016-05-01,2016-06-01),[2016-07-01,)}''::tstzmultirange',
        'id = timestamptz ''2016-05-01''', 'id = (SELECT now())']) AS condition
    UNION ALL
    SELECT bool_and(planned('odd AS a JOIN odd AS b ON ' || condition, 'true') BETWEEN 1 AND 16000 * 16000)
    FROM unnest(ARRAY['b.id >= a.id', 'b.id >= a.id AND b.id < a.id::timestamptz + interval ''1 day''',
        'b.id > a.at AND b.id < a.at + interval ''1 day'' AND a.id > ''2016-05-01''::timestamptz']) AS condition) AS e
$$;
SELECT change FROM unnest(ARRAY['stanullfrac = stanullfrac', 'stanullfrac = ''NaN'', stadistinct = ''NaN''',
    'stadistinct = ''NaN'', stanullfrac = -5, stanumbers1 = ''{1e30,-1e30,NaN,infinity}''',
    'stanullfrac = -5, stanumbers1 = array_fill(''infinity''::float4, ARRAY[array_length(stavalues1::text::text[], 1)])',
    -- A histogram of another type; then one value, equal values, nil alone, and all kinds of ids in byte order.
    'stavalues2 = (SELECT stavalues2 FROM pg_statistic WHERE starelid = ''odd''::regclass AND staattnum = 2)']) AS change
WHERE answer_after(format('UPDATE pg_statistic SET %s WHERE starelid = ''odd''::regclass AND staattnum = 1', change), 'SELECT odd_estimates()')
    IS DISTINCT FROM 'true';
CREATE TABLE shape (name text, elements uuid[]);
INSERT INTO shape SELECT name, elements FROM generate_series(1, 10), (VALUES
    ('one', ARRAY[luuid_floor('2016-05-01')::uuid]), ('equal', array_fill(luuid_floor('2016-05-01')::uuid, ARRAY[7])),
    ('nil', array_fill('00000000-0000-0000-0000-000000000000'::uuid, ARRAY[3])),
    ('every kind', (SELECT array_agg(u) FROM (SELECT u FROM hard LIMIT 90) AS few))) AS v (name, elements);
CREATE FUNCTION with_shape(shape text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TEMP TABLE shaped AS SELECT elements FROM shape WHERE name = %L', shape);
    ANALYZE shaped;
    FOR slot IN 1..5 LOOP
        EXECUTE format($i$ UPDATE pg_statistic SET stakind2 = 2, stavalues2 = e.values
            FROM (SELECT stavalues%1$s AS values FROM pg_statistic WHERE starelid = 'shaped'::regclass AND stakind%1$s = 4) AS e
            WHERE starelid = 'odd'::regclass AND staattnum = 1 $i$, slot);
    END LOOP;
    DROP TABLE shaped;
    RETURN odd_estimates();
END
$$;
SELECT with_shape('one'), with_shape('equal'), with_shape('nil'), with_shape('every kind');
