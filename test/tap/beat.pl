# A row of the primary keeps the horizon, and readers read it in one snapshot with the rows below it. They get every row once: on
# a standby, on a standby of that, on a subscriber while it copies and applies, and across a promotion. Those that ask for
# greater ids than their last miss rows, which shows that there is something to be missed.
# It finds faults in the order of commits, in WAL, in parallel apply and in table copies; other tests find a wrong line.
# needs: release
use LuuidCluster;
use LuuidReaders;

my $dir = PostgreSQL::Test::Utils::tempdir();
my @logical = ('wal_level = logical', 'max_wal_senders = 20', 'max_replication_slots = 20', 'max_worker_processes = 30',
	'max_logical_replication_workers = 20', 'wal_retrieve_retry_interval = 100ms', 'wal_receiver_status_interval = 1s');
my @settings = (q{shared_preload_libraries = 'luuid'}, @logical, 'hot_standby = on', 'wal_keep_size = 1GB', 'max_connections = 60',
	'max_prepared_transactions = 40', 'synchronous_commit = off', 'logical_decoding_work_mem = 64kB', 'log_statement = none', 'jit = off');
# The row is the cookbook's. Another one is kept by luuid.settle.
my ($recipe, $beat) = LuuidCluster::documented('cookbook/following.md', 'A reader on a standby');
my ($table, $start) = $recipe =~ /^(CREATE TABLE beat .*;)\n(INSERT INTO beat .*;)$/m or die 'the recipe has no such row';
my $schema = qq{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), kind text NOT NULL);
	$table
	CREATE TABLE settled (one boolean PRIMARY KEY, at timestamptz NOT NULL);
};
$start .= q{INSERT INTO settled VALUES (true, '-infinity');};

my $primary = LuuidCluster->started('primary', @settings);
my $version = $primary->pg_version;
if ($version >= 16)
{
	# Each change is streamed at once, which parallel workers apply.
	$primary->append_conf('postgresql.conf', ($version >= 17 ? 'debug_logical_replication_streaming' : 'logical_replication_mode') . ' = immediate');
	$primary->reload;
}
$primary->safe_psql('postgres', slurp_file("$ENV{TESTDIR}/sql/plain.sql"));
$primary->safe_psql('postgres', "$schema $LuuidCluster::commands CREATE PUBLICATION event FOR TABLE event, beat; $start");

my $standby = $primary->started_standby('standby');
my $cascade = $standby->started_standby('cascade');
my $subscriber = LuuidCluster->started('subscriber', @logical, 'max_prepared_transactions = 40', 'log_statement = none');
$subscriber->safe_psql('postgres', $schema);

# Sessions that read for ever, each into a file, from the last id in it.
my $is_copied = q{NOT EXISTS (SELECT FROM pg_subscription_rel WHERE srsubstate <> 'r')};
my %reader = (
	standby => [ $standby, 'id < (SELECT upto FROM beat)' ],
	cascade => [ $cascade, 'id < (SELECT upto FROM beat)' ],
	settle => [ $standby, 'id < (SELECT luuid_floor(at) FROM settled)' ],
	subscriber => [ $subscriber, "id < (SELECT upto FROM beat) AND $is_copied" ],
	careless => [ $standby, 'true' ]);
sub file_of { my ($name) = @_; return "$dir/$name.seen" }
sub seen { my ($name) = @_; return -e file_of($name) ? slurp_file(file_of($name)) =~ /^([0-9a-f-]{36})$/mg : () }
sub script
{
	my ($name, $polls) = @_;
	my ($node, $condition) = @{ $reader{$name} };
	my $last = (seen($name))[-1] // '00000000-0000-0000-0000-000000000000';
	append_to_file("$dir/$name.sql.new", "\\set last $last\n" . qq{
		SELECT coalesce(string_agg(id::text, E'\\n' ORDER BY id), '') AS page, coalesce(max(id), :'last') AS last
		FROM event WHERE id > :'last' AND $condition \\gset
		\\qecho :page
		SELECT pg_sleep(0.003) IS NULL AS paused \\gset
	} x $polls);
	rename "$dir/$name.sql.new", "$dir/$name.sql";
	return $node->background('psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres') . ' application_name=reader',
		'-f', "$dir/$name.sql", '-o', '| cat >>' . file_of($name));
}
# By the server, so that psql writes what it has read before it ends.
sub stop_readers
{
	my ($nodes, @programs) = @_;
	$_->safe_psql('postgres', q{SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = 'reader'}) for @$nodes;
	$_->{run}->finish for @programs;
	return;
}
# What each reader has of the rows in the end.
sub check
{
	my ($what, $node, @names) = @_;
	my $readers = LuuidReaders->of_ids($node, 'postgres', @names);
	for my $name (@names)
	{
		my $last = script($name, 1);
		$last->{run}->finish;
		is($last->{err}, '', "$what: $name reads without an error");
		$readers->ask("INSERT INTO seen SELECT '$name', unnest('{" . join(',', seen($name)) . "}'::luuid[])");
		if ($name eq 'careless') { cmp_ok(($readers->counts($name))[0], '>', 0, "$what: $name misses rows") }
		else { $readers->check_each_once($what, [$name]) }
	}
	return;
}

