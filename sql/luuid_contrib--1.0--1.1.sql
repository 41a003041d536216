-- Adds to the GiST class of luuid two support functions that PostgreSQL 18 has and earlier servers reject: the translation
-- of comparison types, for PRIMARY KEY (id, during WITHOUT OVERLAPS), and sort support, for sorted builds. Loaded by CREATE
-- EXTENSION luuid_contrib, and by ALTER EXTENSION luuid_contrib UPDATE after pg_upgrade to 18.
\echo Use "ALTER EXTENSION luuid_contrib UPDATE" to load this file. \quit

CREATE FUNCTION pg_catalog.luuid_gist_sortsupport(pg_catalog.internal) RETURNS pg_catalog.void
    AS '$libdir/btree_gist', 'gbt_uuid_sortsupport' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gist_translate_cmptype(integer) RETURNS smallint
    AS '$libdir/btree_gist', 'gist_translate_cmptype_btree' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

ALTER OPERATOR FAMILY pg_catalog.luuid_byte_ops USING gist ADD
    FUNCTION 11 (pg_catalog.luuid, pg_catalog.luuid) pg_catalog.luuid_gist_sortsupport(pg_catalog.internal),
    FUNCTION 12 (pg_catalog."any", pg_catalog."any") pg_catalog.luuid_gist_translate_cmptype(integer);
