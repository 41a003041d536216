-- Time ranges: ids compared with times and ranges of times, ranges of local times, and the clauses that an index can use.
\a \pset footer off \set ECHO errors
CALL begin_test();
SET timezone = 'Europe/Berlin';
-- Ranges between edge times, with every kind of bounds; local ranges around hours that clocks skip and repeat.
CREATE TABLE span AS SELECT tstzrange(least(a.t, b.t), greatest(a.t, b.t), bounds) AS r
FROM (SELECT t, row_number() OVER (ORDER BY t) AS n FROM times) AS a JOIN (SELECT t, row_number() OVER (ORDER BY t) AS n FROM times) AS b
    ON (a.n * 7 + b.n * 11) % 997 < 3, unnest(ARRAY['[]', '[)', '(]', '()']) AS bounds;
INSERT INTO span VALUES ('empty'), ('(,)'), ('[,2026-01-01)'), ('(2026-01-01,]'), ('[infinity,)'), ('(,-infinity]'), (NULL);
CREATE TABLE local_span AS SELECT tsrange(at, at + width, bounds) AS r
FROM generate_series(timestamp '2026-03-29 01:00', '2026-03-29 04:00', '30 min') AS at,
    unnest(ARRAY['0', '15 min', '1 h', '3 h']::interval[]) AS width, unnest(ARRAY['[]', '[)', '(]', '()']) AS bounds
UNION ALL SELECT tsrange(at, at + interval '1 h') FROM generate_series(timestamp '2026-10-25 01:00', '2026-10-25 04:00', '30 min') AS at;
INSERT INTO local_span VALUES ('empty'), ('(,)'), ('[,2026-01-01)'), ('(2026-01-01,]'), ('[-infinity,infinity]'), (NULL);
CREATE TABLE dates AS SELECT daterange(day, day + n) AS r FROM generate_series(0, 2) AS n, generate_series(0, 3) AS d,
    LATERAL (SELECT date '2026-03-28' + d AS day) AS day;
INSERT INTO dates VALUES ('(,)'), ('[,1582-10-15)'), ('(1970-01-01,]'), ('[-infinity,infinity]'), (NULL);
-- Prevents simplification, so that the operator itself is called.
CREATE FUNCTION opaque(anyelement) RETURNS anyelement LANGUAGE plpgsql AS 'BEGIN RETURN $1; END';
CREATE TABLE around AS SELECT id, at FROM hard UNION ALL SELECT luuid_floor(t), t FROM (VALUES (timestamptz '2026-03-28 22:00+00'),
    ('2026-10-24 22:00+00')) AS s (since), generate_series(since, since + interval '6 h', '10 min') AS t;
