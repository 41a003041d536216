# Acknowledged rows survive a killed backend and an immediate shutdown during inserts from many connections, no id
# repeats, every index stays valid, and the server continues to generate.
# It finds faults at the moment of a crash; other tests find a wrong line.
# needs: long
use LuuidCluster;

my $dir = PostgreSQL::Test::Utils::tempdir();
my $writers = 6;
my $enough = LuuidCluster::scaled(150);

# A writer's session runs one INSERT after another, each a transaction whose id is printed after its commit.
append_to_file("$dir/insert.sql", "INSERT INTO event (writer, n) VALUES ('session', 0) RETURNING id;\n" x ($enough * 200));

my %fault = (
	'a backend killed' => sub {
		my ($node) = @_;
		$node->kill_process($node->safe_psql('postgres', q{
			SELECT pid FROM pg_stat_activity
			WHERE query ~ '^INSERT' AND pid <> pg_backend_pid()
			ORDER BY state <> 'active', random() LIMIT 1
		}));
	},
	'immediate shutdown' => sub {
		my ($node) = @_;
		$node->stop('immediate');
		$node->start;
	});

my $round = 0;
for my $scope (sort keys %LuuidCluster::scope)
{
	my $node = LuuidCluster->started("crash_$scope", @{ $LuuidCluster::scope{$scope} },
		'restart_after_crash = on', 'log_statement = none', 'max_connections = 50', 'checkpoint_timeout = 30s');
	$node->safe_psql('postgres', 'CREATE EXTENSION luuid');
	$node->create_event_table('postgres');
	my $status_query = 'SELECT node, node_source, leased, clock_steps_back FROM luuid_status()';
	my $status = $node->safe_psql('postgres', $status_query);
	like($status, $scope eq 'cluster' ? qr/\|t\|0$/ : qr/\|f\|0$/, "$scope: leases as configured");

	for my $what (('a backend killed', 'immediate shutdown') x LuuidCluster::scaled(1))
	{
		my $name = "$scope, $what";
		$round++;

		my @noted = map { "$dir/acknowledged.$round.$_" } 1 .. $writers;
		my @programs = $node->background_writers("$dir/insert.sql", @noted);

		LuuidCluster::wait_until('the writers', sub { !grep { LuuidCluster::lines($_) < $enough } @noted }, @programs);
		is(scalar(grep { !$_->{run}->pumpable } @programs), 0, "$name: all are running");
		$fault{$what}->($node);
		$_->{run}->finish for @programs;
		is(scalar(grep { $_->{run}->result == 0 } @programs), 0, "$name: every one lost its connection");
		is(join('', grep { /duplicate key/ } map { $_->{err} } @programs), '', "$name: no duplicate key");

		# Acknowledged ids, of this round and those before it.
		$node->safe_psql('postgres', 'CREATE TABLE IF NOT EXISTS acknowledged (id luuid);'
				. join('', map { "COPY acknowledged FROM '$_';" } @noted));
		my ($acknowledged, $missing) = split /\|/, $node->safe_psql('postgres', q{
			SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT FROM event AS e WHERE e.id = a.id))
			FROM acknowledged AS a
		});
		ok($missing == 0 && $acknowledged >= $enough * $writers, "$name: $acknowledged acknowledged ids are present")
			or diag "$missing of $acknowledged are missing";

		# What is there now.
		$node->check_no_repeat('postgres', 'SELECT id FROM event UNION ALL SELECT plain FROM event', 2 * $enough * $writers, $name);
		$node->check_indexes('postgres', $name);

		# What comes next.
		is($node->safe_psql('postgres', q{
				SELECT max(id) AS last FROM event \gset
				INSERT INTO event (writer, n) SELECT 'after', n FROM generate_series(1, 1000) AS n;
				SELECT count(*) FROM event WHERE id > :'last';
			}), '1000', "$name: continues to generate, later than before");
		is($node->safe_psql('postgres', $status_query), $status, "$name: with the same node, and leases as before");
	}
	$node->stop;
}

# A damaged index -------------------------------------------------------------------------------------------------------

# The planner reads an index to count the rows after the statistics. The documented workaround for a damaged index
# works.
my $node = LuuidCluster->started('damaged');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE damaged (id luuid PRIMARY KEY) WITH (autovacuum_enabled = off);
	INSERT INTO damaged SELECT luuid_generate(now() - n * interval '1 minute') FROM generate_series(1000, 2000) AS n;
	ANALYZE damaged;
	INSERT INTO damaged SELECT luuid_generate(now() - n * interval '1 minute') FROM generate_series(1, 500) AS n;
	CHECKPOINT;
});
my $leaves = $node->data_dir . '/' . $node->safe_psql('postgres', q{SELECT pg_relation_filepath('damaged_pkey')});
$node->stop;
open my $file, '+<:raw', $leaves or die "$leaves: $!";
# All pages but the one that locates the root.
seek $file, 8192, 0;
print $file "\0" x ((-s $leaves) - 8192);
close $file;
$node->start;
my $newest = q{SET enable_indexscan = off; SET enable_indexonlyscan = off; SET enable_bitmapscan = off;
	SELECT count(*) FROM damaged WHERE id >= now() - interval '100 minutes'};
like($node->error_of('postgres', $newest), qr/XX002: index "damaged_pkey" contains unexpected zero page/, 'a damaged index fails the planning');
$node->safe_psql('postgres', q{UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'damaged_pkey'::regclass});
like($node->safe_psql('postgres', $newest), qr/^(99|100)$/, '... but not if it is marked invalid');
$node->safe_psql('postgres', 'REINDEX INDEX damaged_pkey');
is($node->safe_psql('postgres', q{SELECT indisvalid FROM pg_index WHERE indexrelid = 'damaged_pkey'::regclass}), 't',
	'... and is valid once it is rebuilt');
like($node->safe_psql('postgres', "$newest; EXPLAIN SELECT FROM damaged WHERE id >= now() - interval '100 minutes'"),
	qr/^(99|100)\n/, '... and after REINDEX the planner uses it again');

done_testing();
