# The extension from CREATE to DROP: roles, search paths, versions, and privileges.
# It tests the scripts, and what the server records of them.
# needs: long
use LuuidCluster;

my ($older, $default_version) = LuuidCluster::add_next_version();
my $node = LuuidCluster->started('lifecycle', 'timezone = UTC');
my $as_tenant = [ '-U', 'tenant' ];

sub refused
{
	my ($database, $sql, $expected, $name, @options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($node->error_of($database, $sql, on_error_stop => 1, @options), $expected, $name);
}

# Without a search path -----------------------------------------------------------------------------------------------

# Dumps are restored without one, see dump.pl; so are queries planned.
$node->safe_psql('postgres', q{CREATE DATABASE apart; ALTER DATABASE apart SET search_path = ''});
$node->safe_psql('apart', q{
	CREATE EXTENSION luuid;
	CREATE TABLE public.event (id luuid PRIMARY KEY, plain uuid NOT NULL DEFAULT luuid_generate_v7()) PARTITION BY RANGE (id);
	CREATE TABLE public.event_old PARTITION OF public.event FOR VALUES FROM (MINVALUE) TO (luuid_floor('2020-01-01Z'));
	CREATE TABLE public.event_new PARTITION OF public.event FOR VALUES FROM (luuid_floor('2020-01-01Z')) TO (MAXVALUE);
	CREATE INDEX ON public.event (plain uuid_time_ops);
	INSERT INTO public.event SELECT luuid_generate(timestamptz '2019-05-05Z' + n * interval '1 hour') FROM generate_series(1, 1000) AS n;
	ANALYZE public.event;
});
for my $condition (
	q{id <@ tstzrange('2019-05-05 01:00Z', '2019-05-06Z')}, q{id >= timestamptz '2019-05-05 01:00Z' AND id < timestamptz '2019-05-06Z'},
	q{plain IS NOT NULL AND id::timestamptz >= '2019-05-05 01:00Z' AND id::date < '2019-05-06'})
{
	my $query = "SELECT count(*) FROM public.event WHERE $condition";
	is($node->safe_psql('apart', $query), '23', "without a search path: $condition");
	like($node->safe_psql('apart', "SET enable_seqscan = off; EXPLAIN (COSTS OFF) $query"), qr/\A(?!.*event_new)(?=.*event_old).*Index Cond/s,
		'... prunes and is an index condition');
}
like($node->safe_psql('apart', q{SET enable_seqscan = off;
	EXPLAIN (COSTS OFF) SELECT FROM public.event WHERE plain >= timestamptz '2019-05-06Z'}),
	qr/Index Cond: .*plain/, 'without a search path: a time range on a uuid column is an index condition');

# Created by whom -----------------------------------------------------------------------------------------------------

$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN; CREATE ROLE visitor LOGIN; CREATE DATABASE shared');
refused('shared', 'CREATE EXTENSION luuid', qr/ERROR:  42501: permission denied to create extension "luuid"/,
	'a role without CREATE on the database may not create it', extra_params => $as_tenant);
$node->safe_psql('postgres', 'GRANT CREATE ON DATABASE shared TO tenant');
$node->safe_psql('shared', 'CREATE SCHEMA tenant AUTHORIZATION tenant');
my $use = q{
	CREATE TABLE kept (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int);
	INSERT INTO kept (n) SELECT generate_series(1, 10);
	CREATE VIEW lately AS SELECT n FROM kept WHERE id >= timestamptz '2020-01-01Z';
};
$node->safe_psql('shared', "CREATE EXTENSION luuid; $use", extra_params => $as_tenant);
is($node->safe_psql('shared', 'SELECT count(*) FROM lately', extra_params => $as_tenant),
	'10', 'a role with CREATE on the database creates and uses it');
is($node->safe_psql('shared', q{SELECT extowner::regrole FROM pg_extension WHERE extname = 'luuid'}),
	'tenant', 'the extension is that role\'s');
refused('shared', 'DROP EXTENSION luuid', qr/ERROR:  42501: must be owner of extension luuid/,
	'another role may not drop it', extra_params => [ '-U', 'visitor' ]);
refused('shared', 'DROP EXTENSION luuid',
	qr/ERROR:  2BP01: cannot drop extension luuid because other objects depend on it.*column id of table .*kept/s,
	'DROP is refused while a table uses it', extra_params => $as_tenant);
$node->safe_psql('shared', 'SET client_min_messages = warning; DROP EXTENSION luuid CASCADE', extra_params => $as_tenant);
is($node->safe_psql('shared', q{
		SELECT (SELECT string_agg(attname, ' ') FROM pg_attribute WHERE attrelid = 'tenant.kept'::regclass AND attnum > 0
				AND NOT attisdropped),
			to_regclass('tenant.lately'), to_regtype('luuid'),
			(SELECT count(*) FROM pg_proc WHERE proname LIKE 'luuid%'), (SELECT count(*) FROM tenant.kept)
	}), 'n|||0|10', 'DROP CASCADE drops the columns and views, and keeps the rows');
$node->safe_psql('shared', "DROP TABLE kept; CREATE EXTENSION luuid; $use", extra_params => $as_tenant);
is($node->safe_psql('shared', 'SELECT count(*) FROM lately', extra_params => $as_tenant), '10', 'created again, it works again');
# Also in a session that has already loaded the module.
is($node->safe_psql('shared', qq{
		SET client_min_messages = warning;
		SELECT luuid_extract_version(luuid_generate());
		DROP EXTENSION luuid CASCADE;
		DROP TABLE kept;
		CREATE EXTENSION luuid;
		$use
		SELECT count(*) FROM lately;
	}, extra_params => $as_tenant), "11\n10", 'created again in one session');

# Everything in it ----------------------------------------------------------------------------------------------------

my $member = q{
	FROM pg_depend WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
		AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'luuid')
};
# An object with its name, type or module that is not a member is a leftover.
is($node->safe_psql('shared', qq{
		SELECT count(*) FROM (
			SELECT 'pg_proc'::regclass AS classid, oid AS objid FROM pg_proc
			WHERE proname LIKE '%luuid%' OR probin LIKE '%luuid%' OR 'luuid'::regtype IN (prorettype)
				OR 'luuid'::regtype = ANY (proargtypes)
			UNION ALL SELECT 'pg_operator', oid FROM pg_operator
			WHERE 'luuid'::regtype IN (oprleft, oprright) OR oprname LIKE '#<%' AND oprleft = 'uuid'::regtype
			UNION ALL SELECT 'pg_opclass', oid FROM pg_opclass WHERE opcname ~ '^(luuid|uuid_time)' OR opcintype = 'luuid'::regtype
			UNION ALL SELECT 'pg_opfamily', oid FROM pg_opfamily WHERE opfname ~ '^luuid'
			UNION ALL SELECT 'pg_cast', oid FROM pg_cast WHERE 'luuid'::regtype IN (castsource, casttarget)
			UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typname ~ '^luuid' AND typrelid = 0
			UNION ALL SELECT 'pg_class', oid FROM pg_class WHERE relname ~ '^luuid'
		) AS object
		WHERE NOT EXISTS (SELECT $member AND pg_depend.classid = object.classid AND pg_depend.objid = object.objid)
	}), '0', 'every object is owned by the extension');

