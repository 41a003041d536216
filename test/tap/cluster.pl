# Places rows on four servers by the first bits of their ids. They are spread or together as asked, one server is asked for a row, and
# all have slices of time. The set-up is that of doc/scaling.md.
# It tests those statements, and what only several servers show.
# needs: release
use LuuidCluster;

my $shards = 4;

# The servers -------------------------------------------------------------------------------------------------------

sub data_server
{
	my ($name, $tables) = @_;
	my $node = LuuidCluster->started($name);
	$node->safe_psql('postgres', 'CREATE ROLE app LOGIN');
	$node->safe_psql('postgres', 'CREATE DATABASE app OWNER app');
	$node->safe_psql('app', $tables, extra_params => [ '-U', 'app' ]);
	return $node;
}

my ($tables) = LuuidCluster::documented('scaling.md', 'Each data server');
my @data = map { data_server("shard$_", $tables =~ s/(?<=\(id, 4\) = )2/$_/gr) } 0 .. $shards - 1;
my %host = map { ("shard$_" => $data[$_]) } 0 .. $shards - 1;

# The document's host names, as the servers that stand for them here.
sub with_hosts
{
	my ($sql) = @_;
	$sql =~ s{host '(\w+)\.example\.com', port '5432'}
		{sprintf q(host '%s', port '%s'), $host{$1}->host, $host{$1}->port}ge;
	return $sql;
}

my $coordinator = LuuidCluster->started('coordinator', 'timezone = UTC', q{shared_preload_libraries = 'luuid'});
my ($partitions, $rows) = LuuidCluster::documented('scaling.md', 'The coordinator');
$coordinator->safe_psql('postgres', with_hosts($partitions));

sub ask { return $coordinator->safe_psql('postgres', @_) }

# The answers of all data servers to one query.
sub ask_each { my ($sql) = @_; return map { $_->safe_psql('app', $sql) } @data }

my @quarters = (0 .. $shards - 1);

# Where rows land ---------------------------------------------------------------------------------------------------

# 16 ids in a row have 16 first digits, so a run of any length is within 1.5 ids of a quarter on each of four shards.
sub evenly
{
	my ($what, $runs) = @_;
	my @counts = ask_each("SELECT count(*) FROM event WHERE what = '$what'");
	my $mean = 0;
	$mean += $_ / $shards for @counts;
	note "rows on each server: @counts";
	return !grep { abs($_ - $mean) > 1.5 * $runs } @counts;
}

ask(q{INSERT INTO event (what) SELECT 'one statement' FROM generate_series(1, 40001)});
ok(evenly('one statement', 1), 'variable ids of one statement: each server has a quarter, within 2 of 40001');

ask(q{INSERT INTO event (what) SELECT 'eight sessions' FROM generate_series(1, 1003)}) for 1 .. 8;
ok(evenly('eight sessions', 8), 'variable ids of eight sessions: each server has a quarter, within 12 of 8024');

# Of the windows that there can be, one in two million has its first 500 ids on two servers.
ask(q{SET luuid.mode = sequential; INSERT INTO event (what) SELECT 'sequential' FROM generate_series(1, 500)}) for 1 .. 2;
is(ask(q{
		SELECT bool_and(servers = 1), sum(ids)
		FROM (
			SELECT count(DISTINCT tableoid) AS servers, count(*) AS ids
			FROM event WHERE what = 'sequential'
			GROUP BY date_bin('10 minutes', luuid_extract_timestamp(id), '2000-01-01Z')
		) AS of_one_window
	}),
	't|1000', 'sequential ids of two sessions: all of one window are on one server');

ask(q{INSERT INTO item SELECT luuid_generate_near(id), id, what FROM event WHERE what <> 'eight sessions'});
is(join(' ', ask_each('SELECT count(*) FROM item')),
	join(' ', ask_each(q{SELECT count(*) FROM event WHERE what <> 'eight sessions'})),
	'children made near their parents: each server has as many as it has parents');
is(join(' ', ask_each('SELECT count(*) FROM item NATURAL JOIN (SELECT id AS event_id FROM event) AS parent')),
	join(' ', ask_each('SELECT count(*) FROM item')),
	'children made near their parents: each has its parent on its own server');

ask($rows);
is(ask(q{
		SELECT p.what, replace(p.tableoid::regclass::text, 'event', 'item') = c.tableoid::regclass::text
		FROM item c JOIN event p ON p.id = c.event_id
		WHERE c.what = 'line'
	}),
	'paid|t', 'a child made near its parent, as the document has it');

