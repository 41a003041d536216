# A database with luuid keys survives pg_dump and restore (plain, custom, the schema before the data, rows behind a guard, one table
# of an earlier day), and COPY BINARY.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('dump');

$node->create_keys('postgres');

my $before = $node->contents_of_keys('postgres');
like($before, qr/^101\|1000\|/, 'the rows are in their partitions before the dump');

$node->create_constructs('postgres');
my $constructs = $node->constructs('postgres');
like($constructs, qr/^40\|/, 'every construct has its rows before the dump');

my $dir = PostgreSQL::Test::Utils::tempdir();
my @psql = qw(psql -X -q -v ON_ERROR_STOP=1 -f);
my %restored = (
	plain => [ [ 'pg_dump', '-f', "$dir/plain.sql", 'postgres' ], [ @psql, "$dir/plain.sql", 'restored_plain' ] ],
	custom => [
		[ 'pg_dump', '-Fc', '-f', "$dir/custom.dump", 'postgres' ],
		[ 'pg_restore', '-e', '-d', 'restored_custom', "$dir/custom.dump" ]
	],
	parts => [
		[ 'pg_dump', '--schema-only', '-f', "$dir/schema.sql", 'postgres' ],
		[ 'pg_dump', '--data-only', '--disable-triggers', '-f', "$dir/data.sql", 'postgres' ],
		[ @psql, "$dir/schema.sql", 'restored_parts' ],
		[ @psql, "$dir/data.sql", 'restored_parts' ],
		[ 'psql', '-Xqc', 'REFRESH MATERIALIZED VIEW grouped', 'restored_parts' ]
	]);
for my $way (sort keys %restored)
{
	my $database = "restored_$way";
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->command_ok($_, "$way: $_->[0]") for @{ $restored{$way} };
	is($node->contents_of_keys($database), $before, "$way: the same rows");
	is($node->constructs($database), $constructs, "$way: the same rows of every construct");
	$node->check_constructs($database, $way);
	$node->check_indexes($database, $way);
	$node->check_exclusion($database, $way);
}

$node->safe_psql('postgres', qq{
	COPY (TABLE event) TO '$dir/event.bin' (FORMAT binary);
	CREATE TABLE copied (LIKE event);
	COPY copied FROM '$dir/event.bin' (FORMAT binary);
	CREATE TABLE copied_as_uuid (id uuid, n int);
	COPY copied_as_uuid FROM '$dir/event.bin' (FORMAT binary);
});
for my $copy (qw(copied copied_as_uuid))
{
	is($node->safe_psql('postgres', qq{
			SELECT count(*) FROM (TABLE event EXCEPT SELECT id::luuid, n FROM $copy) missing;
		}), '0', "COPY BINARY into $copy keeps every row");
}

# Into a table with a guard, rows alone are restored as doc/operations.md has it.
my $guarded = LuuidCluster->started('guarded', q{shared_preload_libraries = 'luuid'});
my ($trigger) = slurp_file("$ENV{TESTDIR}/luuid_following.md") =~ /^(CREATE TRIGGER guard .*?;)$/ms or die 'no trigger';
my ($restore) = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^(pg_restore --data-only .*)$/m or die 'no command';
$guarded->safe_psql('postgres', qq{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate_v7());
	INSERT INTO event SELECT luuid_generate_v7(now() - n * interval '1 min') FROM generate_series(1, 100) AS n;
	$trigger
	SELECT luuid_horizon();
});
$guarded->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/app.dump", 'postgres' ], 'guarded: pg_dump');
$guarded->safe_psql('postgres', 'CREATE DATABASE whole; TRUNCATE event');
my @restore = map { s/^app\.dump$/$dir\/app.dump/r =~ s/^--dbname=app$/--dbname=postgres/r } split / /, $restore;
$guarded->command_checks_all([ grep { $_ ne '--disable-triggers' } @restore ], 1, [], [qr/is older than a horizon.*HINT:.*--disable-triggers/s],
	'guarded: rows alone are refused');
$guarded->command_ok(\@restore, 'guarded: and are restored without triggers');
$guarded->command_ok([ 'pg_restore', '--dbname=whole', "$dir/app.dump" ], 'guarded: a whole dump is restored as usual');
is($guarded->safe_psql($_, q{SELECT count(*), (SELECT string_agg(tgname::text || tgenabled::text, ' ') FROM pg_trigger) FROM event}), '100|guardO',
	"guarded: the rows and the guard are in $_") for qw(postgres whole);

# A table of Monday beside today's, and in place of one that was dropped, as doc/operations.md has it.
my ($beside, $insert) = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^### A table of Monday.*?^```sh\n(.*?)^```\n.*?`(INSERT .*?)`/ms or die 'no commands';
my $in_place = $beside =~ s/^psql .*\n//mr =~ s/--schema=monday/--table=event/r;
my $rows = q{SELECT count(*) FILTER (WHERE what = 'of Monday'), count(*) FROM };
$node->safe_psql('postgres', 'CREATE DATABASE app');
$node->safe_psql('app', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), what text NOT NULL);
	INSERT INTO event
	SELECT luuid_generate_v7(at), 'of Monday' FROM generate_series(timestamptz '2026-11-16 00:00+00', '2026-11-16 23:00+00', '1 hour') AS at;
});
$node->command_ok([ 'pg_dump', '-Fc', '-f', "$dir/app_monday.dump", 'app' ], 'Monday: pg_dump');
$node->safe_psql('app', q{
	DELETE FROM event WHERE id >= timestamptz '2026-11-16 05:00+00' AND id < timestamptz '2026-11-16 09:00+00';
	UPDATE event SET what = 'of today' WHERE id >= timestamptz '2026-11-16 10:00+00';
});
$node->command_ok([ 'bash', '-o', 'pipefail', '-ec', "cd '$dir'\n$beside" ], 'Monday: the table is copied');
is($node->safe_psql('app', "$rows monday.event; $rows event"), "24|24\n6|20", "Monday: it is beside today's");
is($node->safe_psql('app', "$insert; $rows event; DROP SCHEMA monday CASCADE"), '9|23', 'Monday: what is missing of a morning is back, and no more');
$node->safe_psql('app', 'DROP TABLE event');
$node->safe_psql('postgres', 'DROP DATABASE app_monday');
$node->command_ok([ 'bash', '-o', 'pipefail', '-ec', "cd '$dir'\n$in_place" ], 'Monday: a dropped table is copied');
is($node->safe_psql('app', "$rows event; INSERT INTO event (what) VALUES ('new'); $rows event"), "24|24\n24|25", 'Monday: and is as it was, its default too');

done_testing();