# Everything is PUBLIC, except what takes the cluster's figures from others. Functions tell no more of the node than ids
# that a role may read or generate; only the superuser chooses the node.
is($node->safe_psql('shared', qq{
		SELECT objid::regprocedure $member AND classid = 'pg_proc'::regclass
			AND NOT has_function_privilege('visitor', objid, 'EXECUTE')
	}), 'luuid_stat_reset()', 'PUBLIC may execute every function but one');
is($node->safe_psql('shared', q{SELECT oid::regprocedure FROM pg_proc WHERE proname LIKE '%luuid%' AND prosecdef}),
	'', 'no function is SECURITY DEFINER');
my $as_visitor = [ '-U', 'visitor' ];
is($node->safe_psql('shared', q{
		SELECT node = right(replace(luuid_extract_mac(luuid_generate())::text, ':', ''), 7) FROM luuid_status()
	}, extra_params => $as_visitor), 't', 'luuid_status() tells a role no more of the node than its ids do');
refused('shared', q{SELECT luuid_generate(); SET luuid.node = '1234567'},
	qr/ERROR:  42501: permission denied to set parameter "luuid.node"/, 'luuid.node is refused to it',
	extra_params => $as_visitor);
# Before the module is loaded, the server accepts the setting; the module rejects it.
my $source = 'SELECT luuid_extract_version(luuid_generate()), node_source FROM luuid_status()';
my $unset = $node->safe_psql('shared', $source, extra_params => $as_visitor);
like($unset, qr/^11\|system identifier( and mac)?$/, 'the node is that of auto');
is($node->safe_psql('shared', "SET luuid.node = '1234567'; $source", extra_params => $as_visitor),
	$unset, 'luuid.node is rejected, also before the module is loaded');
is($node->safe_psql('shared', q{SET luuid.mode = 'sequential'; SET luuid.version = '9'; SELECT mode, version FROM luuid_status()}),
	'sequential|b', 'an invalid setting from before it is loaded is dropped');
{
	local $ENV{PGOPTIONS} = '-c luuid.node=1234567';
	is($node->safe_psql('shared', $source, extra_params => $as_visitor), $unset, 'and as an option of the connection');
}
refused('shared', q{ALTER ROLE visitor SET luuid.node = '1234567'}, qr/ERROR:  42501: permission denied/,
	'and as a setting of its own role', extra_params => $as_visitor);