like($data[0]->error_of('app', q{INSERT INTO event VALUES (luuid_generate_in_shard(3, 4), 'misplaced')}),
	qr/violates check constraint "event_id_check"/, 'a server refuses a row of another shard');

# What a query asks of which server ---------------------------------------------------------------------------------

ask(q{
	INSERT INTO event
	SELECT luuid_generate(timestamptz '2026-01-01Z' + minute * interval '1 minute'), 'reading'
	FROM generate_series(0, 9999) AS minute
});
$_->safe_psql('app', 'VACUUM ANALYZE') for @data;

# Index scans and sequential scans of a table so far, on each server. A backend reports them by the time it is gone.
sub scans
{
	my ($table) = @_;
	return map { [ split /\|/ ] } ask_each(qq{
		DO \$\$ BEGIN
			WHILE EXISTS (SELECT FROM pg_stat_activity WHERE application_name = 'postgres_fdw') LOOP
				PERFORM pg_stat_clear_snapshot(), pg_sleep(0.01);
			END LOOP;
		END \$\$;
		SELECT idx_scan, seq_scan FROM pg_stat_user_tables WHERE relname = '$table'});
}

# What one session of the coordinator makes of them, or several, as "index+sequential" for each server; and their answers.
sub scans_of
{
	my ($table, @sql) = @_;
	my @before = scans($table);
	my @answers = map { ask($_) } @sql;
	my @after = scans($table);
	return (join(' ', map { ($after[$_][0] - $before[$_][0]) . '+' . ($after[$_][1] - $before[$_][1]) } @quarters), @answers);
}

my %statement = (
	'SELECT' => 'SELECT what FROM event WHERE id = $1',
	'UPDATE' => q{UPDATE event SET what = 'seen' WHERE id = $1 RETURNING 'reading'},
);
for my $type (qw(luuid uuid))
{
	for my $command (sort keys %statement)
	{
		# Of each server as many as its number, and one more.
		my @ids = map {
			[ split /\n/, ask("SELECT id FROM event WHERE what = 'reading' AND luuid_shard(id, $shards) = $_ ORDER BY id LIMIT $_ + 1") ]
		} @quarters;
		my ($scans, @answers) = scans_of('event', map { qq{
			SET plan_cache_mode = force_generic_plan;
			PREPARE by_id($type) AS $statement{$command};
			} . join("\n", map { "EXECUTE by_id('$_');" } @$_) . q{
			SELECT 'plans', generic_plans, custom_plans FROM pg_prepared_statements;
			SELECT 'asked', server_name FROM postgres_fdw_get_connections();
		} } @ids);
		is($answers[$_], join("\n", ('reading') x ($_ + 1), "plans|@{[ $_ + 1 ]}|0", "asked|shard$_"),
			"$command WHERE id = \$1, a $type: rows of shard $_ by a generic plan and one connection") for @quarters;
		is($scans, '1+0 2+0 3+0 4+0', "$command WHERE id = \$1, a $type: one index scan for each row, on its server alone");
	}
}

my $hour = q{'[2026-01-02 06:00Z, 2026-01-02 07:00Z)'};
my %slice = (
	'two times' => [ 'timestamptz, timestamptz', q{id >= $1 AND id < $2}, q{'2026-01-02 06:00Z', '2026-01-02 07:00Z'} ],
	'a range' => [ 'tstzrange', q{id <@ $1}, $hour ],
);
for my $name (sort keys %slice)
{
	my ($types, $condition, $values) = @{ $slice{$name} };
	for my $plan (qw(force_generic_plan force_custom_plan))
	{
		my ($scans, $answer) = scans_of('event', qq{
			SET plan_cache_mode = $plan;
			PREPARE slice($types) AS SELECT count(*), min(id)::timestamptz, max(id)::timestamptz FROM event WHERE $condition;
			EXECUTE slice($values);
		});
		is($answer, '60|2026-01-02 06:00:00+00|2026-01-02 06:59:00+00', "a slice by $name, $plan: the right rows");
		is($scans, '1+0 1+0 1+0 1+0', "a slice by $name, $plan: one index scan on each server");
	}
}

