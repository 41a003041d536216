# A server finds luuid's files in a folder that is not its own, as PostgreSQL 18 allows: with preload, with JIT, and by
# the contrib extension. Its own folders have none of them.
# needs: long, pg18
use LuuidCluster;

plan skip_all => 'PostgreSQL 18 is the first that finds extensions elsewhere'
	if `pg_config --version` =~ /^PostgreSQL (\d+)/ && $1 < 18;

my (undef, $sharedir, $pkglibdir) = LuuidCluster::own_stage();
my $elsewhere = PostgreSQL::Test::Utils::tempdir();
mkdir "$elsewhere/$_" for qw(lib share share/extension);
PostgreSQL::Test::Utils::system_or_bail('mv', glob("$pkglibdir/luuid*"), "$elsewhere/lib");
PostgreSQL::Test::Utils::system_or_bail('mv', glob("$sharedir/extension/luuid*"), "$elsewhere/share/extension");
# The server looks for bitcode in its own folder alone.
PostgreSQL::Test::Utils::system_or_bail('rm', '-rf', glob("$pkglibdir/bitcode/luuid*"));

my $node = LuuidCluster->started('elsewhere',
	"extension_control_path = '\$system:$elsewhere/share'",
	"dynamic_library_path = '\$libdir:$elsewhere/lib'",
	q{shared_preload_libraries = 'luuid'},
	'jit = on', 'jit_above_cost = 0', 'jit_inline_above_cost = 0', 'jit_optimize_above_cost = 0');

$node->safe_psql('postgres', 'CREATE EXTENSION luuid');
$node->create_event_table('postgres');
$node->safe_psql('postgres', q{INSERT INTO event (writer, n) SELECT 'one', n FROM generate_series(1, 1000) AS n});
is($node->safe_psql('postgres', 'SELECT leased FROM luuid_status()'), 't', 'preloaded, backends generate with leases');
is($node->safe_psql('postgres', 'SELECT max(id) < luuid_horizon() FROM event'), 't', '... and the horizon is known');

SKIP:
{
	skip 'this server has no JIT', 1 if $node->safe_psql('postgres', 'SELECT pg_jit_available()') ne 't';
	my $query = 'SELECT count(*) FROM event WHERE id = id AND id ~>=~ id AND luuid_extract_timestamp(id) IS NOT NULL';
	my $plan = $node->safe_psql('postgres', "EXPLAIN (ANALYZE) $query");
	my $count = $node->safe_psql('postgres', $query);
	ok($plan =~ /^JIT:/m && $count == 1000, 'JIT compiles what calls luuid, without its bitcode')
		or diag "$count rows\n$plan";
}

SKIP:
{
	skip 'the server lacks btree_gist', 1 unless -e "$sharedir/extension/btree_gist.control";
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid_contrib CASCADE;
		CREATE INDEX event_gist ON event USING gist (id);
	});
	is($node->safe_psql('postgres', q{
			SET enable_seqscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
			SELECT count(*) FROM event WHERE id <= now() + interval '1 day'
		}), '1000', 'luuid_contrib is found there too');
}

# A new backend loads the module from there, and a server that starts again preloads it.
$node->restart;
is($node->safe_psql('postgres', 'SELECT count(*) FROM event WHERE id < luuid_generate()'), '1000', 'after a restart too');
$node->stop;

# The same folder without the path of libraries.
$node->append_conf('postgresql.conf', q{dynamic_library_path = '$libdir'});
is($node->start(fail_ok => 1), 0, 'without dynamic_library_path the server does not start');
like(slurp_file($node->logfile), qr/could not access file "luuid"/, '... and says what it lacks');

done_testing();
