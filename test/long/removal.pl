# luuid_removal.sql makes uuid of the luuid columns of its user's tables: dumps differ in types and defaults alone. Nobody's code
# runs with another's rights, whatever objects are called and do, and whenever. It is for that script, not for the module.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->started('removal', 'wal_level = logical', 'autovacuum = off', q{track_activities = off});
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my $dir = PostgreSQL::Test::Utils::tempdir();
my ($line) = slurp_file("$ENV{TESTDIR}/README.md") =~ /`(psql [^`]*luuid_removal\.sql" DATABASE)`/ or die;
my ($server) = `pg_config --version` =~ /(\d+)/;
sub sql { return $node->safe_psql(@_) }

sub sql_as
{
	my ($role, $database, @commands) = @_;
	return sql($database, join('; ', @commands), extra_params => [ '-U', $role ]);
}

sub created    # a new database with the schema, of that owner
{
	my ($owner, $name, @schema) = @_;
	sql('postgres', "DROP DATABASE IF EXISTS $name");
	sql('postgres', "CREATE DATABASE $name OWNER $owner");
	sql_as($owner, $name, 'SET client_min_messages = warning', 'CREATE EXTENSION luuid', @schema);
	return;
}

sub removed    # what README's line says, typed by that role
{
	my ($role, $database) = @_;
	local @ENV{qw(PGUSER PGAPPNAME)} = ($role, 'removal');
	IPC::Run::run([ 'sh', '-c', "cd $dir && " . $line =~ s/\bDATABASE\b/$database/r ], '>&', \my $said);
	return $said =~ s/^psql:.*?: //mgr;
}

sub dropped    # what dropping the extension would say
{
	my ($database) = @_;
	return ($node->psql($database, 'SET client_min_messages = error; BEGIN; DROP EXTENSION IF EXISTS luuid_contrib, luuid; ROLLBACK'))[2];
}

sub type_of    # of a column id; no operator of a test is called
{
	my ($database, $table) = @_;
	return sql($database, "SET search_path = pg_catalog; SELECT atttypid::regtype FROM pg_attribute WHERE attrelid = '$table'::regclass AND attname = 'id'");
}

