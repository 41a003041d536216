# The counters that all backends of a server share where luuid is preloaded, and those that each has for itself where it
# is not: what is in step with what, and that no id comes twice.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $step = 198_491_317;
my $inverse = 0xba67519d;    # of the step, modulo 2^32

my $shared = LuuidCluster->started('shared', q{shared_preload_libraries = 'luuid'}, q{luuid.node = 'random'});
my $alone = LuuidCluster->started('alone', q{luuid.node = 'random'});
for my $node ($shared, $alone)
{
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE UNLOGGED TABLE made (id luuid PRIMARY KEY);
		CREATE TABLE source AS SELECT generate_series(1, 200000) AS n;
	});
	$node->safe_psql('postgres', 'VACUUM ANALYZE source');
}

# The counters of so many draws, by two sessions in turn, each in a millisecond of its own: as [window, counter] each.
sub draws
{
	my ($node, $function, $counter, $count) = @_;
	my @sessions = map { $node->background_psql('postgres') } 1 .. 2;
	my @drawn;
	for my $draw (1 .. $count)
	{
		my $answer = $sessions[ $draw % 2 ]->query_safe(qq{
			SELECT date_bin('10 minutes', luuid_extract_timestamp(id), '2000-01-01Z'), $counter
			FROM (SELECT pg_sleep(0.002), $function() AS id OFFSET 0) AS one
		});
		push @drawn, [ split /\|/, $answer ];
	}
	$_->quit for @sessions;
	return @drawn;
}

# How far each is past the one before it, modulo 2^32. Between two windows a sequential counter jumps.
sub strides
{
	my @drawn = @_;
	return map { ($drawn[$_][1] - $drawn[ $_ - 1 ][1]) % 2**32 }
	  grep { $drawn[$_][0] eq $drawn[ $_ - 1 ][0] } 1 .. $#drawn;
}

my $variable = 'luuid_extract_counter(id)';
my $sequential = '(luuid_inspect(id)).prefix';

# Scope -------------------------------------------------------------------------------------------------------------

is($shared->safe_psql('postgres', 'SELECT counter_scope FROM luuid_status()'), 'cluster', 'preloaded: counters of the cluster');
is($alone->safe_psql('postgres', 'SELECT counter_scope FROM luuid_status()'), 'backend', 'not preloaded: counters of the backend');

my @drawn = draws($shared, 'luuid_generate_variable', $variable, 20);
is_deeply([ map { ($drawn[$_][1] - $drawn[ $_ - 1 ][1]) % 2**32 } 1 .. 19 ], [ ($step) x 19 ],
	'preloaded: variable ids of two sessions are the steps of one counter');

@drawn = draws($alone, 'luuid_generate_variable', $variable, 20);
is_deeply([ grep { $_ == $step } map { ($drawn[$_][1] - $drawn[ $_ - 1 ][1]) % 2**32 } 1 .. 19 ], [],
	'not preloaded: variable ids of two sessions are steps of two counters');

my @strides = strides(draws($shared, 'luuid_generate_sequential', $sequential, 20));
cmp_ok(scalar(@strides), '>=', 18, 'preloaded: at most one window ended meanwhile');
is_deeply([ grep { $_ != 1 } @strides ], [], 'preloaded: sequential ids of two sessions are one sequence');

# Not preloaded, both sessions begin at the seed of the window, and so are in step unless one ended.
@strides = strides(draws($alone, 'luuid_generate_sequential', $sequential, 20));
is_deeply([ grep { $_ != 0 && $_ != 1 } @strides ], [], 'not preloaded: sequential ids of two sessions are two sequences from one seed');
cmp_ok(scalar(grep { $_ == 0 } @strides), '>=', 8, 'not preloaded: the two sessions draw the same blocks');

# Node and restart --------------------------------------------------------------------------------------------------

my $node_query = q{SELECT node, node_source FROM luuid_status()};
my @nodes = map { $shared->safe_psql('postgres', $node_query) } 1 .. 3;
like($nodes[0], qr/^[0-9a-f]{7}\|random$/, 'a random node');
is_deeply(\@nodes, [ ($nodes[0]) x 3 ], 'preloaded: the random node is one for all backends');
isnt($alone->safe_psql('postgres', $node_query), $alone->safe_psql('postgres', $node_query),
	'not preloaded: each backend has a random node of its own');

my $draw_one = "SELECT $variable FROM (SELECT luuid_generate_variable() AS id OFFSET 0) AS one";
my $last = $shared->safe_psql('postgres', $draw_one);
$shared->stop('immediate');
$shared->start;
my $first = $shared->safe_psql('postgres', $draw_one);
my $distance = ($first - $last) % 2**32;
# In steps: $distance × $inverse, in two parts that a 64-bit integer holds.
my $steps = (($distance * ($inverse & 0xffff)) % 2**32 + (($distance * ($inverse >> 16)) % 2**16 << 16)) % 2**32;
cmp_ok($steps, '>', 1000, 'restarted after an immediate shutdown: the counter does not go on where it was');
isnt($shared->safe_psql('postgres', $node_query), $nodes[0], 'restarted: another random node');

# No id twice -------------------------------------------------------------------------------------------------------

# Workers alone, since the leader takes no part: whoever makes ids here is a parallel worker.
my $parallel = q{
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET max_parallel_workers_per_gather = 4;
	SET parallel_leader_participation = off;
};
for my $scope ([ 'preloaded', $shared ], [ 'not preloaded', $alone ])
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
		like($answer, qr/^200000\|200000\|0\|[1-9]/, "$name: parallel workers in $mode mode make no id twice");
	}
}

# A transaction of each kind: the mode and the version change between statements, and inside one.
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

my ($clients, $transactions) = (16, 60);
for my $scope ([ 'preloaded', $shared ], [ 'not preloaded', $alone ])
{
	my ($name, $node) = @$scope;
	# A repeat is error 23505, which ends the client and fails the run.
	$node->pgbench("--no-vacuum --client=$clients --jobs=2 --transactions=$transactions",
		0, [ qr{actually processed: @{[ $clients * $transactions ]}/} ], [ qr/^$/ ],
		"$name: $clients sessions that switch modes make no id twice", \%script);
	my ($ids, $distinct) = split /\|/, $node->safe_psql('postgres', 'SELECT count(*), count(DISTINCT id) FROM made');
	is($distinct, $ids, "$name: $ids ids, all different");
}

done_testing();
