# A server whose clock is stepped back and forth while it generates: no id repeats, each backend's ids have the order
# that doc/luuid_generation.md promises, and luuid_status() counts the followed steps.
# needs: long
use LuuidCluster;
use IPC::Run;
use Time::HiRes qw(time usleep);

my $offset = 0;    # of the server's clock, in seconds
my $stepped;    # when that clock was stepped last
sub set_clock { ($offset, $stepped) = (@_, time); return LuuidCluster::set_clock($offset) }

sub server_clock { return time + $offset }

# Sessions that generate ids of every kind at once, each in one transaction: between transactions the server sets an
# alarm whose handler reads the clock, and libfaketime hangs if the handler interrupts it while it opens its file.
my %settings = (
	variable => 'BEGIN; SET luuid.mode = variable;',
	'sequential 1' => 'BEGIN; SET luuid.mode = sequential;',
	'sequential 2' => 'BEGIN; SET luuid.mode = sequential;',
	'version 8' => 'BEGIN; SET luuid.version = 8;',
);
my $rows = LuuidCluster::scaled(100);

# Each statement passes a gate halfway, and waits while it is closed.
sub statement
{
	my ($session) = @_;
	return qq{
		INSERT INTO made (session, id, placed, v1, v7)
		SELECT '$session', luuid_generate(), luuid_generate_in_shard(1, 4), luuid_generate_v1(), luuid_generate_v7()
		FROM generate_series(1, $rows) AS place WHERE place <> $rows / 2 OR gate();
		SELECT 'answer', clock_steps_back FROM luuid_status();
	};
}

