# pg_partman's background worker creates the partitions of the document's table by itself, and its calls do what the document says.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-partman', 'pg_partman_bgw.so');
my $node = LuuidCluster->started('pg_partman', q{shared_preload_libraries = 'luuid, pg_partman_bgw'},
	'timezone = UTC', q{pg_partman_bgw.dbname = 'postgres'}, 'pg_partman_bgw.interval = 1', "pg_partman_bgw.role = '" . getpwuid($<) . "'");
my $version =
	$node->safe_psql('postgres', q{SELECT default_version FROM pg_available_extensions WHERE name = 'pg_partman'});
if ($version =~ /^(\d+)\.(\d+)/ && $1 * 100 + $2 < 502)
{
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE SCHEMA partman;
		CREATE EXTENSION pg_partman SCHEMA partman;
		CREATE TABLE by_luuid (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
		CREATE TABLE by_uuid (id uuid PRIMARY KEY) PARTITION BY RANGE (id uuid_time_ops);
	});
	like($node->error_of('postgres', "SELECT partman.create_parent('public.by_$_', 'id', 'native', 'monthly')"),
		qr{only supports .* integer or date/timestamp. Supplied column is of type $_}, "before 5.2, no column of type $_") for qw(luuid uuid);
	done_testing();
	exit;
}

my ($recipe) = LuuidCluster::documented('neighbours.md', 'pg_partman');
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
is($node->safe_psql('postgres', q{
		INSERT INTO metric
		SELECT luuid_generate(now() + months * interval '1 month'), 20.5 FROM generate_series(0, 1) AS months;
		INSERT INTO metric DEFAULT VALUES;
		SELECT string_agg(DISTINCT tableoid::regclass::text, ' ') FROM metric;
	}), "$now $next", 'rows go to the months of their ids');
$node->safe_psql('postgres', q{UPDATE partman.part_config SET retention = '1 day', retention_keep_table = false});
wait_for($old, 'partition IS NULL');
is($node->safe_psql('postgres', 'SELECT count(*) FROM metric'), 3, '... with no row of the others');

# What the document says of its calls.
sub error { my ($statement) = @_; return ($node->psql('postgres', $statement))[2] }
$node->safe_psql('postgres', q{
	UPDATE partman.part_config SET automatic_maintenance = 'off', retention = NULL;
	CREATE TABLE metric_rest PARTITION OF metric DEFAULT;
	CREATE TABLE target (id uuid PRIMARY KEY, value double precision);
	CREATE TABLE of_luuid (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
});
like(error(q{SELECT partman.create_parent('public.of_luuid', p_control := 'id', p_interval := '1 month',
	p_time_encoder := 'public.encode_time', p_time_decoder := 'public.decode_time')}), qr/Supplied column is of type luuid/, 'a luuid column is refused');
like(error(q{CALL partman.partition_data_proc('public.metric')}), qr/function partman.partition_data_uuid\(.*\) does not exist/, 'partition_data_proc fails');
like(error(q{SELECT partman.undo_partition('public.metric', 'public.target')}), qr/operator does not exist: uuid <= text/, 'undo_partition fails');
is(error(qq{SELECT $_}), '', "$_ works") for q{partman.partition_gap_fill('public.metric')}, q{partman.reapply_privileges('public.metric')},
	q{partman.check_default()}, q{partman.show_partition_name('public.metric', now()::text)}, q{partman.drop_partition_time('public.metric', '1 year')};

done_testing();
