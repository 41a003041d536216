-- The 16 bytes: as bytea, as two bigints, in binary. vectors.sql has the conversions of each id.
\a \pset footer off \set ECHO errors
CALL begin_test();
-- Rows, json and arrays treat an id as they treat a uuid.
SELECT count(*) FILTER (WHERE (jsonb_build_object('id', id) ->> 'id')::luuid IS DISTINCT FROM id) AS json,
    count(*) FILTER (WHERE row(id)::text IS DISTINCT FROM row(u)::text) AS rows,
    count(*) FILTER (WHERE id::uuid IS DISTINCT FROM u OR u::luuid IS DISTINCT FROM id) AS uuid FROM ids;
SELECT luuid_from_bits(lsb => 9223372036854775807, msb => -1) AS by_name;
-- bytea of any other size is rejected. Stored values: short, compressed and out of line.
SELECT size, state, message, hint FROM unnest(ARRAY[0, 1, 15, 16, 17, 32, 3000]) AS size,
    refusal(format('SELECT decode(repeat(''b1'', %s), ''hex'')::luuid', size));
SELECT '\x20be0ffc314abd537a50013a65ca76d2'::bytea::luuid AS by_cast, luuid('\x20be0ffc314abd537a50013a65ca76d2'::bytea) AS by_function;
CREATE TABLE kept (b bytea);
ALTER TABLE kept ALTER b SET STORAGE EXTERNAL;
INSERT INTO kept SELECT decode(repeat('b1', size), 'hex') FROM unnest(ARRAY[16, 5000]) AS size;
SELECT length(b), state, message FROM kept, refusal(format('SELECT b::luuid FROM kept WHERE length(b) = %s', length(b))) ORDER BY 1;
-- COPY BINARY, out and in, and between luuid and uuid: the same file format.
CREATE TABLE copied (id luuid);
CREATE TABLE copied_uuid (id uuid);
\set file `mktemp "${TMPDIR:-/tmp}/luuid.XXXXXX"`
\setenv LUUID_FILE :file
\set copy_in '\\copy copied FROM ' :file ' WITH (FORMAT binary)'
\set copy_in_uuid '\\copy copied_uuid FROM ' :file ' WITH (FORMAT binary)'
COPY (SELECT id FROM ids) TO STDOUT WITH (FORMAT binary) \g :file
:copy_in
:copy_in_uuid
COPY (SELECT u FROM ids) TO STDOUT WITH (FORMAT binary) \g :file
:copy_in
SELECT count(*) AS ids, count(*) FILTER (WHERE n IS DISTINCT FROM 2) AS of_luuid, count(*) FILTER (WHERE uuids IS DISTINCT FROM 1) AS of_uuid
FROM ids FULL JOIN (SELECT id, count(*) AS n FROM copied GROUP BY id) AS c USING (id)
    FULL JOIN (SELECT id AS u, count(*) AS uuids FROM copied_uuid GROUP BY id) AS d USING (u);
-- Binary input of any other size is rejected, and the table is unchanged.
COPY (SELECT decode(repeat('b1', 15), 'hex')) TO STDOUT WITH (FORMAT binary) \g :file
:copy_in
COPY (SELECT decode(repeat('b1', 17), 'hex')) TO STDOUT WITH (FORMAT binary) \g :file
:copy_in
COPY (SELECT ''::text) TO STDOUT WITH (FORMAT binary) \g :file
:copy_in
SELECT count(*) = (SELECT 2 * count(*) FROM ids) AS as_before FROM copied;
\! rm -f "$LUUID_FILE"
