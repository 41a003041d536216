-- Gives luuid the GiST and GIN classes that uuid has in btree_gist and btree_gin, so that an exclusion constraint can
-- combine an id with a range, and an index an id with an array. Loaded by CREATE EXTENSION luuid_contrib.
--
-- The support functions are the C functions of both libraries for uuid. They compare bytes, so the classes have only the
-- operators of the byte order. The script names no SQL object of btree_gist and btree_gin, whose schema is unknown. It
-- names C functions, which stay the same, since pg_upgrade restores older versions of both extensions by these names. The
-- extensions are required because uuid columns would otherwise use the classes of this one.
--
-- As luuid's own script, this one qualifies every name, calls nothing, and creates everything in pg_catalog.
\echo Use "CREATE EXTENSION luuid_contrib" to load this file. \quit

-- GiST ----------------------------------------------------------------------------------------------------------------

-- The least and the greatest id below an index entry, 16 bytes each.
CREATE TYPE pg_catalog.luuid_gist_key;

CREATE FUNCTION pg_catalog.luuid_gist_key_in(pg_catalog.cstring, pg_catalog.oid, integer)
    RETURNS pg_catalog.luuid_gist_key
    AS '$libdir/btree_gist', 'gbtreekey_in' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_key_out(pg_catalog.luuid_gist_key) RETURNS pg_catalog.cstring
    AS '$libdir/btree_gist', 'gbtreekey_out' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE pg_catalog.luuid_gist_key (
    INPUT = pg_catalog.luuid_gist_key_in,
    OUTPUT = pg_catalog.luuid_gist_key_out,
    INTERNALLENGTH = 32
);

CREATE FUNCTION pg_catalog.luuid_gist_consistent(
        pg_catalog.internal, pg_catalog.luuid, smallint, pg_catalog.oid, pg_catalog.internal) RETURNS boolean
    AS '$libdir/btree_gist', 'gbt_uuid_consistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_union(pg_catalog.internal, pg_catalog.internal) RETURNS pg_catalog.luuid_gist_key
    AS '$libdir/btree_gist', 'gbt_uuid_union' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_compress(pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_uuid_compress' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_decompress(pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_decompress' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_penalty(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal)
    RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_uuid_penalty' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_picksplit(pg_catalog.internal, pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_uuid_picksplit' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_same(
        pg_catalog.luuid_gist_key, pg_catalog.luuid_gist_key, pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_uuid_same' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_fetch(pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gist', 'gbt_uuid_fetch' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gist;
CREATE OPERATOR CLASS pg_catalog.luuid_byte_ops DEFAULT FOR TYPE pg_catalog.luuid
    USING gist FAMILY pg_catalog.luuid_byte_ops AS
    OPERATOR 1 pg_catalog.~<~,
    OPERATOR 2 pg_catalog.~<=~,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.~>=~,
    OPERATOR 5 pg_catalog.~>~,
    FUNCTION 1 pg_catalog.luuid_gist_consistent(
        pg_catalog.internal, pg_catalog.luuid, smallint, pg_catalog.oid, pg_catalog.internal),
    FUNCTION 2 pg_catalog.luuid_gist_union(pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 pg_catalog.luuid_gist_compress(pg_catalog.internal),
    FUNCTION 4 pg_catalog.luuid_gist_decompress(pg_catalog.internal),
    FUNCTION 5 pg_catalog.luuid_gist_penalty(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 6 pg_catalog.luuid_gist_picksplit(pg_catalog.internal, pg_catalog.internal),
    FUNCTION 7 pg_catalog.luuid_gist_same(
        pg_catalog.luuid_gist_key, pg_catalog.luuid_gist_key, pg_catalog.internal),
    STORAGE pg_catalog.luuid_gist_key;
-- Loose members of the family, as in btree_gist; and operators for uuid parameters of drivers, which have the same bytes.
ALTER OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gist ADD
    OPERATOR 6 pg_catalog.<> (pg_catalog.luuid, pg_catalog.luuid),
    FUNCTION 9 (pg_catalog.luuid, pg_catalog.luuid) pg_catalog.luuid_gist_fetch(pg_catalog.internal),
    OPERATOR 1 pg_catalog.~<~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.~<=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.~>=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.~>~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 6 pg_catalog.<> (pg_catalog.luuid, pg_catalog.uuid);

COMMENT ON TYPE pg_catalog.luuid_gist_key IS 'least and greatest id below an entry of a GiST index';
COMMENT ON OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gist IS 'byte order of luuid';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_byte_ops USING gist IS 'byte order';

-- GIN -----------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_gin_extract_value(pg_catalog.luuid, pg_catalog.internal) RETURNS pg_catalog.internal
    AS '$libdir/btree_gin', 'gin_extract_value_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gin_extract_query(
        pg_catalog.luuid, pg_catalog.internal, smallint, pg_catalog.internal, pg_catalog.internal)
    RETURNS pg_catalog.internal
    AS '$libdir/btree_gin', 'gin_extract_query_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gin_consistent(
        pg_catalog.internal, smallint, pg_catalog.luuid, integer, pg_catalog.internal, pg_catalog.internal)
    RETURNS boolean
    AS '$libdir/btree_gin', 'gin_btree_consistent' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gin_compare_prefix(pg_catalog.luuid, pg_catalog.luuid, smallint, pg_catalog.internal)
    RETURNS integer
    AS '$libdir/btree_gin', 'gin_compare_prefix_uuid' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gin;
CREATE OPERATOR CLASS pg_catalog.luuid_byte_ops DEFAULT FOR TYPE pg_catalog.luuid
    USING gin FAMILY pg_catalog.luuid_byte_ops AS
    OPERATOR 1 pg_catalog.~<~,
    OPERATOR 2 pg_catalog.~<=~,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.~>=~,
    OPERATOR 5 pg_catalog.~>~,
    FUNCTION 1 pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.luuid),
    FUNCTION 2 pg_catalog.luuid_gin_extract_value(pg_catalog.luuid, pg_catalog.internal),
    FUNCTION 3 pg_catalog.luuid_gin_extract_query(
        pg_catalog.luuid, pg_catalog.internal, smallint, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 4 pg_catalog.luuid_gin_consistent(
        pg_catalog.internal, smallint, pg_catalog.luuid, integer, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 5 pg_catalog.luuid_gin_compare_prefix(
        pg_catalog.luuid, pg_catalog.luuid, smallint, pg_catalog.internal),
    STORAGE pg_catalog.luuid;
ALTER OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gin ADD
    OPERATOR 1 pg_catalog.~<~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.~<=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.~>=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.~>~ (pg_catalog.luuid, pg_catalog.uuid);

COMMENT ON OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gin IS 'byte order of luuid';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_byte_ops USING gin IS 'byte order';
