-- Bounds of local and rounded times, as the planner adds them, at the first and the last microsecond of periods: swept()
-- returns those that leave out a row that the server's own comparison lets pass, or that are wide, and the number of times.
CREATE EXTENSION luuid;

CREATE TABLE unit (unit text, step interval);
INSERT INTO unit VALUES ('microsecond', '1 us'), ('millisecond', '1 ms'), ('second', '1 s'), ('minute', '1 min'), ('hour', '1 h'),
    ('day', '1 day'), ('week', '7 days'),
    ('month', '1 mon'), ('quarter', '3 mons'), ('year', '1 y'), ('decade', '10 y'), ('century', '100 y'), ('millennium', '1000 y');

-- What is compared with what, and the further arguments of the bound; of date, the unit is the day.
CREATE TABLE form (rounded text, other text, unit text, zone text);
INSERT INTO form
SELECT rounded, other, 'unit', CASE WHEN rounded ~ 'zone' THEN ', zone' ELSE '' END FROM (VALUES
    ('date_trunc(unit, t)', 'rounded'), ('date_trunc(unit, t)', 'rounded::timestamp'), ('date_trunc(unit, t, zone)', 'rounded'),
        ('date_trunc(unit, t::timestamp)', 'rounded'),
    ('date_trunc(unit, t::timestamp)', 'rounded::timestamptz'), ('date_trunc(unit, t AT TIME ZONE zone)', 'rounded')) AS f (rounded, other)
UNION ALL SELECT rounded, other, '''day''', CASE WHEN rounded ~ 'zone' THEN ', zone' ELSE '' END
    FROM unnest(ARRAY['t::date', '(t AT TIME ZONE zone)::date']) AS rounded,
        unnest(ARRAY['rounded', 'rounded::timestamp', 'rounded::timestamptz']) AS other WHERE rounded !~ 'zone' OR other !~ 'tz'
UNION ALL SELECT rounded, 'rounded', '''microsecond''', zone FROM (VALUES ('t::timestamp', ''), ('t AT TIME ZONE zone', ', zone')) AS f (rounded,
    zone)
UNION ALL SELECT 't', other, '''microsecond''', '' FROM unnest(ARRAY['rounded::date', 'rounded::timestamp']) AS other;

-- When the clocks of a zone change, from 1900 to 2037.
CREATE FUNCTION changes(zone text) RETURNS TABLE (change timestamptz, width interval) LANGUAGE sql AS $$
    WITH RECURSIVE bisected AS (
        SELECT t AS low, t + interval '24 h' AS high FROM generate_series(timestamptz '1899-12-31Z', '2038-01-02Z', '24 h') AS t
            WHERE (t + interval '24 h') AT TIME ZONE zone <> t AT TIME ZONE zone + interval '24 h'
        UNION ALL
        SELECT CASE WHEN is_before THEN low ELSE middle END, CASE WHEN is_before THEN middle ELSE high END
        FROM bisected, LATERAL (SELECT low + (high - low) / 2 AS middle) AS m,
            LATERAL (SELECT middle AT TIME ZONE zone - low AT TIME ZONE zone <> middle - low AS is_before) AS b WHERE high - low > interval '1 us'
    )
    SELECT high, (high AT TIME ZONE zone - low AT TIME ZONE zone) - interval '1 us' FROM bisected WHERE high - low = interval '1 us'
$$;

CREATE FUNCTION swept(zone text) RETURNS TABLE (form text, unit text, at text) LANGUAGE plpgsql SET jit = off AS $$
DECLARE
    each form;
BEGIN
    PERFORM set_config('timezone', zone, true);
    -- The periods of weeks and longer ones, all those near a change, and times near it.
    CREATE TEMP TABLE period AS SELECT u.unit, l, l + step AS next FROM unit AS u, LATERAL (
        SELECT DISTINCT date_trunc(u.unit, s) FROM generate_series(timestamp '1900-01-01', '2037-12-31', least(step, interval '1 mon')) AS s
            WHERE step >= interval '7 days'
        UNION SELECT date_trunc(u.unit, change AT TIME ZONE zone) + n * step FROM changes(zone), generate_series(-2, 1) AS n) AS p (l);
    CREATE TEMP TABLE trial AS SELECT period.unit, t, operators, CASE WHEN t AT TIME ZONE zone = local AND t::timestamp = local
        THEN interval '73 h' END AS wide
        FROM period, LATERAL (VALUES (l, '>='), (next - interval '1 us', '<=')) AS e (local, operators), LATERAL (SELECT local AT TIME ZONE zone
            UNION SELECT local::timestamptz) AS t (t)
        UNION ALL SELECT u.unit, change + sign * width - n * interval '1 us', '< <= >= >', NULL FROM unit AS u, changes(zone),
            generate_series(-1, 1) AS sign, generate_series(0, 1) AS n;
    FOR each IN SELECT f.* FROM form AS f LOOP
        RETURN QUERY EXECUTE replace(format($query$
            SELECT $1, min(unit), min(t || ' ' || operator || ' ' || tested) FROM (SELECT * FROM trial WHERE unit = %2$s) AS s,
                regexp_split_to_table(operators, ' ') AS operator,
                LATERAL (SELECT %1$s AS rounded OFFSET 0) AS r, LATERAL (SELECT %3$s + CASE operator WHEN '<' THEN 1 WHEN '>' THEN -1
                    ELSE 0 END * %4$s AS tested OFFSET 0) AS o,
                LATERAL (SELECT luuid_local_bound(tested, operator, unit %5$s) AS bound OFFSET 0) AS b
            WHERE CASE operator WHEN '<' THEN rounded < tested AND luuid_ceiling(t) > bound WHEN '<=' THEN rounded <= tested
                AND luuid_ceiling(t) > bound OR bound > luuid_ceiling(t + wide)
                WHEN '>' THEN rounded > tested AND luuid_floor(t) < bound ELSE rounded >= tested AND luuid_floor(t) < bound
                    OR bound < luuid_floor(t - wide) END
            HAVING count(*) > 0 $query$, each.rounded, each.unit, each.other, CASE WHEN replace(each.other, 'rounded', each.rounded) ~ '::date$'
                THEN '1' ELSE 'interval ''1 us''' END, each.zone),
            'zone', quote_literal(zone)) USING zone || ': ' || each.rounded || ', ' || each.other;
    END LOOP;
    RETURN QUERY SELECT zone, 'trials', count(*)::text FROM trial;
    DROP TABLE period, trial;
END $$;
