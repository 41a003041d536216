# pgloader loads ids from CSV, sets aside rows without a valid id, and copies a table of ids with its type, key and default.
use LuuidCluster;
use IPC::Run;

LuuidCluster::needs('pgloader', 'pgloader');
my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $node = LuuidCluster->started('pgloader', 'timezone = UTC');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
	CREATE DATABASE copied;
});
$node->safe_psql('copied', 'CREATE EXTENSION luuid');

my $server = sprintf 'postgresql://unix:%s:%d', $node->host, $node->port;
sub pgloader
{
	my ($commands) = @_;
	my $report;
	append_to_file("$dir/commands", $commands);
	IPC::Run::run([ 'pgloader', '--root-dir', "$dir/rejected", "$dir/commands" ], '>&', \$report);
	unlink "$dir/commands";
	return $report;
}

my $id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
append_to_file("$dir/event.csv", "$id,made\n{" . uc($id) . "},again\nx$id,wrong\n");
like(pgloader(qq{
		LOAD CSV FROM '$dir/event.csv' (id, what) INTO $server/postgres?event (id, what) WITH fields terminated by ',';
	}),
	qr/22P02: invalid input syntax for type luuid: "x$id"/, 'a line of what is no id is reported');
is($node->safe_psql('postgres', 'SELECT * FROM event'), "$id|made",
	'... and set aside, as is a repeat; the rest is loaded');

$node->safe_psql('postgres', q{INSERT INTO event (what) SELECT n FROM generate_series(1, 100) AS n});
unlike(pgloader("LOAD DATABASE FROM $server/postgres INTO $server/copied;"), qr/ERROR|FATAL/, 'a database is copied');
my $rows = q{SELECT count(*), string_agg(e::text, ' ' ORDER BY id) FROM event AS e};
is($node->safe_psql('copied', $rows), $node->safe_psql('postgres', $rows), '... with its rows');
is($node->safe_psql('copied', q{
		SELECT format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid), pg_get_indexdef(conindid)
		FROM pg_attribute JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum JOIN pg_constraint ON conrelid = attrelid
		WHERE attrelid = 'event'::regclass AND attname = 'id' AND contype = 'p'
	}) =~ s/INDEX \S+/INDEX/r,
	'luuid|luuid_generate()|CREATE UNIQUE INDEX ON public.event USING btree (id)', '... its type, default and key');

done_testing();
