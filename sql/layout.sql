-- Layouts: every field of every version is at its place in the format.
\a \pset footer off \set ECHO errors
CALL begin_test();
\pset null '(null)'
-- Published examples: the one in the format's description; the sequential one of 2013-04-28 01:0x, seed f5166775 + 2.
SELECT *, to_hex(counter) AS hex FROM luuid_inspect('20be0ffc-314a-bd53-7a50-013a65ca76d2') \gx
SELECT to_hex(prefix - x'f5166775'::bigint) AS ids_since_seed FROM luuid_inspect('f5166777-0000-b000-0000-000000000000');
-- Every id of the fixture: version and time agree with the fixture's own reading of the digits, of a uuid column too. Fields
-- of versions b and 8 by their digits: wwwwwwww-xxxx-byyy-yyyy; version 8 has 26 bits of node. NULL in other versions, except
-- the node of versions 1 and 6. luuid_inspect returns all the others in one row.
SELECT count(*) FILTER (WHERE luuid_extract_version(ids.id) IS DISTINCT FROM ids.version) AS version,
    count(*) FILTER (WHERE luuid_extract_timestamp(ids.id) IS DISTINCT FROM at OR ids.id::timestamptz IS DISTINCT FROM at) AS time,
    count(*) FILTER (WHERE luuid_extract_timestamp(u) IS DISTINCT FROM at OR luuid_extract_version(u) IS DISTINCT FROM ids.version) AS of_uuid,
    count(*) FILTER (WHERE luuid_extract_counter(ids.id) IS DISTINCT FROM
        CASE WHEN locality THEN ('x' || reverse(substr(hex, 1, 8)))::bit(32)::bigint & 4294967295 END) AS counter,
    count(*) FILTER (WHERE luuid_extract_pid(ids.id) IS DISTINCT FROM
        CASE WHEN locality THEN ('x' || lpad(substr(hex, 9, 4), 8, '0'))::bit(32)::int END) AS pid,
    count(*) FILTER (WHERE luuid_extract_mac(ids.id) IS DISTINCT FROM CASE
        WHEN ids.version = 11 THEN ('00000' || substr(hex, 14, 7))::macaddr
        WHEN locality THEN ('00000' || substr(hex, 14, 3) || translate(substr(hex, 17, 1), '89ab', '0123') || substr(hex, 18, 3))::macaddr
        WHEN timed AND ids.version IN (1, 6) THEN right(hex, 12)::macaddr END) AS mac,
    count(*) FILTER (WHERE locality) > 400 AS many, count(*) FILTER (WHERE luuid_extract_mac(ids.id) IS NOT NULL) > 1400 AS many_macs,
    count(*) FILTER (WHERE i IS DISTINCT FROM ROW(luuid_extract_version(ids.id), luuid_extract_timestamp(ids.id), ids.ticks,
        ('x' || left(hex, 8))::bit(32)::bigint & 4294967295, luuid_extract_counter(ids.id), i.sequence, luuid_extract_pid(ids.id),
        luuid_extract_mac(ids.id), luuid_msb(ids.id), luuid_lsb(ids.id))) AS inspected,
    count(*) FILTER (WHERE i.sequence IS DISTINCT FROM ((i.counter % 65536 * 20893) % 65536) * 65536 +
        CASE WHEN locality THEN i.prefix % 65536 END) AS sequence
FROM ids, luuid_inspect(id) AS i, LATERAL (SELECT replace(u::text, '-', ''), timed AND ids.version IN (8, 11)) AS d (hex, locality) \gx
-- If the digits of version and variant are random, as in COMBs of some libraries, one id in six reads as timed.
SELECT count(*) AS timed_of_256 FROM generate_series(0, 15) AS version, generate_series(0, 15) AS variant
WHERE format('00000000-0000-%s000-%s000-000000000001', to_hex(version), to_hex(variant))::luuid::timestamptz IS NOT NULL;
