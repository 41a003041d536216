# Replicas of tables with luuid keys: a promoted standby continues to generate without duplicates, reading a standby
# below its primary's horizon misses no row, and logical replication copies keys as text and in binary, to luuid and
# uuid columns.
# needs: long
use LuuidCluster;
use IPC::Run;

my $dir = PostgreSQL::Test::Utils::tempdir();

# A standby, promoted -------------------------------------------------------------------------------------------------

my $writers = 4;
my $enough = LuuidCluster::scaled(100);
append_to_file("$dir/insert.sql", "INSERT INTO event (writer, n) VALUES ('session', 0) RETURNING id;\n" x ($enough * 200));

# As in the cookbook, with concurrent writers that commit late, and that do not wait for the WAL flush. The standby
# lags, so that reading without waiting for it misses rows.
sub follow_on_standby
{
	my ($primary, $standby) = @_;
	append_to_file("$dir/late.sql", q{
		BEGIN;
		INSERT INTO event (writer, n) VALUES ('late', 0);
		SELECT pg_sleep(random() * 0.02);
		COMMIT;
	});
	$standby->append_conf('postgresql.conf', 'recovery_min_apply_delay = 300ms');
	$standby->reload;
	local $ENV{PGOPTIONS} = '-c synchronous_commit=off';
	my $late = $primary->background('pgbench', '--no-vacuum', '--client=8', '--time=600', "--file=$dir/late.sql",
		$primary->connstr('postgres'));
	my $first = my $last = $primary->safe_psql('postgres', 'SELECT luuid_floor(clock_timestamp())');
	my @seen;
	for (my $round = 1; $round <= LuuidCluster::scaled(4) || @seen <= 100; $round++)
	{
		my ($upto, $lsn) = split /\|/,
			$primary->safe_psql('postgres', 'SELECT luuid_horizon(), pg_current_wal_insert_lsn()');
		if ($standby->safe_psql('postgres', 'SHOW server_version_num') >= 190000) { $standby->safe_psql('postgres', "WAIT FOR LSN '$lsn'") }
		else { $standby->poll_query_until('postgres', "SELECT pg_last_wal_replay_lsn() >= '$lsn'") or die "$lsn is not replayed" }
		my @page = split /\n/,
			$standby->safe_psql('postgres', "SELECT id FROM event WHERE id > '$last' AND id < '$upto' ORDER BY id");
		$last = $page[-1] if @page;
		push @seen, @page;
	}
	LuuidCluster::end($late);
	$standby->append_conf('postgresql.conf', 'recovery_min_apply_delay = 0');
	$standby->reload;
	my $there = $primary->safe_psql('postgres', "SELECT id FROM event WHERE id > '$first' AND id <= '$last' ORDER BY id");
	ok("@seen" eq $there =~ tr/\n/ /r, 'a reader on a standby got each of ' . @seen . ' rows once, in order')
		or diag scalar(() = $there =~ /\n/g) + 1 . ' are there';
	return;
}

