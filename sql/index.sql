-- Indexes: every kind gives the rows of a sequential scan, for either type.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- Each id twice and some NULLs, for deduplication; mostly in chronological order, for summaries.
CREATE TABLE kept (n serial, id luuid, u uuid);
INSERT INTO kept (id, u) SELECT id, u FROM hard, generate_series(1, 2) UNION ALL SELECT NULL, NULL FROM generate_series(1, 100);
INSERT INTO kept (id, u) SELECT id, id FROM generate_series(1, 3000) AS n, id_at(11, n * bigint '6000000000', digits('k' || n)) AS id;
ANALYZE kept;
-- The queries: every operator with every type on the right, and the range.
CREATE TABLE question (n serial, condition text);
INSERT INTO question (condition) SELECT format('id %s %s', op, value) FROM unnest(ARRAY['<', '<=', '=', '>=', '>']) AS op,
    (SELECT format('luuid %L', id) FROM hard WHERE place % 311 = 0 UNION ALL SELECT format('uuid %L', id) FROM hard WHERE place % 289 = 0
        UNION ALL SELECT format('timestamptz %L', t) FROM (SELECT t, row_number() OVER (ORDER BY t) AS n FROM times) AS o WHERE n % 19 = 1
        UNION ALL SELECT 'timestamptz ''1970-03-01''') AS v (value)
UNION ALL SELECT format('id <@ %L::tstzrange', r)
FROM unnest(ARRAY['[1970-01-05,1970-01-06)', '(1970-01-05 00:10:00+00,1970-01-05 00:20:00+00]', 'empty', '(,)', '(,1970-01-01]',
    '[2022-02-22 19:22:22+00,2022-02-22 19:22:22+00]', '[2000-01-01,)']::tstzrange[]) AS r
UNION ALL SELECT * FROM cases('timestamptz ''1970-02-01'' <= id AND id < timestamptz ''1970-02-02''; id IS NULL; id IS NOT NULL')
UNION ALL SELECT format('id = ANY (%L::%s[])', array_agg(id ORDER BY place), type)
FROM hard, unnest(ARRAY['luuid', 'uuid']) AS type WHERE place % 31 = 0 GROUP BY type
UNION ALL SELECT format('id %s %L%s', op, id, type)
FROM hard, (VALUES ('~<~', ''), ('~<=~', ''), ('~>=~', ''), ('~>~', ''), ('~<~', '::uuid'), ('~>=~', '::uuid')) AS o (op, type)
WHERE place % 799 = 0;
SELECT count(*) > 60 AS enough FROM question;
-- The result of each, and how many used an index.
CREATE VIEW answers AS SELECT n, answer(format('SELECT count(*) || '' '' || coalesce(sum(n), 0) FROM kept WHERE %s', condition)),
    plan_says('Index Cond', format('SELECT * FROM kept WHERE %s', condition)) > 0 AS indexed FROM question;
CALL plan_without('indexscan', 'bitmapscan', 'indexonlyscan');
CREATE TABLE truth AS SELECT * FROM answers;
SELECT count(*) FILTER (WHERE indexed) AS indexed, count(DISTINCT answer) > 30 AS differ FROM truth;
CALL plan_without('seqscan');
-- Each index alone; with an index scan, and with a bitmap scan.
CREATE FUNCTION compare(definition text) RETURNS TABLE (by_scan text, by_bitmap text) LANGUAGE sql AS $$
    SELECT answer_after(format('SET LOCAL enable_bitmapscan = off; CREATE INDEX ON kept USING %s', definition), 'SELECT correct FROM comparison'),
        answer_after(format('SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off; CREATE INDEX ON kept USING %s', definition),
            'SELECT correct || '', indexed '' || indexed FROM comparison')
$$;
CREATE VIEW comparison AS SELECT count(*) FILTER (WHERE a.answer = truth.answer) || ' of ' || count(*) AS correct,
    count(*) FILTER (WHERE a.indexed) AS indexed FROM answers AS a JOIN truth USING (n);
SELECT definition, c.*
FROM unnest(ARRAY['btree (id)', 'btree (id DESC NULLS FIRST)', 'btree (id luuid_byte_ops)', 'hash (id)',
    'brin (id) WITH (pages_per_range = 1)', 'brin (id luuid_minmax_multi_ops) WITH (pages_per_range = 2)',
    'brin (id luuid_minmax_multi_ops (values_per_range = 8)) WITH (pages_per_range = 4)',
    'brin (id luuid_bloom_ops) WITH (pages_per_range = 1)']) AS definition, compare(definition) AS c;
-- An index of uuid_time_ops supports its own operators and those with times. All queries again with a uuid, except those whose
-- operators have the core's order.
DELETE FROM question WHERE condition ~ '[<>]=? uuid|~';
ALTER TABLE kept RENAME id TO l;
ALTER TABLE kept RENAME u TO id;
SELECT definition, c.*
FROM unnest(ARRAY['btree (id uuid_time_ops)', 'btree (id)', 'brin (id luuid_minmax_ops) WITH (pages_per_range = 1)',
    'brin (id luuid_minmax_multi_ops) WITH (pages_per_range = 1)', 'brin (id luuid_bloom_ops) WITH (pages_per_range = 1)']) AS definition,
    compare(definition) AS c;
