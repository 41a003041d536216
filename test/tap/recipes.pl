# The SQL of the cookbook, of plain.md and of luuid.md, and the latter's conversions, over other people's tables: each block has the printed
# result, or raises an error that says why. It finds a recipe that does something else in silence, and a block that it does not run.
# needs: long
use LuuidCluster;
use LuuidDocuments;
use Time::Local qw(timegm);

my $node = LuuidCluster::with_clock(sub {
		return LuuidCluster->started('recipes', q{shared_preload_libraries = 'luuid'}, 'timezone = UTC', 'jit = off', 'autovacuum = off',
			'max_parallel_workers = 0');
}, FAKETIME => sprintf '%+d', timegm(0, 0, 12, 21, 10, 2026) - time);
$node->safe_psql('postgres', 'CREATE DATABASE without_luuid; CREATE DATABASE with_luuid; CREATE DATABASE usual');
$node->safe_psql($_, qq{
	ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON SEQUENCES TO PUBLIC;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON FUNCTIONS TO PUBLIC;
	ALTER DEFAULT PRIVILEGES GRANT ALL ON SCHEMAS TO PUBLIC;
	ALTER DATABASE $_ SET search_path = "the user's path", public;
	ALTER DATABASE $_ SET standard_conforming_strings = off;
	ALTER DATABASE $_ SET escape_string_warning = off;
	ALTER DATABASE $_ SET TimeZone = 'America/New_York';
	ALTER DATABASE $_ SET DateStyle = 'German';
}) for qw(without_luuid with_luuid);
$node->safe_psql($_, 'CREATE EXTENSION luuid') for qw(with_luuid usual);

# Removes what a recipe has made.
sub clear
{
	my ($database) = @_;
	my $kept = $database eq 'with_luuid' ? 'luuid' : '';
	$node->safe_psql($database, qq{
		SET client_min_messages = warning;
		SELECT format('DROP OWNED BY %1\$s CASCADE; DROP ROLE %1\$s', oid::regrole) FROM pg_roles WHERE oid >= 16384 \\gexec
		SELECT format('DROP EXTENSION %I CASCADE', extname) FROM pg_extension WHERE extname NOT IN ('plpgsql', '$kept') \\gexec
		SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace WHERE oid >= 16384 AND nspname !~ '^pg_' \\gexec
		CREATE SCHEMA "the user's path";
	});
	return;
}

# Names --------------------------------------------------------------------------------------------------------------

# A name of 63 bytes with quotes and spaces, which begins with the table's.
sub hostile { my ($table) = @_; return substr "${table}'s \"own\" " . 'x' x 63, 0, 63 }

# The name that the server, or create_months, gives to what belongs to a table.
sub of_table
{
	my ($table, $column, $label) = @_;
	my $rest = ($column eq '' ? '' : "_$column") . "_$label";
	return substr(hostile($table), 0, 63 - length $rest) . $rest;
}

