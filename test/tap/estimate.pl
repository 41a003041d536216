# Estimates read an index while others insert, delete and VACUUM, so that its pages are split and deleted meanwhile; on a
# standby, while it replays this. And the rows of tables that were never analyzed: unlogged ones before and after a crash,
# and restored ones.
# needs: long, pg18
use LuuidCluster;

my $node = LuuidCluster->started('estimate', 'wal_level = replica', 'max_wal_senders = 4', 'hot_standby = on',
	'max_standby_streaming_delay = -1', 'autovacuum = off', 'jit = off');
my $standby = $node->started_standby('standby');

# Pages of few entries, in one index whose splits are at its end and in one whose are anywhere.
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE item (id luuid, other luuid, n int);
	CREATE INDEX ON item (id) WITH (fillfactor = 10);
	CREATE INDEX ON item (other DESC) WITH (fillfactor = 10);
	INSERT INTO item SELECT luuid_generate(t), luuid_generate(t), n FROM generate_series(1, 20000) AS n,
		LATERAL (SELECT timestamptz '2026-01-01 00:00+00' + n * interval '10 s' AS t) AS a;
});
my %script = (
	insert => q{
		INSERT INTO item SELECT luuid_generate(t), luuid_generate(t - random() * interval '2 days'), n FROM generate_series(1, 100) AS n,
			LATERAL (SELECT timestamptz '2026-01-03 00:00+00' + random() * interval '2 days' AS t) AS a;},
	remove => q{
		\set begin random(0, 90)
		DELETE FROM item WHERE id >= timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h'
			AND id < timestamptz '2026-01-01 00:00+00' + (:begin + 4) * interval '1 h';},
	vacuum => q{VACUUM (INDEX_CLEANUP ON) item;},
	give_up => q{
		BEGIN;
		INSERT INTO item SELECT id, id, 0 FROM generate_series(1, 200),
			luuid_generate(timestamptz '2026-01-03 00:00+00' + random() * interval '2 days') AS id;
		SAVEPOINT before;
		UPDATE item SET n = n + 1 WHERE id IN (SELECT id FROM item LIMIT 50);
		ROLLBACK TO before;
		ROLLBACK;},
	ask => q{
		\set begin random(-10, 90)
		\set hours random(1, 80)
		EXPLAIN SELECT FROM item WHERE id >= timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h'
			AND id < timestamptz '2026-01-01 00:00+00' + (:begin + :hours) * interval '1 h';
		EXPLAIN SELECT FROM item WHERE other < timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h';
		EXPLAIN SELECT FROM item AS a JOIN item AS b ON b.other >= a.id AND b.other < a.id::timestamptz + interval '5 min'
			WHERE a.id < timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h';});
my $folder = PostgreSQL::Test::Utils::tempdir();
append_to_file("$folder/$_", $script{$_}) for keys %script;

$node->wait_for_catchup($standby);
my @running = map {
	my ($server, %weight) = @$_;
	$server->background('pgbench', '-n', '-T', 8, '-c', 4, '-j', 2, (map { ('-f', "$folder/$_\@$weight{$_}") } sort keys %weight),
		'-d', $server->connstr('postgres'));
} [ $node, insert => 6, remove => 2, vacuum => 1, give_up => 2, ask => 12 ], [ $standby, ask => 1 ];
foreach my $n (0, 1)
{
	$running[$n]{run}->finish;
	is($running[$n]{run}->full_result(0), 0, ($n ? 'standby' : 'primary') . ': every estimate is answered');
	unlike($running[$n]{err}, qr/ERROR|PANIC|terminated/, ($n ? 'standby' : 'primary') . ': without an error');
}

# What is there then is counted as it is, on both.
$node->safe_psql('postgres', 'VACUUM (INDEX_CLEANUP ON, ANALYZE) item');
$node->wait_for_catchup($standby);
my $ranges = q{
	SELECT condition FROM generate_series(0, 90, 9) AS n, unnest(ARRAY['id', 'other']) AS subject,
		LATERAL (SELECT format('%s >= timestamptz ''2026-01-01 00:00+00'' + %s * interval ''1 h'' '
			'AND %1$s < timestamptz ''2026-01-01 00:00+00'' + %s * interval ''1 h''', subject, n, n + 20) AS condition) AS c};
my @conditions = split /\n/, $node->safe_psql('postgres', $ranges);
foreach my $server ($node, $standby)
{
	my @far;
	foreach my $condition (@conditions)
	{
		my $planned = ($server->safe_psql('postgres', "EXPLAIN SELECT FROM item WHERE $condition") =~ /rows=(\d+)/)[0];
		my $counted = $server->safe_psql('postgres', "SELECT count(*) FROM item WHERE $condition");
		$_ = $_ < 100 ? 100 : $_ for $planned, $counted;
		push @far, "$condition: $planned of $counted" if $planned > 1.5 * $counted || $counted > 1.5 * $planned;
	}
	is("@far", '', $server->name . ': ranges are counted as they are afterwards');
}

# Entries of rows that the statement does not see: those of another session's open load, versions that an old snapshot keeps, and
# rows that are deleted, but not for it. VACUUM cannot remove them.
$node->safe_psql('postgres', q{
	CREATE TABLE seen (id luuid, n int);
	INSERT INTO seen SELECT luuid_generate(timestamptz '2026-01-01 00:00+00' + n * interval '1 min'), n FROM generate_series(1, 100000) AS n;
	CREATE INDEX ON seen (id);
	CREATE INDEX ON seen (n);
	CREATE TABLE alike (LIKE seen) WITH (autovacuum_enabled = off);
	INSERT INTO alike SELECT * FROM seen;
	CREATE INDEX ON alike (id);
	VACUUM ANALYZE seen, alike});
sub errors_of    # of 16 ranges of so many hours, sorted
{
	my ($table, $hours) = @_;
	return sort { $a <=> $b } map { my ($planned, $rows) = /rows=(\d+).*rows=(\d+)/; $planned /= $rows; $planned < 1 ? 1 / $planned : $planned } map {
		$node->safe_psql('postgres', "EXPLAIN (ANALYZE, TIMING OFF) SELECT FROM $table WHERE id >= timestamptz '2026-03-01 00:00+00' + $_ * interval '3 h'
			AND id < timestamptz '2026-03-01 00:00+00' + ($_ * 3 + $hours) * interval '1 h'")
	} 0 .. 15;
}
my $old = $node->background_psql('postgres');
$old->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pg_class LIMIT 1');
$node->safe_psql('postgres', q{UPDATE seen SET n = n + 1 WHERE id >= timestamptz '2026-02-28 00:00+00'; VACUUM ANALYZE seen}) for 1 .. 4;
cmp_ok((errors_of('seen', 9))[14], '<', 2, 'one version of five is visible');
$node->safe_psql('postgres', q{DELETE FROM seen WHERE n % 2 = 0 AND id >= timestamptz '2026-02-28 00:00+00'; VACUUM ANALYZE seen});
cmp_ok((errors_of('seen', 9))[14], '<', 2, 'one of ten');
my $load = $node->background_psql('postgres');
$load->query_safe(q{BEGIN; INSERT INTO seen SELECT luuid_generate(timestamptz '2026-03-01 00:00+00' + n * interval '2 s'), n FROM generate_series(1, 86400) AS n});
cmp_ok((errors_of('seen', 9))[14], '<', 4, 'one of some 70, beside an open load');
# Leaves that are alike, but of every other day: few of them do not tell how many rows are visible.
$node->safe_psql('postgres', q{DELETE FROM alike WHERE n / 1440 % 2 = 0});
cmp_ok((errors_of('alike', 480))[14], '<', 1.4, 'every other day is visible');
cmp_ok(($node->safe_psql('postgres', q{BEGIN ISOLATION LEVEL SERIALIZABLE; EXPLAIN SELECT FROM seen WHERE id >= timestamptz '2026-03-01 00:00+00'}) =~ /rows=(\d+)/)[0],
	'>', 10000, 'a serializable transaction looks at no row');
$_->query_safe('ROLLBACK'), $_->quit for $load, $old;
# Few pages of a queue tell of few rows: most entries of its leaves are marked as dead. The next ones are of rows that are deleted.
$node->safe_psql('postgres', $_) for q{
	CREATE TABLE queue AS SELECT luuid_generate(timestamptz '2026-01-01 00:00+00' + n * interval '1 min') AS id, n FROM generate_series(1, 11500) AS n;
	CREATE INDEX ON queue (id);
	ALTER TABLE queue SET (autovacuum_enabled = off)}, 'VACUUM ANALYZE queue', 'DELETE FROM queue WHERE n <= 9000',
	q{SET enable_seqscan = off; SET enable_bitmapscan = off; SELECT count(n) FROM queue WHERE id < timestamptz '2027-01-01'},
	'DELETE FROM queue WHERE n <= 11480';
cmp_ok(($node->safe_psql('postgres', q{EXPLAIN SELECT FROM queue WHERE id < timestamptz '2027-01-01'}) =~ /rows=(\d+)/)[0],
	'<', 100, 'a queue of 20 rows');
# A statement reads 200 pages, however many ranges it has, beside some of the system catalogs.
$node->safe_psql('postgres', q{
	CREATE TABLE shuffled WITH (autovacuum_enabled = off) AS SELECT * FROM seen WHERE false;
	CREATE INDEX ON shuffled (id);
	INSERT INTO shuffled SELECT luuid_generate(timestamptz '2026-01-01 00:00+00' + n * interval '1 min'), n FROM generate_series(1, 100000) AS n
		ORDER BY hashint4(n);
	VACUUM ANALYZE shuffled;
	DELETE FROM shuffled WHERE n % 2 = 0});
for ([ 10, 1, 'seen' ], [ 400, 1, 'seen' ], [ 300, 160, 'seen' ], [ 40, 8, 'shuffled' ])
{
	my ($ranges, $long, $table) = @$_;
	my $said = join ' OR ', map { sprintf q{id >= timestamptz '2026-01-01' + %d * interval '3 h' AND id < timestamptz '2026-01-01' + %d * interval '3 h'}, $_, $_ + $long } 1 .. $ranges;
	my ($read, $others) = map {
		$node->safe_psql('postgres', "LOAD 'luuid'; SET luuid.enable_index_estimates = $_; EXPLAIN (BUFFERS, FORMAT JSON) SELECT FROM $table WHERE $said")
			=~ /"Planning":.*?"Shared Hit Blocks": (\d+)/s
	} qw(on off);
	cmp_ok($read - $others, '<=', 200, "$ranges ranges of $long x 3 hours read $read pages, and $others of them not for estimates");
}

# The server would guess the rows of a page by the columns' types: too few if texts are short, and too many if they are
# long. A crash empties an unlogged table.
my %payload = (narrow => "'x'", wide => "repeat('x', 1500)");
my %tables = map {
	my $kind = $_;
	map { ("${_}_$kind" => "CREATE " . ($_ eq 'unlogged' ? 'UNLOGGED' : '') . " TABLE ${_}_$kind (id luuid PRIMARY KEY, a text, b text, c text)") }
		qw(logged unlogged)
} keys %payload;
sub fill
{
	my ($name) = @_;
	my $payload = $payload{ $name =~ s/.*_//r };
	$node->safe_psql('postgres', qq{
		INSERT INTO $name SELECT luuid_generate(timestamptz '2026-01-01 00:00+00' + n * interval '10 s'), $payload, 'y', 'z'
		FROM generate_series(1, 8000) AS n});
}
sub estimates_are_right
{
	my ($when, $database, @names) = @_;
	foreach my $name (@names)
	{
		# All, and the middle quarter. A session has called a function of luuid before it plans.
		my @planned = $node->safe_psql($database, qq{
			SELECT luuid_generate() IS NULL;
			SET enable_bitmapscan = off;
			EXPLAIN SELECT FROM $name;
			EXPLAIN SELECT FROM $name WHERE id >= timestamptz '2026-01-01 00:00+00' + interval '30000 s'
				AND id < timestamptz '2026-01-01 00:00+00' + interval '50000 s'}) =~ /$name.* rows=(\d+)/g;
		ok(@planned == 2 && abs($planned[0] / 8000 - 1) < 0.1 && abs($planned[1] / 2000 - 1) < 0.1, "$name $when: @planned rows of 8000 and 2000");
	}
}
foreach my $name (sort keys %tables)
{
	$node->safe_psql('postgres', "$tables{$name}; ALTER TABLE $name ALTER a SET STORAGE plain");
	fill($name);
}
estimates_are_right('never analyzed', 'postgres', sort keys %tables);
$node->stop('immediate');
$node->start;
estimates_are_right('after a crash', 'postgres', grep { /^logged/ } sort keys %tables);
foreach my $name (grep { /^unlogged/ } sort keys %tables)
{
	my $plan = $node->safe_psql('postgres', "EXPLAIN SELECT FROM $name WHERE id >= timestamptz '2026-01-01'");
	like($plan, qr/rows=\d/, "$name is empty after a crash, and estimated");
	fill($name);
}
estimates_are_right('filled after a crash', 'postgres', grep { /^unlogged/ } sort keys %tables);
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
my @dumped = map { ('-t', $_) } sort keys %tables;
$node->command_ok([ 'pg_dump', '-Fc', '-f', $dump, @dumped, '-e', 'luuid', '-d', $node->connstr('postgres') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('restored'), $dump ], 'pg_restore');
estimates_are_right('restored', 'restored', sort keys %tables);

done_testing();
