# Every SQL block of the documents runs as printed, and has the printed output. After each recipe of the cookbook, during which an
# application keeps writing to the changed tables, the queries of cookbook.sql check its result. Each message of the server in
# errors.md is that of its statement. It finds documents that are no longer true.
# needs: long
use LuuidCluster;
use LuuidDocuments;
use Time::Local qw(timegm);

my $dir = PostgreSQL::Test::Utils::tempdir();

# The date assumed by the documents, which say "last week" and "the next months".
my $node = LuuidCluster::with_clock(sub {
		return LuuidCluster->started('docs', q{shared_preload_libraries = 'luuid'}, 'timezone = UTC', 'jit = off',
			# Launchers and, before 16, parallel workers have the machine's clock all the same: the server starts them in a handler of
			# a signal that interrupts a call of libfaketime's. So has the horizon of their transactions.
			'max_connections = 50', 'autovacuum = off', 'max_logical_replication_workers = 0', 'max_parallel_workers = 0');
}, FAKETIME => sprintf '%+d', timegm(0, 0, 12, 21, 10, 2026) - time);
# Initial states of sections: without the extension for one that creates it, with it for others.
$node->safe_psql('postgres', 'CREATE DATABASE without_luuid; CREATE DATABASE with_luuid');
# By default privileges, this role may read tables.
$node->safe_psql('with_luuid', 'CREATE EXTENSION luuid; CREATE ROLE reader; ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO reader');

# Sections that need what this test lacks: servers by name, other software, or a table of another document.
my %elsewhere = map { ("scaling.md, $_" => 1) } ('Shards over postgres_fdw', 'TimescaleDB', 'Citus', 'PL/Proxy');

# Outputs that depend on the process, on the machine, on speed, on chance, or on shared_preload_libraries.
my %varies = map { ($_ => 1) } (
	'luuid_generation.md, Running ahead, block 1',
	'luuid_generation.md, Status, block 1');

# Rows that are there beside a section's own: keys at both ends of their type.
my %ends = (
	'A live table from bigserial' => q{
		INSERT INTO invoice (id, customer, created_at)
		SELECT id, 'end', '2026-10-01' FROM unnest('{-9223372036854775808,-1,0}'::bigint[]) AS id;
		INSERT INTO invoice (id, customer) VALUES (9223372036854775807, 'end');
		INSERT INTO line (id, invoice_id, what) SELECT id, id, 'end' FROM invoice WHERE customer = 'end';
	},
	'A live table from uuid v4' => q{
		INSERT INTO document (id, title)
		VALUES ('00000000-0000-0000-0000-000000000000', 'end'), ('ffffffff-ffff-ffff-ffff-ffffffffffff', 'end');
	});

# The application's load while a section changes its table: transactions of a pgbench script, each with a row that names
# its writer and number.
my $writer = q{'writer ' || :client_id || ', row ' || :row};
my %application = (
	'A live table from bigserial' => qq{
		BEGIN;
		INSERT INTO invoice (customer) VALUES ($writer) RETURNING id AS invoice \\gset
		INSERT INTO line (invoice_id, what) VALUES (':invoice', $writer);
		INSERT INTO line (invoice_id, what) SELECT id, 'more' FROM invoice WHERE customer = 'customer 7' ORDER BY random() LIMIT 1;
		COMMIT;
		SELECT count(*) FROM invoice_line WHERE id = (SELECT max(id) FROM invoice);
		SELECT customer_of(id) FROM invoice LIMIT 1;
		SELECT max(lines) FROM line_count;
	},
	'A live table from uuid v4' => qq{
		INSERT INTO document (title) VALUES ($writer);
		SELECT count(*) FROM document WHERE id = (SELECT id FROM document LIMIT 1);
	},
	'A live table from v1 or v7' => qq{
		BEGIN;
		INSERT INTO visit (page) VALUES ($writer) RETURNING id AS visit \\gset
		INSERT INTO click (visit_id) VALUES (':visit');
		COMMIT;
	},
	'A projection' => qq{
		BEGIN;
		INSERT INTO payment (account, amount) VALUES ($writer, 1);
		\\sleep 1 ms
		COMMIT;
	});
my $writers = 4;
my $enough = 20;

