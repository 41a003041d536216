-- Layouts: every field of every version is where the format says.
SET timezone = 'UTC';
SET datestyle = 'ISO, YMD';
\pset null '(null)'

-- 90 ids made by the Java implementation, with what it read back from each: mode, id, version, pid, MAC fragment, time
-- in ms, most and least significant bits.
\set java `cat "$PG_ABS_SRCDIR/test/data/java.tsv"`
CREATE TABLE java AS
SELECT n, f[1] AS mode, f[2]::luuid AS id, ('x' || lpad(f[3], 8, '0'))::bit(32)::int AS version, f[4]::int AS pid, f[5] AS mac,
    f[6]::bigint AS ms,
    f[7]::bigint AS msb, f[8]::bigint AS lsb
FROM regexp_split_to_table(btrim(:'java', E'\n'), E'\n') WITH ORDINALITY AS l (line, n), string_to_array(line, E'\t') AS f;
SELECT count(*) AS ids, count(*) FILTER (WHERE mode = 'variable') AS variable,
    count(*) FILTER (WHERE luuid_extract_version(id) IS DISTINCT FROM version) AS version,
    count(*) FILTER (WHERE luuid_extract_pid(id) IS DISTINCT FROM pid) AS pid,
    count(*) FILTER (WHERE luuid_extract_mac(id) IS DISTINCT FROM mac::macaddr) AS mac,
    count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM timestamptz 'epoch' + ms / 1000 * interval '1 s' + ms % 1000 * interval '1 ms') AS timestamp,
    count(*) FILTER (WHERE luuid_msb(id) IS DISTINCT FROM msb) AS msb,
    count(*) FILTER (WHERE luuid_lsb(id) IS DISTINCT FROM lsb) AS lsb,
    count(*) FILTER (WHERE luuid_from_bits(msb, lsb) IS DISTINCT FROM id) AS bits
FROM java;
-- Its sequential ids start with the seed of their window and count from there: 2026-11-21 00:1x is db44df22.
SELECT count(*) AS sequential, min(counter - x'db44df22'::bigint) AS first, max(counter - x'db44df22'::bigint) AS last,
    min(date_bin('10 min', luuid_extract_timestamp(id), 'epoch')) AS window,
        max(date_bin('10 min', luuid_extract_timestamp(id), 'epoch')) AS last_window
FROM java, LATERAL (SELECT prefix FROM luuid_inspect(id)) AS i (counter)
WHERE mode = 'sequential';
-- Ids made later sort later.
SELECT mode, count(*) FILTER (WHERE id < before) AS out_of_order
FROM (SELECT mode, id, lag(id) OVER (PARTITION BY mode ORDER BY n) AS before FROM java) AS j GROUP BY mode ORDER BY mode;
DROP TABLE java;

-- Published examples: the worked one of the format's description; the sequential one of 2013-04-28 01:0x, seed
-- f5166775, two ids on.
SELECT * FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2') \gx
SELECT to_hex(counter) AS counter FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2');
SELECT to_hex(prefix - x'f5166775'::bigint) AS ids_since_seed FROM luuid_inspect('f5166777-0000-b000-0000-000000000000');
-- The seeds themselves: the first four bytes, little-endian, of the MD5 of the window.
SELECT digits, substr(h, 7, 2) || substr(h, 5, 2) || substr(h, 3, 2) || substr(h, 1, 2) AS seed
FROM unnest(ARRAY['20130428010', '20261121001']) AS digits, md5(digits) AS h;

-- RFC 9562, appendix A: one instant in versions 1, 6 and 7. They give it, and sort together.
CREATE TABLE rfc (v text, id luuid);
INSERT INTO rfc VALUES ('1', 'C232AB00-9414-11EC-B3C8-9F6BDECED846'), ('6', '1EC9414C-232A-6B00-B3C8-9F6BDECED846'),
    ('7', '017F22E2-79B0-7CC3-98C4-DC0C0C07398F'),
    ('4', '919108f7-52d1-4320-9bac-f847db4148a8'), ('3', '5df41881-3aed-3515-88a7-2f4a814cf09e'),
        ('5', '2ed6657d-e927-568b-95e1-2665a8aea6a2'),
    ('8, custom', '2489E9AD-2EE2-8E00-8EC9-32D5F69181C0'),
        ('a ms before', luuid_ceiling(timestamptz '2022-02-22 19:22:21.999+00')),
            ('a ms later', luuid_floor(timestamptz '2022-02-22 19:22:22.001+00'));
SELECT v, luuid_extract_version(id) AS version, luuid_extract_timestamp(id), luuid_extract_counter(id) AS counter,
    luuid_extract_pid(id) AS pid, luuid_extract_mac(id) AS mac
