# file_fdw reads ids from a file into a luuid column, where they are sliced by time and refused as COPY refuses them.
use LuuidCluster;

my $dir = PostgreSQL::Test::Utils::tempdir();
my $node = LuuidCluster->started('file_fdw', 'timezone = UTC');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	COPY (
		SELECT luuid_generate(at), at
		FROM generate_series(timestamptz '2026-11-01', '2026-11-30', '1 day') AS at
		ORDER BY random()
	)
} . "TO '$dir/event.csv' (FORMAT csv)");
$node->safe_psql('postgres', qq{
	CREATE EXTENSION file_fdw;
	CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
	CREATE FOREIGN TABLE event (id luuid, at timestamptz) SERVER files OPTIONS (filename '$dir/event.csv', format 'csv');
});
is($node->safe_psql('postgres', q{
		SELECT string_agg(to_char(at, 'DD'), ' ' ORDER BY id) FROM event WHERE id >= timestamptz '2026-11-27'
	}),
	'27 28 29 30', 'a slice of a file, in order');

append_to_file("$dir/event.csv", "20be0ffc-314a-bd53-7a50-013a65ca76d2x,2026-11-01\n");
like($node->error_of('postgres', 'SELECT count(id) FROM event'), qr/invalid input syntax for type luuid: "20be.*line 31, column id/s,
	'what is no id is refused, with its line');

done_testing();