sub identifier { my ($name) = @_; return '"' . $name =~ s/"/""/gr . '"' }

# SQL in which tables, and what the server names after them, have hostile names, also in the SQL of strings.
sub renamed
{
	my ($sql, @tables) = @_;
	return $sql if !@tables;
	my $table = join '|', @tables;
	my $token = qr/--[^\n]*|:'\w+'|(?<!:):\w+|\bAS\ \w+(?=[^;]*?\\gset)|^\\[^\n]*|"[^"]*"|(?<tag>\$\w*\$)(?<body>.*?)\g{tag}
		|'\{(?<array>(?:\w+,)*\w+)\}'|'(?<string>(?:[^']|'')*)'
		|\b(?<of>$table)_(?:(?<column>\w+)_)?(?<label>pkey|fkey|seq|key|idx|check|\d{4}_\d\d)\b|\b(?<table>$table)\b/xms;
	return $sql =~ s{$token}{
		my ($all, %is) = ($&, %+);
		defined $is{body} ? $is{tag} . renamed($is{body}, @tables) . $is{tag}
		# A backslash is twice in a string, and a string's quote too.
		: defined $is{array} ? "'{" . join(',', map { my $name = renamed($_, @tables);
			$name =~ s/(["\\])/\\\\$1/g ? '"' . $name =~ s/'/''/gr . '"' : $name } split /,/, $is{array}) . "}'"
		: defined $is{string} ? "'" . renamed($is{string} =~ s/''/'/gr, @tables) =~ s/'/''/gr . "'"
		: defined $is{label} ? identifier(of_table($is{of}, $is{column} // '', $is{label}))
		: defined $is{table} ? identifier(hostile($is{table})) : $all
	}gre;
}

# The tables ---------------------------------------------------------------------------------------------------------

# The variables and parameters of a section's functions, with their types.
sub variables
{
	my ($sql) = @_;
	my $types = qr/(?:text|luuid|uuid|bigint|int|interval|timestamptz|timestamp|boolean|numeric)\b/;
	my %variables;
	for my $list ($sql =~ /^DECLARE\n(.*?)^BEGIN/gms, $sql =~ /^CREATE (?:FUNCTION|PROCEDURE) \w+\(([^()]*)/gm)
	{
		$variables{$1} = $2 // 'text' while $list =~ /(?:^\s*|, )(?:INOUT )?(\w+)\s+(?:CONSTANT )?(?:($types)|\w)/mg;
	}
	return %variables;
}

my $partitions = 0;
my $parentheses = qr/(\((?:[^()']|'[^']*'|(?-1))*\))/;
my %schemas = (
	names => sub { return $_[0] },

	# Each table has an identity column, and columns with the names of the section's variables.
	columns => sub {
		my ($sql, %variables) = @_;
		return $sql =~ s{^(CREATE TABLE \w+ )$parentheses}{
			my ($begin, $columns) = ($1, $2);
			my @more = grep { $columns !~ /[(\s]\Q$_\E\s/ } sort keys %variables;
			$begin . substr($columns, 0, -1) . join(', ', '', map({ qq{"$_" $variables{$_}} } @more),
				$columns =~ /IDENTITY/ ? () : 'identity_column bigint GENERATED ALWAYS AS IDENTITY') . ')'
		}gemr;
	},

	# Each table is partitioned by its key, and all its rows, or some of now, are in a default partition.
	partitions => sub {
		my ($sql) = @_;
		return $sql =~ s{^CREATE TABLE (\w+) $parentheses( PARTITION BY RANGE \((?!id luuid_byte_ops)[^;]*)?;}{
			my ($all, $table, $columns, $by) = ($&, $1, $2, $3);
			my ($key) = $columns =~ /(\w+) [^,]*PRIMARY KEY/;
			my $default = "CREATE TABLE ${table}_others" . ++$partitions . " PARTITION OF $table DEFAULT;";
			!$key ? $all : $by ? "$all $default" . ($columns =~ /NOT NULL/ ? '' : " INSERT INTO $table DEFAULT VALUES;")
			: "CREATE TABLE $table $columns PARTITION BY RANGE ($key); $default"
		}gemr;
	});

# Errors of the server that say why a schema is not one for a recipe.
my %says_why = (
	names => qr/(?!)/,
	columns => qr/column reference "\w+" is ambiguous|operator does not exist: bigint = luuid/,
	partitions => qr/^ERROR:  (?:cannot (?:create index on partitioned table .* concurrently|alter column .* is part of the partition key|detach partitions concurrently when a default)|unique constraint on partitioned table must include|updated partition constraint for default partition)/);

# Other results of a block in a schema.
my %other = (
	# The server finds another name for an index on a table with a long name.
	'cookbook/shards.md, Monthly partitions, block 2, names' => qr/Index Scan using \w+ on reading_2026_11 reading/,
	'cookbook/moving.md, Before you move a table, block 2, columns' => qr/^ uuid wanted of table answer\n/m,
	'cookbook/moving.md, A live table from bigserial, block 2, partitions' => qr/^ function customer_of\(bigint\)$/m,
	'cookbook/moving.md, PHP keys, block 2, columns' => qr/^ 507c2f12 .*^ Ada .*^ Ada/ms,
	'cookbook/shards.md, Monthly partitions, block 1, partitions' =>
		qr/no partition for some months\nDETAIL:.*_2026_11: .*default partition.*\nHINT:  To move rows.*\nBEGIN.*COMMIT;\n/s,
);

# The results --------------------------------------------------------------------------------------------------------

# An output with the names, and the times, of the documents.
sub usual
{
	my ($output) = @_;
	$output =~ s/"?\b(\w+)'{1,2}s ""?own""? x*(_\w+)?"?/$1 . ($2 \/\/ '')/ge;
	my $utc = sub {
		my ($zone, $fraction, @time) = @_;
		@time = gmtime timegm(@time) - $zone * 3600;
		return sprintf '%04d-%02d-%02d %02d:%02d:%02d%s+00', $time[5] + 1900, $time[4] + 1, @time[ 3, 2, 1, 0 ], $fraction // '';
	};
	$output =~ s{\b(\d\d)\.(\d\d)\.(\d{4}) (\d\d):(\d\d):(\d\d)(\.\d+)? E([SD])T\b}
		{ $utc->($8 eq 'S' ? -5 : -4, $7, $6, $5, $4, $1, $2 - 1, $3) }ge;
	$output =~ s{\b(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(\.\d+)?(-0[45])\b}{ $utc->($8, $7, $6, $5, $4, $3, $2 - 1, $1) }ge;
	$output =~ s/\b(\d\d)\.(\d\d)\.(\d{4})\b/$3-$2-$1/g;
	return $output =~ s/, "identity_column": \d+//gr =~ s/^ .*\w_others\d+.*\n//gmr;
}

# What lasts of it, without psql's centering of headings, and quotes that a name may need.
sub lasting { return LuuidDocuments::lasting(@_) =~ s/^ +//gmr =~ s/"(\w+)"/$1/gr }

# Plans are of other tables.
sub without_plans { my ($sql) = @_; return $sql =~ s/^EXPLAIN .*?;\n//gmsr }

sub without_printed_plans
{
	my ($output) = @_;
	return join "\n\n", grep { !/^ *(?:->|\w.*(?:Scan|Join|Loop|Aggregate|Limit)|Limit|Aggregate)/ } split(/\n\n/, $output), '';
}

my %judged;

sub judge
{
	my ($section, $schema) = @_;
	my @blocks = @{ $section->{blocks} };
	$blocks[$_]{name} = "$section->{document}, $section->{heading}, block " . ($_ + 1) for 0 .. $#blocks;
	# Who has gone back goes forth again.
	my ($back) = grep { $blocks[$_]{sql} =~ /^-- The way back/ } 0 .. $#blocks;
	splice @blocks, $back + 1, 0, @blocks[ $back - 2, $back - 1 ] if $back;
	my $whole = join '', map { $_->{sql} } @blocks;
	my @tables = $whole =~ /^CREATE TABLE (\w+)/mg;
	my %variables = variables($whole);
	my $database = $whole =~ /^CREATE EXTENSION luuid;/m ? 'without_luuid' : 'with_luuid';
	clear($database);
	my @outputs = LuuidDocuments::outputs($node, $database, map {
			my $sql = $schemas{$schema}->($_->{sql}, %variables);
			+{ sql => renamed($schema eq 'names' ? $sql : without_plans($sql), @tables) }
	} @blocks);

	for my $i (0 .. $#blocks)
	{
		my ($block, $sql, $shown) = @{ $blocks[$i] }{qw(name sql output)};
		$shown //= '';
		my $output = usual($outputs[$i] // '');
		my ($error) = $output =~ /^(?:psql:\S+ )?((?:ERROR|FATAL|PANIC|invalid).*)/m;
		$judged{$block} = 1;
		if (my $other = delete $other{"$block, $schema"}) { like($output, $other, "$block, $schema: another result") }
		elsif (defined $error && $shown !~ /^ERROR/) { like($error, $says_why{$schema}, "$block, $schema: an error that says why") }
		elsif ($shown ne '')
		{
			$shown = without_printed_plans($shown) if $schema ne 'names';
			is(lasting($output, $sql), lasting($shown, $sql), "$block, $schema: the printed result");
		}
		else { pass("$block, $schema: runs") }
		# What follows an error is of another state.
		last if defined $error && $shown !~ /^ERROR/;
	}
	return;
}

my @sections = map { LuuidDocuments::sections($_) } glob('cookbook/*.md'), 'plain.md', 'luuid.md';
for my $section (@sections)
{
	# Without a table they are the same.
	my $has_tables = grep { $_->{sql} =~ /^CREATE TABLE /m } @{ $section->{blocks} };
	judge($section, $_) for $has_tables ? sort keys %schemas : 'names';
}
my @blocks = map {
	my $section = $_;
	map { "$section->{document}, $section->{heading}, block $_" } 1 .. @{ $section->{blocks} }
} @sections;
is(join("\n", grep { !$judged{$_} } @blocks), '', 'every block was run');
is(scalar(map { @{ $_->{blocks} } } @sections), scalar(() = join('', map { slurp_file($_) } glob('cookbook/*.md'), 'plain.md', 'luuid.md') =~ /```sql/g),
	'every block was found');
is(join("\n", sort keys %other), '', 'every other result was one');

# Conversions of luuid.md: as in a usual session, over random bits.
my ($table) = slurp_file('luuid.md') =~ /^## Ids of other layouts\n(.*?)^## /ms;
my $ids = q{(SELECT n, md5(n::text)::uuid AS id, decode(md5(n::text), 'hex') AS b FROM generate_series(1, 1000) AS n) AS other};
my @conversions = map { s/\\\|/|/gr } $table =~ /^\|.*\| `([^`]+)` \|$/mg;
push @conversions, "luuid_from_ulid(luuid_to_base32(id))";
cmp_ok(scalar(@conversions), '>', 4, 'conversions are found');
clear('with_luuid');
for my $conversion (@conversions)
{
	my $query = "SELECT md5(string_agg(($conversion)::text, ',' ORDER BY n)) FROM $ids";
	my ($status, $out, $error) = $node->psql('with_luuid', $query);
	if ($status) { like($error, qr/ERROR:  invalid input syntax/, "$conversion: an error that says why") }
	else { is($out, $node->safe_psql('usual', $query), "$conversion: as in a usual session") }
}
done_testing();
