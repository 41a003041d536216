# The statements that luuid_removal.sql prints, run by their owners, make columns of luuid columns of uuid, and dumps differ in
# types and defaults alone. What it prints runs nobody's code with another's rights, whatever objects are called and do.
# It is for that script, not for the module.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->started('removal', 'wal_level = logical', 'max_prepared_transactions = 5', 'autovacuum = off');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my $dir = PostgreSQL::Test::Utils::tempdir();
my ($print, $run) = slurp_file("$ENV{TESTDIR}/README.md") =~ /^(psql .*luuid_removal\.sql.*)\n(psql -X -f removal\.sql DATABASE)\b/m or die;
sub sql { return $node->safe_psql(@_) }

sub sql_as
{
	my ($role, $database, @commands) = @_;
	return sql($database, join('; ', @commands), extra_params => [ '-U', $role ]);
}

sub created    # a new database of that name with the schema, of that owner
{
	my ($owner, $name, @schema) = @_;
	sql('postgres', "DROP DATABASE IF EXISTS $name");
	sql('postgres', "CREATE DATABASE $name OWNER $owner");
	sql_as($owner, $name, 'SET client_min_messages = warning', 'CREATE EXTENSION luuid', @schema);
	return;
}

sub typed    # a line of README, in a folder; returns what it said
{
	my ($line, $database) = @_;
	IPC::Run::run([ 'sh', '-c', "cd $dir && " . $line =~ s/\bDATABASE\b/$database/r ], '>&', \my $said);
	return $said;
}

sub printed    # for a database
{
	my ($database) = @_;
	is(typed($print, $database), '', "$database: the script prints to its file alone");
	return slurp_file("$dir/removal.sql");
}

sub run_printed    # or that, as read and changed
{
	my ($database, $text) = @_;
	if (defined $text)
	{
		unlink "$dir/removal.sql";
		append_to_file("$dir/removal.sql", $text);
	}
	return typed($run, $database);
}

sub has_luuid { return sql($_[0], q{SELECT count(*) FROM pg_extension WHERE extname = 'luuid'}) }
sub superusers { return sql('postgres', 'SELECT count(*) FROM pg_roles WHERE rolsuper') }

sub dump_of
{
	my ($database) = @_;
	my $text = join '', `pg_dump $database`;
	die 'pg_dump' if $?;
	$text =~ s/^\\(un)?restrict.*\n//mg;
	return $text;
}

# A dump without the number that PostgreSQL gives to the name of a partition's index, and so in no order.
sub unnumbered
{
	my ($text) = @_;
	return join '', sort $text =~ s/\b(t\d_all_\w+?_(?:idx|key))\d*\b/$1/gr =~ /^.*\n/mg;
}

# A dump as it has to be without luuid: types and defaults have other names.
sub without_luuid
{
	my ($text) = @_;
	$text =~ s/^--\n-- Name: (EXTENSION )?luuid(_contrib)?; .*\n--\n\n.*\n\n\n//mg;
	$text =~ s/ DEFAULT \(?luuid_generate\w*\([^)]*\)(\)::uuid)?/ DEFAULT gen_random_uuid()/g;
	$text =~ s/^(\s+(?:\w+|"[^"]+") )luuid\b/$1uuid/mg;
	$text =~ s/^([ \t]+.*|ALTER TABLE .* SET DEFAULT .*)/join '', map { $_ eq '::luuid' ? '::uuid' : $_ } $1 =~ m{'[^']*'|::luuid|.}g/gme;
	return $text;
}

