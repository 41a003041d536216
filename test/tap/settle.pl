# Readers that follow a table below luuid.settle, or a sequence up to luuid.settle_sequence, of sql/plain.sql, get every
# row once, on a server without luuid, whatever the writers do and beside a transaction that stays open. Those that ask
# for greater ids than their last miss rows, which shows that there is something to be missed.
# It tests plain SQL, not the module.
# needs: long
use LuuidCluster;
use LuuidReaders;
use Time::HiRes qw(usleep);

my $dir = PostgreSQL::Test::Utils::tempdir();
my $node = LuuidCluster->started('settle', 'max_prepared_transactions = 20', 'log_statement = none', 'wal_level = replica', 'max_wal_senders = 4');
my $upto = q{luuid.luuid_v7_floor(':position') AND id < luuid.luuid_v7_floor(':horizon')};

$node->safe_psql('postgres', slurp_file("$ENV{TESTDIR}/sql/plain.sql"));
$node->safe_psql('postgres', join '', q{
	CREATE ROLE writer LOGIN; CREATE ROLE auditor LOGIN; CREATE ROLE colleague LOGIN; CREATE ROLE stranger LOGIN;
	GRANT pg_execute_server_program TO writer;
	GRANT pg_read_all_stats TO auditor;
	GRANT writer TO colleague;
	GRANT USAGE ON SCHEMA luuid TO PUBLIC;
	GRANT ALL ON SCHEMA public TO PUBLIC;
	SET ROLE writer;
	CREATE SEQUENCE number;
	CREATE TABLE event (
		id uuid NOT NULL DEFAULT luuid.luuid_generate_v7(),
		n bigint NOT NULL DEFAULT nextval('number'),
		part bigint NOT NULL DEFAULT 0,
		kind text NOT NULL
	) PARTITION BY LIST (part);
	CREATE INDEX ON event (id);
	CREATE INDEX ON event (n);
	CREATE TABLE event_0 PARTITION OF event FOR VALUES IN (0);
	CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1);
	GRANT SELECT ON event, event_1, number TO PUBLIC;
}, $LuuidCluster::commands, q{
	CREATE FUNCTION note_early() RETURNS trigger LANGUAGE plpgsql
		AS 'DECLARE made uuid := luuid.luuid_generate_v7(); BEGIN INSERT INTO event (id, kind) VALUES (made, NEW.kind); RETURN NULL; END';
	CREATE TRIGGER early AFTER INSERT ON command FOR EACH ROW WHEN (NEW.kind = 'early') EXECUTE FUNCTION note_early();
});
my $readers = LuuidReaders->new($node, 'postgres', 'uuid', 'text', (map { ($_ => '-infinity') } qw(settle settle_in_block settle_partition)),
	careless => '00000000-0000-0000-0000-000000000000', sequence => 0, careless_sequence => 0);

my $pause = $LuuidCluster::pause;
my %writer = (
	%LuuidCluster::writer,
	early => qq{BEGIN; SELECT 1; $pause INSERT INTO event (kind) VALUES ('early'); COMMIT;},
	direct => qq{BEGIN; INSERT INTO event_1 (part, kind) VALUES (1, 'direct'); $pause COMMIT;},
	select => qq{
		BEGIN; INSERT INTO event (part, kind) SELECT n % 2, 'select' FROM generate_series(1, 3) AS n; $pause COMMIT;},
	# The id is there some time before the partition is locked.
	slow => q{
		INSERT INTO event (id, part, kind)
		SELECT id, part, 'slow' FROM (SELECT luuid.luuid_generate_v7() AS id, 1 AS part, pg_sleep(0.01) OFFSET 0) AS made;},
	locked => qq{
		BEGIN;
		LOCK TABLE event IN ROW EXCLUSIVE MODE;
		SELECT luuid.luuid_generate_v7() AS id \\gset
		$pause
		INSERT INTO event (id, kind) VALUES (':id', 'locked');
		COMMIT;},
	copy => qq{BEGIN; COPY event (kind) FROM PROGRAM 'printf "copy\\ncopy\\n"'; $pause COMMIT;},
	serializable => qq{BEGIN ISOLATION LEVEL SERIALIZABLE; INSERT INTO event (kind) VALUES ('serializable'); $pause COMMIT;},
	partition => qq{
		\\set new random(2, 1000000000)
		BEGIN;
		CREATE TABLE event_:new PARTITION OF event FOR VALUES IN (:new);
		INSERT INTO event_:new (part, kind) VALUES (:new, 'partition');
		$pause
		COMMIT;});