for my $scope (sort keys %LuuidCluster::scope)
{
	my $primary = LuuidCluster->started("primary_$scope", @{ $LuuidCluster::scope{$scope} },
		'wal_level = replica', 'max_wal_senders = 4', 'hot_standby = on', 'log_statement = none');
	$primary->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION amcheck');
	$primary->create_event_table('postgres');
	my $standby = $primary->started_standby("standby_$scope");
	# Acknowledged then means that the standby has it.
	$primary->append_conf('postgresql.conf', "synchronous_standby_names = '*'");
	$primary->reload;
	$primary->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'})
		or die 'the standby is not synchronous';

	my @noted = map { "$dir/acknowledged.$scope.$_" } 1 .. $writers;
	my @programs = $primary->background_writers("$dir/insert.sql", @noted);
	LuuidCluster::wait_until('the writers', sub { !grep { LuuidCluster::lines($_) < $enough } @noted }, @programs);

	# Meanwhile the standby makes ids that it does not store, with its primary's node, since it is on the same machine.
	my $node = q{SELECT node, node_source, CASE WHEN leased THEN 'cluster' ELSE 'backend' END FROM luuid_status()};
	is($standby->safe_psql('postgres', $node), $primary->safe_psql('postgres', $node),
		"$scope: a standby on its primary's machine has its node, and a lease as configured");
	like($standby->safe_psql('postgres', $node), qr/^[0-9a-f]{7}\|system identifier( and mac)?\|$scope$/, "$scope: status of a standby");
	like($standby->error_of('postgres', 'SELECT luuid_horizon()'),
		qr/55000: the luuid horizon is not known during recovery.*^HINT:  Read it from a row/ms, "$scope: the horizon on a standby")
		if $scope eq 'cluster';
	my $read = "SELECT id FROM event WHERE id >= now() - interval '1 hour' ORDER BY id DESC LIMIT 1";
	like($standby->safe_psql('postgres', $read), qr/^[0-9a-f-]{36}$/, "$scope: a standby answers a query by time range");
	append_to_file("$dir/standby.$scope",
		$standby->safe_psql('postgres', q{
			SELECT luuid_generate() FROM generate_series(1, 5000);
			SET luuid.mode = sequential;
			SELECT luuid_generate() FROM generate_series(1, 5000);
		}) . "\n");

	follow_on_standby($primary, $standby) if $scope eq 'cluster';

	$primary->stop('immediate');
	$_->{run}->finish for @programs;
	is(join('', grep { /duplicate key/ } map { $_->{err} } @programs), '', "$scope: no duplicate key");
	$standby->promote;

	# What the new primary makes meets what the old one made: its keys are there.
	$standby->safe_psql('postgres', q{ALTER SYSTEM RESET synchronous_standby_names});
	$standby->pgbench('--no-vacuum --client=8 --jobs=2 --transactions=' . LuuidCluster::scaled(50),
		0, [qr/actually processed/], [qr/^$/], "$scope: the new primary goes on generating", {
			"new_primary_variable_$scope" => q{
				SET luuid.mode = variable;
				INSERT INTO event (writer, n) SELECT 'new', n FROM generate_series(1, 5) AS n;
			},
			"new_primary_sequential_$scope" => q{
				SET luuid.mode = sequential;
				INSERT INTO event (writer, n) SELECT 'new', n FROM generate_series(1, 5) AS n;
			},
		});
	$standby->safe_psql('postgres', 'CREATE TABLE acknowledged (id luuid); CREATE TABLE unstored (id luuid);'
			. "COPY unstored FROM '$dir/standby.$scope';"
			. join('', map { "COPY acknowledged FROM '$_';" } @noted));
	my ($acknowledged, $missing) = split /\|/, $standby->safe_psql('postgres', q{
		SELECT count(*), count(*) FILTER (WHERE NOT EXISTS (SELECT FROM event AS e WHERE e.id = a.id)) FROM acknowledged AS a
	});
	ok($missing == 0 && $acknowledged >= $enough * $writers,
		"$scope: $acknowledged ids that the old primary acknowledged are there") or diag "$missing of $acknowledged are missing";
	$standby->check_no_repeat('postgres',
		q{SELECT id FROM event UNION ALL SELECT plain FROM event UNION ALL SELECT id FROM unstored},
		2 * $enough * $writers + 10_000 + LuuidCluster::scaled(4000), "$scope: old primary, standby and new primary");
	is($standby->safe_psql('postgres', q{
			SELECT count(*) FROM event WHERE writer = 'new' AND id <= (SELECT max(id) FROM acknowledged)
		}), '0', "$scope: ids of the new primary are later than all acknowledged ones");
	$standby->check_indexes('postgres', "$scope, promoted");
	$standby->stop;
}

# Snapshots of a standby, used after its promotion --------------------------------------------------------------------

my $former = LuuidCluster->started('former', q{shared_preload_libraries = 'luuid'}, 'wal_level = logical',
	'max_wal_senders = 4', 'hot_standby = on', 'autovacuum = off');
$former->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate())');
my $promoted = $former->started_standby('promoted');
my $insert = 'INSERT INTO event DEFAULT VALUES RETURNING id';
my $rows = 'SELECT count(*) FROM event';
my $take = "BEGIN ISOLATION LEVEL REPEATABLE READ; $rows;";

my %reader = map { $_ => $promoted->background_psql('postgres') } qw(busy quiet importing);
my %late;

# A reader with a snapshot that a logical slot of the standby has exported, and does not see what is committed then.
sub import_from_slot
{
	my ($commands, $out) = ("CREATE_REPLICATION_SLOT slot LOGICAL pgoutput (SNAPSHOT 'export');\n", '');
	my $creator = IPC::Run::start([ 'psql', '-XAt', '-d', $promoted->connstr('postgres') . ' replication=database' ], '<', \$commands, '>', \$out);
	LuuidCluster::wait_until('the slot to be created', sub {
			$former->safe_psql('postgres', 'SELECT pg_log_standby_snapshot()');
			$creator->pump_nb;
			return $out =~ /^slot\|/m;
	});
	my ($snapshot) = $out =~ /^slot\|[^|]*\|([^|]*)/m;
	$reader{slot} = $promoted->background_psql('postgres');
	is($reader{slot}->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$snapshot'; $rows"), '2',
		'... and one of a logical slot');
	$commands .= "\\q\n";
	$creator->finish;
	$late{slot} = $former->safe_psql('postgres', $insert);
	$former->wait_for_catchup($promoted->name, 'replay', $former->lsn('insert'));
	return;
}

