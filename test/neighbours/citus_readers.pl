# Readers of a table in Citus get each row once below the least of all nodes' horizons, if its shards have guards: whichever
# node generated the id, and however late COMMIT PREPARED comes. Without the guard they miss rows.
use LuuidCluster;
use LuuidReaders;

LuuidCluster::needs('Citus', 'citus.so', 'citus.control');
my $dir = PostgreSQL::Test::Utils::tempdir();
my $lag = '1 s';
# A session with synchronous_commit = on, and no other, waits for a standby that never comes.
my ($coordinator, @workers) = my @nodes = LuuidCluster->started_citus(q{shared_preload_libraries = 'citus, luuid'},
	'autovacuum = off', 'fsync = off', 'citus.recover_2pc_interval = -1', 'synchronous_commit = local',
	q{synchronous_standby_names = 'none'});
my ($create_guard, $ask_horizon) = LuuidCluster::documented('scaling.md', 'Readers in Citus');
$ask_horizon =~ s/'5 s'/'$lag'/ or die 'the documented query names another lag';
my ($horizons) = $ask_horizon =~ /^(.*?)\s*ORDER BY/s;

# Two databases, since a guard of one table holds back the horizon of all tables of its database.
my @databases = qw(guarded bare);
for my $database (@databases)
{
	$_->safe_psql('postgres', "SET citus.enable_create_database_propagation = off; CREATE DATABASE $database") for @nodes;
	LuuidCluster::join_citus($database, @nodes);
	# Writers are on workers too.
	$_->safe_psql($database, 'CREATE TABLE refused (message text)') for @nodes;
	$coordinator->safe_psql($database, qq{
		CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text NOT NULL);
		SELECT create_distributed_table('event', 'id', shard_count => 8);
		CREATE TABLE source (LIKE event INCLUDING ALL);
		SELECT create_distributed_table('source', 'id', colocate_with => 'event');
		INSERT INTO source (what) SELECT 'pushed down' FROM generate_series(1, 64);

		-- Returns false if an id is refused. Where Citus copies rows, it hands the message on, and not the SQLSTATE.
		CREATE FUNCTION attempt(statement text) RETURNS boolean LANGUAGE plpgsql AS \$\$
		BEGIN
			EXECUTE statement;
			RETURN true;
		EXCEPTION WHEN check_violation OR internal_error THEN
			INSERT INTO refused VALUES (SQLERRM);
			RETURN false;
		END \$\$;
	});
}
$coordinator->safe_psql('guarded', $create_guard);

sub ask { my ($database, $query) = @_; return $coordinator->safe_psql($database, $query) }

