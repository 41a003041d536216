-- Measures what a guard costs for a row whose id its transaction generated, in rounds in which each trigger has its turn. Takes
-- :rows and :rounds. Use few rows and many rounds, since a processor changes its speed within seconds. Needs bench/floor.
\set report guard
\ir measure.sql

CREATE FUNCTION floor_trigger() RETURNS trigger AS 'floor' LANGUAGE C;
CREATE FUNCTION plpgsql_trigger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
INSERT INTO peer (name, call) VALUES
    ('floor: empty trigger', 'floor_trigger()'), ('empty trigger in PL/pgSQL', 'plpgsql_trigger()'),
    ('luuid_guard', $$luuid_guard('id')$$);

-- Without an index, and with so many of a trigger.
CREATE FUNCTION filled(name text, times int) RETURNS text LANGUAGE sql AS $$ SELECT format('%s, %s', name, times) $$;
SELECT format('CREATE UNLOGGED TABLE %I (id luuid NOT NULL DEFAULT luuid_generate_v7(), n int)', filled(name, times))
FROM peer, (VALUES (1), (9)) AS t (times) \gexec
SELECT format('CREATE TRIGGER trigger_%s AFTER INSERT ON %I FOR EACH ROW EXECUTE FUNCTION %s',
              number, filled(name, times), call)
FROM peer, (VALUES (1), (9)) AS t (times), generate_series(1, times) AS number \gexec

CREATE FUNCTION in_bulk(name text, rows int) RETURNS text LANGUAGE sql AS $$
    SELECT format('INSERT INTO %I (n) SELECT generate_series(1, %s)', name, rows)
$$;
CREATE FUNCTION one_by_one(name text, rows int) RETURNS text LANGUAGE sql AS $$
    SELECT format('DO $do$ BEGIN FOR i IN 1..%2$s LOOP INSERT INTO %1$I (n) VALUES (i); END LOOP; END $do$', name, rows)
$$;

CREATE PROCEDURE measure(round int, rows int) LANGUAGE plpgsql AS $$
DECLARE
    each peer;
    one text;
    nine text;
BEGIN
    FOR each IN SELECT * FROM peers(round) LOOP
        one := filled(each.name, 1);
        nine := filled(each.name, 9);
        INSERT INTO measured VALUES
            ('ns a row, in bulk', each.name, round, slope(in_bulk(one, rows), in_bulk(nine, rows), rows)),
            ('ns a row, one by one', each.name, round, slope(one_by_one(one, rows), one_by_one(nine, rows), rows));
        COMMIT;
    END LOOP;
END $$;
SELECT format('CALL measure(%s, %s)', round, :rows) FROM generate_series(1, :rounds) AS round \gexec

INSERT INTO measured
SELECT figure || ', over an empty trigger', m.peer, round, m.value - floor.value
FROM measured AS m JOIN measured AS floor USING (figure, round)
WHERE floor.peer = 'floor: empty trigger' AND m.peer <> floor.peer;
COPY measured TO STDOUT;
