# Partitions and children that are added in the transaction that fills them: a reader below a horizon gets their rows, since no
# horizon passes a transaction before all sessions can have heard of its tables.
# needs: long
use LuuidCluster;

my (undef, undef, $modules) = LuuidCluster::own_stage();
LuuidCluster::build_module($modules, 'hold_messages');
my $node = LuuidCluster->started('preloaded', q{shared_preload_libraries = 'luuid'}, 'max_prepared_transactions = 5', 'autovacuum = off',
	'fsync = off');
$node->safe_psql('postgres', q{CREATE EXTENSION luuid; CREATE FUNCTION hold_messages() RETURNS void AS 'hold_messages' LANGUAGE C});

# While nobody can send messages, none can connect, or look at pg_stat_activity.
my ($admin, $holder, $reader, $loader) = map { $node->background_psql('postgres') } 1 .. 4;
$admin->query_safe('SET client_min_messages = warning');

# Has a session begin a statement, which others wait for.
sub begin_statement
{
	my ($session, $statement) = @_;
	$session->query_until(qr/begun/, "\\echo begun\n$statement;\n");
	return;
}

# A transaction that fills a table and adds it is stopped in its commit: it is visible, and its messages are not sent --------------

my $held = $node->data_dir . '/held';
my %adding = (
	'a partition' => 'CREATE TABLE added (LIKE event INCLUDING ALL); INSERT INTO added (part) SELECT 2 FROM generate_series(1, 10);
		ALTER TABLE event ATTACH PARTITION added FOR VALUES IN (2)',
	'a child' => 'CREATE TABLE added () INHERITS (event); INSERT INTO added (part) SELECT 2 FROM generate_series(1, 10)');
my %asking = (
	'luuid_horizon()' => sub { return "SELECT greatest(luuid_horizon(), '$_[0]')" },
	'luuid_wait' => sub { return "CALL luuid_wait('$_[0]', '200 ms')" });
for my $added (sort keys %adding)
{
	for my $asked (sort keys %asking)
	{
		for my $end ('COMMIT', q{COMMIT PREPARED 'adding'})
		{
			my $kind = $added eq 'a child' ? '' : 'PARTITION BY LIST (part)';
			$admin->query_safe("DROP TABLE IF EXISTS added, event CASCADE; CREATE TABLE event (id luuid DEFAULT luuid_generate_v7(), part int) $kind");
			$admin->query_safe('CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1)') if $kind;
			$admin->query_safe('INSERT INTO event (part) VALUES (1); SELECT pg_sleep(0.002)');
			my ($from, $found) = ('00000000-0000-0000-0000-000000000000', 0);
			my $poll = sub {
				my $upto = $reader->query_safe($asking{$asked}->($from));
				$found += $reader->query_safe("SELECT count(*) FROM event WHERE id >= '$from' AND id < '$upto'");
				$from = $upto;
				$admin->query_safe('SELECT pg_sleep(0.002)');
			};
			$poll->();
			$loader->query_safe("BEGIN; $adding{$added}");
			$loader->query_safe(q{PREPARE TRANSACTION 'adding'}) if $end =~ /PREPARED/;
			begin_statement($holder, 'SELECT hold_messages()');
			LuuidCluster::wait_until('the holder', sub { -e $held });
			begin_statement($loader, $end);
			LuuidCluster::wait_until('the commit', sub { $admin->query_safe(q{SELECT count(*) FROM pg_class WHERE relname = 'added'}) });
			$poll->() for 1 .. 2;
			unlink $held;
			$_->query_safe('SELECT 1') for $holder, $loader;
			$poll->() for 1 .. 2;
			is($found, 11, "$added, $end, $asked: no row is lost");
		}
	}
}

# A reader in a transaction block, whose lock on the table hears of nothing ------------------------------------------------------

$admin->query_safe('DROP TABLE event CASCADE; CREATE TABLE event (id luuid DEFAULT luuid_generate_v7(), part int) PARTITION BY LIST (part);
	CREATE TABLE event_1 PARTITION OF event FOR VALUES IN (1); INSERT INTO event (part) VALUES (1)');
$reader->query_safe('SET plan_cache_mode = force_generic_plan; PREPARE page(luuid) AS SELECT count(*) FROM event WHERE id < $1');
my $page = 'SELECT luuid_horizon() AS upto \gset' . "\n" . q{EXECUTE page(:'upto')};
$admin->query_safe('SELECT pg_sleep(0.002)');
is($reader->query_safe("BEGIN; $page"), '1', 'a transaction block reads by a prepared statement');
$admin->query_safe('CREATE TABLE event_2 (LIKE event INCLUDING ALL); ALTER TABLE event ATTACH PARTITION event_2 FOR VALUES IN (2)');
$admin->query_safe('INSERT INTO event (part) VALUES (2); SELECT pg_sleep(0.002)');
is($reader->query_safe($page), '2', '... and reads the rows of a partition that is attached meanwhile');
$reader->query_safe('COMMIT');

$_->quit for $admin, $holder, $reader, $loader;
done_testing();
