-- The catalog: properties that every object of the extension must have, and the consistency of its operators.
\a \pset footer off \set ECHO errors
CALL begin_test();
SELECT classid::regclass AS catalog, count(*) FROM member GROUP BY classid ORDER BY classid::regclass::text COLLATE "C";

-- Every object has a comment. That of an operator is for its function too.
SELECT object AS without_comment FROM member
WHERE comment IS NULL AND NOT (classid = 'pg_proc'::regclass AND objid IN (SELECT oprcode FROM pg_operator)) ORDER BY object COLLATE "C";

-- Every operator class is valid.
SELECT amname, opcname, opcintype::regtype, opcdefault, amvalidate(oid) FROM class ORDER BY amname, opcname;

-- Every function is parallel safe, except those of the horizon, which a query computes once. Functions that generate ids, or show the state
-- of generation, and the trigger's are volatile. The horizon, functions that use the session's time zone, and, as in the core, the window support
-- and the estimators are stable. All others are immutable. All are strict.
SELECT provolatile, proparallel, string_agg(signature::text, ' ' ORDER BY signature::text COLLATE "C") COLLATE "C" AS functions
FROM function WHERE proparallel <> 's' OR provolatile <> 'i' GROUP BY provolatile, proparallel, split_part(proname, '_', 2) ORDER BY 1, 2, 3;
SELECT signature AS not_strict FROM function WHERE NOT proisstrict AND prokind = 'f' ORDER BY signature::text COLLATE "C";
SELECT lanname, count(DISTINCT procost) AS costs, max(procost) AS cost
FROM function JOIN pg_language AS l ON l.oid = prolang GROUP BY lanname ORDER BY lanname;
-- Every role may read the cluster's figures, which exist only with preload. A role needs a grant to reset them.
SELECT has_function_privilege('public', 'luuid_stat()', 'EXECUTE') AS is_read, has_function_privilege('public', 'luuid_stat_reset()',
    'EXECUTE') AS is_reset, (SELECT count(*) FROM luuid_stat()) = leased::int AS is_there FROM luuid_status();
-- No function is LANGUAGE internal, except aggregates, which always are. The server would search the names of all built-in
-- functions for one, at each executor start.
SELECT signature AS internal FROM function WHERE prolang = (SELECT oid FROM pg_language WHERE lanname = 'internal') AND prokind <> 'a';
-- Functions of an id or a time that cannot fail are leakproof, as for uuid. These are not.
SELECT string_agg(signature::text, ' ' ORDER BY signature::text COLLATE "C") COLLATE "C" AS not_leakproof FROM function
WHERE NOT proleakproof AND prokind = 'f' AND provolatile <> 'v' GROUP BY split_part(proname, '_', 2) ORDER BY 1;
-- Every boolean operator has a commutator, a negator (except containment, as for ranges) and both estimators.
SELECT count(*) AS operators FROM operator WHERE oprresult = 'boolean'::regtype;
SELECT signature AS without_counterpart FROM operator LEFT JOIN pg_operator AS c ON c.oid = operator.oprcom LEFT JOIN pg_operator AS n ON n.oid = operator.oprnegate
WHERE (operator.oprresult = 'boolean'::regtype AND operator.oprrest <> 0 AND operator.oprjoin <> 0 AND operator.oprcode <> 0
    AND c.oprcom = operator.oid AND c.oprleft = operator.oprright AND c.oprright = operator.oprleft) IS NOT TRUE
    OR (operator.oprnegate = 0) <> (operator.oprname IN ('<@', '@>')) OR n.oprnegate <> operator.oid OR n.oprleft <> operator.oprleft
    OR n.oprright <> operator.oprright OR n.oid = operator.oid;
-- Each operator has the estimators for its meaning.
SELECT oprrest, oprjoin, string_agg(DISTINCT oprname::text COLLATE "C", ' ') AS operators, count(*) FROM operator GROUP BY 1, 2 ORDER BY oprrest::text COLLATE "C",
    oprjoin::text COLLATE "C";
