# The bounds of local and rounded times in one of twenty time zones, other ones each time: they leave out no row at the
# ends of any period. zones.pl has all.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('bounds');
$node->safe_psql('postgres', slurp_file('bounds.sql'));
my @swept = split /\n/, $node->safe_psql('postgres', q{
	SELECT format('SELECT * FROM swept(%L)', name) FROM pg_timezone_names WHERE name !~ '^posix/' AND random() < 0.05 \gexec
});
cmp_ok(scalar(@swept), '>', 8, 'many time zones');
like($_, qr/\|trials\|\d{5,}$/, $_) for @swept;

done_testing();
