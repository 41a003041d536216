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
is_deeply([symbols()], \@expected, 'exports only its magic block and the functions that SQL declares');

my ($dynamic) = run_command([ 'readelf', '-dW', $module ]);
my @needed = $dynamic =~ /\(NEEDED\).*\[(.*)\]/g;
is_deeply([ grep { !/^(lib[cm]\.so|ld-linux|ld64)/ } @needed ], [], 'needs no library but libc, which has libm');

# A server built from source may add the path of its own libraries.
my ($libdir) = run_command([ 'pg_config', '--libdir' ]);
my @paths = $dynamic =~ /\((?:RPATH|RUNPATH)\).*\[(.*)\]/g;
is_deeply([ grep { $_ ne $libdir } @paths ], [], 'has no library path of its own');
unlike($dynamic, qr/\(TEXTREL\)/, 'has no relocations in its code');

my ($segments) = run_command([ 'readelf', '-lW', $module ]);
like($segments, qr/GNU_STACK.* RW /, 'has no executable stack');
unlike($segments, qr/ RWE /, 'has no segment that is writable and executable');

# A module is built with its server's flags, which enable hardening on Debian.
my $flags = join ' ', map { (run_command([ 'pg_config', "--$_" ]))[0] } qw(cppflags cflags ldflags);

sub where_the_server_has
{
	my ($flag, $count, $test) = @_;
  SKIP:
	{
		skip "the server was built without $flag", $count unless $flags =~ /(?<!\S)\Q$flag\E/;
		$test->();
	}
	return;
}

where_the_server_has('-Wl,-z,relro', 1,
	sub { like($segments, qr/GNU_RELRO/, 'has relocations that are read-only') });
where_the_server_has('-Wl,-z,now', 1,
	sub { like($dynamic, qr/FLAGS.*NOW/, 'binds its symbols when it is loaded') });

my ($imported) = run_command([ 'nm', '-D', '--undefined-only', '--format=posix', $module ]);
where_the_server_has('-fstack-protector', 1,
	sub { like($imported, qr/__stack_chk_fail/, 'guards its stack frames') });
where_the_server_has('-D_FORTIFY_SOURCE', 2, sub {
	# The compiler makes calls of mem... itself, where it knows that they fit.
	my ($loaded) = run_command([ 'ldd', $module ]);
	my ($libc) = $loaded =~ m{libc\.so\S* => (\S+)};
	my ($exported) = run_command([ 'nm', '-D', '--defined-only', '--format=posix', $libc ]);
	my %is_fortified = map { $_ => 1 } $exported =~ /^__(\w+)_chk\b/mg;
	cmp_ok(scalar(keys %is_fortified), '>', 50, 'libc functions check their buffers');
	is(join(' ', grep { $is_fortified{$_} && !/^mem/ } $imported =~ /^(\w+)/mg), '',
		'calls none of them in a form that does not');
});

# Flags that the code does not show are recorded by g++. `make demo` on a machine without it builds by clang.
where_the_server_has('-g', 2, sub {
	my @hardening = $flags =~ /(?<!\S)(-f(?:stack-protector|stack-clash|cf-protection)\S*|-mbranch-protection\S*)/g;
	my ($debug) = run_command([ 'readelf', '--debug-dump=info', '--dwarf-depth=1', $module ]);
	skip 'clang records no flags', 2 if $debug =~ /DW_AT_producer.*clang version/;
	cmp_ok(scalar(my @units = $debug =~ /DW_AT_producer.*: (GNU C\+\+.*)/g), '>', 5, 'records its compiler flags');
	# Newer compilers note that -fcf-protection stands for full.
	is(join("\n", map { my $flag = $_; grep { !/(?<!\S)\Q$flag\E(?:=full)?(?!\S)/ } @units } @hardening),
		'', "is compiled with the server's hardening: @hardening");
});

done_testing();
