-- Installs the extension: the type, its orders, its generators and its readers. Loaded by CREATE EXTENSION luuid.
--
-- It runs as superuser for every role that may create the extension, so it qualifies each name and calls nothing. It
-- creates everything in pg_catalog: dumps, pg_upgrade and postgres_fdw search no other schema for the operator that IS
-- DISTINCT FROM and its like use without naming a schema.
\echo Use "CREATE EXTENSION luuid" to load this file. \quit

-- The type ------------------------------------------------------------------------------------------------------------

CREATE TYPE pg_catalog.luuid;

CREATE FUNCTION pg_catalog.luuid_in(pg_catalog.cstring) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_out(pg_catalog.luuid) RETURNS pg_catalog.cstring
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_recv(pg_catalog.internal) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_send(pg_catalog.luuid) RETURNS pg_catalog.bytea
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

CREATE TYPE pg_catalog.luuid (
    INPUT = pg_catalog.luuid_in,
    OUTPUT = pg_catalog.luuid_out,
    RECEIVE = pg_catalog.luuid_recv,
    SEND = pg_catalog.luuid_send,
    LIKE = pg_catalog.uuid,
    CATEGORY = 'U'
);

COMMENT ON FUNCTION pg_catalog.luuid_in(pg_catalog.cstring) IS 'I/O';
COMMENT ON FUNCTION pg_catalog.luuid_out(pg_catalog.luuid) IS 'I/O';
COMMENT ON FUNCTION pg_catalog.luuid_recv(pg_catalog.internal) IS 'I/O';
COMMENT ON FUNCTION pg_catalog.luuid_send(pg_catalog.luuid) IS 'I/O';
COMMENT ON TYPE pg_catalog.luuid IS 'UUID of any version, in chronological order';

-- Casts ---------------------------------------------------------------------------------------------------------------

-- The cast back to uuid is only ASSIGNMENT. If it were implicit, PostgreSQL would use an operator of uuid, which compares
-- bytes, if luuid lacks one.
CREATE CAST (pg_catalog.uuid AS pg_catalog.luuid) WITHOUT FUNCTION AS IMPLICIT;
CREATE CAST (pg_catalog.luuid AS pg_catalog.uuid) WITHOUT FUNCTION AS ASSIGNMENT;

CREATE FUNCTION pg_catalog.luuid(pg_catalog.bytea) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME', 'luuid_from_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE CAST (pg_catalog.bytea AS pg_catalog.luuid) WITH FUNCTION pg_catalog.luuid(pg_catalog.bytea);
CREATE CAST (pg_catalog.luuid AS pg_catalog.bytea) WITH FUNCTION pg_catalog.luuid_send(pg_catalog.luuid);

-- The planner calls the support function, which loads the module. So the module's hooks rewrite comparisons of this time
-- in a session's first statement too.
CREATE FUNCTION pg_catalog.luuid_time_support(pg_catalog.internal) RETURNS pg_catalog.internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_extract_timestamp(pg_catalog.luuid) RETURNS pg_catalog.timestamptz
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
-- These depend on the session's time zone, as casts from timestamptz do.
CREATE FUNCTION pg_catalog.luuid_to_timestamp(pg_catalog.luuid) RETURNS pg_catalog.timestamp
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_to_date(pg_catalog.luuid) RETURNS pg_catalog.date
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE SUPPORT pg_catalog.luuid_time_support;

CREATE CAST (pg_catalog.luuid AS pg_catalog.timestamptz)
    WITH FUNCTION pg_catalog.luuid_extract_timestamp(pg_catalog.luuid);
CREATE CAST (pg_catalog.luuid AS pg_catalog.timestamp) WITH FUNCTION pg_catalog.luuid_to_timestamp(pg_catalog.luuid);
CREATE CAST (pg_catalog.luuid AS pg_catalog.date) WITH FUNCTION pg_catalog.luuid_to_date(pg_catalog.luuid);

COMMENT ON CAST (pg_catalog.uuid AS pg_catalog.luuid) IS 'same 16 bytes';
COMMENT ON CAST (pg_catalog.luuid AS pg_catalog.uuid) IS 'same 16 bytes';
COMMENT ON CAST (pg_catalog.bytea AS pg_catalog.luuid) IS 'same 16 bytes';
COMMENT ON CAST (pg_catalog.luuid AS pg_catalog.bytea) IS 'same 16 bytes';
COMMENT ON FUNCTION pg_catalog.luuid(pg_catalog.bytea) IS 'same 16 bytes';
COMMENT ON CAST (pg_catalog.luuid AS pg_catalog.timestamp) IS 'time of a luuid in the session''s time zone';
COMMENT ON CAST (pg_catalog.luuid AS pg_catalog.date) IS 'day of a luuid in the session''s time zone';
COMMENT ON CAST (pg_catalog.luuid AS pg_catalog.timestamptz) IS 'time of a luuid; null if it has none';
COMMENT ON FUNCTION pg_catalog.luuid_to_timestamp(pg_catalog.luuid) IS 'time of a luuid in the session''s time zone';
COMMENT ON FUNCTION pg_catalog.luuid_to_date(pg_catalog.luuid) IS 'day of a luuid in the session''s time zone';
COMMENT ON FUNCTION pg_catalog.luuid_time_support(pg_catalog.internal) IS 'planner support for comparisons with times';
COMMENT ON FUNCTION pg_catalog.luuid_extract_timestamp(pg_catalog.luuid) IS 'time of a luuid; null if it has none';

-- Estimates -----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_timesel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, integer)
    RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_timejoinsel(
    pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, smallint, pg_catalog.internal)
    RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_timesel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, integer)
    IS 'restriction selectivity of the chronological order';
COMMENT ON FUNCTION pg_catalog.luuid_timejoinsel(
    pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, smallint, pg_catalog.internal)
    IS 'join selectivity of the chronological order';

-- Time operators ------------------------------------------------------------------------------------------------------

-- The support function replaces these by comparisons of ids, for which the planner uses indexes and partition bounds. SQL
-- functions instead would take longer to inline, and the planner does not inline one that uses its argument twice.

