-- Layouts: every field of every version is at its place in the format.
\a \t
CALL begin_test();
\pset null '(null)'

-- Published examples: the one in the format's description; the sequential one of 2013-04-28 01:0x, seed f5166775 + 2.
SELECT * FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2') \gx
SELECT to_hex(counter) AS counter FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2');
SELECT to_hex(prefix - x'f5166775'::bigint) AS ids_since_seed FROM luuid_inspect('f5166777-0000-b000-0000-000000000000');
-- Every id of the fixture: version and time agree with the fixture's own reading of the digits.
SELECT count(*) FILTER (WHERE luuid_extract_version(id) IS DISTINCT FROM version) AS version,
    count(*) FILTER (WHERE luuid_extract_timestamp(id) IS DISTINCT FROM at) AS timestamp,
    count(*) FILTER (WHERE id::timestamptz IS DISTINCT FROM at) AS cast,
    count(*) FILTER (WHERE (i).ticks IS DISTINCT FROM ids.ticks) AS ticks
FROM ids, LATERAL (SELECT luuid_inspect(id) AS i) AS i;

-- Fields of versions b and 8 by their digits: wwwwwwww-xxxx-byyy-yyyy; version 8 has 26 bits of node. NULL in other
-- versions, except the node of versions 1 and 6.
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

-- luuid_inspect returns all the others in one row.
SELECT count(*) AS wrong FROM ids, LATERAL luuid_inspect(id) AS i
WHERE i IS DISTINCT FROM ROW(luuid_extract_version(id), luuid_extract_timestamp(id), ids.ticks,
    ('x' || left(u::text, 8))::bit(32)::bigint & 4294967295,
    luuid_extract_counter(id), i.sequence, luuid_extract_pid(id), luuid_extract_mac(id), luuid_msb(id), luuid_lsb(id));
SELECT count(*) AS wrong FROM ids, LATERAL luuid_inspect(id) AS i
WHERE (i.sequence IS NULL) <> (i.counter IS NULL)
    OR i.sequence <> ((i.counter % 65536 * 20893) % 65536) * 65536 + i.prefix % 65536;

-- The same functions read a uuid column.
SELECT count(*) AS wrong FROM ids WHERE luuid_extract_timestamp(u) IS DISTINCT FROM at OR luuid_extract_version(u) IS DISTINCT FROM version;

-- Of random digits for version and variant, as in COMBs of some libraries, one in six read as a time.
SELECT count(*) FROM generate_series(0, 15) AS version, generate_series(0, 15) AS variant
WHERE format('00000000-0000-%s000-%s000-000000000001', to_hex(version), to_hex(variant))::luuid::timestamptz IS NOT NULL;