-- Only equality hashes and merges, and not the operator for equal times: two ids with one time may differ.
SELECT signature, oprcanhash, oprcanmerge FROM operator WHERE oprcanhash OR oprcanmerge ORDER BY signature::text COLLATE "C";
SELECT signature AS in_a_family FROM pg_amop JOIN operator AS o ON o.oid = amopopr
WHERE 'timestamptz'::regtype IN (oprleft, oprright) OR 'tstzrange'::regtype IN (oprleft, oprright);
-- The members of each family, by type.
SELECT string_agg(concat_ws(' ', amname, opfname, n), ', ' ORDER BY amname, opfname, n) AS families, operators FROM (SELECT amname, opfname,
    amopstrategy AS n, string_agg(amopopr::regoperator::text, ' ' ORDER BY amopopr::regoperator::text COLLATE "C") AS operators
    FROM pg_amop JOIN family AS f ON f.oid = amopfamily GROUP BY 1, 2, 3) AS s GROUP BY operators ORDER BY 1;
SELECT amname, opfname, string_agg(DISTINCT lpad(amprocnum::text, 2) || ' ' || amproc, ' ') AS functions
FROM pg_amproc JOIN family AS f ON f.oid = amprocfamily GROUP BY 1, 2 ORDER BY 1, 2;
-- The type has the storage and alignment of uuid.
SELECT count(*) AS differences FROM pg_type AS a, pg_type AS b
WHERE a.oid = 'luuid'::regtype AND b.oid = 'uuid'::regtype
    AND (a.typlen, a.typbyval, a.typalign, a.typstorage, a.typcategory, a.typispreferred, a.typdelim)
        IS DISTINCT FROM (b.typlen, b.typbyval, b.typalign, b.typstorage, b.typcategory, b.typispreferred, b.typdelim);

-- uuid to luuid is implicit, the way back is an assignment cast, the rest are explicit.
SELECT castsource::regtype, casttarget::regtype, castmethod, castcontext, castfunc::regprocedure
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid
ORDER BY castsource::regtype::text COLLATE "C", casttarget::regtype::text COLLATE "C";

-- cmp follows the order for every combination of types; `place` is the fixture's own computation of it. <> belongs to no
-- family: the bytes differ. The byte order is uuid's.
SELECT count(*) FILTER (WHERE luuid_cmp(a.id, b.id) IS DISTINCT FROM sign(a.place - b.place)) AS luuid_luuid,
    count(*) FILTER (WHERE luuid_cmp(a.id, b.u) IS DISTINCT FROM sign(a.place - b.place)) AS luuid_uuid,
    count(*) FILTER (WHERE luuid_cmp(a.u, b.id) IS DISTINCT FROM sign(a.place - b.place)) AS uuid_luuid,
    count(*) FILTER (WHERE luuid_cmp(a.u, b.u) IS DISTINCT FROM sign(a.place - b.place)) AS uuid_uuid,
    count(*) FILTER (WHERE ((a.id <> b.id) = (a.u <> b.u) AND (a.id <> b.u) = (a.u <> b.u) AND (a.u <> b.id) = (a.u <> b.u)) IS NOT TRUE) AS unequal,
    count(*) FILTER (WHERE a.id = b.id) AS equal, count(*) FILTER (WHERE luuid_byte_cmp(a.id, b.id) IS DISTINCT FROM sign(uuid_cmp(a.u, b.u))
        OR ((a.id ~<~ b.id) = (a.u < b.u) AND (a.id ~>=~ b.u) = (a.u >= b.u)) IS NOT TRUE) AS bytes
FROM hard AS a, hard AS b \gx
-- All operators of a B-tree's family agree with its cmp.
SELECT count(*) AS operators, string_agg(format('%s by %s', amopopr::regoperator, amproc), ', ') FILTER (WHERE agrees IS DISTINCT FROM 'true')
    AS wrong FROM (SELECT * FROM pg_amop JOIN family AS f ON f.oid = amopfamily AND amname = 'btree' JOIN pg_operator AS o ON o.oid = amopopr
    JOIN pg_amproc ON amprocfamily = f.oid AND amprocnum = 1 AND amproclefttype = amoplefttype AND amprocrighttype = amoprighttype OFFSET 0) AS ours,
    LATERAL answer(format('SELECT count(*) >= 40000 AND bool_and(((a.%1$I OPERATOR(%2$s) b.%3$I) = (%4$s(a.%1$I, b.%3$I) %5$s 0)) IS TRUE)
        FROM hard AS a, hard AS b', CASE oprleft WHEN 'uuid'::regtype THEN 'u' ELSE 'id' END, oprnamespace::regnamespace || '.' || oprname,
        CASE oprright WHEN 'uuid'::regtype THEN 'u' ELSE 'id' END, amproc, (ARRAY['<', '<=', '=', '>=', '>'])[amopstrategy])) AS agrees;

