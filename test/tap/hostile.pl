# A role that may create the extension gains no privileges: with CREATE on a database it plants every object that a
# script could use by accident, installs every version, runs every update, and gains nothing.
# It finds a name without its schema in a script, and rights that a script would lend.
# needs: long
use LuuidCluster;

my $version = (LuuidCluster::add_next_version())[1];
my $node = LuuidCluster->started('hostile');
my ($sharedir) = run_command([ 'pg_config', '--sharedir' ]);
my $as_mallory = [ '-U', 'mallory' ];
my %script = map { (s{.*/}{}r => slurp_file($_)) } glob "$sharedir/extension/luuid{,_contrib}--*.sql";
cmp_ok(scalar(keys %script), '>=', 2, join(', ', 'scripts', sort keys %script));

# Possible meanings of every word of the scripts -----------------------------------------------------------------------

# Every name in pg_catalog that is a word of a script: types, functions with the core's arguments and with increasingly
# many strings, which literals match better than VARIADIC "any"; and operators with the scripts' names and types.
my $words = join ' ', values %script;
my %word = map { ($_ => 1) } $words =~ /\w+/g;
my @operators = ('=', '<>', '<', '<=', '>=', '>', '~<~', '~<=~', '~>=~', '~>~', '#<#', '#<=#', '#>=#', '#>#', '<@', '@>', '||');
my $word_list = join ',', map { "'$_'" } sort keys %word;

# Each tries to become superuser, and leaves a mark that ROLLBACK does not remove.
my $take_over = q{
	CREATE FUNCTION @S@.take_over() RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		IF (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user) THEN
			PERFORM pg_catalog.nextval('evil.called');
			ALTER ROLE mallory SUPERUSER;
		END IF;
		RETURN true;
	END
	$$;
};

# Statements that plant everything in a schema. Generated in another database than the ones in which they run.
sub planted
{
	my ($schema) = @_;
	my @statements = ($take_over =~ s/\@S\@/$schema/gr);
	for my $signature (split /\n/, $node->safe_psql('postgres', qq{
			SELECT DISTINCT proname || '|' || arguments FROM pg_proc,
				LATERAL (SELECT array_to_string(proargtypes::regtype[], ', ')
					UNION ALL SELECT array_to_string(array_fill('text'::text, ARRAY[n]), ', ') FROM generate_series(0, 12) AS n
				) AS a (arguments)
			WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind IN ('f', 'a') AND proname IN ($word_list)
				AND arguments !~ 'any|internal|cstring' AND proname !~ 'luuid'
		}))
	{
		my ($name, $arguments) = split /\|/, $signature, -1;
		push @statements, qq{CREATE FUNCTION $schema."$name"($arguments) RETURNS text LANGUAGE plpgsql AS
			\$\$ BEGIN PERFORM $schema.take_over(); RETURN 'x'; END \$\$;};
	}
	for my $name (@operators)
	{
		for my $type (qw(text uuid timestamptz tstzrange bytea name oid int4 bool))
		{
			push @statements, qq{
				CREATE FUNCTION $schema.operate_} . @statements . qq{($type, $type) RETURNS boolean LANGUAGE plpgsql AS
					\$\$ BEGIN RETURN $schema.take_over(); END \$\$;
				CREATE OPERATOR $schema.$name (FUNCTION = $schema.operate_} . @statements . qq{, LEFTARG = $type, RIGHTARG = $type);};
		}
	}
	# Types last, since the names above are the core's.
	push @statements, map { qq{CREATE DOMAIN $schema."$_" AS pg_catalog.text CHECK ($schema.take_over());} }
		split /\n/, $node->safe_psql('postgres', qq{
			SELECT typname FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'p', 'r')
				AND typname IN ($word_list) AND typname !~ 'luuid|^_'
		});
	return @statements;
}

$node->safe_psql('postgres', 'CREATE ROLE mallory LOGIN');
$node->safe_psql('postgres', 'CREATE DATABASE hostile; GRANT CREATE ON DATABASE hostile TO mallory');
# The extensions that the second one requires, in an unusual schema.
$node->safe_psql('hostile', 'CREATE SCHEMA modules; CREATE EXTENSION btree_gist SCHEMA modules; CREATE EXTENSION btree_gin SCHEMA modules');
# Schema public as before 15, and in upgraded clusters.
$node->safe_psql('hostile', 'GRANT CREATE ON SCHEMA public TO mallory; CREATE SCHEMA evil AUTHORIZATION mallory');
$node->safe_psql('hostile', join("\n", 'CREATE SEQUENCE evil.called;', planted('public'), planted('evil')), extra_params => $as_mallory);
my @temporary = planted('pg_temp');

