# pglogical replicates tables of ids: rows and their changes by key, all rows or those of one shard, while both sides generate
# ids.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-pglogical', 'pglogical.so');
my @configuration = (q{shared_preload_libraries = 'luuid, pglogical'}, 'wal_level = logical',
	'max_replication_slots = 10', 'max_wal_senders = 10', 'max_worker_processes = 20', 'track_commit_timestamp = on');
my %node = map { ($_ => LuuidCluster->started($_, @configuration)) } qw(provider subscriber);
for my $name (keys %node)
{
	my $node = $node{$name};
	my $dsn = $node->connstr('postgres');
	$node->allow_output_plugin('pglogical_output');
	$node->safe_psql('postgres', qq{
		CREATE EXTENSION luuid;
		CREATE EXTENSION pglogical;
		CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), legacy uuid, what text);
		CREATE TABLE shard (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
		SELECT pglogical.create_node('$name', \$\$$dsn\$\$);
	});
}
my ($provider, $subscriber) = @node{qw(provider subscriber)};
my $dsn = $provider->connstr('postgres');
$provider->safe_psql('postgres', q{
	INSERT INTO event SELECT id, id, 'before' FROM (SELECT luuid_generate() AS id FROM generate_series(1, 100)) AS made;
	SELECT pglogical.replication_set_add_table('default', 'event', true);
	SELECT pglogical.replication_set_add_table('default', 'shard', true, row_filter := 'luuid_shard(id, 4) = 2');
});
$subscriber->safe_psql('postgres', "SELECT pglogical.create_subscription('events', \$\$$dsn\$\$)");
$subscriber->poll_query_until('postgres', q{
	SELECT bool_and(status = 'replicating') AND count(*) = 1 FROM pglogical.show_subscription_status()
}) or die 'no subscription';

my ($changed, $deleted) = split /\n/, $provider->safe_psql('postgres', 'SELECT id FROM event ORDER BY id LIMIT 2');
$provider->safe_psql('postgres', qq{
	INSERT INTO event SELECT id, id, 'after' FROM (SELECT luuid_generate() AS id FROM generate_series(1, 100)) AS made;
	UPDATE event SET what = 'changed' WHERE id = '$changed';
	DELETE FROM event WHERE id = '$deleted';
	INSERT INTO shard (what) SELECT n FROM generate_series(1, 400) AS n;
	SELECT pglogical.wait_slot_confirm_lsn(NULL, pg_current_wal_lsn());
});
my $all = q{SELECT string_agg(e::text, ' ' ORDER BY id), count(*) FROM event AS e};
$subscriber->poll_query_until('postgres', 'SELECT count(*) >= 100 FROM shard') or die 'nothing arrives';
is($subscriber->safe_psql('postgres', $all), $provider->safe_psql('postgres', $all),
	'rows of before and after, and their changes');
is($subscriber->safe_psql('postgres', 'SELECT count(*), min(luuid_shard(id, 4)), max(luuid_shard(id, 4)) FROM shard'),
	'100|2|2', 'a row filter by luuid_shard takes one shard');
$subscriber->safe_psql('postgres', q{INSERT INTO event (what) SELECT 'here' FROM generate_series(1, 100)});
is($subscriber->safe_psql('postgres', 'SELECT count(*) FROM event'), 299,
	'ids of the subscriber are none of the provider');

done_testing();
