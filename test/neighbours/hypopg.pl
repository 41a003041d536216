# HypoPG shows what an index on ids would be used for, before it is built.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-hypopg', 'hypopg.so');
my $node = LuuidCluster->started('hypopg', 'jit = off');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION hypopg;
	CREATE TABLE event (id luuid, legacy uuid);
	INSERT INTO event SELECT id, id FROM (
		SELECT luuid_generate(at) AS id FROM generate_series(timestamptz '2026-01-01Z', '2026-01-14Z', '1 min') AS at
	) AS made;
	ANALYZE event;
});

for my $case (
	[ 'event (id)', "id >= timestamptz '2026-01-13Z' AND id < timestamptz '2026-01-14Z'", 'btree' ],
	[ 'event (legacy uuid_time_ops)', "legacy <@ tstzrange('2026-01-13Z', '2026-01-14Z')", 'btree' ],
	[ 'event (id luuid_byte_ops)', "id ~<~ luuid_shard_floor(1, 256)", 'btree' ],
	[ 'event USING brin (id) WITH (pages_per_range = 1)', "id >= timestamptz '2026-01-13Z'", 'brin' ],
	[ 'event USING hash (id)', "id = '20be0ffc-314a-bd53-7a50-013a65ca76d2'", 'hash' ])
{
	my ($index, $condition, $method) = @$case;
	my $plan = "EXPLAIN SELECT * FROM event WHERE $condition";
	my @plans = split /--\n/, $node->safe_psql('postgres', qq{
		$plan;
		\\echo --
		SELECT FROM hypopg_create_index('CREATE INDEX ON $index');
		$plan;
	});
	like($plans[0], qr/Seq Scan/, "$index: without it the table is read");
	like($plans[1], qr/Index (Only )?Scan (using|on) "?<\d+>${method}_event_/, '... with it, it is used');
}

done_testing();
