# Readers that follow a table below luuid_horizon() get every row once, whatever the writers do and in whatever isolation
# level they read: while transactions pause, abort, prepare and commit late, after kill -9, and while the clock is stepped.
# Those that follow it without the horizon miss rows, which shows that there is something to be missed. The cookbook's readers
# get every row too, while ALTER TABLE rewrites the table.
# It finds losses that need several processes at once; other tests find a wrong line.
# needs: long
use LuuidCluster;
use LuuidReaders;

my $dir = PostgreSQL::Test::Utils::tempdir();
my @quiet = ('log_statement = none', 'log_connections = off', 'log_disconnections = off', 'restart_after_crash = on',
	'synchronous_commit = off', 'autovacuum_naptime = 1s', 'max_connections = 120', 'max_prepared_transactions = 20');

# What every writer writes.
my $schema = q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), kind text NOT NULL);
	CREATE TABLE source AS SELECT n FROM generate_series(1, 100) AS n;
	ALTER TABLE source SET (parallel_workers = 2);
} . $LuuidCluster::commands;

# Scripts of pgbench: a writer of each kind, and a reader of each.
my $pause = $LuuidCluster::pause;
my @writers = LuuidCluster::scripts($dir, 'writer', values %LuuidCluster::writer,
	qq{
		BEGIN;
		INSERT INTO event SELECT luuid_generate_v1(), 'v1';
		INSERT INTO event SELECT luuid_generate_v7(), 'v7';
		$pause
		INSERT INTO event SELECT luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 16), 'near';
		INSERT INTO event SELECT luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 32), 'near';
		INSERT INTO event SELECT luuid_generate_in_shard(3, 8), 'in shard';
		COMMIT;},
	qq{BEGIN; SELECT luuid_generate(); $pause COMMIT;},
	qq{BEGIN; COPY event (kind) FROM PROGRAM 'seq 5'; $pause COMMIT;},
	qq{
		BEGIN;
		SET LOCAL parallel_setup_cost = 0; SET LOCAL parallel_tuple_cost = 0; SET LOCAL min_parallel_table_scan_size = 0;
		CREATE TEMP TABLE made ON COMMIT DROP AS SELECT luuid_generate() AS id FROM source;
		$pause
		INSERT INTO event SELECT id, 'parallel' FROM made;
		COMMIT;});
# A transaction that makes no id, and holds back whoever goes by snapshots.
my @report = LuuidCluster::scripts($dir, 'report', q{BEGIN; INSERT INTO command VALUES ('report'); SELECT pg_sleep(1); COMMIT;});
my @readers = LuuidCluster::scripts($dir, 'reader',
	q{SELECT follow(:client_id::text, luuid_horizon());},
	qq{
		BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT follow(:client_id::text, luuid_horizon()); COMMIT;},
	qq{
		BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM source; $pause
		SELECT follow(:client_id::text, luuid_horizon()) ; COMMIT;},
	q{BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT follow(:client_id::text, luuid_horizon()); COMMIT;});
my @careless = LuuidCluster::scripts($dir, 'careless', q{SELECT follow('careless', NULL);});

# A reader goes on after the last row that it saw.
sub start_following { my ($node, @names) = @_; return LuuidReaders->of_ids($node, 'postgres', @names)->create_follow }

# What each reader has seen, beside what is in the table in the end.
sub check_readers
{
	my ($readers, $what, @names) = @_;
	$readers->ask(qq{SELECT follow('$_', luuid_horizon())}) for @names;
	$readers->check_each_once($what, \@names);
	return;
}

# The server under load ---------------------------------------------------------------------------------------------

my $node = LuuidCluster->started('load', q{shared_preload_libraries = 'luuid'}, @quiet);
my @names = (0 .. 3);
$node->safe_psql('postgres', $schema);
my $readers = start_following($node, @names, 'careless');

my @pgbench = ('pgbench', '--no-vacuum', $node->connstr('postgres'));
my @write = (@pgbench, '--client=24', '--jobs=2', @writers);
sub start_readers
{
	return (
		$node->background(@pgbench, '--time=600', '--client=2', @report),
		$node->background(@pgbench, '--time=600', '--client=1', @careless),
		$node->background(@pgbench, '--time=600', '--client=4', '--max-tries=100', @readers));
}

