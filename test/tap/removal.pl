# luuid_removal.sql removes luuid from a database with every kind of construct, and keeps every row.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->started('removal');

$node->create_keys('postgres');
$node->safe_psql('postgres', q{
	CREATE TABLE child (event luuid REFERENCES by_prefix, of_event luuid REFERENCES event);
	INSERT INTO child SELECT id, id FROM event;
	CREATE VIEW plain_view AS SELECT id, n FROM event;
	CREATE ROLE reader;
	GRANT SELECT ON event, plain_view TO reader;
});

$node->create_constructs('postgres');

# Rows as text, the same for luuid and uuid, without the column of times that a partitioned table gets.
my @tables = qw(event by_prefix plain booking child checked log);
my $rows = join ' UNION ALL ', map {
	"SELECT '$_', count(*), md5(string_agg((to_jsonb(r) - 'made_at')::text, ',' ORDER BY to_jsonb(r)::text COLLATE \"C\")) FROM $_ AS r"
} @tables;
my $parts = 'SELECT (SELECT count(*) FROM event_old), (SELECT count(*) FROM event_new)';
my $before = $node->safe_psql('postgres', $rows);
my $parts_before = $node->safe_psql('postgres', $parts);

# As the README says it.
my ($typed) = slurp_file("$ENV{TESTDIR}/README.md") =~ /^(psql .*luuid_removal\.sql.*) DATABASE$/m;
my ($out, $said);
ok(IPC::Run::run([ 'sh', '-c', "$typed \"" . $node->connstr('postgres') . '"' ], '>', \$out, '2>', \$said),
	'the script ends well') or diag $said;
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_extension WHERE extname LIKE 'luuid%'}), '0', 'the extension is gone');
is($node->safe_psql('postgres', $rows), $before, 'every row is present');
is($node->safe_psql('postgres', $parts), $parts_before, 'and in its partition');
is( $node->safe_psql('postgres', q{
		SELECT count(*) FROM event WHERE made_at >= '2019-05-05Z' AND made_at < '2019-05-06Z';
		SELECT string_agg(DISTINCT format_type(atttypid, NULL), ' ') FROM pg_attribute
		WHERE attname IN ('id', 'parent', 'twin', 'item', 'event', 'of_event') AND attrelid::regclass::text !~ '^pg_'
			AND attrelid IN (SELECT oid FROM pg_class WHERE relkind IN ('r', 'p'));
		SELECT string_agg(concat(conrelid::regclass, ' ', contype), ', ' ORDER BY conrelid::regclass::text COLLATE "C", contype)
		FROM pg_constraint WHERE contype IN ('p', 'x', 'f') AND conparentid = 0 AND conrelid >= 16384;
		SELECT has_table_privilege('reader', 'event', 'SELECT'), has_table_privilege('reader', 'plain_view', 'SELECT');
	}), "23\nuuid\nbooking x, by_prefix p, checked f, checked p, checked x, child f, event p\nt|t", 'times, types, keys and privileges');
like($said, qr/WARNING: .*default value for column id of table .*event.*luuid_generate\(\)/s, 'a default that needs luuid is reported');
like($said, qr/WARNING: .*view .*lately.*DETAIL: .*CREATE VIEW public\.lately/s, '... and a view by time');
unlike($said, qr/plain_view/, '... but no view that works without luuid');

# Install it again.
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	ALTER TABLE plain ALTER id TYPE luuid;
	ALTER TABLE child ALTER of_event TYPE luuid;
	ALTER TABLE event RENAME TO event_by_time;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int) PARTITION BY RANGE (id);
	CREATE TABLE event_back PARTITION OF event FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
	INSERT INTO event SELECT id, n FROM event_by_time;
});
is($node->safe_psql('postgres', $rows), $before, 'installed again, every row is present');

done_testing();
