# Through PgBouncer in transaction mode, clients share backends: their ids follow each other as one backend's, and so do
# their settings, unless they are the role's, the database's or the transaction's.
use LuuidCluster;

LuuidCluster::needs('pgbouncer', 'pgbouncer');
my $dir = PostgreSQL::Test::Utils::tempdir_short();
my $node = LuuidCluster->started('pgbouncer', q{shared_preload_libraries = 'luuid'});
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n serial, backend int DEFAULT pg_backend_pid());
	CREATE ROLE sequential LOGIN;
	ALTER ROLE sequential SET luuid.mode = sequential;
	GRANT ALL ON event, event_n_seq TO sequential;
});

my ($host, $port) = ($node->host, $node->port);
append_to_file("$dir/pgbouncer.ini", qq{
	[databases]
	postgres = host=$host port=$port
	[pgbouncer]
	pool_mode = transaction
	default_pool_size = 1
	listen_addr =
	unix_socket_dir = $dir
	auth_file = $dir/users
	auth_type = trust
} =~ s/^\t+//gmr);
append_to_file("$dir/users", join '', map { qq("$_" ""\n) } getpwuid($<), 'sequential');
my $pooler = $node->background('pgbouncer', "$dir/pgbouncer.ini");
LuuidCluster::wait_until('the pooler', sub { -e "$dir/.s.PGSQL.6432" }, $pooler);

# What a client of its own is answered, or told. Of one that is refused, nobody reads the input.
sub asked
{
	my ($sql, $connection) = @_;
	IPC::Run::run(
		[ 'psql', '-XqAt', '-d', "host=$dir port=6432 dbname=postgres " . ($connection // ''), '-c', $sql ],
		'<', \undef, '>', \my $answer, '2>', \my $error);
	chomp $answer;
	return $answer . $error;
}

asked('INSERT INTO event SELECT FROM generate_series(1, 500)') for 1 .. 4;
is($node->safe_psql('postgres', q{
		SELECT count(*), count(DISTINCT backend), array_agg(n ORDER BY id) = array_agg(n ORDER BY n) FROM event
	}),
	'2000|1|t', 'ids of four clients are in the order of their making, as ids of one backend are');

# A setting of the session is the backend's, and so the next client's.
asked('SET luuid.mode = sequential');
is(asked('SHOW luuid.mode'), 'sequential', 'SET: another client has it, too');
asked('RESET luuid.mode');
is(asked(q{BEGIN; SET LOCAL luuid.mode = sequential; SHOW luuid.mode; COMMIT}), 'sequential',
	'SET LOCAL: the transaction has it');
is(asked('SHOW luuid.mode'), 'variable', '... and no other client');
is(asked('SHOW luuid.mode', 'user=sequential'), 'sequential', 'ALTER ROLE ... SET: every client of the role has it');
is(asked('SHOW luuid.mode'), 'variable', '... and none of another role');
like(asked('SHOW luuid.mode', q{options='-c luuid.mode=sequential'}), qr/unsupported startup parameter/,
	'a setting of the connection string is refused');

# A consumer that waits is one statement, and nothing of it is left in the backend.
my ($from) = asked('SELECT luuid_horizon()');
for my $time ('first', 'second')
{
	my $consumer = $node->background('psql', '-XqAt', '-d', "host=$dir port=6432 dbname=postgres", '-c', "CALL luuid_wait('$from')");
	LuuidCluster::wait_until('the consumer to sleep', sub {
			$node->safe_psql('postgres', q{SELECT count(*) FROM pg_stat_activity WHERE query ~ '^CALL' AND wait_event_type = 'Extension'});
	}, $consumer);
	$node->safe_psql('postgres', 'INSERT INTO event DEFAULT VALUES');
	$consumer->{run}->finish;
	my ($upto) = $consumer->{out} =~ /^([0-9a-f-]{36})$/m;
	is(asked("SELECT count(*) FROM event WHERE id >= '$from' AND id < '$upto'"), '1', "luuid_wait: the $time commit wakes a client");
	$from = $upto;
}

$pooler->{run}->kill_kill;
done_testing();
