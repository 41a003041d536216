-- Installs the extension: the type, its order, its generators and its readers. Loaded by CREATE EXTENSION luuid.
\echo Use "CREATE EXTENSION luuid" to load this file. \quit

-- The type ---------------------------------------------------------------------------------------------------------

CREATE TYPE luuid;

CREATE FUNCTION luuid_in(cstring) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_out(luuid) RETURNS cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_recv(internal) RETURNS luuid
    AS 'uuid_recv' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_send(luuid) RETURNS bytea
    AS 'uuid_send' LANGUAGE internal IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE luuid (
    INPUT = luuid_in,
    OUTPUT = luuid_out,
    RECEIVE = luuid_recv,
    SEND = luuid_send,
    LIKE = uuid,
    CATEGORY = 'U'
);

COMMENT ON TYPE luuid IS 'UUID of any version, in chronological order';
COMMENT ON FUNCTION luuid_in(cstring) IS 'I/O';
COMMENT ON FUNCTION luuid_out(luuid) IS 'I/O';
COMMENT ON FUNCTION luuid_recv(internal) IS 'I/O';
COMMENT ON FUNCTION luuid_send(luuid) IS 'I/O';

-- Casts ------------------------------------------------------------------------------------------------------------

-- The way back to uuid is no more than ASSIGNMENT: were it implicit, luuid < luuid would silently become uuid's byte
-- order wherever the schema of this extension is not on the search path.
CREATE CAST (uuid AS luuid) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (luuid AS uuid) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE FUNCTION luuid(bytea) RETURNS luuid
    AS 'MODULE_PATHNAME', 'luuid_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (bytea AS luuid) WITH FUNCTION luuid(bytea);
CREATE CAST (luuid AS bytea) WITH FUNCTION luuid_send(luuid);

COMMENT ON CAST (uuid AS luuid) IS 'same 16 bytes';
COMMENT ON CAST (luuid AS uuid) IS 'same 16 bytes';
COMMENT ON CAST (bytea AS luuid) IS 'same 16 bytes';
COMMENT ON CAST (luuid AS bytea) IS 'same 16 bytes';
COMMENT ON FUNCTION luuid(bytea) IS 'convert bytea to luuid';

