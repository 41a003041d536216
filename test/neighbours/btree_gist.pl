# btree_gist by itself has no operator class for luuid, and a column is cast to uuid there; luuid_contrib brings one.
use strict;
use warnings;

use LuuidCluster;
use Test::More;

my $node = LuuidCluster->started('btree_gist');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION btree_gist');

my (undef, undef, $error) = $node->psql('postgres', q{
	CREATE TABLE booking (room luuid, during tstzrange, EXCLUDE USING gist (room WITH =, during WITH &&))
});
like($error, qr/data type luuid has no default operator class for access method "gist"/, 'luuid itself is refused');

for my $room ('(room::uuid)', 'room')
{
	$node->safe_psql('postgres', 'CREATE EXTENSION luuid_contrib CASCADE') if $room eq 'room';
	$node->safe_psql('postgres', qq{
		CREATE TABLE booking (room luuid, during tstzrange, EXCLUDE USING gist ($room WITH =, during WITH &&));
		INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-01, 2026-11-03)');
		INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d3', '[2026-11-01, 2026-11-03)');
		INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-03, 2026-11-04)');
	});
	(undef, undef, $error) = $node->psql('postgres', q{
		INSERT INTO booking VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', '[2026-11-02, 2026-11-05)')
	});
	like($error, qr/conflicting key value violates exclusion constraint/, "by $room, one room has one booking at a time");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM booking'), 3, '... and other rooms and other times have theirs');
	$node->safe_psql('postgres', 'DROP TABLE booking');
}

done_testing();
