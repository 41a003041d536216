# pg_upgrade moves a database with luuid keys to a server of the same or a later major version: rows, indexes of every
# class, partitions by time, defaults, and every construct that names an operator. By default it upgrades from this
# version to itself; LUUID_SERVERS lists the folders of several servers with luuid, from oldest to newest, and each is
# upgraded to every later one. Where pg_upgrade stops with the same error without luuid, it says so: what fails here is
# luuid's. It finds differences between two versions, each of which passes its own tests.
# needs: long
use LuuidCluster;

my @servers = split ' ', $ENV{LUUID_SERVERS} // '';
@servers = ((run_command([ 'pg_config', '--bindir' ]))[0] =~ s{/bin$}{}r) x 2 if !@servers;

# apt can bring a server's package up to date and leave that of its client.
for my $server (@servers)
{
	my ($dump, $upgrade) = map { (run_command([ "$server/bin/$_", '--version' ]))[0] =~ s/^\S+ \(PostgreSQL\) //r } qw(pg_dump pg_upgrade);
	plan skip_all => "pg_upgrade of $upgrade needs pg_dump of the same version, and finds that of $dump" if $dump ne $upgrade;
}

# Each with the same initdb options, since pg_upgrade requires equal locale and checksums.
sub cluster
{
	my ($name, $server) = @_;
	my $node = LuuidCluster->new($name, install_path => $server);
	my @checksums = $node->pg_version >= 18 ? ('--no-data-checksums') : ();
	$node->init(extra => [ '--locale=C', '--encoding=UTF8', @checksums ]);
	return $node;
}

# What is restored before the casts of extensions: the query lists what casts, and nothing else.
my @casting = map { "CREATE DOMAIN $_" } (
	'cast_default AS uuid DEFAULT luuid_generate_v7()',
	'cast_check AS uuid CHECK (luuid_extract_version(VALUE) = 7) CONSTRAINT "in \'time\'" CHECK (VALUE > timestamptz \'2020-01-01Z\')',
	'cast_to_time AS luuid CHECK (VALUE::timestamptz < \'infinity\')',
	'cast_from_uuid AS luuid DEFAULT gen_random_uuid()',
	'cast_of_domain AS cast_from_uuid DEFAULT gen_random_uuid()',
	'cast_array AS luuid[] DEFAULT ARRAY[gen_random_uuid()]');
my @inner = (
	q{CREATE FUNCTION cast_inner(u uuid) RETURNS bool IMMUTABLE RETURN luuid_extract_version(u) = 7},
	q{CREATE FUNCTION cast_outer(u uuid) RETURNS bool IMMUTABLE RETURN cast_inner(u)},
	q{CREATE DOMAIN by_function AS uuid CHECK (cast_outer(VALUE))},
	q{CREATE FUNCTION cast_diff(a luuid, b luuid) RETURNS float8 IMMUTABLE
		BEGIN ATOMIC SELECT extract(epoch FROM a::timestamptz - b::timestamptz); END},
	q{CREATE TYPE by_diff AS RANGE (subtype = luuid, subtype_diff = cast_diff)});
my @casting_nothing = map { "CREATE DOMAIN plain_$_" } (
	q{a AS luuid CHECK (VALUE > timestamptz '2020-01-01Z')}, 'b AS luuid CHECK (luuid_extract_version(VALUE) <> 4) DEFAULT luuid_generate()',
	q{c AS luuid DEFAULT '00000000-0000-0000-0000-000000000000'}, 'd AS luuid[] DEFAULT ARRAY[]::luuid[]', 'e AS text CHECK (lower(VALUE) = VALUE)');
my ($casts) = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^<!-- casts.sql -->\n```sql\n(.*?)^```/ms;

my $price = q{CREATE TABLE IF NOT EXISTS price (item luuid, during int4range, PRIMARY KEY (item, during WITHOUT OVERLAPS));
	INSERT INTO price TABLE booking ON CONFLICT DO NOTHING};

sub filled    # a running cluster with all of that
{
	my ($name, $server) = @_;
	my $node = cluster($name, $server);
	$node->start;
	$node->create_keys('postgres');
	$node->create_constructs('postgres');
	$node->safe_psql('postgres', 'CREATE EXTENSION amcheck');
	$node->safe_psql('postgres', join '; ', @casting, @inner, @casting_nothing,
		'CREATE TABLE domains (a cast_default, b cast_check, c by_function, d by_diff)',
		'INSERT INTO domains (a, b, c) SELECT luuid_generate_v7(), luuid_generate_v7(), luuid_generate_v7()');
	$node->safe_psql('postgres', $price) if $node->pg_version >= 18;
	return $node;
}

# Moves a cluster that is stopped to a new one. Returns whether it could, and what pg_upgrade said and logged.
sub upgraded
{
	my ($old, $new, $server, $mode) = @_;
	# It leaves scripts and logs where it runs.
	my $dir = PostgreSQL::Test::Utils::tempdir();
	chdir $dir or die "chdir: $!";
	my $could = IPC::Run::run([
			"$server/bin/pg_upgrade", '--no-sync', $mode eq 'link' ? '--link' : (),
			'--old-datadir' => $old->data_dir, '--new-datadir' => $new->data_dir,
			'--old-bindir' => $old->config_data('--bindir'), '--new-bindir' => $new->config_data('--bindir'),
			'--socketdir' => $new->host, '--old-port' => $old->port, '--new-port' => $new->port,
	], '>&', \my $said);
	chdir '/';
	return ($could, $said . join '', map { slurp_file($_) } glob $new->data_dir . '/pg_upgrade_output.d/*/log/*.log');
}

sub first_error { my ($said) = @_; return $said =~ /(ERROR: .*)/ ? $1 : '' }

# What stops such an upgrade of a cluster that has a table and knows nothing of luuid; or nothing.
sub error_without_luuid
{
	my ($mode, @pair) = @_;
	my ($plain, $empty) = map { cluster(join('_', 'plain', @pair, $mode, $_), $servers[$_]) } @pair;
	$plain->start;
	$plain->safe_psql('postgres', 'CREATE TABLE plain (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int); INSERT INTO plain (n) VALUES (1); ANALYZE');
	$plain->stop;
	my ($could, $said) = upgraded($plain, $empty, $servers[ $pair[1] ], $mode);
	return $could ? '' : first_error($said);
}

my @pairs = map { my $from = $_; map { [ $from, $_ ] } $from + 1 .. $#servers } 0 .. $#servers - 1;
for my $pair (@pairs)
{
	my ($from, $to) = @servers[@$pair];
	my $old = filled("from_@$pair" =~ s/ /_/gr, $from);
	my $listed = $old->safe_psql('postgres', $casts);
	is($old->safe_psql('postgres', $casts =~ s/SELECT owner::regrole.*?FROM/SELECT count(*), string_agg(before, '') !~ 'plain_' FROM/sr
				=~ s/ORDER BY.*//sr),
		'9|t', 'the query lists domains and functions that cast, and no others') or diag $listed;
	my $before = $old->contents_of_keys('postgres');
	my $constructs = $old->constructs('postgres');
	my ($around_before, $around_after) = map {
		$old->safe_psql('postgres', $casts =~ s/SELECT owner::regrole, before, after/SELECT $_/r)
	} qw(before after);
	$old->safe_psql('postgres', $around_before);
	# Debian's 17.12 notes an option in every column, which later servers refuse. Without it the upgrade shows what luuid does.
	$old->safe_psql('postgres', q{
		SET allow_system_table_mods = on;
		UPDATE pg_attribute SET attoptions = nullif(ARRAY(SELECT o FROM unnest(attoptions) AS o WHERE o NOT LIKE 'pg_attver=%'), '{}')
		WHERE attoptions::text LIKE '%pg_attver=%'
	});
	$old->stop;

	# First with copies of the files, which leaves the old cluster as it is. A release's test then links them.
	for my $mode ($ENV{LUUID_SERVERS} ? ('copy', 'link') : 'copy')
	{
		my $new = cluster(join('_', 'to', @$pair, $mode), $to);
		my $name = sprintf '%s to %s by %s', $old->pg_version, $new->pg_version, $mode;
		my ($could, $said) = upgraded($old, $new, $to, $mode);
		# Where a later server cannot restore a table of its own types, this says nothing about luuid.
		if (!$could && $from ne $to && error_without_luuid($mode, @$pair) eq first_error($said))
		{
		SKIP: { skip "$name: pg_upgrade fails without luuid too: " . first_error($said), 1 }
			next;
		}
		ok($could, "$name: pg_upgrade") or die $said;
		$new->start;
		$new->safe_psql('postgres', $around_after);
		is($new->safe_psql('postgres', $casts), $listed, "$name: defaults and checks of domains are as before");
		is($new->contents_of_keys('postgres'), $before, "$name: the rows are as before");
		is($new->safe_psql('postgres', 'SELECT count(*) FROM luuid_stat()'), '0', "$name: so is the view of figures, which needs preload");
		is($new->constructs('postgres'), $constructs, "$name: so are those of every construct");
		is($new->safe_psql('postgres', q{
				SELECT opfname FROM pg_amop JOIN pg_opfamily AS f ON f.oid = amopfamily JOIN pg_am AS a ON a.oid = opfmethod
				WHERE amname = 'hash' AND amopopr = '= (luuid, uuid)'::regoperator ORDER BY f.oid LIMIT 1
			}), 'luuid_list_ops', "$name: lists of uuid are hashed");
		$new->check_constructs('postgres', $name);
		$new->check_indexes('postgres', $name);
		is($new->safe_psql('postgres', q{
				SELECT max(id) AS last FROM event WHERE id < timestamptz 'infinity' \gset
				INSERT INTO event (n) SELECT generate_series(1, 1000);
				SELECT (SELECT count(*) FROM event WHERE id > :'last' AND id < timestamptz 'infinity'), (SELECT count(*) FROM event_old);
			}), '1000|101', "$name: continues to generate, later than before");
		$new->check_no_repeat('postgres', 'SELECT id FROM event', 2102, $name);
		$new->check_indexes('postgres', "$name, written to");
		$new->check_exclusion('postgres', $name);
		is($new->safe_psql('postgres', q{
				ALTER EXTENSION luuid_contrib UPDATE;
				SELECT default_version = installed_version FROM pg_available_extensions WHERE name = 'luuid_contrib';
			}), 't', "$name: the second extension has the later server's version");
		$new->safe_psql('postgres', $price) if $new->pg_version >= 18;
	}
}

done_testing();
