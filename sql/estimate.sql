-- Estimates: the rows that the planner expects of a time range, compared with the actual rows, and with its estimate for a timestamptz column with
-- the same times. Most tables are small enough for ANALYZE to read all rows, so that nothing is random.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- The q-errors of estimates. The query that reads them has the limits of their median, 95th percentile and maximum.
CREATE TABLE measured (test text, name text, subject text, q float NOT NULL);

-- 25 000 rows in 250 days: at a constant rate, at a growing one, and with empty nights. 25 ranges of each width.
CREATE TABLE rate AS SELECT unnest(ARRAY['steady', 'growing', 'bursty']) AS name;
SELECT FROM rate, executed(format('CREATE TABLE %1$I (at timestamptz, id luuid, v7 luuid, kept uuid, kept_v7 uuid, n int)
    WITH (autovacuum_enabled = off); SELECT fill(%1$L, %1$L, 0, 24999); CREATE INDEX ON %1$I (at); CREATE INDEX ON %1$I (id);
    CREATE INDEX ON %1$I (v7); CREATE INDEX ON %1$I (kept uuid_time_ops)', name));
VACUUM ANALYZE steady, growing, bursty;
CREATE TABLE slice AS SELECT width, timestamptz '2016-01-01' + fraction('s' || n) * (interval '250 days' - width) AS begin
FROM generate_series(1, 25) AS n, unnest(ARRAY['1 minute', '1 hour', '1 day', '25 days', '125 days']::interval[]) AS width;
INSERT INTO measured SELECT 'range', name, subject, q_error(planned(format('%I WHERE %s', name, during(subject, begin, begin + width))),
    counted(format('%I WHERE %s', name, during('at', begin, begin + width))))
FROM rate, slice, unnest(ARRAY['at', 'id', 'v7', 'kept', 'kept_v7']) AS subject;

-- Five distributions, and a table that was never analyzed, from ten minutes to five days: the 95th percentile of an index
-- is at most 1.2, whatever that of a timestamptz is.
CREATE TABLE distribution AS SELECT unnest(ARRAY['steady', 'nights', 'bursts', 'growth', 'newer', 'never analyzed']) AS name;
SELECT FROM distribution, LATERAL format('%I', 'of ' || name) AS relation,
    executed(format('CREATE TABLE %1$s (at timestamptz, id luuid, kept uuid) WITH (autovacuum_enabled = off);
        INSERT INTO %1$s SELECT at, luuid_generate(at), luuid_generate_v7(at)::uuid FROM times(%2$L, %3$s) AS at;
        CREATE INDEX ON %1$s (at); CREATE INDEX ON %1$s (id); CREATE INDEX ON %1$s (kept uuid_time_ops)', relation,
        replace(name, 'never analyzed', 'nights'), CASE name WHEN 'newer' THEN 40000 ELSE 50000 END));
VACUUM ANALYZE "of steady", "of nights", "of bursts", "of growth", "of newer";
INSERT INTO "of newer" SELECT t, luuid_generate(t), luuid_generate_v7(t)::uuid
FROM times('newer', 10000) AS at, LATERAL (SELECT at + interval '150 days' AS t) AS n;
CREATE TABLE range AS SELECT begin, begin + interval '10 minutes' * 720 ^ (n % 20 / 19.0) AS "end" FROM generate_series(1, 40) AS n,
    LATERAL (SELECT timestamptz '2026-01-05' + fraction('r' || n) * interval '145 days' AS begin) AS b;
INSERT INTO measured SELECT 'distribution', name, subject, q_error(planned(relation || during(subject, begin, "end")),
    counted(relation || during('at', begin, "end")))
FROM distribution, range, unnest(ARRAY['id', 'id::timestamptz', 'kept']) AS subject, LATERAL format('%I WHERE ', 'of ' || name) AS relation;
-- Windows of ten minutes, an hour and a day beside the rows of such ranges, with none and 30 % of the ids untimed.
CREATE VIEW joined AS SELECT name, q_error(format('%1$I AS o JOIN %1$I AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval %2$L AND %3$s',
    'of ' || name, width, during('o.?', begin, "end"))) AS q
FROM distribution, range, unnest(ARRAY['10 minutes', '1 hour', '1 day']) AS width WHERE "end" - begin < interval '12 hours';
INSERT INTO measured SELECT 'join', name, 'all timed', q FROM joined;
SELECT FROM distribution, executed(format('INSERT INTO %1$I (id) SELECT overlay(digits(%1$L || n) PLACING ''4'' FROM 13 FOR 1)::uuid
    FROM generate_series(1, 21400) AS n', 'of ' || name));
INSERT INTO measured SELECT 'join', name, 'untimed', q FROM joined;

-- Ranges whose leaf pages differ from those at their ends: rows were deleted in part, several rows share an id, or are NULL. And
-- tables whose rows pg_class does not have: never analyzed, empty at VACUUM, or with wider rows since ANALYZE. If it has none,
-- the test estimates all rows of the table too. Each has about 60 000 rows, except those with wide ones.
CREATE TABLE kind (name text, rows int, copies text, payload int, change text, more text);
INSERT INTO kind VALUES
    ('wide, never analyzed', 9000, '1', 1500, '', ''),
    ('no row at VACUUM', 20000, '1', 0, 'DELETE FROM %I', 'INSERT INTO %I SELECT n, at, luuid_generate(at) FROM generate_series(1, 60000) AS n, '
        'LATERAL (SELECT timestamptz ''2026-01-01'' + n * interval ''144 s'' AS at) AS t'),
    ('third days thinned', 60000, '1', 0, 'DELETE FROM %I WHERE n / 600 %% 3 = 0 AND n %% 20 <> 0', ''),
    ('foreign key in batches', 12000, 'CASE WHEN n / 120 % 5 = 0 THEN 25 ELSE 1 END', 0, '', ''),
    ('half nulls', 60000, '1', 0, 'UPDATE %I SET id = NULL WHERE n %% 2 = 1', ''),
    ('wider since ANALYZE', 40000, '1', 40, '', 'INSERT INTO %1$I SELECT n, at, luuid_generate(at), repeat(''x'', 1000) FROM '
        '(SELECT n, at + interval ''100 days'' AS at FROM %1$I WHERE n <= 8000) AS s');
SELECT FROM kind, executed(format('CREATE TABLE %1$I (n int, at timestamptz, id luuid, payload text)
    WITH (autovacuum_enabled = off, vacuum_truncate = off);
    ALTER TABLE %1$I ALTER payload SET STORAGE plain; CREATE INDEX ON %1$I (id); CREATE INDEX ON %1$I (at);
    INSERT INTO %1$I SELECT n, at, id, repeat(''x'', %2$s) FROM generate_series(1, %3$s) AS n,
        LATERAL (SELECT timestamptz ''2026-01-01'' + n * (interval ''100 days'' / %3$s) AS at) AS t,
        LATERAL (SELECT luuid_generate(at) AS id OFFSET 0) AS i, generate_series(1, %4$s)', name, payload, rows, copies));
SELECT FROM kind, executed(format(change, name));
VACUUM ANALYZE "no row at VACUUM", "third days thinned", "foreign key in batches", "half nulls", "wider since ANALYZE";
SELECT FROM kind, executed(format(more, name));
INSERT INTO measured SELECT 'kind', name, 'id', q_error(planned(format('%I WHERE %s', name, during('id', begin, begin + width))),
    counted(format('%I WHERE id IS NOT NULL AND %s', name, during('at', begin, begin + width))))
FROM kind, generate_series(1, 100) AS n,
    LATERAL (SELECT timestamptz '2026-01-01' + n * 37 % 100 * interval '1 day' AS begin, exp(n % 20 * 0.4) * interval '1 h' AS width) AS r;
SELECT name, round((planned(format('%I', name)) / counted(format('%I', name)))::numeric, 2) AS all
FROM kind WHERE name ~ 'never|no row' ORDER BY name;

-- Windows: bounds at a constant distance from another row's time. For each of 250 rows of another table with the same
-- times, the rows that the planner expects of an index scan are compared with those in the window of that row.
SELECT FROM rate, executed(format('CREATE TABLE %1$I AS SELECT * FROM %2$I WHERE n %% 100 = 17; ANALYZE %1$I', name || '_visit', name));
SELECT FROM rate, unnest(ARRAY['1 hour', '1 day', '25 days']) AS width, LATERAL format('%I AS o LEFT JOIN %I AS e ON e.? >= o.?::timestamptz
    AND e.? < o.?::timestamptz + interval %L', name || '_visit', name, width) AS windows,
    executed(format('INSERT INTO measured SELECT ''window'', %L, ''id'', q_error(%s / 250, count(e.at)) FROM %s GROUP BY o.n', name,
        planned(replace(windows, '?', 'id')), replace(windows, '?', 'at')));
SELECT test, count(*) AS subjects, string_agg(concat_ws(' ', name, subject, q), ', ') FILTER (WHERE (q[1] <= median AND q[2] <= high
    AND q[3] <= most) IS NOT TRUE) AS far
FROM (SELECT test, name, subject, percentile_cont(ARRAY[0.5, 0.95, 1]) WITHIN GROUP (ORDER BY q) AS q FROM measured
    WHERE subject NOT IN ('at', 'kept_v7') GROUP BY test, name, subject) AS m
    JOIN (VALUES ('range', 1.05, 1.2, 99), ('distribution', 1.05, 1.2, 1.5), ('join', 1.5, 4, 99), ('kind', 2, 1.2, 2), ('window', 2, 5, 99))
    AS v (test, median, high, most) USING (test) GROUP BY test ORDER BY test;
-- Without an index, those of a timestamptz; those of a uuid column are of a sample.
SELECT count(*) FILTER (WHERE of_time[1] > 0 AND q[1] <= of_time[1] * 1.01 AND q[2] <= of_time[2] * 1.1) AS as_times
FROM (SELECT percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY q) FILTER (WHERE subject = 'at') AS of_time,
    percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY q) FILTER (WHERE subject = 'kept_v7') AS q
    FROM measured WHERE test = 'range' GROUP BY name) AS m;

-- Every form of a time range: each within a tenth of the actual rows. Several bounds in any order; one bound only; under OR,
-- with other clauses, and within an arm with another clause; columns are independent; bounds of a stable expression; empty.
SELECT * FROM beyond(1.1, 'steady WHERE ', $$id >= @2016-03-01 AND id < @2016-04-01; @2016-03-01 <= id AND @2016-04-01 > id;
    id BETWEEN @2016-03-01 AND @2016-04-01; id >= luuid_floor('2016-03-01') AND id < luuid_floor('2016-04-01')::uuid;
    id <@ tstzrange('2016-03-01', '2016-04-01'); id <@ '[2016-03-01,2016-04-01)'; id <@ luuid_range(daterange('2016-03-01', '2016-04-01'));
    luuid_range(tsrange('2016-03-01', '2016-04-01')) @> id; kept_v7 >= @2016-03-01 AND kept_v7 < @2016-04-01;
    id < @2016-06-01 AND id >= @2016-02-01 AND id < @2016-04-01 AND id > @2016-03-01;
    id <@ tstzrange('2016-02-01', '2016-04-01') AND id >= @2016-03-01; id >= @2016-03-01; id < @2016-03-01;
    id >= @2016-03-01 AND id < @2016-03-08 OR id >= @2016-05-01 AND id < @2016-05-08;
    id <@ tstzrange('2016-03-01', '2016-03-08') AND n >= 0 OR id <@ tstzrange('2016-05-01', '2016-05-08') AND n >= 0;
    n >= 0 AND (id >= @2016-03-01 AND id < @2016-04-01 OR n < 0); NOT (id < @2016-03-01 OR id >= @2016-04-01);
    id >= @2016-03-01 AND n >= 0 AND id < @2016-04-01 AND n < 100000; id >= @2016-03-01 AND id < now() - (now() - @2016-04-01);
    id >= @2016-04-01 AND id < @2016-03-01; id <@ 'empty'::tstzrange; id::timestamptz <@ '{}'::tstzmultirange; id <@ NULL::tstzrange;
    id >= NULL::timestamptz; id = @2016-03-01; id >= @2017-01-01 AND id < @2017-02-01;
    id < @2015-01-01 AND id >= '00000000-0000-0000-0000-000000000000'; id >= timestamptz '-infinity' AND id <= timestamptz 'infinity'$$);
SELECT * FROM beyond(1.5, 'steady WHERE ', $$kept #>=# luuid_floor('2016-03-01')::uuid AND kept #<# luuid_floor('2016-04-01')::uuid$$);
SELECT * FROM beyond(10, 'steady WHERE ', $$id::timestamptz <@ (SELECT range_agg(tstzrange(day, day + interval '1 h')) FROM
    generate_series(@2016-03-01, '2016-06-01', '1 day') AS day)$$);
-- A range outside all times has no rows.
SELECT planned('steady WHERE id >= @2017-01-01') AS later, planned('steady WHERE id < @2015-01-01') AS earlier;

-- Parameters: their values in a custom plan; the server's defaults for one bound and for two in a generic plan. There too
-- the width of a window is known: the planner expects the window of any of the rows.
PREPARE of_times (timestamptz, timestamptz) AS SELECT FROM steady WHERE id >= $1 AND id < $2;
PREPARE of_range (tstzrange) AS SELECT FROM steady WHERE id <@ $1;
PREPARE of_time (timestamptz) AS SELECT FROM steady WHERE id >= $1;
PREPARE at_time (timestamptz) AS SELECT FROM steady WHERE id = $1;
PREPARE at_cast (timestamptz) AS SELECT FROM steady WHERE id::timestamptz = $1;
PREPARE of_cast (timestamptz) AS SELECT FROM steady WHERE id::timestamptz >= $1;
PREPARE twin (timestamptz, timestamptz) AS SELECT FROM steady WHERE at >= $1 AND at < $2;
PREPARE window_of (timestamptz) AS SELECT FROM steady WHERE id >= luuid_floor($1) AND id < luuid_floor($1 + interval '1 day');
PREPARE window_in (timestamptz) AS SELECT FROM steady WHERE id <@ tstzrange($1 - interval '12 hours', $1 + interval '12 hours');
PREPARE window_after (luuid) AS SELECT FROM steady WHERE id > $1 AND id <= $1::timestamptz + interval '1 day';
PREPARE window_before (luuid) AS SELECT FROM steady WHERE id > $1;
SET plan_cache_mode = force_custom_plan;
SELECT said, (explained('EXECUTE ' || said)).rows BETWEEN 2900 AND 3300 AS is_known
FROM cases($$of_times ('2016-03-01', '2016-04-01'); of_range ('[2016-03-01,2016-04-01)')$$);
SET plan_cache_mode = force_generic_plan;
SELECT string_agg(said || ' ' || (explained('EXECUTE ' || said)).rows, ', ') FROM cases('of_times (NULL, NULL); of_range (NULL); twin (NULL, NULL);
    of_time (NULL); of_cast (NULL); at_time (NULL); at_cast (NULL); window_before (NULL)');
SELECT said FROM cases('window_of (NULL); window_in (NULL); window_after (NULL)')
WHERE (q_error((explained('EXECUTE ' || said)).rows, 100) < 1.1) IS NOT TRUE;
RESET plan_cache_mode;
-- A time that is not known counts once, beside whatever bounds it has, with statistics and without.
CREATE TABLE fresh (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO fresh SELECT * FROM steady;
CREATE INDEX ON fresh (id);
SELECT relation, said FROM unnest(ARRAY['steady', 'fresh']) AS relation, cases($$?::timestamptz >= #; # > ?::timestamptz;
    ?::timestamptz >= # AND ?::timestamptz < #; ?::timestamptz <@ tstzrange(#, #); ?::date >= #::date; ?::date = #::date;
    ?::timestamptz >= # OR ?::date < #$$) WHERE (as_times(relation || ' WHERE ' || replace(said, '#', '(SELECT @2016-03-01)')) <= 1.01) IS NOT TRUE;

-- Every form of a window of a day, within a tenth.
SELECT said FROM cases($$e.id >= o.id::timestamptz AND e.id < o.id::timestamptz + interval '1 day';
    e.id < o.id::timestamptz + interval '1 day' AND o.id::timestamptz <= e.id; e.id <@ tstzrange(o.id::timestamptz, o.id::timestamptz + '1 day');
    tstzrange(o.at, o.at + '1 day', '[]') @> e.id; e.id >= o.id AND e.id <= luuid_ceiling(o.id::timestamptz + interval '1 day');
    e.v7 > o.at AND e.v7 < o.at + interval '1 day'; e.id BETWEEN o.at - interval '12 hours' AND o.at + interval '12 hours';
    e.kept #>=# o.id::uuid AND e.kept #<# luuid_floor(o.id::timestamptz + interval '24 hours')::uuid;
    e.id >= luuid_floor(o.id::timestamptz) AND e.id < luuid_floor(o.id::timestamptz + interval '1 day');
    o.id <= e.id AND luuid_floor(e.id::timestamptz - interval '1 day') < o.id; e.id >= t AND e.id < t + interval '1 day';
    e.id >= o.at AND e.n >= 0 AND e.id >= o.at - interval '1 hour' AND e.id < o.at + interval '1 day' AND e.id < o.at + interval '2 days';
    e.id >= o.at AND e.id < o.at + interval '1 day' AND e.id < o.at + interval '1 day'$$)
WHERE (q_error(planned('(SELECT *, at + interval ''1 h'' AS t FROM steady_visit) AS o JOIN steady AS e ON ' || said), 25000) <= 1.1) IS NOT TRUE;
-- One bound, of columns with the same times, of which half of the pairs pass, and with different ones. Bounds that are known
-- restrict the rows of either table. No null is in a window.
CREATE TABLE half AS SELECT CASE WHEN n % 2 = 0 THEN id END AS id, CASE WHEN n % 2 = 0 THEN at END AS at FROM steady;
ANALYZE half;
SELECT * FROM beyond(1.05, '', 'steady_visit AS o JOIN steady AS e ON e.? >= o.?; growing_visit AS o JOIN steady AS e ON e.? < o.at');
SELECT * FROM beyond(1.1, '', 'steady_visit AS o JOIN half AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval ''1 day''');
SELECT * FROM beyond(1.2, '', $$
    growing_visit AS o JOIN growing AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval '1 day' AND o.? >= @2016-08-01;
    steady_visit AS o JOIN steady AS e ON e.? >= o.? AND e.? < o.?::timestamptz + interval '1 day' AND o.? < @2016-02-01 AND e.? < @2016-02-01$$);
-- Rows of one second of each minute in half an hour of every 60: 1275 pairs in each second. Rows count as evenly spread between
-- two of at most 300 points, of which a range of hours has enough for such a second, and one of weeks has not.
CREATE TABLE burst (id luuid) WITH (autovacuum_enabled = off);
CREATE INDEX ON burst (id);
INSERT INTO burst SELECT luuid_generate(timestamptz '2026-01-01' + n / 1500 * interval '60 h' + n % 1500 / 50 * interval '1 min'
    + n % 50 * interval '20 ms') FROM generate_series(0, 59999) AS n;
VACUUM ANALYZE burst;
SELECT hours, seconds * 1275 / planned('burst AS o JOIN burst AS e ON e.id >= o.id AND e.id < o.id::timestamptz + interval ''1 s'''
    || format(' WHERE o.id < timestamptz ''2026-01-01'' + interval ''%s h''', hours)) BETWEEN 1 AND most AS close
FROM (VALUES (20, 30, 3.5), (2400, 1200, 40)) AS w (hours, seconds, most);
-- A semijoin has the rows with a pair, and an antijoin the others.
SELECT * FROM beyond(1.1, 'steady AS e WHERE ', $$EXISTS (SELECT FROM steady_visit AS o WHERE e.? < o.?);
    EXISTS (SELECT FROM steady_visit AS o WHERE e.? >= o.? AND e.? < o.?::timestamptz + interval '4 hours');
    NOT EXISTS (SELECT FROM steady_visit AS o WHERE e.? >= o.? AND e.? < o.?::timestamptz + interval '4 hours');
    EXISTS (SELECT FROM steady_visit AS o WHERE e.? = o.at); NOT EXISTS (SELECT FROM steady_visit AS o WHERE e.? = o.at)$$);
SELECT planned('steady_visit AS o WHERE NOT EXISTS (SELECT FROM steady AS e WHERE e.id = o.at)') AS without;
-- A join on times that repeat.
CREATE TABLE daily AS SELECT date_trunc('day', at) AS day FROM steady;
CREATE TABLE midnight AS SELECT DISTINCT day AS at, luuid_floor(day) AS id FROM daily;
ANALYZE daily, midnight;
SELECT * FROM beyond(1.1, 'daily JOIN midnight ON ', '? = day');
SELECT * FROM beyond(1.1, 'steady AS e WHERE ', 'EXISTS (SELECT FROM daily WHERE e.? = day)');
-- An index that answers only the later clause does not use the earlier one.
CREATE FUNCTION cost(query text) RETURNS float LANGUAGE sql RETURN (explained('SELECT FROM ' || query)).cost;
SELECT cost(replace(joined, '%', 'o.id <= luuid_ceiling(e.id::timestamptz)')) > 0.5 * cost(replace(joined, '%', 'true')) AS as_later,
    answer_after('CREATE INDEX ON steady_visit USING brin (id)', format('SELECT cost(%L) > 0.5 * cost(%L)',
        replace(ordered, '%', 'o.id < luuid_floor(e.id::timestamptz + interval ''5 minutes'')'), replace(ordered, '%', 'true'))) AS by_pages
FROM (VALUES ('steady_visit AS o JOIN steady AS e ON o.n < 1000 AND % AND e.id < luuid_floor(o.id::timestamptz + interval ''5 minutes'')',
    'steady_visit AS o JOIN steady AS e ON o.n < 1000 AND o.id >= e.id AND %')) AS j (joined, ordered);
-- A window of few rows is worth an index scan for each outer row.
SELECT plan_says('Nested Loop', 'SELECT * FROM steady AS o JOIN steady AS e ON e.n % 10 = o.n % 10 AND e.id >= luuid_floor(o.id::timestamptz) '
    'AND e.id < luuid_floor(o.id::timestamptz + interval ''5 minutes'')') AS nested;
-- Byte order: an eighth of the ids by their first bits is an eighth of the rows; so is a shard.
SELECT shard FROM generate_series(0, 7) AS shard WHERE (q_error(format('steady WHERE id ~>=~ %L AND id ~<~ %L', luuid_shard_floor(shard, 8),
    coalesce(luuid_shard_floor(nullif(shard + 1, 8), 8), 'ffffffff-ffff-ffff-ffff-ffffffffffff'))) <= 2.5) IS NOT TRUE;

-- Nulls, most common values and untimed ids are counted as such.
CREATE TABLE mixed (id luuid, at timestamptz) WITH (autovacuum_enabled = off);
INSERT INTO mixed SELECT id, at FROM steady WHERE n % 5 = 0 UNION ALL SELECT NULL, NULL FROM generate_series(1, 2000)
    UNION ALL SELECT id, at FROM steady, generate_series(1, 3000) WHERE n = 12345
    UNION ALL SELECT unnest(ARRAY[digits('m' || n)::uuid, id_at(4, 0, digits('4' || n))]), NULL FROM generate_series(1, 3000) AS n;
VACUUM ANALYZE mixed;
SELECT id AS common FROM steady WHERE n = 12345 \gset
SELECT * FROM beyond(1.25, 'mixed WHERE ', replace($$id >= @2016-05-01 AND id < @2016-05-02; id >= @2016-05-01 AND id < @2016-06-01;
    id >= @2016-03-01 AND id < @2016-04-01; id < @2016-03-01; id >= @2016-03-01; id > @2017-01-01; id >= #; id > #; id <= #; id < #;
    id >= # AND id <= #$$, '#', quote_literal(:'common')));

-- Most entries are nulls, at either end. Nulls that share entries make the mean page one of more rows. Longer entries
-- make a page of an index one of fewer.
CREATE TABLE mostly_null (id luuid, at timestamptz) WITH (autovacuum_enabled = off);
INSERT INTO mostly_null SELECT CASE WHEN m.n = 0 THEN s.id END, CASE WHEN m.n = 0 THEN s.at END FROM steady AS s, generate_series(0, 3) AS m(n)
    WHERE s.n % 5 = 0;
VACUUM ANALYZE mostly_null;
SELECT direction, more, are_shared, close FROM unnest(ARRAY['ASC', 'ASC NULLS FIRST', 'DESC', 'DESC NULLS LAST']) AS direction,
    (VALUES ('', false, 1.5), ('', true, 2), (', (repeat(''x'', 300))', false, 1.5)) AS v (more, are_shared, most),
    answer_after(format('CREATE INDEX ON mostly_null (id %s%s) WITH (deduplicate_items = %s)', direction, more, are_shared), format(
        'SELECT count(*) FROM cases(''id < @2016-01-03; id >= @2016-05-01 AND id < @2016-05-02; id >= @2016-02-01'')
        WHERE q_error(''mostly_null WHERE '' || said) <= %s', most)) AS close
WHERE close IS DISTINCT FROM '3';

-- All rows of an id that separates two pages are on one side of it: about 700 rows are expected for each id.
CREATE TABLE repeated (id luuid, n int) WITH (autovacuum_enabled = off);
CREATE INDEX ON repeated (id DESC) INCLUDE (n) WITH (fillfactor = 100);
INSERT INTO repeated SELECT luuid_floor(timestamptz '2026-01-01' + (n / 700) * interval '1 min'), n FROM generate_series(1, 20000) AS n
    ORDER BY hashint4(n);
VACUUM ANALYZE repeated;
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY planned(format('repeated WHERE id >= %1$L AND id <= %1$L', id))) > 400 AS near
    FROM (SELECT DISTINCT id FROM repeated) AS r;

-- After the last ANALYZE: a tenth more rows, and as many more. Each new day is right by an index, and unknown without. So are windows of the new
-- rows, and those that lead from old rows to new ones, whichever row a clause is of. No rows are later than the end of the index.
CREATE TABLE bare (LIKE steady) WITH (autovacuum_enabled = off);
INSERT INTO bare SELECT * FROM steady;
VACUUM ANALYZE bare;
SELECT FROM unnest(ARRAY['steady', 'bare']) AS name, fill(name, 'steady', 25000, 27499);
SELECT worst('steady', 'id', 250, 275) < 1.1 AS id, worst('steady', 'v7', 250, 275) < 1.1 AS v7, worst('steady', 'kept', 250, 275) < 1.1 AS kept,
    worst('bare', 'id', 250, 275) > 3 AS bare, worst('steady', 'at', 250, 275) > 3 AS twin \gx
SELECT said FROM (VALUES
    (100000, 1.2, 'o.id >= @2016-09-12 AND o.id < @2016-09-22 AND e.id >= o.id AND e.id < o.id::timestamptz + interval ''1 day'''),
    (800000, 1.5, 'o.id >= @2016-08-27 AND o.id < @2016-09-06 '
        'AND e.id >= o.id::timestamptz + interval ''12 days'' AND e.id < o.id::timestamptz + interval ''20 days'''),
    (800000, 1.5, 'o.id >= @2016-08-27 AND o.id < @2016-09-06 '
        'AND o.id <= e.id::timestamptz - interval ''12 days'' AND o.id > e.id::timestamptz - interval ''20 days''')) AS v (rows, most, said)
WHERE (q_error(planned('steady AS o JOIN steady AS e ON ' || said), rows) <= most) IS NOT TRUE;
SELECT FROM fill('steady', 'steady', 27500, 49999);
SELECT worst('steady', 'id', 250, 500) < 1.1 AS id, worst('steady', 'id', 0, 250) < 1.1 AS old, worst('steady', 'at', 0, 250) > 1.5 AS old_twin,
    planned('steady WHERE id >= @2017-06-01') AS later \gx
SELECT * FROM beyond(1.1, 'steady WHERE ', 'id >= @2017-05-01; id < @2017-05-01');
-- Old rows are deleted and new ones inserted.
CALL make('kept', 'SELECT * FROM steady WHERE n < 25000', '(id)');
VACUUM ANALYZE kept;
DELETE FROM kept WHERE n < 5000;
VACUUM kept;
INSERT INTO kept SELECT * FROM steady WHERE n BETWEEN 25000 AND 29999;
SELECT worst('kept', 'id', 251, 299) < 1.1 AS new;
-- Updates of all rows leave an entry for each version until VACUUM, as the table has room for each.
CALL make('stirred', 'SELECT * FROM steady WHERE n < 25000', '(id)', '(n)');
VACUUM ANALYZE stirred;
UPDATE stirred SET n = n + 1;
SELECT planned('stirred WHERE id >= @2016-09-07') < 5 AS newest, q_error('stirred WHERE ? >= @2016-05-01 AND ? < @2016-05-11') < 1.25 AS as_counted;
VACUUM stirred;
SELECT * FROM beyond(1.25, 'stirred WHERE ', 'id >= @2016-05-01 AND id < @2016-05-11');
-- History that is filled in later is found, if pages of an index may be read.
CALL make('refilled', 'SELECT * FROM steady WHERE n < 25000', '(id)');
SELECT FROM fill('refilled', 'steady', -15000, -1);
SELECT count(*), max(q_error(planned('refilled WHERE ' || replace(said, '?', subject)), counted('refilled WHERE ' || replace(said, '?', 'at')))) < 2
    AS close FROM unnest(ARRAY['id', 'id::timestamptz']) AS subject, generate_series(-140, 240, 20) AS n,
    LATERAL (SELECT timestamptz '2016-01-01' + n * interval '1 day' AS day) AS d,
    unnest(ARRAY[format('? < timestamptz %L', day), format('? >= timestamptz %L', day), during('?', day, day + interval '30 days')]) AS said;
SELECT answer_after('SET LOCAL luuid.enable_index_estimates = off', 'SELECT planned(''refilled WHERE id < @2015-12-01'') < 1000') AS unread;
-- One much later id counts as one row; rows after a pause, all at once, are where they are. With an index in either
-- direction. The first leaves of a descending index are split in half.
CREATE TABLE paused AS SELECT unnest(ARRAY['ASC', 'DESC', 'DESC NULLS LAST']) AS direction;
SELECT FROM paused, executed(format('CALL make(%2$L, ''SELECT * FROM steady WHERE n < 25000'', ''(id %1$s, n)'');
    INSERT INTO %2$I VALUES (''9000-01-01'', luuid_floor(''9000-01-01''))', direction, 'paused ' || direction));
SELECT direction, planned(format('%I WHERE id >= @2016-09-08', 'paused ' || direction)) AS far,
    q_error(format('%I WHERE id >= @2016-08-01', 'paused ' || direction)) < 1.1 AS since,
    executed(format('INSERT INTO %I SELECT at, luuid_generate_v7(at)
        FROM generate_series(timestamptz ''2016-10-01 08:00'', ''2016-10-01 09:00'', ''1 s'') AS at', 'paused ' || direction)) FROM paused;
SELECT direction, q_error(relation || 'id >= @2016-10-01') < 1.5 AS burst, planned(relation || 'id >= @2016-09-10 AND id < @2016-10-01') AS pause,
    q_error(relation || 'id >= @2016-10-01T08:10 AND id < @2016-10-01T08:30') < 1.3 AS part
FROM paused, LATERAL format('%I WHERE ', 'paused ' || direction) AS relation;

-- Entries are counted by their rows, with or without deduplication; dead ones are not counted, and an emptied leaf page
-- does not represent the others.
CREATE TABLE reference (at timestamptz, id luuid) WITH (autovacuum_enabled = off);
CREATE INDEX ON reference (id);
CREATE VIEW made AS SELECT n, at, luuid_floor(at) FROM generate_series(0, 39999) AS n,
    LATERAL (SELECT timestamptz '2016-01-01' + n / 8 * interval '1 min' AS at) AS t;
INSERT INTO reference SELECT at, luuid_floor FROM made WHERE n < 24000;
VACUUM ANALYZE reference;
INSERT INTO reference SELECT at, luuid_floor FROM made WHERE n >= 24000;
INSERT INTO reference SELECT at, luuid_floor(at) FROM generate_series(1, 1000) AS n,
    LATERAL (SELECT timestamptz '2016-01-05' + n * interval '1 s' AS at) AS t;
SELECT * FROM beyond(1.5, 'reference WHERE ', 'id >= @2016-01-03T12:00; id >= @2016-01-03T12:00 AND id < @2016-01-03T16:00');
DELETE FROM reference WHERE id >= timestamptz '2016-01-03 12:00';
CALL plan_without('seqscan', 'bitmapscan');
-- A scan marks as dead what no other session can see; autovacuum's worker is one of these.
DO $$
BEGIN
    FOR turn IN 1..100 LOOP
        PERFORM counted('reference WHERE id >= @2016-01-03T12:00 AND at > ''-infinity''');
        EXIT WHEN planned('reference WHERE id >= @2016-01-03T12:00') < 500;
        PERFORM pg_sleep(0.1);
    END LOOP;
END
$$;
CALL plan_without();
SELECT planned('reference WHERE id >= @2016-01-03T12:00') < 500 AS none;
CREATE TABLE emptied (LIKE steady) WITH (autovacuum_enabled = off);
CREATE INDEX ON emptied (id) WITH (fillfactor = 20);
INSERT INTO emptied SELECT * FROM steady WHERE n < 2500;
ANALYZE emptied;
INSERT INTO emptied SELECT * FROM steady WHERE n BETWEEN 2500 AND 49999;
DELETE FROM emptied WHERE n BETWEEN 2500 AND 24999;
VACUUM (INDEX_CLEANUP ON) emptied;
SELECT * FROM beyond(3, 'emptied WHERE ', 'id >= @2016-01-26');

-- Each bound reduces the estimate by itself, so that estimates without the others are right: a bound that is also an
-- index's predicate does not make that index look small, in any order of the bounds.
CALL make('predicate', 'SELECT * FROM steady WHERE n < 25000 ORDER BY md5(n::text)', '(id)', '((n % 2)) WHERE id >= timestamptz ''2016-01-02''');
VACUUM ANALYZE predicate;
SELECT said FROM cases($$id >= @2016-01-02 AND id < @2016-01-03; id < @2016-01-03 AND id >= @2016-01-02;
    id >= @2016-01-02 AND id <@ tstzrange('2016-01-01', '2016-01-03')$$)
WHERE plan_says('predicate_id_idx', 'SELECT * FROM predicate WHERE n % 2 = 1 AND ' || said) <> 1;
-- So does an index on the id itself, though the planner estimates it for the other bound only.
CALL plan_without('seqscan', 'indexscan');
BEGIN;
DROP INDEX predicate_id_idx;
CREATE INDEX ON predicate (id) WHERE id >= timestamptz '2016-05-01';
SELECT said FROM cases('id >= @2016-05-01 AND id < @2016-05-03; id < @2016-05-03 AND id >= @2016-05-01')
WHERE (q_error(rows_at('Bitmap Index Scan', 'SELECT * FROM predicate WHERE ' || said), counted('predicate WHERE ' || said)) < 1.5) IS NOT TRUE;
ROLLBACK;
CALL plan_without();
-- The order of the bounds does not matter, where an index's predicate begins before rows that the statistics do not know
-- of. The rows that VACUUM removed leave no sign of new ones in the size of the table.
CALL make('reused', 'SELECT luuid_generate(timestamptz ''2016-01-01'' + n * interval ''1 hour'') AS id, n FROM generate_series(1, 20000) AS n',
    '(id)', '((n % 2)) WHERE id >= timestamptz ''2018-04-01''', '((n % 3)) WHERE id <@ tstzrange(''2018-03-25'', ''2019-06-01'')');
DELETE FROM reused WHERE n <= 10000;
VACUUM reused;
INSERT INTO reused SELECT luuid_generate(timestamptz '2019-01-01' + n * interval '1 hour'), n FROM generate_series(1, 9000) AS n;
SELECT a, b FROM cases($$id >= @2018-04-01; id <@ tstzrange('2018-03-25', '2019-06-01'); id >= @2018-03-20$$) AS a,
    cases('id < @2018-04-11; id < @2019-02-01') AS b
WHERE planned(format('reused WHERE %s AND %s', a, b)) IS DISTINCT FROM planned(format('reused WHERE %s AND %s', b, a));
-- Bounds of different joins are not combined. The planner also derives clauses on a subquery from the arms of an OR in ON, and estimates these
-- before it has planned the subquery. A table with children has their size, whatever was counted in it alone.
CALL make('many', 'SELECT k FROM generate_series(1, 100) AS k, generate_series(1, 10)');
CALL make('root', 'SELECT id, at FROM steady WHERE n < 10');
CREATE TABLE branch () INHERITS (root);
INSERT INTO branch SELECT id, at FROM steady WHERE n < 25000;
VACUUM ANALYZE root, branch;
ANALYZE root;
SELECT said FROM cases($$predicate LEFT JOIN many AS a ON a.k = n % 100 AND ? >= @2016-05-01 LEFT JOIN many AS b ON b.k = n % 100 AND ? < @2016-04-01;
    many AS a LEFT JOIN (SELECT * FROM predicate OFFSET 0) AS p
    ON k < 50 AND ? >= @2016-01-05 AND ? < @2016-08-01 AND ? >= @2016-05-01 AND ? < @2016-05-08
    OR k >= 50 AND ? >= @2016-01-06 AND ? < @2016-08-02 AND ? >= @2016-06-01 AND ? < @2016-06-08; root LEFT JOIN many ON ? < @2016-02-01$$)
WHERE (as_times(said) < 1.1) IS NOT TRUE;
-- An unknown bound does not weaken a known one.
SET plan_cache_mode = force_generic_plan;
PREPARE after_both (luuid) AS SELECT * FROM predicate WHERE id >= timestamptz '2016-09-01' AND id > $1;
PREPARE in_both (tstzrange) AS SELECT * FROM predicate WHERE id >= timestamptz '2016-09-06 12:00' AND id <@ $1;
SELECT (explained('EXECUTE after_both (NULL)')).rows BETWEEN 500 AND 700 AS after,
    (explained('EXECUTE in_both (NULL)')).rows BETWEEN 40 AND 60 AS within;
RESET plan_cache_mode;

-- Each operand is evaluated as often as for a timestamptz, though the selectivity of each bound depends on the others. That
-- of a window is evaluated for each question about its clause, but not for the other clauses.
SELECT bounds, at >= bounds AS any, id <= at AS as_often FROM unnest(ARRAY[2, 10, 100]) AS bounds,
    evaluations('predicate WHERE ', 'at >= slow(@2016-01-01 + interval ''%s days'')', bounds) AS at,
    evaluations('predicate WHERE ', 'id >= slow(@2016-01-01 + interval ''%s days'')', bounds) AS id;
SELECT ten > 0 AND hundred <= 10 * ten AS in_proportion FROM (VALUES ('predicate AS e JOIN predicate AS o ON ')) AS q (source),
    evaluations(source, 'e.id >= o.at + slow(interval ''%s s'')', 100) AS hundred,
    evaluations(source, 'e.id >= o.at + slow(interval ''%s s'')', 10) AS ten;
-- A range reads 10 pages at most of three levels that are alike, the last leaf excepted, and none if it is switched off. Of leaves
-- that are not alike it reads 33 at most, and only those of the range.
CREATE TABLE alike (n int, id luuid);
CREATE INDEX ON alike (id);
INSERT INTO alike SELECT n, luuid_generate(timestamptz '2026-01-01 00:00+00' + n * interval '20 s') FROM generate_series(1, 300000) AS n;
CREATE TABLE filled AS SELECT * FROM alike;
CREATE INDEX ON filled (id) WITH (fillfactor = 100);
VACUUM ANALYZE alike, filled;
SELECT said, name, pages FROM cases('id >= @2026-03-01; id < @2026-03-01; id >= @2026-02-01 AND id < @2026-02-03; id >= timestamptz ''2026-03-11 10:39+00'''),
    unnest(ARRAY['alike', 'filled']) AS name, pages_read(name || '_id_idx', name || ' WHERE ' || said) AS pages
WHERE (pages BETWEEN 3 AND 10) IS NOT TRUE;
SELECT said, pages FROM cases($$id >= @2016-09-01; id >= @2016-03-01 AND id < @2016-09-02; id < @2016-09-02 AND id >= @2016-03-01;
    id <@ tstzrange('2016-03-01', '2016-09-02'); id >= @2016-03-01 AND id < @2016-09-02 AND id > @2016-02-28$$),
    pages_read('bursty_id_idx', 'bursty WHERE ' || said) AS pages WHERE (pages BETWEEN 3 AND 10) IS NOT TRUE;
SELECT said, pages FROM cases('id >= @2026-02-01; id < @2026-03-01; id >= @2026-01-20 AND id < @2026-03-20'),
    pages_read('"third days thinned_id_idx"', '"third days thinned" WHERE ' || said) AS pages WHERE (pages BETWEEN 24 AND 33) IS NOT TRUE;
SELECT pages_read('"third days thinned_id_idx"', '"third days thinned" WHERE id >= @2026-01-05 AND id < @2026-01-06') < 6 AS few;
SELECT pages_read('bursty_id_idx', 'bursty WHERE id >= @2016-09-02 AND id < @2016-09-01') AS empty, answer_after(
    'SET LOCAL luuid.enable_index_estimates = off', 'SELECT pages_read(''bursty_id_idx'', ''bursty WHERE id >= @2016-09-01'')') AS switched_off;
-- A window in fewer leaves than the points that a distribution has: those that are not read are between two that are.
CREATE TABLE some_leaves AS SELECT * FROM alike WHERE n <= 11000;
CREATE INDEX ON some_leaves (id);
ANALYZE some_leaves;
SELECT * FROM beyond(1.2, '', 'some_leaves AS a JOIN some_leaves AS b ON a.id >= b.id AND a.id < b.id::timestamptz + interval ''3 minutes''');
-- Rows that were added after all but one in 20 were deleted fill the last leaves, and the index has few rows to a page.
DELETE FROM alike WHERE n <= 298500 AND n % 20 <> 0;
VACUUM ANALYZE alike;
SELECT * FROM beyond(1.3, 'alike WHERE id >= ', '@2026-03-09; @2026-03-08; @2026-03-07; @2026-03-06');
-- Every id but nil: not the rows without one.
SELECT * FROM beyond(1.2, '"half nulls" WHERE ', 'id > ''00000000-0000-0000-0000-000000000000''; id < ''ffffffff-ffff-ffff-ffff-ffffffffffff''');
-- Clauses of two columns, whose statistics one ANALYZE wrote, in turn; beside extended statistics on other columns.
CALL make('two', 'SELECT id AS made, luuid_generate(timestamptz ''2026-01-01'' + random() * interval ''100 days'') AS changed FROM predicate');
CALL make('pair', 'SELECT id, n % 10 AS a, n % 10 AS b FROM steady WHERE n < 25000');
CREATE STATISTICS pair_ab (dependencies) ON a, b FROM pair;
ANALYZE pair;
SELECT * FROM beyond(1.2, '', 'pair WHERE a = 1 AND b = 1 AND id >= @2016-03-01 AND id < @2016-05-01');
SELECT * FROM beyond(1.3, '', 'two WHERE made < @2016-03-01 AND changed >= @2026-03-01 AND made >= @2016-02-01 AND changed < @2026-03-20');

-- Partitions, inheritance children and indexes on expressions have statistics of their own.
CREATE TABLE parted (id luuid NOT NULL, n int) PARTITION BY RANGE (id);
CALL split('parted', 'luuid_floor(''2016-05-01'')');
INSERT INTO parted SELECT id, n FROM steady WHERE n < 25000;
CREATE TABLE parent AS SELECT id, n FROM steady WHERE n < 5000;
CREATE TABLE child () INHERITS (parent);
INSERT INTO child SELECT id, n FROM steady WHERE n BETWEEN 5000 AND 24999;
CREATE FUNCTION id_of(jsonb) RETURNS luuid LANGUAGE sql IMMUTABLE AS $$ SELECT ($1 ->> 'id')::uuid::luuid $$;
CALL make('document', 'SELECT jsonb_build_object(''id'', id) AS body FROM steady WHERE n < 25000', '(id_of(body))');
ANALYZE parted, parent, child;
SELECT * FROM beyond(1.1, '', $$parted WHERE id >= @2016-02-10 AND id < @2016-05-20; parent WHERE id >= @2016-02-10 AND id < @2016-05-20;
    document WHERE id_of(body) >= @2016-02-10 AND id_of(body) < @2016-05-20$$);
-- A partition's clauses are its parent's, which may have bounds of the parent alone.
SELECT planned('parted WHERE (id <@ tstzrange(now() - (now() - @2016-02-10), now()) AND n >= 0) '
    'OR id <@ tstzrange(now() - (now() - @2016-05-10), now())') BETWEEN 1000 AND 25000 AS of_parts;

-- A join over one hour of each of two tables is planned for few rows.
CALL make('again', 'SELECT * FROM growing', '(id)');
VACUUM ANALYZE again;
SELECT count(*) FILTER (WHERE plan_says('Join', format('SELECT * FROM growing JOIN again USING (n) WHERE growing.id <@ %1$L::tstzrange
    AND again.id <@ %1$L::tstzrange', tstzrange(begin, begin + interval '20 days'))) = 1) AS joins FROM slice WHERE width = '1 day';
-- A join on the time of an id has one row per time, as one on two times has.
CREATE VIEW few AS SELECT at AS t FROM growing LIMIT 100;
SELECT cost('few JOIN growing ON id = t') < 2 * cost('few JOIN growing ON at = t') AS cheap, as_times('few JOIN growing ON ? = t') < 1.1 AS joined,
    plan_says('Index Cond', 'SELECT * FROM few JOIN growing ON id = t') AS asked,
    plan_says('Nested Loop', 'SELECT FROM growing AS a WHERE EXISTS (SELECT FROM growing AS b WHERE b.id = a.at AND b.n % 10 = a.n % 10) AND n < 100')
        AS nested \gx
-- A sample of a uuid column's times has few values of a sparse beginning, which is not treated as empty.
CALL make('sparse', 'SELECT kept FROM growing WHERE n % 10 = 0');
ALTER TABLE sparse ALTER kept SET STATISTICS 10;
ANALYZE sparse;
SELECT * FROM beyond(4, 'sparse WHERE ', 'kept < @2016-01-21; kept < @2016-01-31');

-- A comparison of the cast counts by its bounds, in an arm of an OR too; one that is not replaced, such as of an array that has a
-- column, by the server's defaults.
CALL make('part', 'SELECT id, v7 AS other, at, n, n % 17 AS k FROM steady WHERE n BETWEEN 0 AND 24999', '(id)');
SELECT said FROM cases($$ WHERE id::timestamptz >= '2016-01-02' AND other::timestamptz = '2016-05-01' AND other > luuid_floor('2016-01-01 10:00');
    WHERE id::timestamptz >= '2016-01-02' AND id::date = ANY (ARRAY[date '2016-03-01', at::date]);
    WHERE (id::timestamptz >= '2016-01-02' AND n = 3) OR id::timestamptz < '2016-01-01 00:30';
    WHERE id::timestamptz >= '2016-01-02' AND EXISTS (SELECT FROM steady AS s WHERE s.n = k AND part.id::timestamptz < '2016-01-02 01:00');
    JOIN growing AS g ON part.id::timestamptz = g.id::timestamptz WHERE g.id::timestamptz = '2016-02-01' AND part.id::timestamptz >= '2016-01-02'$$)
WHERE (planned('part ' || said) < 1000) IS NOT TRUE;
-- A view's comparison of the id, which comes before the bounds, leaves them to be counted once. Nor does one of a function
-- of the id answer for an index on the id.
SELECT * FROM beyond(1.2, '(SELECT * FROM part WHERE id >= luuid_floor(''2016-01-01 10:00'')) AS p WHERE ',
    $$id::timestamptz < '2016-01-02'; id::date = '2016-01-05'$$);
SELECT plan_says('Index Cond', 'SELECT FROM part WHERE luuid_floor(id::timestamptz + interval ''1 h'') < ''2016-02-01''::timestamptz '
    'AND id <@ luuid_range(daterange(''2016-01-05'', ''2016-01-06''))') AS by_id;
-- The bounds of a join take no rows from a table that was never analyzed. A range has the same end from the other side.
CREATE TABLE newest AS SELECT id, at, n FROM part WHERE n < 2000;
CREATE INDEX ON newest (n);
SELECT as_times('newest JOIN part ON newest.?::timestamptz <= part.?::timestamptz WHERE part.n = 5') < 1.1 AS as_times;
DROP INDEX newest_n_idx;
ANALYZE newest;
SELECT * FROM beyond(1.5, '', $$part JOIN newest ON newest.? <@ tstzrange(part.?::timestamptz, part.?::timestamptz + interval '1 hour')
    WHERE part.n % 200 = 17$$);
-- An estimate does not reveal rows that the user may not see: an operator that is not leakproof gets no statistics of rows that a view hides.
CALL make('secret', 'SELECT id, n FROM growing');
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
CREATE TABLE hiding AS SELECT unnest(ARRAY['hidden', 'kept_back', 'kept_back_part', 'forced']) AS name;
SELECT FROM hiding, executed(format('CREATE INDEX ON %1$s (id);
    INSERT INTO %1$s SELECT id, ''somebody'' FROM steady WHERE n < 5000; ANALYZE %1$s', name));
ANALYZE kept_back_parted;
SELECT FROM hiding, executed(format('INSERT INTO %s SELECT id, ''somebody'' FROM steady WHERE n BETWEEN 25000 AND 25999', name));
ALTER TABLE hidden ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON hidden USING (owner = current_user);
CREATE ROLE regress_luuid_reader;
GRANT SELECT ON hidden TO regress_luuid_reader;
CALL plan_without('seqscan', 'indexscan');
SELECT answers('hidden', 'reader') AS of_reader, answers('hidden') > 5 AS of_superuser;
-- They are not counted either if a view hides them that its owner may see: a security barrier view, a view over one, one over
-- partitions, or one over row security that is forced on the owner. A user who may read the table itself gets the count.
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
    answers('barrier_of_forced', 'owner') AS barrier_of_forced, answers('barrier_of_forced', 'reader') AS to_reader \gx
SELECT answer_after('GRANT SELECT ON kept_back TO regress_luuid_reader', 'SELECT answers(''barrier'', ''reader'') > 5') AS may_read_the_table,
    answer_after('GRANT SELECT ON kept_back TO regress_luuid_reader; ALTER TABLE kept_back ENABLE ROW LEVEL SECURITY; '
    'CREATE POLICY own ON kept_back TO regress_luuid_reader USING (owner = current_user); '
    'CREATE POLICY owners ON kept_back TO regress_luuid_owner USING (true)', 'SELECT answers(''barrier'', ''reader'')') AS but_not_its_rows;
DROP OWNED BY regress_luuid_owner;
DROP ROLE regress_luuid_owner;
-- A table that was never analyzed has no statistics whose rights the server checks: those of the table are, and some of its columns
-- are not enough.
CREATE TABLE unseen (id luuid, n int) WITH (autovacuum_enabled = off);
INSERT INTO unseen SELECT id, n FROM steady WHERE n < 27000;
CREATE INDEX ON unseen (id);
CREATE POLICY odd ON unseen USING (n % 2 = 1);
SELECT grants, answer_after(format(grants, 'TO regress_luuid_reader'), 'SELECT answers(''unseen'', ''reader'')') AS answers
FROM unnest(ARRAY['GRANT SELECT ON unseen %s', 'GRANT SELECT (id, n) ON unseen %s',
    'GRANT SELECT ON unseen %s; ALTER TABLE unseen ENABLE ROW LEVEL SECURITY']) AS grants;
CALL plan_without();
-- An operator that is not leakproof gets no estimate there, and the bounds beside it have theirs.
ALTER POLICY own ON hidden USING (owner IS NOT NULL);
SET ROLE regress_luuid_reader;
SELECT planned('hidden WHERE id >= @2016-01-05 AND id < @2016-02-05 AND id <@ (SELECT tstzrange(''2016-01-01'', ''2016-03-01''))') AS of_slice,
    q_error('hidden WHERE id >= @2016-01-05 AND id < @2016-02-05') < 1.3 AS of_bounds;
RESET ROLE;
DROP OWNED BY regress_luuid_reader;
DROP ROLE regress_luuid_reader;
-- An operator that names our estimators need not compare ids.
CREATE FUNCTION int_lt_again(int, int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN $1 < $2; END';
CREATE OPERATOR <<< (FUNCTION = int_lt_again, LEFTARG = int, RIGHTARG = int, RESTRICT = luuid_timesel);
CREATE OPERATOR @@@ (FUNCTION = int_lt_again, LEFTARG = int, RIGHTARG = int, RESTRICT = luuid_timesel);
SELECT planned('steady WHERE n <<< 5') BETWEEN 1 AND 50000 AS lesser, planned('steady WHERE n @@@ 5') BETWEEN 1 AND 50000 AS within;

-- Statistics that ANALYZE would not compute cause no failure, and every estimate stays in range.
CALL make('odd', 'SELECT id, at FROM mixed', '(id)');
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
SELECT with_shape('one'), with_shape('equal'), with_shape('nil'), with_shape('every kind') \gx

-- An index that begins with columns which the query has constant: tenants of one to some thousand rows, at a steady rate until each is gone.
CALL make('owned', $$SELECT (sqrt(n) / 5)::bigint AS tenant, chr(97 + n % 3) AS kind, id, at, n FROM steady WHERE n BETWEEN 0 AND 29999$$,
    '(tenant, id)', '(kind COLLATE "C" DESC NULLS LAST, (tenant % 3) NULLS FIRST, id DESC)');
INSERT INTO owned SELECT NULL, NULL, id, at, n FROM steady WHERE n BETWEEN 30000 AND 30099;
VACUUM ANALYZE owned;
SELECT tenant, said, q FROM generate_series(1, 34, 3) AS tenant, beyond(1.2, format('owned WHERE tenant = %s AND ', tenant),
    $$? >= @2016-01-05 AND ? < @2016-02-05; ? < @2016-03-05; ? >= @2016-04-01T12:00; ?::date = '2016-02-10'; ? >= @2016-02-05;
    (? < @2016-02-05 OR ? >= @2016-05-05); ? <@ tstzrange('2016-01-01', '2016-07-01') AND n >= 0$$);
SELECT * FROM beyond(1.2, 'owned WHERE ? >= @2016-02-05 AND ? < @2016-06-05 AND ', 'tenant = 30; 30 = tenant; tenant = 30::smallint; tenant = 30 AND n > 0; tenant = 77');
SELECT * FROM beyond(1.7, 'owned WHERE ? >= @2016-02-05 AND ? < @2016-06-05 AND ', 'kind COLLATE "C" = ''b'' AND tenant % 3 = 1; kind COLLATE "C" = ''c'' AND 2 = tenant % 3');
-- Windows of one tenant's rows.
SELECT * FROM beyond(1.2, '', $$owned AS o JOIN owned AS e ON o.tenant = 30 AND e.tenant = 30 AND e.? >= o.? AND e.? < o.?::timestamptz + interval '1 day'$$);
-- As many as before where an index begins with the id, a constant is unknown, or a list. Rows since ANALYZE have the range's part.
INSERT INTO owned SELECT 20, 'a', id, at, n FROM steady WHERE n BETWEEN 31000 AND 33999;
SELECT planned('owned WHERE tenant = 20 AND id >= @2016-07-01') BETWEEN 600 AND 3100 AS of_new_rows,
    planned('owned WHERE tenant = 19 AND id >= @2016-07-01') < 10 AS of_others, planned('owned WHERE tenant IN (19, 20) AND id >= @2016-07-01') > 0 AS of_list;
-- Under row security the index is read where the policy is one of these constants by its value, for the user whom it is for, and for nothing
-- that it hides: elsewhere an estimate is as without the index.
CREATE ROLE regress_luuid_owner;
CREATE ROLE regress_luuid_reader;
GRANT ALL ON SCHEMA test TO regress_luuid_owner;
ALTER TABLE owned OWNER TO regress_luuid_owner;
GRANT SELECT ON owned TO regress_luuid_reader;
ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
SET test.tenant = 19;
SET ROLE regress_luuid_owner;
CREATE VIEW of_owner AS SELECT tenant, id, at FROM owned WHERE tenant = 20;
CREATE VIEW of_owner_barrier WITH (security_barrier) AS SELECT tenant, id, at FROM owned WHERE tenant = 20 AND n % 2 = 0;
GRANT SELECT ON of_owner, of_owner_barrier TO regress_luuid_reader;
RESET ROLE;
CREATE FUNCTION newest(source text) RETURNS float LANGUAGE sql
    RETURN planned(source || CASE WHEN source ~ 'WHERE' THEN ' AND ' ELSE ' WHERE ' END || 'id >= @2016-07-01');
-- 3 000 rows of tenant 20 are new, and none of tenant 19: what is counted is none, whichever tenant is asked for.
SELECT policy, source, by_index FROM cases($$tenant = current_setting('test.tenant')::int; tenant = 19; 19 = tenant AND tenant >= 0; tenant = 19 OR n = -1;
    tenant = (SELECT 19); tenant IN (19, 19); tenant <= 19; kind = 'a' AND tenant = 19; tenant = 19 AND n % 2 = 0$$) AS policy,
    unnest(ARRAY['owned', 'owned WHERE tenant = 20', 'owned WHERE tenant = 20 AND tenant = 19', 'of_owner', 'of_owner_barrier',
        '(SELECT * FROM owned UNION ALL SELECT * FROM owned) AS o WHERE tenant = 20']) AS source,
    LATERAL format('CREATE POLICY own ON owned TO regress_luuid_reader USING (%s); SET LOCAL ROLE regress_luuid_reader', policy) AS before,
    LATERAL (SELECT answer_after(before, format('SELECT newest(%L)', source))::float AS by_index,
        answer_after('SET LOCAL luuid.enable_index_estimates = off; ' || before, format('SELECT newest(%L)', source))::float AS by_statistics) AS e
WHERE by_index IS DISTINCT FROM by_statistics;
-- What the policy shows is counted.
SELECT policy, source FROM cases($$tenant = current_setting('test.tenant')::int; tenant = 20$$) AS policy, unnest(ARRAY['owned', 'owned WHERE tenant = 20']) AS source
WHERE (answer_after(format('SET LOCAL test.tenant = 20; CREATE POLICY own ON owned TO regress_luuid_reader USING (%s); SET LOCAL ROLE regress_luuid_reader', policy),
    format('SELECT newest(%L)', source))::float BETWEEN 600 AND 3100) IS NOT TRUE;
ALTER TABLE owned OWNER TO current_user;
DROP OWNED BY regress_luuid_owner, regress_luuid_reader;
DROP ROLE regress_luuid_owner, regress_luuid_reader;
