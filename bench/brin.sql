-- Measures how long it takes to read an hour of a big table, by a BRIN index of a few pages on the id, by a sequential scan and
-- by a B-tree. The rows are back-filled over a hundred hours. Takes :rows and :rounds.
\set report brin
\ir measure.sql
SET maintenance_work_mem = '1GB';

CREATE UNLOGGED TABLE event AS
SELECT luuid_generate_v7(timestamptz '2026-01-01 00:00+00' + n * (interval '100 hours' / :rows)) AS id
FROM generate_series(1, :rows) AS n;
VACUUM ANALYZE event;

CREATE PROCEDURE measure(way text, rounds int) LANGUAGE plpgsql AS $$
BEGIN
    FOR round IN 1 .. rounds LOOP
        INSERT INTO measured VALUES ('slice of an hour, ms', way, round, milliseconds(
            'SELECT count(*) FROM event WHERE id <@ tstzrange(''2026-01-03 02:30+00'', ''2026-01-03 03:30+00'')'));
    END LOOP;
END $$;

CALL measure('no index', 3);
CREATE INDEX event_brin ON event USING brin (id) WITH (pages_per_range = 256);
CALL measure('BRIN', :rounds);
INSERT INTO measured VALUES
    ('index, pages', 'BRIN', 0, pg_relation_size('event_brin') / 8192),
    ('table, pages', 'BRIN', 0, pg_relation_size('event') / 8192);
DROP INDEX event_brin;
CREATE INDEX event_btree ON event (id);
CALL measure('B-tree', :rounds);
INSERT INTO measured VALUES ('index, pages', 'B-tree', 0, pg_relation_size('event_btree') / 8192);
COPY measured TO STDOUT;