# One that does not see what was in progress at the primary, while it sees the last to begin, and one that sees all that
# it ever wrote.
my $writer = $former->background_psql('postgres');
$late{busy} = $writer->query_safe("BEGIN; $insert");
$former->safe_psql('postgres', $insert);
$former->wait_for_catchup($promoted->name, 'replay', $former->lsn('insert'));
is($reader{busy}->query_safe($take), '1', 'a snapshot of a standby, of before a commit');
my $exported = $reader{busy}->query_safe('SELECT pg_export_snapshot()');
$writer->query_safe('COMMIT');
$writer->quit;
$former->wait_for_catchup($promoted->name, 'replay', $former->lsn('insert'));
is($reader{quiet}->query_safe($take), '2', '... and of after it');
import_from_slot() if $promoted->pg_version >= 16;
$former->stop;
$promoted->promote;
$late{importing} = $late{busy};
$late{quiet} = $promoted->safe_psql('postgres', $insert);
$promoted->safe_psql('postgres', 'SELECT pg_sleep(0.002)');
$reader{importing}->query_safe("BEGIN ISOLATION LEVEL REPEATABLE READ; SET TRANSACTION SNAPSHOT '$exported'");
for my $kind (sort keys %reader)
{
	is($reader{$kind}->query_safe("SELECT coalesce(luuid_horizon() <= '$late{$kind}', true)"), 't',
		"$kind: after the promotion, no horizon passes what the snapshot does not see");
	is($reader{$kind}->query_safe("COMMIT; $rows WHERE id < luuid_horizon()"), exists $reader{slot} ? '4' : '3',
		'... and the next snapshot settles it');
	$reader{$kind}->quit;
}
$promoted->stop;

# Logical replication -------------------------------------------------------------------------------------------------

my @workers = ('max_worker_processes = 20', 'max_logical_replication_workers = 16', 'max_replication_slots = 30',
	'max_wal_senders = 30');
my $publisher = LuuidCluster->started('publisher', 'wal_level = logical', @workers, 'log_statement = none');
my $subscriber = LuuidCluster->started('subscriber', 'wal_level = replica', @workers, 'log_statement = none');

# Tables by replica identity: the primary key, another unique index, or the whole row. `n` is the same on both sides.
my @tables = qw(by_key by_index by_row);
sub tables
{
	my ($type) = @_;
	my $index_class = $type eq 'luuid' ? 'luuid_byte_ops' : 'uuid_time_ops';
	return qq{
		CREATE TABLE by_key (id $type PRIMARY KEY, n int, next $type REFERENCES by_key ON UPDATE CASCADE);
		CREATE TABLE by_index (id $type NOT NULL, n int, next $type);
		CREATE UNIQUE INDEX by_index_id ON by_index (id $index_class);
		ALTER TABLE by_index REPLICA IDENTITY USING INDEX by_index_id;
		CREATE TABLE by_row (id $type, n int, next $type);
		ALTER TABLE by_row REPLICA IDENTITY FULL;
	};
}

$publisher->safe_psql('postgres', 'CREATE EXTENSION luuid;'
		. tables('luuid')
		. join('', map { "ALTER TABLE $_ ALTER id SET DEFAULT luuid_generate();" } @tables)
		. q{
		CREATE TABLE by_time (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int, next luuid) PARTITION BY RANGE (id);
		CREATE TABLE by_time_old PARTITION OF by_time FOR VALUES FROM (MINVALUE) TO (luuid_floor(timestamptz '2020-01-01Z'));
		CREATE TABLE by_time_new PARTITION OF by_time FOR VALUES FROM (luuid_floor(timestamptz '2020-01-01Z')) TO (MAXVALUE);
		CREATE PUBLICATION every FOR ALL TABLES WITH (publish_via_partition_root = true);
	});
push @tables, 'by_time';

