# pageinspect shows ids in an index as their 16 bytes, in the order of its class; amcheck finds that order sound.
use LuuidCluster;

my $node = LuuidCluster->started('pageinspect');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION pageinspect;
	CREATE TABLE event (id luuid PRIMARY KEY);
	CREATE INDEX event_bytes ON event (id luuid_byte_ops);
	CREATE INDEX event_minmax ON event USING brin (id);
	INSERT INTO event SELECT luuid_generate() FROM generate_series(1, 50);
});
for my $index ([ event_pkey => 'id' ], [ event_bytes => 'id USING ~<~' ])
{
	my ($name, $order) = @$index;
	is($node->safe_psql('postgres',
			"SELECT string_agg(replace(data, ' ', ''), ' ' ORDER BY itemoffset) FROM bt_page_items('$name', 1)"),
		$node->safe_psql('postgres', "SELECT string_agg(encode(id::bytea, 'hex'), ' ' ORDER BY $order) FROM event"),
		"$name: a page's items are the ids, in its order");
}
is($node->safe_psql('postgres', q{
		SELECT value FROM brin_page_items(get_raw_page('event_minmax', 2), 'event_minmax')
	}),
	$node->safe_psql('postgres', q{SELECT format('{%s .. %s}', min(id), max(id)) FROM event}),
	'a BRIN range says its first and last id');
$node->command_ok([ 'pg_amcheck', '--install-missing', '--heapallindexed', '--parent-check', 'postgres' ],
	'pg_amcheck finds nothing');

done_testing();