sub safe    # that nobody became a superuser or ran a command of the shell, while a role removes; returns what that said
{
	my ($role, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $said = removed($role, $database);
	is(sql('postgres', q{SELECT string_agg(rolname, ' ') FROM pg_roles WHERE rolsuper}), 'postgres', "$name: nobody becomes a superuser");
	unlike($said, qr/spy is/, '... and no code of another is called');
	ok(!-e "$dir/broke_out", '... nor a command of the shell');
	return $said;
}

sub dump_of
{
	my ($database) = @_;
	my $text = join '', `pg_dump $database`;
	die 'pg_dump' if $?;
	return [ split /\n/, $text =~ s/^\\(un)?restrict.*\n//mgr ];
}

sub without_luuid    # a dump as it has to become
{
	my $text = join "\n", @{ $_[0] };
	my $v7 = $server < 18 ? 'gen_random_uuid()' : 'uuidv7()';
	$text =~ s/ DEFAULT luuid_generate_v7\(\)/ DEFAULT $v7/g;
	$text =~ s/ DEFAULT luuid_generate\(\)/ DEFAULT gen_random_uuid()/g;
	$text =~ s/^(\s+(?:\w+|"[^"]+") )luuid\b/$1uuid/mg;
	return [ split /\n/, $text =~ s/(?<=['\]])::luuid\b(?!')/::uuid/gr ];
}

# What is kept -------------------------------------------------------------------------------------------------------

sql('postgres', 'CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE carol LOGIN; CREATE ROLE "ALICE" LOGIN');
sql('postgres', q{SET allow_in_place_tablespaces = on; CREATE TABLESPACE elsewhere LOCATION ''; GRANT CREATE ON TABLESPACE elsewhere TO alice});
created('alice', 'kept', slurp_file("$ENV{TESTDIR}/kept.sql"));
my $marks = q{SELECT string_agg(concat_ws(' ', indexrelid::regclass, indisvalid, indisreplident, indisclustered, obj_description(indexrelid)), ', '
	ORDER BY indexrelid::regclass::text COLLATE "C") FROM pg_index WHERE indrelid >= 16384 AND indrelid::regclass::text !~ '^pg_'};
my $marked = sql('kept', $marks);
my $before = dump_of('kept');
is(removed('alice', 'kept'), "BEGIN\nSET\nSET\nDO\nCOMMIT\n", 'keys, indexes and partitions: nothing is left');
my $after = dump_of('kept');
is_deeply($after, without_luuid($before), '... the dump differs in types and defaults alone');
is(sql('kept', $marks), $marked, '... indexes keep their names, marks and comments, and are valid');
my $catalogs = q{SELECT format('SELECT %L, md5(string_agg(concat_ws('' '', ctid, xmin, xmax, t), '','' ORDER BY ctid)) FROM %1$s AS t', oid::regclass)
	FROM pg_class WHERE relkind = 'r' AND relpersistence <> 't' ORDER BY oid \gexec};
my $state = sql('kept', $catalogs);
removed($_, 'kept') for qw(alice bob postgres);
is(sql('kept', $catalogs), $state, 'a second run changes no row of a catalog or a table');
sql_as('alice', 'kept', 'DROP EXTENSION luuid_contrib, luuid');
like(removed('alice', 'kept'), qr/ERROR:  type "luuid" does not exist/, '... and without the extension, it ends at once');
$after = dump_of('kept');
sql('postgres', 'CREATE DATABASE restored');
append_to_file("$dir/kept.sql", join "\n", @$after, '');
system_log('psql', '-Xqv', 'ON_ERROR_STOP=1', '-f', "$dir/kept.sql", 'restored');
is_deeply(dump_of('restored'), $after, 'the dump restores without luuid');
sql($_, 'CREATE EXTENSION amcheck; SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
	JOIN pg_am AS a ON a.oid = relam WHERE amname = \'btree\' AND relkind = \'i\' AND relpersistence = \'p\'') for qw(kept restored);

# Keys in circles, of several columns and to itself, a column that is both, and what is done twice.
created('alice', 'circle', 'CREATE TABLE a (id luuid PRIMARY KEY, n int, UNIQUE (id, n), self luuid REFERENCES a)',
	'CREATE TABLE b (id luuid PRIMARY KEY REFERENCES a ON DELETE CASCADE, n int, FOREIGN KEY (id, n) REFERENCES a (id, n) MATCH FULL)',
	'ALTER TABLE a ADD FOREIGN KEY (id) REFERENCES b DEFERRABLE INITIALLY DEFERRED', 'CREATE TABLE u (u uuid REFERENCES a)',
	'BEGIN', 'INSERT INTO a SELECT id, 1, id FROM luuid_generate() AS id', 'INSERT INTO b SELECT id, n FROM a', 'INSERT INTO u SELECT id FROM a', 'COMMIT');
for my $run (1, 2)
{
	unlike(removed('alice', 'circle'), qr/ERROR|NOTICE/, "foreign keys in a circle: run $run");
	is(sql('circle', q{SELECT count(*), bool_and(convalidated) FROM pg_constraint WHERE contype = 'f'}), '5|t', '... all are there');
	is(dropped('circle'), '', '... and the extension can be dropped');
}

# What is hostile ------------------------------------------------------------------------------------------------------

# Each in a schema of its own, whose name takes the place of %s, with what its owner's removal and then DROP EXTENSION say.
# A role whose functions make it superuser wherever they can creates what it may. Names end comments and quotes.
my $event = 'CREATE TABLE e (id luuid, n int) PARTITION BY';
my @kinds = (
	[ 'an overload', 'function %s.audit(luuid) depends on', 'CREATE FUNCTION audit(luuid) RETURNS void LANGUAGE sql AS $$ SELECT $$' ],
	[ 'an aggregate', 'function %s.a(luuid) depends on', 'CREATE AGGREGATE a(luuid) (SFUNC = luuid_larger, STYPE = luuid)' ],
	[ 'an operator', 'operator %s.##(luuid,integer) depends on', 'CREATE FUNCTION f(luuid, int) RETURNS bool LANGUAGE sql AS $$ SELECT true $$',
		'CREATE OPERATOR ## (FUNCTION = f, LEFTARG = luuid, RIGHTARG = int)' ],
	[ 'a generated column', 'ERROR:  cannot alter type of a column used by a generated column', 'ALTER TABLE t ADD g int GENERATED ALWAYS AS (luuid_shard(id, 8)) STORED' ],
	[ '... of a child alone', 'ERROR:  cannot alter type of a column used by a generated column', 'CREATE TABLE c (g bool GENERATED ALWAYS AS (id IS NULL) STORED) INHERITS (t)' ],
	[ 'a default of another type', 'default value for column d of table %s.t depends on', 'ALTER TABLE t ADD d text DEFAULT luuid_to_base32(luuid_generate())' ],
	[ '... or of several ids', 'default value for column d of table %s.t depends on', 'ALTER TABLE t ADD d luuid[] DEFAULT ARRAY[luuid_generate()]' ],
	[ 'a check of the order', '%s.t keeps luuid because of constraint later on table %s.t', 'ALTER TABLE t ADD CONSTRAINT later CHECK (id > pred)' ],
	[ 'a check that calls', '%s.t keeps luuid because of constraint k on table %s.t', 'CREATE FUNCTION f(luuid) RETURNS bool LANGUAGE sql AS $$ SELECT true $$',
		'ALTER TABLE t ADD CONSTRAINT k CHECK (f(id))' ],
	[ 'a view in order', 'ERROR:  cannot alter type of a column used by a view or rule', "CREATE VIEW v AS SELECT n, E'\nALTER ROLE bob SUPERUSER; --'::text AS t FROM t ORDER BY id" ],
	[ 'a materialized view', 'ERROR:  cannot alter type of a column used by a view or rule', 'CREATE MATERIALIZED VIEW v AS SELECT id FROM t' ],
	[ 'a policy', 'ERROR:  cannot alter type of a column used in a policy', 'CREATE POLICY p ON t USING (id > pred AND spy(n))', 'ALTER TABLE t ENABLE ROW LEVEL SECURITY' ],
	[ 'a trigger', 'ERROR:  cannot alter type of a column used in a trigger', 'CREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW WHEN (NEW.id > OLD.id AND spy(NEW.n))
		EXECUTE FUNCTION suppress_redundant_updates_trigger()' ],
	[ 'a rule', 'ERROR:  cannot alter type of a column used by a view or rule', 'CREATE RULE r AS ON DELETE TO t WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING' ],
	[ 'an index of an expression', '%s.t keeps luuid because of index %s.i', 'CREATE INDEX i ON t ((id::timestamptz))' ],
	[ 'an index of another class', 'index %s.i depends on', 'CREATE INDEX i ON t (id luuid_byte_ops)' ],
	[ 'an index by time of uuid', 'index %s.i depends on', 'CREATE TABLE u (id uuid)', 'CREATE INDEX i ON u (id uuid_time_ops)' ],
	[ 'a predicate', '%s.t keeps luuid because of index %s.i', q{CREATE INDEX i ON t (n) WHERE id > luuid_floor('2020-01-01Z') AND spy(n)} ],
	[ 'statistics', '', 'CREATE STATISTICS s ON id, n FROM t' ],
	[ '... of an expression', '%s.t keeps luuid because of statistics object %s.s', 'CREATE STATISTICS s ON (spy(n)), id FROM t' ],
	[ 'a list of columns', 'ERROR:  cannot alter type of a column used by a publication', 'CREATE PUBLICATION listed FOR TABLE t (id)' ],
	[ 'a domain', 'type %s.d depends on', 'CREATE DOMAIN d AS luuid CHECK (spy(1))', 'ALTER TABLE t ADD d d' ],
	[ 'a domain whose default casts', 'type %s.d depends on', 'CREATE DOMAIN d AS uuid DEFAULT luuid_generate_v7()', 'ALTER TABLE t ADD d d' ],
	[ 'a range type', 'type %s.d depends on', 'CREATE TYPE d AS RANGE (SUBTYPE = luuid)' ],
	[ 'a composite type', 'composite type %s.d keeps luuid', 'CREATE TYPE d AS (a luuid)', 'CREATE TABLE c (c d)' ],
	[ 'a table of it', 'table %s.c keeps luuid', 'CREATE TYPE d AS (a luuid)', 'CREATE TABLE c OF d (CHECK (spy(1)))' ],
	[ 'a column of the row', 'ERROR:  cannot alter table "t" because column "c.t" uses its row type', 'CREATE TABLE c (t t)' ],
	[ 'a cast', 'cast from text to luuid depends on', 'CREATE CAST (text AS luuid) WITH INOUT' ],
	[ 'an operator class', 'operator class %s.c for access method hash depends on',
		'CREATE OPERATOR CLASS c FOR TYPE luuid USING hash AS OPERATOR 1 =, FUNCTION 1 luuid_hash(luuid)' ],
	[ 'partitions by time', q{%s.p keeps luuid because of table %s.e: FOR VALUES FROM (MINVALUE) TO ('2020-01-01 00:00:00+00')}, "$event RANGE (id)",
		q{CREATE TABLE p PARTITION OF e FOR VALUES FROM (MINVALUE) TO (luuid_floor('2020-01-01Z'))} ],
	[ 'partitions by a list', q{%s.p keeps luuid because of table %s.e: FOR VALUES IN ('00000000-0000-0000-0000-000000000000', NULL)}, "$event LIST (id)",
		q{CREATE TABLE p PARTITION OF e FOR VALUES IN ('00000000-0000-0000-0000-000000000000', NULL)} ],
	[ 'partitions by an expression', '%s.e keeps luuid because of column id of table %s.e', "$event LIST ((id IS NULL))" ],
	[ 'two levels of partitions', '%s.e keeps luuid because of table %s.f', "$event LIST (n)", 'CREATE TABLE f PARTITION OF e DEFAULT PARTITION BY HASH (id)' ],
	[ 'partitions of uuid by time', 'table %s.e depends on', 'CREATE TABLE e (id uuid) PARTITION BY RANGE (id uuid_time_ops)' ],
	[ 'a child of another owner', '%s.t keeps luuid because of table %s.c', 'CREATE TABLE c () INHERITS (t)', 'ALTER TABLE c OWNER TO alice' ],
	[ 'a key of another owner', '%s.t keeps luuid because of constraint c_id_fkey on table %s.c', 'CREATE TABLE c (id luuid REFERENCES t)', 'ALTER TABLE c OWNER TO alice' ],
	[ 'a foreign table', 'foreign table %s.f keeps luuid', 'CREATE FOREIGN TABLE f (id luuid) SERVER far' ],
	[ 'a quote by standard_conforming_strings', 'default value for column d2 of table %s.t depends on', map { "ALTER TABLE t ADD $_" }
		q{d1 text DEFAULT CASE WHEN NULL::luuid IS NULL THEN ('{1}'::off[])::text END},
		q{d2 text DEFAULT CASE WHEN NULL::luuid IS NULL THEN '\'' \! touch broke_out #' END} ],
	[ '... by client_encoding', 'default value for column d2 of table %s.t depends on', map { "ALTER TABLE t ADD $_" }
		q{d1 text DEFAULT CASE WHEN NULL::luuid IS NULL THEN ('{1}'::off[])::text END},
		q{d2 text DEFAULT CASE WHEN NULL::luuid IS NULL THEN '€'' \! touch broke_out #' END} ]);
my @spy = (q{CREATE FUNCTION spy(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	IF session_user <> 'bob' AND current_setting('application_name') = 'removal' THEN RAISE NOTICE 'spy is %', current_user; END IF;
	IF current_setting('application_name') || current_setting('is_superuser') = 'removalon' THEN ALTER ROLE bob SUPERUSER; END IF; RETURN true; END $$},
	q{CREATE FUNCTION off(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('client_encoding', 'GBK', false);
	PERFORM set_config('standard_conforming_strings', 'off', false); RETURN true; EXCEPTION WHEN OTHERS THEN RETURN true; END $$},
	'CREATE DOMAIN off AS int CHECK (off(VALUE))',
	# Of these names, functions and operators with better matching types would be called instead of PostgreSQL's.
	'CREATE FUNCTION format(text, regclass) RETURNS text LANGUAGE sql AS $$ SELECT spy(1)::text $$',
	'CREATE FUNCTION same(oid, regclass) RETURNS bool LANGUAGE sql AS $$ SELECT spy(1) $$',
	'CREATE OPERATOR = (FUNCTION = same, LEFTARG = oid, RIGHTARG = regclass)');
created('bob', 'hostile', @spy);
sql('hostile', 'CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far; GRANT USAGE ON FOREIGN SERVER far TO bob;
	CREATE SCHEMA safe; CREATE TABLE safe.t (id luuid PRIMARY KEY)');
sql('postgres', 'ALTER DATABASE hostile SET search_path = public, pg_catalog');
for my $n (0 .. $#kinds)
{
	my ($name, $expected, @schema) = @{ $kinds[$n] };
	my $schema = qq{"S$n""\nALTER ROLE bob SUPERUSER;\r\\! touch broke_out #"};
	for my $command ("CREATE SCHEMA $schema", 'CREATE TABLE t (id luuid PRIMARY KEY DEFAULT luuid_generate(), pred luuid, n int CHECK (spy(n)))',
		'CREATE INDEX ON t ((spy(n)))', 'INSERT INTO t (n) VALUES (1)', @schema)
	{
		my @command = ("SET client_min_messages = error; SET search_path = $schema, public, pg_catalog; $command");
		# What only a superuser may create.
		sql('hostile', @command) if ($node->psql('hostile', @command, extra_params => [ '-U', 'bob' ]))[0];
	}
	sql('hostile', 'ALTER TABLE safe.t ALTER id TYPE luuid');
	safe('postgres', 'hostile', "$name, for a superuser");
	is(join(' ', type_of('hostile', 'safe.t'), type_of('hostile', "$schema.t")), 'uuid luuid', '... whose table alone is changed');
	my $said = safe('bob', 'hostile', "$name, for its owner") . dropped('hostile');
	like($said, qr/\Q${\($expected =~ s{%s}{$schema}gr)}\E/, '... of which the rest is named');
	my $stays = $expected =~ /^ERROR|^%s\.t keeps/ ? 'luuid' : 'uuid';
	is(join(' ', type_of('hostile', "$schema.t"), sql('hostile', "SELECT count(*) FROM $schema.t")), "$stays 1", '... and the table is changed, or as it was');
	sql('hostile', "SET client_min_messages = error; DROP PUBLICATION IF EXISTS listed; DROP SCHEMA $schema CASCADE; DROP CAST IF EXISTS (text AS luuid)");
}

# Whose rights -----------------------------------------------------------------------------------------------------------

# Two owners, with keys between their tables: each changes the others, then what was in the way.
created('alice', 'two', 'CREATE TABLE parent (id luuid PRIMARY KEY)', 'CREATE TABLE plain (id luuid PRIMARY KEY)', 'CREATE TABLE child (id luuid REFERENCES parent)',
	'GRANT REFERENCES ON parent TO bob', 'INSERT INTO parent SELECT luuid_generate()', 'INSERT INTO child TABLE parent');
sql('two', 'CREATE SCHEMA b AUTHORIZATION bob');
sql_as('bob', 'two', 'CREATE TABLE b.child (id luuid, CONSTRAINT c FOREIGN KEY (id) REFERENCES public.parent)', 'CREATE TABLE b.plain (id luuid[])');
like(removed('alice', 'two'), qr/public\.parent keeps luuid because of constraint c on table b\.child/, 'a table with a key of another owner is named');
is(join(' ', map { type_of('two', $_) } qw(public.parent public.child public.plain b.child b.plain)), 'luuid luuid uuid luuid luuid[]', '... and stays with what it is joined to');
sql_as('bob', 'two', 'ALTER TABLE b.child DROP CONSTRAINT c');
is(join('', map { removed($_, 'two') } qw(alice bob)) =~ s/^(BEGIN|SET|DO|COMMIT)\n//mgr, '', '... until its owner drops the key');
is(dropped('two'), '', '... and then nothing uses the extension');

# A session that another role began could have its rights back, as by a setting of the database's owner.
created('bob', 'session', $spy[0], 'CREATE TABLE t (id luuid, n int CHECK (spy(n)))', 'ALTER DATABASE session SET role = bob');
for my $options ('', '-c role=bob')
{
	local $ENV{PGOPTIONS} = $options;
	like(safe('postgres', 'session', "SET ROLE $options"), qr/ERROR:  role bob did not begin this session/, '... it is refused');
}
sql('postgres', 'ALTER DATABASE session RESET role');
sql('session', 'ALTER TABLE t OWNER TO alice');
unlike(safe('ALICE', 'session', 'the same name in another case') . type_of('session', 'public.t'), qr/uuid$(?<!luuid)/, '... is another role');

# A superuser's table can be replaced where others have a say on its schema.
created('postgres', 'schemas', 'CREATE SCHEMA app', 'CREATE TABLE app.t (id luuid)', 'CREATE ROLE of_bob ROLE bob');
for my $say ('ALTER SCHEMA app OWNER TO bob', 'ALTER SCHEMA app OWNER TO of_bob', 'GRANT CREATE ON SCHEMA app TO bob', 'GRANT CREATE ON SCHEMA app TO PUBLIC',
	'ALTER SCHEMA app OWNER TO pg_database_owner; ALTER DATABASE schemas OWNER TO bob')
{
	sql('schemas', $say);
	like(removed('postgres', 'schemas'), qr/ERROR:  role \w+ can put tables in the place of those in app/, "$say: a superuser stops");
	sql('schemas', 'ALTER SCHEMA app OWNER TO postgres; REVOKE CREATE ON SCHEMA app FROM bob, PUBLIC; ALTER DATABASE schemas OWNER TO postgres');
}
is(type_of('schemas', 'app.t'), 'luuid', '... before anything is changed');
sql('schemas', 'ALTER SCHEMA app OWNER TO pg_database_owner');
unlike(removed('postgres', 'schemas'), qr/ERROR/, 'where nobody has, the table is changed');

# What a name or a cast means is not looked up again: others could have given it another meaning.
created('alice', 'meaning', $spy[0], 'GRANT CREATE ON SCHEMA public TO bob', 'CREATE FUNCTION fine(luuid) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT true $$',
	'CREATE TABLE checked (id luuid CHECK (fine(id)))', 'CREATE TABLE indexed (id luuid)', 'CREATE INDEX ON indexed (id) WHERE fine(id)', 'CREATE TABLE parent (id luuid PRIMARY KEY)',
	q{INSERT INTO parent VALUES ('00000000-0000-0000-0000-000000000001')}, 'INSERT INTO checked TABLE parent', 'INSERT INTO indexed TABLE parent');
my @cast = (q{CREATE FUNCTION c(evil) RETURNS TYPE IMMUTABLE LANGUAGE sql AS $$ SELECT '00000000-0000-0000-0000-000000000001'::TYPE WHERE public.spy(1) $$},
	'CREATE CAST (evil AS TYPE) WITH FUNCTION c(evil) AS IMPLICIT');
sql_as('bob', 'meaning', 'CREATE FUNCTION fine(uuid) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT public.spy(1) $$', q{CREATE TYPE evil AS ENUM ('a')},
	map { s/TYPE/luuid/gr } @cast);
sql_as('alice', 'meaning', 'SET client_min_messages = error', 'CREATE TABLE child (id evil)', q{INSERT INTO child VALUES ('a')}, 'ALTER TABLE child ADD FOREIGN KEY (id) REFERENCES parent NOT VALID');
sql_as('bob', 'meaning', 'DROP CAST (evil AS luuid)', 'DROP FUNCTION c(evil)', map { s/TYPE/uuid/gr } @cast);
my $said = safe('alice', 'meaning', 'a function of a better matching type, a new cast');
like($said, qr/public\.$_ keeps luuid because of/, "... $_ is left to do by hand") for qw(checked indexed parent child);

# Meanwhile ----------------------------------------------------------------------------------------------------------------

# While the removal waits for a lock that another session holds, this changes the table.
my $waits = 'DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP; END $$';
my @meanwhile = (
	[ 'the table is given away', 'ALTER TABLE app.t ADD CHECK (spy(n)); ALTER TABLE app.t OWNER TO bob' ],
	[ 'another takes its name', 'ALTER TABLE app.t RENAME TO s; CREATE TABLE app.t (LIKE app.s, CHECK (spy(n))); INSERT INTO app.t TABLE app.s; ALTER TABLE app.t OWNER TO bob' ],
	[ 'another takes the name of its schema', 'LOCK TABLE app.t; ALTER SCHEMA app RENAME TO ppa; CREATE SCHEMA app; CREATE TABLE app.t (LIKE ppa.t, CHECK (spy(n)));
		INSERT INTO app.t TABLE ppa.t; ALTER TABLE app.t OWNER TO bob' ],
	[ 'it gets a child', 'CREATE TABLE app.c (CHECK (spy(n))) INHERITS (app.t); INSERT INTO app.c TABLE app.t; ALTER TABLE app.c OWNER TO bob; LOCK TABLE app.t' ],
	[ '... of a child', 'CREATE TABLE app.c () INHERITS (app.t); CREATE TABLE app.d (CHECK (spy(n))) INHERITS (app.c); INSERT INTO app.d TABLE app.t;
		ALTER TABLE app.d OWNER TO bob; LOCK TABLE app.t' ],
	[ 'it gets a key', 'ALTER TABLE app.t ADD PRIMARY KEY (id); CREATE TABLE app.c (id luuid REFERENCES app.t, n int CHECK (spy(n))); ALTER TABLE app.c OWNER TO bob' ],
	[ 'it is dropped', 'DROP TABLE app.t; CREATE FOREIGN TABLE app.t (id luuid, ids luuid[], n int) SERVER far; ALTER TABLE app.t OWNER TO bob' ]);
for my $isolation ('read committed', 'repeatable read')
{
	for (@meanwhile)
	{
		my ($name, $change) = @$_;
		created('postgres', 'meanwhile', $spy[0], 'CREATE SCHEMA app', 'CREATE TABLE app.t (id luuid, ids luuid[], n int)', 'INSERT INTO app.t SELECT luuid_generate()',
			'CREATE FOREIGN DATA WRAPPER far', 'CREATE SERVER far FOREIGN DATA WRAPPER far', "ALTER DATABASE meanwhile SET default_transaction_isolation = '$isolation'");
		my $other = $node->background('psql', '-XqAt', '-d', $node->connstr('meanwhile'), '-c', "BEGIN; $change; SELECT 'changed'", '-c', $waits, '-c', 'COMMIT');
		LuuidCluster::wait_until('the change', sub { $other->{out} =~ /changed/ }, $other);
		safe('postgres', 'meanwhile', "$name, $isolation");
		$other->{run}->finish;
		is($other->{err}, '', '... which was then committed');
		is(sql('meanwhile', q{SELECT count(*) FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
			WHERE atttypid = 'uuid'::regtype AND pg_get_userbyid(relowner) = 'bob'}), '0', '... and no table of another is changed');
	}
}

# By hand ------------------------------------------------------------------------------------------------------------------

my %recipe = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^<!-- (by_hand_\w+\.sql) -->\n```\w+\n(.*?)^```/gms;
created('alice', 'shop', q{CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int,
		CONSTRAINT since CHECK (id >= timestamptz '2010-01-01Z')) PARTITION BY RANGE (id)},
	q{CREATE TABLE event_old PARTITION OF event FOR VALUES FROM (MINVALUE) TO (luuid_floor('2020-01-01Z'))},
	q{CREATE TABLE event_new PARTITION OF event FOR VALUES FROM (luuid_floor('2020-01-01Z')) TO (MAXVALUE)},
	q{CREATE VIEW lately AS SELECT n FROM event WHERE id >= now() - interval '1 day'}, 'INSERT INTO event (n) SELECT generate_series(1, 9)',
	q{INSERT INTO event SELECT luuid_generate(timestamptz '2019-05-05Z' + g * interval '1 hour'), g FROM generate_series(1, 50) AS g},
	'INSERT INTO event VALUES (gen_random_uuid(), 0)');
my $rows = 'SELECT count(*), md5(string_agg(concat(tableoid::regclass, id, n), NULL ORDER BY id::text)) FROM event';
my $had = sql('shop', $rows);
sql_as('alice', 'shop', $recipe{'by_hand_before.sql'});
unlike(removed('alice', 'shop'), qr/ERROR|NOTICE/, 'after the first part of the recipe, nothing is left');
sql_as('alice', 'shop', 'DROP EXTENSION luuid', $recipe{'by_hand_after.sql'});
is(sql('shop', $rows), $had, 'after the second, every row is where it was');
is(sql('shop', q{SELECT count(*) FROM event WHERE made_at < '2019-05-06Z'}) . sql('shop', 'SELECT count(*) FROM lately'), '2310', '... and found by its time');

done_testing();
