-- Sealed ids: the vectors of test/data/sealed.tsv, invalid arguments, and an index that finds them.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE TABLE line (text text);
\getenv source PG_ABS_SRCDIR
\set vectors :source '/test/data/sealed.tsv'
\set copy_in '\\copy line FROM ' :'vectors' ' WITH (FORMAT csv, DELIMITER E''\\x01'')'
:copy_in
CREATE VIEW vector AS SELECT field[1] AS kind, decode(field[2], 'hex') AS key, field[3] AS given, field[4] AS result
FROM line, string_to_array(text, E'\t', '') AS field WHERE text !~ '^(#|siphash)';
SELECT kind, result IS NULL AS is_refused, count(*), count(*) FILTER (WHERE kind = 'seal' AND luuid_seal(given::luuid, key) IS DISTINCT
    FROM result::uuid) AS sealed_otherwise, count(*) FILTER (WHERE kind = 'seal' AND luuid_unseal(result::uuid, key) IS DISTINCT FROM given::luuid)
    AS opened_otherwise FROM vector WHERE result IS NOT NULL GROUP BY 1, 2
UNION ALL SELECT kind, true, count(*), NULL, NULL FROM vector WHERE result IS NULL GROUP BY 1 ORDER BY 1, 2;
SELECT DISTINCT kind, state, regexp_replace(message, '".*"', '…') AS message, detail, hint
FROM vector, refusal(format('SELECT luuid_%s(%L, %L)', kind, given, key)) WHERE result IS NULL ORDER BY kind;
SELECT message FROM refusal($$SELECT luuid_seal('20be0ffc-314a-bd53-7a50-013a65ca76d2', '\x000102030405060708090a0b0c0d0e0f')$$);
-- A key has 16 bytes, however it is stored, and is in no message.
CREATE TABLE key (size int, key bytea);
ALTER TABLE key ALTER key SET STORAGE EXTERNAL;
INSERT INTO key SELECT size, decode(repeat('6b', size), 'hex') FROM unnest(ARRAY[0, 8, 15, 16, 17, 32, 5000]) AS size;
SELECT size, sealed.state, sealed.message, sealed.detail, unsealed = sealed AS so_is_unsealed
FROM key, refusal(format('SELECT luuid_seal(''01a1fdfa-5bd9-7b97-bc9f-aa0184a37621'', key) FROM key WHERE size = %s', size)) AS sealed,
    refusal(format('SELECT luuid_unseal(''a5d58f87-78f2-4b97-bc9f-aa0184a37621'', key) FROM key WHERE size = %s', size)) AS unsealed ORDER BY size;
-- Every version-7 id of the fixture is the same after unsealing. A sealed id differs in time and version, which the server reads as 4.
SELECT count(*) > 50 AS enough, count(*) FILTER (WHERE luuid_unseal(sealed, key.key) IS DISTINCT FROM id) AS lost,
    count(DISTINCT sealed) = count(DISTINCT id) AS one_to_one,
    count(*) FILTER (WHERE luuid_extract_version(sealed) IS DISTINCT FROM 4 OR luuid_extract_timestamp(sealed) IS NOT NULL) AS not_version_4,
    count(*) FILTER (WHERE substr(sealed::text, 16) IS DISTINCT FROM substr(id::text, 16)) AS changed
FROM ids, key, luuid_seal(id, key.key) AS sealed WHERE size = 16 AND version = 7 AND timed \gx
-- An index finds a sealed id: with a constant key, and with a key that a query reads.
CREATE TABLE item_sealed AS SELECT luuid_generate_v7() AS id FROM generate_series(1, 1000);
CREATE INDEX ON item_sealed (id);
ANALYZE item_sealed;
SELECT plan_says('Index Cond: .id = ''01a1fdfa-5bd9-7b97-bc9f-aa0184a37621''::luuid.', $$SELECT FROM item_sealed
        WHERE id = luuid_unseal('a5d58f87-78f2-4b97-bc9f-aa0184a37621', '\x000102030405060708090a0b0c0d0e0f')$$) AS by_a_constant,
    plan_says('Index Cond: .id = luuid_unseal.', $$SELECT FROM item_sealed
        WHERE id = luuid_unseal('a5d58f87-78f2-4b97-bc9f-aa0184a37621', (SELECT key FROM key WHERE size = 16))$$) AS by_a_query;
SELECT count(*) AS found FROM item_sealed AS i, key, luuid_seal(i.id, key.key) AS sealed, LATERAL (
    SELECT FROM item_sealed AS found WHERE found.id = luuid_unseal(sealed, key.key)) AS f WHERE size = 16;
