-- Queries that check each recipe of doc/cookbook, under the recipe's heading: a row has the name of a check, and whether it holds.
-- docs.pl runs them after the recipe, in its database. If an application wrote meanwhile, the table `committed` has the names
-- of its rows.

CREATE FUNCTION pg_temp.plan(query text, options text DEFAULT 'COSTS OFF') RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
    plan text := '';
BEGIN
    FOR line IN EXECUTE format('EXPLAIN (%s) ', options) || query LOOP
        plan := plan || line || E'\n';
    END LOOP;
    RETURN plan;
END
$$;

CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE || ' ' || SQLERRM;
END
$$;

-- ## A new table
SELECT 'ids are in the order of making', array_agg(body ORDER BY id) = '{first,second,third}' FROM message;
SELECT 'ids are of now', bool_and(id <@ tstzrange(now() - interval '5 min', now())) FROM message;
INSERT INTO message (body) VALUES ('fourth');
SELECT 'the generated column is there for new rows', count(*) = 4 FROM message WHERE created_at = id::timestamptz;
SELECT 'a reply has its message', pg_temp.refused($$INSERT INTO reply (message_id, body) VALUES (luuid_generate(), 'x')$$) LIKE '23503 %';

-- ## Ids for a back-fill
INSERT INTO history (id, ref, what) SELECT luuid_generate(happened_at), ref, what FROM import ON CONFLICT (ref) DO NOTHING;
SELECT 'a second run adds nothing', count(*) = 3 FROM history;
SELECT 'times are kept', count(*) = 3 FROM history JOIN import USING (ref) WHERE id::timestamptz = happened_at;

-- ## Ids that can be computed again
SELECT 'a row is there once', count(*) = 2 FROM shipment;
-- Golden, by Python's hashlib and uuid.
SELECT 'its id is of the time and the hash', bool_or(id = '01a1961f-5cfa-742e-9313-5ad42b16f49d') FROM shipment;
SELECT 'its id has the millisecond', computed_id(timestamptz '2026-11-01 08:00:00.250999Z', 'x')::timestamptz = '2026-11-01 08:00:00.25Z'
    AND computed_id(timestamptz '1970-01-01Z', 'x')::timestamptz = '1970-01-01Z';
SELECT 'a name has an id of its own', count(DISTINCT computed_id(timestamptz '2026-11-01Z', n::text)) = 10000
    AND bool_and(luuid_extract_version(computed_id(timestamptz '2026-11-01Z', n::text)) = 7) FROM generate_series(1, 10000) AS n;
SELECT 'a time that version 7 does not have is refused', bool_and(pg_temp.refused(format('SELECT computed_id(%L, %L)', at, 'x')) LIKE '22008 %')
    FROM unnest('{-infinity,1969-12-31 23:59:59.999Z,10889-08-02 05:31:50.656Z,infinity}'::timestamptz[]) AS at;

-- ## Keyset pagination
CREATE FUNCTION pg_temp.walk() RETURNS text[] LANGUAGE plpgsql AS $$
DECLARE
    page   record;
    titles text[] := '{}';
    after  luuid;
BEGIN
    LOOP
        SELECT array_agg(title ORDER BY id DESC) AS titles, min(id) AS last, count(*) AS rows INTO page
        FROM (SELECT id, title FROM post WHERE after IS NULL OR id < after ORDER BY id DESC LIMIT 7) AS next;
        titles := titles || page.titles;
        after := page.last;
        EXIT WHEN page.rows < 7;
    END LOOP;
    RETURN titles;
END
$$;
SELECT 'page by page, every row comes once, in order', pg_temp.walk() = (SELECT array_agg(title ORDER BY id DESC) FROM post);
SELECT 'the pages are of the order of time', array_agg(title ORDER BY id) = array_agg(title ORDER BY id::timestamptz) FROM post;

-- ## The newest rows beside version 4
SELECT 'the other pages need no condition', array_agg(body ORDER BY id DESC) = '{note 997,note 996,note 995}' FROM (
    SELECT id, body FROM note WHERE id < (SELECT id FROM note WHERE body = 'note 998') ORDER BY id DESC LIMIT 3
) AS page;
SELECT 'without it they come first', bool_and(body = 'of unknown time') FROM (SELECT body FROM note ORDER BY id DESC LIMIT 1000) AS first;
SELECT 'the rest are the rows of unknown time', count(*) = 1000 AND bool_and(body = 'of unknown time')
FROM note WHERE id >= timestamptz 'infinity';

-- ## Last week's rows
SELECT 'the slice is that of the times', count(*) FILTER (WHERE id >= now() - interval '7 days')
    = count(*) FILTER (WHERE id::timestamptz >= now() - interval '7 days') AND count(*) > 1000 FROM mail;
SELECT 'an index condition, not a filter', plan ~ 'Index Cond' AND plan !~ 'Filter'
FROM pg_temp.plan($$SELECT * FROM mail WHERE id >= now() - interval '7 days'$$) AS plan;
SELECT 'a bare literal is refused', pg_temp.refused($$SELECT FROM mail WHERE id >= '2026-11-14'$$) LIKE '22P02 %';

BEGIN;
INSERT INTO mail SELECT luuid_generate(), 'own' FROM pg_sleep(0.01);
INSERT INTO mail VALUES (gen_random_uuid(), 'version 4');
SELECT 'version 4 is later than every time', count(*) = 2 FROM mail WHERE id >= now() - interval '7 days' AND body <> 'body';
SELECT 'a range excludes it, and has the transaction''s own row', array_agg(body) = '{own}' FROM mail
WHERE id <@ tstzrange(now() - interval '7 days', NULL) AND body <> 'body';
SELECT 'as does infinity', array_agg(body) = '{own}' FROM mail
WHERE id >= now() - interval '7 days' AND id < timestamptz 'infinity' AND body <> 'body';
SELECT 'which now() loses', count(*) = 0 FROM mail WHERE id >= now() - interval '7 days' AND id < now() AND body <> 'body';
ROLLBACK;

-- ## A day
SELECT 'one range of the primary key', plan ~ 'Index (Only )?Scan using trip_pkey|Bitmap Index Scan on trip_pkey' AND plan !~ 'Filter'
FROM pg_temp.plan($$SELECT * FROM trip WHERE id <@ tstzrange('2026-10-25 00:00+00', '2026-10-26 00:00+00')$$) AS plan;
SELECT 'by the day, with a filter', plan ~ 'Index (Only )?Scan using trip_pkey|Bitmap Index Scan on trip_pkey' AND plan ~ 'Filter'
FROM pg_temp.plan($$SELECT * FROM trip WHERE (id::timestamptz AT TIME ZONE 'Europe/Berlin')::date = '2026-10-25'$$) AS plan;

-- ## Groups by time
SELECT 'the planner expects as many groups as there are', plan ~ 'HashAggregate .*rows=10 '
FROM pg_temp.plan($$SELECT date_trunc('day', id::timestamptz, 'UTC') AS day, count(*) FROM page_hit GROUP BY day$$, 'COSTS') AS plan;
SELECT 'days of a slice are those of each day', count(*) = 3 AND bool_and(rows = (
    SELECT count(*) FROM page_hit
    WHERE id <@ tstzrange(day AT TIME ZONE 'Europe/Berlin', (day + interval '1 day') AT TIME ZONE 'Europe/Berlin')))
FROM (
    SELECT date_trunc('day', id::timestamptz, 'Europe/Berlin') AT TIME ZONE 'Europe/Berlin' AS day, count(*) AS rows
    FROM page_hit WHERE id <@ tstzrange('2026-10-24 00:00 Europe/Berlin', '2026-10-27 00:00 Europe/Berlin') GROUP BY day
) AS days;
DROP STATISTICS page_hit_day;
ANALYZE page_hit;
SELECT 'without the statistics, as many as rows', plan ~ 'HashAggregate .*rows=14400 '
FROM pg_temp.plan($$SELECT date_trunc('day', id::timestamptz, 'UTC') AS day, count(*) FROM page_hit GROUP BY day$$, 'COSTS') AS plan;

