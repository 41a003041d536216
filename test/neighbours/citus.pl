# Citus over two workers: rows are placed by the first bits of their ids and found on one shard, and shards
# split. The limits are those of doc/scaling.md. Citus is not in Debian: this runs where the server has it.
use LuuidCluster;

LuuidCluster::needs('Citus', 'citus.so', 'citus.control');
my @nodes = LuuidCluster->started_citus(q{shared_preload_libraries = 'citus, luuid'});
LuuidCluster::join_citus('postgres', @nodes);
my ($coordinator, @workers) = @nodes;

sub ask { return $coordinator->safe_psql('postgres', @_) }

sub error { my (undef, undef, $error) = $coordinator->psql('postgres', @_); return $error }

# How many shards a query asks.
sub tasks
{
	my ($query) = @_;
	my ($tasks) = ask("EXPLAIN (COSTS OFF) $query") =~ /Task Count: (\d+)/;
	return $tasks;
}

my (undef, $distribute) = LuuidCluster::documented('scaling.md', 'Citus');

# Placement ---------------------------------------------------------------------------------------------------------

ask("CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text NOT NULL); $distribute");
ask(q{INSERT INTO event (what) SELECT 'variable' FROM generate_series(1, 32000)});
my $by_shard = q{
	SELECT min(result::int), max(result::int), count(*)
	FROM run_command_on_shards('event', 'SELECT count(*) FROM %s')
};
is(ask($by_shard), '1000|1000|32', 'variable ids: as many on each shard');
is(ask(q{
		SELECT count(*) FROM (SELECT id FROM event ORDER BY id LIMIT 1000) AS early
		WHERE luuid_shard(id, 32) <> (
			SELECT count(*) FROM pg_dist_shard
			WHERE logicalrelid = 'event'::regclass AND shardmaxvalue::bigint < luuid_hash(id))
	}), 0, 'shards are in the order of luuid_shard');
# Of the windows that there can be, a few in a million have their first 1000 ids on two shards.
is(ask(q{
		SELECT max(shards) FROM (
			SELECT count(DISTINCT get_shard_id_for_distribution_column('event', id)) AS shards
			FROM (SELECT luuid_generate_sequential() AS id FROM generate_series(1, 1000)) AS made
			GROUP BY date_bin('10 minutes', luuid_extract_timestamp(id), '2000-01-01Z')
		) AS of_one_window
	}), 1, 'sequential ids of a window are on one shard');

# Queries -----------------------------------------------------------------------------------------------------------

my $id = ask('SELECT id FROM event ORDER BY id OFFSET 500 LIMIT 1');
for my $parameter ("'$id'", "uuid '$id'")
{
	is(tasks("SELECT * FROM event WHERE id = $parameter"), 1, 'a row is asked of one shard');
	is(ask("SELECT id FROM event WHERE id = $parameter"), $id, '... and found');
}
my $slice = q{SELECT count(*) FROM event WHERE id >= now() - interval '1 hour'};
is(tasks($slice), 32, 'a slice of time is asked of all');
is(ask($slice), 32000, '... and answered');
is(ask('SELECT max(id), min(id) FROM event'),
	ask('SELECT (SELECT id FROM event ORDER BY id DESC LIMIT 1), (SELECT id FROM event ORDER BY id LIMIT 1)'),
	'max and min');
like(ask('EXPLAIN (COSTS OFF) SELECT max(id) FROM event'), qr/Seq Scan/, 'max reads the shards');
like(ask('EXPLAIN (COSTS OFF) SELECT id FROM event ORDER BY id DESC LIMIT 1'), qr/Index Only Scan Backward/,
	'... and the last of an order their indexes');

# Comparisons of the cast ---------------------------------------------------------------------------------------------

