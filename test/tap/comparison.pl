# Checks the table of doc/comparison.md in the rows that a server can measure: each cell agrees with luuid and its peers.
# needs: long
use LuuidCluster;
use List::Util qw(all);

my $node = LuuidCluster->started('comparison');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION "uuid-ossp"; CREATE SEQUENCE number');
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');

# The table's cells, by row and column, as its plain text.
my (%cell, @columns);
for (grep { /^\|/ } split /\n/, (slurp_file('comparison.md') =~ /^(\| \| `bigserial` .*?)\n\n/ms)[0])
{
	my (undef, $row, @cells) = map { s/^\s+|\s+$|\*\*//gr } split /(?<!\\)\|/;
	if (!@columns) { @columns = @cells; next }
	@{ $cell{$row} }{@columns} = @cells;
}

my @peers = grep { $version >= $_->{since} } (
	{ column => '`bigserial`', type => 'bigint', call => q{nextval('number')}, since => 0 },
	{ column => '`gen_random_uuid()`', type => 'uuid', call => 'gen_random_uuid()', since => 0 },
	{ column => q{PostgreSQL 18's `uuidv7()`}, type => 'uuid', call => 'uuidv7()', since => 180000 },
	{ column => '`luuid_generate()`', type => 'luuid', call => 'luuid_generate()', since => 0 },
	{ column => '`luuid_generate_v7()`', type => 'luuid', call => 'luuid_generate_v7()', since => 0 });

sub column { my ($peer) = @_; return (grep { $_ eq $peer->{column} } @columns)[0] // die "no column $peer->{column}" }

sub cell_is
{
	my ($row, $peer, $expected) = @_;
	my ($name) = grep { /^\Q$row\E/ } keys %cell or die "no row $row";
	like($cell{$name}{ column($peer) }, $expected, "$row: $peer->{call}");
	return;
}

# The first four bytes of an id, which determine one of 64 shards.
my %prefix = (
	bigint => q{int8send(id)},
	uuid => q{uuid_send(id)},
	luuid => q{id::bytea});

for my $peer (@peers)
{
	my ($type, $call) = @{$peer}{qw(type call)};
	$node->safe_psql('postgres', "DROP TABLE IF EXISTS made;
		CREATE TABLE made AS SELECT made, $call AS id FROM generate_series(1, 10000) AS made;
		ALTER TABLE made ADD PRIMARY KEY (id)");

	cell_is('bytes', $peer, qr/^@{[ $node->safe_psql('postgres', 'SELECT max(pg_column_size(id)) FROM made') ]}$/);

	my $sorted = $node->safe_psql('postgres',
		'SELECT bool_and(id > before) FROM (SELECT id, lag(id) OVER (ORDER BY made) AS before FROM made) AS pairs');
	cell_is('ids of one session', $peer, $sorted eq 't' ? qr/^yes/ : qr/^no$/);

	# With luuid installed a uuid has the operators too, but they find no index in its primary key.
	my ($status, $plan) = $node->psql('postgres', q{
		SET enable_seqscan = off; EXPLAIN SELECT FROM made WHERE id >= now()});
	cell_is('a time range', $peer, $plan =~ /Index Cond/ ? qr/by operators/ : qr/^no$|made by hand/);

	my ($shards, $fullest) = split /\|/, $node->safe_psql('postgres', qq{
		SELECT count(*), max(ids) * 64 / 10000.0 FROM (
			SELECT count(*) AS ids FROM made GROUP BY get_byte($prefix{$type}, 0) / 4) AS shard});
	cell_is('10 000 ids', $peer, $shards <= 2 ? qr/^on one$/ : $fullest > 1.05 ? qr/^at random$/ : qr/^evenly/);
}

# The other value for sequential mode.
my ($luuid) = grep { $_->{type} eq 'luuid' } @peers;
cmp_ok($node->safe_psql('postgres', q{
		SELECT count(DISTINCT luuid_shard(luuid_generate_sequential(), 64)) FROM generate_series(1, 10000)}),
	'<=', 2, 'sequential mode uses one shard, or two if its window ends');
cell_is('10 000 ids', $luuid, qr/on one in sequential mode$/);

# Times are extracted by the server's own function, and from ours by our own.
for my $peer (@peers)
{
	my $extract =
		$peer->{type} eq 'luuid' ? 'luuid_extract_timestamp'
		: $version >= 170000 && $peer->{type} eq 'uuid' ? 'uuid_extract_timestamp'
		: next;
	my $read = $node->safe_psql('postgres',
		qq{SELECT coalesce(abs(extract(epoch FROM clock_timestamp() - $extract($peer->{call}))) < 10, false)});
	cell_is('time is read', $peer, $read eq 't' ? qr/^yes/ : qr/^no$/);
}

# The low half of version 1's count comes first, and wraps after 2^32 ticks of 100 ns: 429 s.
is($node->safe_psql('postgres', q{
		SELECT luuid_floor(at)::uuid > luuid_floor(at + interval '430 s')::uuid
		FROM (SELECT timestamptz '2026-11-21 00:00+00' + n * interval '1 s' AS at FROM generate_series(1, 430) AS n) AS times
		ORDER BY 1 DESC LIMIT 1}),
	't', 'version 1 does not sort by time for longer than 7 minutes');

ok((all { keys %{$_} == @columns } values %cell), 'no cell is missing');

done_testing();