CREATE FUNCTION pg_catalog.luuid_lt(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_lt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_lt(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_lt_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_le(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_le' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_le(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_le_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_eq(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_at' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_eq(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_at_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_ne(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_not_at' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ne(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_not_at_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ge(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_ge' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_ge(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_ge_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_gt(id pg_catalog.luuid, at pg_catalog.timestamptz) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_gt' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_gt(at pg_catalog.timestamptz, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_time_gt_commuted' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;

CREATE OPERATOR pg_catalog.< (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.< (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.<= (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.<= (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.= (
    FUNCTION = pg_catalog.luuid_eq, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.eqjoinsel);
CREATE OPERATOR pg_catalog.= (
    FUNCTION = pg_catalog.luuid_eq, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.eqjoinsel);
CREATE OPERATOR pg_catalog.<> (
    FUNCTION = pg_catalog.luuid_ne, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
CREATE OPERATOR pg_catalog.<> (
    FUNCTION = pg_catalog.luuid_ne, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
CREATE OPERATOR pg_catalog.>= (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.>= (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.> (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.timestamptz,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.> (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.timestamptz, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);

COMMENT ON OPERATOR pg_catalog.< (pg_catalog.luuid, pg_catalog.timestamptz) IS 'earlier than a time';
COMMENT ON OPERATOR pg_catalog.< (pg_catalog.timestamptz, pg_catalog.luuid) IS 'earlier than an id''s time';
COMMENT ON OPERATOR pg_catalog.<= (pg_catalog.luuid, pg_catalog.timestamptz) IS 'earlier than or at a time';
COMMENT ON OPERATOR pg_catalog.<= (pg_catalog.timestamptz, pg_catalog.luuid) IS 'earlier than or at an id''s time';
COMMENT ON OPERATOR pg_catalog.= (pg_catalog.luuid, pg_catalog.timestamptz) IS 'at a time';
COMMENT ON OPERATOR pg_catalog.= (pg_catalog.timestamptz, pg_catalog.luuid) IS 'at an id''s time';
COMMENT ON OPERATOR pg_catalog.<> (pg_catalog.luuid, pg_catalog.timestamptz) IS 'not at a time';
COMMENT ON OPERATOR pg_catalog.<> (pg_catalog.timestamptz, pg_catalog.luuid) IS 'not at an id''s time';
COMMENT ON OPERATOR pg_catalog.>= (pg_catalog.luuid, pg_catalog.timestamptz) IS 'later than or at a time';
COMMENT ON OPERATOR pg_catalog.>= (pg_catalog.timestamptz, pg_catalog.luuid) IS 'later than or at an id''s time';
COMMENT ON OPERATOR pg_catalog.> (pg_catalog.luuid, pg_catalog.timestamptz) IS 'later than a time';
COMMENT ON OPERATOR pg_catalog.> (pg_catalog.timestamptz, pg_catalog.luuid) IS 'later than an id''s time';

-- The operators take a domain. With tstzrange itself they would be the best match beside any literal, so that during @>
-- '[2026-11-01,2026-11-02)' would read the literal as a luuid. The coercion of a range to a domain costs nothing.
CREATE DOMAIN pg_catalog.luuid_slice AS pg_catalog.tstzrange;

CREATE FUNCTION pg_catalog.luuid_contained_by(id pg_catalog.luuid, during pg_catalog.luuid_slice) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_in_times' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;
CREATE FUNCTION pg_catalog.luuid_contains(during pg_catalog.luuid_slice, id pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME', 'luuid_in_times_commuted' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE
    SUPPORT pg_catalog.luuid_time_support;

CREATE OPERATOR pg_catalog.<@ (
    FUNCTION = pg_catalog.luuid_contained_by, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid_slice,
    COMMUTATOR = OPERATOR(pg_catalog.@>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.@> (
    FUNCTION = pg_catalog.luuid_contains, LEFTARG = pg_catalog.luuid_slice, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<@),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);

COMMENT ON DOMAIN pg_catalog.luuid_slice IS 'time range for comparison with luuid';
COMMENT ON OPERATOR pg_catalog.<@ (pg_catalog.luuid, pg_catalog.luuid_slice) IS 'is the id''s time contained by range?';
COMMENT ON OPERATOR pg_catalog.@> (pg_catalog.luuid_slice, pg_catalog.luuid) IS 'does range contain the id''s time?';

-- Comparisons of the cast ---------------------------------------------------------------------------------------------

-- The planner replaces `id::date = d` and its like by comparisons with these: luuid_local_bound(d, operator, unit of
-- date_trunc [, time zone instead of the session's]).
CREATE FUNCTION pg_catalog.luuid_local_bound(pg_catalog."any", pg_catalog.text, pg_catalog.text) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_local_bound(pg_catalog."any", pg_catalog.text, pg_catalog.text, pg_catalog.text)
    RETURNS pg_catalog.luuid AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_local_bound(pg_catalog."any", pg_catalog.text, pg_catalog.text)
    IS 'for the planner: the id that bounds a comparison with a local time';
COMMENT ON FUNCTION pg_catalog.luuid_local_bound(pg_catalog."any", pg_catalog.text, pg_catalog.text, pg_catalog.text)
    IS 'for the planner: the id that bounds a comparison with a local time';

-- What such a comparison says beyond its bounds: luuid_checked(id::date = d). The planner takes it for cheaper than it is,
-- since it looks at the rows within the bounds alone.
CREATE FUNCTION pg_catalog.luuid_checked_support(pg_catalog.internal) RETURNS pg_catalog.internal
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_checked(boolean) RETURNS boolean SUPPORT pg_catalog.luuid_checked_support COST 0.0001
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_checked_support(pg_catalog.internal) IS 'planner support for luuid_checked';
COMMENT ON FUNCTION pg_catalog.luuid_checked(boolean)
    IS 'its argument, a comparison of a time whose bounds of the id are beside it';

-- Operators -----------------------------------------------------------------------------------------------------------

-- Operators of two orders, by time and by bytes (~<~), each for luuid, for luuid with uuid, and for uuid with luuid.
-- Those with uuid are in both families, so that `id = $1` with a uuid uses an index and prunes partitions of either order.
-- Were `=` in one alone, it would be in no equivalence class: `a.id = b.uuid AND a.id = $1` would not give b the id.

CREATE FUNCTION pg_catalog.luuid_eq(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_eq(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_eq(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ne(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ne(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ne(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_lt(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_lt(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_lt(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_le(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_le(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_le(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ge(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ge(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ge(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gt(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gt(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gt(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_lt(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_lt(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_lt(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_le(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_le(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_le(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_ge(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_ge(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_ge(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_gt(pg_catalog.luuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_gt(pg_catalog.luuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_gt(pg_catalog.uuid, pg_catalog.luuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.uuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.uuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.uuid, pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

CREATE OPERATOR pg_catalog.= (
    FUNCTION = pg_catalog.luuid_eq, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = pg_catalog.eqsel, JOIN = pg_catalog.eqjoinsel,
    HASHES, MERGES);
CREATE OPERATOR pg_catalog.= (
    FUNCTION = pg_catalog.luuid_eq, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = pg_catalog.eqsel, JOIN = pg_catalog.eqjoinsel,
    HASHES, MERGES);
CREATE OPERATOR pg_catalog.= (
    FUNCTION = pg_catalog.luuid_eq, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.=), NEGATOR = OPERATOR(pg_catalog.<>),
    RESTRICT = pg_catalog.eqsel, JOIN = pg_catalog.eqjoinsel,
    HASHES, MERGES);
CREATE OPERATOR pg_catalog.<> (
    FUNCTION = pg_catalog.luuid_ne, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
CREATE OPERATOR pg_catalog.<> (
    FUNCTION = pg_catalog.luuid_ne, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
CREATE OPERATOR pg_catalog.<> (
    FUNCTION = pg_catalog.luuid_ne, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<>), NEGATOR = OPERATOR(pg_catalog.=),
    RESTRICT = pg_catalog.neqsel, JOIN = pg_catalog.neqjoinsel);
CREATE OPERATOR pg_catalog.< (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.< (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.< (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>), NEGATOR = OPERATOR(pg_catalog.>=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.<= (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.<= (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.<= (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.>=), NEGATOR = OPERATOR(pg_catalog.>),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.>= (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.>= (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.>= (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<=), NEGATOR = OPERATOR(pg_catalog.<),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.> (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.> (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.> (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.<), NEGATOR = OPERATOR(pg_catalog.<=),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.~<~ (
    FUNCTION = pg_catalog.luuid_byte_lt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>~), NEGATOR = OPERATOR(pg_catalog.~>=~),
    RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel);
CREATE OPERATOR pg_catalog.~<~ (
    FUNCTION = pg_catalog.luuid_byte_lt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>~), NEGATOR = OPERATOR(pg_catalog.~>=~),
    RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel);
CREATE OPERATOR pg_catalog.~<~ (
    FUNCTION = pg_catalog.luuid_byte_lt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>~), NEGATOR = OPERATOR(pg_catalog.~>=~),
    RESTRICT = pg_catalog.scalarltsel, JOIN = pg_catalog.scalarltjoinsel);
CREATE OPERATOR pg_catalog.~<=~ (
    FUNCTION = pg_catalog.luuid_byte_le, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>=~), NEGATOR = OPERATOR(pg_catalog.~>~),
    RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel);
CREATE OPERATOR pg_catalog.~<=~ (
    FUNCTION = pg_catalog.luuid_byte_le, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>=~), NEGATOR = OPERATOR(pg_catalog.~>~),
    RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel);
CREATE OPERATOR pg_catalog.~<=~ (
    FUNCTION = pg_catalog.luuid_byte_le, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~>=~), NEGATOR = OPERATOR(pg_catalog.~>~),
    RESTRICT = pg_catalog.scalarlesel, JOIN = pg_catalog.scalarlejoinsel);
CREATE OPERATOR pg_catalog.~>=~ (
    FUNCTION = pg_catalog.luuid_byte_ge, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<=~), NEGATOR = OPERATOR(pg_catalog.~<~),
    RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel);
CREATE OPERATOR pg_catalog.~>=~ (
    FUNCTION = pg_catalog.luuid_byte_ge, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<=~), NEGATOR = OPERATOR(pg_catalog.~<~),
    RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel);
CREATE OPERATOR pg_catalog.~>=~ (
    FUNCTION = pg_catalog.luuid_byte_ge, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<=~), NEGATOR = OPERATOR(pg_catalog.~<~),
    RESTRICT = pg_catalog.scalargesel, JOIN = pg_catalog.scalargejoinsel);
CREATE OPERATOR pg_catalog.~>~ (
    FUNCTION = pg_catalog.luuid_byte_gt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<~), NEGATOR = OPERATOR(pg_catalog.~<=~),
    RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel);
CREATE OPERATOR pg_catalog.~>~ (
    FUNCTION = pg_catalog.luuid_byte_gt, LEFTARG = pg_catalog.luuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<~), NEGATOR = OPERATOR(pg_catalog.~<=~),
    RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel);
CREATE OPERATOR pg_catalog.~>~ (
    FUNCTION = pg_catalog.luuid_byte_gt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.luuid,
    COMMUTATOR = OPERATOR(pg_catalog.~<~), NEGATOR = OPERATOR(pg_catalog.~<=~),
    RESTRICT = pg_catalog.scalargtsel, JOIN = pg_catalog.scalargtjoinsel);

COMMENT ON OPERATOR pg_catalog.= (pg_catalog.luuid, pg_catalog.luuid) IS 'equal';
COMMENT ON OPERATOR pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid) IS 'equal';
COMMENT ON OPERATOR pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid) IS 'equal';
COMMENT ON OPERATOR pg_catalog.<> (pg_catalog.luuid, pg_catalog.luuid) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.<> (pg_catalog.luuid, pg_catalog.uuid) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.<> (pg_catalog.uuid, pg_catalog.luuid) IS 'not equal';
COMMENT ON OPERATOR pg_catalog.< (pg_catalog.luuid, pg_catalog.luuid) IS 'earlier';
COMMENT ON OPERATOR pg_catalog.< (pg_catalog.luuid, pg_catalog.uuid) IS 'earlier';
COMMENT ON OPERATOR pg_catalog.< (pg_catalog.uuid, pg_catalog.luuid) IS 'earlier';
COMMENT ON OPERATOR pg_catalog.<= (pg_catalog.luuid, pg_catalog.luuid) IS 'earlier or equal';
COMMENT ON OPERATOR pg_catalog.<= (pg_catalog.luuid, pg_catalog.uuid) IS 'earlier or equal';
COMMENT ON OPERATOR pg_catalog.<= (pg_catalog.uuid, pg_catalog.luuid) IS 'earlier or equal';
COMMENT ON OPERATOR pg_catalog.>= (pg_catalog.luuid, pg_catalog.luuid) IS 'later or equal';
COMMENT ON OPERATOR pg_catalog.>= (pg_catalog.luuid, pg_catalog.uuid) IS 'later or equal';
COMMENT ON OPERATOR pg_catalog.>= (pg_catalog.uuid, pg_catalog.luuid) IS 'later or equal';
COMMENT ON OPERATOR pg_catalog.> (pg_catalog.luuid, pg_catalog.luuid) IS 'later';
COMMENT ON OPERATOR pg_catalog.> (pg_catalog.luuid, pg_catalog.uuid) IS 'later';
COMMENT ON OPERATOR pg_catalog.> (pg_catalog.uuid, pg_catalog.luuid) IS 'later';
COMMENT ON OPERATOR pg_catalog.~<~ (pg_catalog.luuid, pg_catalog.luuid) IS 'less in byte order';
COMMENT ON OPERATOR pg_catalog.~<~ (pg_catalog.luuid, pg_catalog.uuid) IS 'less in byte order';
COMMENT ON OPERATOR pg_catalog.~<~ (pg_catalog.uuid, pg_catalog.luuid) IS 'less in byte order';
COMMENT ON OPERATOR pg_catalog.~<=~ (pg_catalog.luuid, pg_catalog.luuid) IS 'less or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~<=~ (pg_catalog.luuid, pg_catalog.uuid) IS 'less or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~<=~ (pg_catalog.uuid, pg_catalog.luuid) IS 'less or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~>=~ (pg_catalog.luuid, pg_catalog.luuid) IS 'greater or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~>=~ (pg_catalog.luuid, pg_catalog.uuid) IS 'greater or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~>=~ (pg_catalog.uuid, pg_catalog.luuid) IS 'greater or equal in byte order';
COMMENT ON OPERATOR pg_catalog.~>~ (pg_catalog.luuid, pg_catalog.luuid) IS 'greater in byte order';
COMMENT ON OPERATOR pg_catalog.~>~ (pg_catalog.luuid, pg_catalog.uuid) IS 'greater in byte order';
COMMENT ON OPERATOR pg_catalog.~>~ (pg_catalog.uuid, pg_catalog.luuid) IS 'greater in byte order';
COMMENT ON FUNCTION pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.luuid) IS 'less-equal-greater, chronologically';
COMMENT ON FUNCTION pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.uuid) IS 'less-equal-greater, chronologically';
COMMENT ON FUNCTION pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.luuid) IS 'less-equal-greater, chronologically';
COMMENT ON FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.luuid)
    IS 'less-equal-greater, in byte order';
COMMENT ON FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.uuid) IS 'less-equal-greater, in byte order';
COMMENT ON FUNCTION pg_catalog.luuid_byte_cmp(pg_catalog.uuid, pg_catalog.luuid) IS 'less-equal-greater, in byte order';

-- Two uuids by time. The core's own <, <=, >= and > compare them by bytes.

CREATE FUNCTION pg_catalog.luuid_lt(pg_catalog.uuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_le(pg_catalog.uuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ge(pg_catalog.uuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_gt(pg_catalog.uuid, pg_catalog.uuid) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.uuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

CREATE OPERATOR pg_catalog.#<# (
    FUNCTION = pg_catalog.luuid_lt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.#>#), NEGATOR = OPERATOR(pg_catalog.#>=#),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.#<=# (
    FUNCTION = pg_catalog.luuid_le, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.#>=#), NEGATOR = OPERATOR(pg_catalog.#>#),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.#>=# (
    FUNCTION = pg_catalog.luuid_ge, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.#<=#), NEGATOR = OPERATOR(pg_catalog.#<#),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);
CREATE OPERATOR pg_catalog.#># (
    FUNCTION = pg_catalog.luuid_gt, LEFTARG = pg_catalog.uuid, RIGHTARG = pg_catalog.uuid,
    COMMUTATOR = OPERATOR(pg_catalog.#<#), NEGATOR = OPERATOR(pg_catalog.#<=#),
    RESTRICT = pg_catalog.luuid_timesel, JOIN = pg_catalog.luuid_timejoinsel);

COMMENT ON OPERATOR pg_catalog.#<# (pg_catalog.uuid, pg_catalog.uuid) IS 'earlier';
COMMENT ON OPERATOR pg_catalog.#<=# (pg_catalog.uuid, pg_catalog.uuid) IS 'earlier or equal';
COMMENT ON OPERATOR pg_catalog.#>=# (pg_catalog.uuid, pg_catalog.uuid) IS 'later or equal';
COMMENT ON OPERATOR pg_catalog.#># (pg_catalog.uuid, pg_catalog.uuid) IS 'later';
COMMENT ON FUNCTION pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.uuid) IS 'less-equal-greater, chronologically';

-- B-tree --------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_sortsupport(pg_catalog.internal) RETURNS pg_catalog.void
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_in_range(pg_catalog.luuid, pg_catalog.luuid, interval, boolean, boolean)
    RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_sortsupport(pg_catalog.internal) IS 'sort support';
COMMENT ON FUNCTION pg_catalog.luuid_in_range(pg_catalog.luuid, pg_catalog.luuid, interval, boolean, boolean)
    IS 'window RANGE support';

CREATE OPERATOR FAMILY pg_catalog.luuid_ops USING btree;

CREATE OPERATOR CLASS pg_catalog.luuid_ops DEFAULT FOR TYPE pg_catalog.luuid USING btree FAMILY pg_catalog.luuid_ops AS
    OPERATOR 1 pg_catalog.<,
    OPERATOR 2 pg_catalog.<=,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.>=,
    OPERATOR 5 pg_catalog.>,
    FUNCTION 1 pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.luuid),
    FUNCTION 2 pg_catalog.luuid_sortsupport(pg_catalog.internal),
    FUNCTION 3 (pg_catalog.luuid, interval) pg_catalog.luuid_in_range(
        pg_catalog.luuid, pg_catalog.luuid, interval, boolean, boolean),
    FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);

-- For an index or partitions by time on a column that stays uuid.
CREATE OPERATOR CLASS pg_catalog.uuid_time_ops FOR TYPE pg_catalog.uuid USING btree FAMILY pg_catalog.luuid_ops AS
    OPERATOR 1 pg_catalog.#<#,
    OPERATOR 2 pg_catalog.#<=#,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.#>=#,
    OPERATOR 5 pg_catalog.#>#,
    FUNCTION 1 pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.uuid),
    FUNCTION 2 pg_catalog.luuid_sortsupport(pg_catalog.internal),
    FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);

ALTER OPERATOR FAMILY pg_catalog.luuid_ops USING btree ADD
    OPERATOR 1 pg_catalog.< (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.luuid, pg_catalog.uuid),
    FUNCTION 1 pg_catalog.luuid_cmp(pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.< (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.uuid, pg_catalog.luuid),
    FUNCTION 1 pg_catalog.luuid_cmp(pg_catalog.uuid, pg_catalog.luuid);

CREATE OPERATOR FAMILY pg_catalog.luuid_byte_ops USING btree;

CREATE OPERATOR CLASS pg_catalog.luuid_byte_ops FOR TYPE pg_catalog.luuid
    USING btree FAMILY pg_catalog.luuid_byte_ops AS
    OPERATOR 1 pg_catalog.~<~,
    OPERATOR 2 pg_catalog.~<=~,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.~>=~,
    OPERATOR 5 pg_catalog.~>~,
    FUNCTION 1 pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.luuid),
    FUNCTION 2 pg_catalog.uuid_sortsupport(pg_catalog.internal),
    FUNCTION 4 pg_catalog.btequalimage(pg_catalog.oid);

ALTER OPERATOR FAMILY pg_catalog.luuid_byte_ops USING btree ADD
    OPERATOR 1 pg_catalog.~<~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.~<=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.~>=~ (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.~>~ (pg_catalog.luuid, pg_catalog.uuid),
    FUNCTION 1 pg_catalog.luuid_byte_cmp(pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.~<~ (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 2 pg_catalog.~<=~ (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 4 pg_catalog.~>=~ (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 5 pg_catalog.~>~ (pg_catalog.uuid, pg_catalog.luuid),
    FUNCTION 1 pg_catalog.luuid_byte_cmp(pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 1 pg_catalog.< (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.uuid, pg_catalog.uuid),
    FUNCTION 1 pg_catalog.uuid_cmp(pg_catalog.uuid, pg_catalog.uuid);

COMMENT ON OPERATOR FAMILY pg_catalog.luuid_ops USING btree IS 'chronological order of luuid and uuid';
COMMENT ON OPERATOR FAMILY pg_catalog.luuid_byte_ops USING btree IS 'byte order of luuid and uuid';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_ops USING btree IS 'chronological order';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_byte_ops USING btree IS 'byte order, for partitions and shards by prefix';
COMMENT ON OPERATOR CLASS pg_catalog.uuid_time_ops USING btree IS 'chronological order for columns that stay uuid';

-- Hash ----------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_hash(pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_hash_extended(pg_catalog.luuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

-- amvalidate() requires hash functions that are declared with the exact types of their family.
CREATE FUNCTION pg_catalog.luuid_hash(pg_catalog.uuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_hash_extended(pg_catalog.uuid, bigint) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_hash(pg_catalog.luuid) IS 'hash that keeps the locality of the first 7 bits';
COMMENT ON FUNCTION pg_catalog.luuid_hash(pg_catalog.uuid) IS 'hash that keeps the locality of the first 7 bits';
COMMENT ON FUNCTION pg_catalog.luuid_hash_extended(pg_catalog.luuid, bigint) IS 'salted hash';
COMMENT ON FUNCTION pg_catalog.luuid_hash_extended(pg_catalog.uuid, bigint) IS 'salted hash';

-- The server hashes a list, as in id = ANY ('{…}'::uuid[]), if the first hash family of the operator has one function for
-- both types. From 18 on amvalidate() rejects the classes of such a family, so this one has none. It has to be created
-- before luuid_ops: by pg_upgrade it is, which creates families in the order of their names.
CREATE OPERATOR FAMILY pg_catalog.luuid_list_ops USING hash;
ALTER OPERATOR FAMILY pg_catalog.luuid_list_ops USING hash ADD
    OPERATOR 1 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    FUNCTION 1 (pg_catalog.luuid, pg_catalog.luuid) pg_catalog.luuid_hash(pg_catalog.luuid),
    FUNCTION 1 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.luuid_hash(pg_catalog.luuid);

CREATE OPERATOR FAMILY pg_catalog.luuid_ops USING hash;

CREATE OPERATOR CLASS pg_catalog.luuid_ops DEFAULT FOR TYPE pg_catalog.luuid USING hash FAMILY pg_catalog.luuid_ops AS
    OPERATOR 1 pg_catalog.=,
    FUNCTION 1 pg_catalog.luuid_hash(pg_catalog.luuid),
    FUNCTION 2 pg_catalog.luuid_hash_extended(pg_catalog.luuid, bigint);

ALTER OPERATOR FAMILY pg_catalog.luuid_ops USING hash ADD
    OPERATOR 1 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 1 pg_catalog.= (pg_catalog.uuid, pg_catalog.uuid),
    FUNCTION 1 pg_catalog.luuid_hash(pg_catalog.uuid),
    FUNCTION 2 pg_catalog.luuid_hash_extended(pg_catalog.uuid, bigint);

COMMENT ON OPERATOR FAMILY pg_catalog.luuid_list_ops USING hash IS 'hashed lists of uuid compared with luuid, and the reverse';
COMMENT ON OPERATOR FAMILY pg_catalog.luuid_ops USING hash IS 'equality of luuid and uuid';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_ops USING hash IS 'equality';

-- BRIN ----------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_distance(pg_catalog.internal, pg_catalog.internal) RETURNS double precision
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
-- A bloom filter needs a hash whose 32 bits all vary, which luuid_hash has not. Not LEAKPROOF, as uuid_hash is not.
CREATE FUNCTION pg_catalog.luuid_hash_mixed(pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_distance(pg_catalog.internal, pg_catalog.internal)
    IS 'BRIN multi minmax luuid distance';
COMMENT ON FUNCTION pg_catalog.luuid_hash_mixed(pg_catalog.luuid) IS 'hash that spreads evenly';

-- BRIN compares stored values by the operators of their type. Without STORAGE that is the column's type, which may be a
-- domain or uuid. PostgreSQL ignores a STORAGE that is the class's own type, so these have uuid.
CREATE OPERATOR FAMILY pg_catalog.luuid_minmax_ops USING brin;
CREATE OPERATOR CLASS pg_catalog.luuid_minmax_ops DEFAULT FOR TYPE pg_catalog.luuid
    USING brin FAMILY pg_catalog.luuid_minmax_ops AS
    STORAGE pg_catalog.uuid,
    OPERATOR 1 pg_catalog.<,
    OPERATOR 2 pg_catalog.<=,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.>=,
    OPERATOR 5 pg_catalog.>,
    FUNCTION 1 pg_catalog.brin_minmax_opcinfo(pg_catalog.internal),
    FUNCTION 2 pg_catalog.brin_minmax_add_value(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 pg_catalog.brin_minmax_consistent(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 4 pg_catalog.brin_minmax_union(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal);
ALTER OPERATOR FAMILY pg_catalog.luuid_minmax_ops USING brin ADD
    OPERATOR 1 pg_catalog.< (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.#<# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.#<=# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.#>=# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.#># (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.< (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.uuid, pg_catalog.luuid),
    FUNCTION 1 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_opcinfo(pg_catalog.internal),
    FUNCTION 2 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_add_value(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_consistent(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 4 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_union(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal);

CREATE OPERATOR FAMILY pg_catalog.luuid_minmax_multi_ops USING brin;
CREATE OPERATOR CLASS pg_catalog.luuid_minmax_multi_ops FOR TYPE pg_catalog.luuid
    USING brin FAMILY pg_catalog.luuid_minmax_multi_ops AS
    STORAGE pg_catalog.uuid,
    OPERATOR 1 pg_catalog.<,
    OPERATOR 2 pg_catalog.<=,
    OPERATOR 3 pg_catalog.=,
    OPERATOR 4 pg_catalog.>=,
    OPERATOR 5 pg_catalog.>,
    FUNCTION 1 pg_catalog.brin_minmax_multi_opcinfo(pg_catalog.internal),
    FUNCTION 2 pg_catalog.brin_minmax_multi_add_value(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 pg_catalog.brin_minmax_multi_consistent(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, integer),
    FUNCTION 4 pg_catalog.brin_minmax_multi_union(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 5 pg_catalog.brin_minmax_multi_options(pg_catalog.internal),
    FUNCTION 11 pg_catalog.luuid_distance(pg_catalog.internal, pg_catalog.internal);
ALTER OPERATOR FAMILY pg_catalog.luuid_minmax_multi_ops USING brin ADD
    OPERATOR 1 pg_catalog.< (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.luuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.#<# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 2 pg_catalog.#<=# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 4 pg_catalog.#>=# (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 5 pg_catalog.#># (pg_catalog.uuid, pg_catalog.uuid),
    OPERATOR 1 pg_catalog.< (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 2 pg_catalog.<= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 3 pg_catalog.= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 4 pg_catalog.>= (pg_catalog.uuid, pg_catalog.luuid),
    OPERATOR 5 pg_catalog.> (pg_catalog.uuid, pg_catalog.luuid),
    FUNCTION 1 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_multi_opcinfo(pg_catalog.internal),
    FUNCTION 2 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_multi_add_value(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_multi_consistent(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, integer),
    FUNCTION 4 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_multi_union(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 5 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.brin_minmax_multi_options(pg_catalog.internal),
    FUNCTION 11 (pg_catalog.uuid, pg_catalog.uuid) pg_catalog.luuid_distance(pg_catalog.internal, pg_catalog.internal);

CREATE OPERATOR FAMILY pg_catalog.luuid_bloom_ops USING brin;
CREATE OPERATOR CLASS pg_catalog.luuid_bloom_ops FOR TYPE pg_catalog.luuid
    USING brin FAMILY pg_catalog.luuid_bloom_ops AS
    OPERATOR 1 pg_catalog.=,
    FUNCTION 1 pg_catalog.brin_bloom_opcinfo(pg_catalog.internal),
    FUNCTION 2 pg_catalog.brin_bloom_add_value(
        pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 3 pg_catalog.brin_bloom_consistent(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal, integer),
    FUNCTION 4 pg_catalog.brin_bloom_union(pg_catalog.internal, pg_catalog.internal, pg_catalog.internal),
    FUNCTION 5 pg_catalog.brin_bloom_options(pg_catalog.internal),
    FUNCTION 11 pg_catalog.luuid_hash_mixed(pg_catalog.luuid);
ALTER OPERATOR FAMILY pg_catalog.luuid_bloom_ops USING brin ADD
    OPERATOR 1 pg_catalog.= (pg_catalog.luuid, pg_catalog.uuid);

COMMENT ON OPERATOR FAMILY pg_catalog.luuid_minmax_ops USING brin IS 'chronological minmax of luuid';
COMMENT ON OPERATOR FAMILY pg_catalog.luuid_minmax_multi_ops USING brin IS 'chronological multi minmax of luuid';
COMMENT ON OPERATOR FAMILY pg_catalog.luuid_bloom_ops USING brin IS 'bloom of luuid';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_minmax_ops USING brin IS 'chronological minmax';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_minmax_multi_ops USING brin IS 'chronological multi minmax';
COMMENT ON OPERATOR CLASS pg_catalog.luuid_bloom_ops USING brin IS 'bloom';

-- Aggregates ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_smaller(pg_catalog.luuid, pg_catalog.luuid) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_larger(pg_catalog.luuid, pg_catalog.luuid) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;

CREATE AGGREGATE pg_catalog.min(pg_catalog.luuid) (
    SFUNC = pg_catalog.luuid_smaller, STYPE = pg_catalog.luuid, COMBINEFUNC = pg_catalog.luuid_smaller,
    SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE);
CREATE AGGREGATE pg_catalog.max(pg_catalog.luuid) (
    SFUNC = pg_catalog.luuid_larger, STYPE = pg_catalog.luuid, COMBINEFUNC = pg_catalog.luuid_larger,
    SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE);

COMMENT ON FUNCTION pg_catalog.luuid_smaller(pg_catalog.luuid, pg_catalog.luuid) IS 'earlier of two';
COMMENT ON FUNCTION pg_catalog.luuid_larger(pg_catalog.luuid, pg_catalog.luuid) IS 'later of two';
COMMENT ON AGGREGATE pg_catalog.min(pg_catalog.luuid) IS 'earliest of all luuid input values';
COMMENT ON AGGREGATE pg_catalog.max(pg_catalog.luuid) IS 'latest of all luuid input values';

-- Reading -------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_extract_version(pg_catalog.luuid) RETURNS smallint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_extract_counter(pg_catalog.luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_extract_pid(pg_catalog.luuid) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_extract_mac(pg_catalog.luuid) RETURNS pg_catalog.macaddr
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_inspect(pg_catalog.luuid,
        OUT version smallint, OUT "timestamp" pg_catalog.timestamptz, OUT ticks bigint,
        OUT prefix bigint, OUT counter bigint, OUT sequence bigint, OUT pid integer, OUT mac pg_catalog.macaddr,
        OUT msb bigint, OUT lsb bigint)
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_extract_version(pg_catalog.luuid) IS 'version of a luuid, 0 to 15; 11 for b';
COMMENT ON FUNCTION pg_catalog.luuid_extract_counter(pg_catalog.luuid)
    IS 'counter of a locality UUID, if variable mode generated it; null for other versions';
COMMENT ON FUNCTION pg_catalog.luuid_extract_pid(pg_catalog.luuid)
    IS 'process id, modulo 65536, of a locality UUID; null for other versions';
COMMENT ON FUNCTION pg_catalog.luuid_extract_mac(pg_catalog.luuid)
    IS 'node bits of a luuid; null if it has none';
COMMENT ON FUNCTION pg_catalog.luuid_inspect(pg_catalog.luuid) IS 'every field of a luuid';

-- Bits ----------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_msb(pg_catalog.luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_lsb(pg_catalog.luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_from_bits(msb bigint, lsb bigint) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_to_base32(pg_catalog.luuid) RETURNS pg_catalog.text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_from_base32(pg_catalog.text) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_from_ulid(pg_catalog.text) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_is_valid(pg_catalog.text) RETURNS boolean
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_msb(pg_catalog.luuid) IS 'most significant 64 bits';
COMMENT ON FUNCTION pg_catalog.luuid_lsb(pg_catalog.luuid) IS 'least significant 64 bits';
COMMENT ON FUNCTION pg_catalog.luuid_from_bits(bigint, bigint) IS 'luuid from most and least significant 64 bits';
COMMENT ON FUNCTION pg_catalog.luuid_to_base32(pg_catalog.luuid) IS 'convert luuid to 26 characters of Crockford''s base 32';
COMMENT ON FUNCTION pg_catalog.luuid_from_base32(pg_catalog.text) IS 'convert 26 characters of Crockford''s base 32 to luuid';
COMMENT ON FUNCTION pg_catalog.luuid_from_ulid(pg_catalog.text) IS 'version-7 luuid with the millisecond of a ULID';
COMMENT ON FUNCTION pg_catalog.luuid_is_valid(pg_catalog.text) IS 'is text the 36-character form of a luuid?';

-- Sealed ids ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_seal(pg_catalog.luuid, key pg_catalog.bytea) RETURNS pg_catalog.uuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_unseal(pg_catalog.uuid, key pg_catalog.bytea) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_seal(pg_catalog.luuid, pg_catalog.bytea)
    IS 'version-4 uuid that stands for a version-7 luuid and hides its time under a key';
COMMENT ON FUNCTION pg_catalog.luuid_unseal(pg_catalog.uuid, pg_catalog.bytea) IS 'version-7 luuid that was sealed under a key';

-- Boundaries ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_floor(pg_catalog.timestamptz) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_ceiling(pg_catalog.timestamptz) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_range_floor(pg_catalog.tstzrange) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_range_ceiling(pg_catalog.tstzrange) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_range(pg_catalog.daterange) RETURNS pg_catalog.tstzrange
    AS 'MODULE_PATHNAME', 'luuid_range_of_dates' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_range(pg_catalog.tsrange) RETURNS pg_catalog.tstzrange
    AS 'MODULE_PATHNAME', 'luuid_range_of_local_times' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_floor(pg_catalog.timestamptz) IS 'least luuid that is not before a time';
COMMENT ON FUNCTION pg_catalog.luuid_ceiling(pg_catalog.timestamptz) IS 'greatest luuid that is not after a time';
COMMENT ON FUNCTION pg_catalog.luuid_range_floor(pg_catalog.tstzrange) IS 'least luuid in a time range';
COMMENT ON FUNCTION pg_catalog.luuid_range_ceiling(pg_catalog.tstzrange) IS 'greatest luuid in a time range';
COMMENT ON FUNCTION pg_catalog.luuid_range(pg_catalog.daterange) IS 'convert date range to time range in session''s time zone';
COMMENT ON FUNCTION pg_catalog.luuid_range(pg_catalog.tsrange)
    IS 'convert local time range to time range in session''s time zone';

-- Generators ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_generate() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_variable() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_sequential() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate(at pg_catalog.timestamptz) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME', 'luuid_generate_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_generate() IS 'new locality UUID, by luuid.mode and luuid.version, for keys that choose a shard';
COMMENT ON FUNCTION pg_catalog.luuid_generate_variable() IS 'new locality UUID whose first bits spread evenly';
COMMENT ON FUNCTION pg_catalog.luuid_generate_sequential()
    IS 'new locality UUID whose first bits count up for ten minutes';
COMMENT ON FUNCTION pg_catalog.luuid_generate(pg_catalog.timestamptz)
    IS 'new locality UUID of a given time, for back-filling';

-- Other versions ------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_generate_v1() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_v7() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_v1(at pg_catalog.timestamptz) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME', 'luuid_generate_v1_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_v7(at pg_catalog.timestamptz) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME', 'luuid_generate_v7_at' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_generate_v1() IS 'new version-1 UUID';
COMMENT ON FUNCTION pg_catalog.luuid_generate_v7() IS 'new version-7 UUID, for keys on one server';
COMMENT ON FUNCTION pg_catalog.luuid_generate_v1(pg_catalog.timestamptz)
    IS 'new version-1 UUID of a given time, for back-filling';
COMMENT ON FUNCTION pg_catalog.luuid_generate_v7(pg_catalog.timestamptz)
    IS 'new version-7 UUID of a given time, for back-filling';

-- Shards and placement ------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_shard(pg_catalog.luuid, shards integer) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_shard_floor(shard integer, shards integer) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_in_shard(shard integer, shards integer) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_generate_near(neighbour pg_catalog.luuid, prefix_bits integer DEFAULT 16)
    RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_shard(pg_catalog.luuid, integer) IS 'shard of a locality UUID by its first 32 bits, given the number of shards';
COMMENT ON FUNCTION pg_catalog.luuid_shard_floor(integer, integer) IS 'least luuid of a shard in byte order';
COMMENT ON FUNCTION pg_catalog.luuid_generate_in_shard(integer, integer) IS 'new locality UUID on a shard';
COMMENT ON FUNCTION pg_catalog.luuid_generate_near(pg_catalog.luuid, integer)
    IS 'new locality UUID with the first bits of another';

-- Short keys ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_generate_uniqid(shards integer DEFAULT 10) RETURNS pg_catalog.text
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_from_uniqid(pg_catalog.text) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_to_uniqid(pg_catalog.luuid, shards integer DEFAULT 10) RETURNS pg_catalog.text
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION pg_catalog.luuid_uniqid_shard(pg_catalog.text, shards integer DEFAULT 10) RETURNS integer
    AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION pg_catalog.luuid_generate_uniqid(integer) IS 'new short key of PHP''s uniqid(), given the number of shards';
COMMENT ON FUNCTION pg_catalog.luuid_from_uniqid(pg_catalog.text) IS 'convert short key to luuid';
COMMENT ON FUNCTION pg_catalog.luuid_to_uniqid(pg_catalog.luuid, integer) IS 'convert luuid to short key, given the number of shards';
COMMENT ON FUNCTION pg_catalog.luuid_uniqid_shard(pg_catalog.text, integer) IS 'shard of a short key, given the number of shards';

-- Status --------------------------------------------------------------------------------------------------------------

CREATE FUNCTION pg_catalog.luuid_status(
        OUT mode pg_catalog.text, OUT version pg_catalog.text, OUT node pg_catalog.text,
        OUT node_source pg_catalog.text, OUT pid integer, OUT leased boolean, OUT clock_steps_back bigint,
        OUT ahead pg_catalog.interval, OUT horizon_lag pg_catalog.interval, OUT horizon_steps_back bigint)
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION pg_catalog.luuid_stat(
        OUT clock_steps_back bigint, OUT ahead pg_catalog.interval, OUT ahead_max pg_catalog.interval,
        OUT leases_held integer, OUT leases_refused bigint, OUT horizons_asked bigint, OUT horizons_unknown bigint,
        OUT waiters integer, OUT wakeups bigint, OUT rows_refused bigint, OUT stats_reset pg_catalog.timestamptz)
    RETURNS SETOF pg_catalog.record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE ROWS 1;
CREATE FUNCTION pg_catalog.luuid_stat_reset() RETURNS pg_catalog.void
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL SAFE;
REVOKE EXECUTE ON FUNCTION pg_catalog.luuid_stat_reset() FROM PUBLIC;

COMMENT ON FUNCTION pg_catalog.luuid_status() IS 'generator settings and state of this backend';
COMMENT ON FUNCTION pg_catalog.luuid_stat() IS 'statistics: use of luuid in the whole cluster';
COMMENT ON FUNCTION pg_catalog.luuid_stat_reset() IS 'reset the counts of luuid_stat()';

-- Following a table ---------------------------------------------------------------------------------------------------

-- PARALLEL RESTRICTED, so that all workers use one horizon, which the leader computes for its snapshot.
CREATE FUNCTION pg_catalog.luuid_horizon() RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION pg_catalog.luuid_horizon(lag pg_catalog.interval) RETURNS pg_catalog.luuid
    AS 'MODULE_PATHNAME', 'luuid_horizon_behind' LANGUAGE C STABLE STRICT PARALLEL RESTRICTED;
CREATE FUNCTION pg_catalog.luuid_in_flight(
        OUT pid integer, OUT datname pg_catalog.name, OUT since pg_catalog.timestamptz, OUT age pg_catalog.interval)
    RETURNS SETOF pg_catalog.record
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED ROWS 10;
CREATE PROCEDURE pg_catalog.luuid_wait(
        INOUT horizon pg_catalog.luuid, IN timeout pg_catalog.interval DEFAULT NULL)
    AS 'MODULE_PATHNAME' LANGUAGE C;
CREATE FUNCTION pg_catalog.luuid_guard() RETURNS pg_catalog.trigger
    AS 'MODULE_PATHNAME' LANGUAGE C VOLATILE STRICT PARALLEL RESTRICTED;

COMMENT ON PROCEDURE pg_catalog.luuid_wait(pg_catalog.luuid, pg_catalog.interval) IS
    'wait until the horizon has passed ids, at or after a luuid, that were committed meanwhile';
COMMENT ON FUNCTION pg_catalog.luuid_horizon() IS
    'luuid such that every transaction of this database that generated a lesser id has ended';
COMMENT ON FUNCTION pg_catalog.luuid_horizon(pg_catalog.interval) IS
    'luuid_horizon(), but at least an interval behind the present';
COMMENT ON FUNCTION pg_catalog.luuid_in_flight() IS
    'open transactions of all databases that have generated luuids';
COMMENT ON FUNCTION pg_catalog.luuid_guard() IS
    'trigger that refuses ids older than a horizon already returned, or too far ahead of the clock';
