# What people move: the recipes of moving.md over times without a zone, the conversions of luuid.md over random bits, and sealed ids
# under default privileges. Each does what the document says, or raises an error and leaves the table as it was.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('moving');

# The output of SQL that is run in one session of a new database.
my $count = 0;
sub run
{
	my ($sql, $setting) = @_;
	my $database = 'case_' . ++$count;
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	my ($status, $output, $error) = $node->psql($database, "SET TimeZone = '$setting'; CREATE EXTENSION IF NOT EXISTS luuid;\n$sql", on_error_stop => 0);
	return "$output\n$error";
}

# A recipe's statements, by number, over a column without a time zone.
sub without_zone
{
	my ($heading, @wanted) = @_;
	my @blocks = (LuuidCluster::documented('cookbook/moving.md', $heading))[@wanted];
	is($blocks[0] =~ s/created_at timestamptz NOT NULL DEFAULT now\(\)/created_at timestamp NOT NULL/, 1, "$heading: the column");
	# The hour that New York leaves out in spring is in between.
	is($blocks[0] =~ s/timestamptz '2026-11-01 00:00\+00'/timestamp '2026-03-08 00:00'/, 1, "$heading: the times");
	$blocks[0] =~ s/generate_series\(1, 20000\)/generate_series(1, 1000)/;
	return join '', @blocks;
}

my %recipes = (
	'A table that may be locked' => {
		blocks => [ 0, 1 ], in_utc => [ 'v7(created_at)', q{v7(created_at AT TIME ZONE 'UTC')} ],
		until => 'INSERT INTO memo (body) VALUES', check => 'SELECT count(*) FROM memo WHERE old_id = extract(epoch FROM id::timestamptz)
			/ 60 - 29548800', is => 1000, kept => q{SELECT count(*) FROM memo WHERE pg_typeof(id) = 'bigint'::regtype} },
	'A live table from bigserial' => {
		blocks => [ 0, 2, 3 ], in_utc => [ 'SELECT id, created_at FROM', q{SELECT id, created_at AT TIME ZONE 'UTC' AS created_at FROM} ],
		check => q{SELECT count(*) FROM invoice WHERE extract(epoch FROM new_id::timestamptz) - extract(epoch FROM created_at) BETWEEN 0 AND 60
			AND new_id < (SELECT min(n.new_id) FROM invoice AS n WHERE n.id > invoice.id)},
		is => 999, kept => 'SELECT count(*) FROM invoice WHERE new_id IS NULL' },
	'A live table from uuid v4' => {
		blocks => [ 0, 1 ], in_utc => [ 'v7(created_at)', q{v7(created_at AT TIME ZONE 'UTC')} ],
		check => q{SELECT count(*) FROM document WHERE extract(epoch FROM new_id::timestamptz) = extract(epoch FROM created_at)},
		is => 1000, kept => 'SELECT count(*) FROM document WHERE new_id IS NULL' });
for my $heading (sort keys %recipes)
{
	my %recipe = %{ $recipes{$heading} };
	my $sql = without_zone($heading, @{ $recipe{blocks} });
	$sql =~ s/^\Q$recipe{until}\E.*//ms if $recipe{until};
	my ($as_written, $in_utc) = @{ $recipe{in_utc} };
	for my $zone ('America/New_York', 'Asia/Kolkata')
	{
		my $came = run("$sql\nROLLBACK;\n$recipe{kept};", $zone);
		like($came, qr/ERROR: .* created_at /, "$heading: in $zone, times without a zone are an error");
		like($came, qr/^1000$/m, "$heading: which leaves every row as it was");
		(my $right = $sql) =~ s/\Q$as_written\E/$in_utc/;
		$came = run("$right\n$recipe{check};", $zone);
		unlike($came, qr/ERROR/, "$heading: in $zone, with UTC there is none");
		like($came, qr/^$recipe{is}$/m, "$heading: and each id has its row's time");
	}
	unlike(run($sql, 'UTC'), qr/ERROR/, "$heading: nor in a session of UTC");
}

# Each conversion of ids of other layouts. Its source is made of ids whose time is known, with random bits wherever there is no time.
my $ms = q{(1790000000000 + n * 60007)};
my $at = qq{(timestamptz 'epoch' + $ms * interval '1 ms')};
my $random = q{replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')};
my $v1 = "luuid_generate_v1($at)::bytea";
my %source = (
	'MySQL' => "substr($v1,7,2) || substr($v1,5,2) || substr($v1,1,4) || substr($v1,9)",
	'SQL Server' => q{decode(regexp_replace(encode(} . $v1 . q{, 'hex'), '^(..)(..)(..)(..)(..)(..)(..)(..)', '\4\3\2\1\6\5\8\7'), 'hex')},
	'COMB' => "decode(lpad(to_hex($ms), 12, '0') || substr($random, 9, 8) || substr($random, 1, 2) || substr($random, 33, 10), 'hex')",
	'the same' => "decode(substr($random, 9, 8) || substr($random, 33, 12) || lpad(to_hex($ms), 12, '0'), 'hex')");
my @rows = slurp_file("$ENV{TESTDIR}/luuid.md") =~ /^\| (.*) \| `(.*)` \|$/mg;
my %conversion;
while (my ($what, $expression) = splice @rows, 0, 2)
{
	for my $name (grep { $what =~ /(^|of )\Q$_\E/ && $expression =~ /luuid/ } keys %source)
	{
		$conversion{$name} = $expression =~ s/\\\|/|/gr;
	}
}
is(join(', ', sort keys %conversion), join(', ', sort keys %source), 'luuid.md: the conversions');
for my $name (sort keys %conversion)
{
	# Of version 1, the source has to be one value: its parts are taken of each.
	(my $source = $source{$name}) =~ s/\Q$v1\E/v1/g;
	is(run(qq{
		CREATE TABLE source AS SELECT n, $source AS b FROM (SELECT n, $v1 AS v1 FROM generate_series(1, 10000) AS n OFFSET 0) AS made;
		CREATE TABLE converted AS SELECT n, $conversion{$name} AS id FROM (SELECT n, b, b::luuid AS id FROM source) AS s;
		SELECT count(*) FILTER (WHERE id::timestamptz = $at), count(DISTINCT id), count(*) FILTER (WHERE NOT id <@ tstzrange('2026-09-01Z', '2027-12-01Z'))
		FROM converted;
	}, 'UTC') =~ s/\s//gr, '10000|10000|0', "luuid.md: $name: every id has its time");
}

# Default privileges by which others could use the keys stop the recipe.
my ($sealing) = LuuidCluster::documented('cookbook/urls.md', 'Sealed ids');
$node->safe_psql('postgres', 'CREATE ROLE other');
for my $granted ('ON SCHEMAS TO other', 'EXECUTE ON FUNCTIONS TO other', 'USAGE ON SCHEMAS TO PUBLIC')
{
	my $privileges = $granted =~ /^ON/ ? "ALL $granted" : $granted;
	my $came = run("ALTER DEFAULT PRIVILEGES GRANT $privileges;\n$sealing\nSELECT 'there is ' || coalesce(to_regclass('sealing.key')::text, 'nothing');", 'UTC');
	like($came, qr/ERROR:  default privileges let other roles use the keys/, "sealed ids: $granted is an error");
	like($came, qr/there is nothing/, 'and no key is there');
	$node->safe_psql('postgres', 'DROP ROLE storefront');
}
unlike(run("ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO other;\n$sealing", 'UTC'), qr/ERROR/, 'sealed ids: that of tables is none');

done_testing();