-- ## Sliding windows
SELECT 'the window is that over the times', bool_and(by_id = by_time) AND max(by_id) = 4 FROM (
    SELECT count(*) OVER (PARTITION BY account ORDER BY id RANGE BETWEEN '5 min' PRECEDING AND CURRENT ROW) AS by_id,
        count(*) OVER (PARTITION BY account ORDER BY id::timestamptz RANGE BETWEEN '5 min' PRECEDING AND CURRENT ROW) AS by_time
    FROM login
) AS counted;

-- ## Two tables joined on time
SELECT 'the rows are those of the times', count(*) = 120 FROM sale AS p JOIN page_view AS v
    ON v.id::timestamptz >= p.id::timestamptz - interval '5 min' AND v.id::timestamptz < p.id::timestamptz;

-- ## BRIN for a huge table
SELECT 'the slice is whole', count(*) = 3600 AND min(id)::timestamptz = '2026-11-02 10:00+00'
FROM measurement WHERE id <@ tstzrange('2026-11-02 10:00+00', '2026-11-02 11:00+00');
CREATE INDEX measurement_key ON measurement (id);
SELECT 'the index is under a hundredth of a B-tree',
    pg_relation_size('measurement_time') * 100 < pg_relation_size('measurement_key');
DROP INDEX measurement_time, measurement_key;
CREATE INDEX ON measurement USING brin (id luuid_minmax_multi_ops);
SELECT 'minmax-multi serves as well', plan ~ 'Bitmap Index Scan' FROM pg_temp.plan($$SELECT * FROM measurement
    WHERE id <@ tstzrange('2026-11-02 10:00+00', '2026-11-02 10:01+00')$$) AS plan;

-- ## Monthly partitions
SELECT 'no row is outside its month', bool_and(tableoid::regclass::text = 'reading_' || to_char(id::timestamptz, 'YYYY_MM'))
    AND count(*) = 20 * 24 + 1 FROM reading;
SELECT 'months follow without a gap', count(*) = 4 AND count(*) FILTER (WHERE upper = next) = 3 FROM (
    SELECT upper, lead(lower) OVER (ORDER BY lower) AS next FROM (
        SELECT substring(bound FROM $$FROM \('([^']+)$$)::luuid AS lower, substring(bound FROM $$TO \('([^']+)$$)::luuid AS upper
        FROM pg_inherits JOIN pg_class ON oid = inhrelid, pg_get_expr(relpartbound, oid) AS bound
        WHERE inhparent = 'reading'::regclass
    ) AS bounds
) AS bounds;
SELECT 'another partition has the primary key', count(*) = 4 FROM pg_index
WHERE indisprimary AND indrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'reading'::regclass);
SELECT 'a slice visits its own partition alone', plan ~ 'reading_2026_11' AND plan !~ 'reading_2026_12'
FROM pg_temp.plan($$SELECT * FROM reading WHERE id <@ tstzrange('2026-11-01 00:00+00', '2026-11-02 00:00+00')$$) AS plan;
SELECT 'one id visits one partition', plan !~ 'Append'
FROM pg_temp.plan($$SELECT * FROM reading WHERE id = '20be0ffc-314a-bd53-7a50-01a1c28a3580'$$) AS plan;
SELECT 'a month that is missing refuses its rows', pg_temp.refused($$INSERT INTO reading VALUES (luuid_generate(timestamptz '2020-01-01Z'))$$)
    LIKE '23514 %';
SET timezone = 'Asia/Tokyo';
CALL create_months('reading', until => timestamptz '2027-04-01 08:59+09');
SELECT 'months are those of UTC in any time zone', max(relid::text) = 'reading_2027_03' FROM pg_partition_tree('reading');
SET timezone = 'UTC';
-- Retention
SELECT 'what is left is what is younger', count(*) = 20 * 24 + 1 AND min(id) >= timestamptz '2026-11-01 00:00+00' FROM reading;
SELECT 'and what refers to it, still by a foreign key', count(*) = 20 * 24 + 1 AND bool_and(reading.id IS NOT NULL)
    AND pg_temp.refused('INSERT INTO alarm VALUES (luuid_generate())') LIKE '23503 %'
FROM alarm LEFT JOIN reading ON id = reading_id;
SELECT 'a partition that is referred to is not dropped', pg_temp.refused('DROP TABLE reading_2026_11') LIKE '2BP01 %';
SELECT 'nor detached', pg_temp.refused('ALTER TABLE reading DETACH PARTITION reading_2026_11') LIKE '23503 %';
SELECT 'nothing else expires', count(*) = 0 FROM partitions_of('reading') WHERE past <= now();
CREATE TABLE reading_rest PARTITION OF reading DEFAULT;
CREATE TABLE reading_late PARTITION OF reading FOR VALUES FROM (luuid_floor(timestamptz '2027-04-01Z')) TO (MAXVALUE);
SELECT 'a default partition and one without an end never expire', count(*) = 5 AND bool_and(partition::text ~ '_2026_1[12]|_2027_0[1-3]')
FROM partitions_of('reading') WHERE past <= timestamptz 'infinity';

-- ## Before you move a table
INSERT INTO ticket (title) VALUES ('first');
SELECT 'the view reads ids', pg_typeof(id) = 'luuid'::regtype AND id <@ tstzrange(now() - interval '5 min', now()) FROM titles;
SELECT 'a view holds the type', pg_temp.refused('ALTER TABLE ticket ALTER id TYPE uuid') LIKE '%cannot alter type of a column used %';
SELECT 'a function of uuid', pg_temp.refused('SELECT title_of(id) FROM ticket') LIKE '%function title_of(luuid) does not exist'
    AND (SELECT title_of(id::uuid) FROM ticket) = 'first';
INSERT INTO answer SELECT luuid_generate(), id, ARRAY[id] FROM ticket;
SELECT 'the foreign key goes on', pg_temp.refused('INSERT INTO answer VALUES (luuid_generate(), luuid_generate())') LIKE '23503 %';
SELECT 'joins do, of a column and of an array', count(*) = 1 FROM ticket AS t JOIN answer AS r ON r.ticket_id = t.id AND t.id = ANY (mentions);
SELECT 'arrays want a cast', pg_temp.refused('SELECT mentions = ARRAY(SELECT id FROM ticket) FROM answer')
    LIKE '%operator does not exist: uuid[] = luuid[]'
    AND (SELECT mentions::luuid[] = ARRAY(SELECT id FROM ticket) FROM answer);
