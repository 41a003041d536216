# What luuid_horizon(), luuid_in_flight() and luuid_status() answer in a server where one thing happens at a time.
# needs: long, pg18
use LuuidCluster;

my ($alone, $node) = LuuidCluster->started_both('max_prepared_transactions = 5', 'autovacuum = off', 'jit = off');
sub query { my ($query) = @_; return $node->safe_psql('postgres', $query) }

my $session = $node->background_psql('postgres');
my $pid = $session->query_safe('SELECT pg_backend_pid()');
my $insert = q{INSERT INTO event VALUES (DEFAULT, 'of the session');};
my $settled = 'SELECT count(*) FROM event WHERE id < luuid_horizon()';

# Of what is in flight: who, and whether it holds the horizon back.
my $in_flight = q{
	SELECT coalesce(pid::text, 'prepared'), datname = 'postgres', since < clock_timestamp() AND age > '0', luuid_horizon() = luuid_floor(since)
	FROM luuid_in_flight()
};

# Where it is not to be had ------------------------------------------------------------------------------------------

for my $call ('luuid_horizon()', '* FROM luuid_in_flight()')
{
	like($alone->error_of('postgres', "SELECT $call"),
		qr/ERROR:  55000: luuid must be loaded via "shared_preload_libraries".*^HINT:  Add luuid to .* luuid\.settle\(\)/ms, "not preloaded: $call");
}
is($alone->safe_psql('postgres', 'SELECT horizon_lag, horizon_steps_back FROM luuid_status()'), '|',
	'not preloaded: luuid_status() knows nothing of a horizon');

# What holds it back -------------------------------------------------------------------------------------------------

is(query($in_flight), '', 'nothing is in flight');
$session->query_safe("BEGIN; $insert");
is(query($in_flight), "$pid|t|t|t", 'a transaction that made an id');
query('INSERT INTO event DEFAULT VALUES');
is(query($settled), '0', 'what was made after it is not settled');
is($session->query_safe($settled), '0', 'not for itself either');
is(query(q{SELECT pg_sleep(0.1); SELECT horizon_lag >= '0.1 s' FROM luuid_status()}), "\nt", 'the horizon lags behind the clock');
$session->query_safe('COMMIT');
query('SELECT pg_sleep(0.002)');
is(query($settled), '2', 'both are, once it has ended');
is(query($in_flight), '', 'and nothing is in flight');

like(query(q{
	BEGIN;
	DO $$ BEGIN FOR i IN 1 .. 10000 LOOP PERFORM luuid_horizon(); END LOOP; END $$;
	SELECT used_bytes FROM pg_backend_memory_contexts WHERE name = 'TopTransactionContext';
}), qr/^\d{1,5}$/, 'a transaction of many statements that ask keeps the memory of the last one alone');

for my $made (
	'luuid_generate_v1()', 'luuid_generate_v7()', 'luuid_generate_near(luuid_generate_v7())', 'luuid_generate_in_shard(0, 1)',
	'luuid_generate_variable()', 'luuid_generate_sequential()')
{
	$session->query_safe("BEGIN; SELECT $made;");
	is(query($in_flight), "$pid|t|t|t", "$made");
	$session->query_safe('ROLLBACK');
	is(query($in_flight), '', "$made, rolled back");
}

$session->query_safe("BEGIN; SAVEPOINT s; $insert; ROLLBACK TO s");
is(query($in_flight), "$pid|t|t|t", 'in a savepoint that was rolled back');
$session->query_safe('COMMIT');

$session->query_safe(q{
	BEGIN;
	CREATE TABLE source AS SELECT generate_series(1, 1000) AS n;
	ALTER TABLE source SET (parallel_workers = 2);
	COMMIT;
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	BEGIN;
	CREATE TABLE made AS SELECT luuid_generate() AS id FROM source;
});
is(query($in_flight), "$pid|t|t|t", 'by parallel workers alone');
isnt($session->query_safe('SELECT string_agg(DISTINCT luuid_extract_pid(id)::text, $$ $$) FROM made'), $pid % 65536,
	'which the leader did not help');
$session->query_safe('COMMIT');
is(query($in_flight), '', 'until their leader ends');

