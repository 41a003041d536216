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

# States of objects that are dropped and created again ---------------------------------------------------------------

$node->safe_psql('postgres', 'CREATE DATABASE states');
$node->safe_psql('states', q{
	CREATE EXTENSION luuid;
	CREATE ROLE tenant;
	CREATE ROLE stranger;
	CREATE SCHEMA theirs AUTHORIZATION tenant;
	CREATE TABLE ran (who text);
	GRANT INSERT, SELECT ON ran TO PUBLIC;
	SET ROLE tenant;
	CREATE TABLE theirs.event (id luuid PRIMARY KEY, luuid int, n int NOT NULL);
	INSERT INTO theirs.event SELECT luuid_generate(), 1, n FROM generate_series(1, 3) AS n;
	CREATE FUNCTION theirs.tell(anything luuid) RETURNS bool LANGUAGE plpgsql AS $$
	BEGIN
		SET LOCAL ROLE NONE;
		INSERT INTO public.ran VALUES (current_user);
		RETURN true;
	EXCEPTION WHEN OTHERS THEN
		INSERT INTO public.ran VALUES (current_user);
		RETURN true;
	END $$;
	ALTER TABLE theirs.event ADD CONSTRAINT telling CHECK (theirs.tell(id));
	CREATE STATISTICS theirs.counts ON id, n FROM theirs.event;
	CREATE MATERIALIZED VIEW theirs.told AS SELECT id, theirs.tell(id) FROM theirs.event;
	CREATE MATERIALIZED VIEW theirs.empty AS SELECT id FROM theirs.event WITH NO DATA;
	RESET ROLE;
	DELETE FROM ran;

	CREATE FUNCTION column_luuid(id luuid, luuid luuid DEFAULT NULL) RETURNS int LANGUAGE sql AS
		'SELECT e.luuid FROM theirs.event AS e WHERE e.id = column_luuid.id::luuid OR e.id = column_luuid.luuid';
	CREATE FUNCTION calling() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN RETURN luuid_generate(); END';
	CREATE DOMAIN id AS luuid CHECK (VALUE > '-infinity'::timestamptz);
	CREATE DOMAIN id_of AS text;
	CREATE TABLE named (id id, what id_of DEFAULT 'x'::id_of, CHECK (id IS NOT NULL AND what <> 'y'::id_of),
		of_day date GENERATED ALWAYS AS ((id::timestamptz AT TIME ZONE 'UTC')::date) STORED);

	CREATE VIEW open_to_all AS SELECT id FROM theirs.event;
	GRANT SELECT ON open_to_all TO tenant WITH GRANT OPTION;
	CREATE VIEW open_to_none AS SELECT id::luuid, 'a::luuid' AS quoted FROM theirs.event;
	CREATE VIEW "it's" AS SELECT id::luuid FROM theirs.event;
	REVOKE EXECUTE ON FUNCTION column_luuid FROM PUBLIC;

	CREATE TABLE sold (id luuid, n bigserial, i int GENERATED BY DEFAULT AS IDENTITY (START 100 INCREMENT 10), what text)
		PARTITION BY RANGE (id);
	CREATE TABLE sold_all PARTITION OF sold DEFAULT;
	INSERT INTO sold (id) SELECT luuid_generate() FROM generate_series(1, 5);
	CREATE UNIQUE INDEX sold_once ON sold (id, what);
	CREATE INDEX sold_what ON sold (what);
	ALTER TABLE sold REPLICA IDENTITY FULL;
	CREATE PUBLICATION sales FOR TABLE sold (id, what) WHERE (what <> 'secret')
		WITH (publish_via_partition_root = true);
	CREATE TABLE timed (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id uuid_time_ops);
	CREATE TABLE timed_old PARTITION OF timed FOR VALUES FROM (MINVALUE) TO (luuid_floor(timestamptz '2020-01-01Z'));
	CREATE TABLE timed_new PARTITION OF timed FOR VALUES FROM (luuid_floor(timestamptz '2020-01-01Z')) TO (MAXVALUE);
	INSERT INTO timed SELECT luuid_generate() FROM generate_series(1, 5);

	CREATE TABLE marked (id luuid NOT NULL, other luuid NOT NULL);
	CREATE UNIQUE INDEX marked_id ON marked (id);
	ALTER TABLE marked ADD CONSTRAINT marked_other UNIQUE (other), REPLICA IDENTITY USING INDEX marked_id, CLUSTER ON marked_other;
	CREATE RULE silent AS ON DELETE TO marked WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING;
	ALTER TABLE marked DISABLE RULE silent;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO stranger;
	ALTER DEFAULT PRIVILEGES GRANT EXECUTE ON FUNCTIONS TO stranger;
});
ok(IPC::Run::run([ 'sh', '-c', "$typed \"" . $node->connstr('states') . '"' ], '>', \$out, '2>', \$said), 'the states: the script ends well') or diag $said;

sub state { my ($query) = @_; return $node->safe_psql('states', $query) }
is(state('SELECT who, count(*) FROM ran GROUP BY who'), 'tenant|3', 'the functions of a materialized view ran as its owner, and those of a CHECK did not run');
like($said, qr/WARNING:  constraint telling on table theirs.event is NOT VALID.*HINT:  Its owner may run ALTER TABLE \.\.\. VALIDATE CONSTRAINT/s, '... which is said');
unlike($said, qr/WARNING:  (?!constraint)[^\n]*NOT VALID/, '... of nothing else');
is(state(q{SELECT convalidated FROM pg_constraint WHERE conname = 'telling'; SELECT count(*) FROM theirs.told;
	SELECT string_agg(relname || ' ' || relispopulated, ' ' ORDER BY relname) FROM pg_class WHERE relkind = 'm'}),
	"f\n3\nempty false told true", '... and views have rows as they had');