ask(q{
	CREATE TABLE dated (id luuid PRIMARY KEY, at timestamptz);
	SELECT create_distributed_table('dated', 'id', shard_count => 4, colocate_with => 'none');
	INSERT INTO dated SELECT luuid_generate(at), at FROM generate_series(timestamptz '2026-01-01Z', '2026-03-01Z', '1 h') AS at;
	INSERT INTO dated VALUES ('00000000-0000-0000-0000-000000000000', 'infinity'), (gen_random_uuid(), 'infinity');
	CREATE TABLE dated_by_time (id luuid, at timestamptz);
	SELECT create_distributed_table('dated_by_time', 'at', shard_count => 4, colocate_with => 'none');
	INSERT INTO dated_by_time SELECT * FROM dated;
	CREATE TABLE dated_everywhere (id luuid PRIMARY KEY, at timestamptz);
	SELECT create_reference_table('dated_everywhere');
	INSERT INTO dated_everywhere SELECT * FROM dated;
});
my $dated = ask(q{SELECT id FROM dated WHERE at = '2026-02-03 12:00Z'});
for my $table (qw(dated dated_by_time dated_everywhere))
{
	for my $condition (
		q{id::timestamptz >= '2026-02-03Z'},
		q{id::date = '2026-02-03'},
		q{id::date = '2026-02-03' OR id::timestamptz < '2026-01-03Z'},
		q{id::date IN ('2026-02-03', '2026-02-05') AND at <> '2026-02-03 12:00Z'},
		"id = '$dated' AND id::date = '2026-02-03'",
		q{id::date = '2026-02-03' AND at = '2026-02-03 12:00Z'},
		q{id::date = (SELECT max(id::date) FROM dated WHERE id::timestamptz < '2026-02-03Z')},
		q{id IN (SELECT id FROM dated WHERE id::date = '2026-02-03' ORDER BY id LIMIT 3)},
		q{EXISTS (SELECT FROM dated_everywhere AS d WHERE t.id::timestamptz >= d.id::timestamptz AND d.id::date = '2026-02-03')})
	{
		my $query = "SELECT count(*), min(at), max(at) FROM $table AS t WHERE $condition";
		my $asked = ask("EXPLAIN (VERBOSE, COSTS OFF) $query");
		my @queries = $asked =~ /Query: (.*)/g;
		isnt(scalar @queries, 0, "$table, $condition: workers are asked");
		unlike("@queries", qr/luuid_(?:local_bound|floor|ceiling)|id OPERATOR\(pg_catalog\.[<>]/, '... what was written, without its bounds');
		is(ask($query), ask("SELECT count(*), min(at), max(at) FROM (SELECT * FROM $table OFFSET 0) AS t WHERE $condition"), '... and find each row');
	}
}
my ($plan) = ask(q{EXPLAIN (COSTS OFF) SELECT count(*) FROM dated WHERE id::date = '2026-02-03'});
like($plan, qr/Index Cond: \(\(id >= luuid_local_bound\([^()]*\)\) AND \(id <= luuid_local_bound\([^()]*\)\)\)$/m,
	q{a shard's index has the worker's bounds, once});

# Children ----------------------------------------------------------------------------------------------------------

ask(q{
	CREATE TABLE item (
		id luuid DEFAULT luuid_generate(), event_id luuid REFERENCES event, what text, PRIMARY KEY (event_id, id)
	);
	SELECT create_distributed_table('item', 'event_id', colocate_with => 'event');
	INSERT INTO item (event_id, what) SELECT id, what FROM event ORDER BY id LIMIT 100;
});
my $join = 'SELECT count(*) FROM event JOIN item ON event.id = event_id';
is(ask($join), 100, 'a colocated child joins with its parent');
is(tasks("$join WHERE event.id = '$id'"), 1, '... on one shard where the parent is given');
for my $type ('uuid', 'of_domain')
{
	ask("CREATE DOMAIN of_domain AS luuid") if $type eq 'of_domain';
	ask("CREATE TABLE item_$type (id luuid, event_id $type)");
	like(error("SELECT create_distributed_table('item_$type', 'event_id', colocate_with => 'event')"),
		qr/Distribution column types don't match/, "a child by $type does not colocate");
	ask("SELECT create_distributed_table('item_$type', 'event_id', colocate_with => 'none')");
	like(error("SELECT count(*) FROM event JOIN item_$type ON event.id = event_id"),
		qr/complex joins are only supported/, '... nor join');
}

# Defaults ----------------------------------------------------------------------------------------------------------

# On how many shards the rows are that a statement copies.
sub copied { return ask("TRUNCATE copy; $_[0]; SELECT count(DISTINCT luuid_shard(id, 32)) FROM copy") }
ask(q{
	CREATE TABLE copy (LIKE event INCLUDING ALL);
	SELECT create_distributed_table('copy', 'id', colocate_with => 'none');
});
is(copied(q{SET luuid.mode = sequential; INSERT INTO copy (what) SELECT what FROM event}), 32,
	q{INSERT ... SELECT: the workers make the ids, and do not know the session's mode});
# Where a window ends meanwhile, on two shards.
cmp_ok(copied(q{INSERT INTO copy SELECT luuid_generate_sequential(), what FROM event}), '<=', 2,
	'... the function of the mode tells them');
ask('ALTER DATABASE postgres SET luuid.mode = sequential');
cmp_ok(copied(q{INSERT INTO copy (what) SELECT what FROM event}), '<=', 2, "... as does the database's mode");
ask('ALTER DATABASE postgres RESET luuid.mode');

# Time --------------------------------------------------------------------------------------------------------------

ask(q{
	CREATE TABLE reading (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE reading_2026_11 PARTITION OF reading
		FOR VALUES FROM (luuid_floor(timestamptz '2026-11-01Z')) TO (luuid_floor(timestamptz '2026-12-01Z'));
});
like(error(q{SELECT create_time_partitions('reading', '1 month', now() + interval '3 months')}),
	qr/type of the partition column of the table reading must be date, timestamp or timestamptz/,
	'time partitions are not made');
is(ask('SELECT from_value::luuid::timestamptz, to_value::luuid::timestamptz FROM time_partitions'),
	'2026-11-01 00:00:00+00|2026-12-01 00:00:00+00', '... but listed, with their times');

# Following the table -----------------------------------------------------------------------------------------------

# An earlier id that is not committed while a later one is. The workers know nothing of the coordinator's transactions.
my $writer = $coordinator->background_psql('postgres');
ask('CREATE TABLE followed (LIKE event INCLUDING ALL)');
ask(q{SELECT create_distributed_table('followed', 'id', colocate_with => 'none')});
$writer->query_safe(q{BEGIN; INSERT INTO followed (what) VALUES ('early')});
ask(q{INSERT INTO followed (what) VALUES ('late'); SELECT pg_sleep(0.01)});
my $settled = q{SELECT string_agg(what, ' ' ORDER BY id) FROM followed WHERE id < };
my $asked_before = "SELECT luuid_horizon() AS upto \\gset\n$settled :'upto'";
is(ask("$settled (SELECT luuid_horizon())"), '', 'a sub-select asks the coordinator for the horizon: nothing is settled');
is(ask($asked_before), '', '... as does a statement before');
like($coordinator->error_of('postgres', "$settled luuid_horizon()"), qr/55000: /, '... which a worker refuses to answer');
$writer->query_safe('COMMIT');
$writer->quit;
ask('SELECT pg_sleep(0.01)');
is(ask("$settled (SELECT luuid_horizon())"), 'early late', 'both are settled once the earlier has ended');
is(ask($asked_before), 'early late', '... by a statement before, too');

# Splits, columns --------------------------------------------------------------------------------------------

my $rows = q{SELECT count(*), md5(string_agg(e::text, ' ' ORDER BY id)) FROM event AS e};
my $before = ask($rows);
ask(q{
	SELECT citus_split_shard_by_split_points(
		shardid, ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text], ARRAY[nodeid, nodeid], 'force_logical')
	FROM (SELECT * FROM pg_dist_shard WHERE logicalrelid = 'event'::regclass ORDER BY shardid LIMIT 1) AS shard
		NATURAL JOIN pg_dist_placement NATURAL JOIN pg_dist_node
});
is(ask($by_shard), '500|1000|33', 'a shard is split into halves');
is(ask($rows), $before, 'every row is as it was');
is(ask("SELECT id FROM event WHERE id = '$id'"), $id, '... and is found');
is(ask($join), 100, '... beside its children');

ask(q{
	CREATE EXTENSION citus_columnar;
	CREATE TABLE archive (id luuid, at timestamptz) USING columnar;
	INSERT INTO archive
	SELECT luuid_generate(at), at FROM generate_series(timestamptz '2026-01-01Z', '2026-03-31Z', '1 min') AS at;
});
my $day = q{SELECT count(*) FROM archive WHERE id >= timestamptz '2026-02-03Z' AND id < timestamptz '2026-02-04Z'};
is(ask($day), 1440, 'a slice of a columnar table');
like(ask("EXPLAIN (COSTS OFF, ANALYZE, TIMING OFF, SUMMARY OFF) $day"),
	qr/Columnar Chunk Groups Removed by Filter: [1-9]/, '... skips the chunks of other times');

# Order -------------------------------------------------------------------------------------------------------------

$coordinator->stop;
$coordinator->append_conf('postgresql.conf', q{shared_preload_libraries = 'luuid, citus'});
is($coordinator->start(fail_ok => 1), 0, 'with luuid first, the server does not start');
like(PostgreSQL::Test::Utils::slurp_file($coordinator->logfile), qr/Citus has to be loaded first/, '... and says why');

done_testing();