$session->query_safe(q{
	BEGIN;
	INSERT INTO event VALUES (luuid_generate('2020-01-01'), 'another time'), (luuid_floor(now()), 'from outside');
	SELECT * FROM luuid_status();
});
is(query($in_flight), '', 'nothing else holds it back, though a number was given to the transaction');
query('INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.002)');
is(query($settled), '3', 'so what others make is settled meanwhile');
$session->query_safe('ROLLBACK');

# What other functions than luuid's generate does not count. An id that has a time comes up below a horizon that was given
# before; one that has none, never.
my $ossp = query(q{SELECT count(*) FROM pg_available_extensions WHERE name = 'uuid-ossp'});
query('CREATE EXTENSION "uuid-ossp"') if $ossp;
for my $case (
	[ 'luuid_generate()', '0|1' ],
	[ 'luuid_generate_v7()', '0|1' ],
	[ 'gen_random_uuid()', '0|0' ],
	$ossp ? ([ 'uuid_generate_v1()', '1|1' ], [ 'uuid_generate_v1mc()', '1|1' ], [ 'uuid_generate_v4()', '0|0' ]) : (),
	$node->pg_version >= 18 ? ([ 'uuidv7()', '1|1' ], [ 'uuidv4()', '0|0' ]) : ())
{
	my ($default, $expected) = @$case;
	query("CREATE TABLE made_by (id luuid PRIMARY KEY DEFAULT $default, n int)");
	$session->query_safe('BEGIN; INSERT INTO made_by (n) VALUES (1)');
	my $horizon = query('SELECT pg_sleep(0.01); SELECT luuid_horizon()') =~ s/^\n//r;
	$session->query_safe('COMMIT');
	is(query(qq{
		SELECT pg_sleep(0.01);
		SELECT count(*) FILTER (WHERE id < '$horizon'), count(*) FILTER (WHERE id < luuid_horizon()) FROM made_by;
	}), "\n$expected", "DEFAULT $default: a row below a horizon given before, and below one given after");
	query('DROP TABLE made_by');
}

