-- Base 32: the 26 characters of an id in a URL, in and out, as in TypeID's specification.
\a \t

-- Its valid examples: the suffix, and the UUID.
CREATE TABLE example (name text, suffix text, id uuid);
INSERT INTO example VALUES
    ('nil', '00000000000000000000000000', '00000000-0000-0000-0000-000000000000'),
    ('one', '00000000000000000000000001', '00000000-0000-0000-0000-000000000001'),
    ('ten', '0000000000000000000000000a', '00000000-0000-0000-0000-00000000000a'),
    ('sixteen', '0000000000000000000000000g', '00000000-0000-0000-0000-000000000010'),
    ('thirty-two', '00000000000000000000000010', '00000000-0000-0000-0000-000000000020'),
    ('max-valid', '7zzzzzzzzzzzzzzzzzzzzzzzzz', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ('valid-alphabet', '0123456789abcdefghjkmnpqrs', '0110c853-1d09-52d8-d73e-1194e95b5f19'),
    ('valid-uuidv7', '01h455vb4pex5vsknk084sn02q', '01890a5d-ac96-774b-bcce-b302099a8057');
SELECT name, luuid_to_base32(id) = suffix AS written, luuid_from_base32(suffix) = id AS read,
    luuid_from_base32(upper(suffix)) = id AS upper, 'prefix_' || luuid_to_base32(id) AS typeid
FROM example ORDER BY name COLLATE "C";

-- Its invalid examples of a suffix, and others. Upper case, hyphens and look-alikes are invalid in a TypeID, but valid
-- in Crockford's base 32, so they are accepted.
SELECT n, suffix, r.state, r.message, r.detail, r.hint
FROM (VALUES (1, ''), (2, '1234567890123456789012345'), (3, '123456789012345678901234567'), (4, '1234567890123456789012345 '),
    (5, '8zzzzzzzzzzzzzzzzzzzzzzzzz'), (6, 'ooooooiiiiiiuuuuuuulllllll'), (7, 'prefix_01h455vb4pex5vsknk084sn02q'),
    (8, '01h455vb4pex5vsknk084sn02é'), (9, '-'), (10, 'z0000000000000000000000000'), (11, '123456789-123456789-123456')) AS bad (n, suffix),
    LATERAL refusal(format('SELECT luuid_from_base32(%L)', suffix)) AS r ORDER BY n;
SELECT n, luuid_from_base32(suffix)
FROM (VALUES (1, '01H455VB4PEX5VSKNK084SN02Q'), (2, 'oLh455vb4pex5vsknko84snO2q'), (3, '0Ih4-55vb4pe-x5vs-knk0-84sn02q'),
    (4, '-01h455vb4pex5vsknk084sn02q--'), (5, '0123456789ABCDEFGHJKMNPQRS'), (6, 'i23456789ol23456789oi23456')) AS alike (n, suffix) ORDER BY n;

-- Every id of the fixture round-trips, no two have the same text, and the texts sort as the bytes do.
SELECT count(*) FILTER (WHERE luuid_from_base32(luuid_to_base32(id)) <> id) AS lost,
    count(DISTINCT luuid_to_base32(id)) = count(*) AS one_to_one,
    count(*) FILTER (WHERE luuid_to_base32(id) !~ '^[0-7][0-9a-hjkmnp-tv-z]{25}$') AS malformed FROM ids;
SELECT luuid_to_base32(NULL) IS NULL AND luuid_from_base32(NULL) IS NULL AS null;

-- A ULID becomes an id of its millisecond whatever its version nibble, with version 7 and its variant in place of six
-- bits, which are lost. Golden: a ULID of 1 469 918 176 385 ms.
SELECT luuid_from_ulid('01ARYZ6S41TSV4RRFFQ69G5FAV') AS id, luuid_from_base32('01ARYZ6S41TSV4RRFFQ69G5FAV') AS as_it_is,
    luuid_extract_timestamp(luuid_from_ulid('01ARYZ6S41TSV4RRFFQ69G5FAV')) = to_timestamp(1469918176.385) AS of_it,
    luuid_extract_timestamp(luuid_from_base32('01ARYZ6S41TSV4RRFFQ69G5FAV')) AS as_it_is_of;
-- One in six random UUIDs counts as timed: versions b and 1, and a quarter of 6, 7 and 8.
SELECT count(*) FILTER (WHERE luuid_extract_timestamp(luuid_from_base32('01kaqv5r80' || ulid)) IS NOT NULL)
    BETWEEN 20000 * 0.16 AND 20000 * 0.185 AS one_in_six
FROM (SELECT substr(luuid_to_base32(digits('ulid' || n)::uuid), 11) FROM generate_series(1, 20000) AS n) AS u (ulid);
SELECT (refusal($$SELECT luuid_from_ulid('81ARYZ6S41TSV4RRFFQ69G5FAV')$$)).*;
SELECT luuid_from_ulid(NULL) IS NULL AS null;

-- An id from text in a key: the expression is immutable, so it can be generated, indexed and looked up.
CREATE TABLE item (id luuid PRIMARY KEY, public_id text GENERATED ALWAYS AS ('item_' || luuid_to_base32(id)) STORED);
INSERT INTO item SELECT u FROM ids;
SELECT count(*) AS found FROM ids, LATERAL (SELECT FROM item
    WHERE item.id = luuid_from_base32(substr('item_' || luuid_to_base32(ids.id), 6)) AND public_id = 'item_' || luuid_to_base32(ids.id)) AS f;
SELECT plan_says('Index Cond: .id = ', $$SELECT FROM item WHERE id = luuid_from_base32(substr('item_01h455vb4pex5vsknk084sn02q', 6))$$)
    AS by_the_key;
