# Constructs that name an operator without its schema work with an empty search path: in conditions that postgres_fdw sends, and
# on tables to which logical replication applies rows.
# needs: long, pg18
use LuuidCluster;

my @workers = ('wal_level = logical', 'max_wal_senders = 4', 'max_replication_slots = 4');
my $far = LuuidCluster->started('far', @workers);
my $near = LuuidCluster->started('near', @workers);
$far->safe_psql('postgres', 'CREATE EXTENSION luuid');
$far->create_constructs('postgres');

# postgres_fdw --------------------------------------------------------------------------------------------------------

$near->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION postgres_fdw;
	CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '} . $far->host . q{', port '} . $far->port . q{', dbname 'postgres', extensions 'luuid');
	CREATE USER MAPPING FOR CURRENT_USER SERVER far;
	CREATE FOREIGN TABLE checked (id luuid NOT NULL, parent luuid, twin uuid, n int) SERVER far;
	ALTER FOREIGN TABLE checked OPTIONS (use_remote_estimate 'true');
});
my $middle = $far->safe_psql('postgres', 'SELECT id FROM checked ORDER BY id OFFSET 20 LIMIT 1');
for my $query (
	'SELECT id FROM checked WHERE id IS DISTINCT FROM parent',
	'SELECT id FROM checked WHERE parent IS NOT DISTINCT FROM NULL',
	"SELECT id FROM checked WHERE parent IS DISTINCT FROM '$middle'",
	'SELECT id FROM checked WHERE CASE id WHEN parent THEN false ELSE n > 3 END',
	# Before 17 an array's type is no member of its element's extension, and so is not sent.
	$far->pg_version < 17 ? () : "SELECT n FROM checked WHERE id IN ('$middle', '00000000-0000-0000-0000-000000000000')",
	"SELECT n FROM checked WHERE id = ANY ('{$middle,00000000-0000-0000-0000-000000000000}'::uuid[])",
	"SELECT n FROM checked WHERE id = uuid '$middle'",
	"SELECT n FROM checked WHERE twin = luuid '$middle'",
	"SELECT n FROM checked WHERE id < '$middle' AND id ~>~ '40000000-0000-0000-0000-000000000000'",
	"SELECT n FROM checked WHERE id >= timestamptz '2001-01-01Z' AND id <@ tstzrange('2001-01-01Z', 'infinity')",
	"SELECT n FROM checked WHERE twin #>=# '$middle'",
	'SELECT n FROM checked WHERE luuid_shard(id, 8) = 3 OR luuid_extract_pid(id) IS NULL',
	'SELECT id, n FROM checked ORDER BY id LIMIT 5',
	'SELECT max(id), min(id), count(DISTINCT parent) FROM checked',
	'SELECT parent, max(id) FROM checked GROUP BY parent',
	'SELECT child.id FROM checked AS child JOIN checked AS root ON child.parent = root.id',
	'SELECT id FROM checked AS a JOIN checked AS b USING (id)')
{
	my $name = $query =~ s/\Q$middle\E/.../r;
	my $plan = $near->safe_psql('postgres', "EXPLAIN (VERBOSE, COSTS OFF) $query");
	my $left = join ', ', $plan =~ /^\s*(?:->\s*)?(Filter|Sort|Aggregate|GroupAggregate|HashAggregate|Hash Join|Merge Join|Nested Loop)\b/mg;
	is($left, '', "sent whole: $name") or diag $plan;
	my $sorted = "SELECT string_agg(r::text, ' ' ORDER BY r::text) FROM ($query) AS r";
	is($near->safe_psql('postgres', $sorted), $far->safe_psql('postgres', $sorted), '... and answered as the far side answers');
}
is($near->safe_psql('postgres', q{
		BEGIN;
		UPDATE checked SET n = n WHERE id IS DISTINCT FROM parent AND parent IS NOT NULL;
		DELETE FROM checked WHERE parent IS NOT NULL AND id IS DISTINCT FROM parent;
		SELECT count(*) = 0 FROM checked WHERE parent IS NOT NULL;
		ROLLBACK;
	}), 't', 'written through, too');

# Logical replication -------------------------------------------------------------------------------------------------

my $schema = PostgreSQL::Test::Utils::tempdir() . '/schema.sql';
$far->command_ok([ 'pg_dump', '--schema-only', '-f', $schema, 'postgres' ], 'the schema is dumped');
$near->safe_psql('postgres', 'CREATE DATABASE subscriber');
$near->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', $schema, 'subscriber' ], 'the schema is restored');
$far->safe_psql('postgres', 'TRUNCATE log; CREATE PUBLICATION checked FOR TABLE checked');
$near->safe_psql('subscriber',
	'CREATE SUBSCRIPTION checked CONNECTION \'' . $far->connstr . ' dbname=postgres\' PUBLICATION checked');
$near->wait_for_subscription_sync($far, 'checked', 'subscriber');
$far->safe_psql('postgres', q{
	INSERT INTO checked (id, twin, n) SELECT id, id, 500 FROM luuid_generate() AS id;
	UPDATE checked SET parent = (SELECT min(id::luuid) FROM checked) WHERE n BETWEEN 3 AND 9 AND parent IS NULL
		AND id IS DISTINCT FROM (SELECT min(id::luuid) FROM checked);
	UPDATE checked SET n = n + 1 WHERE n > 100;
	DELETE FROM checked WHERE n = 501;
});
$far->wait_for_catchup('checked');
for my $made ('SELECT id, parent, twin, n, is_root, born FROM checked', 'TABLE log', 'TABLE joined', 'TABLE compared')
{
	my $digest = "SELECT count(*), md5(string_agg(r::text, ',' ORDER BY r::text COLLATE \"C\")) FROM ($made) AS r";
	my $there = $far->safe_psql('postgres', $digest);
	unlike($there, qr/^0\|/, "$made: rows to compare");
	is($near->safe_psql('subscriber', $digest), $there, '... and the subscriber has them');
}
$near->check_indexes('subscriber', 'subscriber');
is($near->safe_psql('subscriber', 'SELECT apply_error_count FROM pg_stat_subscription_stats'), '0', 'without an error');

done_testing();