# Each goes on where it was, as a role of its own.
sub reading { my ($reader, $expression) = @_; return qq{SELECT position AS position FROM reader WHERE name = '$reader' \\gset\n$expression} }
sub page { my ($reader, @what) = @_; return LuuidReaders::page("'$reader'", @what) }
my $last_number = q{coalesce((SELECT max(n)::text FROM event JOIN page USING (id)), position)};
my %reader = (
	settle => [ 'auditor', reading('settle', q{CALL luuid.settle('event', ':position') \gset} . "\n"
				. page('settle', "id >= $upto", q{':horizon'})) ],
	settle_in_block => [ 'colleague', "BEGIN;\n" . reading('settle_in_block', q{CALL luuid.settle('event', ':position') \gset} . "\n"
				. page('settle_in_block', "id >= $upto", q{':horizon'})) . "\nCOMMIT;" ],
	settle_partition => [ 'auditor', reading('settle_partition', q{CALL luuid.settle('event_1', ':position') \gset} . "\n"
				. page('settle_partition', "part = 1 AND id >= $upto", q{':horizon'})) ],
	sequence => [ 'stranger', reading('sequence', q{CALL luuid.settle_sequence('number', :position, '1 min') \gset} . "\n"
				. page('sequence', 'n > :position AND n <= :upto', $last_number)) ],
	careless => [ 'stranger', reading('careless',
			page('careless', q{id > ':position'}, q{coalesce((SELECT max(id::text) FROM page), position)})) ],
	careless_sequence => [ 'stranger', reading('careless_sequence', page('careless_sequence', 'n > :position', $last_number)) ]);

sub files { my (%text) = @_; append_to_file("$dir/$_.sql", $text{$_}) for keys %text; return map { "--file=$dir/$_.sql" } sort keys %text }
sub pgbench
{
	my ($role, @options) = @_;
	return $node->background('pgbench', '--no-vacuum', @options, $node->connstr('postgres') . " user=$role");
}

# An unrelated transaction is open all the time. At times nobody writes, and the horizon is the present.
my $report = $node->background_sql('postgres',
	q{BEGIN; INSERT INTO command VALUES ('report'); SELECT pg_sleep(3600)});
LuuidCluster::wait_until('the unrelated transaction', sub {
		$node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND wait_event = 'PgSleep'}) }, $report);
my $seconds = LuuidCluster::scaled(10);
my %reader_file = map { ($_ => (files($_ => $reader{$_}[1]))[0]) } sort keys %reader;
my @writer_files = files(map { ("writer-$_" => $writer{$_}) } keys %writer);
my $kinds = q{SELECT count(DISTINCT kind) FROM event};
sub careless_missed { return map { ($readers->counts($_))[0] } qw(careless careless_sequence) }
# Another round where the machine was too busy for all of them.
for (1 .. 10)
{
	my @programs = (pgbench('writer', '--client=10', '--rate=40', "--time=$seconds", @writer_files),
		map { pgbench($reader{$_}[0], "--time=$seconds", $reader_file{$_}) } sort keys %reader);
	# Readers pause anywhere between two steps, while others begin, prepare and end.
	my $until = time + $seconds;
	while (time < $until)
	{
		my @readers = split /\n/, $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE usename IN ('auditor', 'colleague')});
		for (1 .. 30)
		{
			kill 'STOP', @readers;
			usleep(15_000);
			kill 'CONT', @readers;
			usleep(rand 15_000);
		}
	}
	$_->{run}->finish for @programs;
	unlike(join('', map { $_->{err} } @programs), qr/ERROR|abort/, 'no writer and no reader gets an error');
	$node->safe_psql('postgres', 'SELECT pg_sleep(0.01)');
	pgbench($reader{$_}[0], '--transactions=1', $reader_file{$_})->{run}->finish for sort keys %reader;
	last if $node->safe_psql('postgres', $kinds) == 16 && !grep { $_ == 0 } careless_missed();
}
is($node->safe_psql('postgres', $kinds), 16, 'every writer wrote');
cmp_ok($_, '>', 0, "without settling, a reader missed $_ rows") for careless_missed();
is($node->safe_psql('postgres', q{SELECT count(*) FROM event WHERE kind = 'rolled back'}), 0, 'and none was to be rolled back');
for my $reader (sort keys %reader)
{
	my %of = (rows => $reader eq 'settle_partition' ? 'event_1' : 'event');
	my $advances = $node->safe_psql('postgres', "SELECT advances FROM reader WHERE name = '$reader'");
	cmp_ok($advances, '>', 0, "$reader advanced $advances times");
	$readers->check_each_once('beside writers', [$reader], %of) unless $reader =~ /careless/;
}

