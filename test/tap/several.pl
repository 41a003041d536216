# Readers of a table on several servers get each row once below the least of all servers' horizons, if each server has a guard:
# whichever server generated the id, and however late COMMIT PREPARED comes. Without the guard they miss rows.
# It finds faults that only several servers show; other tests find a wrong line.
# needs: long
use LuuidCluster;
use LuuidReaders;

my $dir = PostgreSQL::Test::Utils::tempdir();
my $lag = '1 s';
my ($coordinator, @shards) = map {
	LuuidCluster->started($_, q{shared_preload_libraries = 'luuid'}, 'max_prepared_transactions = 50', 'autovacuum = off',
		'jit = off', 'fsync = off')
} qw(coordinator shard0 shard1);

# Two databases, since a guard of one table holds back the horizon of all tables of its database.
my @databases = qw(guarded bare);
for my $database (@databases)
{
	$_->safe_psql('postgres', "CREATE DATABASE $database") for $coordinator, @shards;
	$_->safe_psql($database, qq{
		CREATE EXTENSION luuid;
		CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate());
		CREATE VIEW horizon AS SELECT luuid_horizon('$lag') AS upto;
	}) for @shards;
	$coordinator->safe_psql($database, 'CREATE EXTENSION luuid; CREATE EXTENSION postgres_fdw; CREATE EXTENSION dblink;'
			. join '', map {
			my ($host, $port) = ($shards[$_]->host, $shards[$_]->port);
			qq{
				CREATE SERVER shard$_ FOREIGN DATA WRAPPER postgres_fdw
					OPTIONS (host '$host', port '$port', dbname '$database', extensions 'luuid');
				CREATE USER MAPPING FOR CURRENT_USER SERVER shard$_;
				CREATE FOREIGN TABLE event_$_ (id luuid) SERVER shard$_ OPTIONS (table_name 'event');
				CREATE FOREIGN TABLE horizon_$_ (upto luuid) SERVER shard$_ OPTIONS (table_name 'horizon');
			}
			} 0 .. 1);
	$coordinator->safe_psql($database, qq{
		CREATE VIEW event AS TABLE event_0 UNION ALL TABLE event_1;
		CREATE VIEW horizon AS TABLE horizon_0 UNION ALL TABLE horizon_1 UNION ALL SELECT luuid_horizon('$lag');

		-- A distributed transaction as far as PREPARE TRANSACTION: with an id for each shard, or with ids that the shards
		-- generate. False if an id is refused.
		CREATE TABLE refused (id luuid, message text);
		CREATE FUNCTION prepare(gid text, ids luuid[]) RETURNS boolean LANGUAGE plpgsql AS \$\$
		BEGIN
			IF dblink_get_connections() IS NULL THEN
				PERFORM dblink_connect(shard, shard) FROM unnest('{shard0,shard1}'::text[]) AS shard;
			END IF;
			FOR i IN 0 .. 1 LOOP
				PERFORM dblink_exec('shard' || i, 'BEGIN');
			END LOOP;
			FOR i IN 0 .. 1 LOOP
				PERFORM dblink_exec('shard' || i, CASE WHEN ids IS NULL
					THEN 'INSERT INTO event SELECT luuid_generate() FROM generate_series(1, 3)'
					ELSE format('INSERT INTO event VALUES (%L)', ids[i + 1]) END);
			END LOOP;
			FOR i IN 0 .. 1 LOOP
				PERFORM dblink_exec('shard' || i, format('PREPARE TRANSACTION %L', gid));
			END LOOP;
			RETURN true;
		EXCEPTION WHEN check_violation THEN
			FOR i IN 0 .. 1 LOOP
				PERFORM dblink_exec('shard' || i, 'ROLLBACK');
			END LOOP;
			INSERT INTO refused SELECT unnest(ids), SQLERRM;
			RETURN false;
		END \$\$;
		CREATE PROCEDURE resolve(shard text, mine text) LANGUAGE sql AS \$\$
			SELECT dblink_exec(shard, format('COMMIT PREPARED %L', gid)) FROM dblink(shard, format(
				'SELECT gid FROM pg_prepared_xacts WHERE database = current_database() AND gid LIKE %L', mine)) AS left_there (gid text)
		\$\$;
		-- The whole of it. If COMMIT PREPARED fails on a shard, the session's next call resolves it.
		CREATE PROCEDURE write(ids luuid[], fails boolean) LANGUAGE plpgsql AS \$\$
		DECLARE
			mine text := format('%s %s ', current_database(), pg_backend_pid());
		BEGIN
			IF dblink_get_connections() IS NOT NULL THEN
				CALL resolve('shard1', mine || '%');
			END IF;
			PERFORM prepare(mine || pg_current_xact_id(), ids);
			COMMIT;
			PERFORM pg_sleep(random() * 0.02);
			CALL resolve('shard0', mine || '%');
			PERFORM pg_sleep(random() * 0.02);
			IF NOT fails THEN
				CALL resolve('shard1', mine || '%');
			END IF;
		END \$\$;
	});
}
$_->safe_psql('guarded', q{CREATE TRIGGER guard AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')}) for @shards;

sub ask { my ($database, $query) = @_; return $coordinator->safe_psql($database, $query) }

my %readers = map {
	($_ => LuuidReaders->of_servers($coordinator, $_, 'SELECT upto FROM horizon ORDER BY upto NULLS FIRST LIMIT 1'))
} @databases;
my $first = ask('guarded', q{SELECT luuid_floor(timestamptz '-infinity')});

# A distributed transaction that is late on one shard ----------------------------------------------------------------

# One for each database: with ids of the coordinator's open transaction, which come after horizons were handed out, and
# with ids of the shards. A try can take longer than the lag.
my (%distributed, %late, %pushed);
for my $database (@databases)
{
	my $session = $coordinator->background_psql($database);
	my $tries = 0;
	LuuidCluster::wait_until("$database: ids that come within the lag", sub {
			$session->query_safe("BEGIN; SELECT luuid_generate() AS a, luuid_generate() AS b \\gset\nSELECT pg_sleep(0.002)");
			$readers{$database}->poll;
			my $is_prepared = $session->query_safe(qq{SELECT prepare('$database', ARRAY[:'a', :'b']::luuid[])}) eq 't';
			$distributed{$database} = $session->query_safe(q{SELECT :'b'});
			$session->query_safe('COMMIT');
			return $is_prepared || ++$tries > 100;
	});
	cmp_ok($tries, '<=', 100, "$database: ids that come within the lag are accepted, after horizons were handed out");
	$session->query_safe("SELECT dblink_exec('shard0', 'COMMIT PREPARED ''$database''')");
	$session->quit;

	# Pushed down: the coordinator knows nothing of it.
	$pushed{$database} = $shards[0]->background_psql($database);
	$pushed{$database}->query_safe('BEGIN; INSERT INTO event SELECT luuid_generate() FROM generate_series(1, 3)');
	$late{$database} = ask($database, 'SELECT luuid_generate()');
}
$readers{$_}->poll_until('the reader by the coordinator to pass the late id',
	"position > '$late{$_}' FROM reader WHERE name = 'by the coordinator'") for @databases;
$pushed{$_}->query_safe('COMMIT'), $pushed{$_}->quit for @databases;
$readers{guarded}->poll_until('two servers to pass the late id', "count(*) >= 2 FROM horizon WHERE upto > '$late{guarded}'");
$readers{bare}->poll_past('the late id', $late{bare});

like($shards[0]->error_of('guarded', "INSERT INTO event VALUES ('$late{guarded}')"),
	qr/ERROR:  23514: luuid "$late{guarded}" is older than a horizon already returned/,
	'an id that comes later than the lag is refused by name');
is(ask('guarded', qq{SELECT bool_and(position <= '$distributed{guarded}') FROM reader WHERE name LIKE 'reader%'}), 't',
	'what is prepared on one shard holds back the least of all horizons, though the others have passed it');

# A shard is stopped between PREPARE TRANSACTION and COMMIT PREPARED -------------------------------------------------

my $before = $readers{guarded}->positions;
$shards[1]->stop('immediate');
like($coordinator->error_of('guarded', q{CALL poll('reader 0')}), qr/could not connect to server "shard1"/, 'no horizon without one of the servers');
is($readers{guarded}->positions, $before, '... and no reader advances');
$shards[1]->start;
is(ask('guarded', "SELECT count(*) FROM horizon WHERE upto IS NULL"), '1', 'a shard that was started over a prepared transaction has no horizon');
$readers{guarded}->poll;
is($readers{guarded}->positions, $before, '... and no reader advances');
$shards[1]->safe_psql($_, "COMMIT PREPARED '$_'") for @databases;
$readers{$_}->poll_past('everything', $late{$_}) for @databases;
$readers{guarded}->check_each_once('after it was resolved', \@LuuidReaders::names);
is(ask('guarded', q{SELECT count(*) FROM event}), '5', '... of all that were stored');
is($readers{bare}->missed($_), '1', "without the guard, $_ missed the row of the shard that was late") for @LuuidReaders::names;
is($readers{bare}->missed('by the coordinator'), '4', '... and the coordinator\'s horizon alone also those that the other shard generated');

# Under load ---------------------------------------------------------------------------------------------------------

my $made = 'ARRAY[luuid_generate(), luuid_generate()]';
my $old = "luuid_generate(clock_timestamp() - interval '$lag' * (0.5 + random()))";
my $just_in_time = "luuid_generate(clock_timestamp() - interval '$lag' * (0.97 + 0.04 * random()))";
my @writers = LuuidCluster::scripts($dir, 'writer', map { "CALL write($_);" }
		"$made, false", "$made, true", 'NULL, false', 'NULL, true', "ARRAY[$old, $old], false", "ARRAY[$just_in_time, luuid_generate()], true",
	"ARRAY[luuid_generate(), $just_in_time], false");
$readers{guarded}->check_load($readers{bare}, $first,
	write => sub { map { $coordinator->background_pgbench($_, '--client=4', '--transactions=' . LuuidCluster::scaled(10), @writers) } @databases },
	# What the last calls left.
	resolve => sub {
		ask($_, q{SELECT dblink_connect(shard, shard) FROM unnest('{shard0,shard1}'::text[]) AS shard;
			CALL resolve('shard0', '%'); CALL resolve('shard1', '%')}) for @databases;
	},
	refused => sub { ask('guarded', 'SELECT count(*) FROM refused') });
is(ask('guarded', q{SELECT count(*) FROM refused WHERE message NOT LIKE 'luuid "%" is older than a horizon%'}), '0', '... by name');

done_testing();
