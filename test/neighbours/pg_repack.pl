# pg_repack rewrites a table of ids, in the order of time where asked, with every row, index and default.
use strict;
use warnings;

use LuuidCluster;
use Test::More;

LuuidCluster::needs('postgresql-NN-repack', 'pg_repack.so', 'pg_repack');
my $node = LuuidCluster->started('pg_repack');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION pg_repack');
$node->create_event_table('postgres');
$node->safe_psql('postgres', q{
	INSERT INTO event (id, writer, n) SELECT luuid_generate('2026-11-01Z'::timestamptz + n * interval '1 s'), 'test', n
	FROM generate_series(1, 5000) AS n ORDER BY random();
	DELETE FROM event WHERE n % 5 < 3;
});
my $rows = q{SELECT md5(string_agg(e::text, ',' ORDER BY id)), count(*) FROM event AS e};
my $definitions = q{
	SELECT string_agg(pg_get_indexdef(indexrelid), ';' ORDER BY indexrelid::regclass::text)
	FROM pg_index WHERE indrelid = 'event'::regclass;
	SELECT string_agg(pg_get_expr(adbin, adrelid), ';' ORDER BY adnum)
	FROM pg_attrdef WHERE adrelid = 'event'::regclass;
};
my ($rows_before, $definitions_before) = map { $node->safe_psql('postgres', $_) } $rows, $definitions;
my $filenode = $node->safe_psql('postgres', q{SELECT pg_relation_filenode('event')});

$node->command_ok([ 'pg_repack', '--dbname=postgres', '--table=event', '--order-by=id' ], 'it runs');
isnt($node->safe_psql('postgres', q{SELECT pg_relation_filenode('event')}), $filenode, 'the table is another');
is($node->safe_psql('postgres', $rows), $rows_before, '... with the same rows');
is($node->safe_psql('postgres', $definitions), $definitions_before, '... the same indexes and defaults');
is($node->safe_psql('postgres', 'SELECT array_agg(id ORDER BY ctid) = array_agg(id ORDER BY id) FROM event'), 't',
	'... and in the order of time');
$node->check_indexes('postgres', 'repacked');

done_testing();
