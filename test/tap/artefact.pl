# The module as a file: what it needs at run time and what it shows to others.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->started('artefact');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid');

my ($module) = slurp_file($ENV{LUUID_SERVER_CONF}) =~ m{^dynamic_library_path='([^:]+):}m;
$module .= '/luuid.so';

sub symbols
{
	my ($output) = run_command([ 'nm', '-D', '--defined-only', '--format=posix', $module ]);
	return sort map { (split ' ')[0] } split /\n/, $output;
}

my @functions = split /\n/,
  $node->safe_psql('postgres', q{SELECT DISTINCT prosrc FROM pg_proc WHERE probin = '$libdir/luuid'});
my @expected = sort '_PG_init', 'Pg_magic_func', @functions, map { "pg_finfo_$_" } @functions;
is_deeply([symbols()], \@expected, 'exports its magic and the functions that SQL declares, nothing else');

my ($dynamic) = run_command([ 'readelf', '-dW', $module ]);
my @needed = $dynamic =~ /\(NEEDED\).*\[(.*)\]/g;
is_deeply([ grep { !/^(libc\.so|ld-linux)/ } @needed ], [], 'needs no library but libc');

my ($segments) = run_command([ 'readelf', '-lW', $module ]);
like($segments, qr/GNU_STACK.* RW /, 'has no executable stack');
like($segments, qr/GNU_RELRO/, 'has relocations that are read-only');
like($dynamic, qr/FLAGS.*NOW/, 'binds its symbols when it is loaded');

my ($imported) = run_command([ 'nm', '-D', '--undefined-only', $module ]);
like($imported, qr/__stack_chk_fail/, 'guards its stack frames');

done_testing();
