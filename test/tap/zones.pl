# The bounds of local and rounded times in every time zone: they leave out no row at the first or the last microsecond of
# any week, month, quarter, year, decade, century and millennium from 1900 to 2037, nor of any shorter period near a change
# of the clocks.
# needs: release
use IPC::Run;
use LuuidCluster;

my $node = LuuidCluster->started('bounds');
$node->safe_psql('postgres', slurp_file('bounds.sql'));
my @psql = ('psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'));
my @output = ('', '');
IPC::Run::run(
	map {
		my $half = "SELECT format('SELECT * FROM swept(%L)', name) FROM pg_timezone_names
			WHERE name !~ '^posix/' AND hashtext(name) & 1 = $_ \\gexec";
		($_ ? '&' : (), \@psql, '<', \$half, '>', \$output[$_])
	} 0, 1);
my @swept = split /\n/, join '', @output;
is(scalar(@swept), $node->safe_psql('postgres', q{SELECT count(*) FROM pg_timezone_names WHERE name !~ '^posix/'}), 'every time zone');
like($_, qr/\|trials\|\d{5,}$/, $_) for @swept;

done_testing();