# The rest goes step by step.
sub as
{
	my ($role, $sql) = @_;
	my ($status, $out, $error) = $node->psql('postgres', "\\set VERBOSITY sqlstate\n$sql", connstr => $node->connstr('postgres') . " user=$role");
	return $error =~ /(?:ERROR|FATAL): +(\S+)/ ? $1 : $out;
}
is(join(' ', map { as('auditor', "CALL luuid.settle($_, NULL)") } q{'pg_class_oid_index'}, q{'number'}, q{'pg_locks'}, 'NULL'),
	join(' ', ('42809') x 4), 'what is no table is refused');
$node->safe_psql('postgres', 'CREATE SEQUENCE cached CACHE 20; CREATE SEQUENCE cyclic CYCLE; CREATE SEQUENCE down INCREMENT -1;
	CREATE UNLOGGED SEQUENCE unlogged; CREATE UNLOGGED TABLE note (n bigserial, m bigint GENERATED ALWAYS AS IDENTITY);
	CREATE SEQUENCE fresh; CREATE SEQUENCE secret; GRANT SELECT ON fresh TO PUBLIC');
is(join(' ', map { as('stranger', "CALL luuid.settle_sequence('$_', NULL)") } qw(cached cyclic down unlogged note_n_seq note_m_seq)),
	join(' ', ('55000') x 6), 'so are sequences of which numbers come out of order, or once more after a crash');
is(join(' ', map { as('stranger', "CALL luuid.settle_sequence($_, NULL)") } qw('secret' 'event' NULL)), '42501 42809 42809',
	'hidden ones, and what is none');
is(as('stranger', q{CALL luuid.settle_sequence('fresh', 5)}), 5, 'of a sequence without numbers, none is settled');
is(as('stranger', q{BEGIN; CALL luuid.settle_sequence('number', NULL)}), '2D000', 'settle_sequence is refused in a transaction block');
is(join(' ', map { as('auditor', "BEGIN ISOLATION LEVEL $_; CALL luuid.settle('event', NULL)") } 'REPEATABLE READ', 'SERIALIZABLE'),
	'25001 25001', 'settle is refused with a snapshot that can be older');

# Sessions that stay in a transaction.
sub held
{
	my ($role, $lock, @statements) = @_;
	my $program = $node->background_sql("postgres user=$role", 'BEGIN', @statements, 'SELECT pg_sleep(3600)');
	LuuidCluster::wait_until("the lock of $role", sub {
			$node->safe_psql('postgres', "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
			WHERE mode = '$lock' AND usename = '$role' AND locktype = 'relation' AND relation >= 16384") }, $program);
	return $program;
}
sub end
{
	my ($role, $program) = @_;
	$node->safe_psql('postgres', "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE usename = '$role' ");
	$program->{run}->finish;
	return;
}
my $held = q{SELECT count(*) FROM pg_locks WHERE relation = ''event''::regclass AND mode = ''RowExclusiveLock''};
my $began = q{(SELECT date_trunc('milliseconds', min(xact_start)) FROM pg_stat_activity WHERE usename = };

# One that asks before the writer comes, and again in the same transaction.
my $repeated = $node->background_sql('postgres user=auditor',
	'BEGIN', q{CALL luuid.settle('event', NULL)}, qq{DO 'BEGIN WHILE ($held) = 0 LOOP PERFORM pg_sleep(0.01); END LOOP; END'},
	q{CALL luuid.settle('event', NULL)});
LuuidCluster::wait_until('the first call', sub {
		$node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE usename = 'auditor' AND query ~ '^DO'}) }, $repeated);
my $writer = held('writer', 'RowExclusiveLock', 'SELECT pg_sleep(0.5)', q{INSERT INTO event (kind) VALUES ('open')});
$repeated->{run}->finish;
is((split /\n/, $repeated->{out})[1], $node->safe_psql('postgres', "SELECT $began 'writer')"), 'a second call in a transaction sees who came since');
is(as('stranger', q{CALL luuid.settle('event', NULL)}), '42501', 'a role that may not see an open writer is refused');
like(as('stranger', q{CALL luuid.settle('reader', NULL)}), qr/^20/, 'but not for another table');
for my $role (qw(auditor colleague))
{
	for my $table (qw(event event_1))
	{
		is(as($role, qq{CALL luuid.settle('$table', NULL) \\gset\nSELECT :'horizon' = $began 'writer')}), 't',
			"for $role, the horizon of $table is the start of the writer's transaction, to the millisecond");
	}
}
like(as('auditor', q{CALL luuid.settle('event', '2100-01-01 00:00:00.000001+00')}), qr/^2100-01-01 .*\.000001/,
	'the horizon is not before a given one');
is(as('stranger', q{CALL luuid.settle_sequence('number', 7, '50 ms')}), 7, 'after the timeout the given number comes back');
end('writer', $writer);

$node->safe_psql('postgres', 'ALTER ROLE writer SET track_activities = off');
$writer = held('writer', 'RowExclusiveLock', q{INSERT INTO event (kind) VALUES ('open')});
is(as('auditor', q{CALL luuid.settle('event', NULL)}), '42501', 'so is every role if the writer does not tell its start');
end('writer', $writer);

# Ids that fill a new column come without the lock of an INSERT.
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN; CREATE TABLE filled (n int); ALTER TABLE filled OWNER TO owner');
my $owner = held('owner', 'AccessExclusiveLock', 'ALTER TABLE filled ADD id uuid DEFAULT luuid.luuid_generate_v7()');
my $held_back = qq{CALL luuid.settle('filled', NULL) \\gset\nSELECT :'horizon' = $began 'owner')};
is(as('auditor', $held_back), 't', 'so does ALTER TABLE hold back');
end('owner', $owner);

# A child by inheritance; new ones, which only their creator can see; and who locks the table as that does.
$node->safe_psql('postgres', 'CREATE TABLE child () INHERITS (filled); CREATE TABLE single (LIKE filled);
	CREATE TABLE rows (n int) PARTITION BY LIST (n);
	ALTER TABLE child OWNER TO owner; ALTER TABLE single OWNER TO owner; ALTER TABLE rows OWNER TO owner');
for (
	[ 'a writer of a child', 'RowExclusiveLock', 'INSERT INTO child DEFAULT VALUES' ],
	[ 'who creates a child', 'ShareUpdateExclusiveLock', 'CREATE TABLE another () INHERITS (filled)', 'INSERT INTO another DEFAULT VALUES' ],
	[ 'who makes a table one', 'ShareUpdateExclusiveLock', 'ALTER TABLE single INHERIT filled', 'INSERT INTO single DEFAULT VALUES' ])
{
	my ($who, @statements) = @$_;
	$owner = held('owner', @statements);
	is(as('auditor', $held_back), 't', "... and $who");
	end('owner', $owner);
}
$owner = held('owner', 'ShareUpdateExclusiveLock', 'CREATE TABLE part (LIKE rows)', 'ALTER TABLE rows ATTACH PARTITION part FOR VALUES IN (1)');
is(as('auditor', $held_back =~ s/filled/rows/r), 't', '... or a partition');
end('owner', $owner);
$owner = held('owner', 'ShareUpdateExclusiveLock', 'ANALYZE filled');
is(as('auditor', $held_back =~ s/= \(/> (/r), 't', '... and not ANALYZE');
end('owner', $owner);

# A writer through the parent of a partition that is being detached, which it locks only after it has generated the id.
$node->safe_psql('postgres', q{CREATE TABLE split (id uuid DEFAULT luuid.luuid_generate_v7(), part int, what text) PARTITION BY LIST (part);
	CREATE TABLE split_1 PARTITION OF split FOR VALUES IN (1); GRANT ALL ON split TO writer; ALTER ROLE writer RESET track_activities});
my $gate = $node->background_psql('postgres');
$gate->query_safe('SELECT pg_advisory_lock(1)');
$writer = $node->background_sql('postgres user=writer', q{INSERT INTO split (part, what) VALUES (1, pg_advisory_lock(1)::text)});
LuuidCluster::wait_until('the writer', sub { $node->safe_psql('postgres',
			q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted}) }, $writer);
my $detach = $node->background_sql('postgres', 'ALTER TABLE split DETACH PARTITION split_1 CONCURRENTLY');
LuuidCluster::wait_until('the detach', sub { $node->safe_psql('postgres', 'SELECT count(*) FROM pg_inherits WHERE inhdetachpending') }, $detach);
is(as('auditor', qq{CALL luuid.settle('split_1', NULL) \\gset\nSELECT :'horizon' = $began 'writer')}), 't',
	'so does a writer through the parent that a partition leaves');
$gate->query_safe('SELECT pg_advisory_unlock(1)');
$gate->quit;
$_->{run}->finish for $writer, $detach;
is($node->safe_psql('postgres', 'SELECT count(*) FROM split_1'), '1', '... whose row is there');

# An id that outlives a savepoint or a PL/pgSQL block, whose end releases the lock: read by one that comes in between, then
# stored again.
my $outlives = sub {
	my ($how, $stores, @before) = @_;
	my $session = $node->background_psql('postgres');
	$session->query_safe("BEGIN; @before");
	my $made = $session->query_safe($how);
	$session->query_safe('ROLLBACK TO one') if $how =~ /SAVEPOINT/;
	$node->safe_psql('postgres', 'SELECT pg_sleep(0.002)');
	my $horizon = as('auditor', q{CALL luuid.settle('event', NULL)});
	$session->query_safe(sprintf("INSERT INTO event (id, kind) VALUES ($stores, 'opened'); COMMIT", $made));
	$session->quit;
	return $node->safe_psql('postgres', "DELETE FROM event WHERE kind = 'opened' RETURNING id < luuid.luuid_v7_floor('$horizon')");
};
my %ends = (
	'ROLLBACK TO' => q{SAVEPOINT one; INSERT INTO event (kind) VALUES ('opened') RETURNING id},
	# A variable of the block outside keeps the id.
	EXCEPTION => q{
		CREATE TEMP TABLE kept (id uuid) ON COMMIT DROP;
		DO $$
		DECLARE made uuid;
		BEGIN
			BEGIN
				INSERT INTO event (kind) VALUES ('opened') RETURNING id INTO made;
				PERFORM 1 / 0;
			EXCEPTION WHEN division_by_zero THEN
			END;
			INSERT INTO kept VALUES (made);
		END $$;
		SELECT id FROM kept});
for my $end (sort keys %ends)
{
	is($outlives->($ends{$end}, q{'%s'}), 't', "an id that outlives $end is missed");
	is($outlives->($ends{$end}, 'luuid.luuid_generate_v7()'), 'f', '... and not a new one,');
	is($outlives->($ends{$end}, q{'%s'}, 'LOCK TABLE event IN ROW EXCLUSIVE MODE;'), 'f', 'nor one where the table was locked before');
}

# Ids that are generated before their table is locked, while others hold it.
$node->safe_psql('postgres', 'GRANT ALL ON event TO owner');
my $prepare = q{PREPARE made(uuid) AS INSERT INTO event (id, kind) VALUES ($1, 'executed')};
my $locked = $held =~ s/RowExclusive/Share/r;
for my $writes (
	q{EXECUTE made(luuid.luuid_generate_v7())},
	q{DO $$ BEGIN EXECUTE 'INSERT INTO event (id, kind) VALUES ($1, ''used'')' USING luuid.luuid_generate_v7(); END $$},
	q{INSERT INTO command VALUES ('early')})
{
	$writer = $node->background_sql('postgres user=writer',
		$prepare, "DO 'BEGIN WHILE ($locked) = 0 LOOP PERFORM pg_sleep(0.01); END LOOP; END'", 'BEGIN', $writes, 'SELECT pg_sleep(3600)');
	$owner = held('owner', 'ShareLock', 'LOCK TABLE event IN SHARE MODE');
	LuuidCluster::wait_until('the writer', sub { $node->safe_psql('postgres', 'SELECT count(*) FROM pg_locks WHERE NOT granted') }, $writer);
	is(as('auditor', qq{CALL luuid.settle('event', NULL) \\gset\nSELECT :'horizon' = $began 'writer')}), 't', "one that waits holds back: $writes");
	end('owner', $owner);
	end('writer', $writer);
}

# TRUNCATE locks the sequence that it restarts.
$node->safe_psql('postgres', 'CREATE TABLE restarted (n bigserial); INSERT INTO restarted DEFAULT VALUES;
	GRANT SELECT ON restarted_n_seq TO PUBLIC; ALTER TABLE restarted OWNER TO owner');
$owner = held('owner', 'AccessExclusiveLock', 'TRUNCATE restarted RESTART IDENTITY');
is(join(' ', map { as('stranger', "CALL luuid.settle_sequence('restarted_n_seq', 7, '$_')") } '50 ms', '0', '-1 s'), '7 7 7',
	'after the timeout the given number comes back from a sequence that TRUNCATE restarts');
is(as('stranger', q{CALL luuid.settle_sequence('restarted_n_seq', 7, '50 ms'); SHOW lock_timeout}), "7\n0", '... and the session is as before');
end('owner', $owner);
is(as('stranger', q{CALL luuid.settle_sequence('restarted_n_seq', NULL, '100 years')}), '1', '... and the last number, once it has ended');

# A backup gives out numbers again that readers have passed.
$node->safe_psql('postgres', 'CREATE TABLE task (n bigserial, what text); INSERT INTO task (what) SELECT 1 FROM generate_series(1, 10)');
$node->backup('earlier');
$node->safe_psql('postgres', q{INSERT INTO task (what) SELECT 'lost' FROM generate_series(1, 100)});
my $last = $node->safe_psql('postgres', q{CALL luuid.settle_sequence('task_n_seq', NULL)});
my $restored = LuuidCluster->new('restored');
$restored->init_from_backup($node, 'earlier');
$restored->start;
my $begin = $restored->safe_psql('postgres', 'SELECT max(n) FROM task');
$restored->safe_psql('postgres', q{INSERT INTO task (what) SELECT 'new' FROM generate_series(1, 5)});
is($restored->safe_psql('postgres', qq{CALL luuid.settle_sequence('task_n_seq', NULL) \\gset
	SELECT count(*) FILTER (WHERE n > $last), count(*) FILTER (WHERE n > $begin) FROM task WHERE n <= :upto}), '0|5',
	'after a restore, a reader that goes on after its last number misses rows, and one that begins at the last of before the writes does not');
$restored->stop;

# The locks of a prepared transaction survive a restart.
$node->safe_psql('postgres', q{BEGIN; INSERT INTO event (kind) VALUES ('prepared'); PREPARE TRANSACTION 'lasting'});
my ($before) = as('auditor', q{CALL luuid.settle('reader', NULL)});
$node->restart;
for my $given ('NULL', "'$before'")
{
	is(as('auditor', "CALL luuid.settle('event', $given)"), $given eq 'NULL' ? '' : $before,
		'a prepared transaction leaves the horizon where it was, ' . ($given eq 'NULL' ? 'nowhere' : 'at the given one'));
}
is(as('stranger', q{CALL luuid.settle_sequence('number', 7, '50 ms')}), 7, 'and the number');
$node->safe_psql('postgres', q{COMMIT PREPARED 'lasting'});
like(as('auditor', q{CALL luuid.settle('event', NULL)}), qr/^20/, 'until it ends');
is(as('stranger', q{CALL luuid.settle_sequence('number', 7) \gset} . "\nSELECT :upto = max(n) FROM event"), 't', 'to the last');

# A server in recovery.
$node->stop;
append_to_file($node->data_dir . '/standby.signal', '');
$node->start;
is(join(' ', map { as('auditor', "CALL luuid.$_, NULL)") } q{settle('event'}, q{settle_sequence('number'}), '55000 55000',
	'both are refused on a standby');

done_testing();