# Rounds of writing, until every reader has read meanwhile, and the one that asks for no horizon has missed a row.
my @readers_run = start_readers();
my ($rounds, $missed, $followers) = (0, 0, 0);
until ($rounds >= LuuidCluster::scaled(1) && $missed > 0 && $followers == @names || $rounds == 100)
{
	$rounds++;
	my $writers = $node->background(@write, '--transactions=40');
	$writers->{run}->finish;
	LuuidCluster::check_no_error('no writer met an error', $writers);
	$missed = $readers->missed('careless');
	$followers = $node->safe_psql('postgres', q{SELECT count(DISTINCT name) FROM seen WHERE name <> 'careless'});
}
LuuidCluster::end(@readers_run);
LuuidCluster::check_no_error('no reader met an error', @readers_run);
is($followers, scalar @names, 'all readers followed while rows were written');
check_readers($readers, 'under load', @names);
cmp_ok($missed, '>', 0, "a reader without a horizon missed $missed");

# A crash -----------------------------------------------------------------------------------------------------------

for my $time (1 .. LuuidCluster::scaled(1))
{
	my @load = ($node->background(@write, '--time=600'), start_readers());
	my $rows = $node->safe_psql('postgres', 'SELECT count(*) FROM event');
	$node->poll_query_until('postgres', "SELECT count(*) > $rows + 1000 FROM event") or die 'no rows come';
	my $pid = $node->safe_psql('postgres', q{
		SELECT pid FROM pg_stat_activity WHERE query LIKE 'INSERT%' AND backend_type = 'client backend' LIMIT 1
	}) || $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' LIMIT 1});
	$node->kill_process($pid);
	# Some may not have been connected at that moment.
	LuuidCluster::end(@load);
	my @left = split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts ORDER BY gid');
	is($node->safe_psql('postgres', 'SELECT luuid_horizon() IS NULL'), 't', 'no horizon before what was prepared is resolved')
		if @left;
	$node->safe_psql('postgres', "COMMIT PREPARED '$_'") for @left;
	check_readers($readers, 'crash ' . $time . ', ' . @left . ' prepared', @names);
}
$node->stop;

# A clock that is stepped -----------------------------------------------------------------------------------------------

# By sessions that begin anew all the time, so that they have not seen the clock that went before. Nothing here sleeps
# within the server, which would go by the stepped clock.
{
	LuuidCluster::set_clock(0);
	my $stepped = LuuidCluster::with_stepped_clock(sub {
			return LuuidCluster->started('stepped', q{shared_preload_libraries = 'luuid'}, @quiet, 'autovacuum = off', 'deadlock_timeout = 1h');
	});
	$stepped->safe_psql('postgres', $schema);
	my $readers_of_stepped = start_following($stepped, 0, 1);
	$stepped->safe_psql('postgres', q{
		CREATE TABLE the_end ();
		CREATE FUNCTION is_over() RETURNS boolean LANGUAGE sql AS 'SELECT EXISTS (SELECT FROM the_end)';
		CREATE PROCEDURE write_session() LANGUAGE plpgsql AS $$
		BEGIN
			FOR n IN 1 .. 10 LOOP
				INSERT INTO event SELECT luuid_generate_v7(), 'v7';
				INSERT INTO event SELECT luuid_generate(), 'id';
				PERFORM count(*) FROM generate_series(1, (random() * 30000)::int);
				INSERT INTO event SELECT luuid_generate_v1(), 'v1';
				COMMIT;
			END LOOP;
		END $$;
		CREATE PROCEDURE keep_following(who text) LANGUAGE plpgsql AS $$
		BEGIN
			WHILE NOT is_over() LOOP
				PERFORM follow(who, luuid_horizon());
				COMMIT;
			END LOOP;
		END $$;
	});
	my @sessions = map { $stepped->background_sql('postgres', "CALL keep_following('$_')") } 0 .. 1;
	my $is_over = "$dir/over";
	push @sessions, map {
		$stepped->background('sh', '-c', 'until [ -e "$0" ]; do psql -XqAt -d "$1" -c "CALL write_session()" || exit; done',
			$is_over, $stepped->connstr('postgres'))
	} 1 .. 4;
	for my $offset (0, 3600, 3591, 3600, 3592, 3600, 3595, 7200, 7191)
	{
		LuuidCluster::set_clock($offset);
		my $rows = $stepped->safe_psql('postgres', 'SELECT count(*) FROM event');
		my $enough = "SELECT count(*) > $rows + " . LuuidCluster::scaled(100) . ' FROM event';
		LuuidCluster::wait_until('writers', sub { $stepped->safe_psql('postgres', $enough) eq 't' }, @sessions);
	}
	append_to_file($is_over, '');
	$stepped->safe_psql('postgres', 'INSERT INTO the_end DEFAULT VALUES');
	for (@sessions)
	{
		$_->{run}->finish;
		is($_->{err}, '', 'no session met an error');
	}
	my ($before) = $stepped->safe_psql('postgres', q{SELECT count(*) FROM seen WHERE name = '0'});
	cmp_ok($before, '>', 0, "$before rows were followed while the clock went forth and back");
	LuuidCluster::set_clock(7300);    # what was made while the clock was waited for is settled when it has come there again
	check_readers($readers_of_stepped, 'clock steps of an hour forth and 9 s back', 0 .. 1);
	my $steps = 'SELECT horizon_steps_back FROM luuid_status()';
	is($stepped->safe_psql('postgres', $steps), '0', 'none of them was followed');
	LuuidCluster::set_clock(0);
	$stepped->safe_psql('postgres', 'SELECT luuid_horizon()');
	is($stepped->safe_psql('postgres', $steps), '1', 'two hours back is');
	$stepped->stop;
}

