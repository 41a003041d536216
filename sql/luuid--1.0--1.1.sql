-- Adds to 1.0 what places ids: shards, neighbours, short keys; and the generators of versions 1 and 7.
\echo Use "ALTER EXTENSION luuid UPDATE TO '1.1'" to load this file. \quit

-- Shards -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_shard(luuid, shards integer) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_shard_floor(shard integer, shards integer) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate_in_shard(shard integer, shards integer) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate_near(neighbour luuid, prefix_bits integer DEFAULT 16) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_shard(luuid, integer) IS 'shard of a luuid, of so many';
COMMENT ON FUNCTION luuid_shard_floor(integer, integer) IS 'lowest luuid, in byte order, of a shard';
COMMENT ON FUNCTION luuid_generate_in_shard(integer, integer) IS 'new locality UUID on a shard';
COMMENT ON FUNCTION luuid_generate_near(luuid, integer) IS 'new locality UUID that begins as another does';

-- Short keys -------------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_from_uniqid(text) RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_to_uniqid(luuid, shards integer DEFAULT 10) RETURNS text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_uniqid_shard(text, shards integer DEFAULT 10) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_from_uniqid(text) IS 'luuid of a PHP key of 18, 17 or 13 digits';
COMMENT ON FUNCTION luuid_to_uniqid(luuid, integer) IS 'PHP key of 18 digits of a luuid';
COMMENT ON FUNCTION luuid_uniqid_shard(text, integer) IS 'shard of a PHP key, of so many';

-- Other versions ---------------------------------------------------------------------------------------------------

CREATE FUNCTION luuid_generate_v1() RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION luuid_generate_v7() RETURNS luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION luuid_generate_v1() IS 'new version-1 UUID';
COMMENT ON FUNCTION luuid_generate_v7() IS 'new version-7 UUID';