my $pause = $LuuidCluster::pause;
my @writers = LuuidCluster::scripts($dir, 'writer', values %LuuidCluster::writer,
	qq{BEGIN; SET LOCAL synchronous_commit = on; INSERT INTO event (kind) VALUES ('synchronous'); $pause COMMIT;},
	qq{BEGIN; $pause INSERT INTO event SELECT luuid_generate_v7(), 'version 7'; COMMIT;});
my $settle = q{CALL luuid.settle('event', '-infinity') \gset} . q{
	UPDATE settled SET at = greatest(at, ':horizon');};
my @beats = LuuidCluster::scripts($dir, 'beat', $beat, $settle);
sub write_to
{
	my ($node) = @_;
	return map { $node->background_pgbench('postgres', '--time=600', @$_) } [ '--client=8', @writers ], [ '--client=3', '--rate=300', @beats ];
}
# Waits until rows were written and readers have read.
sub load
{
	my ($node, $rows, $programs, @names) = @_;
	my %before = map { $_ => scalar(() = seen($_)) } @names;
	my $more = $node->safe_psql('postgres', 'SELECT count(*) FROM event') + $rows;
	LuuidCluster::wait_until('rows, and readers', sub {
			return $node->safe_psql('postgres', "SELECT count(*) > $more FROM event") eq 't' && !grep { (() = seen($_)) <= $before{$_} + 100 } @names;
	}, @$programs);
	return;
}
# Writers pause with what they have prepared, and all that is settled arrives.
sub settle
{
	my ($node, @programs) = @_;
	LuuidCluster::end(@programs);
	$node->safe_psql('postgres', "COMMIT PREPARED '$_'") for split /\n/, $node->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
	$node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM luuid_in_flight()') or die 'transactions stay open';
	$node->safe_psql('postgres', "SELECT pg_sleep(0.01); $beat");
	my $last = $node->background_pgbench('postgres', '--transactions=1', LuuidCluster::scripts($dir, 'last', $settle));
	$last->{run}->finish;
	return;
}

# Standbys, and a subscription that begins meanwhile ----------------------------------------------------------------------

my $rows = LuuidCluster::scaled(3000);
my @load = write_to($primary);
my @readers = map { script($_, 100_000) } sort keys %reader;
load($primary, $rows / 3, [ @load, @readers ], qw(standby cascade careless));
my $streaming = $version >= 16 ? 'parallel' : 'on';
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION event CONNECTION '" . $primary->connstr . " dbname=postgres' PUBLICATION event
	WITH (streaming = $streaming, two_phase = true)");
$subscriber->poll_query_until('postgres', "SELECT $is_copied AND EXISTS (SELECT FROM pg_subscription_rel)") or die 'the tables are not copied';
load($primary, $rows, [ @load, @readers ], qw(careless cascade standby subscriber));
is($subscriber->safe_psql('postgres', q{SELECT count(*) > 0 FROM pg_stat_subscription WHERE leader_pid IS NOT NULL}), 't', 'parallel workers apply')
	if $version >= 16;
settle($primary, @load);
$primary->wait_for_catchup($standby->name, 'replay', $primary->lsn('insert'));
$standby->wait_for_catchup($cascade->name, 'replay', $standby->lsn('replay'));
$primary->wait_for_catchup('event');
stop_readers([ $standby, $cascade, $subscriber ], @readers);
check('under load', $primary, sort keys %reader);
$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION event DISABLE; ALTER SUBSCRIPTION event SET (slot_name = NONE); DROP SUBSCRIPTION event');

# A promotion -------------------------------------------------------------------------------------------------------------

# The primary ends while it is written to, and the standby goes on from what it has, with what is prepared there.
@readers = map { script($_, 100_000) } qw(standby cascade settle);
@load = write_to($primary);
load($primary, $rows / 3, [ @load, @readers ], qw(standby cascade));
$primary->stop('immediate');
$_->{run}->finish for @load;
$standby->promote;
$standby->safe_psql('postgres', "COMMIT PREPARED '$_'") for split /\n/, $standby->safe_psql('postgres', 'SELECT gid FROM pg_prepared_xacts');
@load = write_to($standby);
load($standby, $rows / 3, [ @load, @readers ], qw(standby cascade));
settle($standby, @load);
$standby->wait_for_catchup($cascade->name, 'replay', $standby->lsn('insert'));
stop_readers([ $standby, $cascade ], @readers);
check('across a promotion', $standby, qw(standby cascade settle));