state('SET ROLE tenant; ALTER TABLE theirs.event VALIDATE CONSTRAINT telling');
is(state(q{SELECT column_luuid(id) FROM theirs.event LIMIT 1; SELECT pg_get_function_arguments('column_luuid'::regproc)}),
	"1\nid uuid, luuid uuid DEFAULT NULL::uuid", 'names of columns and arguments stay');
like($said, qr/WARNING:  function public.calling\(\) may need luuid/, 'a function that calls luuid in its body is named');
like($said, qr/WARNING: .*column of_day of table.*DETAIL:  GENERATED ALWAYS AS \(.*id/s, 'a generated column is shown');
like($said, qr/WARNING:  type public.id is not there.*DETAIL:  CREATE DOMAIN public.id AS luuid CONSTRAINT id_check CHECK/s, '... and a domain');
is(state(q{SELECT DISTINCT quoted, count FROM open_to_none, (SELECT count(id) FROM "it's") AS c}), 'a::luuid|3', 'a text in quotes stays, and a name is none');
like(state(q{SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'named_check'}), qr/::id_of/, 'a type whose name begins as that of a domain stays');
is(state(q{SELECT string_agg(concat(object, ' ', grantee::regrole, ' ', privilege_type, ' ', is_grantable), ', ' ORDER BY object, grantee, privilege_type)
	FROM (SELECT relname AS object, relowner AS owner, relacl AS acl FROM pg_class WHERE relname IN ('open_to_all', 'open_to_none', 'sold')
		UNION ALL SELECT proname, proowner, proacl FROM pg_proc WHERE proname = 'column_luuid') AS o, aclexplode(acl) WHERE grantee <> owner}),
	'open_to_all tenant SELECT t', 'privileges are those of before, without those that default privileges grant');
is(state(q{SELECT stxowner::regrole FROM pg_statistic_ext WHERE stxname = 'counts'}), 'tenant', 'the owner of statistics');
is(state(q{INSERT INTO sold (id) VALUES (gen_random_uuid()) RETURNING n, i; SELECT pg_get_serial_sequence('sold', 'n')}),
	"6|150\npublic.sold_n_seq", 'sequences go on');
is(state(q{SELECT string_agg(indexrelid::regclass || ' ' || indisvalid, ' ' ORDER BY indexrelid::regclass::text COLLATE "C") FROM pg_index
	JOIN pg_class AS c ON c.oid = indrelid WHERE relname ~ '^(sold|timed)'}),
	'sold_all_id_what_made_at_idx true sold_all_what_idx true sold_once true sold_what true timed_new_pkey true timed_old_pkey true timed_pkey true',
	'indexes of partitioned tables are valid, on partitions too');
is(state(q{SELECT relreplident FROM pg_class WHERE relname IN ('sold', 'marked') ORDER BY relname}), "i\nf", 'replica identities');
is(state(q{SELECT concat(pubname, ' ', tablename, ' ', attnames, ' ', rowfilter) FROM pg_publication_tables}), "sales sold {id,what} (what <> 'secret'::text)", 'publications');
is(state('SELECT tableoid::regclass, count(*) FROM timed WHERE made_at > now() - interval \'1 day\' GROUP BY 1'), 'timed_new|5', 'a table of uuid partitioned by time');
is(state(q{SELECT ev_enabled FROM pg_rewrite WHERE rulename = 'silent'; SELECT indexrelid::regclass FROM pg_index WHERE indisclustered}),
	"D\nmarked_other", 'disabled rules, and marks of CLUSTER');

# What it does not convert ---------------------------------------------------------------------------------------------

my %refused = (
	'a second level of partitions' => q{CREATE TABLE t (id luuid) PARTITION BY RANGE (id);
		CREATE TABLE u PARTITION OF t DEFAULT PARTITION BY HASH (id)},
	'a column made_at' => q{CREATE TABLE t (id luuid, made_at date) PARTITION BY RANGE (id); CREATE TABLE u PARTITION OF t DEFAULT},
	'a composite type' => q{CREATE TYPE pair AS (a luuid, b luuid); CREATE TABLE t (p pair)},
	'a typed table' => q{CREATE TYPE entry AS (id luuid); CREATE TABLE t OF entry},
	'a foreign table' => q{CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w; CREATE FOREIGN TABLE t (id luuid) SERVER s},
	'a cast' => q{CREATE CAST (text AS luuid) WITH INOUT},
	'an operator class' => q{CREATE OPERATOR CLASS c FOR TYPE luuid USING hash AS OPERATOR 1 =, FUNCTION 1 luuid_hash(luuid)},
);
for my $what (sort keys %refused)
{
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS refused; CREATE DATABASE refused');
	$node->safe_psql('refused', "CREATE EXTENSION luuid; $refused{$what}");
	my $ended = IPC::Run::run([ 'sh', '-c', "$typed \"" . $node->connstr('refused') . '"' ], '>', \$out, '2>', \$said);
	ok(!$ended, "$what: it ends with an error") or diag $said;
	is($node->safe_psql('refused', q{SELECT count(*) FROM pg_extension WHERE extname = 'luuid'}), '1', '... and changes nothing');
}

done_testing();
