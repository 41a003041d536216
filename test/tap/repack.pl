# Readers below luuid_horizon() and luuid.settle get each row once while the server's commands rewrite the table beside writers. One
# of these, REPACK (CONCURRENTLY), hides the rows from older snapshots.
# It finds losses that need several processes at once; other tests find a wrong line.
# needs: long
use LuuidCluster;
use LuuidReaders;

my $node = LuuidCluster->started('repack', q{shared_preload_libraries = 'luuid'}, 'wal_level = logical', 'log_statement = none',
	'synchronous_commit = off');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), kind text NOT NULL)');
my @commands = ('VACUUM FULL event', 'CLUSTER event USING event_pkey');
push @commands, 'REPACK event', 'REPACK (CONCURRENTLY) event' if $node->safe_psql('postgres', 'SHOW server_version_num') >= 190000;
for my $command (@commands)
{
	LuuidReaders->check_beside($node, $command, sub { $node->safe_psql('postgres', $command) });
	my $session = $node->background_psql('postgres');
	$session->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT luuid_horizon()');
	$node->safe_psql('postgres', $command);
	my $seen = $session->query_safe('SELECT count(*) FROM event WHERE id < luuid_horizon()');
	if ($command =~ /CONCURRENTLY/) { is($seen, '0', "after $command, the table looks empty to an earlier snapshot") }
	else { cmp_ok($seen, '>', 0, "after $command, an earlier snapshot has its rows") }
	$session->quit;
}

done_testing();
