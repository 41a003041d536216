# ALTER EXTENSION luuid UPDATE on a server that still has the older module loaded is refused, and changes nothing.
# needs: long
use LuuidCluster;

my ($older, $newer) = LuuidCluster::add_next_version();
chomp(my $pkglibdir = `pg_config --pkglibdir`);
my $module = "$pkglibdir/luuid.so";
rename($module, "$module.newer") && rename("$module.older", $module) or die;

my $node = LuuidCluster->started('update', @{ $LuuidCluster::scope{cluster} });
$node->safe_psql('postgres', "CREATE EXTENSION luuid VERSION '$older'");
rename("$module.newer", $module) or die;
like($node->error_of('postgres', 'ALTER EXTENSION luuid UPDATE'),
	qr/: could not find function "luuid_is_timed" in file ".*luuid[.]so"/,
	'before the restart, it is refused');
my $version = q{SELECT extversion FROM pg_extension WHERE extname = 'luuid'};
is($node->safe_psql('postgres', $version), $older, '... and nothing is changed');
$node->restart;
$node->safe_psql('postgres', 'ALTER EXTENSION luuid UPDATE');
is($node->safe_psql('postgres', $version), $newer, 'after a restart it succeeds');

done_testing();
