-- Values: the functions of SQL give what the library's and the clients' vectors have, test/data/vectors.tsv.
\a \pset footer off \set ECHO errors
CALL begin_test();
CREATE TABLE line (n serial, text text);
\getenv source PG_ABS_SRCDIR
\set vectors :source '/test/data/vectors.tsv'
\set copy_in '\\copy line (text) FROM ' :'vectors' ' WITH (FORMAT csv, DELIMITER E''\\x01'', QUOTE E''\\x02'')'
:copy_in
CREATE VIEW vector AS SELECT n, field[1] AS kind, field[2] AS given, field FROM line, string_to_array(text, E'\t') AS field;
CREATE FUNCTION of_kind(kind text, given text, field text[]) RETURNS text[] LANGUAGE sql RETURN CASE kind
    WHEN 'id' THEN (SELECT ARRAY[version::text, coalesce(ticks::text, ''), coalesce(counter::text, ''), coalesce(pid::text, ''),
        coalesce(('x' || lpad(replace(mac::text, ':', ''), 16, '0'))::bit(64)::bigint::text, ''), luuid_to_base32(given::luuid)]
        FROM luuid_inspect(given::luuid))
    WHEN 'text' THEN ARRAY[CASE WHEN read_as('luuid', given) ~ '^22P02 ' THEN '' ELSE read_as('luuid', given) END]
    WHEN 'base32' THEN ARRAY[CASE (refusal(format('SELECT luuid_from_base32(%L)', given))).state
        WHEN 'accepted' THEN luuid_from_base32(given)::text ELSE '' END]
    WHEN 'shard' THEN ARRAY[field[3], luuid_shard(given::luuid, field[3]::int)::text]
    WHEN 'boundary' THEN (SELECT ARRAY[luuid_floor(t)::text, luuid_ceiling(t)::text]
        FROM (SELECT timestamptz 'epoch' + make_interval(days => (given::bigint / 86400000000)::int)
            + given::bigint % 86400000000 * interval '1 microsecond') AS v (t)) END;
SELECT kind, count(*), count(*) FILTER (WHERE made IS DISTINCT FROM field[3:]) AS wrong, min(given) FILTER (WHERE made IS DISTINCT FROM field[3:]) AS first
FROM vector, of_kind(kind, given, field) AS made WHERE kind IN ('id', 'text', 'base32', 'shard')
    OR kind = 'boundary' AND given::numeric BETWEEN -210866803200000000 AND 9224318015999999999 GROUP BY kind ORDER BY kind;
-- A text is valid for luuid_is_valid() if it is the 36 characters of its id.
SELECT count(*) AS texts, count(*) FILTER (WHERE luuid_is_valid(given) IS DISTINCT FROM (length(given) = 36 AND lower(given) = field[3])) AS wrong FROM vector WHERE kind = 'text';
-- The other functions of an id, and its other forms. Each id is greater than the one before, and is read from base 32 as written.
SELECT count(*) FILTER (WHERE i IS DISTINCT FROM ROW(luuid_extract_version(id), luuid_extract_timestamp(id), i.ticks,
        ('x' || left(hex, 8))::bit(32)::bigint & 4294967295, luuid_extract_counter(id), i.sequence, luuid_extract_pid(id),
        luuid_extract_mac(id), luuid_msb(id), luuid_lsb(id))) AS inspected,
    count(*) FILTER (WHERE extract(epoch FROM i.timestamp) * 1000000 IS DISTINCT FROM floor(i.ticks / 10.0)) AS time,
    count(*) FILTER (WHERE i.sequence IS DISTINCT FROM (i.counter % 65536 * 20893) % 65536 * 65536 + CASE WHEN i.counter IS NOT NULL
        THEN i.prefix % 65536 END) AS sequence,
    count(*) FILTER (WHERE luuid_extract_timestamp(u) IS DISTINCT FROM i.timestamp OR luuid_extract_version(u) IS DISTINCT FROM i.version) AS of_uuid,
    count(*) FILTER (WHERE id::text IS DISTINCT FROM u::text OR upper(u::text)::luuid IS DISTINCT FROM id OR hex::luuid IS DISTINCT FROM id) AS text,
    count(*) FILTER (WHERE encode(id::bytea, 'hex') IS DISTINCT FROM hex OR luuid_send(id) IS DISTINCT FROM uuid_send(u)
        OR id::bytea::luuid IS DISTINCT FROM id) AS bytes,
    count(*) FILTER (WHERE luuid_msb(id) IS DISTINCT FROM ('x' || left(hex, 16))::bit(64)::bigint
        OR luuid_lsb(id) IS DISTINCT FROM ('x' || right(hex, 16))::bit(64)::bigint
        OR luuid_from_bits(luuid_msb(id), luuid_lsb(id)) IS DISTINCT FROM id) AS bits,
    count(*) FILTER (WHERE luuid_from_base32(luuid_to_base32(id)) IS DISTINCT FROM id) AS base32,
    count(*) FILTER (WHERE id <= before) AS not_greater
FROM (SELECT given::luuid AS id, given::uuid AS u, replace(given, '-', '') AS hex, lag(given::luuid) OVER (ORDER BY n) AS before
    FROM vector WHERE kind = 'id') AS v, luuid_inspect(id) AS i \gx
