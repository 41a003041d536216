\echo Use "ALTER EXTENSION luuid UPDATE" to load this file. \quit
-- The update script to a version that exists only in tests, so that ALTER EXTENSION UPDATE is tested before the first release.

SELECT pg_catalog.luuid_require_version('next');

CREATE FUNCTION pg_catalog.luuid_is_timed(id pg_catalog.luuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN pg_catalog.luuid_extract_timestamp(id) IS NOT NULL AND id OPERATOR(pg_catalog.>) '00000000-0000-0000-0000-000000000000';

COMMENT ON FUNCTION pg_catalog.luuid_is_timed(pg_catalog.luuid) IS 'does a luuid have a time?';
