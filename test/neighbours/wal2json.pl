# Logical decoding: wal2json names the type and writes ids as text. pgoutput sends the name of the type to a client that does
# not know its OID.
use LuuidCluster;
use JSON::PP;

LuuidCluster::needs('postgresql-NN-wal2json', 'wal2json.so');
my $node = LuuidCluster->started('wal2json', 'wal_level = logical');
$node->allow_output_plugin('wal2json');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), parents luuid[], what text);
	CREATE PUBLICATION every FOR ALL TABLES;
	SELECT pg_create_logical_replication_slot('as_json', 'wal2json');
	SELECT pg_create_logical_replication_slot('as_binary', 'pgoutput');
});
my $id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
$node->safe_psql('postgres', qq{
	INSERT INTO event VALUES ('$id', '{$id}', 'made');
	UPDATE event SET what = 'changed';
	DELETE FROM event;
});

my @changes = map { decode_json($_) } split /\n/, $node->safe_psql('postgres', q{
	SELECT data FROM pg_logical_slot_get_changes('as_json', NULL, NULL,
		'format-version', '2', 'include-transaction', 'false', 'include-pk', 'true')
});
is(join(' ', map { $_->{action} } @changes), 'I U D', 'each change is there');
is_deeply($changes[0]{columns}[0], { name => 'id', type => 'luuid', value => $id }, 'a new id, with its type');
is_deeply($changes[0]{columns}[1], { name => 'parents', type => 'luuid[]', value => "{$id}" }, 'an array of ids');
is_deeply($changes[1]{identity}, [ { name => 'id', type => 'luuid', value => $id } ], 'the id of a changed row');
is_deeply($changes[2]{identity}, [ { name => 'id', type => 'luuid', value => $id } ], 'the id of a deleted row');
is_deeply($changes[0]{pk}, [ { name => 'id', type => 'luuid' } ], 'the key');

# The protocol of logical replication, as a client reads it: it announces types that are not built in.
my @messages = map { pack 'H*', $_ } split /\n/, $node->safe_psql('postgres', q{
	SELECT encode(data, 'hex') FROM pg_logical_slot_get_binary_changes('as_binary', NULL, NULL,
		'proto_version', '1', 'publication_names', 'every')
});
my %announced = map { my ($oid, @name) = unpack 'x N Z* Z*', $_; ($oid => "@name") } grep { /^Y/ } @messages;
my ($relation) = grep { /^R/ } @messages;
my (undef, undef, undef, @columns) = unpack 'x N Z* Z* x n/(x Z* N x4)', $relation;
my %type = @columns;
is($announced{ $type{id} }, ' luuid', 'the type of a column is announced by its name');
my $asked = 'SELECT typname, typcategory, typlen, typelem::regtype FROM pg_type WHERE oid';
is($node->safe_psql('postgres', "$asked = $type{id}"), 'luuid|U|16|-', '... and is in the catalog under its OID');
is($node->safe_psql('postgres', "$asked = $type{parents}"), '_luuid|A|-1|luuid', '... as is its array');
my ($insert) = grep { /^I/ } @messages;
is((unpack 'x N a n (a N/a)', $insert)[4], $id, 'a value is its text');

done_testing();
