# A session that waits for rows by luuid_wait(): what wakes it, what it holds meanwhile, and how it ends.
# needs: long
use LuuidCluster;

my ($alone, $node) = LuuidCluster->started_both('max_prepared_transactions = 2', 'autovacuum = off', 'log_min_duration_statement = -1',
	'restart_after_crash = on');
sub query { my ($query) = @_; return $node->safe_psql('postgres', $query) }

# A session that waits from now on, and is waiting.
my $name = 0;
sub waiter
{
	my ($from, $timeout) = @_;
	$from //= "'" . query('SELECT luuid_horizon()') . "'";
	$timeout //= 'NULL';
	my $waiter = $node->background_sql('postgres application_name=waiter' . ++$name, "CALL luuid_wait($from, $timeout)");
	@$waiter{qw(name from timeout)} = ("waiter$name", $from, $timeout);
	return $waiter;
}

# One that has found nothing to return yet, and sleeps.
sub sleeping
{
	my $waiter = waiter(@_);
	LuuidCluster::wait_until('the waiter to sleep',
		sub { query("SELECT count(*) FROM pg_stat_activity WHERE application_name = '$waiter->{name}' AND wait_event_type = 'Extension'") },
		$waiter);
	return $waiter;
}

# The rows that a waiter returns a horizon for, at last; or that it returned what it was given. A horizon without rows is
# waited on from, as a consumer does.
sub rows
{
	my ($waiter, $returns) = (@_, 0);
	return 'nothing' if $returns > 50;
	$waiter->{run}->finish;
	my ($upto) = $waiter->{out} =~ /^([0-9a-f-]{36})$/m or return "error: $waiter->{err}";
	return 'as given' if "'$upto'" eq $waiter->{from};
	my $from = $waiter->{from} eq 'NULL' ? q{'00000000-0000-0000-0000-000000000000'} : $waiter->{from};
	return query("SELECT string_agg(what, ' ' ORDER BY id) FROM event WHERE id >= $from AND id < '$upto'")
		|| rows(waiter("'$upto'", $waiter->{timeout}), $returns + 1);
}

