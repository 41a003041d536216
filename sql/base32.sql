-- Base 32: the 26 characters of an id in a URL, in and out, as in TypeID's specification.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- An invalid text for each reason, and a ULID. vectors.sql has what is valid.
SELECT r.* FROM cases($$luuid_from_base32(''); luuid_from_base32('123456789012345678901234567');
    luuid_from_base32('prefix_01h455vb4pex5vsknk084sn02q'); luuid_from_base32('01h455vb4pex5vsknk084sn02é');
    luuid_from_ulid('81ARYZ6S41TSV4RRFFQ69G5FAV')$$), refusal('SELECT ' || said) AS r;
-- A ULID becomes an id of its millisecond, whatever its version nibble is. Version 7 and the variant replace six bits of it.
-- Golden: a ULID of 1 469 918 176 385 ms.
SELECT of_ulid AS id, as_it_is, luuid_extract_timestamp(of_ulid) = to_timestamp(1469918176.385) AS of_it, luuid_extract_timestamp(as_it_is) AS time_as_it_is
FROM luuid_from_ulid('01ARYZ6S41TSV4RRFFQ69G5FAV') AS of_ulid, luuid_from_base32('01ARYZ6S41TSV4RRFFQ69G5FAV') AS as_it_is \gx
-- An id from text in a key: the expression is immutable, so it can be generated, indexed and looked up.
CREATE TABLE item (id luuid PRIMARY KEY, public_id text GENERATED ALWAYS AS ('item_' || luuid_to_base32(id)) STORED);
INSERT INTO item SELECT u FROM ids;
SELECT count(*) AS found FROM ids, LATERAL (SELECT FROM item
    WHERE item.id = luuid_from_base32(substr('item_' || luuid_to_base32(ids.id), 6)) AND public_id = 'item_' || luuid_to_base32(ids.id)) AS f;
SELECT plan_says('Index Cond: .id = ', $$SELECT FROM item WHERE id = luuid_from_base32(substr('item_01h455vb4pex5vsknk084sn02q', 6))$$)
    AS by_the_key;