# A table that is still copied --------------------------------------------------------------------------------------------

# The row of the later id is copied while the transaction of the earlier one is open, and a horizon of after its end is
# applied before the copy is there. Others begin so that the copy's snapshot waits for them, and not for this one; triggers
# hold up the copy and the earlier row.
$standby->safe_psql('postgres', 'CREATE DATABASE steps');
$standby->safe_psql('steps', "$schema CREATE PUBLICATION event FOR TABLE event, beat; $start");
$standby->safe_psql('steps', q{SELECT pg_create_logical_replication_slot('steps', 'pgoutput')});
$subscriber->safe_psql('postgres', 'CREATE DATABASE steps');
$subscriber->safe_psql('steps', $schema . q{
	CREATE FUNCTION hold_up() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN PERFORM pg_advisory_xact_lock_shared(CASE NEW.kind WHEN 'later' THEN 1 ELSE 2 END); RETURN NEW; END $$;
	CREATE TRIGGER hold_up BEFORE INSERT ON event FOR EACH ROW EXECUTE FUNCTION hold_up();
	ALTER TABLE event ENABLE ALWAYS TRIGGER hold_up;
});
sub is_waited_for
{
	my ($xid) = @_;
	$standby->poll_query_until('steps', "SELECT count(*) = 2 FROM pg_locks WHERE locktype = 'transactionid' AND transactionid = '$xid' AND NOT granted")
		or die 'no copy waits';
	return;
}
my ($writer, $holder, @others) = ($standby->background_psql('steps'), $subscriber->background_psql('steps'),
	map { $standby->background_psql('steps') } 1 .. 2);
$holder->query_safe('SELECT pg_advisory_lock(1), pg_advisory_lock(2)');
my $first = $others[0]->query_safe('BEGIN; SELECT pg_current_xact_id()');
$subscriber->safe_psql('steps', "CREATE SUBSCRIPTION steps CONNECTION '" . $standby->connstr . " dbname=steps' PUBLICATION event
	WITH (create_slot = false, slot_name = 'steps')");
is_waited_for($first);
my $second = $others[1]->query_safe('BEGIN; SELECT pg_current_xact_id()');
$others[0]->query_safe('COMMIT');
is_waited_for($second);
$writer->query_safe(q{BEGIN; INSERT INTO event (kind) VALUES ('earlier')});
$standby->safe_psql('steps', q{SELECT pg_sleep(0.002); INSERT INTO event (kind) VALUES ('later')});
$others[1]->query_safe('COMMIT');
$subscriber->poll_query_until('steps', q{SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted}) or die 'nothing is copied';
$writer->query_safe('COMMIT');
$standby->safe_psql('steps', "SELECT pg_sleep(0.002); $beat");
my $upto = $standby->safe_psql('steps', 'SELECT upto FROM beat');
$subscriber->poll_query_until('steps', "SELECT upto = '$upto' FROM beat") or die 'no horizon arrives';
my %seen = (careless => '', copied => '');
my %last = map { $_ => '00000000-0000-0000-0000-000000000000' } keys %seen;
sub poll_both
{
	for my $name (sort keys %seen)
	{
		my $page = $subscriber->safe_psql('steps', "SELECT string_agg(kind, ' ' ORDER BY id), max(id) FROM event
			WHERE id > '$last{$name}' AND id < (SELECT upto FROM beat)" . ($name eq 'copied' ? " AND $is_copied" : ''));
		next if $page eq '|';
		(my $kinds, $last{$name}) = split /\|/, $page;
		$seen{$name} .= "$kinds ";
	}
	return;
}
poll_both();
$holder->query_safe('SELECT pg_advisory_unlock(1)');
$subscriber->poll_query_until('steps', 'SELECT count(*) = 1 FROM event') or die 'nothing is copied';
poll_both();
$holder->query_safe('SELECT pg_advisory_unlock(2)');
$subscriber->poll_query_until('steps', "SELECT count(*) = 2 AND $is_copied FROM event") or die 'nothing is applied';
poll_both();
is($seen{careless}, 'later ', 'a horizon that is there before the table misses rows');
is($seen{copied}, 'earlier later ', '... and none is missed by who waits until all tables are copied');
$_->quit for $writer, $holder, @others;

done_testing();
