# pg_partman's background worker makes the partitions of the cookbook's table by itself.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-partman', 'pg_partman_bgw.so');
my $node = LuuidCluster->started('pg_partman', q{shared_preload_libraries = 'luuid, pg_partman_bgw'},
	'timezone = UTC', q{pg_partman_bgw.dbname = 'postgres'}, 'pg_partman_bgw.interval = 1', "pg_partman_bgw.role = '" . getpwuid($<) . "'");
my $version =
  $node->safe_psql('postgres', q{SELECT default_version FROM pg_available_extensions WHERE name = 'pg_partman'});
plan skip_all => "pg_partman is $version; the recipe needs 5.2" if $version =~ /^(\d+)\.(\d+)/ && $1 * 100 + $2 < 502;

my ($recipe) = LuuidCluster::documented('cookbook/shards.md', 'Monthly partitions by pg_partman');
my $start = $node->safe_psql('postgres', q{SELECT date_trunc('month', now() - interval '2 months')});
is($recipe =~ s/(?<=p_start_partition := ')[^']*/$start/, 1, 'the recipe starts somewhere');
$node->safe_psql('postgres', "CREATE EXTENSION luuid; $recipe");

# The partition of a month from this one on.
sub month
{
	my ($months) = @_;
	return $node->safe_psql('postgres', "SELECT to_char(now() + interval '$months months', '\"metric_p\"YYYYMM01')");
}

sub wait_for
{
	my ($what, $condition) = @_;
	$node->poll_query_until('postgres', "SELECT $condition FROM to_regclass('$what') AS partition")
	  or die "$what: not $condition";
	return pass("$what: $condition");
}

my ($old, $now, $next, $far) = map { month($_) } -2, 0, 1, 5;
is($node->safe_psql('postgres', "SELECT to_regclass('$far') IS NULL AND to_regclass('$old') IS NOT NULL"), 't',
	'it makes as many months as it is told');
$node->safe_psql('postgres', q{UPDATE partman.part_config SET premake = 6, infinite_time_partitions = true});
wait_for($far, 'partition IS NOT NULL');
is( $node->safe_psql('postgres', q{
		INSERT INTO metric
		SELECT luuid_generate(now() + months * interval '1 month'), 20.5 FROM generate_series(0, 1) AS months;
		INSERT INTO metric DEFAULT VALUES;
		SELECT string_agg(DISTINCT tableoid::regclass::text, ' ') FROM metric;
	}), "$now $next", 'rows go to the months of their ids');
$node->safe_psql('postgres', q{UPDATE partman.part_config SET retention = '1 day', retention_keep_table = false});
wait_for($old, 'partition IS NULL');
is($node->safe_psql('postgres', 'SELECT count(*) FROM metric'), 3, '... with no row of the others');

done_testing();