CREATE TABLE note (id uuid PRIMARY KEY, ticket_id uuid REFERENCES answer);
SELECT 'no foreign key from a luuid to a uuid', pg_temp.refused('ALTER TABLE note ALTER ticket_id TYPE luuid') LIKE '%cannot be implemented';
SET enable_seqscan = off;
SELECT 'a union of both types goes by no index', pg_temp.plan($$
    SELECT FROM (SELECT id FROM ticket UNION ALL SELECT id FROM answer) AS both_types
    WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'$$) !~ 'Index Cond';
SELECT 'and by both with a cast', regexp_count(pg_temp.plan($$
    SELECT FROM (SELECT id::uuid FROM ticket UNION ALL SELECT id FROM answer) AS both_types
    WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'$$), 'Index Cond') = 2;
RESET enable_seqscan;
CREATE EXTENSION btree_gist;
CREATE TABLE booking (room uuid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&));
SELECT 'an exclusion constraint', pg_temp.refused('ALTER TABLE booking ALTER room TYPE luuid') LIKE '%no default operator class%';
CREATE EXTENSION luuid_contrib CASCADE;
SELECT 'and with luuid_contrib', pg_temp.refused('ALTER TABLE booking ALTER room TYPE luuid') = 'no error';

INSERT INTO ticket (title) SELECT n::text FROM generate_series(1, 10) AS n;
INSERT INTO answer SELECT gen_random_uuid(), id FROM ticket;
SET enable_seqscan = off;
SELECT FROM pg_stat_force_next_flush();
BEGIN;
SELECT 'a ticket is refused as long as it has answers', pg_temp.refused('DELETE FROM ticket') LIKE '23503 %';
SELECT 'the check reads the index by time', seq_scan = 0 AND idx_scan > 0 FROM pg_stat_xact_user_tables WHERE relname = 'answer';
COMMIT;
DROP INDEX answer_ticket_time;
SELECT FROM pg_stat_force_next_flush();
BEGIN;
SELECT 'which it is asked for', pg_temp.refused('DELETE FROM ticket') LIKE '23503 %';
SELECT 'without it, it scans the table beside the index of uuid', seq_scan > 0 AND idx_scan = 0 FROM pg_stat_xact_user_tables WHERE relname = 'answer';
COMMIT;
RESET enable_seqscan;
CREATE TABLE sort (a int, b luuid, PRIMARY KEY (a, b));
CREATE TABLE good (n int, a int, b uuid, FOREIGN KEY (a, b) REFERENCES sort, UNIQUE (b, a), UNIQUE (a, n));
CREATE TABLE bad_class (a int, b uuid, FOREIGN KEY (a, b) REFERENCES sort, UNIQUE (b, a));
CREATE TABLE bad_place (n int, id luuid REFERENCES ticket, UNIQUE (n, id));
CREATE TABLE bad_part (id luuid REFERENCES ticket);
CREATE INDEX ON bad_part (id) WHERE id > '00000000-0000-0000-0000-000000000000';
CREATE TABLE good_luuid (id luuid REFERENCES ticket UNIQUE);
CREATE TABLE good_class ("of ticket" uuid REFERENCES ticket);
CREATE INDEX ON good_class ("of ticket" uuid_time_ops);
CREATE TABLE good_cast ("of ticket" uuid REFERENCES ticket);
CREATE INDEX ON good_cast (("of ticket"::luuid));
CREATE TABLE bad_cast (id uuid REFERENCES ticket, n luuid);
CREATE INDEX ON bad_cast ((n::uuid::luuid), id);
CREATE TABLE good_hash (id luuid REFERENCES ticket);
CREATE INDEX ON good_hash USING hash (id);
CREATE TABLE good_parts (id luuid REFERENCES ticket) PARTITION BY HASH (id);
CREATE TABLE good_parts_0 PARTITION OF good_parts FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE INDEX ON good_parts (id);
SELECT 'a foreign key without an index is named, whatever its columns, and no other', array_agg("table"::text ORDER BY "table"::text) =
    '{answer,bad_cast,bad_class,bad_part,bad_place,note}' FROM foreign_key_without_index;

-- ## A table that may be locked
SELECT 'the way back gives the old keys, and new rows the next', count(*) = 1001
    AND bool_and(body = CASE id WHEN 1001 THEN 'the newest' ELSE 'memo ' || id END) FROM memo;
INSERT INTO memo (body) VALUES ('another');
SELECT 'and the sequence goes on', array_agg(body) = '{another}' FROM memo WHERE id = 1002;
DELETE FROM memo WHERE id = 1002;
BEGIN;
ALTER TABLE memo ADD old_id bigint;
UPDATE memo SET old_id = id;
ALTER TABLE memo ALTER id DROP DEFAULT, ALTER id TYPE luuid USING luuid_generate_v7(created_at), ALTER id SET DEFAULT luuid_generate_v7();
DROP SEQUENCE memo_id_seq;
COMMIT;
SELECT 'it goes forth again, and ids have the time of created_at', count(*) = 1001 FROM memo
WHERE id::timestamptz = date_trunc('milliseconds', created_at);
CREATE TABLE task (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO task DEFAULT VALUES;
SELECT 'an identity column needs more', pg_temp.refused('ALTER TABLE task ALTER id DROP IDENTITY, ALTER id TYPE luuid USING luuid_generate_v7()')
    LIKE '%identity column type %';
ALTER TABLE task ALTER id DROP IDENTITY;
ALTER TABLE task ALTER id TYPE luuid USING luuid_generate_v7(created_at), ALTER id SET DEFAULT luuid_generate_v7();
SELECT 'its sequence is gone', to_regclass('task_id_seq') IS NULL;
CREATE TABLE part_of (memo_id luuid REFERENCES memo);
INSERT INTO part_of SELECT id FROM memo LIMIT 1;
SELECT 'a referring row stops it', pg_temp.refused('ALTER TABLE memo ALTER id TYPE luuid USING luuid_generate_v7(created_at)') LIKE '23503 %';

-- ## A live table from bigserial
SELECT 'invoices that the application committed are there', count(*) > 80 AND bool_and(writer IN (SELECT customer FROM invoice)) FROM committed;
SELECT 'its lines are at their invoices', count(*) > 80 AND bool_and(customer = what)
FROM line JOIN invoice ON invoice.id = invoice_id WHERE what LIKE 'writer%';
SELECT 'every line of before is at its invoice', count(*) = 40000 AND count(DISTINCT invoice_id) = 20000
    AND bool_and(what = 'for invoice ' || number)
FROM line JOIN invoice ON invoice.id = invoice_id WHERE what LIKE 'for invoice%';
SELECT 'those at the ends of bigint too', count(*) = 4 AND bool_and(line.id = number)
FROM line JOIN invoice ON invoice.id = invoice_id WHERE what = 'end';
SELECT 'added lines are at an invoice of the customer', count(*) > 80 AND bool_and(customer = 'customer 7')
FROM line JOIN invoice ON invoice.id = invoice_id WHERE what = 'more';
SELECT 'no line is without an invoice', count(*) = 0 FROM line LEFT JOIN invoice ON invoice.id = invoice_id WHERE invoice.id IS NULL;
SELECT 'the order of ids is the order of numbers', count(*) = 20003 AND bool_and(id > previous IS NOT FALSE)
FROM (SELECT id, lag(id) OVER (ORDER BY number) AS previous FROM invoice WHERE number <= 20000) AS numbered;
SELECT 'no row of before is later than a new one', max(id) FILTER (WHERE number <= 20000) < min(id) FILTER (WHERE number > 20000) FROM invoice;
SELECT 'times are those of created_at, to an earlier number''s',
    bool_and(id::timestamptz BETWEEN created_at AND created_at + interval '1 min') FROM invoice WHERE number <= 20000;
SELECT 'columns are as they should be', string_agg(attname || CASE WHEN attnotnull THEN ' ' ELSE '? ' END || atttypid::regtype, ', '
    ORDER BY attrelid, attname)
    = 'created_at timestamp with time zone, customer text, id luuid, number bigint, id bigint, invoice_id luuid, what text'
FROM pg_attribute WHERE attrelid IN ('invoice'::regclass, 'line'::regclass) AND attnum > 0 AND NOT attisdropped;
SELECT 'a line without an invoice is refused', pg_temp.refused($$INSERT INTO line (invoice_id, what) VALUES (luuid_generate(), 'x')$$) LIKE '23503 %';
SELECT 'a number finds its invoice by an index', plan ~ 'invoice_number' FROM pg_temp.plan('SELECT * FROM invoice WHERE number = 17') AS plan;
SELECT 'the view is of ids', count(*) = (SELECT count(*) FROM line) FROM invoice_line JOIN invoice USING (id, customer);
SELECT 'the materialized view', count(*) > 20000 AND bool_and(invoice.id IS NOT NULL) FROM line_count LEFT JOIN invoice ON id = invoice_id;
SELECT 'the function', bool_and(customer_of(id) = customer) FROM (SELECT * FROM invoice LIMIT 100) AS these;

-- ## A live table from bigserial, back
SELECT 'columns are as they were, and the new ones',
    string_agg(attname || CASE WHEN attnotnull THEN ' ' ELSE '? ' END || atttypid::regtype, ', ' ORDER BY attrelid, attname)
    = 'created_at timestamp with time zone, customer text, id bigint, new_id luuid, id bigint, invoice_id bigint, new_invoice_id? luuid, what text'
FROM pg_attribute WHERE attrelid IN ('invoice'::regclass, 'line'::regclass) AND attnum > 0 AND NOT attisdropped;
SELECT 'every line is at its invoice, those of the time between too', count(*) > 40080 AND bool_and(new_invoice_id = new_id)
    AND bool_and(what IN (customer, 'more') OR what = 'for invoice ' || invoice.id) FROM line LEFT JOIN invoice ON invoice.id = invoice_id;
SELECT 'a line without an invoice is refused', pg_temp.refused($$INSERT INTO line (invoice_id, what) VALUES (-2, 'x')$$) LIKE '23503 %';
SELECT 'keys are valid', string_agg(conname, ', ' ORDER BY conname) = 'invoice_pkey, line_invoice_id_fkey, line_pkey' AND bool_and(convalidated)
FROM pg_constraint WHERE conrelid IN ('invoice'::regclass, 'line'::regclass) AND contype IN ('p', 'f', 'c');
SELECT 'the view is of numbers', count(*) = (SELECT count(*) FROM line) FROM invoice_line JOIN invoice USING (id, customer);
SELECT 'the materialized view', count(*) > 20000 AND bool_and(invoice.id IS NOT NULL) FROM line_count LEFT JOIN invoice ON id = invoice_id;
SELECT 'the function', bool_and(customer_of(id) = customer) FROM (SELECT * FROM invoice LIMIT 100) AS these;

-- ## A live table from uuid v4
SELECT 'documents that the application committed are there', count(*) > 80 AND bool_and(writer IN (SELECT title FROM document)) FROM committed;
SELECT 'every document of before is there', count(*) = 20000 AND count(DISTINCT old_id) = 20000
    AND bool_and(luuid_extract_version(old_id) = 4) FROM document WHERE title LIKE 'title%';
SELECT 'each has the time at which it was made', bool_and(abs(extract(epoch FROM id::timestamptz - created_at)) < 60)
    AND count(*) > 20080 FROM document;
SELECT 'the order of ids is the order of created_at', bool_and(created_at >= previous IS NOT FALSE)
FROM (SELECT created_at, lag(created_at) OVER (ORDER BY id) AS previous FROM document WHERE title LIKE 'title%') AS t;
SELECT 'an old id finds its document by an index', plan ~ 'document_old_id'
FROM pg_temp.plan($$SELECT * FROM document WHERE old_id = '3f1e5f3a-9c1d-4d4e-8d3e-0f6d5c1b2a39'$$) AS plan;
INSERT INTO document (title) VALUES ('new');
SELECT 'new documents have no old id', old_id IS NULL FROM document WHERE title = 'new';

-- ## A live table from uuid v4, back
SELECT 'every document has a random id', count(*) > 20080 AND count(DISTINCT id) = count(*) AND count(new_id) = count(*)
    AND bool_and(luuid_extract_version(id) = 4 OR title = 'end') FROM document;
INSERT INTO document (title) VALUES ('new');
SELECT 'new ones too', luuid_extract_version(id) = 4 AND new_id >= now() - interval '1 min' FROM document WHERE title = 'new';
DELETE FROM document WHERE title = 'new';
SELECT 'it is the primary key', pg_get_constraintdef(oid) = 'PRIMARY KEY (id)' FROM pg_constraint WHERE conname = 'document_pkey';

-- ## A live table from v1 or v7
SELECT 'the way back keeps the ids and the foreign key', count(*) >= 20080 AND bool_and(pg_typeof(visit.id) = 'uuid'::regtype)
    AND pg_temp.refused('INSERT INTO click (visit_id) VALUES (luuid_generate_v7())') LIKE '23503 %' FROM click JOIN visit ON visit.id = visit_id;
ALTER TABLE visit ALTER id DROP DEFAULT, ALTER id TYPE luuid, ALTER id SET DEFAULT luuid_generate_v7();
ALTER TABLE click ALTER id DROP DEFAULT, ALTER id TYPE luuid, ALTER id SET DEFAULT luuid_generate_v7(), ALTER visit_id TYPE luuid;
SELECT 'visits that the application committed are there', count(*) > 80 AND bool_and(writer IN (SELECT page FROM visit)) FROM committed;
SELECT 'every click is at its visit', count(*) >= 20080 AND bool_and(visit.id IS NOT NULL) FROM click LEFT JOIN visit ON visit.id = visit_id;
SELECT 'ids of before are as they were, and in their order', count(*) = 20000 AND bool_and(luuid_extract_version(id) = 7)
    AND bool_and(id > previous IS NOT FALSE)
FROM (SELECT id, lag(id) OVER (ORDER BY substr(page, 6)::int) AS previous FROM visit WHERE page ~ '^page \d') AS numbered;
SELECT 'ids that came while it was at it, and since, are of version 7', bool_and(luuid_extract_version(id) = 7) FROM visit;
SELECT 'each writer''s visits are in its order', bool_and(id > previous IS NOT FALSE) FROM (
    SELECT id, lag(id) OVER (PARTITION BY split_part(page, ',', 1) ORDER BY substring(page FROM '\d+$')::int) AS previous
    FROM visit WHERE page LIKE 'writer%'
) AS written;
SELECT 'a click without a visit is refused', pg_temp.refused('INSERT INTO click (visit_id) VALUES (luuid_generate())') LIKE '23503 %';
-- The same of version 1, whose bytes are in another order.
CREATE TABLE ticks (id uuid PRIMARY KEY, n int);
INSERT INTO ticks SELECT ('00000000-' || lpad(to_hex(n), 4, '0') || '-11f1-8000-000000000000')::uuid, n FROM generate_series(1, 100) AS n;
INSERT INTO ticks SELECT ('ffffffff-' || lpad(to_hex(n), 4, '0') || '-11f0-8000-000000000000')::uuid, n - 200 FROM generate_series(1, 100) AS n;
ALTER TABLE ticks ALTER COLUMN id TYPE luuid;
SELECT 'ids of version 1 are in the order of time', array_agg(n ORDER BY id) = array_agg(n ORDER BY n)
    AND array_agg(n ORDER BY id::uuid) <> array_agg(n ORDER BY n) FROM ticks;

-- ## A uuid that stays
SELECT 'the slice is whole', count(*) = 30 FROM account WHERE id <@ tstzrange('2026-11-19 10:00+00', '2026-11-19 10:30+00');
SELECT 'the order is that of time', bool_and(at <= previous IS NOT FALSE) FROM (
    SELECT id::luuid::timestamptz AS at, lag(id::luuid::timestamptz) OVER () AS previous FROM (SELECT id FROM account ORDER BY id USING #>#) AS t
) AS t;
CREATE FUNCTION pg_temp.copies_all(after_the_last text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    page bigint;
BEGIN
    CREATE TEMP TABLE copied AS SELECT uuid '00000000-0000-0000-0000-000000000000' AS id;
    LOOP
        EXECUTE format('INSERT INTO copied SELECT id FROM account WHERE %s LIMIT 9000', after_the_last);
        GET DIAGNOSTICS page = ROW_COUNT;
        EXIT WHEN page = 0;
    END LOOP;
    RETURN (SELECT array_agg(id ORDER BY id) FROM account) = (SELECT (array_agg(id ORDER BY id))[2:] FROM copied);
END
$$;
SELECT 'pages by max(id) skip rows, until the core has max(uuid)', pg_typeof(max(id)) = 'uuid'::regtype
    OR NOT pg_temp.copies_all('id > (SELECT max(id) FROM copied) ORDER BY id') FROM account;
DROP TABLE IF EXISTS copied;
SELECT 'those by time do not', pg_temp.copies_all('id #># (SELECT max(id::luuid)::uuid FROM copied) ORDER BY id USING #<#');
DROP TABLE copied;
SELECT 'nor by the cast', pg_temp.copies_all('id::luuid > (SELECT max(id::luuid) FROM copied) ORDER BY id::luuid');
DROP TABLE copied;
SELECT 'nor by bytes', pg_temp.copies_all('id > (SELECT id FROM copied ORDER BY id DESC LIMIT 1) ORDER BY id');
-- Both indexes, alone, serve the same queries, as the table says.
CREATE TABLE asked AS SELECT * FROM (VALUES
    ($$SELECT id FROM account WHERE id >= timestamptz '2026-11-19 23:00+00' ORDER BY id::luuid$$, 'Index Scan', 'Index Only Scan'),
    ($$SELECT id FROM account WHERE id::luuid::timestamptz >= timestamptz '2026-11-19 23:00+00'$$, 'Index Scan', 'Index Only Scan'),
    ($$SELECT id FROM account WHERE id::luuid < luuid_floor(timestamptz '2026-10-01 01:00+00')$$, 'Index Scan', 'Index Only Scan'),
    ('SELECT id FROM account ORDER BY id::luuid DESC LIMIT 10', 'Index Scan Backward', 'Sort'),
    ('SELECT max(id::luuid) FROM account', 'Index Scan Backward', 'Seq Scan'),
    ('SELECT id FROM account ORDER BY id USING #># LIMIT 10', 'Sort', 'Index Only Scan Backward'),
    ($$SELECT count(*) OVER (ORDER BY id::luuid RANGE '1 min' PRECEDING) FROM account LIMIT 10$$, 'Index Scan', 'Sort')
) AS v (query, of_expression, of_class);
CREATE FUNCTION pg_temp.answer(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    answer text;
BEGIN
    EXECUTE format('SELECT md5(array_agg(q)::text) FROM (%s) AS q', query) INTO answer;
    RETURN answer;
END
$$;
DROP INDEX account_time;
ALTER TABLE asked ADD answer text;
UPDATE asked SET answer = pg_temp.answer(query);
VACUUM account;
CREATE INDEX account_time ON account ((id::luuid));
SELECT '((id::luuid)) serves ' || query, pg_temp.plan(query) ~ (of_expression || '(?! Backward)') AND pg_temp.answer(query) = answer
FROM asked;
BEGIN;
ALTER TABLE account ALTER id DROP DEFAULT, ALTER id TYPE luuid;
SELECT 'it becomes an index of the column', pg_get_indexdef('account_time'::regclass) LIKE '%(id)';
ROLLBACK;
DROP INDEX account_time;
CREATE INDEX account_class ON account (id uuid_time_ops);
SELECT '(id uuid_time_ops) serves ' || query, pg_temp.plan(query) ~ of_class AND pg_temp.answer(query) = answer FROM asked;
SELECT 'it stops a change of type', pg_temp.refused('ALTER TABLE account ALTER id DROP DEFAULT, ALTER id TYPE luuid') LIKE '%does not accept data type luuid';
DROP INDEX account_class;
CREATE INDEX account_time ON account ((id::luuid));
SELECT 'the column is a uuid still', pg_typeof(id) = 'uuid'::regtype FROM account LIMIT 1;
INSERT INTO account (name) VALUES ('new');
INSERT INTO account VALUES (gen_random_uuid(), 'random');
SELECT 'new rows are in today''s slice, random ones in none', array_agg(name) = '{new}' FROM account
WHERE id <@ tstzrange(now() - interval '1 hour', 'infinity');
CREATE TABLE partitioned (id uuid PRIMARY KEY, name text) PARTITION BY RANGE (id uuid_time_ops);
CREATE TABLE whole PARTITION OF partitioned FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
SET enable_seqscan = off;
SELECT 'a partition is scanned by its primary key', pg_temp.plan('SELECT * FROM partitioned WHERE id >= now()') ~ 'Seq Scan';
CREATE INDEX ON partitioned (id uuid_time_ops);
SELECT 'and read by an index of the class', pg_temp.plan('SELECT * FROM partitioned WHERE id >= now()') ~ 'Index Cond';
RESET enable_seqscan;

-- ## PHP keys
SELECT 'every digit is kept', array_agg(luuid_to_uniqid(id) ORDER BY name) = (SELECT array_agg(key ORDER BY name) FROM old_member
    WHERE is_short_key(key))
    AND count(*) = 3 FROM member;
-- Of all keys that differ in one digit from a good one, the function accepts those that come back as they were.
SELECT 'the function accepts what comes back, and no other', count(*) > 200 AND bool_and(is_short_key(key) = (
    CASE WHEN pg_temp.refused(format('SELECT luuid_from_uniqid(%L)', key)) <> 'no error' THEN false
    ELSE luuid_to_uniqid(luuid_from_uniqid(key)) = key END))
FROM (
    SELECT overlay(key PLACING digit FROM place FOR 1) AS key
    FROM (VALUES ('8b3b5507c2f125c2f4'), ('9b3b5507c2f12f423f')) AS good (key), generate_series(1, 18) AS place,
        unnest(string_to_array('0123456789abcdefg', NULL)) AS digit
) AS near;
SELECT 'a shard of two digits is one of twelve', array_agg(is_short_key(key, 12)) = '{t,f,f,f}' AND NOT is_short_key('10aa286b01eea5af7e6')
FROM unnest(ARRAY['10aa286b01eea5af7e6', '11aa286b01eea5af7e6', 'aaa286b01eea5af7e6', '010aa286b01eea5af7e6']) AS key;

-- ## Shards by prefix
SELECT 'each row is in the shard that its first bits name', bool_and(tableoid::regclass::text = 'tenant_' || luuid_shard(id, 16)) FROM tenant;
SELECT 'and that a client computes', bool_and(luuid_shard(id, 16) = ('x' || left(id::text, 8))::bit(32)::bigint * 16 >> 32) FROM tenant;
INSERT INTO tenant SELECT luuid_shard_floor(shard, 16), 'first' FROM generate_series(0, 15) AS shard;
INSERT INTO tenant VALUES ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'last');
SELECT 'the edges are in', count(DISTINCT tableoid) = 16 FROM tenant WHERE name IN ('first', 'last');
CREATE TABLE by_time (id luuid) PARTITION BY RANGE (id);
CREATE TABLE by_time_0 PARTITION OF by_time FOR VALUES FROM (luuid_shard_floor(0, 2)) TO (luuid_shard_floor(1, 2));
CREATE TABLE by_time_1 PARTITION OF by_time FOR VALUES FROM (luuid_shard_floor(1, 2)) TO (MAXVALUE);
INSERT INTO by_time SELECT luuid_generate() FROM generate_series(1, 100);
SELECT 'without luuid_byte_ops, new rows go to the first', count(*) = 100 FROM by_time_0;

-- ## Children beside their parent
SELECT 'each child shares 16 bits with its parent', bool_and(left(id::text, 4) = left(customer_id::text, 4)) FROM purchase;
INSERT INTO purchase SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2', id, 'given' FROM customer LIMIT 1;
SELECT 'an id that is given is kept', count(*) = 1 FROM purchase WHERE id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
CREATE FUNCTION parcel_id() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.id := luuid_generate_near(NEW.customer_id); RETURN NEW; END';
CREATE TRIGGER parcel_id BEFORE INSERT ON parcel FOR EACH ROW EXECUTE FUNCTION parcel_id();
SELECT 'a trigger comes too late', pg_temp.refused('INSERT INTO parcel (customer_id) SELECT id FROM customer') LIKE '23514 no partition %';
DROP TRIGGER parcel_id ON parcel;
INSERT INTO parcel SELECT luuid_generate_near(id), id FROM customer;
SELECT 'each is beside its parent', count(DISTINCT tableoid) = 2 AND bool_and(luuid_shard(id, 2) = luuid_shard(customer_id, 2)) FROM parcel;
CREATE TABLE by_customer (id luuid, customer_id luuid, PRIMARY KEY (customer_id, id)) PARTITION BY RANGE (customer_id luuid_byte_ops);
CREATE TABLE by_customer_all PARTITION OF by_customer DEFAULT;
CREATE TRIGGER purchase_id BEFORE INSERT ON by_customer FOR EACH ROW EXECUTE FUNCTION purchase_id();
INSERT INTO by_customer (customer_id) SELECT id FROM customer;
SELECT 'the trigger serves partitions by the parent', count(*) = 1000 AND bool_and(left(id::text, 4) = left(customer_id::text, 4)) FROM by_customer;

-- ## A share of the rows
INSERT INTO subscriber SELECT CASE n % 2 WHEN 0 THEN gen_random_uuid() ELSE luuid_generate_sequential() END, 'other'
FROM generate_series(1, 10000) AS n;
SELECT 'ids of any version are in each share', count(*) = 30 AND min(rows) > 350 AND max(rows) < 1150
FROM (SELECT share_of(id, 4, 10) AS share, luuid_extract_version(id) AS version, count(*) AS rows FROM subscriber GROUP BY share, version) AS s;
SELECT 'those of one purpose say nothing of another''s', count(*) BETWEEN 120 AND 280
FROM subscriber WHERE share_of(id, 5, 10) = 0 AND share_of(id, 6, 10) = 0;
SELECT 'luuid_shard has all new ids of version 7 in one', count(DISTINCT luuid_shard(id, 100)) = 1 FROM subscriber WHERE name ^@ 'name';
CREATE INDEX ON subscriber (share_of(id, 3, 4), id);
ANALYZE subscriber;
SELECT 'an index serves a worker', plan ~ 'Index'
FROM pg_temp.plan('SELECT id FROM subscriber WHERE share_of(id, 3, 4) = 2 ORDER BY id LIMIT 10') AS plan;

-- ## A work queue
SELECT 'what was taken is gone, and the rest is there', array_agg(task) = '{resize 3}' FROM job;

-- ## An ordered outbox
SELECT 'what was taken is gone', count(*) = 0 FROM outbox;
CREATE EXTENSION dblink;
SELECT 'two workers', bool_and(dblink_connect(worker, format('host=%s port=%s dbname=%s',
    current_setting('unix_socket_directories'), current_setting('port'), current_database())) = 'OK')
FROM unnest('{one,other}'::text[]) AS worker;
SELECT 'one of them waits', dblink_send_query('one', format('CALL luuid_wait(%L)', luuid_horizon())) = 1;
INSERT INTO outbox (message) SELECT n::text FROM generate_series(1, 200) AS n;
SELECT 'a commit wakes it', upto > min(id) FROM dblink_get_result('one') AS t (upto luuid), outbox GROUP BY upto;
SELECT 'it says no more', count(*) = 0 FROM dblink_get_result('one') AS t (upto luuid);
CREATE FUNCTION pg_temp.take(worker text) RETURNS int[] LANGUAGE sql AS $$
    SELECT array_agg((taken ->> 'message')::int)
    FROM dblink(worker, 'SELECT messages FROM take_messages(luuid_horizon())') AS batch (messages json), json_array_elements(messages) AS taken
$$;
SELECT 'time passes', pg_sleep(0.01) IS NOT NULL;
SELECT 'it begins', dblink_exec('one', 'BEGIN') = 'BEGIN';
SELECT 'it takes a batch in order', pg_temp.take('one') = (SELECT array_agg(n) FROM generate_series(1, 100) AS n);
SELECT 'the other takes the next at once', pg_temp.take('other') = (SELECT array_agg(n) FROM generate_series(101, 200) AS n);
SELECT 'which fails', dblink_exec('one', 'ROLLBACK') = 'ROLLBACK';
SELECT 'what failed is taken by the other', pg_temp.take('other') = (SELECT array_agg(n) FROM generate_series(1, 100) AS n);
SELECT 'nothing is left', count(*) = 0 FROM outbox;
INSERT INTO outbox (message) SELECT n::text FROM generate_series(1, 3) AS n;
SELECT 'time passes again', pg_sleep(0.01) IS NOT NULL;
SELECT 'somebody begins', dblink_exec('one', 'BEGIN') = 'BEGIN';
SELECT 'and locks a message', n = 1 FROM dblink('one', $$SELECT 1 FROM outbox WHERE message = '1' FOR UPDATE$$) AS locked (n int);
SELECT 'the others are taken', pg_temp.take('other') = '{2,3}';
SELECT 'it is locked no longer', dblink_exec('one', 'ROLLBACK') = 'ROLLBACK';
SELECT 'it is taken in the next round', pg_temp.take('other') = '{1}';
INSERT INTO outbox (message) VALUES ('settled'), ('later');
SELECT 'no message of after the given horizon is taken', horizon = min(id) AND messages::text = '[]' FROM outbox, take_messages((SELECT min(id) FROM outbox))
GROUP BY horizon, messages::text;
SELECT 'nor one of after the present horizon', horizon < luuid_floor(clock_timestamp() + interval '1 s')
FROM take_messages(luuid_floor('infinity'));
SELECT 'an end', bool_and(dblink_disconnect(worker) = 'OK') FROM unnest('{one,other}'::text[]) AS worker;

-- ## Many tables, one consumer
SELECT 'a page is read by the index of each table', (length(plan) - length(replace(plan, 'Index Cond', ''))) / length('Index Cond') = 2
FROM pg_temp.plan($$SELECT * FROM change WHERE id >= '20be0ffc-314a-bd53-7a50-01a1fe016629' AND id < '20be0ffc-314a-bd53-7a50-01a1fe016729'$$) AS
    plan;

-- ## Updates
CREATE TABLE asked AS SELECT max(changed) AS last FROM product;
UPDATE product SET price = price + 1, changed = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
SELECT 'whatever is written there, the trigger sets it', count(*) = 2 FROM product, asked, pg_sleep(0.01) WHERE changed > last;
SELECT 'and a reader gets each row once', array_agg(name ORDER BY changed) <@ '{pen,ink}' AND count(*) = 2
FROM product, asked WHERE changed > last AND changed < luuid_horizon();

-- ## Ids of applications
SELECT 'an id in time is accepted', pg_temp.refused($$INSERT INTO sighting VALUES (luuid_generate(clock_timestamp() + interval '1 s'),
    1)$$) = 'no error';
SELECT 'one that is late is refused', pg_temp.refused($$INSERT INTO sighting VALUES (luuid_generate(timestamptz '2020-01-01Z'), 1)$$) LIKE '23514 %';
SELECT 'a phone that is an hour behind is refused, whichever id it takes', bool_and(
    pg_temp.refused($$INSERT INTO sighting VALUES (luuid_generate(clock_timestamp() - interval '1 hour'), 1)$$) LIKE '23514 %')
FROM generate_series(1, 3);
SELECT 'but not its photo', pg_temp.refused($$INSERT INTO photo (device, title)
    SELECT luuid_generate(clock_timestamp() - interval '1 hour'), 'hill'$$) = 'no error';
SELECT 'a moment later', true FROM pg_sleep(0.01);
SELECT 'which readers get', array_agg(title ORDER BY id) = '{sea,hill}' FROM photo WHERE id < luuid_horizon();
INSERT INTO sighting (value) SELECT n FROM generate_series(1, 1000) AS n;
SET enable_seqscan = off;
SELECT 'a reader reads by the index', plan ~ 'Index Cond' AND plan !~ 'Filter' FROM pg_temp.plan('SELECT * FROM settled_sighting ORDER BY id') AS
    plan;
RESET enable_seqscan;
SELECT 'who stays behind asks for no later horizon', luuid_horizon('5 s') < luuid_floor(clock_timestamp() - interval '4.9 s');

-- ## Readers over several servers
CREATE VIEW least AS SELECT upto FROM server, dblink(connection, $$SELECT luuid_horizon('5 s')$$) AS asked (upto luuid)
    ORDER BY upto NULLS FIRST LIMIT 1;
INSERT INTO event (what) VALUES ('opened');
SELECT 'readers stay behind', count(*) = 1 FROM event, least WHERE id > upto AND upto < luuid_floor(clock_timestamp() - interval '4.9 s');
SELECT 'an id in time is accepted', pg_temp.refused($$INSERT INTO event VALUES (luuid_generate(clock_timestamp() + interval '1 s'), 'paid')$$) =
    'no error';
SELECT 'one that is late is refused', pg_temp.refused($$INSERT INTO event VALUES (luuid_generate(timestamptz '2020-01-01Z'), 'late')$$) LIKE
    '23514 %';
INSERT INTO server VALUES ('host=/nowhere dbname=app');
SELECT 'no horizon without one of the servers', pg_temp.refused('SELECT * FROM least') LIKE '08001 %';

-- ## A view for connectors
SELECT 'what is committed comes up', array_agg(what ORDER BY at) @> '{not committed}' AND count(*) = 3
FROM settled_delivery, pg_sleep(0.01);
INSERT INTO delivery (what) SELECT 'of one statement' FROM generate_series(1, 5000);
SELECT 'a moment later', true FROM pg_sleep(0.01);
-- How many rows a connector reads, 100 at a time, that goes on after the position of its last one.
CREATE FUNCTION pg_temp.paged(position_columns text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    last settled_delivery;
    page settled_delivery[];
    total bigint := 0;
BEGIN
    last.id := ''; last.at := '-infinity'; last.n := 0;
    LOOP
        EXECUTE format('SELECT array_agg(d) FROM (SELECT * FROM settled_delivery AS d WHERE (%1$s) > (%2$s) ORDER BY %1$s LIMIT 100) AS d',
            position_columns, regexp_replace(position_columns, '\w+', '$1.\&', 'g')) INTO page USING last;
        EXIT WHEN page IS NULL;
        total := total + cardinality(page);
        last := page[cardinality(page)];
    END LOOP;
    RETURN total;
END $$;
SELECT 'by ' || position_columns || ' it reads ' || CASE WHEN is_all THEN 'every row' ELSE 'some rows' END,
    CASE WHEN is_all THEN pg_temp.paged(position_columns) = 5003 ELSE pg_temp.paged(position_columns) < 5003 END
FROM (VALUES ('id', true), ('at, id', true), ('at, n', true), ('at', false)) AS t (position_columns, is_all);
SET enable_seqscan = off;
SELECT 'a page by id is answered by an index', plan ~ 'Index Cond.*COLLATE|Index Cond: \(\(.*::text' AND plan !~ 'Sort'
FROM pg_temp.plan($$SELECT * FROM settled_delivery WHERE id > '019a3c76-8800-7000-8000-000000000000' ORDER BY id LIMIT 100$$) AS plan;
SELECT 'one by time and number too', plan ~ 'Index Cond' AND plan !~ ' Sort'
FROM pg_temp.plan($$SELECT * FROM settled_delivery WHERE (at, n) > (timestamptz '2026-11-20 00:00+00', 5) ORDER BY at, n LIMIT 100$$) AS plan;
RESET enable_seqscan;

-- ## A projection
SELECT 'it has projected while the application wrote', count(*) > 0 FROM balance WHERE account LIKE 'writer%';
SELECT 'payments that the application committed are there', count(*) > 80 AND bool_and(writer IN (SELECT account FROM payment)) FROM committed;
SELECT 'a page', pg_sleep(0.01) IS NOT NULL AND project_balance(7) = 7;
CREATE FUNCTION pg_temp.project_all() RETURNS void LANGUAGE plpgsql AS 'BEGIN WHILE project_balance() > 0 LOOP END LOOP; END';
SELECT 'and the rest', true FROM pg_temp.project_all();
SELECT 'each payment counts once', count(*) > 80 AND bool_and(amount IS NOT DISTINCT FROM paid) FROM balance FULL JOIN (
    SELECT account, sum(amount) AS paid FROM payment GROUP BY account
) AS paid USING (account);
INSERT INTO payment (account, amount) SELECT 'Cyd', 1 FROM pg_sleep(0.01);
SELECT 'the bounds are those of the index', plan ~ 'Index Cond: .*luuid_horizon' FROM pg_temp.plan(
    $$SELECT * FROM payment WHERE id > '20be0ffc-314a-bd53-7a50-01a1fe016629' AND id < luuid_horizon() ORDER BY id LIMIT 100$$) AS plan;

-- ## An incremental export
INSERT INTO entry (what) VALUES ('shipped');
SELECT 'a moment later', true FROM pg_sleep(0.01);
UPDATE export SET since = upto, upto = greatest(upto, luuid_horizon()) WHERE name = 'lake';
SELECT 'the next run has what is new', array_agg(what) = '{shipped}' FROM entry, export WHERE entry.id >= since AND entry.id < upto;
BEGIN;
INSERT INTO entry (what) VALUES ('returned');
UPDATE export SET since = upto, upto = greatest(upto, luuid_horizon()) WHERE name = 'lake';
SELECT 'what has not ended is left to a later one', count(*) = 0 FROM entry, export WHERE entry.id >= since AND entry.id < upto;
COMMIT;
SELECT 'a moment later', true FROM pg_sleep(0.01);
UPDATE export SET since = upto, upto = greatest(upto, luuid_horizon()) WHERE name = 'lake';
SELECT 'which has it', array_agg(what) = '{returned}' FROM entry, export WHERE entry.id >= since AND entry.id < upto;
SELECT 'without a horizon the end stays', greatest(upto, NULL) = upto FROM export;

-- ## A reader on a standby
INSERT INTO movement (what) SELECT 'row ' || n FROM generate_series(1, 1000) AS n;
SELECT 'a page is read by the index', plan ~ 'Index Cond' AND plan !~ 'Filter' FROM pg_temp.plan(
    $$SELECT what FROM movement WHERE id > '20be0ffc-314a-bd53-7a50-013a65ca76d2' AND id < (SELECT upto FROM beat) ORDER BY id LIMIT 500$$) AS plan;
SELECT 'inserted log is not before written log', pg_current_wal_insert_lsn() >= pg_current_wal_lsn();

-- ## A stuck transaction
CREATE EXTENSION dblink;
SELECT 'a session', dblink_connect('stuck', format('host=%s port=%s dbname=%s', current_setting('unix_socket_directories'),
    current_setting('port'), current_database())) = 'OK';
SELECT 'makes an id', dblink_exec('stuck', 'BEGIN; CREATE TEMP TABLE made AS SELECT luuid_generate() AS id') = 'SELECT 1';
CREATE TABLE asked AS SELECT luuid_horizon() AS horizon;
SELECT 'holds the horizon back', pg_sleep(0.01) IS NOT NULL AND (SELECT horizon FROM asked) = luuid_horizon();
SELECT 'raises the alert after a while', horizon_lag IS NULL OR horizon_lag > '10 ms' FROM luuid_status();
SELECT 'is found', array_agg(state) = '{idle in transaction}' AND min(age) > '10 ms'
FROM luuid_in_flight() LEFT JOIN pg_stat_activity USING (pid);
SELECT 'is ended', array_agg(pg_terminate_backend(pid, 10000)) = '{t}' FROM luuid_in_flight() WHERE age > interval '10 ms';
SELECT 'the horizon goes on', luuid_horizon() > horizon AND NOT EXISTS (SELECT FROM luuid_in_flight()) FROM asked;
SELECT 'a role ends its own idle transactions', rolconfig @> '{idle_in_transaction_session_timeout=1min}' FROM pg_roles WHERE rolname = 'shop';
DROP ROLE shop;
-- ## Ids in URLs
SELECT 'what the column says finds its row', count(*) = 2 FROM shop_order AS a JOIN shop_order AS b ON b.id = shop_order_id(a.public_id)
WHERE a.public_id = b.public_id;
SELECT 'so does any way to write it', array_agg(total) = '{100}' FROM shop_order WHERE id = shop_order_id('order_OIH455VB-4PEX5-VSKNK084SNO2Q');
INSERT INTO shop_order (total) SELECT n FROM generate_series(1, 1000) AS n;
SELECT 'new rows have theirs', count(DISTINCT public_id) = 1002 AND bool_and(public_id = 'order_' || luuid_to_base32(id)) FROM shop_order;
SELECT 'what is no id is refused', pg_temp.refused($$SELECT FROM shop_order WHERE id = shop_order_id('order_81h455vb4pex5vsknk084sn02q')$$) LIKE
    '22P02 %';
SELECT 'the column takes 33 bytes', max(pg_column_size(public_id)) = 33 FROM shop_order;

-- ## Sealed ids
SELECT 'what is sealed opens', bool_and(id = ANY (private_ids(public_id(id)))) AND count(DISTINCT public_id(id)) = 1000
    AND bool_and(luuid_extract_version(public_id(id)) = 4) FROM gift;
SELECT 'by the key that the recipe changed to', array_agg(number) = '{2}' FROM sealing.key;
SELECT 'a key of another length is refused', pg_temp.refused($$UPDATE sealing.key SET key = '\x00'$$) LIKE '23514 %';
SELECT 'an equal key is refused', pg_temp.refused('INSERT INTO sealing.key (key) SELECT key FROM sealing.key') LIKE '23505 %';
SELECT 'what is no sealed id is refused', pg_temp.refused($$SELECT private_ids('20be0ffc-314a-bd53-7a50-013a65ca76d2')$$) LIKE '22023 %';
-- Rotation, of ids that are dense in the seconds and random bits that they have.
CREATE TABLE given (by_key int, id luuid, public uuid);
INSERT INTO gift SELECT luuid_generate_v7(timestamptz '2026-11-01Z' + n % 50 * interval '1 s'), 'moved' FROM generate_series(1, 9000) AS n;
INSERT INTO given SELECT 2, id, public_id(id) FROM gift;
INSERT INTO sealing.key (key) VALUES (gen_random_bytes(16));
INSERT INTO given SELECT 3, id, public_id(id) FROM gift;
ANALYZE given, gift;
SELECT 'the new key seals', count(*) = 10000 AND bool_and(a.public <> b.public) FROM given AS a JOIN given AS b USING (id) WHERE a.by_key = 2 AND
    b.by_key = 3;
SELECT 'and leaves the last 21 characters', bool_and(right(a.public::text, 21) = right(b.public::text, 21)) FROM given AS a JOIN given AS b
    USING (id) WHERE a.by_key = 2 AND b.by_key = 3;
SELECT 'both keys open, each to its row and no other', count(*) = 20000 AND bool_and(gift.id = given.id)
FROM given JOIN gift ON gift.id = ANY (private_ids(public));
DELETE FROM sealing.key WHERE number = 2;
SELECT 'a deleted key opens no row, and none of another', count(*) = 10000 AND bool_and(gift.id = given.id AND by_key = 3)
FROM given JOIN gift ON gift.id = ANY (private_ids(public));
SELECT 'ids of different times show no order when sealed', count(*) FILTER (WHERE tail > previous) BETWEEN 10 AND 40 FROM (
    SELECT right(public::text, 17) AS tail, lag(right(public::text, 17)) OVER (ORDER BY id) AS previous
    FROM (SELECT DISTINCT ON (gift.id::timestamptz) id, public FROM gift JOIN given USING (id) WHERE title = 'moved' AND by_key = 3) AS one_of_a_time
) AS t;
-- The first of UUIDv47's vectors.
UPDATE sealing.key SET key = '\xefcdab89674523011032547698badcfe';
SELECT 'it is UUIDv47', public_id('018f2d9f-9a2a-7def-8c3f-7b1a2c4d5e6f') = '2463c780-7fca-4def-8c3f-7b1a2c4d5e6f';
CREATE ROLE somebody;
GRANT SELECT ON gift TO somebody;
SET ROLE somebody;
SELECT 'others do not seal', pg_temp.refused('SELECT public_id(id) FROM gift') LIKE '42501 %';
SELECT 'nor open', pg_temp.refused($$SELECT private_ids('2463c780-7fca-4def-8c3f-7b1a2c4d5e6f')$$) LIKE '42501 %';
SET ROLE storefront;
SELECT 'the application does not see the key', pg_temp.refused('SELECT key FROM sealing.key') LIKE '42501 %';
SET ROLE reader;
SELECT 'nor does who may read tables by default', pg_temp.refused('SELECT key FROM sealing.key') LIKE '42501 %';
RESET ROLE;
DELETE FROM sealing.key;
SELECT 'without a key, sealing is an error', pg_temp.refused('SELECT public_id(id) FROM gift') LIKE '22023 %';
SELECT 'and nothing opens', private_ids('2463c780-7fca-4def-8c3f-7b1a2c4d5e6f') = '{}';
DROP OWNED BY somebody, storefront;
DROP ROLE somebody, storefront;

-- ## Encrypted ids
SELECT 'what is encrypted decrypts', bool_and(decrypted_id(encrypted_id(id)) = id) AND count(DISTINCT encrypted_id(id)) = 1001 FROM voucher;
SELECT 'what decrypts is encrypted again', bool_and(encrypted_id(decrypted_id(any_id)) = any_id) FROM (SELECT gen_random_uuid() AS any_id
    FROM generate_series(1, 1000)) AS t;
SELECT 'encrypted neighbours differ in half of their bits', avg(bits) BETWEEN 62 AND 66 FROM (
    SELECT length(replace(((luuid_msb(encrypted) # luuid_msb(previous))::bit(64)
        || (luuid_lsb(encrypted) # luuid_lsb(previous))::bit(64))::text, '0', '')) AS bits
    FROM (SELECT encrypted_id(id)::luuid AS encrypted, encrypted_id(lag(id) OVER (ORDER BY id))::luuid AS previous FROM voucher) AS neighbours
) AS t;
SELECT 'a text of another length is refused', pg_temp.refused($$SELECT decrypted_id('aefcb106a01566fef1eddfabc8c6b7')$$) LIKE '22P02 %';
SELECT 'so are bytes of another length', pg_temp.refused($$SELECT decrypted_id('\xaefcb106'::bytea::luuid::uuid)$$) LIKE '22P03 %';
SELECT 'a key of another length is refused', pg_temp.refused($$UPDATE encryption.key SET key = '\x00'$$) LIKE '23514 %';
SELECT 'a second key is refused', pg_temp.refused('INSERT INTO encryption.key (key) SELECT key FROM encryption.key') LIKE '23505 %';
-- AES-256 of FIPS 197, appendix C.3.
UPDATE encryption.key SET key = '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
SELECT 'the cipher is AES', encrypted_id('00112233-4455-6677-8899-aabbccddeeff') = '8ea2b7ca-5167-45bf-eafc-49904b496089';
SELECT 'with another key it does not decrypt', count(*) = 0 FROM voucher WHERE id = decrypted_id('aefcb106-a015-66fe-f1ed-dfabc8c6b7a2');
CREATE ROLE application;
SET ROLE application;
SELECT 'nobody else encrypts', pg_temp.refused($$SELECT encrypted_id(luuid_generate())$$) LIKE '42501 %'
    AND pg_temp.refused($$SELECT decrypted_id(gen_random_uuid())$$) LIKE '42501 %';
RESET ROLE;
GRANT EXECUTE ON FUNCTION encrypted_id, decrypted_id TO application;
SET ROLE application;
SELECT 'the application encrypts', encrypted_id('00112233-4455-6677-8899-aabbccddeeff') = '8ea2b7ca-5167-45bf-eafc-49904b496089';
SELECT 'but does not see the key', pg_temp.refused('SELECT key FROM encryption.key') LIKE '42501 %';
SET ROLE reader;
SELECT 'nor does who may read tables by default', pg_temp.refused('SELECT key FROM encryption.key') LIKE '42501 %';
RESET ROLE;
DROP OWNED BY application;
DROP ROLE application;