# What prevents it: nobody but the default sets the key.
query('CREATE ROLE writer; CREATE TABLE granted (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
	GRANT INSERT (what) ON granted TO writer');
is($node->error_of('postgres', q{SET ROLE writer; INSERT INTO granted (what) VALUES ('paid')}), '', 'GRANT INSERT (what) lets a row in');
like($node->error_of('postgres', "SET ROLE writer; $_"), qr/42501: /, "... and not by: $_")
	for q{INSERT INTO granted VALUES (luuid_generate(), 'paid')}, 'COPY granted FROM STDIN', 'UPDATE granted SET id = luuid_generate()';

query('CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION luuid');
$session->query_safe("BEGIN; $insert");
is($node->safe_psql('other', $in_flight), "$pid|t|t|f", 'another database shows it');
$session->query_safe("PREPARE TRANSACTION 'other'");
is($node->safe_psql('other', $in_flight), 'prepared|t|t|f', 'and where it is prepared');
is($node->safe_psql('other', q{
	CREATE TABLE event (id luuid DEFAULT luuid_generate());
	INSERT INTO event DEFAULT VALUES;
	SELECT pg_sleep(0.002);
	SELECT count(*) FROM event WHERE id < luuid_horizon();
}), "\n1", 'but is not held back');
query("ROLLBACK PREPARED 'other'");

# Prepared -----------------------------------------------------------------------------------------------------------

$session->query_safe("BEGIN; $insert; PREPARE TRANSACTION 'one'");
is(query($in_flight), 'prepared|t|t|t', 'a prepared transaction');
query('SELECT pg_sleep(0.002)');
$session->query_safe("BEGIN; $insert");
is(query("$in_flight ORDER BY 1"), "$pid|t|t|f\nprepared|t|t|t", 'beside the next one of its session');
$session->query_safe("COMMIT; COMMIT PREPARED 'one'");
is(query($in_flight), '', 'until it is resolved');

$session->query_safe("BEGIN; $insert; PREPARE TRANSACTION 'before'");
$session->quit;
$node->restart;
is(query('SELECT luuid_horizon() IS NULL'), 't', 'nothing is known of one that was prepared before a restart');
is(query($settled), '0', 'so that nothing is settled');
is(query('SELECT horizon_lag IS NULL FROM luuid_status()'), 't', 'and how far the horizon lags is not known');
my ($watch) = LuuidCluster::documented('operations.md', 'Monitoring');
is(query($watch) =~ s/\|.*//r, 't', 'which the documented alert reports');
is(query('SELECT pid, datname, since, age FROM luuid_in_flight()'), '|postgres||', 'it is listed without a time');
is($node->safe_psql('other', 'SELECT luuid_horizon() IS NULL'), 'f', 'another database has its horizon');
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
query("COMMIT PREPARED 'before'");
is(query($settled), query('SELECT count(*) FROM event'), 'until it is resolved');
is(query($watch) =~ s/\|.*//r, 'f', '... and no longer after that');
is($reader->query_safe('SELECT luuid_horizon() IS NULL'), 't', 'and seen');
is(query('SELECT count(*) FROM luuid_in_flight()'), '0', 'nothing is in flight then');
$reader->query_safe('COMMIT');

# Snapshots ----------------------------------------------------------------------------------------------------------

$session = $node->background_psql('postgres');
my $rows = query('SELECT count(*) FROM event');
my $insert_returning = 'INSERT INTO event DEFAULT VALUES RETURNING id';
for my $level ('REPEATABLE READ', 'SERIALIZABLE')
{
	my $open = $session->query_safe("BEGIN; $insert_returning");
	$reader->query_safe("BEGIN ISOLATION LEVEL $level; SELECT FROM event");
	$session->query_safe('COMMIT');
	query('INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.002)');
	is($reader->query_safe("SELECT luuid_horizon() <= '$open'"), 't', "$level: what ended since the snapshot is not settled");
	is($reader->query_safe($settled), $rows, "$level: and what ended before is");
	$reader->query_safe('COMMIT');
	$rows += 2;
	is($reader->query_safe($settled), $rows, "$level: and all is for the next");
}

# Who imports a snapshot does not see what ended since it was exported, its exporter included.
my $importer = $node->background_psql('postgres');
for my $first (qw(exporter other))
{
	my %writer = (exporter => $reader, other => $session);
	my @in_order = $first eq 'exporter' ? qw(exporter other) : qw(other exporter);
	my ($open) = map { $writer{$_}->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; $insert_returning") } @in_order;
	my $snapshot = $reader->query_safe('SELECT pg_export_snapshot()');
	$session->query_safe('COMMIT');
	query('INSERT INTO event DEFAULT VALUES');
	$importer->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$snapshot'");
	$reader->query_safe('COMMIT');
	query('INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.002)');
	is($importer->query_safe("SELECT luuid_horizon() <= '$open'"), 't',
		"an imported snapshot: what ended since the export is not settled, first of the $first");
	is($importer->query_safe($settled), $rows, '... and what ended before is');
	$importer->query_safe('COMMIT');
	$rows += 4;
	is($importer->query_safe($settled), $rows, '... and all is for the next');
}
$importer->quit;

# However many have ended since, some of what was settled before the snapshot is read: all but those of a block of
# transactions that the snapshot falls in.
for my $case ([ 'one session', 64, "$insert\n", 800 ], [ 'one place of prepared transactions', 512,
		"BEGIN; $insert PREPARE TRANSACTION 'one'; COMMIT PREPARED 'one';\n", 1100 ])
{
	my ($of, $block, $statement, $times) = @$case;
	$rows = query('SELECT count(*) FROM event');
	$session->query_safe($statement x $block);
	query('SELECT pg_sleep(0.002)');
	$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM event');
	$session->query_safe($statement x $times);
	my $read = $reader->query_safe($settled);
	ok($read >= $rows && $read <= $rows + $block, "a snapshot that asks after $times transactions of $of reads what was settled before")
		or diag "$read of $rows";
	$reader->query_safe('COMMIT');
	query('SELECT pg_sleep(0.002)');
	is($reader->query_safe($settled), $rows + $block + $times, '... and the next one the rest');
}

# An idle transaction holds no snapshot.
$reader->query_safe('BEGIN; SELECT luuid_horizon()');
is(query(q{SELECT backend_xmin IS NULL FROM pg_stat_activity WHERE state = 'idle in transaction' AND query ~ 'luuid_horizon'}), 't',
	'a READ COMMITTED transaction holds no snapshot after it has asked');
$reader->query_safe('SAVEPOINT s; SELECT luuid_horizon(); ROLLBACK TO s; SELECT luuid_horizon(); ROLLBACK');

# One answer to a snapshot -------------------------------------------------------------------------------------------

is(query('SELECT count(DISTINCT luuid_horizon()) FROM generate_series(1, 100) WHERE pg_sleep(0.0005) IS NOT NULL'), '1',
	'asked for each row of a statement');
my $times = 20;
$reader->query_safe(qq{
	BEGIN;
	DECLARE rows CURSOR FOR SELECT luuid_horizon() FROM generate_series(1, $times);
	DECLARE others CURSOR FOR SELECT luuid_horizon() FROM generate_series(1, $times);
});
my %answers;
for (1 .. $times)
{
	query('INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.002)');
	$answers{$_}->{ $reader->query_safe($_) }++ for 'FETCH rows', 'FETCH others', 'SELECT luuid_horizon()';
}
$reader->query_safe('COMMIT');
is_deeply([ map { scalar(keys %{ $answers{$_} }) } sort keys %answers ], [ 1, 1, $times ],
	'asked for each row that a cursor fetches, whatever the transaction asks between');
is(query(q{
	CREATE FUNCTION page() RETURNS bigint STABLE LANGUAGE plpgsql AS
		'DECLARE upto luuid := luuid_horizon(); BEGIN RETURN (SELECT count(*) FROM event WHERE id < upto); END';
	SELECT pg_sleep(0.002);
	SELECT page() = count(*) FROM event;
}), "\nt", 'asked by a function');

# Nothing else happens in the cluster: all snapshots see the same.
is(query(q{
	DO $$
	DECLARE begun timestamptz := clock_timestamp();
	BEGIN
		FOR n IN 1 .. 3 LOOP
			PERFORM pg_sleep(0.002);
			ASSERT luuid_horizon() > luuid_floor(begun + n * interval '1 ms'), 'an expression';
			ASSERT EXISTS (SELECT WHERE luuid_horizon() > luuid_floor(begun + n * interval '1 ms')), 'a query';
		END LOOP;
	END $$;
	BEGIN;
	SELECT luuid_horizon() AS horizon \gset
	SELECT pg_sleep(0.002);
	SELECT luuid_horizon() > :'horizon';
	ROLLBACK;
}), "\nt", 'the statements of a READ COMMITTED transaction go on, in a loop too');
is(query(q{
	CREATE FUNCTION asked() RETURNS luuid STABLE LANGUAGE plpgsql AS
		'DECLARE answer luuid; BEGIN PERFORM pg_sleep(0.0005); SELECT luuid_horizon() INTO answer FROM pg_class LIMIT 1;
		RETURN answer; END';
	CREATE FUNCTION asked_by_sql() RETURNS SETOF luuid STABLE LANGUAGE sql AS 'SELECT luuid_horizon() FROM pg_class LIMIT 1';
	SELECT count(DISTINCT asked()) FROM generate_series(1, 20);
	SELECT count(DISTINCT h) FROM (SELECT asked_by_sql() AS h, pg_sleep(0.0005) FROM generate_series(1, 20)) AS row;
}), "1\n1", 'STABLE functions ask by the snapshot of the statement that calls them');
is(query(q{
	BEGIN;
	DECLARE held CURSOR WITH HOLD FOR
		SELECT luuid_horizon() AS horizon FROM generate_series(1, 20) WHERE pg_sleep(0.0005) IS NOT NULL;
	FETCH held \gset
	SELECT pg_sleep(0.002);
	COMMIT;
	FETCH held \gset later_
	SELECT :'horizon' = :'later_horizon';
}), "\nt", 'a cursor WITH HOLD has one answer, before the commit and after');
is(query(q{
	BEGIN ISOLATION LEVEL REPEATABLE READ;
	DECLARE earlier CURSOR FOR SELECT luuid_horizon() AS horizon;
	SELECT luuid_horizon() AS horizon \gset
	SELECT pg_sleep(0.002);
	FETCH earlier \gset earlier_
	SELECT luuid_horizon() = :'horizon', :'earlier_horizon' = :'horizon';
	COMMIT;
}), "\nt|t", 'a REPEATABLE READ transaction has one answer, in cursors from before it too');

# Those that execute only part of a query.
for my $case (
	[ 'a fragment of a query that Citus distributes', qr/55000: cannot compute .* distributed query.*HINT:  Beforehand, ask all nodes/s,
		q{SET application_name = 'citus_internal gpid=10000000012'; SELECT luuid_horizon();} ],
	[ 'a parallel worker', qr/25000: cannot compute .* parallel worker/, q{
		CREATE FUNCTION wrongly_marked() RETURNS luuid STABLE PARALLEL SAFE LANGUAGE plpgsql
			AS 'BEGIN RETURN luuid_horizon(); END';
		SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
		SET parallel_leader_participation = off;
		SELECT count(wrongly_marked()) FROM source;} ])
{
	my ($who, $expected, $statements) = @$case;
	like($node->error_of('postgres', $statements), $expected, "$who is refused");
}

# Between a COMMIT and the next query there is no snapshot; a domain's check asks all the same.
is(query(q{
	CREATE DOMAIN settled AS bigint CHECK (luuid_horizon() IS NOT NULL AND (luuid_status()).horizon_lag IS NOT NULL);
	DO 'DECLARE n settled := 1; BEGIN COMMIT; GET DIAGNOSTICS n = ROW_COUNT; END';
	SELECT 'up';
}), 'up', 'asked without a snapshot');

# The planner --------------------------------------------------------------------------------------------------------

query(q{
	CREATE TABLE history (id luuid PRIMARY KEY);
	INSERT INTO history SELECT luuid_generate(now() - n * interval '1 second') FROM generate_series(1, 100000) AS n;
	ANALYZE history;
});
my $estimate = sub {
	my ($condition) = @_;
	return (query("EXPLAIN SELECT FROM history WHERE $condition") =~ /rows=(\d+)/)[0];
};
cmp_ok($estimate->('id < luuid_horizon()'), '>=', 99_000, 'nearly all rows are expected below it');
my $hour = $estimate->(q{id < luuid_horizon() AND id > luuid_floor(now() - interval '1 hour')});
ok(abs($hour - 3600) < 360, "$hour rows are expected of the 3600 of the last hour");
like(query('EXPLAIN (COSTS off) SELECT FROM history WHERE id < luuid_horizon() ORDER BY id LIMIT 10'),
	qr/Index Cond: \(id < luuid_horizon\(\)\)/, 'an index is bounded by it');
# A horizon that is estimated while a statement is planned is not counted, nor after a function that the planner calls has
# caught an error. After an error in the planner, horizons are computed again.
query(q{CREATE FUNCTION careful() RETURNS luuid IMMUTABLE LANGUAGE plpgsql AS
	'BEGIN BEGIN PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN END; RETURN luuid_horizon(); END'});
for my $case ([ 0, 'EXPLAIN SELECT careful()' ], [ 1, "\\set ON_ERROR_STOP 0\nSELECT 1 / 0; SELECT luuid_horizon()" ],
	[ 1, q{DO 'BEGIN BEGIN PERFORM 1 / 0; EXCEPTION WHEN division_by_zero THEN END; PERFORM luuid_horizon(); END'} ])
{
	my ($wanted, $statements) = @$case;
	my $count = 'SELECT horizons_asked FROM luuid_stat()';
	my $before = query($count);
	query($statements);
	is(query($count) - $before, $wanted, "$statements: $wanted horizons are computed");
}

# Who sees what ------------------------------------------------------------------------------------------------------

query('CREATE ROLE visitor LOGIN; CREATE ROLE observer LOGIN; CREATE ROLE chief SUPERUSER;
	GRANT pg_read_all_stats TO observer');
$session->query_safe("BEGIN; $insert");
($pid) = $session->query_safe('SELECT pg_backend_pid()');
for my $case ([ 'visitor', 't|t' ], [ 'observer', 'f|f' ], [ 'chief', 'f|f' ])
{
	my ($role, $hidden) = @$case;
	is(query("SET ROLE $role; SELECT pid, since IS NULL, age IS NULL FROM luuid_in_flight()"), "$pid|$hidden",
		"$role sees what pg_stat_activity would show of the transaction");
}
$session->query_safe('COMMIT');
$session->quit;
$reader->quit;

done_testing();