my %readers = map { ($_ => LuuidReaders->of_servers($coordinator, $_, $ask_horizon =~ s/;\s*$//r)) } @databases;

# Distributed transactions -------------------------------------------------------------------------------------------

# A session whose open transaction has stored what it is given; a try can take longer than the lag.
sub begin
{
	my ($database, $next_statement) = @_;
	my $session = $coordinator->background_psql($database);
	my $tries = 0;
	LuuidCluster::wait_until("$database: ids that come within the lag", sub {
			$session->query_safe('BEGIN');
			my $statement = $next_statement->($session) =~ s/'/''/gr;
			return 1 if $session->query_safe("SELECT attempt('$statement')") eq 't';
			$session->query_safe('ROLLBACK');
			return ++$tries > 100;
	});
	cmp_ok($tries, '<=', 100, "$database: ids that come within the lag are accepted");
	return $session;
}

# One that all workers have prepared, and that waits to be committed on the coordinator. Horizons were handed out between
# the generation of its ids and their storage.
sub prepare_everywhere
{
	my ($database) = @_;
	my $ids;
	my $session = begin($database, sub {
			my ($session) = @_;
			$ids = $session->query_safe('SELECT array_agg(luuid_generate()) FROM generate_series(1, 64)');
			$session->query_safe('SELECT pg_sleep(0.002)');
			ask($database, $ask_horizon);
			return "INSERT INTO event SELECT id, 'prepared' FROM unnest('$ids'::luuid[]) AS id";
	});
	my ($pid, $gpid) = split /\|/, $session->query_safe('SELECT pg_backend_pid(), citus_backend_gpid()');
	$session->query_until(qr/^waits/m, "SET LOCAL synchronous_commit = on;\n\\echo waits\nCOMMIT;\n");
	LuuidCluster::wait_until("$database: PREPARE TRANSACTION", sub {
			return ask($database, "SELECT wait_event = 'SyncRep' FROM pg_stat_activity WHERE pid = $pid") eq 't';
	});
	return { database => $database, session => $session, ids => $ids, pid => $pid, gpid => $gpid };
}

# Commits it on the coordinator, which then sends COMMIT PREPARED.
sub commit { my ($transaction) = @_; return ask($transaction->{database}, "SELECT pg_cancel_backend($transaction->{pid})") }

# Waits until it has ended on the coordinator.
sub finish
{
	my ($transaction) = @_;
	$transaction->{session}->query('');
	return $transaction->{session}->quit;
}

# The processes of a worker that have prepared it.
sub processes
{
	my ($worker, $transaction) = @_;
	return split /\n/, $worker->safe_psql($transaction->{database},
		"SELECT pid FROM pg_stat_activity WHERE application_name = 'citus_internal gpid=$transaction->{gpid}'");
}

sub is_prepared
{
	my ($worker, $database) = @_;
	return $worker->safe_psql($database, 'SELECT count(*) > 0 FROM pg_prepared_xacts WHERE database = current_database()') eq 't';
}

# How many of its rows are on a worker.
sub count_rows
{
	my ($worker, $transaction) = @_;
	my $port = $worker->port;
	return ask($transaction->{database}, qq{
		SELECT count(*) FROM unnest('$transaction->{ids}'::luuid[]) AS id
			JOIN citus_shards ON shardid = get_shard_id_for_distribution_column('event', id) WHERE nodeport = $port
	});
}

sub generate { my ($database) = @_; return ask($database, 'SELECT luuid_generate()') }

sub nodes_that_pass { my ($id) = @_; return "count(*) FROM ($horizons) AS horizon WHERE upto > '$id'" }
my $nodes_without_horizon = "SELECT count(*) FROM ($horizons) AS horizon WHERE upto IS NULL";

# Transactions that are late on one worker, one after the other.
sub test_late_worker
{
	my ($late_worker, $other_worker) = @workers;
	my %since = map { ($_ => generate($_)) } @databases;

	# The coordinator knows nothing of it.
	my %pushed = map { ($_ => begin($_, sub { 'INSERT INTO event (what) SELECT what FROM source' })) } @databases;
	my %later = map { ($_ => generate($_)) } @databases;
	$readers{$_}->poll_until('the reader by the coordinator to pass what is pushed down',
		"position > '$later{$_}' FROM reader WHERE name = 'by the coordinator'") for @databases;
	$_->query_safe('COMMIT'), $_->quit for values %pushed;

	# COMMIT PREPARED does not come to the end.
	my %late = map { ($_ => prepare_everywhere($_)) } @databases;
	my @late_processes = map { processes($late_worker, $_) } values %late;
	kill STOP => @late_processes;
	commit($_) for values %late;
	for my $database (@databases)
	{
		LuuidCluster::wait_until("$database: COMMIT PREPARED", sub { return !is_prepared($other_worker, $database) });
		$later{$database} = generate($database);
	}
	# luuid's callback is called first, since luuid is loaded last.
	$readers{guarded}->poll_until('the others to pass what one worker has not committed',
		'2 <= ' . nodes_that_pass($later{guarded}));
	my $is_held = "SELECT max(position) <= '$later{guarded}' FROM reader WHERE name LIKE 'reader%'";
	is(ask('guarded', $is_held), 't', 'what one worker has not committed holds back the least of all horizons');
	$readers{bare}->poll_past('it', $later{bare});

	# It fails.
	kill TERM => @late_processes;
	kill CONT => @late_processes;
	finish($_) for values %late;
	is(is_prepared($late_worker, 'guarded'), 1, '... as it stays prepared when COMMIT PREPARED fails');
	$readers{guarded}->poll_until('the others to pass it', '2 <= ' . nodes_that_pass($later{guarded}));
	is(ask('guarded', $is_held), 't', '... still');
	$readers{bare}->poll_past('it', $later{bare});

	# A worker is stopped between PREPARE TRANSACTION and COMMIT PREPARED.
	my $stopped = prepare_everywhere('guarded');
	my $before = $readers{guarded}->positions;
	$late_worker->stop('immediate');
	commit($stopped);
	finish($stopped);
	is(ask('guarded', $nodes_without_horizon), '1', 'no horizon of a worker that is stopped');
	$readers{guarded}->poll;
	is($readers{guarded}->positions, $before, '... and no reader advances');
	$late_worker->start;
	is(ask('guarded', $nodes_without_horizon), '1', 'no horizon of one that was started over a prepared transaction');
	$readers{guarded}->poll;
	is($readers{guarded}->positions, $before, '... and no reader advances');

	# Recovery.
	for my $database (@databases)
	{
		cmp_ok(ask($database, 'SELECT recover_prepared_transactions()'), '>', 0, "$database: recovery commits");
		my $last = generate($database);
		$readers{$database}->poll_past('everything', $last);
	}
	$readers{guarded}->check_each_once('after it was resolved', \@LuuidReaders::names, since => $since{guarded});
	is(ask('guarded', "SELECT count(*) FROM event WHERE id > '$since{guarded}'"), '192', '... of all that were stored');
	my $late_rows = count_rows($late_worker, $late{bare});
	cmp_ok($late_rows, '>', 0, 'rows were late');
	is($readers{bare}->missed($_, since => $since{bare}), $late_rows, "without the guard, $_ missed $late_rows of 64") for @LuuidReaders::names;
	is($readers{bare}->missed('by the coordinator', since => $since{bare}), 64 + $late_rows,
		'... and the coordinator\'s horizon alone also those that were pushed down');
	my %sqlstate = (
		"INSERT INTO event VALUES ('$since{guarded}', 'late')" => '23514',
		"INSERT INTO event SELECT '$since{guarded}', 'late' FROM generate_series(1, 1)" => 'XX000',
		"COPY event FROM STDIN;\n$since{guarded}\tlate\n\\.\n" => 'XX000');
	for my $statement (sort keys %sqlstate)
	{
		like($coordinator->error_of('guarded', $statement),
			qr/ERROR:  $sqlstate{$statement}: luuid "$since{guarded}" is older than a horizon already returned/,
			'an id that comes later than the lag is refused by name, ' . ($statement =~ /^(\S+)/)[0]);
	}
	return;
}

# Under load ---------------------------------------------------------------------------------------------------------

sub attempt { my ($statement) = @_; return q{SELECT attempt('} . $statement =~ s/'/''/gr . "');\n" }
my $insert = attempt(q{INSERT INTO event (what) VALUES ('one by one')});
my @writers = LuuidCluster::scripts($dir, 'writer',
	attempt(q{INSERT INTO event (what) SELECT 'many' FROM generate_series(1, 8)}),
	"BEGIN;\n$insert\\sleep 5 ms\n$insert\\sleep 5 ms\nCOMMIT;\n",
	attempt('INSERT INTO event (what) SELECT what FROM source'),
	attempt("INSERT INTO event VALUES (luuid_generate(clock_timestamp() - interval '$lag' * (0.5 + random())), 'old')"));

sub count_refused { return $_[0]->safe_psql('guarded', 'SELECT count(*) FROM refused') }

# Writers on the coordinator and on a worker, while COMMIT PREPARED of some fails.
sub test_load
{
	my %since = map { ($_ => generate($_)) } @databases;
	my $refused_before = count_refused($coordinator);
	$readers{guarded}->check_load($readers{bare}, $since{bare},
		write => sub {
			my @writing = map {
				my $node = $_;
				map { $node->background_pgbench($_, '--client=2', '--transactions=' . LuuidCluster::scaled(10), @writers) } @databases
			} $coordinator, $workers[1];
			for my $database (@databases)
			{
				my $failing = prepare_everywhere($database);
				kill TERM => processes($workers[0], $failing);
				LuuidCluster::wait_until('its processes to end', sub { return !processes($workers[0], $failing) });
				commit($failing);
				finish($failing);
			}
			return @writing;
		},
		resolve => sub { ask($_, 'SELECT recover_prepared_transactions()') for @databases },
		refused => sub { count_refused($coordinator) - $refused_before });
	is($_->safe_psql('guarded', q{SELECT count(*) FROM refused WHERE message NOT LIKE 'luuid "%" is older than a horizon%'}), '0',
		'... by name') for $coordinator, $workers[1];
	return;
}

test_late_worker();
test_load();

# Where guards stand -------------------------------------------------------------------------------------------------

# How many placements of a table's shards there are, and how many of them have no guard.
sub unguarded
{
	my ($table) = @_;
	return ask('guarded', qq{
		SELECT count(*) || ' placements, ' || count(*) FILTER (WHERE result <> '1') || ' without a guard'
		FROM run_command_on_placements('$table', \$\$
			SELECT count(*) FROM pg_trigger WHERE tgrelid = '%s'::regclass AND tgfoid = 'luuid_guard'::regproc AND tgenabled = 'O'
		\$\$)
	});
}

my $since = generate('guarded');
my ($port, $other) = map { $_->port } @workers;
my $host = $coordinator->host;
my $write = q{SELECT attempt('INSERT INTO event (what) SELECT ''moved'' FROM generate_series(1, 64)')};
my %change = map { ("$_->[0], $_->[1]" => $_->[2]) } map {
	[ 'a move', $_, qq{
		SELECT citus_move_shard_placement(min(shardid), '$host', $port, '$host', $other, '$_')
		FROM citus_shards WHERE table_name = 'event'::regclass AND nodeport = $port
	} ],
		[ 'a split', $_, qq{
		SELECT citus_split_shard_by_split_points(
			shardid, ARRAY[((shardminvalue::bigint + shardmaxvalue::bigint) / 2)::text], ARRAY[nodeid, nodeid], '$_')
		FROM (SELECT * FROM pg_dist_shard WHERE logicalrelid = 'event'::regclass ORDER BY shardid LIMIT 1) AS shard
			NATURAL JOIN pg_dist_placement NATURAL JOIN pg_dist_node
	} ]
} qw(block_writes force_logical);
my $shards = 8;
for my $change (sort keys %change)
{
	ask('guarded', $write);
	$readers{guarded}->poll;
	ask('guarded', "$change{$change}; $write");
	$shards++ if $change =~ /split/;
	is(unguarded('event'), "$shards placements, 0 without a guard", "the guard stays through $change");
}
my $last = generate('guarded');
$readers{guarded}->poll_past('everything', $last);
$readers{guarded}->check_each_once('through moves and splits', \@LuuidReaders::names, since => $since);

ask('guarded', q{
	CREATE TABLE reading (id luuid PRIMARY KEY, what text) PARTITION BY RANGE (id);
	SELECT create_distributed_table('reading', 'id', shard_count => 2, colocate_with => 'none');
	CREATE TABLE reading_of_all_times PARTITION OF reading DEFAULT;
	CREATE TABLE setting (id luuid PRIMARY KEY, what text);
	SELECT create_reference_table('setting');
});
for my $table (qw(reading setting))
{
	ask('guarded', $create_guard =~ s/\bevent\b/$table/r);
	like($coordinator->error_of('guarded', "INSERT INTO $table VALUES ('$since', 'late')"),
		qr/luuid "$since" is older than a horizon already returned/, "$table has a guard");
}
is(unguarded('reading_of_all_times'), '2 placements, 0 without a guard', '... on its partitions');
is(unguarded('setting'), '3 placements, 0 without a guard', '... on each node');

ask('guarded', qq{CREATE TABLE loaded (LIKE event); INSERT INTO loaded VALUES ('$since', 'early'); } . $create_guard =~ s/\bevent\b/loaded/r);
like($coordinator->error_of('guarded', q{SET citus.enable_unsafe_triggers = on; SELECT create_distributed_table('loaded', 'id')}),
	qr/luuid "$since" is older than a horizon already returned/, 'a table that has a guard already is not distributed with its rows');

done_testing();
