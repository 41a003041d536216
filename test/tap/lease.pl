# Leases of the process field if luuid is preloaded, and the behavior without: each backend has one, short sessions
# spread as evenly as a long one, and parallel workers repeat no id. same_pid.pl tests backends that start and end.
# needs: release
use LuuidCluster;

my $stride = 198_491_317 * 0x9e3779b9 % 2**32;    # from the first id of a session to that of the next

my $preloaded = LuuidCluster->started('preloaded', q{shared_preload_libraries = 'luuid'}, q{luuid.node = 'random'},
	'log_statement = none', 'log_connections = off', 'log_disconnections = off');
my $alone = LuuidCluster->started('alone', q{luuid.node = 'random'}, 'log_statement = none');
for my $node ($preloaded, $alone)
{
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE TABLE source AS SELECT generate_series(1, 50000) AS n;
	});
	$node->safe_psql('postgres', 'VACUUM ANALYZE source');
}

# The process field -------------------------------------------------------------------------------------------------

my $status = q{
	SELECT leased, pid = pg_backend_pid() % 65536, pid = luuid_extract_pid(luuid_generate()) FROM luuid_status()
};
is($preloaded->safe_psql('postgres', $status), 't|t|t', 'preloaded: a lease of the value of the process id');
is($alone->safe_psql('postgres', $status), 'f|t|t', 'not preloaded: the same without a lease');

my $draw_one = 'SELECT luuid_extract_counter(luuid_generate_variable())';
sub stride
{
	my ($node) = @_;
	my @counters = map { $node->safe_psql('postgres', $draw_one) } 1 .. 2;
	return ($counters[1] - $counters[0]) % 2**32;
}
is(stride($preloaded), $stride, 'preloaded: two sessions start one stride apart');
isnt(stride($alone), $stride, 'not preloaded: two sessions start at random');

my $sessions = LuuidCluster::scaled(640);
$preloaded->safe_psql('postgres', 'CREATE UNLOGGED TABLE first (id luuid)');
$preloaded->pgbench("--no-vacuum --connect --client=4 --transactions=@{[ $sessions / 4 ]}",
	0, [qr{actually processed: $sessions/}], [qr/^$/], "$sessions sessions of one id each",
	{ 'one' => 'INSERT INTO first VALUES (luuid_generate());' });
my ($fullest, $mean) = split /\|/, $preloaded->safe_psql('postgres', q{
	SELECT max(n), avg(n) FROM (SELECT count(*) AS n FROM first GROUP BY luuid_shard(id, 64)) AS shard
});
cmp_ok($fullest, '<=', $mean * 1.02 + 1, "preloaded: of 64 shards the fullest has $fullest ids, the mean is $mean");

# Node and restart --------------------------------------------------------------------------------------------------

my $node_query = q{SELECT node, node_source FROM luuid_status()};
my @nodes = map { $preloaded->safe_psql('postgres', $node_query) } 1 .. 3;
like($nodes[0], qr/^[0-9a-f]{7}\|random$/, 'a random node');
is_deeply(\@nodes, [ ($nodes[0]) x 3 ], 'preloaded: all backends have the same random node');
isnt($alone->safe_psql('postgres', $node_query), $alone->safe_psql('postgres', $node_query),
	'not preloaded: each backend has a random node of its own');

$preloaded->stop('immediate');
$preloaded->start;
isnt($preloaded->safe_psql('postgres', $node_query), $nodes[0], 'restarted: another random node');

# No id twice -------------------------------------------------------------------------------------------------------

# The leader does not participate, so only parallel workers generate these ids.
my $parallel = q{
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 4;
	SET parallel_leader_participation = off;
};
for my $scope ([ 'preloaded', $preloaded ], [ 'not preloaded', $alone ])
{
	my ($name, $node) = @$scope;
	for my $mode (qw(variable sequential))
	{
		my $answer = $node->safe_psql('postgres', qq{
			$parallel
			SET luuid.mode = $mode;
			CREATE TEMP TABLE made_in_parallel AS SELECT luuid_generate() AS id FROM source;
			SELECT count(*), count(DISTINCT id),
				count(*) FILTER (WHERE luuid_extract_pid(id) = pg_backend_pid() % 65536) AS leader,
				count(DISTINCT luuid_extract_pid(id)) AS workers
			FROM made_in_parallel;
		});
		note "$name, $mode: $answer";
		like($answer, qr/^50000\|50000\|0\|[1-9]/, "$name: parallel workers in $mode mode generate distinct ids");
	}
}

done_testing();