CREATE INDEX kept_time ON kept (id uuid_time_ops);
SELECT count(*) > 50 AS many, string_agg(op, ' ') FILTER (WHERE counted(format('kept WHERE id %s %L', op, u)) IS DISTINCT FROM
    counted(format('kept WHERE l %s luuid %L', replace(op, '#', ''), u))) AS wrong
FROM unnest(ARRAY['#<#', '#<=#', '#>=#', '#>#']) AS op, hard WHERE place % 29 = 0;
-- uuid's own > has the core's order, so it does not use such an index.
CALL plan_without('seqscan', 'bitmapscan', 'sort');
SELECT plan_of('SELECT * FROM kept WHERE ' || said) FROM cases($$id >= @1970-02-01 AND id < @1970-02-02 ORDER BY id USING #<#;
    id #># '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'; id = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'$$);
SELECT plan_says('Index Cond', 'SELECT * FROM kept WHERE id > uuid ''017f22e2-79b0-7cc3-98c4-dc0c0c07398f''') AS index_conditions;
CALL plan_without();
-- minmax-multi separates outliers from the rest by distance, so a scan reads few other pages.
CREATE TABLE outlier AS SELECT id_at(11, CASE WHEN n % 53 < 3 THEN n % 53 * 100000000000000000 ELSE 17672256000000000 + n * bigint '600000000' END,
    digits('o' || n))::luuid AS id FROM generate_series(1, 20000) AS n;
-- Avoid the empty pages that servers from 16 on add in advance, which every scan of this index reads.
VACUUM (FULL, ANALYZE) outlier;
CALL plan_without('seqscan');
SELECT index_class, jsonb_path_query_first(plan, '$.**."Lossy Heap Blocks"')::int < 5 AS few
FROM unnest(ARRAY['luuid_minmax_multi_ops', 'luuid_minmax_ops']) AS index_class,
    LATERAL (SELECT answer_after(format('CREATE INDEX ON outlier USING brin (id %s) WITH (pages_per_range = 1)', index_class),
        'EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) SELECT * FROM outlier WHERE id = timestamptz ''2026-01-05 00:00+00''')::jsonb AS plan) AS p;
CALL plan_without();
-- BRIN on a domain, created before the first row.
CREATE DOMAIN timed AS luuid CHECK (luuid_extract_timestamp(VALUE) IS NOT NULL);
CREATE TABLE dated (id timed, multi timed, bloom timed);
CREATE INDEX ON dated USING brin (id, multi luuid_minmax_multi_ops, bloom luuid_bloom_ops) WITH (pages_per_range = 1);
INSERT INTO dated SELECT id, id, id FROM generate_series(1, 20000) AS n, luuid_generate_v7(timestamptz '2026-01-01' + n * interval '1 minute') AS id;
SELECT brin_summarize_new_values('dated_id_multi_bloom_idx') > 0 AS summarized;
CALL plan_without('seqscan');
SELECT plan_says('Index Cond', 'SELECT FROM dated WHERE ' || said) AS asked, counted('dated WHERE ' || said)
FROM cases($$bloom = (SELECT min(id) FROM dated); id <@ tstzrange('2026-01-05 00:00', '2026-01-05 01:00');
    multi <@ tstzrange('2026-01-05 00:00', '2026-01-05 01:00')$$);
CALL plan_without();
-- UNIQUE uses equality; the error shows the id.
CREATE TABLE once (id luuid PRIMARY KEY);
INSERT INTO once SELECT id FROM ids;
INSERT INTO once SELECT id FROM ids ON CONFLICT (id) DO NOTHING;
SELECT count(*) = (SELECT count(*) FROM ids) AS once FROM once;
-- A foreign key may reference it from luuid and uuid. An exclusion constraint accepts the operators of the family.
CREATE TABLE child (id luuid REFERENCES once, u uuid REFERENCES once);
INSERT INTO child SELECT id, u FROM ids LIMIT 100;
CREATE TABLE alone (id luuid, EXCLUDE USING btree (id WITH =));
INSERT INTO alone VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2');
SELECT state, message, detail FROM cases($$INSERT INTO once VALUES ('00000000-0000-0000-0000-000000000000');
    INSERT INTO once VALUES ('FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'::uuid); INSERT INTO child (u) VALUES ('00000000-0000-0000-0000-000000000002');
    DELETE FROM once WHERE id = (SELECT u FROM child WHERE u IS NOT NULL ORDER BY u LIMIT 1);
    INSERT INTO alone VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2')$$), refusal(said);
-- Deduplication works in both orders: equal ids have equal images.
CREATE TABLE same AS SELECT '20be0ffc-314a-bd53-7a50-013a65ca76d2'::luuid AS id FROM generate_series(1, 20000);
CREATE INDEX same_time ON same (id);
CREATE INDEX same_byte ON same (id luuid_byte_ops);
CREATE INDEX same_unfolded ON same (id) WITH (deduplicate_items = off);
SELECT pg_relation_size('same_time') * 3 < pg_relation_size('same_unfolded') AS time,
    pg_relation_size('same_byte') * 3 < pg_relation_size('same_unfolded') AS byte;
