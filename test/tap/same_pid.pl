# Backends whose process ids are all equal modulo 65 536, so that only leases keep them apart: 64 concurrent ones that
# stay, others that come and go, every generator, both modes and versions; and after kill -9, which ends all leases.
# Without leases ids repeat. It finds faults that need an order of events in several processes; other tests find a wrong line.
# needs: release
use LuuidCluster;

LuuidCluster::own_stage_of_one_pid();

# Sessions that stay generate many ids of a kind. Those that come and go change the kind with each id, so that many of
# them end some milliseconds ahead of the clock.
my $dir = PostgreSQL::Test::Utils::tempdir();
my $neighbour = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
my $settings = q{
	\set mode random(1, 2)
	\set version random(1, 2)
	\set shards random(1, 65536)
	\set shard random(0, :shards - 1)
	SELECT set_config('luuid.mode', ('{variable,sequential}'::text[])[:mode], false),
		set_config('luuid.version', ('{b,8}'::text[])[:version], false);
};
append_to_file("$dir/stay.sql", qq{$settings
	\\set bits random(0, 24)
	INSERT INTO made SELECT luuid_generate() FROM generate_series(1, 200);
	INSERT INTO made SELECT luuid_generate_near('$neighbour', :bits) FROM generate_series(1, 100);
	INSERT INTO made SELECT luuid_generate_in_shard(:shard, :shards) FROM generate_series(1, 100);
});
append_to_file("$dir/come_and_go.sql", qq{$settings
	\\set bits random(0, 32)
	INSERT INTO made
	SELECT CASE n % 6
		WHEN 0 THEN luuid_generate_variable() WHEN 1 THEN luuid_generate_sequential() WHEN 2 THEN luuid_generate_v1()
		WHEN 3 THEN luuid_generate_near('$neighbour', :bits) WHEN 4 THEN luuid_generate_in_shard(:shard, :shards)
		ELSE luuid_generate_v7() END
	FROM generate_series(1, 60) AS n;
});

# Generates this many more ids, and then kills a backend, upon which the server ends all sessions.
sub make_ids
{
	my ($node, $ids) = @_;
	my @pgbench = ('pgbench', '--no-vacuum', '--time=6000');
	# The rate leaves half of the time to the other sessions.
	my @programs = (
		$node->background(@pgbench, '--client=64', '--rate=200', "--file=$dir/stay.sql", $node->connstr('postgres')),
		$node->background(@pgbench, '--client=16', '--connect', "--file=$dir/come_and_go.sql", $node->connstr('postgres')));
	# Counted since the server's last start, which a kill is to the statistics, and a second late.
	my $enough = "SELECT n_tup_ins >= $ids FROM pg_stat_user_tables WHERE relname = 'made'";
	LuuidCluster::wait_until('the sessions', sub { $node->safe_psql('postgres', $enough) eq 't' }, @programs);

	$node->kill_process($node->safe_psql('postgres', q{
		SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
		ORDER BY backend_start LIMIT 1
	}));
	# One that was not connected at that moment would go on.
	LuuidCluster::end(@programs);
	is(join('', map { $_->{err} =~ /^.*ERROR:.*\n/gm } @programs), '', 'no session had an error before it was ended');
	return;
}

sub summary
{
	my ($node) = @_;
	return split /\|/, $node->safe_psql('postgres', q{
		SELECT count(*), count(DISTINCT id), count(DISTINCT luuid_extract_pid(id)), max(luuid_extract_pid(id)) FROM made
	});
}

my %node;
for my $scope ([ 'preloaded', 'same_pid, luuid' ], [ 'not preloaded', 'same_pid' ])
{
	my ($name, $libraries) = @$scope;
	# The bitcode has the server's own name.
	$node{$name} = LuuidCluster->started($name =~ tr/ /_/r, "shared_preload_libraries = '$libraries'", 'jit = off',
		'restart_after_crash = on', 'log_statement = none', 'log_connections = off', 'log_disconnections = off',
		'autovacuum = off', 'max_connections = 100', 'luuid.max_ahead = 0');
	$node{$name}->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE made (id luuid)');
}

# A kill ends the leases, but their used milliseconds remain: sessions that start right after it generate no id for a
# millisecond that another reached ahead of the clock.
my ($kills, $at_least) = (LuuidCluster::scaled(2), 80_000);
make_ids($node{preloaded}, $at_least) for 1 .. $kills;
my ($ids, $distinct, $fields, $highest) = summary($node{preloaded});
cmp_ok($ids, '>=', $kills * $at_least, 'preloaded: the ids were generated');
is($distinct, $ids, "preloaded: $ids ids before and after $kills kills, all different");
cmp_ok($fields, '>=', 64, "preloaded: $fields process fields were leased");
is($highest, 4242, 'preloaded: the highest is the one that all wanted');

make_ids($node{'not preloaded'}, 30_000);
($ids, $distinct, $fields, $highest) = summary($node{'not preloaded'});
is("$fields $highest", '1 4242', 'not preloaded: all have one process field');
cmp_ok($distinct, '<', $ids, "not preloaded: $ids ids, of which $distinct differ");

done_testing();
