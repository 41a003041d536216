# pg_tle: what `make tle` writes installs sql/plain.sql as an extension, by a role that may only create it, updates it in
# place, comes back from a dump, and leaves nothing. Debian has no package of pg_tle: this runs where the server has it.
use LuuidCluster;

LuuidCluster::needs('pg_tle', 'pg_tle.so', 'pg_tle.control');
my $node = LuuidCluster->started('pg_tle', q{shared_preload_libraries = 'pg_tle'}, 'timezone = UTC');
my $script = slurp_file("$ENV{TESTDIR}/sql/luuid-plain-tle.sql");
my $installed = q{SELECT e.extversion, count(*) FROM pg_extension AS e JOIN pg_depend AS d ON d.refobjid = e.oid AND deptype = 'e'
	WHERE extname = 'luuid_plain' GROUP BY 1};

# A role that is no superuser, as everybody's is on a managed service.
$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN; CREATE DATABASE plain; GRANT CREATE ON DATABASE plain TO tenant');
$node->safe_psql('plain', 'CREATE EXTENSION pg_tle; GRANT pgtle_admin TO tenant');
sub as_tenant { return $node->safe_psql('plain', shift, connstr => $node->connstr('plain') . ' user=tenant') }

as_tenant($script);
as_tenant('CREATE EXTENSION luuid_plain');
my $functions = () = $script =~ /^CREATE (FUNCTION|PROCEDURE) /gm;
my ($version) = $script =~ /'luuid_plain', '(.*?)'/;
is(as_tenant($installed), "$version|" . ($functions + 1), 'CREATE EXTENSION: the functions and their schema are its members');

my $settled = q{
	CALL luuid.settle('event', '-infinity') \gset
	CALL luuid.settle_sequence(pg_get_serial_sequence('event', 'n'), NULL) \gset
	SELECT count(*) FILTER (WHERE id < luuid.luuid_v7_floor(:'horizon')), count(*) FILTER (WHERE n <= :upto) FROM event};
is(as_tenant(q{
	CREATE SCHEMA app; ALTER ROLE tenant IN DATABASE plain SET search_path = app;
	SET search_path = app;
	CREATE TABLE event (id uuid PRIMARY KEY DEFAULT luuid.luuid_generate_v7(), n bigint GENERATED ALWAYS AS IDENTITY, what text);
	INSERT INTO event (what) SELECT 'opened' FROM generate_series(1, 10);
	SELECT pg_sleep(0.01) \g /dev/null
} . $settled), '10|10', 'a table is followed by both procedures');

# A later version, which replaces a function and adds one.
as_tenant(qq{
	SELECT pgtle.install_update_path('luuid_plain', '$version', 'next', \$update\$
		CREATE OR REPLACE FUNCTION luuid.luuid_shard(id uuid, shards int) RETURNS int LANGUAGE sql RETURN -1;
		CREATE FUNCTION luuid.added() RETURNS int LANGUAGE sql RETURN 1;
	\$update\$);
	SELECT pgtle.set_default_version('luuid_plain', 'next');
	ALTER EXTENSION luuid_plain UPDATE;
});
is(as_tenant($installed), 'next|' . ($functions + 2), 'ALTER EXTENSION UPDATE');
is(as_tenant(q{SELECT luuid.luuid_shard(id, 8) FROM event LIMIT 1}), -1, '... exchanges a function in use');

# A dump has the scripts, as functions of pg_tle's schema, and CREATE EXTENSION without a version.
my $dump = PostgreSQL::Test::Utils::tempdir() . '/plain.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('plain') ], 'dumped');
for my $default ('next', $version)
{
	if ($default eq $version)
	{
		as_tenant("SELECT pgtle.set_default_version('luuid_plain', '$version')");
		$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('plain') ], 'dumped, with another default version');
	}
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS restored; CREATE DATABASE restored');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $dump, $node->connstr('restored') ], 'restored');
	is($node->safe_psql('restored', $installed =~ s/, count\(\*\)//r), $default, "... at the default version, $default");
	is($node->safe_psql('restored', "SET search_path = app; $settled"), '10|10', '... with the rows, which are followed');
}

like(($node->psql('plain', 'DROP EXTENSION luuid_plain'))[2], qr/default value for column id of table app.event depends on function/,
	'it is not dropped while a table uses it');
as_tenant(q{DROP TABLE event; DROP EXTENSION luuid_plain; SELECT pgtle.uninstall_extension('luuid_plain')});
is(as_tenant(q{SELECT to_regnamespace('luuid') IS NULL, count(*) FROM pg_proc WHERE proname LIKE 'luuid_plain%'}), 't|0',
	'uninstalled: nothing of it is left');

done_testing();
