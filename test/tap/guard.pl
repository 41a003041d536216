# luuid_guard() refuses ids that readers may have passed or that are too far ahead, and no others: what its transaction
# generated, and what comes in time. several.pl has it under load.
# needs: long, pg18
use LuuidCluster;

my ($alone, $node) = LuuidCluster->started_both('max_prepared_transactions = 20', 'autovacuum = off', 'jit = off', 'synchronous_commit = off',
	'wal_level = logical', 'max_wal_senders = 4', 'wal_retrieve_retry_interval = 100ms', 'timezone = UTC');
$_->safe_psql('postgres', q{CREATE TRIGGER guard AFTER INSERT OR UPDATE OF id ON event FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')})
	for $alone, $node;

sub query { my ($query) = @_; return $node->safe_psql('postgres', $query) }

# The error of the last statement that failed, or nothing.
sub error_of { my ($sql, $on) = @_; return ($on // $node)->error_of('postgres', $sql) }
sub is_accepted { my ($sql, $name) = @_; is(error_of($sql), '', "accepted: $name"); return }
sub is_refused { my ($sql, $name) = @_; like(error_of($sql), qr/^ERROR:  23514: luuid "\S{36}" is older than a horizon already returned/,
		"refused: $name"); return }

# An id from elsewhere, of a time ago; and a horizon that is handed out, by another transaction.
sub made { my ($age) = @_; return "luuid_generate(clock_timestamp() - interval '$age')" }
sub hand_out { my ($lag) = @_; return query($lag ? "SELECT luuid_horizon('$lag')" : 'SELECT luuid_horizon()') }

# A horizon with a lag ----------------------------------------------------------------------------------------------

is(query(q{
	SELECT early::timestamptz - late::timestamptz, early::timestamptz - latest::timestamptz
	FROM (SELECT luuid_horizon('1 min') AS early, luuid_horizon('1 h') AS late, luuid_horizon('1 s') AS latest) AS asked
}), '00:59:00|00:00:00', 'of one snapshot, a greater lag leads further back than the first, and a lesser one does not lead ahead');
is(query(q{
	BEGIN ISOLATION LEVEL REPEATABLE READ;
	SELECT luuid_horizon('1 min') AS first \gset
	SELECT pg_sleep(0.002);
	SELECT luuid_horizon('1 min') = :'first';
	COMMIT;
}), "\nt", '... a REPEATABLE READ transaction has one answer');
is(query(q{SELECT count(DISTINCT luuid_horizon('1 min')) FROM generate_series(1, 50) WHERE pg_sleep(0.0005) IS NOT NULL}), '1',
	'... as a statement has, for each row');
is(query(q{SELECT luuid_horizon('1 month')::timestamptz BETWEEN now() - interval '1 month 1 ms' AND clock_timestamp() - interval '1 month'}),
	't', 'a month is as long as the last one');
is(query(q{SELECT luuid_horizon('1 month -30 days')::timestamptz <= clock_timestamp()}), 't', '... and never leads to the future');
is(query(q{SELECT luuid_horizon(NULL::interval) IS NULL}), 't', 'NULL gives NULL');
is(query(q{SELECT luuid_horizon('100 years')::timestamptz}), '1970-01-01 00:00:00.002+00', 'none is before 1970');
is(query(q{SELECT luuid_horizon('infinity')::timestamptz}), '1970-01-01 00:00:00.002+00', '... for an infinite lag either')
	if $node->pg_version >= 17;
for my $case (
	[ '-1 ms', '22023: lag of a luuid horizon must not be negative' ],
	$node->pg_version >= 17 ? ([ '-infinity', '22023: lag' ]) : (), [ '200000 years', '22008: timestamp out of range' ])
{
	like(error_of("SELECT luuid_horizon('$case->[0]')"), qr/ERROR:  $case->[1]/, "a lag of $case->[0]");
}
like(error_of(q{SELECT luuid_horizon('1 s')}, $alone), qr/ERROR:  55000: luuid must be loaded via/, 'without preload');

# Wrong use ---------------------------------------------------------------------------------------------------------

like(error_of('INSERT INTO event DEFAULT VALUES', $alone), qr/ERROR:  55000: luuid must be loaded via/, 'the guard without preload');
query('CREATE TABLE used (id luuid DEFAULT luuid_generate(), n int)');
query('ALTER TABLE used ADD plain uuid, ADD copy uuid GENERATED ALWAYS AS (plain) VIRTUAL') if $node->pg_version >= 18;
for my $case (
	(map { [ @$_[ 0 .. 2 ], qr/39P01: function "luuid_guard" must be called by a trigger AFTER INSERT OR UPDATE, FOR EACH ROW.*^DETAIL:  The trigger $_->[3]/ms ] }
		[ 'AFTER INSERT', 'FOR EACH STATEMENT', q{'id'}, 'is FOR EACH STATEMENT, but not BEFORE' ],
		[ 'BEFORE INSERT', 'FOR EACH ROW', q{'id'}, 'is FOR EACH ROW, but not AFTER' ],
		(map { [ @$_, q{'id'}, 'is not for INSERT or UPDATE' ] } [ 'BEFORE DELETE', 'FOR EACH STATEMENT' ],
			[ 'BEFORE TRUNCATE', 'FOR EACH STATEMENT' ], [ 'AFTER DELETE', 'FOR EACH ROW' ]),
		(map { [ 'AFTER INSERT', 'FOR EACH ROW', $_, 'does not have one or two arguments' ] } '', q{'id', '1 min', 'n'})),
	(map { [ 'AFTER INSERT', 'FOR EACH ROW', "'id', $_->[0]", $_->[1] ] }
			[ 'n', '22007: invalid input syntax for type interval: "n"' ], [ q{''}, '22007: invalid input syntax for type interval: ""' ],
		(map { [ "'$_'", qq{22023: limit of a luuid guard out of range: "$_"} ] } '-1 ms', '10001 years', '300000 years',
			$node->pg_version >= 17 ? ('infinity', '-infinity') : ())),
	[ 'AFTER INSERT', 'FOR EACH ROW', q{'nothing'}, '42703: column "nothing" of relation "used" does not exist' ],
	[ 'AFTER INSERT', 'FOR EACH ROW', q{'tableoid'}, '42703: column "tableoid" of relation "used" does not exist' ],
	[ 'AFTER INSERT', 'FOR EACH ROW', q{'n'}, '42804: column "n" of relation "used" is not of type luuid or uuid' ],
	$node->pg_version >= 18 ? ([ 'AFTER INSERT', 'FOR EACH ROW', q{'copy'}, '42P17: cannot guard column "copy" of relation "used"' ]) : ())
{
	my ($when, $for, $arguments, $error) = @$case;
	like(error_of(qq{
		BEGIN;
		INSERT INTO used DEFAULT VALUES;
		CREATE TRIGGER wrong $when ON used $for EXECUTE FUNCTION luuid_guard($arguments);
		INSERT INTO used DEFAULT VALUES;
		DELETE FROM used;
		TRUNCATE used;
	}), ref $error ? $error : qr/^ERROR:  \Q$error\E/, "$when $for, ($arguments)");
}
is(error_of(q{
	SET client_min_messages = warning;
	INSERT INTO event VALUES (DEFAULT, 'of the type that is dropped');
	BEGIN;
	DROP EXTENSION luuid CASCADE;
	CREATE EXTENSION luuid;
	CREATE TABLE anew (id luuid DEFAULT luuid_generate());
	CREATE TRIGGER guard AFTER INSERT ON anew FOR EACH ROW EXECUTE FUNCTION luuid_guard('id');
	INSERT INTO anew DEFAULT VALUES;
	ROLLBACK;
	INSERT INTO event VALUES (DEFAULT, 'of the type that is there again');
}), '', 'a session that saw the type luuid dropped and created knows it by its new number, and after ROLLBACK by the old one');
like(error_of('SELECT luuid_guard()'), qr/39P01: function "luuid_guard" must be called by a trigger.*^DETAIL:  No trigger/ms, 'not by a trigger');

# What its transaction generated ------------------------------------------------------------------------------------

my $session = $node->background_psql('postgres');
query(q{
	CREATE DOMAIN key AS luuid;
	CREATE DOMAIN plain_key AS uuid;
	CREATE TABLE kinds (id luuid, plain uuid, domain key, plain_domain plain_key);
	CREATE TABLE source AS SELECT n FROM generate_series(1, 1000) AS n;
	ALTER TABLE source SET (parallel_workers = 2);
} . join '', map { "CREATE TRIGGER guard_$_ AFTER INSERT OR UPDATE OF $_ ON kinds FOR EACH ROW EXECUTE FUNCTION luuid_guard('$_');" }
		qw(id plain domain plain_domain));
for my $generator ('luuid_generate()', 'luuid_generate_v1()', 'luuid_generate_v7()', 'luuid_generate_sequential()',
	'luuid_generate_in_shard(3, 8)')
{
	$session->query_safe("BEGIN; CREATE TEMP TABLE made ON COMMIT DROP AS SELECT $generator AS id");
	query('SELECT pg_sleep(0.002); SELECT luuid_horizon()');
	$session->query_safe('INSERT INTO kinds SELECT id, id, id, id FROM made; COMMIT');
	is(query('WITH gone AS (DELETE FROM kinds RETURNING 1) SELECT count(*) FROM gone'), '1',
		"accepted: $generator, stored later in its transaction, whatever was handed out meanwhile");
}
$session->query_safe(q{
	SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	BEGIN;
	CREATE TEMP TABLE made ON COMMIT DROP AS SELECT luuid_generate() AS id FROM source;
});
query('SELECT pg_sleep(0.002); SELECT luuid_horizon()');
$session->query_safe('INSERT INTO kinds SELECT id, id, id, id FROM made; COMMIT');
is(query('SELECT count(*) FROM kinds'), '1000', 'accepted: ids that parallel workers generated for it');
is_accepted('INSERT INTO kinds VALUES (NULL, NULL, NULL, NULL)', 'NULL');
is_accepted('UPDATE kinds SET id = id, plain = plain, domain = domain', 'an update that keeps the ids');
is_accepted('BEGIN; SELECT luuid_generate(); SAVEPOINT s; INSERT INTO event DEFAULT VALUES; ROLLBACK TO s; INSERT INTO event DEFAULT VALUES; COMMIT',
	'in and after a savepoint');
is_accepted('BEGIN; INSERT INTO event DEFAULT VALUES; SELECT luuid_horizon(); UPDATE event SET id = luuid_generate(); COMMIT',
	'an update by a generated id');

# What comes from elsewhere -----------------------------------------------------------------------------------------

hand_out();
for my $column (qw(id plain domain plain_domain))
{
	is_refused("INSERT INTO kinds ($column) VALUES (" . made('1 h') . ')', "an earlier id, column $column");
	is_refused("UPDATE kinds SET $column = " . made('1 h') . " WHERE $column IS NULL", '... in an UPDATE from NULL');
	like(error_of("INSERT INTO kinds ($column) VALUES (gen_random_uuid())"), qr/^ERROR:  23514: luuid "\S{36}" has no time.*^HINT:  .*luuid_generate_v7/ms,
		'... one without a time');
}
like(error_of(q{INSERT INTO event VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2')}),
	qr/23514:\ luuid\ "20be0ffc-314a-bd53-7a50-013a65ca76d2".*DETAIL:\ +Its\ time\ is\ 2012-\d\d-\d\d\ .*\ may\ have\ read\ up\ to\ 20\d\d-
		.*HINT:.*luuid_horizon\(lag\).*TABLE\ NAME:\ +event\nCOLUMN\ NAME:\ +id/xs,
	'the error names the id, its time, the horizon, the column, and what to do');
my $late = query('SELECT luuid_generate()');
query('SELECT pg_sleep(0.002); SELECT luuid_horizon()');
is_refused("INSERT INTO event VALUES ('$late')", 'an id that another transaction generated');
is_refused("COPY event (id) FROM STDIN;\n$late\n\\.\n", 'COPY');
is_refused('UPDATE event SET id = ' . made('1 h'), 'UPDATE');
is_refused(q{INSERT INTO event VALUES ('00000000-0000-1000-8000-000000000000')}, 'an id of 1582');
like(error_of(q{INSERT INTO event VALUES ('00000000-0000-0000-0000-000000000000')}), qr/has no time/, 'refused: nil');
is_accepted('INSERT INTO event VALUES (' . made('-1 s') . ')', 'an id from the future');
query('ALTER TABLE event ALTER id SET DEFAULT uuidv7()') if $node->pg_version >= 18;
is_accepted('INSERT INTO event DEFAULT VALUES', q{DEFAULT uuidv7(), where nothing was handed out since}) if $node->pg_version >= 18;
query('ALTER TABLE event ALTER id SET DEFAULT luuid_generate()');

# By a lag, ids that come in time are accepted, from the very horizon that was handed out.
my $before = hand_out();
$node->poll_query_until('postgres', "SELECT luuid_horizon('100 ms') > '$before'") or die 'time stands still';
my $horizon = hand_out('100 ms');
my $at = "luuid_extract_timestamp('$horizon')";
is_accepted("INSERT INTO event VALUES (luuid_generate($at), 'at it')", 'an id of the horizon');
is_refused("INSERT INTO event VALUES (luuid_generate($at - interval '1 ms'))", 'an id of the millisecond before');
query('SELECT horizon_lag FROM luuid_status()') for 1 .. 2;
is_accepted("INSERT INTO event VALUES (luuid_generate($at), 'at it again')", 'luuid_status() hands nothing out');
# One whose number the cluster's places for databases confuse with this one's at first.
query('CREATE DATABASE other OID ' . (query(q{SELECT oid FROM pg_database WHERE datname = 'postgres'}) + 20 * 4096));
$node->safe_psql('other', 'CREATE EXTENSION luuid; SELECT luuid_horizon()');
is_accepted("INSERT INTO event VALUES (luuid_generate($at), 'and again')", 'nor does a reader of another database for this one');

# An id that another trigger sets: OF goes by the columns that the statement sets.
query(q{
	CREATE TABLE changed (id luuid DEFAULT luuid_generate(), n int);
	INSERT INTO changed DEFAULT VALUES;
	CREATE FUNCTION set_id() RETURNS trigger LANGUAGE plpgsql AS
		$$ BEGIN NEW.id := luuid_generate(clock_timestamp() - interval '1 h'); RETURN NEW; END $$;
	CREATE TRIGGER set_id BEFORE UPDATE ON changed FOR EACH ROW EXECUTE FUNCTION set_id();
});
for my $guard ([ 'INSERT OR UPDATE OF id', \&is_accepted ], [ 'INSERT OR UPDATE', \&is_refused ])
{
	my ($event, $is_so) = @$guard;
	query("CREATE OR REPLACE TRIGGER guard AFTER $event ON changed FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')");
	$is_so->('UPDATE changed SET n = 1', "an id that a trigger sets in an UPDATE of another column, guard AFTER $event");
}

# Plans that are never executed, and estimates.
for my $planned ('EXPLAIN SELECT', 'PREPARE planned AS SELECT', 'EXPLAIN EXECUTE executed')
{
	query(q{SET plan_cache_mode = force_custom_plan; PREPARE executed AS SELECT FROM event WHERE id < luuid_horizon(); }
			. ($planned =~ /EXECUTE/ ? $planned : "$planned FROM event WHERE id < luuid_horizon()"));
	is_accepted("INSERT INTO event VALUES (luuid_generate($at), 'and after it was planned')", "nor does $planned");
}

# Readers that may not compute a horizon: a database with guards revokes the right to it.
query('CREATE ROLE visitor; REVOKE EXECUTE ON FUNCTION luuid_horizon(), luuid_horizon(interval) FROM PUBLIC;
	REVOKE EXECUTE ON PROCEDURE luuid_wait(luuid, interval) FROM PUBLIC');
for my $call ('SELECT luuid_horizon()', q{SELECT luuid_horizon('0')}, 'CALL luuid_wait(NULL)')
{
	like(error_of("SET ROLE visitor; $call"), qr/42501: permission denied/, "a role without the right to it does not: $call");
}
is_accepted("INSERT INTO event VALUES (luuid_generate($at), 'and after that')", '... so that this is still accepted');
query('CREATE DATABASE restored');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', '-f', $dump, $node->connstr('postgres') ], 'pg_dump');
$node->command_ok([ 'psql', '-Xq', '-f', $dump, $node->connstr('restored') ], '... and restore');
is($node->safe_psql('restored', q{SELECT string_agg(has_function_privilege('visitor', oid, 'EXECUTE')::text, ' ') FROM pg_proc
	WHERE proname IN ('luuid_horizon', 'luuid_wait')}),
	'false false false', '... keeps what is revoked');
query('GRANT EXECUTE ON FUNCTION luuid_horizon(), luuid_horizon(interval) TO PUBLIC;
	GRANT EXECUTE ON PROCEDURE luuid_wait(luuid, interval) TO PUBLIC');

# What it holds back ------------------------------------------------------------------------------------------------

$session->query_safe("BEGIN; INSERT INTO event VALUES (luuid_generate($at), 'held')");
is(hand_out(), $horizon, 'a transaction that stores an id from elsewhere holds horizons back to it');
is(query("SELECT count(*) FROM luuid_in_flight() WHERE since = $at"), '1', '... and luuid_in_flight() shows it');
is($session->query_safe("INSERT INTO event VALUES (luuid_generate($at), 'as well') RETURNING 1"), '1',
	'accepted: more of what it holds back already');
$session->query_safe("PREPARE TRANSACTION 'held'");
is(hand_out(), $horizon, '... as it does prepared');
query("COMMIT PREPARED 'held'");
is(query(q{SELECT count(*) FROM event WHERE what IN ('held', 'as well') AND id < luuid_horizon()}), '2', '... until it is resolved');
is_refused("INSERT INTO event VALUES (luuid_generate($at))", 'what its next transaction would store there');
$session->query_safe('BEGIN; DO $$ BEGIN INSERT INTO event VALUES (' . made('1 year')
		. '); EXCEPTION WHEN check_violation THEN PERFORM luuid_generate(); END $$');
cmp_ok(query(q{SELECT luuid_horizon() > luuid_floor(now() - interval '1 min')}), 'eq', 't', 'what was refused holds nothing back');
$session->query_safe('ROLLBACK');

# What is stored already, and is not stored again: the retry of a client that lost its answer.
query(q{CREATE TABLE stored (id luuid PRIMARY KEY, what text, copy luuid GENERATED ALWAYS AS (id) STORED);
	CREATE TRIGGER guard AFTER INSERT OR UPDATE OF copy ON stored FOR EACH ROW EXECUTE FUNCTION luuid_guard('copy')});
my $once = query(q{INSERT INTO stored SELECT luuid_generate() RETURNING id});
$late = query('SELECT luuid_generate()');
query('SELECT pg_sleep(0.002); SELECT luuid_horizon()');
is_accepted("INSERT INTO stored VALUES ('$once') ON CONFLICT DO NOTHING", 'the retry of a row that is stored');
is_accepted("INSERT INTO stored VALUES ('$once') ON CONFLICT (id) DO UPDATE SET what = 'updated'", '... and its upsert');
is_accepted("MERGE INTO stored USING (SELECT '$once'::luuid AS id) AS sent ON stored.id = sent.id
	WHEN MATCHED THEN UPDATE SET what = 'merged' WHEN NOT MATCHED THEN INSERT VALUES (sent.id)", '... and its MERGE');
is(query('SELECT string_agg(what, $$ $$) FROM stored'), 'merged', '... which took effect');
is_refused("INSERT INTO stored VALUES ('$late') ON CONFLICT DO NOTHING", 'a late row by the statement of a retry');
is_refused("INSERT INTO stored VALUES ('$late') ON CONFLICT (id) DO UPDATE SET what = 'late'", '... by an upsert');
is_refused("MERGE INTO stored USING (SELECT '$late'::luuid AS id) AS sent ON stored.id = sent.id
	WHEN NOT MATCHED THEN INSERT VALUES (sent.id)", '... by MERGE');
is_refused("UPDATE stored SET id = '$late'", '... by an update of what a generated column is generated from');
query(q{DROP TRIGGER guard ON stored; CREATE CONSTRAINT TRIGGER guard AFTER INSERT ON stored
	DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')});
is_refused("BEGIN; INSERT INTO stored VALUES ('$late'); COMMIT", 'a late row, at COMMIT, by a deferred trigger');
is_accepted("BEGIN; INSERT INTO stored VALUES (luuid_generate()); COMMIT", 'a row of its own by that');

# A statement during which a horizon is returned that is later than its ids.
query(q{CREATE TABLE slow (id luuid, what text);
	CREATE TRIGGER guard AFTER INSERT ON slow FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')});
for my $begin (0, 1)
{
	query(q{CREATE TRIGGER guard_begin BEFORE INSERT ON slow FOR EACH STATEMENT EXECUTE FUNCTION luuid_guard('id')}) if $begin;
	my $lock = $node->background_psql('postgres');
	$lock->query_safe('SELECT pg_advisory_lock(7)');
	hand_out();
	my $sent = query('SELECT pg_sleep(0.002); SELECT luuid_generate()') =~ s/^\n//r;
	my $slow = $node->background_sql('postgres', "INSERT INTO slow SELECT '$sent', pg_advisory_lock_shared(7)::text");
	LuuidCluster::wait_until('the statement', sub { query(q{SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted}) }, $slow);
	query('SELECT pg_sleep(0.002)');
	my $passed = query("SELECT luuid_horizon() > '$sent'");
	$lock->quit;
	$slow->{run}->finish;
	is("$passed " . ($slow->{err} =~ /is older than a horizon already returned/ ? 'refused' : 'accepted'), $begin ? 'f accepted' : 't refused',
		'an id that a reader passes during the statement is refused' . ($begin ? ', unless a statement trigger holds the horizon' : ''));
}
is_refused('INSERT INTO slow VALUES (' . made('1 h') . ')', 'a late id, behind a statement trigger too');

# What is ahead of the clock ----------------------------------------------------------------------------------------

# The clock goes on between the two: so what is refused is further ahead, and what is accepted less far.
my @limits = (
	[ '', '59 s', '61 s' ], [ q{, '1 min'}, '59 s', '61 s' ], [ q{, '0'}, undef, '1 s' ], [ q{, '1 ms'}, '0 s', '1 s' ], [ ', 60', '59 s', '61 s' ],
	[ q{, '1 day'}, '23:59:59', '24:00:01' ], [ q{, '10 years'}, '9 years 11 months', '10 years 1 s' ],
	[ q{, '1 month -30 days'}, undef, '3 days' ],
	(map { [ ", $_", '8000 years', undef ] } 'NULL', 'null', q{'NULL'}, q{'10000 years'}));
query('CREATE TABLE early (id luuid DEFAULT luuid_generate(), what text)');
for (@limits)
{
	my ($limit, $within, $beyond) = @$_;
	query("CREATE OR REPLACE TRIGGER guard AFTER INSERT OR UPDATE OF id ON early FOR EACH ROW EXECUTE FUNCTION luuid_guard('id'$limit)");
	for my $id (!defined $within ? () : map { sprintf $_, "(clock_timestamp() + interval '$within')" } 'luuid_generate(%s)', 'luuid_generate_v7(%s)')
	{
		is_accepted("BEGIN; INSERT INTO early VALUES ($id); ROLLBACK", "luuid_guard('id'$limit), $within ahead");
	}
	is_accepted('INSERT INTO early DEFAULT VALUES', "luuid_guard('id'$limit), an id of its own");
	next if !defined $beyond;
	my $late = "luuid_generate_v7(clock_timestamp() + interval '$beyond')";
	my $read_later = query("SELECT luuid_generate_v7(clock_timestamp() + interval '$beyond' + interval '5 min')");
	like(error_of($_), qr/^ERROR:  23514: luuid "\S{36}" is too far ahead of the clock/, "luuid_guard('id'$limit), $beyond ahead: $_")
		for "INSERT INTO early VALUES ($late)", "BEGIN; INSERT INTO early DEFAULT VALUES; INSERT INTO early VALUES ($late)",
		"UPDATE early SET id = $late",
		"INSERT INTO early SELECT CASE n WHEN 9 THEN $late ELSE luuid_generate() END FROM generate_series(1, 9) AS n",
		"COPY early (id) FROM STDIN;\n$read_later\n\\.\n";
}
query(q{CREATE OR REPLACE TRIGGER guard AFTER INSERT OR UPDATE OF id ON early FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')});
query('SELECT luuid_stat_reset()');
like(error_of(q{INSERT INTO early VALUES ('ffffffff-ffff-7fff-bfff-ffffffffffff')}),
	qr/23514:\ luuid\ "ffffffff-ffff-7fff-bfff-ffffffffffff"\ is\ too\ far\ ahead\ of\ the\ clock\n
		DETAIL:\ +Its\ time\ is\ 10889-08-02\ \S+,\ and\ the\ guard\ accepts\ ids\ up\ to\ 20\S+\ \S+\.\n
		HINT:.*luuid_guard\('id',\ '10\ min'\)\..*TABLE\ NAME:\ +early\nCOLUMN\ NAME:\ +id/xs,
	'the error names the id, its time, the limit, the column, and what to do');
is(query(q{SELECT rows_refused, ahead < '10 s' FROM luuid_stat()}), '1|t', '... it is counted, and no id is ahead');
is(query(q{SELECT count(*) FROM early WHERE id >= now() + interval '1 hour'}), '0', '... so that no row stays the latest for years');
$session->query_safe('SET luuid.max_ahead = 0');
is($session->query_safe(q{
	BEGIN;
	SELECT max(luuid_generate_near('00000000-0000-0000-0000-000000000000', 32)) > luuid_ceiling(now() + interval '61 s')
		FROM generate_series(1, 150000);
	INSERT INTO early VALUES (luuid_generate_near('00000000-0000-0000-0000-000000000000', 32), 'own') RETURNING what;
	ROLLBACK;
}), "t\nown", 'accepted: an id of a session that ran ahead by more than the limit');

$session->quit;

# Behind a guard without a limit, what is stored shows.
query(q{CREATE OR REPLACE TRIGGER guard AFTER INSERT ON early FOR EACH ROW EXECUTE FUNCTION luuid_guard('id', NULL)});
my $in_years = q{INSERT INTO early VALUES (luuid_generate_v7(now() + interval '1258 days'))};
my $alert = q{SELECT ahead > '1257 days', ahead_max > '1257 days', ahead > interval '5 s' FROM luuid_stat()};
$node->poll_query_until('postgres', 'SELECT leases_held = 0 FROM luuid_stat()') or die 'the session does not end';
query("SELECT luuid_stat_reset(); BEGIN; $in_years; ROLLBACK");
is(query($alert), 'f|f|f', 'an id of years ahead that was rolled back is not counted as ahead');
query($in_years);
is(query($alert), 't|t|t', '... and one that was committed is');
$node->restart;

# Partitions --------------------------------------------------------------------------------------------------------

query(q{
	CREATE TABLE parted (id luuid DEFAULT luuid_generate(), tenant int) PARTITION BY LIST (tenant);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES IN (1);
	CREATE TABLE parted_2 PARTITION OF parted FOR VALUES IN (2);
	CREATE TRIGGER guard AFTER INSERT OR UPDATE OF id ON parted FOR EACH ROW EXECUTE FUNCTION luuid_guard('id');
	INSERT INTO parted (tenant) VALUES (1), (2);
	SELECT pg_sleep(0.002);
	SELECT luuid_horizon();
});
is_refused("INSERT INTO $_ (id, tenant) VALUES (" . made('1 h') . ', 1)', "into $_") for qw(parted parted_1);
is_refused('UPDATE parted SET tenant = 2', 'a row that an update moves to another partition');

# Logical replication -----------------------------------------------------------------------------------------------

query(q{CREATE TABLE replicated (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text); CREATE PUBLICATION replicated FOR TABLE replicated});
query(q{SELECT pg_create_logical_replication_slot('replicated', 'pgoutput')});
my $connection = $node->connstr . ' dbname=postgres';
$node->safe_psql('other', qq{
	CREATE TABLE replicated (id luuid PRIMARY KEY, what text);
	CREATE TRIGGER guard AFTER INSERT OR UPDATE OF id ON replicated FOR EACH ROW EXECUTE FUNCTION luuid_guard('id');
	ALTER TABLE replicated ENABLE ALWAYS TRIGGER guard;
	CREATE SUBSCRIPTION replicated CONNECTION '$connection' PUBLICATION replicated
		WITH (create_slot = false, slot_name = 'replicated', copy_data = false);
});
query(q{INSERT INTO replicated (what) VALUES ('in time')});
my $arrived = q{SELECT string_agg(what, ' ' ORDER BY id) FROM replicated};
$node->poll_query_until('other', "SELECT ($arrived) = 'in time'") or die 'nothing is replicated';
my $log = -s $node->logfile;
query('INSERT INTO replicated VALUES (' . made('1 h') . q{, 'late')});
$node->wait_for_log(qr/ERROR: .* luuid "\S+" is older than a horizon already returned/, $log);
is($node->safe_psql('other', $arrived), 'in time', 'logical replication: a row that comes late is refused, where the trigger is ENABLE ALWAYS');
$node->safe_psql('other', 'ALTER TABLE replicated ENABLE TRIGGER guard');
$node->poll_query_until('other', "SELECT ($arrived) = 'late in time'") or die 'nothing is replicated any more';
pass('... and is not where it is not');
$node->safe_psql('other', 'DROP SUBSCRIPTION replicated');

# Waiting -----------------------------------------------------------------------------------------------------------

# Until it returns what it was given, which is its timeout.
my $from = hand_out();
my ($soon, $later) = split /\|/, query('SELECT ' . made('-60 ms') . ', ' . made('-200 ms'));
query("INSERT INTO event VALUES ('$soon', 'woken'), ('$later', 'again')");
my ($upto, $waited, $read) = ('', $from, '');
while ($waited ne $upto && $read ne 'woken again')
{
	$upto = $waited;
	$waited = query("CALL luuid_wait('$upto', '10 s')");
	$read = query(qq{SELECT string_agg(what, ' ' ORDER BY id) FROM event WHERE id >= '$from' AND id < '$waited'});
}
is($read, 'woken again', 'luuid_wait() returns for all ids of a transaction');

# After a crash ----------------------------------------------------------------------------------------------------

# A horizon leaves no trace on disk.
$late = query('SELECT luuid_generate()');
query('SELECT pg_sleep(0.002); SELECT luuid_horizon()');
$node->stop('immediate');
$node->start;
is_refused("INSERT INTO event VALUES ('$late')", "an id of before the server's crash");

done_testing();