FROM rfc ORDER BY id;
SELECT v FROM rfc WHERE id = timestamptz '2022-02-22 19:22:22+00' ORDER BY id;
DROP TABLE rfc;

-- Every id of the fixture: version and time are what the fixture's own reading of the digits says.
SELECT count(*) FILTER (WHERE luuid_extract_version(id) IS DISTINCT FROM version) AS version,
    count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM at) AS timestamp,
    count(*) FILTER (WHERE id::timestamptz IS DISTINCT FROM at) AS cast,
    count(*) FILTER (WHERE (i).ticks IS DISTINCT FROM ids.ticks) AS ticks
FROM ids, LATERAL (SELECT luuid_inspect(id) AS i) AS i;

-- Fields of versions b and 8 by their digits: wwwwwwww-xxxx-byyy-yyyy; version 8 has 26 bits of node. NULL elsewhere, but for
-- the node of versions 1 and 6.
SELECT count(*) FILTER (WHERE luuid_extract_counter(id) IS DISTINCT FROM
        CASE WHEN locality THEN ('x' || reverse(substr(hex, 1, 8)))::bit(32)::bigint & 4294967295 END) AS counter,
    count(*) FILTER (WHERE luuid_extract_pid(id) IS DISTINCT FROM
        CASE WHEN locality THEN ('x' || lpad(substr(hex, 9, 4), 8, '0'))::bit(32)::int END) AS pid,
    count(*) FILTER (WHERE luuid_extract_mac(id) IS DISTINCT FROM CASE
        WHEN version = 11 THEN ('00000' || substr(hex, 14, 7))::macaddr
        WHEN locality THEN ('00000' || substr(hex, 14, 3)
            || translate(substr(hex, 17, 1), '89ab', '0123') || substr(hex, 18, 3))::macaddr
        WHEN timed AND version IN (1, 6) THEN right(hex, 12)::macaddr END) AS mac,
    count(*) FILTER (WHERE locality) > 400 AS many, count(*) FILTER (WHERE luuid_extract_mac(id) IS NOT NULL) > 1400 AS many_macs
FROM ids, LATERAL (SELECT replace(u::text, '-', ''), timed AND version IN (8, 11)) AS d (hex, locality);

-- luuid_inspect is all of the others in one row.
SELECT count(*) AS wrong FROM ids, LATERAL luuid_inspect(id) AS i
WHERE i IS DISTINCT FROM ROW(luuid_extract_version(id), luuid_extract_timestamp(id), ids.ticks,
    ('x' || left(u::text, 8))::bit(32)::bigint & 4294967295,
    luuid_extract_counter(id), i.sequence, luuid_extract_pid(id), luuid_extract_mac(id), luuid_msb(id), luuid_lsb(id));
SELECT count(*) AS wrong FROM ids, LATERAL luuid_inspect(id) AS i
WHERE (i.sequence IS NULL) <> (i.counter IS NULL)
    OR i.sequence <> ((i.counter % 65536 * 20893) % 65536) * 65536 + i.prefix % 65536;

-- Ticks below a microsecond are floored, before 1970 too.
SELECT tick, luuid_extract_timestamp(id_at(version, tick, digits('')))
FROM unnest(ARRAY[-21, -20, -19, -11, -10, -9, -1, 0, 1, 9, 10, 11]) AS tick, unnest(ARRAY[6]) AS version ORDER BY tick;

-- The last instants: versions 1 and 6 in year 5236, the others in 10889.
SELECT luuid_extract_version(id), luuid_extract_timestamp(id)
FROM (VALUES ('ffffffff-ffff-1fff-8000-000000000000'::luuid), ('ffffffff-ffff-6fff-8000-000000000000'),
    ('ffffffff-ffff-7000-8000-000000000000'), ('00000000-0000-8000-8000-ffffffffffff'),
        ('00000000-0000-b000-0000-ffffffffffff')) AS v (id) ORDER BY id;

-- NULL in, NULL out.
SELECT luuid_extract_version(NULL), luuid_extract_timestamp(NULL), luuid_extract_counter(NULL), luuid_extract_pid(NULL),
    luuid_extract_mac(NULL),
    luuid_msb(NULL), luuid_lsb(NULL), luuid_from_bits(NULL, 0), luuid_from_bits(0, NULL), (luuid_inspect(NULL)).version;

-- A uuid column is read by the same functions.
SELECT count(*) AS wrong FROM ids WHERE luuid_extract_timestamp(u) IS DISTINCT FROM at OR luuid_extract_version(u) <> version;
