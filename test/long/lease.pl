# Leases of the process field if luuid is preloaded, and the behavior without: each backend has one, short sessions
# spread as evenly as a long one, and no id repeats while backends start and end.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $stride = 198_491_317 * 0x9e3779b9 % 2**32;    # from the first id of a session to that of the next

my $preloaded = LuuidCluster->started('preloaded', q{shared_preload_libraries = 'luuid'}, q{luuid.node = 'random'},
	'log_statement = none', 'log_connections = off', 'log_disconnections = off',
	'max_connections = 100');
my $alone = LuuidCluster->started('alone', q{luuid.node = 'random'}, 'log_statement = none');
for my $node ($preloaded, $alone)
{
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE TABLE made (id luuid PRIMARY KEY);
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
	0, [ qr{actually processed: $sessions/} ], [ qr/^$/ ], "$sessions sessions of one id each",
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

# One transaction of each kind: the mode and the version change between statements, and within one.
my %script = (
	'made@4' => q{
		SET luuid.mode = variable;
		INSERT INTO made SELECT luuid_generate() FROM generate_series(1, 1000);
		SET luuid.mode = sequential;
		INSERT INTO made SELECT luuid_generate() FROM generate_series(1, 1000);
	},
	'mixed@1' => q{
		SET luuid.version = 8;
		INSERT INTO made
		SELECT CASE n % 2 WHEN 0 THEN luuid_generate_variable() ELSE luuid_generate_sequential() END
		FROM generate_series(1, 20) AS n;
		SET luuid.version = b;
		INSERT INTO made
		SELECT CASE n % 2 WHEN 0 THEN luuid_generate_in_shard(n % 7, 7) ELSE luuid_generate_near(luuid_shard_floor(3, 8)) END
		FROM generate_series(1, 200) AS n;
	});

# Named files, since pgbench reads each script from a file.
sub named
{
	my ($of) = @_;
	return map { ("$of $_" =~ tr/ /_/r => $script{$_}) } keys %script;
}

my ($clients, $transactions) = (16, LuuidCluster::scaled(5));
for my $scope ([ 'preloaded', $preloaded ], [ 'not preloaded', $alone ])
{
	my ($name, $node) = @$scope;
	# A repeat is error 23505, which ends the client and fails the run.
	$node->pgbench("--no-vacuum --client=$clients --jobs=2 --transactions=$transactions",
		0, [ qr{actually processed: @{[ $clients * $transactions ]}/} ], [ qr/^$/ ],
		"$name: $clients sessions that switch modes generate distinct ids", { named($name) });
}

# Sessions of one transaction each, which may end ahead of the clock.
$script{'ahead@1'} = q{
	INSERT INTO made
	SELECT luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 24 + n % 9) FROM generate_series(1, 50) AS n;
};
$preloaded->pgbench("--no-vacuum --connect --client=64 --transactions=@{[ LuuidCluster::scaled(3) ]}",
	0, [qr/actually processed/], [ qr/^$/ ], 'preloaded: sessions that come and go make no id twice', { named('come and go') });
for my $scope ([ 'preloaded', $preloaded ], [ 'not preloaded', $alone ])
{
	my ($name, $node) = @$scope;
	my ($ids, $distinct) = split /\|/, $node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM made');
	cmp_ok($ids, '>', 0, "$name: $ids ids");
	is($distinct, $ids, "$name: $ids ids, all different");
}

done_testing();
