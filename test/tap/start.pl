# A server that starts after a stop or a crash, and a promoted standby, while the clock is behind: up to 9 s ids continue
# from before, except after a crash, and beyond 10 s the step is followed and counted. And a backend that is killed. All
# sessions have one process id modulo 65 536, which makes duplicates likely. And a server in which another library
# prevents luuid from allocating shared memory.
# needs: release
use LuuidCluster;

my $folder = LuuidCluster::own_stage_of_one_pid();

sub start_with_clock
{
	my ($node, $seconds_back) = @_;
	return LuuidCluster::with_clock(sub { $node->start }, FAKETIME => "-$seconds_back");
}

sub started_cluster
{
	my ($name) = @_;
	# The bitcode has the server's own name for the process id.
	return LuuidCluster->started($name, q{shared_preload_libraries = 'same_pid, luuid'}, q{luuid.node = '0000001'},
		'jit = off', 'log_statement = none', 'autovacuum = off', 'wal_level = replica', 'max_wal_senders = 4',
		# Before 16 the postmaster forks this worker in a signal handler, in which libfaketime's clock is the real one.
		'hot_standby = on', 'max_logical_replication_workers = 0');
}

# Ids in a narrow range, one per millisecond, at the speed of the clock; and a horizon before a last transaction ends.
my $neighbour = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
my $before = qq{
	SET luuid.max_ahead = '1ms';
	BEGIN;
	INSERT INTO made SELECT luuid_generate_near('$neighbour', 32) FROM generate_series(1, 300);
	SELECT pg_sleep(0.05);
	COMMIT;
	SELECT pg_sleep(0.01);
	INSERT INTO handed_out SELECT luuid_horizon();
};

# The same at full speed, to pass the earlier ids.
my $after = qq{
	SET luuid.max_ahead = 0;
	SELECT luuid_generate() > ALL (SELECT id FROM made) AND luuid_generate() > ALL (SELECT id FROM handed_out);
	INSERT INTO made SELECT luuid_generate_near('$neighbour', 32) FROM generate_series(1, 15000);
};

sub create_tables
{
	my ($node) = @_;
	$node->safe_psql('postgres', q{
		CREATE EXTENSION luuid;
		CREATE TABLE made (id luuid);
		CREATE TABLE handed_out (id luuid);
		CREATE TABLE guarded (id luuid);
		CREATE TRIGGER guard AFTER INSERT ON guarded FOR EACH ROW EXECUTE FUNCTION luuid_guard('id');
		CHECKPOINT;
	});
	return;
}

# What goes before a start or a promotion. Returns an id that a horizon has passed of which nothing is written.
sub write_before
{
	my ($node) = @_;
	$node->safe_psql('postgres', $before);
	my $id = $node->safe_psql('postgres', 'SELECT luuid_generate()');
	$node->safe_psql('postgres', 'SELECT luuid_horizon() FROM pg_sleep(0.01)');
	return $id;
}

# The ids after the clock stepped back by this many seconds, less what the start took.
sub check_ids
{
	my ($node, $what, $seconds_back, $late) = @_;
	my $refused = $node->error_of('postgres', "INSERT INTO guarded VALUES ('$late')");
	my $is_later = $node->safe_psql('postgres', $after);
	my $steps = $node->safe_psql('postgres', 'SELECT horizon_steps_back FROM luuid_status()');
	if ($seconds_back > 10)
	{
		is("$is_later $steps", 'f 1', "$what, clock $seconds_back s back: the step is followed, and counted");
		is($node->safe_psql('postgres', 'SELECT luuid_stat_reset(); SELECT horizon_steps_back FROM luuid_status()'), "\n0", '... until a reset');
		return;
	}
	is("$is_later $steps", 't 0', "$what, clock $seconds_back s back: ids continue from before, and from the horizon");
	like($refused, qr/is older than a horizon already returned/, "$what, clock $seconds_back s back: an id that readers have passed is refused")
		unless $seconds_back;
	$node->check_no_repeat('postgres', 'SELECT id FROM made', 15_300, "$what, clock $seconds_back s back");
	return;
}

for my $mode (qw(fast immediate))
{
	my $what = { fast => 'stop', immediate => 'crash' }->{$mode};
	# After a crash nothing is known later than the last checkpoint.
	for my $seconds_back (0, $mode eq 'fast' ? 9 : (), 30)
	{
		my $node = started_cluster("${what}_$seconds_back");
		create_tables($node);
		my $late = write_before($node);
		$node->stop($mode);
		start_with_clock($node, $seconds_back);
		check_ids($node, $what, $seconds_back, $late);
		$node->stop;
	}
}

# A backend that is killed while its ids are ahead of the clock, which ends all others and their shared memory. Of each
# millisecond there is one such id of a process field.
my $reinitialized = started_cluster('reinitialized');
$reinitialized->safe_psql('postgres', 'ALTER SYSTEM SET restart_after_crash = on');
$reinitialized->reload;
create_tables($reinitialized);
my $ahead = qq{
	SET luuid.max_ahead = 0;
	INSERT INTO made SELECT luuid_generate_near('$neighbour', 32) FROM generate_series(1, 15000);
};
my $session = $reinitialized->background_psql('postgres');
my ($pid) = $session->query_safe("$ahead SELECT pg_backend_pid()") =~ /^(\d+)$/m;
$reinitialized->kill_process($pid);
eval { $session->quit };
$reinitialized->safe_psql('postgres', $ahead);
$reinitialized->check_no_repeat('postgres', 'SELECT id FROM made', 30_000, 'a backend killed ahead of the clock');
$reinitialized->stop;

for my $seconds_back (0, 9, 30)
{
	my $primary = started_cluster("primary_$seconds_back");
	create_tables($primary);
	$primary->backup('base');
	my $standby = LuuidCluster->new("standby_$seconds_back");
	$standby->init_from_backup($primary, 'base', has_streaming => 1);
	start_with_clock($standby, $seconds_back);
	my $late = write_before($primary);
	$primary->wait_for_catchup($standby);
	$primary->stop;
	$standby->promote;
	check_ids($standby, 'promotion', $seconds_back, $late);
	$standby->stop;
}

# A standby that has nothing to replay.
my $idle = started_cluster('idle');
create_tables($idle);
$idle->stop;
$idle->backup_fs_cold('cold');
my $replaying_nothing = LuuidCluster->new('replaying_nothing');
$replaying_nothing->init_from_backup($idle, 'cold');
$replaying_nothing->set_standby_mode;
$_->start for $replaying_nothing, $idle;
my $late = write_before($idle);
$idle->stop;
$replaying_nothing->promote;
like($replaying_nothing->error_of('postgres', "INSERT INTO guarded VALUES ('$late')"),
	qr/is older than a horizon already returned/, 'promotion without replay: an id that readers have passed is refused');
$replaying_nothing->stop;

# Without shared memory -----------------------------------------------------------------------------------------------

LuuidCluster::build_module($folder, 'alone');
my $node = LuuidCluster->started('alone', q{shared_preload_libraries = 'same_pid, luuid, alone'}, 'jit = off');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE made AS SELECT luuid_generate() AS id');
is($node->safe_psql('postgres', 'SELECT leased FROM luuid_status(), made'), 'f',
	'where another library keeps luuid from its shared memory, ids are made without leases');

done_testing();