# The number of committed transactions of each writer.
sub committed
{
	my ($database) = @_;
	my %committed = map { ($_ => 0) } 0 .. $writers - 1;
	for my $log (glob "$dir/$database.log.*")
	{
		$committed{$_}++ for slurp_file($log) =~ /^(\d+) .*\n/mg;
	}
	return %committed;
}

# Waits until every writer has committed some more.
sub await_application
{
	my ($database, $program) = @_;
	my %before = committed($database);
	LuuidCluster::wait_until('the application', sub {
			my %now = committed($database);
			return !grep { $now{$_} < $before{$_} + $enough } keys %now;
	}, $program);
	return;
}

sub start_application
{
	my ($database, $transaction) = @_;
	append_to_file("$dir/$database.script", "\\set row :row + 1\n$transaction");
	my $program = $node->background('pgbench', '--no-vacuum', "--client=$writers", '--time=3600', '--define=row=0', '--log',
		"--log-prefix=$dir/$database.log", "--file=$dir/$database.script", $node->connstr($database));
	await_application($database, $program);
	return $program;
}

# Ends the application, tests that it got no error, and stores its commits in a table.
sub stop_application
{
	my ($database, $program, $name) = @_;
	await_application($database, $program);
	$node->safe_psql('postgres',
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '$database'");
	$program->{run}->finish;
	unlike($program->{err}, qr/ERROR/, "$name: the application gets no error");
	my %committed = committed($database);
	$node->safe_psql($database, 'CREATE TABLE committed (writer text);' . join '', map {
			"INSERT INTO committed SELECT 'writer $_, row ' || row FROM generate_series(1, $committed{$_}) AS row;"
	} keys %committed);
	return;
}

# Runs the queries about a database, if any.
sub check
{
	my ($database, $queries, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($status, $checks, $error) = $node->psql($database, $queries, on_error_stop => 1);
	ok($status == 0 && $checks ne '', "$name: is checked") or diag $error;
	for my $check (split /\n/, $checks)
	{
		my ($what, $holds) = $check =~ /^(.*)\|(.*)$/;
		is($holds, 't', "$name: $what");
	}
	return;
}

# Tests that what a swap of columns does not create again is in the recipes' list, and that a view among it stops the swap.
sub check_forgotten
{
	my ($database, $name, $swap) = @_;
	my ($table) = $swap->{sql} =~ /^LOCK TABLE (\w+)/m;
	$node->safe_psql($database, qq{
		CREATE VIEW forgotten AS SELECT id FROM $table;
		CREATE VIEW over_view AS SELECT FROM forgotten;
		CREATE FUNCTION of_view() RETURNS bigint BEGIN ATOMIC SELECT count(*) FROM over_view; END;
		CREATE FUNCTION of_text() RETURNS void LANGUAGE plpgsql AS 'BEGIN DELETE FROM Over_View; END';
		CREATE FUNCTION of_rows() RETURNS SETOF $table LANGUAGE plpgsql AS 'BEGIN RETURN; END';
		CREATE RULE forgotten AS ON DELETE TO $table DO ALSO NOTIFY forgotten;
		CREATE POLICY forgotten ON $table;
		ALTER TABLE $table ADD COLUMN forgotten text GENERATED ALWAYS AS (id::text) STORED;
	});
	my ($list) = grep { /^-- Before/ } LuuidCluster::documented('cookbook/moving.md', 'A live table from bigserial');
	is($list =~ s/'\{invoice,line\}'/'{$table}'/, 1, "$name: the list is of the recipe's tables");
	my ($listed) = LuuidDocuments::outputs($node, $database, { sql => $list });
	like($listed, qr/^ \Q$_\E$/m, "$name: the list has $_")
		for 'rule _RETURN on view forgotten', 'rule _RETURN on view over_view', 'function of_view()', 'function of_text()',
		'function of_rows()', "rule forgotten on table $table", "policy forgotten on table $table",
		"default value for column forgotten of table $table";
	$node->safe_psql($database, qq{
		DROP FUNCTION of_view, of_text, of_rows;
		DROP RULE forgotten ON $table;
		DROP POLICY forgotten ON $table;
		ALTER TABLE $table DROP COLUMN forgotten;
	});
	my ($stopped) = LuuidDocuments::outputs($node, $database, { sql => "\\set ON_ERROR_STOP on\n$swap->{sql}" });
	like($stopped, qr/ERROR: .* view .*\n.* forgotten .*\n\z/, "$name: a forgotten view stops the swap");
	$node->safe_psql($database, 'DROP VIEW forgotten CASCADE');
	return;
}

my @cookbook = glob 'cookbook/*.md';

# The queries for each recipe. The lines before the first heading apply to all.
my ($prelude, %done) = split /^-- ## (.*)\n/m, slurp_file("$ENV{TESTDIR}/cookbook.sql");

my $count = 0;
sub new_database
{
	my ($template) = @_;
	my $database = 'section_' . ++$count;
	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE $template STRATEGY file_copy");
	return $database;
}

for my $section (map { LuuidDocuments::sections($_) } @cookbook, qw(README.md administrators.md faq.md luuid.md luuid_generation.md luuid_following.md
	operations.md plain.md scaling.md security.md tools.md))
{
	my ($heading, @blocks) = ($section->{heading}, grep { !$_->{name} } @{ $section->{blocks} });
	my $name = "$section->{document}, $heading";
	my $is_recipe = $section->{document} =~ m{^cookbook/};
	my $done = $is_recipe ? delete $done{$heading} // '' : '';
	next if $elsewhere{$name} || !@blocks;

	my $database = new_database(grep({ $_->{sql} =~ /^CREATE EXTENSION luuid;/m } @blocks) ? 'without_luuid' : 'with_luuid');
	my @outputs;
	my $program;
	if ($application{$heading})
	{
		# It is there from the first block on, which makes its tables.
		push @outputs, LuuidDocuments::outputs($node, $database, $blocks[0]);
		$node->safe_psql($database, $ends{$heading}) if $ends{$heading};
		$program = start_application($database, $application{$heading});
	}
	if (my ($back) = grep { $blocks[$_]{sql} =~ /^-- The way back/ } 0 .. $#blocks)
	{
		# Who has gone back can go forth again.
		splice @blocks, $back + 1, 0, @blocks[ $back - 2, $back - 1 ];
		push @outputs, LuuidDocuments::outputs($node, $database, @blocks[ scalar(@outputs) .. $back ]);
		check($database, $prelude . delete $done{"$heading, back"}, "$name, back");
		push @outputs, LuuidDocuments::outputs($node, $database, $blocks[ $back + 1 ]);
		check_forgotten($database, $name, $blocks[ $back + 2 ]);
	}
	push @outputs, LuuidDocuments::outputs($node, $database, @blocks[ scalar(@outputs) .. $#blocks ]);
	stop_application($database, $program, $name) if $program;

	for my $i (0 .. $#blocks)
	{
		my ($sql, $shown) = @{ $blocks[$i] }{qw(sql output)};
		my $block = "$name, block " . ($i + 1);
		if (defined $shown && !$varies{$block})
		{
			is(LuuidDocuments::lasting($outputs[$i], $sql), LuuidDocuments::lasting($shown, $sql), "$block gives the printed output");
		}
		else
		{
			unlike($outputs[$i], qr/^(ERROR|FATAL|psql|invalid)/m, "$block runs");
		}
	}
	check($database, $prelude . $done, $name) if $is_recipe;
}
is(join(', ', sort keys %done), '', 'every check belongs to a recipe');

# A message of the server in the list of errors is that of its statement.
my ($of_server) = slurp_file("$ENV{TESTDIR}/errors.md") =~ /^## Of the server$(.*)/ms;
my @statements = $of_server =~ /^\| `([^`]+)` \| (\w{5}) \| .*: `([^`]+)` \| .* \|$/mg;
is(scalar(@statements), 3 * (() = $of_server =~ /^\| `/mg), 'errors.md: each message of the server has a statement');
while (my ($message, $code, $statement) = splice @statements, 0, 3)
{
	like($node->error_of('with_luuid', $statement), qr/ERROR:  $code: \Q$message\E$/m, "errors.md: $statement");
}

# So that recipes can be pasted one after another.
my %recipes;
for my $section (map { LuuidDocuments::sections($_) } @cookbook)
{
	$recipes{$_}{ $section->{heading} } = 1
		for map { $_->{sql} =~ /^CREATE (?:TABLE|(?:MATERIALIZED )?VIEW|FUNCTION|PROCEDURE) (\w+)/mg } @{ $section->{blocks} };
}
is(join(', ', grep { keys %{ $recipes{$_} } > 1 } sort keys %recipes), '', 'no two recipes create an object of the same name');

done_testing();
