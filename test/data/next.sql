\echo Use "ALTER EXTENSION luuid UPDATE" to load this file. \quit
-- The update script to a version that exists only in tests, so that ALTER EXTENSION UPDATE is tested before the first release.

CREATE FUNCTION pg_catalog.luuid_is_timed(pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_is_timed(pg_catalog.luuid) IS 'does a luuid have a time?';