# The cookbook's readers ---------------------------------------------------------------------------------------------

{
	my $recipes = LuuidCluster->started('recipes', q{shared_preload_libraries = 'luuid'}, 'max_prepared_transactions = 2');

	# While an ALTER TABLE rewrites the table. A statement that waits for it can have an older snapshot, in which the table is
	# empty: a reader that moves its position then never gets its rows.
	my $beside_rewrite = sub {
		my ($table, $read) = @_;
		my $locks = "SELECT count(*) = 1 FROM pg_locks WHERE relation = '$table'::regclass AND mode = 'AccessExclusiveLock' AND granted";
		my $alter = $recipes->background_sql('postgres', q{SET statement_timeout = '1min'}, 'BEGIN',
			"ALTER TABLE $table ADD COLUMN tag uuid DEFAULT gen_random_uuid()", qq{DO \$\$
				BEGIN
					WHILE NOT EXISTS (SELECT FROM pg_locks WHERE relation = '$table'::regclass AND NOT granted) LOOP
						PERFORM pg_sleep(0.01);
					END LOOP;
				END \$\$}, 'COMMIT');
		$recipes->poll_query_until('postgres', $locks) or die 'no ALTER TABLE';
		my $got = $recipes->safe_psql('postgres', $read);
		$alter->{run}->finish;
		is($alter->{err}, '', "$table is rewritten");
		return $got;
	};
	my $settle = q{DO 'BEGIN PERFORM pg_sleep(0.01); END';};
	$recipes->safe_psql('postgres', 'CREATE EXTENSION luuid');

	my ($tables, $run) = LuuidCluster::documented('cookbook/following.md', 'An incremental export');
	$recipes->safe_psql('postgres', $tables);
	my @files = ($beside_rewrite->('entry', $run), $recipes->safe_psql('postgres', $run));
	is("@files", "what\nopened\npaid what", 'an export beside an ALTER TABLE loses no row');

	($tables, $run) = LuuidCluster::documented('cookbook/following.md', 'A projection');
	$recipes->safe_psql('postgres', "$tables INSERT INTO payment (account, amount) VALUES ('Ada', 100); $settle");
	$beside_rewrite->('payment', 'SELECT project_balance()');
	is($recipes->safe_psql('postgres', 'SELECT project_balance(); SELECT account, amount FROM balance'), "0\nAda|100",
		'nor does a projection');

	my ($event, $servers, $poll) = LuuidCluster::documented('cookbook/following.md', 'Readers over several servers');
	$recipes->safe_psql('postgres', "$event $servers INSERT INTO event (what) VALUES ('opened'); $settle");
	like($beside_rewrite->('event', $poll =~ s/5 s/0 s/gr), qr/"what":"opened"/, 'nor a reader over several servers');

	($tables) = slurp_file("$ENV{TESTDIR}/cookbook/following.md") =~ /^<!-- follow.sql -->\n```sql\n(.*?)^```/ms;
	$recipes->safe_psql('postgres', "$tables INSERT INTO signup (what) VALUES ('first'), ('second'); $settle");
	my $signups = q{SELECT what FROM next_signups('mailer')};
	is($beside_rewrite->('signup', $signups) . $recipes->safe_psql('postgres', $signups), "first\nsecond", 'nor a consumer');

	$recipes->safe_psql('postgres', 'CREATE DATABASE plain');
	my $plain = $tables =~ s/luuid_horizon\(\)/luuid.luuid_v7_floor(upto)/r =~ s/next signup;/$& upto timestamptz;/r
		=~ s/FOR next IN/CALL luuid.settle('signup', upto); $&/r =~ s/luuid_generate_v7/luuid.$&/r =~ s/ luuid\b(?!\.)/ uuid/gr;
	is($recipes->safe_psql('plain', qq{
		\\cd $ENV{TESTDIR}
		\\i sql/plain.sql
		$plain
		INSERT INTO signup (what) VALUES ('first'), ('second');
		$settle
		BEGIN;
		INSERT INTO signup (what) VALUES ('third');
		$signups;
		COMMIT;
		$settle
		$signups;
	}), "first\nsecond\nthird", 'one by plain SQL reads what has committed');

	# The poll of many tables, of the column that changes.
	my ($many, $read) = LuuidCluster::documented('cookbook/following.md', 'Many tables, one consumer');
	($tables) = LuuidCluster::documented('cookbook/following.md', 'Updates');
	$run = $read =~ s/\bid\b/changed/gr =~ s/FROM change\b/FROM product/r =~ s/source, content/name, price/r =~ s/\bfeed\b/price_feed/gr;
	is($recipes->safe_psql('postgres', qq{
		$tables
		CREATE TABLE price_feed AS SELECT luuid '00000000-0000-0000-0000-000000000000' AS last;
		$run
		BEGIN;
		UPDATE product SET price = 2 WHERE name = 'pen';
		PREPARE TRANSACTION 'late';
		UPDATE product SET price = 6 WHERE name = 'ink';
		$settle
		$run
		COMMIT PREPARED 'late';
		$settle
		$run
	}), "pen|1\nink|5\npen|1\nink|5\npen|2\nink|6", 'a reader of updates gets one that commits late');

	is($recipes->safe_psql('postgres', qq{
		$many
		$read
		BEGIN;
		INSERT INTO book (total) VALUES (200);
		PREPARE TRANSACTION 'late';
		INSERT INTO author (name) VALUES ('Cy');
		$settle
		$read
		COMMIT PREPARED 'late';
		$settle
		$read
	}), join("\n", 'author|{"name": "Ada"}', 'book|{"total": 100}', 'author|{"name": "Bo"}', 'book|{"total": 200}', 'author|{"name": "Cy"}'),
		'so does a reader of many tables');

	# No horizon is known, until a transaction of before the start is resolved.
	my ($outbox) = LuuidCluster::documented('cookbook/following.md', 'An ordered outbox');
	$recipes->safe_psql('postgres', qq{
		$outbox
		BEGIN;
		INSERT INTO outbox (message) VALUES ('late');
		INSERT INTO author (name) VALUES ('Di');
		UPDATE product SET price = 3 WHERE name = 'pen';
		INSERT INTO payment (account, amount) VALUES ('Bo', 10);
		PREPARE TRANSACTION 'late';
		INSERT INTO outbox (message) VALUES ('opened');
		INSERT INTO author (name) VALUES ('Ed');
		UPDATE product SET price = 7 WHERE name = 'ink';
		INSERT INTO payment (account, amount) VALUES ('Cy', 20);
	});
	my $present = $recipes->safe_psql('postgres', "$settle SELECT luuid_floor(clock_timestamp())");
	$recipes->restart;
	like($recipes->error_of('postgres', "SELECT * FROM take_messages('$present')"), qr/ERROR: .* the horizon is not known$/m,
		'without a horizon, an outbox takes no message');
	my $polls = qq{$read $run SELECT project_balance();};
	is($recipes->safe_psql('postgres', $polls), '0', '... and readers read nothing');
	is($recipes->safe_psql('postgres', qq{
		COMMIT PREPARED 'late';
		$settle
		SELECT message ->> 'message' FROM take_messages('$present'), json_array_elements(messages) AS message;
		$polls
	}), join("\n", 'late', 'opened', 'author|{"name": "Di"}', 'author|{"name": "Ed"}', 'pen|3', 'ink|7', 2), '... and then all');
	$recipes->stop;
}

done_testing();