# postgres_fdw sends no function that is merely stable, so the document has now() come as the value of a subquery.
like(ask(q{EXPLAIN (VERBOSE, COSTS OFF) SELECT what FROM event WHERE id >= (SELECT now() - interval '7 days')}),
	qr/Remote SQL: .*id >= luuid_floor\(\$1/, 'a slice from now() is pushed down too');

# The children of one parent: their ids begin with its 16 bits.
for my $shard (@quarters)
{
	my $parent = ask(
		"SELECT id FROM event WHERE what = 'one statement' AND luuid_shard(id, $shards) = $shard ORDER BY id LIMIT 1");
	my ($children) = LuuidCluster::documented('scaling.md', 'Children beside their parent');
	my ($scans, $answer) = scans_of('item', qq{
		SET plan_cache_mode = force_generic_plan;
		$children
		EXECUTE children('$parent');
	});
	is($answer, 'one statement', "the children of a parent on shard $shard are found");
	is($scans, join(' ', map { $_ == $shard ? '1+0' : '0+0' } @quarters), "the children are looked for on shard $shard alone");
}

# Following the table -----------------------------------------------------------------------------------------------

# What a reader has read in the end, one of whose polls comes while an earlier id is not committed, and another after that.
# postgres_fdw keeps the data servers' snapshots of a transaction's first statement until its end.
sub followed
{
	my ($name, $begin, $end) = @_;
	my ($writer, $reader) = map { $coordinator->background_psql('postgres') } 1 .. 2;
	my $poll = q{
		INSERT INTO seen SELECT id, what FROM event
		WHERE id > (SELECT max(id) FROM seen) AND id < (SELECT luuid_horizon());
	};
	# No later id is below this horizon, even if the clock is stepped back meanwhile.
	$reader->query_safe(q{CREATE TEMP TABLE seen AS SELECT luuid_horizon() AS id, 'the start' AS what});
	$writer->query_safe("BEGIN; INSERT INTO event (what) VALUES ('early, $name')");
	ask("INSERT INTO event (what) VALUES ('late, $name')");
	ask('SELECT pg_sleep(0.01)');
	$reader->query_safe("$begin; $poll");
	$writer->query_safe('COMMIT');
	# A transaction with a number of its own, which those that write to other servers alone have not.
	ask('SELECT pg_current_xact_id()');
	$coordinator->poll_query_until('postgres', 'SELECT luuid_horizon() > max(id) FROM event') or die 'the horizon stands still';
	$reader->query_safe("$poll $end; $poll");
	my $seen = $reader->query_safe(
		"SELECT string_agg(split_part(what, ',', 1), ' ' ORDER BY id) FROM seen WHERE what LIKE '%, $name'");
	$_->quit for $writer, $reader;
	return $seen;
}

is(followed('polls of their own', '', ''), 'early late', 'each poll in a transaction of its own: no row is lost');
my ($poll) = LuuidCluster::documented('scaling.md', 'Following over postgres_fdw');
my $start = ask('SELECT luuid_horizon()');
ask(q{INSERT INTO event (what) VALUES ('polled'); SELECT pg_sleep(0.01)});
like(ask($poll =~ s/'20be0ffc.*?'/'$start'/r), qr/^[0-9a-f-]{36}\|polled$/m, '... as the document has it');
is(followed('one snapshot', 'BEGIN ISOLATION LEVEL REPEATABLE READ', 'COMMIT'), 'early late',
	'polls in one REPEATABLE READ transaction, whose horizon stands still too: no row is lost');
is(followed('one transaction', 'BEGIN', 'COMMIT'), 'late',
	'polls in one READ COMMITTED transaction: its horizon goes on, the snapshots of the data servers do not');

# One shard becomes two ---------------------------------------------------------------------------------------------

my $whole = 'SELECT count(*), count(DISTINCT id), md5(string_agg(id::text, NULL ORDER BY id)) FROM ';
my @before = map { ask($whole . $_) } qw(event item);
my ($new_tables, $split, $narrow) = LuuidCluster::documented('scaling.md', 'From 4 shards to 8');
$host{shard7} = data_server('shard7', $new_tables);
ask(with_hosts($split));
$data[3]->safe_psql('app', $narrow, extra_params => [ '-U', 'app' ]);
push @data, $host{shard7};
is_deeply([ map { ask($whole . $_) } qw(event item) ], \@before, 'a shard split in two: every row is there');
is(join(' ', map { $_->safe_psql('app', 'SELECT count(DISTINCT luuid_shard(id, 8)), min(luuid_shard(id, 8)) FROM event') }
			@data[ 3, 4 ]),
	'1|6 1|7', 'a shard split in two: each half is on its server');

done_testing();
