# pg_repack rewrites a table of ids, by time if asked, and keeps every row, index and default. Readers below the horizon get each
# row once meanwhile; a snapshot from before its end can lack some.
use LuuidCluster;
use LuuidReaders;

LuuidCluster::needs('postgresql-NN-repack', 'pg_repack.so', 'pg_repack');
my $node = LuuidCluster->started('pg_repack', q{shared_preload_libraries = 'luuid'}, 'log_statement = none', 'synchronous_commit = off');
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

$node->safe_psql('postgres', q{DROP TABLE event; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), kind text NOT NULL);
	INSERT INTO event (kind) VALUES ('copied')});
my @repack = ('pg_repack', '--dbname=postgres', '--table=event', '--no-analyze');
LuuidReaders->check_beside($node, 'pg_repack', sub { $node->run_log(\@repack) or die 'pg_repack fails' });

# It waits for the transactions of before its copy: so a snapshot of during the copy, or of after it, can be older than the table.
$node->safe_psql('postgres', q{TRUNCATE event; INSERT INTO event (kind) VALUES ('copied')});
my ($open, $older) = map { $node->background_psql('postgres') } 1 .. 2;
$open->query_safe('BEGIN; SELECT pg_current_xact_id()');
{
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	my $repack = $node->background(@repack);
	$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE query ~ 'pg_locks' AND application_name ~ 'pg_repack'})
		or die 'it waits for nothing';
	sleep 1;
	$node->safe_psql('postgres', q{INSERT INTO event (kind) VALUES ('logged'); SELECT pg_sleep(0.01)});
	$older->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT luuid_horizon()');
	$open->query_safe('COMMIT');
	$repack->{run}->finish;
}
is($older->query_safe('SELECT string_agg(kind, chr(32) ORDER BY id) FROM event WHERE id < luuid_horizon()') . '|'
		. $node->safe_psql('postgres', 'SELECT string_agg(kind, chr(32) ORDER BY id) FROM event'), 'copied|copied logged',
	'to a snapshot of before its end, a row of before the horizon is not there');
$_->quit for $open, $older;

done_testing();