sub start_session
{
	my ($node, $session, $start) = @_;
	my %self = (name => $session, in => $start, out => '', err => '', asked => 0);
	$self{run} = IPC::Run::start(
		[ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') ],
		'<', \$self{in}, '>', \$self{out}, '2>', \$self{err});
	return \%self;
}

sub ask
{
	my ($session, $count, $statement) = @_;
	$session->{in} .= $statement x $count;
	$session->{asked} += $count;
	return;
}

# Waits for all results, so that none from before a step counts as one from after it.
sub wait_for_answers
{
	my (@sessions) = @_;
	LuuidCluster::wait_until('the sessions', sub {
			for my $session (@sessions)
			{
				$session->{run}->pump_nb;
				die "a session ended: $session->{err}" if $session->{err} =~ /ERROR|FATAL|PANIC/;
			}
			return !grep { $_->{asked} > (() = $_->{out} =~ /^answer\|/mg) } @sessions;
	});
	return;
}

sub last_answer { my ($session) = @_; return ($session->{out} =~ /.*^answer\|(\d+)$/ms)[0] }

sub answer
{
	my ($session, $query) = @_;
	ask($session, 1, "SELECT 'answer', ($query);\n");
	wait_for_answers($session);
	return last_answer($session);
}

sub generate
{
	my ($sessions, $count) = @_;
	ask($_, $count, statement($_->{name})) for @$sessions;
	wait_for_answers(@$sessions);
	return;
}

my $hour = 3600;
my $window = 600;

# This many seconds before the end of the current window of the server's clock, or after it if negative.
sub to_edge
{
	my ($before) = @_;
	my $now = server_clock();
	return $window - ($now - $window * int($now / $window)) - $before;
}

# Steps in seconds, whether each is followed, and for how long the clock then runs at least. Each happens during a
# statement of every session, and lasts for a few more.
my @steps = (
	[ '5 ms forth', 0.005, 0 ],
	[ '5 ms back', -0.005, 0 ],
	[ '50 ms back', -0.05, 0 ],
	[ '3 s forth', 3, 0 ],
	[ '3 s back', -3, 0 ],
	[ '4 s back', -4, 0 ],
	[ '20 s forth', 20, 0 ],
	[ '8 s back', -8, 0 ],
	[ '8 s back again, however long the one before lasted', sub { -8 - (time - $stepped) }, 1 ],
	[ 'forth to half a second past an edge', sub { to_edge(-0.5) }, 0 ],
	[ 'back over the edge, 5 s', -5, 0 ],
	[ 'back from the edge, another 15 s', -15, 1 ],
	[ 'forth over the edge, 30 s', 30, 0 ],
	[ 'back over the edge, 30 s', -30, 1 ],
	[ 'forth to just before another edge, which comes by itself', sub { $window + to_edge(0.1) }, 0, 0.2 ],
	[ 'an hour forth', $hour, 0 ],
	[ 'two hours back', -2 * $hour, 1 ],
	[ 'three hours forth', 3 * $hour, 0 ],
	[ 'an hour back', -$hour, 1 ],
	[ 'a day back', -24 * $hour, 1 ],
	[ 'three days forth', 72 * $hour, 0 ],
	[ "back to the machine's clock", sub { -$offset }, 1 ],
);

# A session that follows a step back during its transaction, while the clock is 3 s behind a returned horizon.
sub check_horizon
{
	my ($node) = @_;
	# Forgets the ids that the other sessions have generated ahead of the clock.
	LuuidCluster::with_stepped_clock(sub { $node->restart });
	my $steps_before = $node->safe_psql('postgres', 'SELECT horizon_steps_back FROM luuid_status()');
	my $millisecond = q{(extract(epoch FROM %s) * 1000)::bigint};
	my $horizon = sprintf "SELECT $millisecond", 'luuid_horizon()::timestamptz';
	my $make = sprintf "SELECT $millisecond", 'luuid_generate()::timestamptz';
	set_clock($offset + 90);
	my $handed_out = $node->safe_psql('postgres', $horizon);
	set_clock($offset + 8);
	my $session = start_session($node, 'within a transaction', 'BEGIN;');
	my $before = answer($session, $make);
	$session->{in} .= q{SELECT pg_sleep(0.02); INSERT INTO made (session, id) VALUES ('of before the step', luuid_generate());};
	answer($session, 'SELECT 0');
	set_clock($offset - 11);
	my $after = answer($session, $make);
	ok($after >= $handed_out && $after < $before, 'a followed step does not go below a horizon that was returned')
		or diag "$after after $before, and $handed_out was handed out";
	set_clock($offset + 12);
	cmp_ok($node->safe_psql('postgres', $horizon), '<=', $after, 'the horizon is not after the ids of its transaction');
	is($node->safe_psql('postgres', 'SELECT horizon_steps_back FROM luuid_status()'), $steps_before, 'that does not count as a step of the horizon');
	$session->{in} .= "COMMIT;\n\\q\n";
	$session->{run}->finish;
	my $row = $node->safe_psql('postgres', q{SELECT id FROM made WHERE session = 'of before the step'});
	isnt($node->safe_psql('postgres', "CALL luuid_wait('$row', '0')"), $row, 'a reader at a row of before the step is given it');
	return;
}

# A crash while the clock is 5 s behind a returned horizon, after a commit of long before it that recovery replays.
sub check_crash
{
	my ($node) = @_;
	set_clock(0);
	LuuidCluster::with_stepped_clock(sub { $node->restart });
	set_clock(-5);
	$node->safe_psql('postgres', q{INSERT INTO made (session) VALUES ('of before the crash')});
	set_clock(8);
	my $horizon = $node->safe_psql('postgres', 'SELECT luuid_horizon()');
	my $session = start_session($node, 'killed', '');
	my $pid = answer($session, 'SELECT pg_backend_pid()');
	set_clock(3);
	$node->kill_process($pid);
	is($node->safe_psql('postgres', "SELECT luuid_generate() > '$horizon'"), 't',
		'after a crash, no id is before a horizon that was returned, though older commits are replayed');
	set_clock(9);
	isnt($node->safe_psql('postgres', "CALL luuid_wait('$horizon', '0')"), $horizon,
		'... and who waits from there is given what was committed after it');
	return;
}

# A session of version 7, whose ids go on from the last one while the clock is an hour behind that.
sub check_ahead
{
	my ($node) = @_;
	set_clock(0);
	LuuidCluster::with_stepped_clock(sub { $node->restart });
	my $session = start_session($node, 'ahead', '');
	my $make = "INSERT INTO made (session, v7) VALUES ('ahead', luuid_generate_v7());\n";
	my $minutes = q{SELECT round(extract(epoch FROM ahead) / 60)::int FROM};
	$session->{in} .= $make;
	answer($session, 'SELECT 0');
	is($node->safe_psql('postgres', "$minutes luuid_stat()"), 0, 'committed ids are not ahead of the clock');
	set_clock(-$hour);
	$session->{in} .= $make;
	is(answer($session, "$minutes luuid_status()"), 60, 'version 7 does not follow a step of an hour');
	$session->{in} .= "\\q\n";
	$session->{run}->finish;
	is($node->safe_psql('postgres', "$minutes luuid_stat()"), 60, '... which luuid_stat() shows, also once the session is gone');
	my $horizon = $node->safe_psql('postgres', 'SELECT luuid_horizon()');
	my $next = $node->safe_psql('postgres', "CALL luuid_wait('$horizon')");
	is($node->safe_psql('postgres', "SELECT '$next' > '$horizon'::luuid, count(*) FROM made WHERE v7 >= '$horizon' AND v7 < '$next'"), 't|0',
		'... and waiters return without rows meanwhile');
	return;
}

for my $scope (sort keys %LuuidCluster::scope)
{
	set_clock(0);
	my $node = LuuidCluster::with_stepped_clock(sub {
			return LuuidCluster->started("clock_$scope", @{ $LuuidCluster::scope{$scope} },
				'log_statement = none', 'timezone = UTC', 'autovacuum = off',
				# Who waits at the gate needs no alarm either.
				'deadlock_timeout = 1h', 'restart_after_crash = on');
	});
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE TABLE made (
			n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			session text,
			id luuid,
			placed luuid,
			v1 luuid,
			v7 luuid
		);
		CREATE FUNCTION gate() RETURNS boolean LANGUAGE sql AS
			'SELECT pg_advisory_lock_shared(1); SELECT pg_advisory_unlock_shared(1)';
	});
	set_clock(100_000_000);
	my $ahead = $node->safe_psql('postgres', 'SELECT extract(epoch FROM clock_timestamp())::bigint') - time;
	ok(abs($ahead - 100_000_000) < 10, "$scope: the server's clock is the one that is stepped")
		or diag "$ahead s ahead";
	set_clock(0);

	my @sessions = map { start_session($node, $_, $settings{$_}) } sort keys %settings;
	my $keeper = start_session($node, 'keeper of the gate', 'BEGIN;');
	generate(\@sessions, 3);
	my $followed = 0;
	my @miscounted;
	for my $step (@steps)
	{
		my ($what, $by, $is_followed, $lasts) = @$step;
		answer($keeper, 'SELECT 0 FROM pg_advisory_lock(1)');
		ask($_, 1, statement($_->{name})) for @sessions;
		LuuidCluster::wait_until('the sessions to come to the gate', sub {
				$_->{run}->pump_nb for @sessions;
				return @sessions == answer($keeper, q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted});
		});
		$by = $by->() if ref $by;
		set_clock($offset + $by);
		$followed += $is_followed;
		my $until = time + ($lasts // 0);
		answer($keeper, 'SELECT pg_advisory_unlock(1)::int');
		do { generate(\@sessions, 10) } while (time < $until);
		for my $session (@sessions)
		{
			my $steps = last_answer($session);
			push @miscounted, "$what, $session->{name}: $steps, not $followed" if $steps != $followed;
		}
	}
	is(join("\n", @miscounted), '', "$scope: clock_steps_back counts the steps beyond 10 s, and no others");
	is($node->safe_psql('postgres', 'SELECT clock_steps_back FROM luuid_stat()'), $scope eq 'cluster' ? $followed * @sessions : '',
		"$scope: luuid_stat() has those of all sessions");
	for my $session (@sessions, $keeper)
	{
		$session->{in} .= "COMMIT;\n\\q\n";
		$session->{run}->finish;
		is($session->{err}, '', "$scope, $session->{name}: no error");
	}

	my %asked = map { ($_->{name} => $_->{asked}) } @sessions;
	for my $session (sort keys %settings)
	{
		my ($ids, $id_breaks, $placed_breaks, $v1_breaks, $v7_breaks) = split /\|/, $node->safe_psql('postgres', qq{
			SELECT count(*),
				count(*) FILTER (WHERE id <= last_id),
				count(*) FILTER (WHERE placed::timestamptz < last_placed::timestamptz),
				count(*) FILTER (WHERE v1 <= last_v1),
				count(*) FILTER (WHERE v7 <= last_v7)
			FROM (
				SELECT id, placed, v1, v7, lag(id) OVER made_by AS last_id, lag(placed) OVER made_by AS last_placed,
					lag(v1) OVER made_by AS last_v1, lag(v7) OVER made_by AS last_v7
				FROM made WHERE session = '$session' WINDOW made_by AS (ORDER BY n)
			) AS row
		});
		is($ids, $asked{$session} * $rows, "$scope, $session: every statement generated ids of each kind");
		is($id_breaks, $followed, "$scope, $session: strictly increasing, except at each followed step");
		is($placed_breaks, $followed, "$scope, $session: the time of placed ids does not decrease, except at each followed step");
		is($v1_breaks, 0, "$scope, $session: version 1 is strictly increasing throughout");
		is($v7_breaks, 0, "$scope, $session: version 7 is strictly increasing throughout");
	}
	$node->check_no_repeat('postgres',
		'SELECT unnest(ARRAY[id, placed, v1, v7]) FROM made', @steps * $rows * 16, $scope);
	check_horizon($node), check_crash($node), check_ahead($node) if $scope eq 'cluster';
	$node->stop;
}

done_testing();
