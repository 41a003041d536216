# The module as a file: its run-time dependencies and its exported symbols.
use LuuidCluster;

my $node = LuuidCluster->started('artefact');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid');

chomp(my $module = `pg_config --pkglibdir`);
$module .= '/luuid.so';

sub symbols
{
	my ($output) = run_command([ 'nm', '-D', '--defined-only', '--format=posix', $module ]);
	return sort map { (split ' ')[0] } split /\n/, $output;
}

my @functions = split /\n/,
	$node->safe_psql('postgres', q{SELECT DISTINCT prosrc FROM pg_proc WHERE probin = '$libdir/luuid'});
my @expected = sort '_PG_init', 'Pg_magic_func', @functions, map { "pg_finfo_$_" } @functions;
is_deeply([ symbols() ], \@expected, 'exports only its magic block and the functions that SQL declares');

my ($dynamic) = run_command([ 'readelf', '-dW', $module ]);
my @needed = $dynamic =~ /\(NEEDED\).*\[(.*)\]/g;
is_deeply([ grep { !/^(libc\.so|ld-linux|ld64)/ } @needed ], [], 'needs no library but libc');

# A server built from source may add the path of its own libraries.
my ($libdir) = run_command([ 'pg_config', '--libdir' ]);
my @paths = $dynamic =~ /\((?:RPATH|RUNPATH)\).*\[(.*)\]/g;
is_deeply([ grep { $_ ne $libdir } @paths ], [], 'has no library path of its own');
unlike($dynamic, qr/\(TEXTREL\)/, 'has no relocations in its code');

my ($segments) = run_command([ 'readelf', '-lW', $module ]);
like($segments, qr/GNU_STACK.* RW /, 'has no executable stack');
unlike($segments, qr/ RWE /, 'has no segment that is writable and executable');

done_testing();
