# A session that waits because its ids would exceed luuid.max_ahead: monitoring shows the wait, it can be canceled and
# terminated, and it holds the horizon back as any open transaction does.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('ahead', q{shared_preload_libraries = 'luuid'}, q{luuid.max_ahead = '1ms'});
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE ROLE plain LOGIN');

# An id that takes a millisecond, and such ids for over a quarter of an hour.
my $near = q{luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 32)};
my $narrow = qq{SELECT count($near) FROM generate_series(1, 1000000)};
is($node->safe_psql('postgres', "SELECT max($near\::timestamptz - clock_timestamp()) <= '1ms' FROM generate_series(1, 300)"),
	't', 'no id is further ahead');
# Each of these waits ends after a millisecond, so only a single look can tell that a session is in one.
my $waiting = $node->safe_psql('postgres', 'SHOW server_version_num') >= 170000 ? 'LuuidAhead' : 'Extension';

for my $end (qw(pg_cancel_backend pg_terminate_backend))
{
	my $session = $node->background_sql('postgres user=plain', $narrow, 'SELECT 1');
	ok($node->poll_query_until('postgres', qq{
			SELECT count(*) = 1 FROM pg_stat_activity
			WHERE usename = 'plain' AND wait_event_type = 'Extension' AND wait_event = '$waiting'
		}), "$end: the wait event");
	my $pid = $node->safe_psql('postgres', q{SELECT pid FROM pg_stat_activity WHERE usename = 'plain'});
	is($node->safe_psql('postgres', q{
			SELECT pid, luuid_horizon() = luuid_floor(since), pg_sleep(0.05) FROM luuid_in_flight();
			SELECT pid, luuid_horizon() = luuid_floor(since) FROM luuid_in_flight();
		}), "$pid|t|\n$pid|t", "$end: the waiting session holds the horizon back");
	is($node->safe_psql('postgres', "SELECT $end($pid)"), 't', "$end: signal is sent");
	$session->{run}->finish;
	like($session->{err}, $end eq 'pg_cancel_backend' ? qr/canceling statement due to user request/
		: qr/terminating connection due to administrator command/, "$end: ends the wait");
	is($session->{out}, $end eq 'pg_cancel_backend' ? "1\n" : '', "$end: the session continues or ends as usual");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM luuid_in_flight()'), 0, "$end: no transaction is left in flight");
}

# The next client of a pool gets the session in the state of the one before.
is($node->safe_psql('postgres', qq{
		SET luuid.max_ahead = 0;
		DO \$\$ BEGIN PERFORM ($narrow); END \$\$;
		DISCARD ALL;
		SELECT ahead > '10 min' FROM luuid_status();
	}), 't', 'DISCARD ALL leaves a session ahead, and luuid_status() shows it');

done_testing();
