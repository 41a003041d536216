# The cluster's figures in luuid_stat(): what each counts, who reads and resets them.
# needs: long
use LuuidCluster;

my (undef, undef, $modules) = LuuidCluster::own_stage();
LuuidCluster::build_module($modules, 'all_leases');
my $alone = LuuidCluster->started('alone');
# Beside a module that asks for shared memory too.
my $node = LuuidCluster->started('preloaded', q{shared_preload_libraries = 'pg_stat_statements, luuid'},
	'max_prepared_transactions = 1', 'autovacuum = off');
$_->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid DEFAULT luuid_generate())') for $alone, $node;

sub query { my ($query) = @_; return $node->safe_psql('postgres', $query) }
sub figures { my ($columns) = @_; return query("SELECT $columns FROM luuid_stat()") }

# Waits until it is so; a session that ends is still there for a moment.
sub becomes
{
	my ($condition, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	ok($node->poll_query_until('postgres', "SELECT $condition FROM luuid_stat()"), $name)
		or diag query('SELECT luuid_stat()');
	return;
}

is($alone->safe_psql('postgres', 'SELECT count(*) FROM luuid_stat()'), '0', 'not preloaded: no row');
like($alone->error_of('postgres', 'SELECT luuid_stat_reset()'),
	qr/55000: luuid must be loaded via "shared_preload_libraries"/, '... and nothing to reset');
is(figures(q{clock_steps_back, ahead, ahead_max, leases_held, leases_refused, horizons_asked, horizons_unknown, waiters, wakeups, rows_refused,
		stats_reset BETWEEN pg_postmaster_start_time() - interval '1 s' AND now()}),
	'0|00:00:00|00:00:00|0|0|0|0|0|0|0|t', 'preloaded: nothing has happened yet');

# Leases, and ids ahead of the clock ---------------------------------------------------------------------------------

my ($session, $ahead) = map { $node->background_psql('postgres') } 1 .. 2;
$session->query_safe('SELECT luuid_generate()');
is(figures('leases_held'), '1', 'a session that generates has a lease');
my $run_ahead = q{
	SET luuid.max_ahead = 0;
	SELECT count(luuid_generate_near('00000000-0000-0000-0000-000000000000', 32)) FROM generate_series(1, 600000);
};
query($run_ahead);
becomes(q{leases_held = 1 AND ahead = '0' AND ahead_max BETWEEN '5 min' AND '11 min'},
	'of a session that has ended it is known how far ahead it was');
query('SELECT luuid_stat_reset()');
is(figures('ahead_max'), '00:00:00', '... until a reset');
$ahead->query_safe($run_ahead);
query('SELECT luuid_stat_reset()');
is(figures(q{leases_held, ahead > '5 min' AND ahead <= ahead_max}), '2|t', 'one that is idle is ahead now, and remains so');
$ahead->quit;
becomes(q{leases_held = 1 AND ahead = '0' AND ahead_max > '5 min'}, '... until it ends');
is(query(q{
	DO $$ BEGIN FOR n IN 1 .. 100 LOOP
		INSERT INTO event VALUES (luuid_generate_v7()); COMMIT; ASSERT (SELECT ahead = '0' FROM luuid_stat()); END LOOP; END $$;
	SELECT 'none';
}), 'none', 'what has just been committed is not ahead');

# Horizons -----------------------------------------------------------------------------------------------------------

query('SELECT luuid_horizon() FROM generate_series(1, 10)');
query('SELECT luuid_horizon(); SELECT horizon_lag FROM luuid_status()');
is(figures('horizons_asked, horizons_unknown'), '2|0', 'each statement asks for one horizon, and luuid_status() for none');

# Rows that the guard refused ---------------------------------------------------------------------------------------

query(q{
	CREATE TABLE guarded (id luuid);
	CREATE TRIGGER guard AFTER INSERT ON guarded FOR EACH ROW EXECUTE FUNCTION luuid_guard('id');
	INSERT INTO guarded VALUES (luuid_generate()), (NULL);
});
$node->psql('postgres', "INSERT INTO guarded VALUES ($_)") for q{luuid_generate(now() - interval '1 hour')}, 'gen_random_uuid()';
is(figures('rows_refused') . query('SELECT count(*) FROM guarded'), '22', 'what the guard refuses is counted, and nothing else');

# Waiters ------------------------------------------------------------------------------------------------------------

my $waiter = $node->background_sql('postgres', 'CALL luuid_wait(luuid_horizon())');
$waiter->{run}->pump_nb;
LuuidCluster::wait_until('the waiter to sleep', sub {
		query(q{SELECT count(*) FROM pg_stat_activity WHERE query ~ '^CALL' AND wait_event_type = 'Extension'}) }, $waiter);
is(figures('waiters, wakeups'), '1|0', 'one waits');
$session->query_safe('INSERT INTO event DEFAULT VALUES');
$waiter->{run}->finish;
like($waiter->{out}, qr/^[0-9a-f-]{36}$/m, 'a commit wakes it');
is(figures('waiters, wakeups'), '0|1', '... and none waits');

# Reset --------------------------------------------------------------------------------------------------------------

query('CREATE ROLE visitor; CREATE ROLE observer; GRANT EXECUTE ON FUNCTION luuid_stat_reset() TO observer');
my $since = figures('stats_reset');
is(query('SET ROLE visitor; SELECT leases_held FROM luuid_stat()'), '1', 'every role reads the figures');
like($node->error_of('postgres', 'SET ROLE visitor; SELECT luuid_stat_reset()'),
	qr/permission denied for function luuid_stat_reset/, '... but does not reset them');
query('SET ROLE observer; SELECT luuid_stat_reset()');
is(figures("leases_held, horizons_asked, horizons_unknown, wakeups, rows_refused, stats_reset > '$since'"), '1|0|0|0|0|t',
	'who is granted that does; what is held now stays');

$session->query_safe(q{BEGIN; INSERT INTO event DEFAULT VALUES; PREPARE TRANSACTION 'one'});
$session->quit;
$node->restart;
is(query('SELECT luuid_horizon() IS NULL'), 't', 'after a restart with a prepared transaction the horizon is not known');
is(figures('horizons_asked, horizons_unknown, leases_held'), '1|1|0', '... which is counted, from zero');

# Leases that are refused --------------------------------------------------------------------------------------------

query(q{
	CREATE FUNCTION take_all_leases(size bigint) RETURNS void LANGUAGE C AS 'all_leases';
	SELECT take_all_leases(size) FROM pg_shmem_allocations WHERE name = 'luuid';
});
is(figures('leases_held, leases_refused'), '65536|0', 'all leases are held');
is(query('SELECT leased FROM luuid_status(); SELECT count(DISTINCT luuid_generate()) FROM generate_series(1, 1000)'),
	"f\n1000", '... a session generates without one');
is(figures('leases_refused'), '1', '... which is counted');

done_testing();