# All kinds of changes, also of keys.
my $amount = LuuidCluster::scaled(200);
sub changes
{
	my ($table) = @_;
	return qq{
		INSERT INTO $table (n) SELECT generate_series(1, $amount);
		INSERT INTO $table (id, n) SELECT luuid_generate(timestamptz '2019-05-05Z' + n * interval '1 s'), -n
			FROM generate_series(1, $amount) AS n;
		UPDATE $table SET next = id, n = n + 1000000 WHERE n % 3 = 0;
		UPDATE $table SET id = luuid_generate_v7() WHERE n % 5 = 0;
		UPDATE $table SET id = luuid_generate() WHERE n % 7 = 0;
		DELETE FROM $table WHERE n % 11 = 0;
		INSERT INTO $table (id, n) VALUES (gen_random_uuid(), 0);
	};
}

# Rows from before the subscriptions, with extreme ids.
$publisher->safe_psql('postgres', join '', map {
		qq{
		INSERT INTO $_ (id, n) VALUES ('00000000-0000-0000-0000-000000000000', -1), ('ffffffff-ffff-ffff-ffff-ffffffffffff', -2);
		INSERT INTO $_ (n) SELECT generate_series(1, $amount);
	}
} @tables);

my %subscription = (
	text_luuid => [ 'luuid', '' ],
	binary_luuid => [ 'luuid', ', binary = true' ],
	text_uuid => [ 'uuid', '' ],
	binary_uuid => [ 'uuid', ', binary = true' ],
);
for my $name (sort keys %subscription)
{
	my ($type, $options) = @{ $subscription{$name} };
	$subscriber->safe_psql('postgres', "CREATE DATABASE $name");
	# The subscribers that keep uuid have the extension too, for a chronological index; their keys are the core's.
	$subscriber->safe_psql($name, 'CREATE EXTENSION luuid;' . tables($type) . qq{
		CREATE TABLE by_time (id $type PRIMARY KEY, n int, next $type, arrived luuid UNIQUE DEFAULT luuid_generate());
		CREATE INDEX by_row_hash ON by_row USING hash (id);
		CREATE SUBSCRIPTION $name CONNECTION '@{[ $publisher->connstr ]} dbname=postgres' PUBLICATION every
			WITH (slot_name = '$name'$options);
	});
}
$subscriber->wait_for_subscription_sync($publisher, $_, $_) for sort keys %subscription;

$publisher->safe_psql('postgres', changes($_)) for @tables;
# And many concurrent sessions.
$publisher->pgbench('--no-vacuum --client=4 --jobs=2 --transactions=' . LuuidCluster::scaled(25),
	0, [qr/actually processed/], [qr/^$/], 'changes from many sessions', {
		changes => join('', map { qq{
			\\set n random(1, $amount)
			INSERT INTO $_ (n) VALUES (2000000 + :client_id);
			UPDATE $_ SET next = NULL WHERE n = :n;
			UPDATE $_ SET id = luuid_generate() WHERE n = :n + 1;
			DELETE FROM $_ WHERE n = :n + 2 AND next IS NULL;
		} } @tables),
	});
$publisher->wait_for_catchup($_) for sort keys %subscription;

for my $table (@tables)
{
	my $rows = "SELECT count(*), count(next), md5(string_agg(id::text || n || coalesce(next::text, ''), ',' ORDER BY id::text COLLATE \"C\", n))
		FROM $table";
	my $expected = $publisher->safe_psql('postgres', $rows);
	cmp_ok((split /\|/, $expected)[0], '>', $amount * 2, "$table: rows to compare: $expected");
	for my $name (sort keys %subscription)
	{
		is($subscriber->safe_psql($name, $rows), $expected, "$table, $name: the same rows");
	}
}
for my $name (sort keys %subscription)
{
	$subscriber->check_indexes($name, $name);
	is($subscriber->safe_psql($name, 'SELECT count(*) - count(DISTINCT arrived), count(*) - count(arrived) FROM by_time'),
		'0|0', "$name: the apply worker generates the ids of a default");
	# Whatever the server's version calls its counts of errors.
	my $errors = q{
		SELECT sum(value::bigint) FROM pg_stat_subscription_stats AS stats, jsonb_each_text(to_jsonb(stats))
		WHERE key LIKE '%error\_count'
	};
	is($subscriber->safe_psql($name, $errors), '0', "$name: without an error");
	my $chronological = "SELECT string_agg(n::text, ' ' ORDER BY id::luuid, n) FROM by_key";
	is($subscriber->safe_psql($name, $chronological), $publisher->safe_psql('postgres', $chronological),
		"$name: in the same chronological order");
}

done_testing();