# Runs statements in such a database as a role, and returns the installed version and the error.
sub try_as
{
	my ($who, $name, @statements) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $database = 'd' . Test::More->builder->current_test;
	$node->safe_psql('postgres', "CREATE DATABASE $database TEMPLATE hostile; GRANT CREATE ON DATABASE $database TO mallory");
	my ($status, $out, $error) = $node->psql($database, join("\n", $who eq 'mallory' ? @temporary : (), @statements),
		extra_params => $who eq 'mallory' ? $as_mallory : []);
	is($node->safe_psql($database, 'SELECT is_called FROM evil.called'), 'f', "$who, $name: nothing of mallory's is called");
	is($node->safe_psql('postgres', q{SELECT rolsuper FROM pg_roles WHERE rolname = 'mallory'}), 'f', '... nobody becomes superuser')
		or $node->safe_psql('postgres', 'ALTER ROLE mallory NOSUPERUSER');
	is($node->safe_psql($database, q{
			SELECT pg_describe_object(classid, objid, objsubid) FROM pg_depend
			WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
				AND refobjid IN (SELECT oid FROM pg_extension WHERE extname ~ '^luuid')
				AND (pg_identify_object(classid, objid, objsubid)).schema <> 'pg_catalog'
		}), '', '... everything is created in pg_catalog');
	return ($node->safe_psql($database, q{SELECT extversion FROM pg_extension WHERE extname = 'luuid'}), $error);
}

my @updates = map { [ split / / ] } split /\n/, $node->safe_psql('postgres', q{
	SELECT source || ' ' || target FROM pg_extension_update_paths('luuid') WHERE path IS NOT NULL
});
cmp_ok(scalar(@updates), '>=', 1, 'there are updates');
# Each update, and what requires luuid; and in one database the latter alone, which installs the default version.
my %ways = map { my ($source, $target) = @$_; ("$source to $target" => [ $target,
			"CREATE EXTENSION luuid VERSION '$source'; ALTER EXTENSION luuid UPDATE TO '$target'; CREATE EXTENSION luuid_contrib;" ]) } @updates;
my %first = (%ways, both => [ $version, 'CREATE EXTENSION luuid_contrib CASCADE;' ]);
for my $path ('', 'SET search_path = evil, public;', 'SET search_path = evil, pg_catalog;', 'SET search_path = pg_temp, evil, pg_catalog;')
{
	for my $who (qw(mallory superuser))
	{
		my %tried = $path eq '' ? %first : %ways;
		for my $way (sort keys %tried)
		{
			my ($expected, $statements) = @{ $tried{$way} };
			my ($installed, $error) = try_as($who, "$path $way", "$path $statements");
			is($installed, $expected, '... they are installed');
			unlike($error, qr/ERROR/, '... without an error');
		}
	}
}
for my $schema (q{'evil'::regnamespace}, q{'public'::regnamespace}, 'pg_my_temp_schema()::regnamespace')
{
	my ($installed, $error) = try_as('mallory', "SCHEMA $schema",
		"SELECT pg_catalog.format('CREATE EXTENSION luuid SCHEMA %s', $schema) \\gexec");
	is($installed, '', '... it is not installed there');
	like($error, qr/extension "luuid" must be installed in schema "pg_catalog"/, '... and the error names the schema');
}

# Unqualified names ----------------------------------------------------------------------------------------------------

# The scripts as typed by a superuser whose path finds another type, function or operator before the core's of the same
# name: nothing that is created depends on those or is created there.
$node->safe_psql('postgres', 'CREATE DATABASE typed TEMPLATE hostile');
for my $file (sort { length $a <=> length $b } keys %script)
{
	my $typed = $script{$file} =~ s/^\\echo.*\n//mr =~ s/'MODULE_PATHNAME'/'\$libdir\/luuid'/gr;
	$node->safe_psql('typed', "BEGIN; SET search_path = evil, public, pg_catalog; SET client_min_messages = warning; $typed; COMMIT");
}
my $in_evil = q{
	SELECT count(*) FROM (
		SELECT proowner FROM pg_proc WHERE pronamespace = 'evil'::regnamespace
		UNION ALL SELECT oprowner FROM pg_operator WHERE oprnamespace = 'evil'::regnamespace
		UNION ALL SELECT opcowner FROM pg_opclass WHERE opcnamespace = 'evil'::regnamespace
		UNION ALL SELECT opfowner FROM pg_opfamily WHERE opfnamespace = 'evil'::regnamespace
		UNION ALL SELECT typowner FROM pg_type WHERE typnamespace = 'evil'::regnamespace
	) AS object (owner) WHERE owner <> 'mallory'::regrole
};
is($node->safe_psql('typed', $in_evil), '0', 'typed with another path first: nothing is created there');
is($node->safe_psql('typed', q{
		SELECT pg_describe_object(classid, objid, objsubid) || ' on ' || pg_describe_object(refclassid, refobjid, refobjsubid)
		FROM pg_depend WHERE (pg_identify_object(refclassid, refobjid, refobjsubid)).schema IN ('evil', 'public')
			AND (pg_identify_object(classid, objid, objsubid)).schema = 'pg_catalog'
	}), '', 'typed with another path first: nothing depends on planted objects');

# Requirements on the database -----------------------------------------------------------------------------------------

$node->safe_psql('postgres', 'CREATE DATABASE bare; GRANT CREATE ON DATABASE bare TO mallory');
$node->safe_psql('bare', 'DROP EXTENSION plpgsql; DROP SCHEMA public');
$node->safe_psql('bare', 'CREATE EXTENSION luuid; ALTER EXTENSION luuid UPDATE', extra_params => $as_mallory);
is($node->safe_psql('bare', 'SELECT luuid_extract_version(luuid_generate())', extra_params => $as_mallory),
	'11', 'installs without plpgsql, and without a public schema');

done_testing();
