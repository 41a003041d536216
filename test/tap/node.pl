# The node of luuid.node = auto, on servers with a simulated hardware address: it differs between two clusters with one
# address and between copies of one cluster with two addresses, and the address is read only if and when an id contains
# it. It needs two servers, or a server and its copy; ../unit/node.cpp tests one.
# needs: long
use LuuidCluster;

# Two clusters have equal process ids, as in same_pid.pl.
LuuidCluster::own_stage_of_one_pid();
my $dir = PostgreSQL::Test::Utils::tempdir();
PostgreSQL::Test::Utils::system_or_bail('cc', '-shared', '-fPIC', '-o', "$dir/interfaces.so", "$ENV{TESTDIR}/interfaces.c");

# The address given to the servers, in the range of VMware, which looks like a manufacturer's and repeats.
my $address = "$dir/address";
my $asked = "$dir/asked";

sub set_address
{
	my ($value) = @_;
	unlink $address;
	append_to_file($address, "$value\n");
	return;
}

sub times_asked
{
	my $times = LuuidCluster::lines($asked);
	unlink $asked;
	return $times;
}

# Starts a server with the address.
sub told
{
	my ($start) = @_;
	local %ENV = (%ENV, LD_PRELOAD => "$dir/interfaces.so", INTERFACES_ADDRESS => $address, INTERFACES_ASKED => $asked);
	return $start->();
}

sub node_of
{
	my ($server, $setting) = @_;
	return $server->safe_psql('postgres',
		($setting ? "SET luuid.node = $setting; " : '') . 'SELECT node, node_source FROM luuid_status()');
}

# Sequential ids of given times depend only on the node, the process id, the number generated before, and the ten-minute
# window of the clock.
sub sequential_ids
{
	my ($server, $setting) = @_;
	return split /\n/, $server->safe_psql('postgres', qq{
		SET luuid.node = $setting;
		SET luuid.mode = sequential;
		SELECT luuid_generate(timestamptz '2026-11-01 12:00+00') FROM generate_series(1, 1000);
	});
}

# The bitcode uses the server's own process id.
my @preloaded = ("shared_preload_libraries = 'same_pid, luuid'", 'jit = off', 'autovacuum = off', 'log_statement = none',
	'wal_level = replica', 'max_wal_senders = 4', 'hot_standby = on');

# Two clusters of one address -------------------------------------------------------------------------------------------

set_address('00:50:56:12:34:56');
my @cluster = map { my $name = $_; told(sub { LuuidCluster->started($name, @preloaded) }) } qw(one another);
is(times_asked(), 2, 'preloaded: each server reads its address once, at startup');
$_->safe_psql('postgres', 'CREATE EXTENSION luuid') for @cluster;

my @node = map { node_of($_) } @cluster;
like($_, qr/^[0-9a-f]{7}\|system identifier and mac$/, 'auto is of the system identifier and the address') for @node;
isnt($node[0], $node[1], 'two clusters with one address have different nodes');
is(node_of($_, 'mac'), '6123456|mac', 'mac is the end of the address') for @cluster;

sub in_common
{
	my ($setting) = @_;
	my ($window, $in_common);
	do    # again if another window began between the two
	{
		$window = int(time / 600);
		my %first = map { $_ => 1 } sequential_ids($cluster[0], $setting);
		$in_common = grep { $first{$_} } sequential_ids($cluster[1], $setting);
	} until ($window == int(time / 600));
	return $in_common;
}
is(in_common('mac'), 1000, 'by mac, sequential ids of both are equal if the process ids are');
is(in_common('auto'), 0, 'by auto, none are');
is(times_asked(), 0, 'preloaded: no session reads the address');

# An address that changes -----------------------------------------------------------------------------------------------

my $session = $cluster[0]->background_psql('postgres');
my $status = 'SELECT node, node_source FROM luuid_status()';
is($session->query_safe($status), $node[0], 'a session has its server\'s node');
set_address('00:50:56:65:43:21');
is($session->query_safe($status), $node[0], 'preloaded: the node stays when the address changes');
$session->query_safe('SET luuid.node = mac');
is($session->query_safe($status), '6123456|mac', 'preloaded: mac is the address of the server\'s start');
$session->query_safe(q{SET luuid.node = '0123abc'});
is($session->query_safe($status), '0123abc|setting', 'seven digits are the node, whatever the address');
$session->query_safe('RESET luuid.node');
is($session->query_safe($status), $node[0], 'and auto is as before');
$session->quit;
is(node_of($cluster[0]), $node[0], 'preloaded: a new session has the same node');
told(sub { $cluster[0]->restart });
isnt(node_of($cluster[0]), $node[0], 'restarted with another address, a cluster has another node');
set_address('00:50:56:12:34:56');
told(sub { $cluster[0]->restart });
is(node_of($cluster[0]), $node[0], 'and with its former address its former node');
times_asked();

# Copies of one cluster -------------------------------------------------------------------------------------------------

$cluster[0]->backup('base');
my $standby = LuuidCluster->new('standby');
$standby->init_from_backup($cluster[0], 'base', has_streaming => 1);
told(sub { $standby->start });
is(node_of($standby), $node[0], 'a standby on its primary\'s address has its node');
set_address('00:50:56:65:43:21');
told(sub { $standby->restart });
my $elsewhere = node_of($standby);
isnt($elsewhere, $node[0], 'a standby with another address has another node');
$standby->promote;
is(node_of($standby), $elsewhere, 'promoted, it keeps its node');
is(scalar(sequential_ids($standby, 'auto')), 1000, 'and continues to generate');
$_->stop for $standby, @cluster;

# Without preload -------------------------------------------------------------------------------------------------------

set_address('00:50:56:12:34:56');
my $alone = told(sub { LuuidCluster->started('alone', "shared_preload_libraries = 'same_pid'", 'jit = off') });
$alone->safe_psql('postgres', 'CREATE EXTENSION luuid');
times_asked();
for (
	[ 0, 'ids of version 7', 'SELECT luuid_generate_v7(), luuid_generate_v7(now())' ],
	[ 0, 'ids of seven digits', q{SET luuid.node = '0123abc'; SELECT luuid_generate()} ],
	[ 1, 'ids of auto', 'SELECT luuid_generate() FROM generate_series(1, 100)' ],
	[ 1, 'ids of mac', 'SET luuid.node = mac; SELECT luuid_generate() FROM generate_series(1, 100)' ])
{
	my ($times, $ids, $query) = @$_;
	$alone->safe_psql('postgres', $query);
	is(times_asked(), $times, "not preloaded: a session that makes $ids asks " . ($times ? 'once' : 'nothing'));
}
my $before = node_of($alone);
like($before, qr/^[0-9a-f]{7}\|system identifier and mac$/, 'not preloaded: auto uses both too');
$session = $alone->background_psql('postgres');
is($session->query_safe($status), $before, 'not preloaded: the same in every session');
set_address('00:50:56:65:43:21');
is($session->query_safe($status), $before, 'not preloaded: a session keeps its node when the address changes');
isnt(node_of($alone), $before, 'not preloaded: a new session has the node of the new address');
$session->quit;
set_address('00:00:00:00:00:00');
like(node_of($alone), qr/^[0-9a-f]{7}\|system identifier$/, 'without an address, auto uses the system identifier');
is(node_of($alone, 'mac'), '0000000|none', 'and mac is zeros');

done_testing();