$node->safe_psql('shared', 'GRANT SET ON PARAMETER luuid.node TO visitor');
is($node->safe_psql('shared', "SET luuid.node = '1234567'; $source", extra_params => $as_visitor),
	'11|setting', 'GRANT SET allows it');

# From an older version -----------------------------------------------------------------------------------------------

# The extension as pg_upgrade would move it, entry by entry, without OIDs and its marks of one dump: definitions, members, comments and privileges.
sub catalog
{
	my ($database) = @_;
	my ($dump) = run_command([ qw(pg_dump --binary-upgrade --schema-only --extension=luuid --exclude-schema=public), $node->connstr($database) ]);
	return [ sort split /^-- Name: /m, $dump =~ s/^(?:\\(?:un)?restrict|SELECT pg_catalog\.binary_upgrade_set_next).*\n//mgr ];
}

# Objects in use before and after: rows, indexes of every class, defaults, bounds, views.
my $contents = q{
	SELECT (SELECT md5(string_agg(e::text, ',' ORDER BY id)) FROM event AS e),
		(SELECT md5(string_agg(p::text, ',' ORDER BY id)) FROM part AS p),
		(SELECT count(*) FROM part_old), (SELECT count(*) FROM lately)
};

$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION luuid');
my $fresh = catalog('fresh');
my @kinds = (qw(ACL AGGREGATE CAST COMMENT DOMAIN EXTENSION FUNCTION OPERATOR PROCEDURE TYPE), map { "OPERATOR $_" } qw(CLASS FAMILY));
is_deeply([ grep { my $kind = $_; !grep { /^.*; Type: $kind;/ } @$fresh } @kinds ], [], 'the catalog of a fresh extension has entries of every kind');

my $database = "from_$older";
$node->safe_psql('postgres', qq{CREATE DATABASE "$database"; GRANT CREATE ON DATABASE "$database" TO tenant});
$node->safe_psql($database, "CREATE EXTENSION luuid VERSION '$older'");
$node->create_event_table($database);
$node->safe_psql($database, q{
	CREATE TABLE part (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int) PARTITION BY RANGE (id);
	CREATE TABLE part_old PARTITION OF part FOR VALUES FROM (MINVALUE) TO (luuid_floor(timestamptz '2020-01-01Z'));
	CREATE TABLE part_new PARTITION OF part FOR VALUES FROM (luuid_floor(timestamptz '2020-01-01Z')) TO (MAXVALUE);
	CREATE VIEW lately AS SELECT n FROM part WHERE id >= timestamptz '2020-01-01Z';
	INSERT INTO event (writer, n) SELECT 'before', n FROM generate_series(1, 1000) AS n;
	INSERT INTO part (n) SELECT generate_series(1, 50);
	INSERT INTO part SELECT luuid_generate(timestamptz '2019-05-05Z'), n FROM generate_series(1, 50) AS n;
});
my $before = $node->safe_psql($database, $contents);
isnt("@{ catalog($database) }", "@$fresh", "$older: the catalog is not yet that of $default_version");
# A session that started with the older version continues, with its cached plans.
my $session = $node->background_psql($database);
$session->query_safe(q{PREPARE make AS INSERT INTO part (n) VALUES (0) RETURNING id >= timestamptz '2020-01-01Z'; EXECUTE make; EXECUTE make;});
$node->safe_psql($database, 'ALTER EXTENSION luuid UPDATE');
like($session->query_safe('EXECUTE make;'), qr/^t$/m, "$older: a session continues after the update");
$session->query_safe('DELETE FROM part WHERE n = 0;');
$session->quit;

is_deeply(catalog($database), $fresh, "$older: the updated catalog equals a fresh one");
is($node->safe_psql($database, $contents), $before, "$older: the rows are as before");
$node->check_indexes($database, "$older, updated");
is($node->safe_psql($database, q{
		INSERT INTO event (writer, n) SELECT 'after', n FROM generate_series(1, 1000) AS n;
		INSERT INTO part (n) SELECT generate_series(1, 50);
		SELECT (SELECT count(*) FROM event), (SELECT count(*) FROM part_new), (SELECT count(*) FROM lately),
			(SELECT bool_and(luuid_is_timed(id)) FROM event)
	}), '2000|100|100|t', "$older, updated: generates, and has the new objects");
$node->check_indexes($database, "$older, updated and written to");

# By its owner.
$node->safe_psql($database, 'DROP EXTENSION luuid CASCADE; CREATE SCHEMA tenant AUTHORIZATION tenant');
$node->safe_psql($database, "CREATE EXTENSION luuid VERSION '$older'; ALTER EXTENSION luuid UPDATE", extra_params => $as_tenant);
is($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'luuid'}),
	$default_version, "$older: a role that created it updates it");

done_testing();
