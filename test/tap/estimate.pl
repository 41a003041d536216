# Estimates read an index while others insert, delete and VACUUM, so that its pages are split and deleted meanwhile; on a
# standby, while it replays this.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->new('estimate');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off");
$node->start;
$node->backup('base');
my $standby = LuuidCluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->append_conf('postgresql.conf', 'max_standby_streaming_delay = -1');
$standby->start;

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
	ask => q{
		\set begin random(-10, 90)
		\set hours random(1, 80)
		EXPLAIN SELECT FROM item WHERE id >= timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h'
			AND id < timestamptz '2026-01-01 00:00+00' + (:begin + :hours) * interval '1 h';
		EXPLAIN SELECT FROM item WHERE other < timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h';
		EXPLAIN SELECT FROM item AS a JOIN item AS b ON b.other >= a.id AND b.other < a.id::timestamptz + interval '5 min'
			WHERE a.id < timestamptz '2026-01-01 00:00+00' + :begin * interval '1 h';});
my $folder = PostgreSQL::Test::Utils::tempdir();
PostgreSQL::Test::Utils::append_to_file("$folder/$_", $script{$_}) for keys %script;

$node->wait_for_catchup($standby);
my @running = map {
	my ($server, %weight) = @$_;
	$server->background('pgbench', '-n', '-T', 8, '-c', 4, '-j', 2, (map { ('-f', "$folder/$_\@$weight{$_}") } sort keys %weight),
		'-d', $server->connstr('postgres'));
} [ $node, insert => 6, remove => 2, vacuum => 1, ask => 12 ], [ $standby, ask => 1 ];
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
		LATERAL (SELECT format('%s >= timestamptz ''2026-01-01 00:00+00'' + %s * interval ''1 h''
			AND %1$s < timestamptz ''2026-01-01 00:00+00'' + %s * interval ''1 h''', subject, n, n + 20) AS condition) AS c};
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

done_testing();
