# Wake-ups of luuid_wait() beside another database: none is lost while transactions are prepared in both, and none is
# for the other's rows. It finds faults that need an order of events in several processes; other tests find a wrong line.
# needs: long
use LuuidCluster;

my (undef, undef, $modules) = LuuidCluster::own_stage();
LuuidCluster::build_module($modules, 'slow_end');
my $node = LuuidCluster->started('preloaded', q{shared_preload_libraries = 'luuid'}, 'max_prepared_transactions = 5', 'autovacuum = off',
	'fsync = off');
for my $database (qw(one other))
{
	$node->safe_psql('postgres', "CREATE DATABASE $database OID " . ($database eq 'one' ? 70001 : 70002));
	$node->safe_psql($database, 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n serial)');
}

# Reads so many rows, each before the next one is inserted, and returns how many it was not woken for.
$node->safe_psql('one', q{
	CREATE TABLE consumed (n bigint);
	INSERT INTO consumed VALUES (0);
	CREATE PROCEDURE consume(rows int, INOUT missed int DEFAULT 0) LANGUAGE plpgsql AS $$
	DECLARE
		upto luuid := luuid_horizon();
		since luuid;
		begun timestamptz;
		found bigint := 0;
	BEGIN
		UPDATE consumed SET n = (SELECT count(*) FROM event);
		WHILE found < rows LOOP
			since := upto;
			COMMIT;
			begun := clock_timestamp();
			CALL luuid_wait(upto, '5 s');
			COMMIT;
			-- Nothing but the timeout ended it.
			missed := missed + (clock_timestamp() >= begun + '5 s')::int;
			found := found + (SELECT count(*) FROM event WHERE id >= since AND id < upto);
			UPDATE consumed SET n = n + (SELECT count(*) FROM event WHERE id >= since AND id < upto);
		END LOOP;
	END $$;
	CREATE FUNCTION wait_until_consumed() RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		WHILE (SELECT n FROM consumed) < (SELECT count(*) FROM event) LOOP
			PERFORM pg_sleep(0.001);
		END LOOP;
	END $$;
});
my ($session, $elsewhere) = map { $node->background_psql($_) } qw(one other);
my $nothing = q{CALL luuid_wait('ffffffff-ffff-ffff-ffff-ffffffffffff')};

# A session that waits for ever, so that transactions of its database have somebody to wake.
sub bystander
{
	my ($database) = @_;
	my $bystander = $node->background_sql($database, $nothing);
	LuuidCluster::wait_until('a bystander', sub {
			$node->safe_psql($database, q{SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query ~ '^CALL'
			AND wait_event_type = 'Extension'}) },
		$bystander);
	return $bystander;
}
my @bystanders = map { bystander($_) } qw(one other);

# Who resolves a prepared transaction, stopped before it has ended its own -------------------------------------------

for my $case ([ 'COMMIT', 'SELECT 1' ], map { [ $_, q{BEGIN; SELECT luuid_generate(); PREPARE TRANSACTION 'other'} ] } qw(COMMIT ROLLBACK))
{
	my ($end, $beside) = @$case;
	$session->query_safe(q{BEGIN; INSERT INTO event DEFAULT VALUES; PREPARE TRANSACTION 'one'});
	$node->safe_psql('one', 'INSERT INTO event DEFAULT VALUES; SELECT pg_sleep(0.002)');
	my $waiter = $node->background_sql('one', q{SET statement_timeout = '15 s'},
		q{DO 'DECLARE upto luuid := luuid_horizon(); BEGIN CALL luuid_wait(upto); END'});
	LuuidCluster::wait_until('the waiter', sub { $node->safe_psql('one', 'SELECT waiters > 2 FROM luuid_stat()') eq 't' }, $waiter);
	append_to_file($node->data_dir . '/stop', '');
	my $resolver = $node->background_sql('one', q{LOAD 'slow_end'}, "$end PREPARED 'one'");
	LuuidCluster::wait_until('its end', sub { !$node->safe_psql('postgres', q{SELECT count(*) FROM pg_prepared_xacts}) }, $resolver);
	$elsewhere->query_safe($beside);
	unlink $node->data_dir . '/stop';
	$_->{run}->finish for $resolver, $waiter;
	is($resolver->{err} . $waiter->{err}, '', "$end PREPARED is noticed, with $beside in another database meanwhile");
	$elsewhere->query_safe(q{ROLLBACK PREPARED 'other'}) if $beside =~ /PREPARE/;
}
$session->quit;
$elsewhere->quit;