# Tests that a waiter which has found nothing so far looks again upon a statement, and then sleeps again. It asks for a
# horizon only where it finds something that has arrived.
sub is_woken_in_vain
{
	my ($waiter, $session, $statement, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $looks = query('SELECT horizons_asked FROM luuid_stat()');
	$session->query_safe($statement);
	LuuidCluster::wait_until('the waiter to look', sub { query("SELECT horizons_asked > $looks FROM luuid_stat()") eq 't' });
	my $state;
	LuuidCluster::wait_until('the waiter to sleep or to end', sub {
			$state = query("SELECT wait_event_type FROM pg_stat_activity WHERE application_name = '$waiter->{name}' AND state = 'active'");
			return $state =~ /^(Extension)?$/;
	});
	is($state, 'Extension', $name);
	return;
}

sub state_of { my ($sql) = @_; return $node->error_of('postgres', $sql) }

# What wakes it ------------------------------------------------------------------------------------------------------

my $waiter = sleeping();
query(q{INSERT INTO event VALUES (DEFAULT, 'one')});
is(rows($waiter), 'one', 'a commit');

my $from = "'" . query('SELECT luuid_horizon()') . "'";
query(q{INSERT INTO event VALUES (DEFAULT, 'before')});
is(rows(waiter($from)), 'before', 'a commit between the read and the wait');

my ($session, $other) = map { $node->background_psql('postgres') } 1 .. 2;
$session->query_safe(q{BEGIN; INSERT INTO event VALUES (DEFAULT, 'held back')});
$waiter = sleeping();
is_woken_in_vain($waiter, $other, q{INSERT INTO event VALUES (DEFAULT, 'after it')}, 'a commit that an open transaction holds back does not');
$session->query_safe('ROLLBACK');
is(rows($waiter), 'after it', 'the rollback of what held a commit back');

$waiter = sleeping();
$session->query_safe(q{BEGIN; INSERT INTO event VALUES (DEFAULT, 'prepared'); PREPARE TRANSACTION 'one'});
$other->query_safe(q{COMMIT PREPARED 'one'});
is(rows($waiter), 'prepared', 'COMMIT PREPARED, by another session');

$session->query_safe(q{BEGIN; INSERT INTO event VALUES (DEFAULT, 'rolled back'); PREPARE TRANSACTION 'two'});
$waiter = sleeping();
$other->query_safe(q{INSERT INTO event VALUES (DEFAULT, 'beside it')});
$other->query_safe(q{ROLLBACK PREPARED 'two'});
is(rows($waiter), 'beside it', 'ROLLBACK PREPARED of what held a commit back');

query(q{SET luuid.max_ahead = 2000; SELECT count(*) FROM
	(SELECT luuid_generate_near('00000000-0000-0000-0000-000000000000', 32) FROM generate_series(1, 300)) AS ahead});
$from = "'" . query('SELECT luuid_horizon()') . "'";
query(q{
	SELECT count(luuid_generate_near('00000000-0000-0000-0000-000000000000', 32)) FROM generate_series(1, 300);
	INSERT INTO event VALUES (DEFAULT, 'ahead');
});
is(rows(waiter($from)), 'ahead', 'a row whose id is ahead of the clock, once the clock is there');

query('CREATE DATABASE other');
$node->safe_psql('other', 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid DEFAULT luuid_generate())');
$waiter = sleeping(undef, q{'1 s'});
$node->safe_psql('other', 'INSERT INTO event DEFAULT VALUES');
query('SELECT luuid_generate()');
is(rows($waiter), 'as given', 'neither another database nor a transaction that stores nothing does, until the timeout');
is(rows(waiter(undef, q{'-1 s'})), 'as given', 'a timeout that is over');
is(rows(waiter(undef, q{'-infinity'})), 'as given', '... for ever') if $node->pg_version >= 17;
like(query(q{CALL luuid_wait(NULL)}), qr/^[0-9a-f-]{36}$/, 'NULL, of who has read nothing yet, is answered at once');

# What it holds ------------------------------------------------------------------------------------------------------

$waiter = sleeping();
my $row = "FROM pg_stat_activity WHERE application_name = '$waiter->{name}'";
is(query("SELECT backend_xmin, backend_xid $row"), '|', 'it holds no snapshot');
is(query("SELECT count(*) FROM pg_locks WHERE locktype <> 'virtualxid' AND pid = (SELECT pid $row)"), '0', '... and no lock');
is(query("SELECT wait_event $row"), $node->pg_version >= 17 ? 'LuuidWait' : 'Extension', '... and its wait event tells');

# How it ends --------------------------------------------------------------------------------------------------------

query("SELECT pg_cancel_backend(pid) $row");
like(rows($waiter), qr/canceling statement due to user request/, 'it ends on cancel');
$waiter = sleeping();
query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '$waiter->{name}'");
like(rows($waiter), qr/terminating connection due to administrator command/, '... on terminate');

$from = "'" . query('SELECT luuid_horizon()') . "'";
query(q{INSERT INTO event VALUES (DEFAULT, 'before the restart')});
my $call = "CALL luuid_wait($from, '0')";
like(state_of("BEGIN; $call"), qr/2D000: luuid_wait\(\) cannot run inside a transaction block or a function/, 'refused in a transaction block');
query("CREATE FUNCTION waiting() RETURNS void LANGUAGE plpgsql AS \$\$ DECLARE h luuid := $from; BEGIN CALL luuid_wait(h, '0'); END \$\$");
like(state_of('SELECT waiting()'), qr/2D000: /, '... in a function');
like(state_of(qq{DO \$\$ DECLARE h luuid := $from; BEGIN INSERT INTO event DEFAULT VALUES; CALL luuid_wait(h, '0'); END \$\$}),
	qr/25001: luuid_wait\(\) cannot run in a transaction that has written/, '... after a write in a procedure');
like(state_of($_), qr/25001: luuid_wait\(\) cannot run in a transaction that has .*generated ids/,
	"... after ids that would hold it back for ever: $_")
	for q{CALL luuid_wait(luuid_generate(), '0')}, q{DO 'DECLARE h luuid; BEGIN PERFORM luuid_generate(); CALL luuid_wait(h); END'};
like(state_of("SET default_transaction_isolation = 'repeatable read';\n$call"), qr/25001: luuid_wait\(\) cannot run in an isolation level above READ COMMITTED/, '... or with a snapshot of a whole transaction');
is(query(qq{DO \$\$ DECLARE h luuid := '00000000-0000-0000-0000-000000000000'; BEGIN INSERT INTO event DEFAULT VALUES;
	COMMIT; CALL luuid_wait(h); COMMIT; ASSERT h > $from; END \$\$; SELECT 1}), '1',
	'a procedure may, after COMMIT');
query(q{CREATE PROCEDURE waiting_in_read_committed(INOUT horizon luuid) LANGUAGE plpgsql AS
	'BEGIN COMMIT; SET TRANSACTION ISOLATION LEVEL READ COMMITTED; CALL luuid_wait(horizon); END'});
$session->query_safe(q{BEGIN; INSERT INTO event VALUES (DEFAULT, 'held back')});
query(q{INSERT INTO event VALUES (DEFAULT, 'after it')});
my $upto = query('SELECT luuid_horizon()');
{
	local $ENV{PGOPTIONS} = q{-c default_transaction_isolation=repeatable\\ read};
	$waiter = $node->background_sql('postgres application_name=committed', "CALL waiting_in_read_committed('$upto')");
}
LuuidCluster::wait_until('the procedure to sleep', sub { query(q{SELECT count(*) FROM pg_stat_activity
	WHERE application_name = 'committed' AND wait_event_type = 'Extension'}) }, $waiter);
is(query(q{SELECT backend_xmin FROM pg_stat_activity WHERE application_name = 'committed'}), '',
	'a procedure in READ COMMITTED holds no snapshot, whatever the default isolation level is');
$session->query_safe('COMMIT');
$waiter->{run}->finish;
like($waiter->{out} . $waiter->{err}, qr/^[0-9a-f-]{36}$/, '... and returns');
like($alone->error_of('postgres', 'CALL luuid_wait(NULL)'), qr/55000: luuid must be loaded via "shared_preload_libraries"/, '... without preload');

# What it costs -------------------------------------------------------------------------------------------------------

query(q{CREATE TRIGGER guard AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION luuid_guard('id', NULL)});
my $since = "'" . query('SELECT luuid_horizon()') . "'";
$session->query_safe(q{SET luuid.max_ahead = '1 s'; INSERT INTO event
	VALUES (luuid_generate(clock_timestamp() + interval '1.5 s'), 'of a clock that is ahead')});
$session->query_safe(q{INSERT INTO event VALUES (DEFAULT, 'after it')});
is(rows(waiter($since)), 'after it', 'a row after one whose id is ahead of the clock');
my $returns = 0;
LuuidCluster::wait_until('the row whose id is ahead', sub {
		$returns++;
		$since = "'" . query("CALL luuid_wait($since)") . "'";
		return query("SELECT count(*) FROM event WHERE what = 'of a clock that is ahead' AND id < $since");
});
cmp_ok($returns, '<=', 17, '... which keeps waiters no busier than every 100 ms, until they return for it as its time comes');
is(rows(waiter($since, q{'300 ms'})), 'as given', '... and no longer');
query('DROP TRIGGER guard ON event');

my ($stderr) = state_of(q{
	DO $$
	DECLARE
		h luuid := luuid_horizon();
		begun timestamptz := clock_timestamp();
	BEGIN
		FOR turn IN 1 .. 200 LOOP
			INSERT INTO event VALUES (DEFAULT, 'busy');
			COMMIT;
			CALL luuid_wait(h);
			COMMIT;
		END LOOP;
		ASSERT clock_timestamp() - begun > '350 ms', clock_timestamp() - begun;
	END
	$$});
is($stderr, '', 'where rows come all the time, a session is given a horizon every 2 ms');

# Its ids are ahead of the clock until the restart below.
my ($horizon) = query(q{
	SET luuid.max_ahead = '10s';
	SELECT luuid_horizon();
	BEGIN;
	INSERT INTO event VALUES (DEFAULT, 'settled');
	SELECT FROM generate_series(1, 5000) WHERE luuid_generate_near('00000000-0000-0000-0000-000000000000', 32) IS NULL;
	INSERT INTO event VALUES (DEFAULT, 'ahead');
	COMMIT;
	SELECT FROM pg_sleep(0.002);
	BEGIN; INSERT INTO event VALUES (DEFAULT, 'open'); PREPARE TRANSACTION 'open';
}) =~ /^([0-9a-f-]{36})$/m;
is(rows(waiter("'$horizon'", q{'1 s'})), 'settled', 'a row of a transaction whose other one, ahead of the clock, an open transaction holds back');
query(q{ROLLBACK PREPARED 'open'});
query(q{DELETE FROM event WHERE what = 'ahead'});

$_->quit for $session, $other;
for my $nothing ('NULL', q{'00000000-0000-0000-0000-000000000000'})
{
	query(q{BEGIN; INSERT INTO event VALUES (DEFAULT, 'of before'); PREPARE TRANSACTION 'three'});
	$node->restart;
	$waiter = sleeping($nothing);
	query(q{COMMIT PREPARED 'three'});
	like(rows($waiter), qr/of before/, "from $nothing, it sleeps until the end of a transaction that was prepared before the server's start");
}

my $writer = $node->background_sql('postgres', 'BEGIN', q{INSERT INTO event VALUES (DEFAULT, 'of a killed writer')}, 'SELECT pg_sleep(3600)');
LuuidCluster::wait_until('the writer to insert', sub { query('SELECT count(*) FROM luuid_in_flight()') }, $writer);
$waiter = sleeping();
$node->kill_process(query('SELECT pid FROM luuid_in_flight()'));
like(rows($waiter), qr/server closed the connection|terminating connection because of crash/, 'it ends where a writer is killed');
$writer->{run}->finish;
for my $killed ('a writer', 'a waiter')
{
	$waiter = sleeping();
	query(qq{INSERT INTO event VALUES (DEFAULT, 'after $killed')});
	is(rows($waiter), "after $killed", "after $killed was killed, a waiter is woken");
	last if $killed eq 'a waiter';
	my @waiters = map { sleeping() } 1 .. 2;
	$node->kill_process(query("SELECT pid FROM pg_stat_activity WHERE application_name = '$waiters[0]{name}'"));
	like(rows($_), qr/server closed the connection|terminating connection because of crash/, 'it ends where a waiter is killed') for @waiters;
	is(query('SELECT waiters FROM luuid_stat()'), '0', '... and none is counted that is not there');
}

$waiter = sleeping();
$node->stop('fast');
like(rows($waiter), qr/terminating connection due to administrator command/, 'it ends at a fast shutdown');
$node->start;
like(rows(waiter($from)), qr/^before the restart/, 'what was committed before a restart is found after it');

done_testing();
