-- Measures the input and output of ids as text, in expressions and in COPY, in rounds in which each type has its turn.
-- Takes :rows and :rounds.
\set report generate
\ir measure.sql

-- One peer for a type; ids of different generators are read and printed alike.
DELETE FROM peer WHERE name NOT IN ('bigint', 'uuid v4', 'luuid v7');
UPDATE peer SET name = type;

CREATE PROCEDURE prepare(rows int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
BEGIN
    FOR each IN SELECT * FROM peer LOOP
        EXECUTE format('CREATE UNLOGGED TABLE %I AS SELECT %s AS id FROM generate_series(1, %s)',
                       each.name || ' ids', each.call, rows);
        EXECUTE format('CREATE UNLOGGED TABLE %I AS SELECT id::text COLLATE "C" AS id FROM %I',
                       each.name || ' texts', each.name || ' ids');
        EXECUTE format('CREATE UNLOGGED TABLE %I (id %s)', each.name || ' copied', each.type);
    END LOOP;
END $$;
CALL prepare(:rows);
VACUUM ANALYZE;

-- Conditions, since the server computes equal aggregates once, and equal conditions each time.
CREATE FUNCTION conditions(condition text, source text, times int) RETURNS text LANGUAGE sql AS $$
    SELECT format('SELECT count(*) FROM %I WHERE %s', source, string_agg(condition, ' AND '))
    FROM generate_series(1, times)
$$;
CREATE FUNCTION slope_of_condition(condition text, source text, rows int) RETURNS float8 LANGUAGE sql AS $$
    SELECT slope(conditions(condition, source, 1), conditions(condition, source, 9), rows)
$$;

CREATE PROCEDURE measure(round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each record;
    file text := current_setting('data_directory') || '/copied';
BEGIN
    INSERT INTO measured VALUES
        ('in, ns', 'floor: textout', round, slope_of_condition('textout(id) IS NOT NULL', 'uuid texts', rows));
    FOR each IN SELECT name, typinput, typoutput FROM peers(round) JOIN pg_type AS t ON t.oid = type::regtype LOOP
        INSERT INTO measured VALUES
            ('in, ns', each.name, round, slope_of_condition(
                format('%s(textout(id)) IS NOT NULL', each.typinput), each.name || ' texts', rows)),
            ('out, ns', each.name, round, slope_of_condition(
                format('%s(id) IS NOT NULL', each.typoutput), each.name || ' ids', rows)),
            ('COPY out, ns a row', each.name, round,
             milliseconds(format('COPY %I TO %L', each.name || ' ids', file)) / rows * 1e6),
            ('COPY in, ns a row', each.name, round,
             milliseconds(format('COPY %I FROM %L', each.name || ' copied', file)) / rows * 1e6);
        EXECUTE format('TRUNCATE %I', each.name || ' copied');
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s, %s)', round, :rows) FROM generate_series(1, :rounds) AS round \gexec

COPY measured TO STDOUT;
