# pg_squeeze rewrites a table of ids. Readers below the horizon get each row once meanwhile; for an older snapshot, the table looks
# empty.
use LuuidCluster;
use LuuidReaders;

LuuidCluster::needs('postgresql-NN-squeeze', 'pg_squeeze.so');
my $node = LuuidCluster->started('pg_squeeze', q{shared_preload_libraries = 'luuid, pg_squeeze'}, 'wal_level = logical', 'log_statement = none',
	'synchronous_commit = off');
$node->allow_output_plugin('pg_squeeze');
$node->safe_psql('postgres', q{CREATE EXTENSION luuid; CREATE EXTENSION pg_squeeze;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), kind text NOT NULL); INSERT INTO event (kind) VALUES ('opened')});
my $squeeze = q{SELECT squeeze.squeeze_table('public', 'event')};
my $filenode = q{SELECT pg_relation_filenode('event')};
my $before = $node->safe_psql('postgres', $filenode);
LuuidReaders->check_beside($node, 'pg_squeeze', sub { $node->safe_psql('postgres', $squeeze) });
isnt($node->safe_psql('postgres', $filenode), $before, 'the table is another');

my $older = $node->background_psql('postgres');
$older->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT luuid_horizon()');
$node->safe_psql('postgres', $squeeze);
is($older->query_safe('SELECT count(*) FROM event WHERE id < luuid_horizon()'), '0', 'to a snapshot of before, the table looks empty');
$older->quit;

done_testing();
