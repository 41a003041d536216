# btree_gist alone has no operator class for luuid, so its indexes cast a column to uuid. sql/contrib.sql tests the classes
# of luuid_contrib.
use LuuidCluster;

my $node = LuuidCluster->started('btree_gist');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION btree_gist');
my $create = 'CREATE TABLE booking (room luuid, during tstzrange, EXCLUDE USING gist (%s WITH =, during WITH &&))';
like($node->error_of('postgres', sprintf $create, 'room'), qr/data type luuid has no default operator class for access method "gist"/,
	'luuid itself is refused');
$node->safe_psql('postgres', sprintf("$create;", '(room::uuid)') . q{
	INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01, 2026-11-03)'),
		('20be0ffc-314a-bd53-7a50-013a65ca76d3', '[2026-11-01, 2026-11-03)'),
		('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03, 2026-11-04)')});
like($node->error_of('postgres', q{INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02, 2026-11-05)')}),
	qr/conflicting key value violates exclusion constraint/, 'one room has one booking at a time, and other rooms and times have theirs');

done_testing();
