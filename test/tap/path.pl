# The functions of sql/plain.sql and the extensions take no object from the caller's search path. A schema before pg_catalog and
# the temporary one have an object, which does not work, for each function, operator, type and relation that they name; they do
# the same as without it. It finds a name in SQL without its schema.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('path', 'max_prepared_transactions = 2', 'timezone = UTC');
chomp(my $scripts = `pg_config --sharedir`);
my $source = join '', map { slurp_file($_) =~ s/--.*//gr } "$ENV{TESTDIR}/sql/plain.sql", glob "$scripts/extension/luuid{,_contrib}--*.sql";

# What the scripts name, by the catalogs: `kind` has the types of values, `sign` the operators.
my $names = q{
	CREATE SCHEMA shadow;
	CREATE TYPE shadow.never AS ENUM ();
	CREATE TABLE shadow.word AS SELECT DISTINCT w[1] AS word FROM regexp_matches(:'source', '[a-z_][a-z_0-9]*', 'g') AS w;
	CREATE TABLE shadow.sign AS SELECT DISTINCT oprname AS sign FROM pg_operator
	WHERE oprname IN (SELECT s[1] FROM regexp_matches(:'source', '[-+*/<>=~!@#%^&|`?]+', 'g') AS s)
		OR oprname IN ('=', '<>', '<=', '>=', '~~', '!~~');  -- what IN, BETWEEN, LIKE and so on stand for
	CREATE TABLE shadow.kind AS
	SELECT oid AS kind FROM pg_type WHERE typtype NOT IN ('p', 'c') AND (typname IN (TABLE shadow.word)
		OR format_type(oid, NULL) IN (TABLE shadow.word))
	UNION SELECT atttypid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
		WHERE relname IN (TABLE shadow.word) AND attname IN (TABLE shadow.word)
	UNION SELECT prorettype FROM pg_proc JOIN pg_type ON pg_type.oid = prorettype
		WHERE proname IN (TABLE shadow.word) AND typtype NOT IN ('p', 'c');
	DELETE FROM shadow.kind WHERE kind NOT IN (SELECT oid FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace);
};
# A function that only raises an error may have arguments of any type. Its result converts to no type.
my $shadow = q{
	DO $$
	DECLARE
		raising text := 'RETURNS shadow.never LANGUAGE internal AS ''pg_node_tree_in''';
		pair record;
		made record;
	BEGIN
		FOR made IN
			SELECT DISTINCT proname AS name, (SELECT string_agg(CASE WHEN provariadic <> 0 AND n = pronargs THEN 'VARIADIC ' ELSE '' END
				|| type::regtype, ', ' ORDER BY n)
				FROM unnest(proargtypes) WITH ORDINALITY AS a (type, n)) AS arguments
			FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname IN (TABLE shadow.word)
		LOOP
			EXECUTE format('CREATE FUNCTION shadow.%I(%s) %s', made.name, made.arguments, raising);
		END LOOP;
		FOR pair IN
			SELECT a.kind::regtype AS a, b.kind::regtype AS b FROM shadow.kind AS a, shadow.kind AS b
			UNION SELECT oprleft, oprright FROM pg_operator WHERE oprname IN (TABLE shadow.sign) AND oprleft <> 0
		LOOP
			EXECUTE format('CREATE FUNCTION shadow.of_pair(%s, %s) %s', pair.a, pair.b, raising);
			FOR made IN TABLE shadow.sign LOOP
				EXECUTE format('CREATE OPERATOR shadow.%s (FUNCTION = shadow.of_pair, LEFTARG = %s, RIGHTARG = %s)', made.sign, pair.a, pair.b);
			END LOOP;
		END LOOP;
	END $$;
};
# The same in the temporary schema, where types and relations are looked for first.
my $temporary = q{
	SELECT format('CREATE TYPE pg_temp.%I AS ENUM ()', typname) FROM pg_type JOIN shadow.kind ON kind = pg_type.oid \gexec
	SELECT format('CREATE TEMP TABLE %I ()', relname) FROM pg_class
	WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v') AND relname IN (TABLE shadow.word) \gexec
};

# In the other database all is as usual.
for my $database (qw(usual shadowed))
{
	$node->safe_psql('postgres', "CREATE DATABASE $database");
	$node->safe_psql($database, 'CREATE EXTENSION luuid; CREATE EXTENSION luuid_contrib CASCADE');
}
$node->safe_psql('shadowed', $_, extra_params => [ '-v', "source=$source" ]) for $names, $shadow;
is($node->safe_psql('shadowed', q{
	SELECT (SELECT count(*) FROM shadow.sign) > 20, (SELECT count(*) FROM shadow.kind) > 30,
		'{oid,regclass,text,uuid,luuid,timestamptz}'::regtype[] <@ ARRAY(SELECT kind::regtype FROM shadow.kind)
}), 't|t|t', 'operators and types of the scripts are found');
my $plain = slurp_file("$ENV{TESTDIR}/sql/plain.sql");
$node->safe_psql('usual', $plain);
is($node->safe_psql('shadowed', "$temporary SET search_path = shadow, pg_catalog; $plain SELECT 'installed'"), 'installed',
	'plain.sql installs with such a search path');

$node->safe_psql($_, qq{
	CREATE TABLE event (id uuid DEFAULT luuid.luuid_generate_v7()); INSERT INTO event DEFAULT VALUES;
	CREATE SEQUENCE number; SELECT nextval('number');
	CREATE SEQUENCE cached CACHE 20;
	CREATE SEQUENCE held; BEGIN; SELECT nextval('held'); PREPARE TRANSACTION '$_';
}) for qw(usual shadowed);

# Every function in SQL or PL/pgSQL, with each combination of these arguments.
my %values = (
	uuid => ['019a3c76-8800-7000-8000-000000000000'],
	luuid => ['019a3c76-8800-7000-8000-000000000000'],
	int4 => [ 8, 1, -1 ],
	int8 => [1],
	text => [ '22023', '01hhyq8g7c8r3v4w5x6y7z8a9b' ],
	date => ['2026-11-21'],
	timestamptz => ['2026-11-21 00:00+00'],
	interval => ['10 ms'],
	regclass => [ map { "public.$_" } qw(event number cached held) ]);
my @functions = split /\n/, $node->safe_psql('usual', q{
	SELECT format('%s %I.%I', CASE prokind WHEN 'p' THEN 'CALL' ELSE 'SELECT' END, nspname, proname),
		(SELECT string_agg(typname, ',' ORDER BY n) FROM unnest(proargtypes) WITH ORDINALITY AS a (type, n) JOIN pg_type AS t ON t.oid = type)
	FROM pg_proc AS p JOIN pg_namespace AS n ON n.oid = pronamespace JOIN pg_language AS l ON l.oid = prolang
	WHERE lanname IN ('sql', 'plpgsql') AND (nspname = 'luuid' OR EXISTS (SELECT FROM pg_depend JOIN pg_extension AS e ON e.oid = refobjid
		WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e' AND extname LIKE 'luuid%'))
	ORDER BY 1
});
my @calls;
for (@functions)
{
	my ($function, $types) = split /\|/;
	my @arguments = ('');
	for my $type (split /,/, $types)
	{
		my @literals = map { "CAST($_ AS pg_catalog.$type)" } ('NULL') x ($type ne 'interval'),
			map { "'$_'" } @{ $values{$type} // die "no value of $type" };
		@arguments = map { my $before = $_; map { $before eq '' ? $_ : "$before, $_" } @literals } @arguments;
	}
	push @calls, map { "$function($_)" } @arguments;
}
sub outcomes
{
	my ($database, $before) = @_;
	my $commands = join "\n", '\o /dev/null', $before, map { "$_;\n\\echo :SQLSTATE" } @calls;
	my ($status, $out) = $node->psql($database, $commands, on_error_stop => 0);
	my @states = split /\n/, $out;
	return map { "$calls[$_]: " . ($states[$_] // 'none') } 0 .. $#calls;
}
cmp_ok(scalar(grep { /^\w+ luuid\./ } @functions), '>', 20, @calls . ' calls of ' . @functions . ' functions');
for my $level ('read committed', 'repeatable read')
{
	my $isolation = "SET default_transaction_isolation = '$level';";
	my @usual = outcomes('usual', $isolation);
	my $works = grep { /00000$/ } @usual;
	cmp_ok($works, '>', @usual / 2, "$level: $works of the calls return, and the others raise their errors");
	is_deeply([ outcomes('shadowed', "$temporary SET search_path = $_; $isolation") ], \@usual, "... and the same where the search path is $_")
		for 'shadow, pg_catalog', 'shadow';
}

done_testing();
