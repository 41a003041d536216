# Pgpool-II sends statements that generate ids to the primary, since their functions are volatile, and statements that read ids
# to a standby.
use LuuidCluster;

LuuidCluster::needs('pgpool2', 'pgpool');
my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $primary = LuuidCluster->started('primary', 'wal_level = replica', 'max_wal_senders = 4', 'hot_standby = on');
my $standby = $primary->started_standby('standby');
$primary->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
});
$primary->wait_for_catchup($standby);

my $user = getpwuid($<);
append_to_file("$dir/pgpool.conf", join '', map { "$_\n" } (
	'backend_clustering_mode = streaming_replication', "listen_addresses = ''", "pcp_listen_addresses = ''", 'port = 9999',
	# What 4.3 calls socket_dir, 4.6 calls unix_socket_directories; each ignores the other's.
	"socket_dir = '$dir'", "unix_socket_directories = '$dir'", "pcp_socket_dir = '$dir'", "wd_ipc_socket_dir = '$dir'",
	"pid_file_name = '$dir/pid'", "logdir = '$dir'", 'num_init_children = 2', 'load_balance_mode = on', 'statement_level_load_balance = on',
	"sr_check_user = '$user'", "sr_check_period = 0", 'log_per_node_statement = off',
	map { my ($number, $node, $weight) = @$_;
		("backend_hostname$number = '" . $node->host . "'", "backend_port$number = " . $node->port,
			"backend_weight$number = $weight", "backend_flag$number = DISALLOW_TO_FAILOVER") } [ 0, $primary, 0 ], [ 1, $standby, 1 ]));
append_to_file("$dir/$_", '') for qw(hba pcp);
my $pool = $primary->background('pgpool', '-n', '-f', "$dir/pgpool.conf", '-a', "$dir/hba", '-F', "$dir/pcp");
LuuidCluster::wait_until('the pool', sub { -e "$dir/.s.PGSQL.9999" }, $pool);

sub asked
{
	my ($sql) = @_;
	my (undef, $answer, $error) =
	  $primary->psql('postgres', $sql, connstr => "host=$dir port=9999 dbname=postgres user=$user");
	return $answer . $error;
}

# Which server answers.
my $who = q{SELECT current_setting('cluster_name')};
is(asked("$who FROM event UNION ALL $who"), 'standby', 'a read goes to the standby');
is(asked("$who WHERE luuid_floor(now()) < luuid_ceiling(now())"), 'standby', '... a boundary, too');
is(asked("$who WHERE luuid_generate() IS NOT NULL"), 'primary', 'making an id goes to the primary');
is(asked("$who WHERE luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2') IS NOT NULL"), 'primary',
	'... near another, too');

asked('INSERT INTO event (what) SELECT n FROM generate_series(1, 100) AS n');
$primary->wait_for_catchup($standby);
is( asked(q{SELECT current_setting('cluster_name'), count(*) FROM event WHERE id >= now() - interval '1 hour'}),
	'standby|100', 'rows go to the primary, and a slice of them is read from the standby');

LuuidCluster::end($pool);
done_testing();
