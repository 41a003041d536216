# The cookbook's create_months over other people's tables: after the call, each month has a partition, or the call has raised an
# error that says why, and the other months have theirs. It finds a month whose rows will be refused.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('months', 'timezone = America/New_York', 'max_prepared_transactions = 1');
my ($recipe) = LuuidCluster::documented('cookbook/shards.md', 'Monthly partitions');
$node->safe_psql('postgres', "CREATE EXTENSION luuid; $recipe");

my $since = '2026-06-01 00:00+00';
my $months = "since => '$since', until => '2027-02-01 00:00+00'";    # nine
sub partitions { my ($table) = @_; return $node->safe_psql('postgres', "SELECT count(*) FROM pg_inherits WHERE inhparent = '$table'::regclass") }
sub quoted { my ($name) = @_; return '"' . $name =~ s/"/""/gr . '"' }
sub literal { my ($text) = @_; return "'" . $text =~ s/'/''/gr . "'" }

# Names of tables; one with a name in which a character has three bytes.
my $names = 0;
for my $name ('a', map({ substr "it's \"a log\" " . 'x' x 63, 0, $_ } 55, 56, 63), "\xe2\x82\xac" x 21)
{
	my $bytes = length $name;
	my $schema = 'of_' . ++$names;
	my $table = quoted($name);
	$node->safe_psql('postgres', "CREATE SCHEMA $schema; CREATE TABLE $schema.$table (id luuid PRIMARY KEY, v int) PARTITION BY RANGE (id);
		CALL create_months(@{[ literal(qq{$schema.$table}) ]}, $months)");
	is($node->safe_psql('postgres', "INSERT INTO $schema.$table SELECT luuid_generate_v7(at), 1
		FROM generate_series(timestamptz '$since', '2027-02-28 23:00+00', '1 day') AS at;
		SELECT count(*), count(DISTINCT tableoid) FROM $schema.$table"), '273|9', "a name of $bytes bytes");
}

# What the parent has, the partitions have.
mkdir $node->basedir . '/big';
$node->safe_psql('postgres', "CREATE TABLESPACE big LOCATION '" . $node->basedir . "/big'");
$node->safe_psql('postgres', "CREATE TABLE elsewhere (id luuid PRIMARY KEY, n bigint GENERATED ALWAYS AS IDENTITY, v int)
	PARTITION BY RANGE (id) TABLESPACE big; CALL create_months('elsewhere', $months)");
is($node->safe_psql('postgres', q{SELECT count(*), bool_and(spcname = 'big') FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
	LEFT JOIN pg_tablespace AS t ON t.oid = reltablespace WHERE inhparent = 'elsewhere'::regclass}), '9|t', 'the parent\'s tablespace');
is($node->safe_psql('postgres', q{INSERT INTO elsewhere (id, v) SELECT luuid_generate_v7('2026-12-24Z'), 1 FROM generate_series(1, 10);
	SELECT array_agg(n ORDER BY n) FROM elsewhere}), '{1,2,3,4,5,6,7,8,9,10}', 'an identity column');
$node->command_ok([ 'sh', '-c', 'pg_dump -d "$0" -t "elsewhere*" | psql -XqAt -v ON_ERROR_STOP=1 -d "$1" -c "CREATE EXTENSION luuid" -f -',
		$node->connstr('postgres'), $node->connstr('template1') ], '... is dumped and restored');
is($node->safe_psql('template1', 'SELECT count(*) FROM elsewhere'), 10, '... with its rows');
$node->safe_psql('postgres', "CREATE TABLE of_uuid (id uuid PRIMARY KEY) PARTITION BY RANGE (id uuid_time_ops); CREATE INDEX ON of_uuid (id uuid_time_ops);
	CALL create_months('of_uuid', $months)");
is($node->safe_psql('postgres', q{INSERT INTO of_uuid SELECT luuid_generate('2026-12-24Z') FROM generate_series(1, 10);
	SELECT DISTINCT tableoid::regclass FROM of_uuid}), 'of_uuid_2026_12', 'a uuid column');

# A month is there if any partition has all of it.
$node->safe_psql('postgres', "CREATE TABLE older (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE history PARTITION OF older FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-12-01 00:00+00'));
	CREATE TABLE winter PARTITION OF older FOR VALUES FROM (luuid_floor('2026-12-01 00:00+00')) TO (luuid_floor('2027-02-01 00:00+00'));
	CALL create_months('older', $months); CALL create_months('older', $months)");
is(partitions('older'), 3, 'partitions of other ranges');

# A month that cannot be created is an error, and the others are created.
sub refused
{
	my ($call, $error, $title) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return like($node->error_of('postgres', $call), $error, $title);
}
$node->safe_psql('postgres', 'CREATE TABLE taken (id luuid PRIMARY KEY) PARTITION BY RANGE (id); CREATE TABLE taken_2026_12 (id luuid)');
refused("CALL create_months('taken', $months)", qr/ERROR: .*\nDETAIL:  public.taken_2026_12: relation "taken_2026_12" already exists\n/, 'a table of the name');
is(partitions('taken'), 8, '... takes one month only');
$node->safe_psql('postgres', "CREATE TABLE half (id luuid PRIMARY KEY) PARTITION BY RANGE (id);
	CREATE TABLE half_of_june PARTITION OF half FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-06-15 00:00+00'))");
refused("CALL create_months('half', $months)", qr/DETAIL:  public.half_2026_06: .*would overlap partition "half_of_june"/, 'half a month');
is(partitions('half'), 9, '... too');
# As an interrupted DETACH PARTITION CONCURRENTLY leaves it.
$node->safe_psql('postgres', "CREATE TABLE left_by_one (id luuid PRIMARY KEY) PARTITION BY RANGE (id); CALL create_months('left_by_one', $months);
	UPDATE pg_inherits SET inhdetachpending = true WHERE inhrelid = 'left_by_one_2026_12'::regclass");
refused("CALL create_months('left_by_one', $months)", qr/DETAIL:  public.left_by_one_2026_12: relation "left_by_one_2026_12" already exists\n/,
	'a partition whose detaching is pending');
$node->safe_psql('postgres', 'CREATE TABLE busy (id luuid PRIMARY KEY) PARTITION BY RANGE (id)');
my $reader = $node->background_sql('postgres', 'BEGIN; SELECT count(*) FROM busy; SELECT pg_sleep(600)');
$node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_locks WHERE relation = 'busy'::regclass});
refused("CALL create_months('busy', since => '$since', until => '2026-07-01 00:00+00')", qr/DETAIL:  (public.busy_\d+_\d+: canceling statement due to lock timeout\n){2}/,
	'a lock that another transaction holds');
$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_locks WHERE relation = 'busy'::regclass});
LuuidCluster::end($reader);
$node->safe_psql('postgres', "CALL create_months('busy', since => '$since', until => '2026-07-01 00:00+00')");
is(partitions('busy'), 2, '... for a while only');

# The statements in the error move what a default partition has, of any columns, without a trigger.
$node->safe_psql('postgres', q{
	CREATE TABLE mixed (gone int, v int, id luuid PRIMARY KEY, "odd ""name" text GENERATED ALWAYS AS ('v' || v) STORED,
		n bigint GENERATED ALWAYS AS IDENTITY) PARTITION BY RANGE (id);
	ALTER TABLE mixed DROP COLUMN gone;
	CREATE TABLE "mixed's rest" ("odd ""name" text GENERATED ALWAYS AS ('v' || v) STORED, n bigint NOT NULL, id luuid NOT NULL, v int);
	ALTER TABLE mixed ATTACH PARTITION "mixed's rest" DEFAULT;
	INSERT INTO mixed (id, v) SELECT luuid_generate_v7(at), i FROM unnest('{2026-05-31 23:59:59.999+00,2026-06-01Z,2026-12-31 23:59:59.999+00,
		2027-01-01Z}'::timestamptz[]) WITH ORDINALITY AS t (at, i);
	INSERT INTO mixed (id, v) VALUES (gen_random_uuid(), 5), ('00000000-0000-0000-0000-000000000000', 6);
	CREATE FUNCTION no_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a trigger fired'; END $$;
	CREATE TRIGGER no_row BEFORE INSERT OR DELETE ON mixed FOR EACH ROW EXECUTE FUNCTION no_row();
});
my $rows = q{SELECT string_agg(format('%s|%s|%s|%s', id, v, "odd ""name", n), ',' ORDER BY v) FROM mixed};
my $before = $node->safe_psql('postgres', $rows);
my $error = ($node->psql('postgres', "CALL create_months('mixed', $months)"))[2];
is(join(' ', $error =~ /public\.mixed_(\d+_\d+): updated partition constraint for default/g), '2026_06 2026_12 2027_01', 'months with rows in a default partition');
is(partitions('mixed'), 1 + 6, '... have none');
my ($statements) = $error =~ /^HINT: .*?:\n(.*COMMIT;\n)/ms or die $error;
$node->safe_psql('postgres', "$statements CALL create_months('mixed', $months)");
is(partitions('mixed'), 1 + 9, '... until the statements in the error were run');
is($node->safe_psql('postgres', $rows), $before, '... which keep every row as it was');
is($node->safe_psql('postgres', q{SELECT string_agg(v || ' ' || tableoid::regclass, ', ' ORDER BY v) FROM mixed}),
	q{1 "mixed's rest", 2 mixed_2026_06, 3 mixed_2026_12, 4 mixed_2027_01, 5 "mixed's rest", 6 "mixed's rest"}, '... in the partition of its month');

# A table or a range that it cannot mean.
$node->safe_psql('postgres', q{
	CREATE TABLE two_columns (id luuid, n int) PARTITION BY RANGE (id, n);
	CREATE TABLE by_bytes (id luuid) PARTITION BY RANGE (id luuid_byte_ops);
	CREATE TABLE uuid_by_bytes (id uuid) PARTITION BY RANGE (id);
	CREATE TABLE by_list (id luuid) PARTITION BY LIST (id);
	CREATE TABLE plain (id luuid);
});
for my $table (map({ "'$_'" } qw(two_columns by_bytes uuid_by_bytes by_list plain)), 'NULL')
{
	refused("CALL create_months($table)", qr/is not partitioned by ranges of an id in the order of time/, "$table has no months");
	refused("SELECT * FROM partitions_of($table)", qr/is not partitioned by ranges of an id in the order of time/, '... and no partitions by time');
}
refused("CALL create_months('taken', $_)", qr/no range of months/, $_)
	for "until => 'infinity'", "since => '-infinity'", 'until => NULL', "until => now() - interval '1 s'";
refused("BEGIN; CALL create_months('taken', until => now() + interval '1 year')", qr/2D000: invalid transaction termination/, 'in a transaction block');

# Several at a time.
$node->safe_psql('postgres', 'CREATE TABLE together (id luuid PRIMARY KEY) PARTITION BY RANGE (id)');
my @calls = map { $node->background_sql('postgres', "CALL create_months('together', $months)") } 1 .. 4;
$_->{run}->finish for @calls;
LuuidCluster::check_no_error('calls of several sessions at a time', @calls);
is(partitions('together'), 9, '... create each month');

done_testing();
