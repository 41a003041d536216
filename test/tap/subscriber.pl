# A switch-over by logical replication to a server whose clock is behind, as doc/operations.md has it: a consumer that keeps its
# position gets each row once. One that lets writers in at once misses rows. A row that comes to match a publication's filter
# comes below what readers of the subscriber have read.
# needs: long
use LuuidCluster;

my @settings = (q{shared_preload_libraries = 'luuid'}, 'wal_level = logical', 'max_wal_senders = 4', 'wal_retrieve_retry_interval = 100ms',
	'wal_receiver_timeout = 0');
my $nil = '00000000-0000-0000-0000-000000000000';
my $old = LuuidCluster->started('old', @settings);
LuuidCluster::set_clock(-3600);
my $new = LuuidCluster::with_stepped_clock(sub { return LuuidCluster->started('new', @settings) });

# A subscription in a database of each, with a table that it copies.
sub subscribe
{
	my ($database, $filter) = @_;
	$_->safe_psql('postgres', "CREATE DATABASE $database") for $old, $new;
	$_->safe_psql($database, q{
		CREATE EXTENSION luuid;
		CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), what text NOT NULL);
		CREATE TABLE beat (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), upto luuid NOT NULL);
		ALTER TABLE event REPLICA IDENTITY FULL;
	}) for $old, $new;
	$old->safe_psql($database, "INSERT INTO beat (upto) VALUES ('$nil'); CREATE PUBLICATION $database FOR TABLE event $filter, beat");
	$new->safe_psql($database, "CREATE SUBSCRIPTION $database CONNECTION '" . $old->connstr . " dbname=$database' PUBLICATION $database");
	$new->wait_for_subscription_sync($old, $database, $database);
	return;
}
my $pause = q{DO 'BEGIN PERFORM pg_sleep(0.01); END'};

# A switch-over -----------------------------------------------------------------------------------------------------------

my ($ask, $has_all, $wait) = LuuidCluster::documented('operations.md', 'A switch-over by logical replication');
my %position;
for my $database (qw(careless careful))
{
	subscribe($database, '');
	my $upto;
	for my $n (1 .. 3)
	{
		$old->safe_psql($database, "INSERT INTO event (what) SELECT 'old' FROM generate_series(1, 10); $pause");
		$upto = $old->safe_psql($database, 'SELECT luuid_horizon()');
	}
	# The consumer has read there up to its last horizon.
	my $position = $upto;
	is($old->safe_psql($database, "SELECT count(*) FROM event WHERE id < '$position'"), '30', "$database: a consumer reads the old server");
	($upto, my $lsn) = split /\|/, $old->safe_psql($database, $ask);
	is($old->safe_psql($database, "SELECT '$upto' >= luuid '$position'"), 't', '... not beyond the horizon after the last write');
	$has_all =~ s{'[0-9A-F]+/[0-9A-F]+'}{'$lsn'};
	$old->poll_query_until($database, $has_all =~ s/;\s*\z/ AND slot_name = '$database'/r, "$database|t") or die 'the log does not come';
	is($new->safe_psql($database, 'SELECT count(*) FROM event'), '30', '... whose rows are all there');
	if ($database eq 'careful')
	{
		my $waiter = $new->background_sql($database, $wait =~ s/> '[0-9a-f-]{36}'/> '$upto'/r);
		$new->poll_query_until($database, q{SELECT count(*) = 1 FROM pg_stat_activity WHERE query ~ '^DO'}) or die 'nothing waits';
		LuuidCluster::set_clock(0);
		$waiter->{run}->finish;
		is($waiter->{err}, '', '... and the new server waits until its clock is there');
	}
	$new->safe_psql($database, "DROP SUBSCRIPTION $database; INSERT INTO event (what) SELECT 'new' FROM generate_series(1, 10); $pause");
	$position{$database} = $position;
}
for my $database (qw(careless careful))
{
	is($new->safe_psql($database, "SELECT count(*) FROM event WHERE id >= '$position{$database}' AND id < luuid_horizon()"),
		$database eq 'careful' ? '10' : '0', "$database: rows that the consumer gets of 10 that the new server writes");
}

# A row filter --------------------------------------------------------------------------------------------------------------

subscribe('filtered', q{WHERE (what <> 'draft')});
my (undef, $beat, $reader) = LuuidCluster::documented('cookbook/following.md', 'A reader on a standby');
sub read_after
{
	my ($last) = @_;
	$old->safe_psql('filtered', "$pause; $beat");
	$old->wait_for_catchup('filtered');
	my ($query) = $reader =~ /^(SELECT .*?);/ms;
	return $new->safe_psql('filtered', $query =~ s/movement/event/r =~ s/'[0-9a-f-]{36}'/'$last'/r);
}
$old->safe_psql('filtered', q{INSERT INTO event (what) VALUES ('draft'), ('in')});
is(read_after($nil), 'in', 'a row filter: a reader on the subscriber gets what matches');
my $last = $new->safe_psql('filtered', 'SELECT max(id) FROM event');
$old->safe_psql('filtered', q{UPDATE event SET what = 'published' WHERE what = 'draft'});
is(read_after($last), '', '... and misses what an UPDATE makes match');
is($new->safe_psql('filtered', q{SELECT string_agg(what, ' ' ORDER BY id) FROM event}), 'published in', '... whose row is there, with its old id');
$new->safe_psql('filtered', 'DROP SUBSCRIPTION filtered');

done_testing();
