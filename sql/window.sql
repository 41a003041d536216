-- Windows: RANGE over ids is RANGE over their times.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- An untimed id counts as an infinity: nil before all times, every other after them.
CREATE TABLE seen AS
SELECT id, place, coalesce(at, CASE WHEN place = 1 THEN timestamptz '-infinity' ELSE 'infinity' END) AS at FROM ids
UNION ALL
SELECT id_at(11, 17672256000000000 + n * bigint '370000000', digits('w' || n)), NULL,
    timestamptz '2026-01-01 00:00:00+00' + n * interval '37 s' FROM generate_series(1, 1000) AS n;
-- Both ends with an offset: the frame is that of the time, for every row; the same in descending order.
SELECT said AS frame FROM cases($$id RANGE BETWEEN '5 min' PRECEDING AND '0' FOLLOWING; id RANGE BETWEEN '5 min' PRECEDING AND '5 min' FOLLOWING;
    id RANGE BETWEEN '0' PRECEDING AND '0' FOLLOWING; id RANGE BETWEEN '37 s' PRECEDING AND '36.999999 s' FOLLOWING;
    id RANGE BETWEEN UNBOUNDED PRECEDING AND '1 h' PRECEDING; id RANGE BETWEEN '1 h' FOLLOWING AND UNBOUNDED FOLLOWING;
    id RANGE BETWEEN '1 h' PRECEDING AND '1 us' PRECEDING; id RANGE BETWEEN '1 us' FOLLOWING AND '1 month' FOLLOWING;
    id RANGE BETWEEN '1000 years' PRECEDING AND '4000 years' FOLLOWING; id RANGE BETWEEN '1 day' PRECEDING AND UNBOUNDED FOLLOWING;
    id DESC RANGE BETWEEN '5 min' PRECEDING AND '1 h' FOLLOWING$$)
WHERE answer(format('SELECT count(*) FROM (
    SELECT count(*) OVER (ORDER BY %1$s) AS by_id, count(*) OVER (ORDER BY %2$s) AS by_time,
        sum(extract(epoch FROM nullif(nullif(at, ''infinity''), ''-infinity''))) OVER (ORDER BY %1$s) AS sum_by_id,
        sum(extract(epoch FROM nullif(nullif(at, ''infinity''), ''-infinity''))) OVER (ORDER BY %2$s) AS sum_by_time
    FROM seen) AS w WHERE (by_id, sum_by_id) IS NOT DISTINCT FROM (by_time, sum_by_time)', said, replace(said, 'id ', 'at ')))::int
    IS DISTINCT FROM (SELECT count(*) + 1000 FROM ids);
SELECT avg(n)::int AS rows_in_five_minutes, max(n)
FROM (SELECT count(*) OVER (ORDER BY id RANGE BETWEEN '5 min' PRECEDING AND '0' FOLLOWING) AS n FROM seen
    WHERE place IS NULL) AS w;
-- CURRENT ROW is the row and its peers; ids of one time are not equal, so the later id's frame includes the earlier.
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN '5 min' PRECEDING AND CURRENT ROW) AS to_row,
    count(*) OVER (ORDER BY id RANGE BETWEEN '5 min' PRECEDING AND '0' FOLLOWING) AS to_time
FROM (VALUES ('c232ab00-9414-11ec-b3c8-9f6bdeced846'::luuid), ('1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
    ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')) AS v (id);
-- NULLs, nil and untimed ids have frames of their own kind.
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN '100 years' PRECEDING AND '100 years' FOLLOWING) AS near
FROM (VALUES (NULL::luuid), (NULL), ('00000000-0000-0000-0000-000000000000'), ('c232ab00-9414-11ec-b3c8-9f6bdeced846'),
    ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), ('919108f7-52d1-4320-9bac-f847db4148a8'), ('ffffffff-ffff-ffff-ffff-ffffffffffff')) AS v (id);
-- GROUPS and ROWS do not use the time.
SELECT count(*) AS wrong FROM (SELECT place, count(*) OVER (ORDER BY id GROUPS BETWEEN 3 PRECEDING AND CURRENT ROW) AS n
    FROM ids) AS w WHERE n <> least(place, 4);
-- A negative offset is rejected as for timestamptz, and the backend continues.
SELECT state, message FROM unnest(ARRAY['id RANGE ''-1 s'' PRECEDING', 'at RANGE ''-1 s'' PRECEDING',
    'id RANGE BETWEEN ''1 s'' PRECEDING AND ''-1 month'' FOLLOWING', 'id RANGE NULL::interval PRECEDING', 'id RANGE 5 PRECEDING',
    'id USING ~<~ RANGE ''1 s'' PRECEDING']) AS frame, refusal(format('SELECT count(*) OVER (ORDER BY %s) FROM seen', frame));
SELECT count(*) = (SELECT count(*) + 1000 FROM ids) AS answers FROM seen;