SELECT source, answer(format('SELECT ROW(count(*) > 5000, count(*) FILTER (WHERE wanted) > 100,
        count(*) FILTER (WHERE id <@ times IS DISTINCT FROM wanted OR times @> id IS DISTINCT FROM wanted),
        count(*) FILTER (WHERE id <@ opaque(times) IS DISTINCT FROM wanted OR opaque(times) @> id IS DISTINCT FROM wanted))
    FROM around, (SELECT r, %s AS times FROM %s) AS s, LATERAL (SELECT CASE WHEN r IS NULL THEN NULL WHEN at IS NULL OR isempty(r) THEN false ELSE coalesce(%s, false) END AS wanted)
        AS w', times, source, wanted)) AS "many, some, wrong, called wrong"
FROM (VALUES ('span', 'r', 'at <@ r'),
    ('local_span', 'luuid_range(r)', '(lower_inf(r) OR at > lower(r)::timestamptz OR at = lower(r)::timestamptz AND lower_inc(r))
        AND (upper_inf(r) OR at < upper(r)::timestamptz OR at = upper(r)::timestamptz AND upper_inc(r))'),
    ('dates', 'luuid_range(r)', '(lower_inf(r) OR at >= lower(r)::timestamptz)
        AND (upper_inf(r) OR at < upper(r)::timestamptz OR upper(r) = ''infinity'' AND upper_inc(r))')) AS v (source, times, wanted);
-- The comparisons with a time, of a luuid and of a uuid, called and replaced, either operand first. Nil is before and other untimed ids are
-- after all times.
CREATE TABLE verdict AS
SELECT id, t, ARRAY[id < t, id <= t, id = t, id <> t, id >= t, id > t] AS becomes,
    ARRAY[id < opaque(t), id <= opaque(t), id = opaque(t), id <> opaque(t), id >= opaque(t), id > opaque(t)] AS called,
    ARRAY[opaque(t) > id, opaque(t) >= id, opaque(t) = id, opaque(t) <> id, opaque(t) <= id, opaque(t) < id] AS commuted,
    ARRAY[u < t, u <= t, u = t, u <> t, u >= t, u > t] AS of_uuid, ARRAY[t > u, t >= u, t = u, t <> u, t <= u, t < u] AS uuid_commuted,
    CASE WHEN timed THEN ARRAY[at < t, at <= t, at = t, at <> t, at >= t, at > t]
        ELSE ARRAY[place = 1, place = 1, false, true, place > 1, place > 1] END AS wanted
FROM hard, (SELECT t, row_number() OVER (ORDER BY t) AS n FROM times) AS times WHERE n % 5 = 0 OR NOT isfinite(t);
SELECT count(*) > 20000 AS many, count(*) FILTER (WHERE becomes IS DISTINCT FROM wanted) AS wrong,
    count(*) FILTER (WHERE called IS DISTINCT FROM wanted) AS called, count(*) FILTER (WHERE commuted IS DISTINCT FROM wanted) AS commuted,
    count(*) FILTER (WHERE of_uuid IS DISTINCT FROM wanted OR uuid_commuted IS DISTINCT FROM wanted) AS of_uuid FROM verdict \gx
-- 22008 for a date past the end of timestamptz, as in its cast.
SELECT * FROM refusal($$SELECT luuid_range(daterange('294277-01-01', NULL))$$);
-- The type of an untyped literal or parameter beside an id.
PREPARE slice_right AS SELECT NULL::luuid <@ $1;
PREPARE slice_left AS SELECT $1 @> NULL::luuid;
PREPARE equal AS SELECT NULL::luuid = $1;
PREPARE less AS SELECT NULL::luuid < $1;
SELECT name, parameter_types FROM pg_prepared_statements ORDER BY name COLLATE "C";
-- Clauses that an index uses: arguments that must be evaluated once, of each type and with either operand first.
CREATE TABLE entry (id luuid PRIMARY KEY, kept uuid, n int);
INSERT INTO entry SELECT id, id, n FROM hourly('e', 8000);
CREATE INDEX entry_kept ON entry (kept uuid_time_ops);
CREATE INDEX entry_key ON entry (luuid_from_base32(luuid_to_base32(id)));
VACUUM ANALYZE entry;
CALL plan_without('seqscan');
CREATE FUNCTION dear() RETURNS tstzrange LANGUAGE plpgsql STABLE AS $$ BEGIN RETURN '[2026-06-01,2026-06-02)'; END $$;
CREATE FUNCTION volatile() RETURNS tstzrange LANGUAGE plpgsql AS $$ BEGIN RETURN '[2026-06-01,2026-06-02)'; END $$;
SELECT plan_of('SELECT count(*) FROM entry WHERE id <@ dear()');
-- Arguments to evaluate once; clauses replaced by comparisons, which partition bounds can use too; and clauses that no index can
-- use: a function that returns a different range for each row, an array, <> a time.
SELECT said, by_index, rows FROM (VALUES
    (1, 24, $$id <@ (SELECT tstzrange('2026-06-01', '2026-06-02')); (SELECT tstzrange('2026-06-01', '2026-06-02')) @> id; id <@ dear();
        kept <@ dear(); kept <@ (SELECT tstzrange('2026-06-01', '2026-06-02')); id <@ (dear() * dear() * dear());
        id <@ luuid_range((SELECT daterange('2026-06-01', '2026-06-02'))); luuid_range((SELECT tsrange('2026-06-01', '2026-06-02'))) @> id;
        id <@ luuid_range(daterange('2026-06-01', '2026-06-02')); kept <@ luuid_range(tsrange('2026-06-01', '2026-06-02'));
        luuid_from_base32(luuid_to_base32(id)) <@ dear()$$),
    (1, 10, $$id::timestamptz <@ (SELECT range_agg(tstzrange(day, day + '1 h')) FROM generate_series(timestamptz '2026-06-01', '2026-06-10', '1 d') AS day)$$),
    (1, 1, $$id = (SELECT timestamptz '2026-06-01 00:00+00'); (SELECT timestamptz '2026-06-01 00:00+00') = kept;
        id = timestamptz '2026-06-01 00:00+00'; NOT (id <> timestamptz '2026-06-01 00:00+00')$$),
    (2, 25, $$id <@ dear() OR id = (SELECT timestamptz '2026-05-01 00:00+00')$$),
    (1, 48, $$id::timestamptz <@ '{[2026-06-01,2026-06-02),[2026-07-01,2026-07-02)}'::tstzmultirange$$),
    (1, 23, $$id <@ tstzrange(now() - (now() - timestamptz '2026-06-01 00:00+00'), '2026-06-02')$$),
    (0, 24, 'id <@ volatile(); id <@ ANY (ARRAY[dear()])'), (0, 3623, $$id < ANY ('{2026-06-01 00:00+00,2026-05-01}'::timestamptz[])$$), (0, 7999, $$id <> (SELECT timestamptz '2026-06-01 00:00+00')$$)
    ) AS s (scans, wanted, list), cases(list), plan_says('Index Cond', 'SELECT n FROM entry WHERE ' || said) AS by_index,
    counted('entry WHERE ' || said) AS rows WHERE (by_index = scans AND rows = wanted) IS NOT TRUE;
-- A sub-select is executed once, for a column and for another expression.
SELECT plan_says('^ *InitPlan', format('SELECT FROM entry WHERE %s <@ (SELECT tstzrange(min(at), max(at)) FROM generate_series(now(), now(), ''1 d'') AS at)', id))
    AS executed FROM unnest(ARRAY['id', 'luuid_from_base32(luuid_to_base32(id))']) AS id;
-- A range from each row of another table.
CREATE TABLE period (during tstzrange, days daterange, several tstzmultirange);
INSERT INTO period VALUES ('[2026-06-01,2026-06-02)', '[2026-06-01,2026-06-02)', '{[2026-06-01,2026-06-02),[2026-07-01,2026-07-02)}'),
    (NULL, NULL, NULL);
ANALYZE period;
SELECT string_agg(concat_ws('|', said, plan_says('Index Cond', 'SELECT n FROM period JOIN entry ON ' || said),
    counted('period JOIN entry ON ' || said)), ', ' ORDER BY said) AS "by index, rows"
FROM cases('id <@ during; luuid_range(days) @> id; kept <@ during;
    id <@ range_merge(several) AND id::timestamptz <@ several') \gx
-- A range that a volatile function returns, in a sub-select too, is evaluated once for each pair of rows.
CREATE SEQUENCE evaluated;
SELECT count(*) AS rows FROM period JOIN entry ON n > 7990 AND id <@ tstzrange(lower(during) + nextval('evaluated') * interval '0', NULL);
SELECT nextval('evaluated') - 1 AS evaluated;
SELECT count(*) AS rows FROM period JOIN entry ON n > 7990 AND id <@ (SELECT tstzrange(lower(during) + nextval('evaluated') * interval '0', NULL));
SELECT nextval('evaluated') - 1 AS evaluated;
-- Partitions are pruned by clauses that become comparisons.
CREATE TABLE parted (LIKE entry) PARTITION BY RANGE (id);
CALL split('parted', 'luuid_floor(''2026-05-01'')');
SELECT said FROM cases($$id <@ tstzrange('2026-06-01', '2026-06-02'); id::timestamptz <@ '{[2026-06-01,2026-06-02),[2026-07-01,2026-07-02)}'::tstzmultirange;
    id <@ luuid_range(daterange('2026-06-01', '2026-06-02')); id = @2026-06-01; @2026-06-01 < id$$)
WHERE tables_read('SELECT * FROM parted WHERE ' || said) IS DISTINCT FROM 'parted_high';
-- BRIN can be used too; an index with another order, or none, is not.
ALTER TABLE entry DROP CONSTRAINT entry_pkey;
DROP INDEX entry_kept;
CREATE INDEX ON entry (id luuid_byte_ops);
CREATE INDEX ON entry USING hash (id);
CREATE INDEX ON entry (kept);
SELECT plan_says('Index Cond', 'SELECT FROM entry WHERE id <@ dear()') AS id,
    plan_says('Index Cond', 'SELECT FROM entry WHERE kept <@ dear()') AS kept;
CREATE INDEX ON entry USING brin (id);
SELECT plan_says('Index Cond', 'SELECT FROM entry WHERE id <@ dear()') AS brin, counted('entry WHERE id <@ dear()') AS rows;
