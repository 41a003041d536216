# Long: `make test-long` runs it.
# Whether ids of copies can be equal, as the table of luuid_generation.md has it: a copy of a database, of a server's files that
# starts beside its origin, and a backup that generates once more. Every process has one process id modulo 65 536, and each id
# takes a millisecond, so that what can be equal is.
# It is for servers of one origin that run at once, and no single wrong line.
use strict;
use warnings;

use LuuidCluster;
use Test::More;

LuuidCluster::own_stage_of_one_pid();
my @settings = (q{shared_preload_libraries = 'same_pid, luuid'}, 'jit = off', 'wal_level = replica', 'max_wal_senders = 4', 'luuid.max_ahead = 0');
my $near = q{luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 32)};
my $origin = LuuidCluster->started('origin', @settings);
$origin->safe_psql('postgres', 'CREATE EXTENSION luuid');

# How many ids two sessions have in common that generate at once, each on a server and in a database.
sub common
{
	my ($amount, @servers) = @_;
	my @programs = map { $_->[0]->background('psql', '-XqAt', '-d', $_->[0]->connstr($_->[1]), '-c',
		"SELECT $near FROM generate_series(1, $amount)") } @servers;
	$_->{run}->finish for @programs;
	my @errors = grep { $_ } map { $_->{err} } @programs;
	die "@errors" if @errors;
	my %count;
	$count{$_}++ for map { split /\n/, $_->{out} } @programs;
	return scalar grep { $_ > 1 } values %count;
}

# Runs ahead of the clock by so many milliseconds, which outlasts the start of another session.
my $amount = 5_000;
$origin->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE postgres');
is(common($amount, [ $origin, 'postgres' ], [ $origin, 'copy' ]), 0, 'CREATE DATABASE: ids of a database and its copy differ');

$origin->backup('copy');
my $clone = LuuidCluster->new('clone');
$clone->init_from_backup($origin, 'copy');
$clone->start;
my $node = 'SELECT node FROM luuid_status()';
is($clone->safe_psql('postgres', $node), $origin->safe_psql('postgres', $node), 'a clone on the same address has the same node');
# Where no session has run ahead of the clock, so that the first one has the process field that all want.
$origin->restart;
my @both = ([ $origin, 'postgres' ], [ $clone, 'postgres' ]);
cmp_ok(common($amount, @both), '>', 0, '... and can generate the same ids');
$clone->safe_psql('postgres', "ALTER SYSTEM SET luuid.node = 'random'");
$clone->restart;
isnt($clone->safe_psql('postgres', $node), $origin->safe_psql('postgres', $node), q{... with luuid.node = 'random' it has another});
is(common($amount, @both), 0, '... and they differ');

# The origin ends, and its backup of before goes on.
my %before = map { $_ => 1 } split /\n/, $origin->safe_psql('postgres', "SELECT $near FROM generate_series(1, 100)");
$origin->safe_psql('postgres', 'SELECT pg_sleep(0.2)');
$origin->stop('immediate');
my $restored = LuuidCluster->new('restored');
$restored->init_from_backup($origin, 'copy');
$restored->start;
is(scalar(grep { $before{$_} } split /\n/, $restored->safe_psql('postgres', "SELECT $near FROM generate_series(1, 100)")), 0,
	'a restored server generates later ids than those that were lost');

done_testing();
