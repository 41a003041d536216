# Checks that the demo shows what it promises, in colour only on a terminal. Under test/with-server.
use strict;
use warnings;

use Encode qw(decode);
use File::Temp qw(tempdir);
use FindBin qw($Bin);
use List::Util qw(max min sum);
use Test::More;

# What the demo printed, run by a command.
sub printed_by
{
	my ($command) = @_;
	my $output = `$command 2>&1`;
	is($?, 0, "$command runs") or diag($output);
	return $output;
}

# The cells of the rows whose first cell matches.
sub rows
{
	my ($output, $first) = @_;
	return map {
		[ map { s/^\s+|\s+$//gr } split /\|/ ]
	} grep { /^\s*$first\s*\|/ } split /\n/, $output;
}

chdir $Bin or die "chdir: $!";
my $demo = './run';
my $plain = printed_by($demo);
unlike($plain, qr/\e/, 'no colours where it is no terminal');
is(join("\n", grep { length > 80 } split /\n/, decode('UTF-8', $plain)), '', 'fits 80 columns');

my @first = map { $_->[0] =~ /^([-\w]{23})-/ } rows($plain, qr/[0-9a-f]{8}-[-0-9a-f]{27}/);
is_deeply([ map { $_->[0] } rows($plain, qr/[0-9a-f]{8}-[-0-9a-f]{14}/) ], [ @first[ 0 .. 2 ] ], 'ids are shown in the order of their generation');

my @shards = rows($plain, qr/[0-7]/);
is(scalar @shards, 8, 'eight shards');
my @variable = map { $_->[1] } @shards;
is(sum(@variable), 100_000, 'variable mode generated all its ids');
cmp_ok(max(@variable) - min(@variable), '<', 100, '... evenly');
cmp_ok(scalar(grep { $_->[3] > 0 } @shards), '<=', 2, 'sequential mode stays on one shard, but for the end of a window');

my %on = (parent => [], child => []);
push @{ $on{ $_->[0] } }, $_->[2] for rows($plain, qr/parent|child/);
is(scalar @{ $on{child} }, 3, 'three children');
is_deeply($on{child}, $on{parent}, 'each is where its parent is');

my @ranges = rows($plain, qr/the last \w+/);
is(scalar @ranges, 3, 'three time ranges');
ok($_->[1] < 2 * $_->[3] && $_->[3] < 2 * $_->[1], "$_->[0]: $_->[1] rows expected of $_->[3]") for @ranges;
cmp_ok($ranges[0][2], '>', 2 * $ranges[0][3], 'of an hour under uuid v7 the planner expects more than twice as many');

my @settled = map { join ': ', @$_ } rows($plain, qr/generated (?:first|last), .*?/);
is_deeply(\@settled, [ 'generated last, committed first: f', 'generated first, committed last: t',
		'generated last, committed first: t' ], 'a row is not settled while one before it may commit');

like($plain, qr/Index Cond: \(id >= luuid_floor/, 'the primary key answers for the day');
my ($major) = `psql -XAtc 'SHOW server_version_num'` =~ /^(\d\d)/;
is_deeply([ map { $_->[0] } rows($plain, qr/bigint|luuid|uuid v\d/) ],
	[ 'bigint', 'uuid v4', ('uuid v7') x ($major >= 18), 'luuid' ], 'what a row costs, of each');
like($plain, qr/^    make psql\n\n?\z/m, 'it ends with what to type next');

# script(1) gives its command a terminal, and what stands in for psql prints the same.
my $folder = tempdir(CLEANUP => 1);
$ENV{PATH} = "$folder:$ENV{PATH}";
open my $psql, '>', "$folder/psql" or die "psql: $!";
print $psql "#!/bin/sh\ncat <<'END'\n${plain}END\n";
close $psql;
chmod 0755, "$folder/psql";
like(printed_by("script -q -e -c $demo /dev/null"), qr/\e\[3\dm[0-9a-f]{8}\e/, 'colours on a terminal');
unlike(printed_by("NO_COLOR=1 script -q -e -c $demo /dev/null"), qr/\e/, '... unless NO_COLOR is set');

done_testing();