# The same under load -------------------------------------------------------------------------------------------------

my $dir = PostgreSQL::Test::Utils::tempdir();
append_to_file("$dir/prepare.sql", q{
	BEGIN;
	INSERT INTO event DEFAULT VALUES;
	PREPARE TRANSACTION 'one';
	\sleep 4 ms
	COMMIT PREPARED 'one';
	SELECT wait_until_consumed();
} =~ s/^\s+//mgr);
my %load = ('transactions without ids' => 'SELECT 1', 'prepared transactions' => q{
	\set number random(1, 1000000000)
	BEGIN;
	SELECT luuid_generate();
	PREPARE TRANSACTION ':number';
	COMMIT PREPARED ':number';
});
for my $name (sort keys %load)
{
	append_to_file("$dir/load.sql", '');
	open my $file, '>', "$dir/load.sql" or die $!;
	print $file $load{$name} =~ s/^\s+//mgr;
	close $file;
	my $load = $node->background('pgbench', '-n', '-c', '4', '-T', '3600', '-f', "$dir/load.sql", $node->connstr('other'));
	my $rows = LuuidCluster::scaled(100);
	my $consumer = $node->background_sql('one', "CALL consume($rows)");
	# It has counted the rows of before by then.
	LuuidCluster::wait_until('the consumer', sub { $node->safe_psql('one',
				q{SELECT count(*) FROM pg_stat_activity WHERE query ~ '^CALL consume' AND wait_event_type = 'Extension'}) }, $consumer);
	$node->run_log([ 'pgbench', '-n', '-t', $rows, '-f', "$dir/prepare.sql", $node->connstr('one') ]);
	$consumer->{run}->finish;
	is($consumer->{out} . $consumer->{err}, "0\n", "COMMIT PREPARED wakes the reader, beside $name of another database");
	ok($load->{run}->pumpable, '... which went on meanwhile') or diag $load->{err};
	$load->{run}->kill_kill;
}

# What a database has, its readers alone wait for -------------------------------------------------------------------

sub looks { return $node->safe_psql('one', q{SELECT horizons_asked FROM luuid_stat()}) }
my $looks = looks();
$node->safe_psql('other', 'INSERT INTO event DEFAULT VALUES') for 1 .. 20;
is(looks(), $looks, 'rows of another database wake nobody');

# What a waiter holds -----------------------------------------------------------------------------------------------

$node->safe_psql('one', 'CREATE TABLE altered (n int)');
my $body = "DO \$\$ DECLARE upto luuid := 'ffffffff-ffff-ffff-ffff-ffffffffffff'; n int; BEGIN
	SELECT count(*) INTO n FROM altered; PERFORM pg_advisory_xact_lock(5); CALL luuid_wait(upto); END \$\$";
my $waiter = $node->background_sql('one application_name=waiter', $body);
my $row = q{FROM pg_stat_activity WHERE application_name = 'waiter'};
LuuidCluster::wait_until('the waiter', sub { $node->safe_psql('one', "SELECT count(*) $row AND wait_event_type = 'Extension'") }, $waiter);
is($node->safe_psql('one', "SELECT count(*) FROM pg_locks WHERE locktype <> 'virtualxid' AND pid = (SELECT pid $row)"), '0',
	'a procedure that has read a table holds no lock while it waits');
$node->safe_psql('one', q{SET lock_timeout = '10 s'; ALTER TABLE altered ADD m int});
is($node->safe_psql('one', "SELECT count(*) $row AND wait_event_type = 'Extension'"), '1', '... so that the table can be altered');
$node->safe_psql('one', "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Extension'");
$_->{run}->finish for $waiter, $bystanders[0];
like($node->error_of('one', q{DO $$ DECLARE upto luuid; BEGIN CALL luuid_wait(upto);
	EXCEPTION WHEN division_by_zero THEN NULL; END $$}),
	qr/cannot run inside a transaction block or a function|cannot commit while a subtransaction is active/,
	'refused in a block with EXCEPTION, which is a subtransaction');

$node->stop('fast');
$bystanders[1]{run}->finish;
done_testing();