-- Bits -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_msb(luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_lsb(luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_from_bits(msb bigint, lsb bigint) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_is_valid(text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_msb(luuid) IS 'most significant 64 bits';
COMMENT ON FUNCTION luuid_lsb(luuid) IS 'least significant 64 bits';
COMMENT ON FUNCTION luuid_from_bits(bigint, bigint) IS 'luuid of its most and least significant 64 bits';
COMMENT ON FUNCTION luuid_is_valid(text) IS 'is text the 36-character form of a luuid?';

-- Comparison -------------------------------------------------------------------------------------------------------

-- Two orders, each over every pairing of luuid and uuid. What uuid has already (equality, byte order) is the server's.
DO $family$
DECLARE
    pairing record;
    op record;
BEGIN
    FOR pairing IN
        SELECT *
        FROM (VALUES ('luuid', 'luuid'), ('luuid', 'uuid'), ('uuid', 'luuid'), ('uuid', 'uuid')) AS pairing (l, r)
    LOOP
        FOR op IN
            SELECT *
            -- A null name: the server has this one for two uuids.
            FROM (VALUES
                ('=',    NULL,   '=',    '<>',   'luuid_eq',      'internal', 'uuid_eq',  'eqsel',       'equal'),
                ('<>',   NULL,   '<>',   '=',    'luuid_ne',      'internal', 'uuid_ne',  'neqsel',      'not equal'),
                ('<',    '#<#',  '>',    '>=',   'luuid_lt',      'c',        'luuid_lt', 'scalarltsel', 'earlier'),
                ('<=',   '#<=#', '>=',   '>',    'luuid_le',      'c',        'luuid_le', 'scalarlesel', 'earlier or equal'),
                ('>=',   '#>=#', '<=',   '<',    'luuid_ge',      'c',        'luuid_ge', 'scalargesel', 'later or equal'),
                ('>',    '#>#',  '<',    '<=',   'luuid_gt',      'c',        'luuid_gt', 'scalargtsel', 'later'),
                ('~<~',  NULL,   '~>~',  '~>=~', 'luuid_byte_lt', 'internal', 'uuid_lt',  'scalarltsel', 'less in byte order'),
                ('~<=~', NULL,   '~>=~', '~>~',  'luuid_byte_le', 'internal', 'uuid_le',  'scalarlesel', 'less or equal in byte order'),
                ('~>=~', NULL,   '~<=~', '~<~',  'luuid_byte_ge', 'internal', 'uuid_ge',  'scalargesel', 'greater or equal in byte order'),
                ('~>~',  NULL,   '~<~',  '~<=~', 'luuid_byte_gt', 'internal', 'uuid_gt',  'scalargtsel', 'greater in byte order')
            ) AS op (name, uuids_name, commutator, negator, function, language, symbol, selectivity, meaning)
            WHERE (pairing.l, pairing.r) <> ('uuid', 'uuid') OR uuids_name IS NOT NULL
        LOOP
            IF (pairing.l, pairing.r) = ('uuid', 'uuid') THEN
                op.name := op.uuids_name;
                op.commutator := format('#%s#', op.commutator);
                op.negator := format('#%s#', op.negator);
            END IF;
            EXECUTE format(
                'CREATE FUNCTION %1$s(%2$s, %3$s) RETURNS boolean AS %4$s LANGUAGE %5$s
                    IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE',
                op.function, pairing.l, pairing.r,
                CASE op.language WHEN 'c' THEN format('%L, %L', 'MODULE_PATHNAME', op.symbol) ELSE format('%L', op.symbol) END,
                op.language);
            EXECUTE format(
                'CREATE OPERATOR %1$s (FUNCTION = %2$s, LEFTARG = %3$s, RIGHTARG = %4$s,
                    COMMUTATOR = %5$s, NEGATOR = %6$s, RESTRICT = %7$s, JOIN = %8$s %9$s)',
                op.name, op.function, pairing.l, pairing.r, op.commutator, op.negator, op.selectivity,
                replace(op.selectivity, 'sel', 'joinsel'), CASE op.name WHEN '=' THEN ', HASHES, MERGES' ELSE '' END);
            EXECUTE format('COMMENT ON FUNCTION %s(%s, %s) IS %L', op.function, pairing.l, pairing.r,
                format('implementation of %s operator', op.name));
            EXECUTE format('COMMENT ON OPERATOR %s (%s, %s) IS %L', op.name, pairing.l, pairing.r, op.meaning);
        END LOOP;

        -- The byte order of two uuids has the server's own uuid_cmp.
        FOR op IN
            SELECT *
            FROM (VALUES
                ('luuid_cmp',      'LANGUAGE c AS ''MODULE_PATHNAME'', ''luuid_cmp''', 'chronologically'),
                ('luuid_byte_cmp', 'LANGUAGE internal AS ''uuid_cmp''',                'in byte order')
            ) AS op (function, implementation, order_name)
            WHERE (pairing.l, pairing.r) <> ('uuid', 'uuid') OR function = 'luuid_cmp'
        LOOP
            EXECUTE format('CREATE FUNCTION %s(%s, %s) RETURNS integer %s IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE',
                op.function, pairing.l, pairing.r, op.implementation);
            EXECUTE format('COMMENT ON FUNCTION %s(%s, %s) IS %L', op.function, pairing.l, pairing.r,
                format('less-equal-greater, %s', op.order_name));
        END LOOP;
    END LOOP;
END
$family$;

CREATE FUNCTION luuid_smaller(luuid, luuid) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_larger(luuid, luuid) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

CREATE AGGREGATE min(luuid) (
    SFUNC = luuid_smaller, STYPE = luuid, COMBINEFUNC = luuid_smaller, SORTOP = <, PARALLEL = SAFE);
CREATE AGGREGATE max(luuid) (
    SFUNC = luuid_larger, STYPE = luuid, COMBINEFUNC = luuid_larger, SORTOP = >, PARALLEL = SAFE);

COMMENT ON FUNCTION luuid_smaller(luuid, luuid) IS 'earlier of two';
COMMENT ON FUNCTION luuid_larger(luuid, luuid) IS 'later of two';
COMMENT ON AGGREGATE min(luuid) IS 'earliest of all luuid input values';
COMMENT ON AGGREGATE max(luuid) IS 'latest of all luuid input values';

-- B-tree -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_sortsupport(internal) RETURNS void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_in_range(luuid, luuid, interval, boolean, boolean) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_sortsupport(internal) IS 'sort support';
COMMENT ON FUNCTION luuid_in_range(luuid, luuid, interval, boolean, boolean) IS 'window RANGE support';

CREATE OPERATOR FAMILY luuid_ops USING btree;

CREATE OPERATOR CLASS luuid_ops DEFAULT FOR TYPE luuid USING btree FAMILY luuid_ops AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 luuid_cmp(luuid, luuid),
    FUNCTION 2 luuid_sortsupport(internal),
    FUNCTION 3 (luuid, interval) luuid_in_range(luuid, luuid, interval, boolean, boolean),
    FUNCTION 4 btequalimage(oid);

-- A table that keeps its uuid column gets a chronological index or partitioning by this.
CREATE OPERATOR CLASS uuid_time_ops FOR TYPE uuid USING btree FAMILY luuid_ops AS
    OPERATOR 1 #<#, OPERATOR 2 #<=#, OPERATOR 3 =, OPERATOR 4 #>=#, OPERATOR 5 #>#,
    FUNCTION 1 luuid_cmp(uuid, uuid),
    FUNCTION 2 luuid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);

ALTER OPERATOR FAMILY luuid_ops USING btree ADD
    OPERATOR 1 < (luuid, uuid), OPERATOR 2 <= (luuid, uuid), OPERATOR 3 = (luuid, uuid),
    OPERATOR 4 >= (luuid, uuid), OPERATOR 5 > (luuid, uuid),
    FUNCTION 1 luuid_cmp(luuid, uuid),
    OPERATOR 1 < (uuid, luuid), OPERATOR 2 <= (uuid, luuid), OPERATOR 3 = (uuid, luuid),
    OPERATOR 4 >= (uuid, luuid), OPERATOR 5 > (uuid, luuid),
    FUNCTION 1 luuid_cmp(uuid, luuid);

CREATE OPERATOR FAMILY luuid_byte_ops USING btree;

CREATE OPERATOR CLASS luuid_byte_ops FOR TYPE luuid USING btree FAMILY luuid_byte_ops AS
    OPERATOR 1 ~<~, OPERATOR 2 ~<=~, OPERATOR 3 =, OPERATOR 4 ~>=~, OPERATOR 5 ~>~,
    FUNCTION 1 luuid_byte_cmp(luuid, luuid),
    FUNCTION 2 uuid_sortsupport(internal),
    FUNCTION 4 btequalimage(oid);

ALTER OPERATOR FAMILY luuid_byte_ops USING btree ADD
    OPERATOR 1 ~<~ (luuid, uuid), OPERATOR 2 ~<=~ (luuid, uuid), OPERATOR 3 = (luuid, uuid),
    OPERATOR 4 ~>=~ (luuid, uuid), OPERATOR 5 ~>~ (luuid, uuid),
    FUNCTION 1 luuid_byte_cmp(luuid, uuid),
    OPERATOR 1 ~<~ (uuid, luuid), OPERATOR 2 ~<=~ (uuid, luuid), OPERATOR 3 = (uuid, luuid),
    OPERATOR 4 ~>=~ (uuid, luuid), OPERATOR 5 ~>~ (uuid, luuid),
    FUNCTION 1 luuid_byte_cmp(uuid, luuid),
    OPERATOR 1 < (uuid, uuid), OPERATOR 2 <= (uuid, uuid), OPERATOR 3 = (uuid, uuid),
    OPERATOR 4 >= (uuid, uuid), OPERATOR 5 > (uuid, uuid),
    FUNCTION 1 uuid_cmp(uuid, uuid);

COMMENT ON OPERATOR FAMILY luuid_ops USING btree IS 'chronological order of luuid and uuid';
COMMENT ON OPERATOR FAMILY luuid_byte_ops USING btree IS 'byte order of luuid and uuid';
COMMENT ON OPERATOR CLASS luuid_ops USING btree IS 'chronological order';
COMMENT ON OPERATOR CLASS luuid_byte_ops USING btree IS 'byte order, for partitions and shards by prefix';
COMMENT ON OPERATOR CLASS uuid_time_ops USING btree IS 'chronological order for columns that stay uuid';

-- Hash -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_hash(luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_hash_extended(luuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

-- A hash family wants functions of exactly its types.
CREATE FUNCTION luuid_hash(uuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_hash_extended(uuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION luuid_hash(luuid) IS 'hash that keeps the locality of the first 7 bits';
COMMENT ON FUNCTION luuid_hash(uuid) IS 'hash that keeps the locality of the first 7 bits';
COMMENT ON FUNCTION luuid_hash_extended(luuid, bigint) IS 'salted hash';
COMMENT ON FUNCTION luuid_hash_extended(uuid, bigint) IS 'salted hash';

CREATE OPERATOR FAMILY luuid_ops USING hash;

CREATE OPERATOR CLASS luuid_ops DEFAULT FOR TYPE luuid USING hash FAMILY luuid_ops AS
    OPERATOR 1 =,
    FUNCTION 1 luuid_hash(luuid),
    FUNCTION 2 luuid_hash_extended(luuid, bigint);

ALTER OPERATOR FAMILY luuid_ops USING hash ADD
    OPERATOR 1 = (luuid, uuid),
    OPERATOR 1 = (uuid, luuid),
    OPERATOR 1 = (uuid, uuid),
    FUNCTION 1 luuid_hash(uuid),
    FUNCTION 2 luuid_hash_extended(uuid, bigint);

COMMENT ON OPERATOR FAMILY luuid_ops USING hash IS 'equality of luuid and uuid';
COMMENT ON OPERATOR CLASS luuid_ops USING hash IS 'equality';

-- BRIN -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_distance(internal, internal) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
-- A filter needs all 32 bits to differ, which luuid_hash gives up for locality.
CREATE FUNCTION luuid_hash_mixed(luuid) RETURNS integer
    AS 'uuid_hash' LANGUAGE internal IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION luuid_distance(internal, internal) IS 'BRIN multi minmax luuid distance';
COMMENT ON FUNCTION luuid_hash_mixed(luuid) IS 'hash that spreads evenly';

CREATE OPERATOR FAMILY luuid_minmax_ops USING brin;
CREATE OPERATOR CLASS luuid_minmax_ops DEFAULT FOR TYPE luuid USING brin FAMILY luuid_minmax_ops AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 brin_minmax_opcinfo(internal),
    FUNCTION 2 brin_minmax_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_consistent(internal, internal, internal),
    FUNCTION 4 brin_minmax_union(internal, internal, internal);
ALTER OPERATOR FAMILY luuid_minmax_ops USING brin ADD
    OPERATOR 1 < (luuid, uuid), OPERATOR 2 <= (luuid, uuid), OPERATOR 3 = (luuid, uuid),
    OPERATOR 4 >= (luuid, uuid), OPERATOR 5 > (luuid, uuid);

CREATE OPERATOR FAMILY luuid_minmax_multi_ops USING brin;
CREATE OPERATOR CLASS luuid_minmax_multi_ops FOR TYPE luuid USING brin FAMILY luuid_minmax_multi_ops AS
    OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >,
    FUNCTION 1 brin_minmax_multi_opcinfo(internal),
    FUNCTION 2 brin_minmax_multi_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_minmax_multi_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_minmax_multi_union(internal, internal, internal),
    FUNCTION 5 brin_minmax_multi_options(internal),
    FUNCTION 11 luuid_distance(internal, internal);
ALTER OPERATOR FAMILY luuid_minmax_multi_ops USING brin ADD
    OPERATOR 1 < (luuid, uuid), OPERATOR 2 <= (luuid, uuid), OPERATOR 3 = (luuid, uuid),
    OPERATOR 4 >= (luuid, uuid), OPERATOR 5 > (luuid, uuid);

CREATE OPERATOR FAMILY luuid_bloom_ops USING brin;
CREATE OPERATOR CLASS luuid_bloom_ops FOR TYPE luuid USING brin FAMILY luuid_bloom_ops AS
    OPERATOR 1 =,
    FUNCTION 1 brin_bloom_opcinfo(internal),
    FUNCTION 2 brin_bloom_add_value(internal, internal, internal, internal),
    FUNCTION 3 brin_bloom_consistent(internal, internal, internal, integer),
    FUNCTION 4 brin_bloom_union(internal, internal, internal),
    FUNCTION 5 brin_bloom_options(internal),
    FUNCTION 11 luuid_hash_mixed(luuid);
ALTER OPERATOR FAMILY luuid_bloom_ops USING brin ADD
    OPERATOR 1 = (luuid, uuid);

COMMENT ON OPERATOR FAMILY luuid_minmax_ops USING brin IS 'chronological minmax of luuid';
COMMENT ON OPERATOR FAMILY luuid_minmax_multi_ops USING brin IS 'chronological multi minmax of luuid';
COMMENT ON OPERATOR FAMILY luuid_bloom_ops USING brin IS 'bloom of luuid';
COMMENT ON OPERATOR CLASS luuid_minmax_ops USING brin IS 'chronological minmax';
COMMENT ON OPERATOR CLASS luuid_minmax_multi_ops USING brin IS 'chronological multi minmax';
COMMENT ON OPERATOR CLASS luuid_bloom_ops USING brin IS 'bloom';

-- Fields -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_extract_version(luuid) RETURNS smallint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_extract_timestamp(luuid) RETURNS timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_extract_counter(luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_extract_pid(luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_extract_mac(luuid) RETURNS macaddr
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_inspect(luuid,
        OUT version smallint, OUT "timestamp" timestamptz, OUT ticks bigint, OUT prefix bigint, OUT counter bigint,
        OUT sequence bigint, OUT pid integer, OUT mac macaddr, OUT msb bigint, OUT lsb bigint)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE CAST (luuid AS timestamptz) WITH FUNCTION luuid_extract_timestamp(luuid);

COMMENT ON FUNCTION luuid_extract_version(luuid) IS 'version of a luuid; 11 for a locality UUID';
COMMENT ON FUNCTION luuid_extract_timestamp(luuid) IS 'time of a luuid; null where it has none';
COMMENT ON FUNCTION luuid_extract_counter(luuid) IS 'counter of a locality UUID, as variable mode counts; null otherwise';
COMMENT ON FUNCTION luuid_extract_pid(luuid) IS 'process id, modulo 65536, of a locality UUID; null otherwise';
COMMENT ON FUNCTION luuid_extract_mac(luuid) IS 'what a luuid holds of its node; null where it has none';
COMMENT ON FUNCTION luuid_inspect(luuid) IS 'every field of a luuid';
COMMENT ON CAST (luuid AS timestamptz) IS 'time of a luuid; null where it has none';

-- Time -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_floor(timestamptz) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_ceiling(timestamptz) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION luuid_floor(tstzrange) RETURNS luuid
    AS 'MODULE_PATHNAME', 'luuid_range_floor' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_ceiling(tstzrange) RETURNS luuid
    AS 'MODULE_PATHNAME', 'luuid_range_ceiling' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_floor(timestamptz) IS 'least luuid that is not before a time';
COMMENT ON FUNCTION luuid_ceiling(timestamptz) IS 'greatest luuid that is not after a time';
COMMENT ON FUNCTION luuid_floor(tstzrange) IS 'least luuid in a time range';
COMMENT ON FUNCTION luuid_ceiling(tstzrange) IS 'greatest luuid in a time range';

-- The planner inlines these, and sees comparisons of ids that an index or a partition bound answers. It inlines no
-- STRICT function with such a body, and loses nothing: null in is null out all the same.
DO $time$
DECLARE
    op record;
BEGIN
    FOR op IN
        WITH direct (name, commutator, negator, function, body, selectivity, meaning) AS (VALUES
            ('<',  '>',  '>=', 'luuid_lt', 'id < luuid_floor(at)',                              'scalarltsel', 'earlier than'),
            ('<=', '>=', '>',  'luuid_le', 'id <= luuid_ceiling(at)',                           'scalarlesel', 'earlier than or at'),
            ('=',  '=',  '<>', 'luuid_eq', 'id >= luuid_floor(at) AND id <= luuid_ceiling(at)', 'eqsel',       'at'),
            ('<>', '<>', '=',  'luuid_ne', 'id < luuid_floor(at) OR id > luuid_ceiling(at)',    'neqsel',      'not at'),
            ('>=', '<=', '<',  'luuid_ge', 'id >= luuid_floor(at)',                             'scalargesel', 'later than or at'),
            ('>',  '<',  '<=', 'luuid_gt', 'id > luuid_ceiling(at)',                            'scalargtsel', 'later than')
        )
        SELECT 'id luuid, at timestamptz' AS arguments, 'luuid' AS l, 'timestamptz' AS r, direct.*, 'a time' AS what FROM direct
        UNION ALL
        SELECT 'at timestamptz, id luuid', 'timestamptz', 'luuid', mirror.name, mirror.commutator, mirror.negator,
            mirror.function, direct.function || '(id, at)', mirror.selectivity, mirror.meaning, 'an id''s time'
        FROM direct JOIN direct AS mirror ON mirror.name = direct.commutator
    LOOP
        EXECUTE format(
            'CREATE FUNCTION %s(%s) RETURNS boolean LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE RETURN %s',
            op.function, op.arguments, op.body);
        EXECUTE format(
            'CREATE OPERATOR %1$s (FUNCTION = %2$s, LEFTARG = %3$s, RIGHTARG = %4$s,
                COMMUTATOR = %5$s, NEGATOR = %6$s, RESTRICT = %7$s, JOIN = %8$s)',
            op.name, op.function, op.l, op.r, op.commutator, op.negator, op.selectivity,
            replace(op.selectivity, 'sel', 'joinsel'));
        EXECUTE format('COMMENT ON FUNCTION %s(%s, %s) IS %L', op.function, op.l, op.r,
            format('implementation of %s operator', op.name));
        EXECUTE format('COMMENT ON OPERATOR %s (%s, %s) IS %L', op.name, op.l, op.r, op.meaning || ' ' || op.what);
    END LOOP;
END
$time$;

CREATE FUNCTION luuid_contained_by(id luuid, during tstzrange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN id >= luuid_floor(during) AND id <= luuid_ceiling(during);
CREATE FUNCTION luuid_contains(during tstzrange, id luuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN luuid_contained_by(id, during);

CREATE OPERATOR <@ (FUNCTION = luuid_contained_by, LEFTARG = luuid, RIGHTARG = tstzrange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR @> (FUNCTION = luuid_contains, LEFTARG = tstzrange, RIGHTARG = luuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

COMMENT ON FUNCTION luuid_contained_by(luuid, tstzrange) IS 'implementation of <@ operator';
COMMENT ON FUNCTION luuid_contains(tstzrange, luuid) IS 'implementation of @> operator';
COMMENT ON OPERATOR <@ (luuid, tstzrange) IS 'is the id''s time in a range?';
COMMENT ON OPERATOR @> (tstzrange, luuid) IS 'does a range hold the id''s time?';

-- Generation -------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_generate() RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate_variable() RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate_sequential() RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate(at timestamptz) RETURNS luuid
    AS 'MODULE_PATHNAME', 'luuid_generate_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_status(
        OUT mode text, OUT version text, OUT node text, OUT node_source text, OUT pid int, OUT leased boolean,
        OUT clock_steps_back bigint)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_generate() IS 'new locality UUID, by luuid.mode and luuid.version';
COMMENT ON FUNCTION luuid_generate_variable() IS 'new locality UUID whose first bytes spread evenly';
COMMENT ON FUNCTION luuid_generate_sequential() IS 'new locality UUID whose first bytes are those of the current ten minutes';
COMMENT ON FUNCTION luuid_generate(timestamptz) IS 'new locality UUID of a given time, for back-filling';
COMMENT ON FUNCTION luuid_status() IS 'what this backend generates luuids by';