-- The checks of the core's opr_sanity, applied to the extension; no rows unless a comment explains them.

-- Functions with one source, ours or the server's, have the same markings; luuid_local_bound() counts its arguments.
SELECT a.oid::regprocedure AS marked_unlike, b.oid::regprocedure AS twin
FROM pg_proc AS a JOIN pg_proc AS b USING (prosrc, prolang)
WHERE a.oid IN (SELECT oid FROM function) AND a.oid <> b.oid AND prolang IN (SELECT oid FROM pg_language WHERE lanname IN ('internal', 'c'))
    AND a.probin IS NOT DISTINCT FROM b.probin AND a.prokind = 'f'
    AND (a.prokind, a.prosecdef, a.proleakproof, a.proisstrict, a.proretset, a.provolatile, a.proparallel, a.pronargs)
        IS DISTINCT FROM (b.prokind, b.prosecdef, b.proleakproof, b.proisstrict, b.proretset, b.provolatile, b.proparallel, b.pronargs);
-- No function lets SQL create an "internal" value.
SELECT signature AS creates_internal FROM function WHERE prorettype = 'internal'::regtype AND NOT 'internal'::regtype = ANY (proargtypes);
-- A cast's function takes the source and returns the target; a cast without a function has both directions.
SELECT castsource::regtype AS cast_without_function_or_back, casttarget::regtype
FROM pg_cast AS c JOIN member ON classid = 'pg_cast'::regclass AND objid = c.oid LEFT JOIN pg_proc AS p ON p.oid = castfunc
WHERE castsource = casttarget
    OR castmethod = 'f' AND NOT (pronargs = 1 AND coercible(castsource, proargtypes[0]) AND coercible(prorettype, casttarget))
    OR castmethod = 'b' AND NOT EXISTS (SELECT FROM pg_cast AS back
        WHERE back.castmethod = 'b' AND back.castsource = c.casttarget AND back.casttarget = c.castsource);
-- An operator's function has its argument and result types.
SELECT o.signature AS operator_unlike_function, p.oid::regprocedure AS function FROM operator AS o JOIN pg_proc AS p ON p.oid = oprcode
WHERE pronargs <> 2 OR NOT coercible(oprleft, proargtypes[0]) OR NOT coercible(oprright, proargtypes[1]) OR prorettype <> oprresult
    OR provolatile = 'v' OR NOT proisstrict;
-- Operators that merge are equality in a btree family, those that hash are equality in a hash family, and vice versa.
SELECT o.signature AS merges_or_hashes_wrongly, amname FROM operator AS o CROSS JOIN pg_am AS a
WHERE amname IN ('btree', 'hash') AND CASE amname WHEN 'btree' THEN oprcanmerge ELSE oprcanhash END <> EXISTS (SELECT FROM pg_amop
    WHERE amopmethod = a.oid AND amopopr = o.oid AND amopstrategy = CASE amname WHEN 'btree' THEN 3 ELSE 1 END);
-- In a btree family each pair of types has all operators and a comparison; in a hash family each type has its functions.
SELECT f.opfname AS incomplete, amoplefttype::regtype, amoprighttype::regtype
FROM pg_amop JOIN family AS f ON f.oid = amopfamily WHERE amname IN ('btree', 'hash') GROUP BY f.oid, amname, f.opfname, amoplefttype, amoprighttype
HAVING count(*) <> CASE amname WHEN 'btree' THEN 5 ELSE 1 END
    OR NOT EXISTS (SELECT FROM pg_amproc WHERE amprocfamily = f.oid AND amprocnum = 1 AND amproclefttype = amoplefttype
        AND amprocrighttype = CASE amname WHEN 'btree' THEN amoprighttype ELSE amoplefttype END);
-- An operator's family has a class for its left type, or one that stores it; otherwise no index uses it. These are for
-- lists of the other type, and for joins: a uuid column with a luuid one, hashed, or merged in the order of an index on
-- the other's bytes. A class for uuid would duplicate uuid's own.
SELECT amname, opfname, string_agg(amopopr::regoperator::text, ' ' ORDER BY amopstrategy, amoprighttype::regtype::text COLLATE "C") AS operators
FROM pg_amop JOIN family AS f ON f.oid = amopfamily WHERE NOT EXISTS (SELECT FROM pg_opclass
    WHERE opcfamily = amopfamily AND (coercible(opcintype, amoplefttype) OR opckeytype = amoplefttype))
GROUP BY 1, 2 ORDER BY 1, 2;
