# Whether ids of copies can be equal, as the table of luuid_generation.md has it: a copy of a database, containers of one image, a
# server's files that start beside their origin, a promoted standby, and a backup or a recovery to a point in time that generates
# once more. Every process has one process id modulo 65 536, and each id takes a millisecond, so that ids that can be equal are.
# It finds faults that need several servers of one origin at once; other tests find a wrong line.
# needs: release
use LuuidCluster;

my @settings = ('jit = off', 'autovacuum = off', 'wal_level = replica', 'max_wal_senders = 4', 'luuid.max_ahead = 0');
my $near = q{luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 32)};
my $node = 'SELECT node FROM luuid_status()';

# How many ids two sessions have in common that generate at once, each on a server and in a database.
sub common
{
	my ($amount, @servers) = @_;
	my @programs = map { $_->[0]->background_sql($_->[1], "SELECT $near FROM generate_series(1, $amount)") } @servers;
	$_->{run}->finish for @programs;
	my @errors = grep { $_ } map { $_->{err} } @programs;
	die "@errors" if @errors;
	my %count;
	$count{$_}++ for map { split /\n/, $_->{out} } @programs;
	return scalar grep { $_ > 1 } values %count;
}
# Runs ahead of the clock by so many milliseconds, which outlasts the start of another session.
my $amount = 5_000;

sub check_of_two
{
	my ($what, $restart, @both) = @_;
	is($both[1]->safe_psql('postgres', $node), $both[0]->safe_psql('postgres', $node), "$what, has the node of the other on one address");
	cmp_ok($restart->(), '>', 0, '... and they can generate the same ids');
	$both[1]->safe_psql('postgres', "ALTER SYSTEM SET luuid.node = 'random'");
	my $equal = $restart->();
	isnt($both[1]->safe_psql('postgres', $node), $both[0]->safe_psql('postgres', $node), q{... with luuid.node = 'random' it has another});
	is($equal, 0, '... and they differ');
	return;
}

# Containers of one image: each server is process 1 of its own namespace, and their sessions have the same process ids. -----------

SKIP:
{
	my @unshare = qw(unshare --user --map-current-user --pid --fork);
	skip('process namespaces are not permitted', 4) if system("@unshare true 2>/dev/null") != 0;
	my $image = LuuidCluster->started('image', q{shared_preload_libraries = 'luuid'}, @settings);
	$image->safe_psql('postgres', 'CREATE EXTENSION luuid');
	$image->stop;
	$image->backup_fs_cold('image');
	my @containers = map { LuuidCluster->new($_) } qw(container another);
	$_->init_from_backup($image, 'image') for @containers;
	my @running;
	my $stop = sub {
		for (@running)
		{
			my $unshare = $_->{run}{KIDS}[0]{PID};
			kill 'INT', split ' ', PostgreSQL::Test::Utils::slurp_file("/proc/$unshare/task/$unshare/children");
			$_->{run}->finish;
		}
		return;
	};
	my $next = sub { my ($of) = @_; return $of->safe_psql('postgres', 'SELECT pg_backend_pid()') };
	my $restart = sub {
		$stop->();
		@running = map { $_->background(@unshare, 'postgres', '-D', $_->data_dir) } @containers;
		for my $of (@containers)
		{
			LuuidCluster::wait_until('the containers', sub { return ($of->psql('postgres', 'SELECT'))[0] == 0 }, @running);
		}
		# One was asked more often than the other.
		my @pids = map { $next->($_) } @containers;
		while ($pids[0] != $pids[1])
		{
			my $behind = $pids[0] > $pids[1];
			$pids[$behind] = $next->($containers[$behind]);
		}
		return common($amount, map { [ $_, 'postgres' ] } @containers);
	};
	$restart->();
	check_of_two('a container of the same image', $restart, @containers);
	$stop->();
}

# Copies of a server that has the same process id for each session -----------------------------------------------------------------

LuuidCluster::own_stage_of_one_pid();
my $origin = LuuidCluster->new('origin');
$origin->init(has_archiving => 1);
$origin->append_conf('postgresql.conf', join "\n", q{shared_preload_libraries = 'same_pid, luuid'}, 'wal_keep_size = 1GB', @settings);
$origin->start;
$origin->safe_psql('postgres', 'CREATE EXTENSION luuid');
$origin->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE postgres');
is(common($amount, map { [ $origin, $_ ] } qw(postgres copy)), 0, 'CREATE DATABASE: ids of a database and its copy differ');

$origin->backup('copy');
sub copy
{
	my ($name, %params) = @_;
	my $copy = LuuidCluster->new($name);
	$copy->init_from_backup($origin, 'copy', %params);
	$copy->append_conf('postgresql.conf', "archive_mode = off\n" . ($params{conf} // ''));
	$copy->start;
	return $copy;
}
# Where no session has run ahead of the clock, so that the first one has the process field that all want.
sub both_anew { my ($copy) = @_; return sub { $_->restart for $origin, $copy; return common($amount, map { [ $_, 'postgres' ] } $origin, $copy) } }

my $clone = copy('clone');
check_of_two('a clone', both_anew($clone), $origin, $clone);
$clone->stop;
my $standby = copy('standby', has_streaming => 1);
$origin->wait_for_catchup($standby, 'replay', $origin->lsn('insert'));
$standby->promote;
check_of_two('a promoted standby', both_anew($standby), $origin, $standby);
$standby->stop;

# The origin ends, and its backup of before goes on: at once, or from the log up to a point before the ids that are lost. They are
# earlier than those after it, unless they were ahead of the clock.
$origin->restart;
$origin->safe_psql('postgres', q{SELECT pg_create_restore_point('before')});
sub made { my ($amount) = @_; return split /\n/, $origin->safe_psql('postgres', "SELECT $near FROM generate_series(1, $amount)") }
my %before = map { $_ => 1 } made(100);
my $archived = $origin->safe_psql('postgres', 'SELECT pg_sleep(0.2) IS NULL, pg_walfile_name(pg_switch_wal())') =~ s/.*\|//r;
$origin->poll_query_until('postgres', "SELECT last_archived_wal >= '$archived' FROM pg_stat_archiver") or die 'the log is not archived';
my %ahead = map { $_ => 1 } made(200_000);
$origin->stop('immediate');
my $target = "recovery_target_name = 'before'\nrecovery_target_action = promote";
for (['a restored server'], [ 'a server that was recovered to a point in time', has_restoring => 1, standby => 0, conf => $target ])
{
	my ($what, @params) = @$_;
	my $restored = copy($what =~ tr/a-z/_/cr, @params);
	$restored->poll_query_until('postgres', 'SELECT NOT pg_is_in_recovery()') or die 'it stays in recovery';
	my @after = split /\n/, $restored->safe_psql('postgres', "SELECT $near FROM generate_series(1, 100)");
	is(scalar(grep { $before{$_} } @after), 0, "$what generates later ids than those that were lost");
	cmp_ok(scalar(grep { $ahead{$_} } @after), '>', 0, '... unless these were ahead of the clock');
	$restored->stop;
}

done_testing();
