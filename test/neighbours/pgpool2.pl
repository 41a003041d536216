# Pgpool-II sends statements that generate ids to the primary, since their functions are volatile, and statements that read ids
# to a standby. A consumer that reads there by a horizon's value misses rows. One that asks in the statement that reads meets an
# error, and gets every row with the configuration of doc/neighbours.md.
use LuuidCluster;

LuuidCluster::needs('pgpool2', 'pgpool');
my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $primary = LuuidCluster->started('primary', q{shared_preload_libraries = 'luuid'}, 'wal_level = replica', 'max_wal_senders = 4', 'hot_standby = on');
my $standby = $primary->started_standby('standby');
$primary->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
});
my ($outbox) = LuuidCluster::documented('cookbook/following.md', 'An ordered outbox');
my ($deliveries) = LuuidCluster::documented('cookbook/following.md', 'A view for connectors');
$primary->safe_psql('postgres', $outbox . $deliveries);
$primary->wait_for_catchup($standby);

my $user = getpwuid($<);
# A pool in a folder of its own, with more lines of configuration.
sub started_pool
{
	my ($name, @lines) = @_;
	my $folder = "$dir/$name";
	mkdir $folder or die "mkdir: $!";
	append_to_file("$folder/pgpool.conf", join '', map { "$_\n" } (
			'backend_clustering_mode = streaming_replication', "listen_addresses = ''", "pcp_listen_addresses = ''", 'port = 9999',
			# What 4.3 calls socket_dir, 4.6 calls unix_socket_directories; each ignores the other's.
			"socket_dir = '$folder'", "unix_socket_directories = '$folder'", "pcp_socket_dir = '$folder'", "wd_ipc_socket_dir = '$folder'",
			"pid_file_name = '$folder/pid'", "logdir = '$folder'", 'num_init_children = 2', 'load_balance_mode = on',
			'statement_level_load_balance = on', "sr_check_user = '$user'", "sr_check_period = 0", 'log_per_node_statement = off', @lines,
			map { my ($number, $node, $weight) = @$_;
				("backend_hostname$number = '" . $node->host . "'", "backend_port$number = " . $node->port,
					"backend_weight$number = $weight", "backend_flag$number = DISALLOW_TO_FAILOVER") } [ 0, $primary, 0 ], [ 1, $standby, 1 ]));
	append_to_file("$folder/$_", '') for qw(hba pcp);
	my $pool = $primary->background('pgpool', '-n', '-f', "$folder/pgpool.conf", '-a', "$folder/hba", '-F', "$folder/pcp");
	LuuidCluster::wait_until('the pool', sub { -e "$folder/.s.PGSQL.9999" }, $pool);
	return { %$pool, folder => $folder };
}

sub asked
{
	my ($pool, $sql) = @_;
	my (undef, $answer, $error) =
		$primary->psql('postgres', $sql, connstr => "host=$pool->{folder} port=9999 dbname=postgres user=$user");
	return $answer . $error;
}

# Which server answers.
my $pool = started_pool('plain');
my $who = q{SELECT current_setting('cluster_name')};
is(asked($pool, "$who FROM event UNION ALL $who"), 'standby', 'a read goes to the standby');
is(asked($pool, "$who WHERE luuid_floor(now()) < luuid_ceiling(now())"), 'standby', '... a boundary, too');
is(asked($pool, "$who WHERE luuid_generate() IS NOT NULL"), 'primary', 'making an id goes to the primary');
is(asked($pool, "$who WHERE luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2') IS NOT NULL"), 'primary',
	'... near another, too');

asked($pool, 'INSERT INTO event (what) SELECT n FROM generate_series(1, 100) AS n');
$primary->wait_for_catchup($standby);
is(asked($pool, q{SELECT current_setting('cluster_name'), count(*) FROM event WHERE id >= now() - interval '1 hour'}),
	'standby|100', 'rows go to the primary, and a slice of them is read from the standby');

# Consumers, while the standby is behind.
my $from = asked($pool, 'CALL luuid_wait(NULL)');
like($from, qr/^[0-9a-f-]{36}$/, 'the primary returns a horizon');
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_pause()');
asked($pool, q{INSERT INTO event (what) SELECT 'new' FROM generate_series(1, 10);
	INSERT INTO outbox (message) VALUES ('new'); INSERT INTO delivery (what) VALUES ('new')});
my $upto = asked($pool, "CALL luuid_wait('$from')");
is(asked($pool, "SELECT count(*) FROM event WHERE id >= '$from' AND id < '$upto'"), '0', 'by its value, a reader misses all new rows');
my $read = "SELECT count(*) FROM event WHERE id >= '$from' AND id < least('$upto', luuid_horizon()) HAVING luuid_horizon() IS NOT NULL";
my $deliver = q{SELECT what FROM settled_delivery WHERE what = 'new'};
for ($read, $deliver, 'SELECT luuid_horizon()')
{
	like(asked($pool, $_), qr/ERROR: .*horizon is not known during recovery/, "an error, and no row missed: $_");
}
is(asked($pool, "/*NO LOAD BALANCE*/ $read"), '10', 'with a comment, the statement reads from the primary');
is(asked($pool, "SELECT messages ->> 0 ~ 'new' FROM take_messages('$upto')"), 't', 'so does a function that is volatile, without one');
LuuidCluster::end($pool);

my ($patterns) = slurp_file("$ENV{TESTDIR}/neighbours.md") =~ /^(primary_routing_query_pattern_list = .*)$/m or die 'no patterns';
$pool = started_pool('routed', $patterns);
is(asked($pool, "$who FROM event LIMIT 1"), 'standby', 'routed by a pattern: other reads go to the standby');
is(asked($pool, $read), '10', '... a reader gets all new rows');
is(asked($pool, $deliver), 'new', '... also by a view');
like(asked($pool, 'SELECT LUUID_HORIZON()'), qr/^[0-9a-f-]{36}$/, '... in any case');

LuuidCluster::end($pool);
done_testing();