# Shows where two dumps differ.
sub same
{
	my ($found, $expected, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my %file = map { $_ => PostgreSQL::Test::Utils::tempdir() . "/$_" } qw(found expected);
	append_to_file($file{found}, $found);
	append_to_file($file{expected}, $expected);
	is(`diff $file{expected} $file{found}`, '', $name);
	return;
}

sub converts
{
	my ($database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $before = dump_of($database);
	my $text = printed($database);
	unlike($text, qr/By hand(?!.*: afterwards, )/, "$name: nothing is to be done by hand before");
	my $said = run_printed($database);
	unlike($said, qr/ERROR|FATAL|WARNING/, "$name: what is printed runs") or return;
	same(map({ $database eq 'random' ? unnumbered($_) : $_ } dump_of($database), without_luuid($before)), "$name: the dump differs in types and defaults alone");
	return;
}

# Every row of every catalog and table, with its version.
sub state_of
{
	my ($database) = @_;
	return sql($database, q{SELECT format('SELECT %L, md5(string_agg(concat_ws('' '', ctid, xmin, xmax, t), '','' ORDER BY ctid)) FROM %1$s AS t', oid::regclass)
		FROM pg_class WHERE relkind = 'r' AND relpersistence <> 't' ORDER BY oid \gexec});
}

# What is kept -------------------------------------------------------------------------------------------------------

sql('postgres', 'CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE carol; CREATE ROLE "Dave; --" LOGIN');
sql('postgres', q{SET allow_in_place_tablespaces = on; CREATE TABLESPACE elsewhere LOCATION ''});
sql('postgres', 'GRANT CREATE ON TABLESPACE elsewhere TO alice');
created('alice', 'kept', slurp_file("$ENV{TESTDIR}/kept.sql"));
sql('kept', 'CREATE PUBLICATION pubs FOR TABLES IN SCHEMA app');
sql_as('alice', 'kept', 'GRANT USAGE ON SCHEMA app TO bob', 'GRANT SELECT, REFERENCES ON app.parent TO bob WITH GRANT OPTION');
sql_as('bob', 'kept', 'GRANT SELECT ON app.parent TO carol', 'GRANT SELECT (n) ON app.parent TO PUBLIC');
sql('kept', 'GRANT CREATE ON SCHEMA app TO bob');
sql_as('bob', 'kept', 'CREATE TABLE app.other (id luuid REFERENCES app.parent, UNIQUE (id))');
my $marks = q{SELECT string_agg(concat_ws(' ', indexrelid::regclass, indisvalid, indisreplident, indisclustered, obj_description(indexrelid)), ', '
	ORDER BY indexrelid::regclass::text COLLATE "C") FROM pg_index WHERE indrelid >= 16384 AND indrelid::regclass::text !~ '^pg_'};
my $marked = sql('kept', $marks);
my $state = state_of('kept');
my $text = printed('kept');
is(state_of('kept'), $state, 'printing changes no row of a catalog or a table');
like($state, qr/^pg_proc\|.*^app\.parent\|/ms, '... of which all were read');
{
	local $ENV{PGUSER} = 'bob';
	is(printed('kept'), $text, 'any role can print');
}
converts('kept', 'keys, indexes and partitions');
is(sql('kept', $marks), $marked, 'indexes keep their names, marks and comments, and are valid');
is(has_luuid('kept'), 0, 'the extension is dropped');
sql('kept', 'CREATE EXTENSION amcheck; SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
	JOIN pg_am AS a ON a.oid = relam WHERE amname = \'btree\' AND relkind = \'i\' AND relpersistence = \'p\'');

created('alice', 'bare', 'DROP EXTENSION luuid');
is(printed('bare'), "\\set ON_ERROR_STOP on\n", 'where luuid is not installed, it prints no statement');

# What is done by hand ---------------------------------------------------------------------------------------------------

# Each in a schema of its own, whose name takes the place of %s. A role whose functions make it superuser wherever they can
# creates what it may. Names end comments and quotes, and do the same.
my @hand = (
	[ 'an overload', 'function %s.audit(luuid)', 'CREATE FUNCTION audit(uuid) RETURNS void LANGUAGE sql AS $$ SELECT $$',
		"CREATE FUNCTION audit(luuid) RETURNS void LANGUAGE plpgsql AS \$\$ BEGIN /*\nALTER ROLE bob SUPERUSER;\r\\! touch broke_out\r\n*/ END \$\$" ],
	[ 'an aggregate', 'function %s.a(luuid)', 'CREATE AGGREGATE a(luuid) (SFUNC = luuid_larger, STYPE = luuid)' ],
	[ 'an operator', 'operator %s.##(luuid,integer)', 'CREATE FUNCTION f(luuid, int) RETURNS bool LANGUAGE sql AS $$ SELECT true $$',
		'CREATE OPERATOR ## (FUNCTION = f, LEFTARG = luuid, RIGHTARG = int)' ],
	[ 'a word in a body', 'function %s.f()', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 /* luuid_floor */ $$' ],
	[ 'a generated column', 'default value for column g of table %s.t', 'ALTER TABLE t ADD g int GENERATED ALWAYS AS (luuid_shard(id, 8)) STORED' ],
	[ '... of a child alone', 'default value for column g of table %s.c', 'CREATE TABLE c (g bool GENERATED ALWAYS AS (id IS NULL) STORED) INHERITS (t)' ],
	[ 'a default of another type', 'default value for column d of table %s.t', 'ALTER TABLE t ADD d text DEFAULT luuid_to_base32(luuid_generate())' ],
	[ '... or of several ids', 'default value for column d of table %s.t', 'ALTER TABLE t ADD d luuid[] DEFAULT ARRAY[luuid_generate(), luuid_generate()]' ],
	[ 'a check of the order', 'constraint later on table %s.t', 'ALTER TABLE t ADD CONSTRAINT later CHECK (id > pred)' ],
	[ 'a check of an empty array', 'constraint filled on table %s.t', 'ALTER TABLE t ADD ids luuid[], ADD CONSTRAINT filled CHECK (ids <> ARRAY[]::luuid[])' ],
	[ 'an exclusion', 'constraint t_id_excl on table %s.t', 'ALTER TABLE t ADD EXCLUDE (id WITH =)' ],
	[ 'a foreign key that is switched off', 'constraint t_f_fkey on table %s.t', 'ALTER TABLE t ADD f luuid REFERENCES t',
		'ALTER TABLE t DISABLE TRIGGER ALL' ],
	[ 'a view in order', 'rule _RETURN on view %s.v', "CREATE VIEW v AS SELECT n, E'\nALTER ROLE bob SUPERUSER; --'::text AS t FROM t ORDER BY id" ],
	[ 'a materialized view', 'rule _RETURN on materialized view %s.v', 'CREATE MATERIALIZED VIEW v AS SELECT id FROM t' ],
	[ 'a policy', 'policy p on table %s.t', 'CREATE POLICY p ON t USING (id > pred AND spy(n))', 'ALTER TABLE t ENABLE ROW LEVEL SECURITY' ],
	[ 'a trigger', 'trigger r on table %s.t', 'CREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW WHEN (NEW.id > OLD.id AND spy(NEW.n))
		EXECUTE FUNCTION suppress_redundant_updates_trigger()' ],
	[ 'a rule', 'rule r on table %s.t', 'CREATE RULE r AS ON DELETE TO t WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING' ],
	[ 'an index of an expression', 'index %s.i', 'CREATE INDEX i ON t ((id::timestamptz))' ],
	[ 'an index of another class', 'index %s.i', 'CREATE INDEX i ON t (id luuid_byte_ops)' ],
	[ 'an index by time of uuid', 'index %s.i', 'CREATE TABLE u (id uuid)', 'CREATE INDEX i ON u (id uuid_time_ops)' ],
	[ 'a predicate', 'index %s.i', q{CREATE INDEX i ON t (n) WHERE id > luuid_floor('2020-01-01Z') AND spy(n)} ],
	[ 'an index that is invalid', 'index %s.i', 'CREATE TABLE e (id luuid, n int) PARTITION BY LIST (n)', 'CREATE TABLE e1 PARTITION OF e DEFAULT',
		'CREATE INDEX i ON ONLY e (n)' ],
	[ "a partition's index", 'index %s.e1_id_idx', 'CREATE TABLE e (id luuid, n int) PARTITION BY LIST (n)', 'CREATE TABLE e1 PARTITION OF e DEFAULT',
		'CREATE INDEX ON e (id)' ],
	[ 'statistics', 'statistics object %s.s', 'CREATE STATISTICS s ON id, n FROM t' ],
	[ 'a list of columns', 'publication of table %s.t in publication listed', 'CREATE PUBLICATION listed FOR TABLE t (id)' ],
	[ 'a domain', 'type %s.d', 'CREATE DOMAIN d AS luuid CHECK (spy(1))' ],
	[ 'a domain whose default casts', 'type %s.d', 'CREATE DOMAIN d AS uuid DEFAULT luuid_generate_v7()' ],
	[ 'a domain whose check casts', 'constraint k', 'CREATE DOMAIN d AS uuid CONSTRAINT k CHECK (luuid_extract_version(VALUE) = 7)' ],
	[ 'a range type', 'type %s.d', 'CREATE TYPE d AS RANGE (SUBTYPE = luuid)' ],
	[ 'a column of a composite type', 'column c of table %s.c', 'CREATE TYPE d AS (a luuid)', 'CREATE TABLE c (c d)' ],
	[ 'a column of the row', 'column t of table %s.c', 'CREATE TABLE c (t t)' ],
	[ 'a cast', 'cast from text to luuid', 'CREATE CAST (text AS luuid) WITH INOUT' ],
	[ 'an operator class', 'operator class %s.c for access method hash',
		'CREATE OPERATOR CLASS c FOR TYPE luuid USING hash AS OPERATOR 1 =, FUNCTION 1 luuid_hash(luuid)' ],
	[ 'what goes with the extension', 'function %s.f()', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
		'ALTER FUNCTION f() DEPENDS ON EXTENSION luuid' ],
	[ '... an index too', 'index %s.i', 'CREATE INDEX i ON t (n)', 'ALTER INDEX i DEPENDS ON EXTENSION luuid' ],
	[ 'partitions by time', 'table %s.e', 'CREATE TABLE e (id luuid) PARTITION BY RANGE (id)' ],
	[ 'partitions of uuid by time', 'table %s.e', 'CREATE TABLE e (id uuid) PARTITION BY RANGE (id uuid_time_ops)' ],
	[ 'partitions by bytes', 'table %s.e', 'CREATE TABLE e (id luuid) PARTITION BY RANGE (id luuid_byte_ops)' ],
	[ 'partitions by an expression', 'table %s.e', 'CREATE TABLE e (id luuid) PARTITION BY LIST ((id IS NULL))' ],
	[ 'two levels of partitions', 'table %s.f', 'CREATE TABLE e (id luuid, n int) PARTITION BY LIST (n)',
		'CREATE TABLE f PARTITION OF e DEFAULT PARTITION BY HASH (id)' ],
	[ 'a child of another owner', 'table %s.t', 'CREATE TABLE c () INHERITS (t)', 'ALTER TABLE c OWNER TO alice' ]);
created('bob', 'hostile', q{CREATE FUNCTION spy(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$
	BEGIN IF current_setting('is_superuser') = 'on' THEN ALTER ROLE bob SUPERUSER; END IF; RETURN true; END $$},
	# Of these names, functions and operators with better matching types would be called instead of PostgreSQL's.
	'CREATE FUNCTION format(text, regclass) RETURNS text LANGUAGE sql AS $$ SELECT spy(1)::text $$',
	'CREATE FUNCTION same(oid, regclass) RETURNS bool LANGUAGE sql AS $$ SELECT spy(1) $$',
	'CREATE OPERATOR = (FUNCTION = same, LEFTARG = oid, RIGHTARG = regclass)');
my %name = map { ($_ => "S$_\"\nALTER ROLE bob SUPERUSER;\r\\! touch broke_out #") } 0 .. $#hand;
for my $n (0 .. $#hand)
{
	my (undef, undef, @schema) = @{ $hand[$n] };
	my $schema = $name{$n} =~ s/"/""/gr;
	my @table = ("CREATE TABLE t (id luuid PRIMARY KEY DEFAULT luuid_generate(), pred luuid, n int CHECK (spy(n)))", 'CREATE INDEX ON t ((spy(n)))',
		'INSERT INTO t (n) VALUES (1)');
	sql_as('bob', 'hostile', "CREATE SCHEMA \"$schema\"", "SET search_path = \"$schema\", public, pg_catalog", @table);
	for my $command (@schema)
	{
		my @command = ("SET search_path = \"$schema\", public, pg_catalog; $command");
		# What only a superuser may create.
		sql('hostile', @command) if ($node->psql('hostile', @command, extra_params => [ '-U', 'bob' ]))[0];
	}
}
$text = printed('hostile');
for my $n (0 .. $#hand)
{
	my $schema = '"' . ($name{$n} =~ s/"/""/gr =~ s/[\n\r]+/\n--   /gr) . '"';
	my $object = $hand[$n][1] =~ s/%s/$schema/gr;
	like($text, qr/^-- By hand: \Q$object\E: \w/m, "$hand[$n][0]: listed");
}
is(superusers(), 1, 'nobody became a superuser where a superuser printed');
# Also in a client that goes on after an error.
run_printed('hostile', $text =~ s/^\\set ON_ERROR_STOP.*//mr);
is(superusers(), 1, '... nor where a superuser ran all that was printed');
run_printed('hostile', $text =~ s/^\\set ON_ERROR_STOP.*//mr =~ s/^\\connect - (.*)/$_/mgr) for 'SET ROLE bob;', 'SET SESSION AUTHORIZATION bob;', '';
is(superusers(), 1, '... nor where in a session of his own');
ok(!-e "$dir/broke_out", 'no name ends a comment');
is(has_luuid('hostile'), 1, 'the extension stays while something uses it');
sql('postgres', 'DROP DATABASE hostile');

# Whose rights -----------------------------------------------------------------------------------------------------------

# An owner's code runs as that owner, also where a superuser runs all that was printed. This table has as much as it can.
my $spy = q{CREATE FUNCTION spy(text) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	RAISE NOTICE 'spy is %', current_user;
	IF current_setting('is_superuser') = 'on' THEN ALTER ROLE bob SUPERUSER; END IF; RETURN true; END $$};
created('alice', 'spied', $spy, 'GRANT CREATE ON SCHEMA public TO bob');
sql_as('bob', 'spied', q{CREATE TABLE mine (id luuid PRIMARY KEY, ids luuid[], n int CHECK (spy(n::text)))}, 'CREATE INDEX ON mine (spy(n::text))',
	'INSERT INTO mine VALUES (luuid_generate(), NULL, 1)', 'GRANT REFERENCES ON mine TO alice');
$text = printed('spied');
# While the statements run, or after they are printed.
sql_as('bob', 'spied', 'ALTER TABLE mine ADD CHECK (spy(id::text))');
for my $session ('', 'SET ROLE bob;', 'SET SESSION AUTHORIZATION bob;')
{
	my $said = run_printed('spied', $text =~ s/^\\connect - bob/$session/mgr);
	like($said, qr/ERROR:  code of bob would run with the rights of the superuser of this session/, "a superuser's session is refused: $session");
	unlike($said, qr/spy is/, '... before it calls anything');
}
my $said = run_printed('spied', $text);
like($said, qr/NOTICE:  spy is bob/, "an owner's functions are called as that owner");
unlike($said, qr/ERROR|spy is (?!bob)/, '... as nobody else');
is(has_luuid('spied'), 0, '... and what is printed ends with the extension dropped');

# A cast that nothing depends on makes an owner's foreign key call what he likes, wherever the key is built.
created('alice', 'cast_of_bob', $spy, 'GRANT CREATE ON SCHEMA public TO bob',
	'CREATE TABLE parent (id luuid PRIMARY KEY)', q{INSERT INTO parent VALUES ('00000000-0000-0000-0000-000000000001')}, 'GRANT REFERENCES ON parent TO bob');
sql('cast_of_bob', 'ALTER TABLE parent OWNER TO postgres');
sql_as('bob', 'cast_of_bob', q{CREATE TYPE evil AS ENUM ('a')},
	q{CREATE FUNCTION to_id(evil) RETURNS luuid LANGUAGE sql IMMUTABLE AS $$ SELECT '00000000-0000-0000-0000-000000000001'::luuid $$},
	'CREATE CAST (evil AS luuid) WITH FUNCTION to_id(evil) AS IMPLICIT',
	'CREATE TABLE child (p evil REFERENCES parent)', q{INSERT INTO child VALUES ('a')},
	'DROP CAST (evil AS luuid)', 'DROP FUNCTION to_id(evil)',
	q{CREATE FUNCTION to_uuid(evil) RETURNS uuid LANGUAGE sql AS $$ SELECT '00000000-0000-0000-0000-000000000001'::uuid WHERE public.spy('') $$},
	'CREATE CAST (evil AS uuid) WITH FUNCTION to_uuid(evil) AS IMPLICIT');
$text = printed('cast_of_bob');
$said = run_printed('cast_of_bob', $text =~ s/^ALTER TABLE public\.child DROP.*//mr);
like($said, qr/ERROR:  a table here is not of postgres, or one of another owner references it/, 'a column stays while the foreign key of another owner references it');
unlike($said, qr/spy is/, '... whose cast is not called');
# PostgreSQL itself checks the rows of a foreign key, casts included, with the rights of the referenced table's owner.
unlike(run_printed('cast_of_bob', $text), qr/ERROR/, 'it changes once its owner has dropped that');
is(superusers(), 1, 'nobody became a superuser');

# Who owns a schema can put a table of his own in the place of another's, after the statements are printed.
created('bob', 'replaced', $spy, 'CREATE SCHEMA app');
for my $table (qw(converted referencing))
{
	sql('replaced', "CREATE TABLE app.$table (id luuid PRIMARY KEY, f luuid REFERENCES app.$table)");
	$text = printed('replaced');
	sql_as('bob', 'replaced', "DROP TABLE app.$table", "CREATE TABLE app.$table (id luuid PRIMARY KEY, f luuid CHECK (spy(f::text)))",
		"INSERT INTO app.$table VALUES (luuid_generate(), luuid_generate())");
	$text =~ s/^-- 2.*(?=^-- 3)//ms if $table eq 'referencing';
	$said = run_printed('replaced', $text);
	like($said, qr/ERROR:  a table here is not of postgres/, "$table: a table of another owner in its place is seen");
	unlike($said, qr/spy is (?!bob)/, '... before any of his code is called');
	sql('replaced', "DROP TABLE app.$table");
}

# A role that may not log in has members who can, and a role can have any name.
my $bad_name = qq{"Eve"";\n\\! touch broke_out #\rALTER ROLE bob SUPERUSER; --"};
created('alice', 'named', 'CREATE TABLE t (id luuid PRIMARY KEY)');
sql('named', qq{CREATE ROLE $bad_name LOGIN; ALTER TABLE t OWNER TO $bad_name});
like(run_printed('named', printed('named') =~ s/^\\set ON_ERROR_STOP.*//mr), qr/ERROR:  code of Eve/, 'a role whose name has lines is not connected to');
ok(!-e "$dir/broke_out", '... and its name runs nothing');
is(superusers(), 1, '... nor in SQL');
created('alice', 'group_of', 'CREATE TABLE t (id luuid PRIMARY KEY)');
sql('group_of', 'ALTER TABLE t OWNER TO carol; GRANT carol TO bob; ALTER DATABASE group_of OWNER TO "Dave; --"; CREATE TABLE d (id luuid REFERENCES t);
	ALTER TABLE d OWNER TO "Dave; --"; GRANT CREATE ON SCHEMA public TO carol; GRANT REFERENCES ON t TO "Dave; --"');
$text = printed('group_of');
like(run_printed('group_of'), qr/FATAL:  role "carol" is not permitted to log in/, 'a role without LOGIN does not connect');
is(sql('group_of', q{SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = 't'::regclass AND attname = 'id'}), 'luuid', '... and its part is not run');
unlike(run_printed('group_of', $text =~ s/^\\connect - carol/\\connect - bob/mgr), qr/ERROR|FATAL/, 'a member runs it');
is(has_luuid('group_of'), 0, '... to its end');

# What stays in the way --------------------------------------------------------------------------------------------------

# An expression in each column of the catalogs that holds some; pg_depend does not know that these use luuid.
my $empty = 'cardinality(ARRAY[]::luuid[]) = 0';
my %expression = (
	'pg_attrdef.adbin' => [ 'default value for column d of table public.e', "CREATE TABLE e (d bool DEFAULT $empty)" ],
	'pg_class.relpartbound' => [ 'table public.l1', 'CREATE TABLE l (ids luuid[]) PARTITION BY LIST (ids)', "CREATE TABLE l1 PARTITION OF l FOR VALUES IN ('{}')" ],
	'pg_constraint.conbin' => [ 'constraint c on table public.t', "ALTER TABLE t ADD CONSTRAINT c CHECK ($empty)" ],
	'pg_index.indexprs' => [ 'index public.x', "CREATE INDEX x ON t ((n > 1 AND $empty))" ],
	'pg_index.indpred' => [ 'index public.p', "CREATE INDEX p ON t (n) WHERE $empty" ],
	'pg_partitioned_table.partexprs' => [ 'table public.k', "CREATE TABLE k (n int) PARTITION BY LIST ((n > 1 AND $empty))" ],
	'pg_policy.polqual' => [ 'policy q on table public.t', "CREATE POLICY q ON t USING ($empty)" ],
	'pg_policy.polwithcheck' => [ 'policy w on table public.t', "CREATE POLICY w ON t WITH CHECK ($empty)" ],
	'pg_proc.proargdefaults' => [ 'function public.a(boolean)', "CREATE FUNCTION a(b bool DEFAULT $empty) RETURNS int LANGUAGE sql AS 'SELECT 1'" ],
	'pg_proc.prosqlbody' => [ 'function public.b()', "CREATE FUNCTION b() RETURNS bool RETURN $empty" ],
	'pg_publication_rel.prqual' => undef,    # permits no type of an extension
	'pg_rewrite.ev_action' => [ 'rule _RETURN on view public.v', "CREATE VIEW v AS SELECT n FROM t WHERE $empty" ],
	'pg_rewrite.ev_qual' => [ 'rule r on table public.t', "CREATE RULE r AS ON DELETE TO t WHERE $empty DO INSTEAD NOTHING" ],
	'pg_statistic_ext.stxexprs' => [ 'statistics object public.s', "CREATE STATISTICS s ON (n > 1 AND $empty) FROM t" ],
	'pg_trigger.tgqual' => [ 'trigger g on table public.t', "CREATE TRIGGER g BEFORE UPDATE ON t FOR EACH ROW WHEN ($empty)
		EXECUTE FUNCTION suppress_redundant_updates_trigger()" ],
	'pg_type.typdefaultbin' => [ 'type public.d', "CREATE DOMAIN d AS bool DEFAULT $empty" ]);
created('alice', 'expressions', 'CREATE TABLE t (n int)', map { @$_[ 1 .. $#$_ ] } grep { defined } @expression{ sort keys %expression });
is( sql('expressions', q{SELECT concat(attrelid::regclass, '.', attname) FROM pg_attribute WHERE atttypid = 'pg_node_tree'::regtype
		AND attrelid < 16384 AND attrelid IN (SELECT oid FROM pg_class WHERE relkind = 'r') ORDER BY attrelid::regclass::text COLLATE "C", attname COLLATE "C"}),
	join("\n", sort keys %expression), 'these are all the columns of expressions');
my $last = printed('expressions') =~ s/.*^(?=-- 5)//msr;
$said = run_printed('expressions', $last);
like($said, qr/ERROR:  expressions still use luuid\n/, 'the extension stays while expressions use it');
for my $column (sort grep { $expression{$_} } keys %expression)
{
	like($said, qr/^(DETAIL:  )?\Q$expression{$column}[0]\E$/m, "... as in $column");
}
is(has_luuid('expressions'), 1, '... and is there');

created('alice', 'waits', 'CREATE TABLE t (id luuid)');
sql_as('bob', 'waits', 'BEGIN', "PREPARE TRANSACTION 'it''s\nmine'");
like(printed('waits'), qr/^-- 1\. Foreign keys off, as bob\n-- By hand: prepared transaction 'it''s\n--   mine': end it$/m, 'a prepared transaction is listed');
sql('waits', "ROLLBACK PREPARED 'it''s\nmine'");

# Recipes ----------------------------------------------------------------------------------------------------------------

# Partitions by a key of luuid are detached, changed, and attached to a table of uuid by the same bounds, with no row moved.
created('alice', 'parted', 'CREATE TABLE h (id luuid PRIMARY KEY, n int) PARTITION BY HASH (id)',
	(map { "CREATE TABLE h$_ PARTITION OF h FOR VALUES WITH (MODULUS 3, REMAINDER $_)" } 0 .. 2),
	'CREATE TABLE b (id luuid NOT NULL, n int NOT NULL, PRIMARY KEY (n, id)) PARTITION BY RANGE (id luuid_byte_ops, n)',
	q{CREATE TABLE b0 PARTITION OF b FOR VALUES FROM (MINVALUE, MINVALUE) TO ('80000000-0000-0000-0000-000000000000', 0)},
	q{CREATE TABLE b1 PARTITION OF b FOR VALUES FROM ('80000000-0000-0000-0000-000000000000', 0) TO (MAXVALUE, MAXVALUE)},
	'CREATE TABLE l (id luuid, n int) PARTITION BY LIST (id)',
	q{CREATE TABLE l0 PARTITION OF l FOR VALUES IN ('00000000-0000-0000-0000-000000000000', NULL)}, 'CREATE TABLE l1 PARTITION OF l DEFAULT',
	map { "INSERT INTO $_ SELECT luuid_generate(), g FROM generate_series(1, 500) g" } qw(h b l));
my %rows = map { ($_ => "SELECT tableoid::regclass, md5(string_agg(concat(id, n), NULL ORDER BY n)) FROM $_ GROUP BY tableoid ORDER BY 1") } qw(h b l);
my %before = map { ($_ => sql('parted', $rows{$_})) } keys %rows;
my (%key, %bound);
$text = printed('parted');
while ($text =~ /^-- By hand: table public\.(\w): a partition key cannot change: .*\n--   (.*)\n((?:--   .*\n)+)/mg)
{
	my ($table, $key, $partitions) = ($1, $2, $3);
	$key{$table} = $key =~ s/ luuid_byte_ops//r;
	$bound{$table} = [ $partitions =~ /--   (.*)/g ];
}
sql_as('alice', 'parted', (map { my $table = $_; map { "ALTER TABLE $table DETACH PARTITION " . (split)[0] } @{ $bound{$table} } } sort keys %key),
	'DROP TABLE h, b, l');
printed('parted');
run_printed('parted');
is(has_luuid('parted'), 0, 'when the partitions of every kind are detached, the rest runs');
for my $table (sort keys %key)
{
	my @parts = map { (split)[0] } @{ $bound{$table} };
	sql_as('alice', 'parted', "CREATE TABLE $table (LIKE $parts[0] INCLUDING ALL) PARTITION BY $key{$table}",
		map { "ALTER TABLE $table ATTACH PARTITION $_" } @{ $bound{$table} });
	is(sql('parted', $rows{$table}), $before{$table}, "$key{$table}: every row is where it was");
}

my %recipe = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^<!-- (by_\w+\.\w+) -->\n```\w+\n(.*?)^```/gms;
my $rows = 'SELECT count(*), md5(string_agg(concat(id, n), NULL ORDER BY id::text)) FROM event';
created('alice', 'shop');
$node->create_keys('shop');
sql('shop', 'DROP VIEW lately; DROP TABLE booking; DROP INDEX plain_id_idx; DROP INDEX event_new_id_idx1, event_new_id_idx2, event_new_id_idx4,
	event_new_id_array_idx; DROP TABLE by_prefix');
my $before = sql('shop', $rows);
sql('shop', $recipe{'by_time_before.sql'});
printed('shop');
unlike(run_printed('shop'), qr/ERROR/, 'partitions by time: the statements run after the first part of the recipe');
sql('shop', $recipe{'by_time_after.sql'});
is(sql('shop', $rows), $before, '... every row is there after the second');
is(sql('shop', q{SELECT count(*) FROM event WHERE made_at >= '2019-05-05Z' AND made_at < '2019-05-06Z'}), '23', '... and found by its time');

created('postgres', 'shop', 'CREATE TABLE plain (id uuid, n int)', 'CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int)',
	'INSERT INTO event (n) SELECT generate_series(1, 1000)', 'CREATE VIEW recent AS SELECT * FROM event WHERE id > now()');
$before = sql('shop', $rows);
system_log('sh', '-c', "cd $dir && { $recipe{'by_dump.sh'} }");
is(sql('shop_uuid', $rows), $before, 'by dump: every row is there');
is(has_luuid('shop_uuid'), 0, '... and luuid is not');

# Schemas made at random -------------------------------------------------------------------------------------------------

my @types = qw(luuid luuid uuid luuid[] int text);
my @features = (
	'CREATE INDEX ON %s (a)', 'CREATE UNIQUE INDEX ON %s (a, k)', 'CREATE INDEX ON %s USING hash (a)', 'CREATE INDEX ON %s (k) WHERE n > 5',
	'ALTER TABLE %s ADD UNIQUE (a, b, k)', 'ALTER TABLE %s ALTER a SET DEFAULT NULL', q{COMMENT ON COLUMN %s.a IS 'luuid ''quoted'' "too"'},
	'GRANT SELECT ON %s TO bob WITH GRANT OPTION', 'ALTER TABLE %s OWNER TO bob', 'ALTER TABLE %s ADD CHECK (n < 100000)',
	q{ALTER TABLE %s ADD s text DEFAULT '::luuid, luuid_byte_ops'}, 'ALTER TABLE %s DROP b', 'CREATE INDEX ON %s (k luuid_byte_ops)',
	q{ALTER TABLE %s ADD "Ids" luuid[] DEFAULT '{}'}, 'ALTER TABLE %s ADD ids luuid[] DEFAULT ARRAY[]::luuid[]', 'ALTER TABLE %s ALTER k SET DEFAULT luuid_generate()',
	'CREATE VIEW v_%s AS SELECT k FROM %1$s ORDER BY k', 'ALTER TABLE %s ADD FOREIGN KEY (f) REFERENCES r', 'ALTER TABLE %s ADD FOREIGN KEY (a) REFERENCES r',
	'CREATE STATISTICS ON k, n FROM %s', 'CREATE TABLE child_of_%s (more luuid DEFAULT luuid_generate_v7()) INHERITS (%1$s)', 'CREATE INDEX ON ONLY %s (k)');
my @keys = ('', '', ' PARTITION BY HASH (k)', ' PARTITION BY LIST (k)', ' PARTITION BY RANGE (k luuid_byte_ops)', ' PARTITION BY LIST (n)', ' PARTITION BY LIST (n)');

# What to do by hand, as SQL.
sub by_hand
{
	my ($said) = @_;
	return "ALTER TABLE $2 OWNER TO alice; ALTER TABLE $1 OWNER TO alice" if $said =~ /^table (\S+): first give (\S+) the same owner/;
	return "DROP $1 $2 CASCADE" if $said =~ /^(?:rule _RETURN on )?(view|index|table|statistics)(?: object)? (\S+): /;
	die "by hand: $said";
}
my ($seed, %changed) = (int rand 1e9);
srand $seed;
for my $round (1 .. LuuidCluster::scaled(8))
{
	my @schema = ('GRANT CREATE ON SCHEMA public TO bob', 'CREATE TABLE r (k luuid PRIMARY KEY DEFAULT luuid_generate())', 'GRANT REFERENCES ON r TO bob',
		'INSERT INTO r SELECT luuid_generate() FROM generate_series(1, 20)');
	for my $table (map { "t$_" } 1 .. 4)
	{
		my $key = $keys[ rand @keys ];
		push @schema, sprintf 'CREATE TABLE %s (n int, k luuid, a %s, b %s, f luuid)%s', $table, (map { $types[ rand @types ] } 1, 2), $key;
		push @schema, "CREATE TABLE ${table}_all PARTITION OF $table" . ($key =~ /HASH/ ? ' FOR VALUES WITH (MODULUS 1, REMAINDER 0)' : ' DEFAULT') if $key;
		push @schema, "INSERT INTO $table (n, k, f) SELECT row_number() OVER (), luuid_generate(), k FROM r";
		my @tries = map { sprintf $features[ rand @features ], $table } 1 .. rand 7;
		# One that does not fit its table is left out.
		push @schema, map { sprintf 'DO $do$ BEGIN EXECUTE %s; EXCEPTION WHEN OTHERS THEN NULL; END $do$', '$made$' . $_ . '$made$' } @tries;
	}
	created('alice', 'random');
	sql('random', join('; ', 'SET client_min_messages = warning', @schema), extra_params => [ '-U', 'postgres' ]);
	sql('random', q{SELECT format('ALTER %s %s OWNER TO alice', CASE relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, c.oid::regclass) FROM pg_class AS c
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND relowner = 'postgres'::regrole \gexec});
	while ((my @hand = printed('random') =~ /^-- By hand: (?!.*: afterwards, )(.*)/mg))
	{
		# The first, since others can go with it.
		sql('random', by_hand($hand[0]));
		$changed{ $hand[0] =~ s/ .*//r }++;
	}
	converts('random', "seed $seed, round $round");
	is(has_luuid('random'), 0, '... and the extension is dropped');
}
note 'by hand: ', explain \%changed;

done_testing();
