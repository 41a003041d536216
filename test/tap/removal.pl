# luuid_removal.sql changes luuid to uuid in the tables of its user, and nothing else in a dump. No code runs with another's rights.
# needs: release
use LuuidCluster;

my $node = LuuidCluster->started('removal', 'wal_level = logical', 'max_wal_senders = 4', 'restart_after_crash = on', 'autovacuum = off',
	'timezone = UTC', 'allow_in_place_tablespaces = on');
@ENV{qw(PGHOST PGPORT)} = ($node->host, $node->port);
my $dir = PostgreSQL::Test::Utils::tempdir();
my ($line) = slurp_file("$ENV{TESTDIR}/README.md") =~ /`(psql [^`]*luuid_removal\.sql" DATABASE)`/ or die;
sub sql { return $node->safe_psql(@_) }
sub sql_as { my ($role, $database, @commands) = @_; return sql($database, join('; ', @commands), extra_params => [ '-U', $role ]) }

sub created    # a new database with the schema, of that owner
{
	my ($owner, $name, @schema) = @_;
	sql('postgres', $_) for "DROP DATABASE IF EXISTS $name", "CREATE DATABASE $name OWNER $owner";
	return sql_as($owner, $name, 'SET client_min_messages = error', 'CREATE EXTENSION luuid', @schema);
}

sub removed    # what README's line says, typed by that role, perhaps with options of psql
{
	my ($role, $database, $options, @more) = @_;
	local @ENV{qw(PGUSER PGAPPNAME)} = ($role, 'removal');
	my $typed = $line =~ s{-X}{'-X ' . ($options // '')}er =~ s/\bDATABASE\b/$database/r;
	IPC::Run::run([ 'sh', '-c', "cd $dir && $typed \"\$@\"", 'sh', @more ], '>&', \my $said);
	return $said =~ s/^psql:.*?: //mgr;
}

sub safe    # the same; nobody becomes a superuser meanwhile, and no code of another role runs
{
	my ($role, $database, $name, @options) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $said = removed($role, $database, @options);
	is(sql('postgres', q{SELECT string_agg(rolname, ' ') FROM pg_roles WHERE rolsuper}), 'postgres', "$name: nobody becomes a superuser");
	ok($said !~ /spy is/ && !-e "$dir/broke_out", '... and no code of another is called') or diag $said;
	return $said;
}

sub dropped { return ($node->psql($_[0], 'BEGIN; DROP EXTENSION luuid; ROLLBACK'))[2] }
sub type_of { return sql($_[0], "SELECT pg_typeof((SELECT id FROM $_[1] LIMIT 1))") }
sub dump_of { return [ grep { !/^\\(un)?restrict/ } split /^/, `pg_dump $_[0]` ] }

# What is kept -------------------------------------------------------------------------------------------------------

sql('postgres', 'CREATE ROLE alice LOGIN; CREATE ROLE bob LOGIN; CREATE ROLE "ALICE" LOGIN');
sql('postgres', q{CREATE TABLESPACE elsewhere LOCATION ''; GRANT CREATE ON TABLESPACE elsewhere TO alice});
created('alice', 'kept', slurp_file("$ENV{TESTDIR}/kept.sql"));
my $v7 = sql('kept', q{SELECT coalesce(to_regprocedure('uuidv7()')::text, 'gen_random_uuid()')});
my @expected = map { s/ DEFAULT luuid_generate_v7\(\)/ DEFAULT $v7/r =~ s/ DEFAULT luuid_generate\(\)/ DEFAULT gen_random_uuid()/r
		=~ s/^(\s+(?:\w+|"[^"]+") )luuid\b/$1uuid/r =~ s/ DEFAULT ('[^']*'|ARRAY\[\])::luuid/ DEFAULT $1::uuid/r } @{ dump_of('kept') };
is(removed('alice', 'kept'), "BEGIN\nSET\nDO\nCOMMIT\n", 'keys and indexes: nothing is left');
is_deeply(dump_of('kept'), \@expected, '... the dump differs in types and defaults alone');
my $catalogs = q{SELECT format('SELECT %L, md5(string_agg(concat_ws('' '', ctid, xmin, xmax, t), '','' ORDER BY ctid)) FROM %1$s AS t', oid::regclass)
	FROM pg_class WHERE relkind = 'r' AND relpersistence <> 't' ORDER BY oid \gexec};
my $state = sql('kept', $catalogs);
removed($_, 'kept') for qw(alice bob postgres);
is(sql('kept', $catalogs), $state, 'a second run changes no row of a catalog or a table');
sql_as('alice', 'kept', 'DROP EXTENSION luuid_contrib, luuid');
like(removed('alice', 'kept'), qr/ERROR:  type "luuid" does not exist/, '... and without the extension, it ends at once');
system_log('sh', '-c', 'createdb restored && pg_dump kept | psql -Xqv ON_ERROR_STOP=1 restored');
is_deeply(dump_of('restored'), dump_of('kept'), 'the dump restores without luuid');
sql($_, 'CREATE EXTENSION amcheck; SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
	JOIN pg_am AS a ON a.oid = relam WHERE amname = \'btree\' AND relkind = \'i\' AND relpersistence = \'p\'') for qw(kept restored);

# What is hostile ------------------------------------------------------------------------------------------------------

# Each in a schema of its own, whose name takes the place of %s, with what its owner's removal and then DROP EXTENSION say.
# A role whose functions make it superuser wherever they can creates what it may. Names end comments and quotes.
my $left = 'luuid stays in column id of table %s.t: ';
my ($event, $composite) = ('CREATE TABLE e (id luuid, n int) PARTITION BY', 'CREATE TYPE d AS (a luuid)');
my $in = q{FOR VALUES IN ('00000000-0000-0000-0000-000000000000', NULL)};
my ($d1, $d2) = map { "ALTER TABLE t ADD $_ text DEFAULT CASE WHEN NULL::luuid IS NULL THEN" } qw(d1 d2);
my @kinds = (
	[ 'an overload', 'function %s.f(luuid) depends on', 'CREATE FUNCTION f(luuid) RETURNS void LANGUAGE sql AS $$ SELECT $$' ],
	[ 'a function body', "${left}function %s.f()", 'CREATE FUNCTION f() RETURNS luuid LANGUAGE sql BEGIN ATOMIC SELECT id FROM t; END' ],
	[ 'an aggregate', 'function %s.a(luuid) depends on', 'CREATE AGGREGATE a(luuid) (SFUNC = luuid_larger, STYPE = luuid)' ],
	[ 'an operator', 'operator %s.##(luuid,luuid) depends on', 'CREATE OPERATOR ## (FUNCTION = luuid_eq, LEFTARG = luuid, RIGHTARG = luuid)' ],
	[ 'a generated column', "${left}default value for column g of", 'ALTER TABLE t ADD g int GENERATED ALWAYS AS (luuid_shard(id, 8)) STORED' ],
	[ 'a default of a text', 'default value for column d of table %s.t depends on', 'ALTER TABLE t ADD d text DEFAULT luuid_generate()::text' ],
	[ 'a generator in an array', 'default value for column d of table %s.t depends on luuid: ALTER', 'ALTER TABLE t ADD d luuid[] DEFAULT ARRAY[luuid_generate()]' ],
	[ 'a check of the order', "${left}constraint later on", 'ALTER TABLE t ADD CONSTRAINT later CHECK (id > pred)' ],
	[ 'an exclusion', "${left}constraint once on", 'ALTER TABLE t ADD CONSTRAINT once EXCLUDE USING btree (id WITH =)' ],
	[ 'a view in order', "${left}rule _RETURN on view", "CREATE VIEW v AS SELECT E'\nALTER ROLE bob SUPERUSER; --'::text AS t FROM t ORDER BY id" ],
	[ 'a materialized view', "${left}rule _RETURN on materialized", 'CREATE MATERIALIZED VIEW v AS SELECT id FROM t' ],
	[ 'a policy', "${left}policy p on", 'CREATE POLICY p ON t USING (id > pred AND spy(n))', 'ALTER TABLE t ENABLE ROW LEVEL SECURITY' ],
	[ 'a trigger', "${left}trigger r on", "CREATE TRIGGER r BEFORE UPDATE OF id ON t EXECUTE FUNCTION suppress_redundant_updates_trigger()" ],
	[ 'a rule', "${left}rule r on", 'CREATE RULE r AS ON DELETE TO t WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING' ],
	[ 'a sequence', "${left}sequence %s.s", 'CREATE SEQUENCE s OWNED BY t.id' ],
	[ 'an index of an expression', "${left}index %s.i", 'CREATE INDEX i ON t ((id::timestamptz))' ],
	[ 'an index of another class', 'index %s.i depends on', 'CREATE INDEX i ON t (id luuid_byte_ops)' ],
	[ 'an index of uuid as luuid', 'index %s.i depends on luuid: DROP INDEX %s.i;', 'CREATE TABLE u (id uuid)', 'CREATE INDEX i ON u ((id::luuid))' ],
	[ 'an index by time of uuid', 'index %s.i depends on luuid: DROP INDEX %s.i;', 'CREATE TABLE u (id uuid)', 'CREATE INDEX i ON u (id uuid_time_ops)' ],
	[ 'a predicate', "${left}index %s.i", q{CREATE INDEX i ON t (n) WHERE id > luuid_floor('2020-01-01Z') AND spy(n)} ],
	[ 'statistics', "${left}statistics object %s.s", 'CREATE STATISTICS s ON (spy(n)), id FROM t' ],
	[ 'a list of columns', "${left}publication of table", 'CREATE PUBLICATION listed FOR TABLE t (id)' ],
	[ 'a domain', 'type %s.d depends on', 'CREATE DOMAIN d AS luuid CHECK (spy(1))', 'ALTER TABLE t ADD d d' ],
	[ 'a domain whose default casts', 'type %s.d depends on', 'CREATE DOMAIN d AS uuid DEFAULT luuid_generate_v7()', 'ALTER TABLE t ADD d d' ],
	[ 'the type of time comparisons', 'luuid stays in column s of table %s.u: ALTER TABLE %s.u ALTER s TYPE tstzrange;', 'CREATE TABLE u (s luuid_slice)' ],
	[ 'a range type', 'type %s.d depends on', 'CREATE TYPE d AS RANGE (SUBTYPE = luuid)' ],
	[ 'a composite type', 'luuid stays in column a of composite type %s.d', $composite, 'CREATE TABLE c (c d)' ],
	[ 'a table of it', 'luuid stays in column a of table %s.c: OF %s.d', $composite, 'CREATE TABLE c OF d (CHECK (spy(1)))' ],
	[ 'a column of the row', 'ERROR:  cannot alter table "t" because column "c.t" uses its row type', 'CREATE TABLE c (t t)' ],
	[ 'a cast', 'cast from text to luuid depends on', 'CREATE CAST (text AS luuid) WITH INOUT' ],
	[ 'an operator class', 'operator class %s.c for', 'CREATE OPERATOR CLASS c FOR TYPE luuid USING hash AS FUNCTION 1 luuid_hash(luuid)' ],
	[ 'partitions by time', q{column id of table %s.p: FOR VALUES FROM (MINVALUE) TO ('2020-01-01 00:00:00+00')},
		"$event RANGE (id)", q{CREATE TABLE p PARTITION OF e FOR VALUES FROM (MINVALUE) TO (luuid_floor('2020-01-01Z'))} ],
	[ 'partitions by a list', "column id of table %s.p: $in", "$event LIST (id)", "CREATE TABLE p PARTITION OF e $in" ],
	[ '... by bytes', 'luuid stays in column id of table %s.e: PARTITION BY RANGE (n, id luuid_byte_ops)', "$event RANGE (n, id luuid_byte_ops)" ],
	[ '... of uuid by time', 'table %s.e depends on', 'CREATE TABLE e (id uuid) PARTITION BY RANGE (id uuid_time_ops)' ],
	[ 'a child of another owner', "${left}inheritance of %s.c", 'CREATE TABLE c () INHERITS (t)', 'ALTER TABLE c OWNER TO alice' ],
	[ 'a key of another owner', "${left}constraint c_id_fkey on", 'CREATE TABLE c (id luuid REFERENCES t)', 'ALTER TABLE c OWNER TO alice' ],
	[ 'a foreign table', 'luuid stays in column id of foreign table %s.f', 'CREATE FOREIGN TABLE f (id luuid) SERVER far' ],
	map { [ "what ends quotes by $_->[0]", 'default value for column d2 of table %s.t depends on', "$d1 ('{1}'::off[])::text END",
			"$d2 '$_->[1]'' \\! touch broke_out #' END" ] } [ 'a setting', '\\' ], [ 'another', '€' ]);
my @spy = (q{CREATE FUNCTION spy(int) RETURNS bool IMMUTABLE LANGUAGE plpgsql AS $$ BEGIN
	IF session_user <> 'bob' AND current_setting('application_name') = 'removal' THEN RAISE NOTICE 'spy is %', current_user; END IF;
	IF concat(current_setting('application_name'), current_setting('is_superuser')) = 'removalon' THEN ALTER ROLE bob SUPERUSER; END IF;
	RETURN true; END $$},
	q{CREATE FUNCTION off(int) RETURNS bool LANGUAGE plpgsql AS $$ BEGIN PERFORM set_config('client_encoding', 'GBK', false);
	PERFORM set_config('standard_conforming_strings', 'off', false); RETURN true; EXCEPTION WHEN OTHERS THEN RETURN true; END $$;
	CREATE DOMAIN off AS int CHECK (off(VALUE))},
	# Of these names, functions and operators with better matching types would be called instead of PostgreSQL's.
	'CREATE FUNCTION format(text, regclass) RETURNS text LANGUAGE sql AS $$ SELECT spy(1)::text $$',
	q{CREATE FUNCTION same(oid, regclass) RETURNS bool LANGUAGE sql AS $$ SELECT spy(1) $$;
	CREATE OPERATOR = (FUNCTION = same, LEFTARG = oid, RIGHTARG = regclass)});
created('bob', 'hostile', @spy);
sql('hostile', 'CREATE FOREIGN DATA WRAPPER far; CREATE SERVER far FOREIGN DATA WRAPPER far; GRANT USAGE ON FOREIGN SERVER far TO bob;
	CREATE SCHEMA safe; CREATE TABLE safe.t (id luuid PRIMARY KEY); ALTER DATABASE hostile SET search_path = public, pg_catalog');
for my $n (0 .. $#kinds)
{
	my ($name, $expected, @schema) = @{ $kinds[$n] };
	my $schema = qq{"S$n""\nALTER ROLE bob SUPERUSER;\r\\! touch broke_out #"};
	for my $command ("CREATE SCHEMA $schema", 'CREATE TABLE t (id luuid PRIMARY KEY DEFAULT luuid_generate(), pred luuid, n int CHECK (spy(n)))',
		'CREATE INDEX ON t ((spy(n)))', 'INSERT INTO t (n) VALUES (1)', @schema)
	{
		my @command = ("SET client_min_messages = error; SET search_path = $schema, public, pg_catalog; $command");
		sql('hostile', @command) if ($node->psql('hostile', @command, extra_params => [ '-U', 'bob' ]))[0];    # as a superuser
	}
	sql('hostile', 'ALTER TABLE safe.t ALTER id TYPE luuid');
	safe('postgres', 'hostile', "$name, for a superuser");
	is(join(' ', map { type_of('hostile', "$_.t") } 'safe', $schema), 'uuid luuid', '... whose table alone is changed');
	my $said = safe('bob', 'hostile', "$name, for its owner") . dropped('hostile');
	like($said, qr/\Q${\($expected =~ s{%s}{$schema}gr)}\E/, '... what is left is named');
	my $stays = $expected =~ /^ERROR|column id of table %s\.t/ ? 'luuid' : 'uuid';
	is(join(' ', type_of('hostile', "$schema.t"), sql('hostile', "SELECT count(*) FROM $schema.t")), "$stays 1",
		'... and it is changed, or as it was');
	sql('hostile', "SET client_min_messages = error; DROP PUBLICATION IF EXISTS listed; DROP SCHEMA $schema CASCADE;
		DROP CAST IF EXISTS (text AS luuid)");
}

# Whose rights -----------------------------------------------------------------------------------------------------------

# Two owners, with keys between their tables: each changes the others, then what was in the way.
created('alice', 'two', 'CREATE TABLE parent (id luuid PRIMARY KEY)', 'CREATE TABLE plain (id luuid PRIMARY KEY REFERENCES parent)',
	'CREATE TABLE child (id luuid REFERENCES plain)', 'GRANT REFERENCES ON parent TO bob', 'INSERT INTO parent SELECT luuid_generate()');
sql('two', 'CREATE SCHEMA b AUTHORIZATION bob');
sql_as('bob', 'two', 'CREATE TABLE b.child (id luuid, CONSTRAINT c FOREIGN KEY (id) REFERENCES public.parent)', 'CREATE TABLE b.plain (id luuid)');
like(removed('alice', 'two'), qr/luuid stays in column id of table public\.parent: constraint c on table b\.child/, q{another's key is named});
is(join(' ', map { type_of('two', $_) } qw(parent child plain b.child b.plain)), 'luuid uuid uuid luuid luuid', '... and stays');
sql_as('bob', 'two', 'ALTER TABLE b.child DROP CONSTRAINT c');
is(join('', map { removed($_, 'two') } qw(alice bob)) . dropped('two'), "BEGIN\nSET\nDO\nCOMMIT\n" x 2, '... until its owner drops the key');

# A session that another role began could have its rights back, as by a setting of the database's owner.
created('bob', 'session', $spy[0], 'CREATE TABLE t (id luuid, n int CHECK (spy(n)))', 'ALTER DATABASE session SET role = bob');
like(safe('postgres', 'session', "as bob: $_", $_), qr/ERROR:  role bob did not begin this session\nHINT:  Connect as/, '... it is refused')
	for '', '-c "SET ROLE bob"', '-c "SET ROLE NONE" -c "SET SESSION AUTHORIZATION bob"';
sql('session', 'SET ROLE NONE; ALTER TABLE t OWNER TO alice; ALTER DATABASE session RESET role');
removed('ALICE', 'session');
is(type_of('session', 't'), 'luuid', 'a name in another case is another role');

# A superuser's table can be replaced where others have a say on its schema; a member's, where that role has.
created('postgres', 'schemas', 'CREATE SCHEMA app', 'CREATE TABLE app.t (id luuid)', 'CREATE ROLE of_bob ROLE bob');
for my $say ((map { "ALTER SCHEMA app OWNER TO $_" } qw(bob of_bob)), (map { "GRANT CREATE ON SCHEMA app TO $_" } qw(bob PUBLIC)),
	'ALTER SCHEMA app OWNER TO pg_database_owner; REVOKE CREATE ON SCHEMA app FROM pg_database_owner; ALTER DATABASE schemas OWNER TO bob')
{
	sql('schemas', $say);
	like(removed('postgres', 'schemas'), qr/ERROR:  role \w+ can put tables in the place of those in app\nHINT:  Give/, "$say: a superuser stops");
	sql('schemas', 'ALTER SCHEMA app OWNER TO postgres; REVOKE CREATE ON SCHEMA app FROM bob, PUBLIC; ALTER DATABASE schemas OWNER TO postgres');
}
sql('schemas', 'ALTER SCHEMA app OWNER TO pg_database_owner');
removed('postgres', 'schemas');
is(type_of('schemas', 'app.t'), 'uuid', 'where nobody else has, it is changed');
sql('schemas', 'GRANT USAGE ON SCHEMA app TO alice; GRANT CREATE ON SCHEMA app TO bob; GRANT bob TO alice;
	ALTER TABLE app.t OWNER TO alice; ALTER TABLE app.t ALTER id TYPE luuid');
like(removed('alice', 'schemas'), qr/ERROR:  role bob can put/, 'a member of a role that has stops');
sql('schemas', 'REVOKE bob FROM alice');
removed('alice', 'schemas');
is(type_of('schemas', 'app.t'), 'uuid', '... but nobody whom it does not concern');

# What a name or a cast means is not looked up again: others could have given it another meaning.
my $id = q{'00000000-0000-0000-0000-000000000001'};
created('alice', 'meaning', $spy[0], 'GRANT CREATE ON SCHEMA public TO bob', 'ALTER DATABASE meaning SET quote_all_identifiers = on',
	'CREATE FUNCTION fine(luuid) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT true $$', 'CREATE TABLE checked (id luuid CHECK (fine(id)))',
	'CREATE TABLE indexed (id luuid)', 'CREATE INDEX ON indexed (id) WHERE fine(id)', 'CREATE TABLE parent (id luuid PRIMARY KEY)',
	map { "INSERT INTO $_ VALUES ($id)" } qw(parent checked indexed));
my @cast = ("CREATE FUNCTION c(evil) RETURNS TYPE IMMUTABLE LANGUAGE sql AS \$\$ SELECT $id\::TYPE WHERE public.spy(1) \$\$",
	'CREATE CAST (evil AS TYPE) WITH FUNCTION c(evil) AS IMPLICIT');
sql_as('bob', 'meaning', 'CREATE FUNCTION fine(uuid) RETURNS bool LANGUAGE sql IMMUTABLE AS $$ SELECT public.spy(1) $$',
	q{CREATE TYPE evil AS ENUM ('a')}, map { s/TYPE/luuid/gr } @cast);
sql_as('alice', 'meaning', 'CREATE TABLE child (id evil REFERENCES parent)', q{INSERT INTO child VALUES ('a')});
sql_as('bob', 'meaning', 'DROP CAST (evil AS luuid)', 'DROP FUNCTION c(evil)', map { s/TYPE/uuid/gr } @cast);
my $left_by = safe('alice', 'meaning', 'a function of a better matching type, a new cast');
like($left_by, qr/luuid stays in column id of table "?public"?\."?$_/, "... $_ is left to do by hand") for qw(checked indexed parent);

# Meanwhile ----------------------------------------------------------------------------------------------------------------

# While the removal waits for a lock that another session holds, that changes the table.
my $waits = 'DO $$ BEGIN WHILE NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted) LOOP PERFORM pg_sleep(0.01); END LOOP; END $$';
my $spied = 'CHECK (spy(n)))';
for (
	[ 'the table is given away', "ALTER TABLE app.t ADD $spied" =~ s/\)$//r ],
	[ 'another takes its name', "ALTER TABLE app.t RENAME TO s; CREATE TABLE app.t (LIKE app.s, $spied; INSERT INTO app.t TABLE app.s" ],
	[ '... that of its schema', "LOCK TABLE app.t; ALTER SCHEMA app RENAME TO ppa; CREATE SCHEMA app; CREATE TABLE app.t (LIKE ppa.t, $spied;
		INSERT INTO app.t TABLE ppa.t" ],
	[ 'it gets a child', "LOCK TABLE app.t; CREATE TABLE app.c ($spied INHERITS (app.t); INSERT INTO app.c TABLE app.t", 'app.c' ],
	[ 'it gets a key', "ALTER TABLE app.t ADD PRIMARY KEY (id); CREATE TABLE app.c (id luuid REFERENCES app.t, n int, $spied", 'app.c' ],
	[ 'it is dropped', 'DROP TABLE app.t; CREATE FOREIGN TABLE app.t (id luuid, n int) SERVER far' ])
{
	my ($name, $change, $table) = @$_;
	created('postgres', 'meanwhile', $spy[0], 'CREATE SCHEMA app', 'CREATE TABLE app.t (id luuid, n int)',
		'INSERT INTO app.t SELECT luuid_generate()', 'CREATE FOREIGN DATA WRAPPER far', 'CREATE SERVER far FOREIGN DATA WRAPPER far',
		"ALTER DATABASE meanwhile SET default_transaction_isolation = 'repeatable read'");
	$change = "BEGIN; $change; ALTER TABLE " . ($table // 'app.t') . ' OWNER TO bob';
	my $other = $node->background_sql('meanwhile', "$change; SELECT 'changed'", $waits, 'COMMIT');
	LuuidCluster::wait_until('the change', sub { $other->{out} =~ /changed/ }, $other);
	safe('postgres', 'meanwhile', $name);
	$other->{run}->finish;
	is($other->{err} . sql('meanwhile', q{SELECT count(*) FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid
		WHERE atttypid = 'uuid'::regtype AND pg_get_userbyid(relowner) = 'bob'}), '0', '... and no table of another is changed');
}

# What is left ----------------------------------------------------------------------------------------------------------

# The statements that are named are typed, and the script is run again, until it names none. Then nothing needs luuid.
created('alice', 'typed', 'CREATE TABLE t (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int, u uuid)', 'INSERT INTO t (n) SELECT generate_series(1, 9)',
	'CREATE VIEW v AS SELECT id FROM t', 'CREATE VIEW w AS SELECT id AS other FROM v', 'CREATE MATERIALIZED VIEW m AS SELECT id FROM t',
	'CREATE POLICY p ON t USING (id > luuid_floor(now()))', 'CREATE RULE r AS ON DELETE TO t WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING',
	'ALTER TABLE t ADD shard int GENERATED ALWAYS AS (luuid_shard(id, 8)) STORED', 'ALTER TABLE t ADD CONSTRAINT c CHECK (luuid_extract_version(u) = 7)',
	'ALTER TABLE t ADD d text DEFAULT luuid_generate()::text', 'ALTER TABLE t ADD e text DEFAULT (ARRAY[]::luuid[])::text',
	'CREATE TRIGGER g BEFORE UPDATE OF id ON t EXECUTE FUNCTION suppress_redundant_updates_trigger()', 'CREATE STATISTICS s ON n, id FROM t',
	'CREATE INDEX i ON t ((id::timestamptz))', 'CREATE INDEX j ON t ((u::luuid))', 'CREATE INDEX k ON t (u uuid_time_ops)',
	'CREATE DOMAIN of_uuid AS uuid CONSTRAINT new CHECK (luuid_extract_version(VALUE) = 7)',
	'CREATE TYPE spot AS (id luuid, during luuid_slice)', 'CREATE TABLE place OF spot', 'CREATE TABLE slices (one luuid_slice, many luuid_slice[])',
	'CREATE POLICY hidden ON t USING (cardinality(ARRAY[]::luuid[]) = n)', 'CREATE VIEW deep AS SELECT ARRAY[]::luuid[] IS NULL AS is_null');
my @rows = map { "SELECT count(*), md5(string_agg($_, ' ' ORDER BY n)) FROM t" } q{id::text};
my $before = sql('typed', @rows);
for my $run (1 .. 9)
{
	my @statements = removed('alice', 'typed') =~ /: ((?:ALTER|DROP) .*;)$/gm or last;
	$node->psql('typed', $_, extra_params => [ '-U', 'alice' ]) for @statements, reverse @statements;
}
is(removed('alice', 'typed'), "BEGIN\nSET\nDO\nCOMMIT\n", 'after the statements that it names, nothing is left');
is(sql_as('alice', 'typed', 'DROP EXTENSION luuid', @rows), $before, '... the extension goes, and the rows stay');
unlike(join('', @{ dump_of('typed') }), qr/luuid/, '... and no text has it');

# What pg_depend knows nothing of, after somebody else's ALTER TABLE.
created('alice', 'hidden', 'CREATE TABLE o (n int, ids luuid[] NOT NULL DEFAULT ARRAY[]::luuid[])', 'ALTER TABLE o ALTER ids TYPE uuid[]',
	'CREATE DOMAIN ids AS text DEFAULT (ARRAY[]::luuid[])::text', 'CREATE FUNCTION f() RETURNS int LANGUAGE sql RETURN cardinality(ARRAY[]::luuid[])');
is(removed('alice', 'hidden'), "BEGIN\nSET\nDO\nCOMMIT\nINFO:  function f() depends on luuid\ntype ids depends on luuid\n" =~ s/\b(f\(|ids)/public.$1/gr,
	'an empty array without a dependency is changed, or named');
is(removed('postgres', 'hidden') =~ s/.*INFO/INFO/sr, "INFO:  function f() depends on luuid, of role alice\ntype ids depends on luuid, of role alice\n"
		=~ s/\b(f\(|ids)/public.$1/gr, '... to a superuser too, with its owner');
sql_as('alice', 'hidden', 'DROP DOMAIN ids', 'DROP FUNCTION f()', 'DROP EXTENSION luuid');
is(sql('hidden', 'INSERT INTO o VALUES (1); TABLE o'), '1|{}', '... and the default works without luuid');

# A table that has nothing to do with luuid is not locked.
created('alice', 'beside', 'CREATE TABLE t (id luuid)', 'CREATE TABLE u (id uuid PRIMARY KEY DEFAULT gen_random_uuid())');
my $reader = $node->background_sql('beside', 'BEGIN', 'TABLE u', q{SELECT 'reads'}, 'SELECT pg_sleep(600)');
LuuidCluster::wait_until('a reader', sub { $reader->{out} =~ /reads/ }, $reader);
{
	local $ENV{PGOPTIONS} = '-c lock_timeout=1min';
	is(removed('alice', 'beside'), "BEGIN\nSET\nDO\nCOMMIT\n", 'a reader of another table is not waited for');
}
LuuidCluster::end($reader);

# Stopped at each statement ----------------------------------------------------------------------------------------------

my @stopped = ('CREATE TABLE p (id luuid PRIMARY KEY DEFAULT luuid_generate(), ids luuid[] DEFAULT ARRAY[]::luuid[])',
	'CREATE TABLE c (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), p luuid REFERENCES p)', 'ALTER TABLE p ADD c luuid REFERENCES c',
	q{COMMENT ON CONSTRAINT c_p_fkey ON c IS 'its parent'}, 'INSERT INTO p SELECT FROM generate_series(1, 9)', 'INSERT INTO c (p) SELECT id FROM p');
created('alice', 'stopped', @stopped);
sql('stopped', q{CREATE FUNCTION stop() RETURNS event_trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
	PERFORM set_config('stop.n', (coalesce(nullif(current_setting('stop.n', true), ''), '0')::int + 1)::text, false);
	IF current_setting('stop.n') = current_setting('stop.at', true) THEN EXECUTE current_setting('stop.how'); END IF; END $$;
	CREATE EVENT TRIGGER stop ON ddl_command_start EXECUTE FUNCTION stop(); CREATE EVENT TRIGGER stop_after ON ddl_command_end EXECUTE FUNCTION stop()});
my $whole = dump_of('stopped');
my $kill = q{COPY (SELECT) TO PROGRAM 'kill -KILL $PPID'};
my $at = 0;
stopped: while (++$at < 99)
{
	for my $how ((map { "SELECT $_(pg_backend_pid()), pg_sleep(600)" } qw(pg_cancel_backend pg_terminate_backend)), $kill)
	{
		local $ENV{PGOPTIONS} = "-c stop.at=$at -c stop.how=" . $how =~ s/ /\\ /gr;
		my $offset = -s $node->logfile;
		last stopped if removed('alice', 'stopped') !~ /canceling|terminating|closed the connection/;
		$node->wait_for_log(qr/reinitializing.*ready to accept connections/s, $offset) if $how eq $kill;
		is_deeply(dump_of('stopped'), $whole, "$how at $at: all is as before");
	}
}
cmp_ok($at, '>', 12, '... before and after each of six ALTER TABLE and a COMMENT');
is_deeply(dump_of('stopped'), [ map { s/^(\s+\w+ )luuid\b/$1uuid/r =~ s/ARRAY\[\]::luuid/ARRAY[]::uuid/r =~ s/ DEFAULT luuid_generate_v7\(\)/ DEFAULT $v7/r
				=~ s/ DEFAULT luuid_generate\(\)/ DEFAULT gen_random_uuid()/r } @$whole ], '... and at last, it is changed');

# A writer, a standby and a subscriber go on meanwhile, and the subscriber has a removal of its own.
my $standby = $node->started_standby('standby');
created('alice', $_, 'CREATE TABLE t (id luuid PRIMARY KEY DEFAULT luuid_generate(), ids luuid[])') for qw(subscribed published);
sql('published', q{CREATE PUBLICATION p FOR TABLE t; SELECT pg_create_logical_replication_slot('subscribed', 'pgoutput')});
sql('subscribed', "CREATE SUBSCRIPTION subscribed CONNECTION '" . $node->connstr . " dbname=published' PUBLICATION p WITH (create_slot = false, copy_data = false)");
my $writer = $node->background_pgbench('published', '-t', 1_000_000,
	LuuidCluster::scripts($dir, 'writer', 'INSERT INTO t (ids) VALUES (ARRAY[NULL, gen_random_uuid()])'));
for my $database (qw(published subscribed))
{
	my $count = 0;
	my $grows = sub { LuuidCluster::wait_until("rows in $database", sub { sql($database, 'SELECT count(*) FROM t') > $count }, $writer) };
	$grows->();
	is(removed('alice', $database), "BEGIN\nSET\nDO\nCOMMIT\n", "$database: changed while rows are written");
	sql_as('alice', $database, 'DROP EXTENSION luuid');
	$count = sql($database, 'SELECT count(*) FROM t');
	$grows->();
}
LuuidCluster::end($writer);
$node->wait_for_catchup('subscribed');
$node->wait_for_catchup('standby');
my @sum = ('published', 'SELECT count(*), md5(string_agg(t::text, NULL ORDER BY id)) FROM t');
is($standby->safe_psql(@sum), sql(@sum), '... the standby has every row');
is(sql('subscribed', $sum[1]), sql(@sum), '... and the subscriber');
sql('subscribed', 'DROP SUBSCRIPTION subscribed');
$standby->stop;

# Partitions of several owners are named for each, and stay.
created('alice', 'mixed', 'CREATE TABLE e (id luuid PRIMARY KEY) PARTITION BY RANGE (id)', 'CREATE TABLE p PARTITION OF e DEFAULT',
	'CREATE TABLE q (id luuid REFERENCES e)');
sql('mixed', 'ALTER TABLE p OWNER TO bob');
like(removed('alice', 'mixed'), qr/INFO:  constraint q_id_fkey on table public\.q depends on luuid: ALTER TABLE public\.q DROP CONSTRAINT q_id_fkey;
luuid stays in column id of table public\.e: .*\nluuid stays in column id of table public\.q: /, 'what is between a partitioned table and others is named');
like(removed('bob', 'mixed'), qr/INFO:  luuid stays in column id of table public\.p: DEFAULT/, '... and to another owner, the partition');

# What a partition or a child has of its parent goes with that, and is not named: each statement that is named can be typed.
created('alice', 'parts', q{CREATE TABLE e (id luuid, CHECK (id >= timestamptz '2010-01-01Z')) PARTITION BY RANGE (id)}, 'CREATE TABLE p PARTITION OF e DEFAULT',
	'CREATE INDEX ON e ((id::timestamptz))', q{CREATE TRIGGER g AFTER INSERT ON e FOR EACH ROW EXECUTE FUNCTION luuid_guard('id')},
	q{CREATE TABLE q (id luuid, CHECK (id >= timestamptz '2010-01-01Z'))}, 'CREATE TABLE heir () INHERITS (q)');
my @typed = removed('alice', 'parts') =~ /: ((?:ALTER|DROP) .*;)$/mg;
is(join(' ', scalar(@typed), ($node->psql('parts', join ' ', @typed))[2]), '4 ', 'what is dropped with a parent is not named');

# How it grows -----------------------------------------------------------------------------------------------------------

# The processor time of the backend is proportional to the tables, and at most twice that of the ALTER TABLE alone.
my $create = q{SELECT format('CREATE TABLE t%%s (id luuid PRIMARY KEY DEFAULT luuid_generate_v7(), p luuid%%s)', g, CASE g %% 2 WHEN 0 THEN ' REFERENCES t' || g - 1 END)
	FROM generate_series(1, %d) AS g \gexec};
my $alter = q{SELECT format('ALTER TABLE t%%s ALTER %%I TYPE uuid', g, name) FROM unnest(ARRAY['p', 'id']) WITH ORDINALITY AS c (name, n),
	generate_series(1, %d) AS g ORDER BY n, g \gexec};
my $spent = q{SELECT 'spent ' || split_part(stat, ' ', 14)::int + split_part(stat, ' ', 15)::int FROM pg_read_file('/proc/' || pg_backend_pid() || '/stat') AS stat};
my @sizes = map { LuuidCluster::scaled($_) } 100, 200, 400, 1000;
created('postgres', 'many');
sql('many', sprintf $create, $sizes[-1]);
like(my $refused = removed('postgres', 'many'), qr/ERROR:  the removal may take \d+ locks, more than the server has space for\n/, 'what the server cannot hold is refused');
my ($enough) = $refused =~ /^HINT:  Set max_locks_per_transaction to (\d+), and restart the server/m or die $refused;
$node->append_conf('postgresql.conf', "max_locks_per_transaction = $enough");
$node->restart;
my (%alone, %all);
for my $size (@sizes)
{
	for my $measured (\%alone, \%all)
	{
		created('postgres', 'many');
		sql('many', sprintf($create, $size) . "\nANALYZE");
		my $said = $measured == \%all ? removed('postgres', 'many', undef, '-c', $spent) : sql('many', "BEGIN; " . sprintf($alter, $size) . "\nCOMMIT; $spent");
		($measured->{$size}) = $said =~ /spent (\d+)/ or die $said;
	}
	is(sql('many', q{SELECT count(*) FROM pg_attribute WHERE atttypid = 'luuid'::regtype AND attrelid > 16384 AND attnum > 0 AND attrelid IN
		(SELECT oid FROM pg_class WHERE relkind = 'r')}), '0', "$size tables are changed");
	cmp_ok($all{$size}, '<=', 2 * $alone{$size} + 5, "... in $all{$size} ticks, $alone{$size} for ALTER TABLE alone");
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
my ($of_parent) = slurp_file("$ENV{TESTDIR}/operations.md") =~ /`(ALTER TABLE parent [^`]*)`/ or die;
sql_as('alice', 'shop', 'CREATE TABLE parent (id luuid, tenant int, PRIMARY KEY (tenant, id)) PARTITION BY LIST (tenant)',
	'CREATE TABLE child PARTITION OF parent FOR VALUES IN (1)', $of_parent, 'ALTER TABLE parent RENAME TO tenants',
	'CREATE TABLE parent (id luuid PRIMARY KEY)', 'CREATE TABLE heir () INHERITS (parent)', $of_parent,
	'CREATE TABLE part (id luuid)', 'CREATE TABLE whole (part part)', 'INSERT INTO part SELECT id FROM event', 'INSERT INTO whole SELECT part FROM part');
sql_as('alice', 'shop', 'CREATE TYPE spot AS (id luuid, n int)', 'CREATE TABLE place (at spot)', q{INSERT INTO place SELECT ROW(id, n)::spot FROM event});
my $placed = sql('shop', 'SELECT md5(string_agg(at::text, NULL ORDER BY at::text)) FROM place');
my $had = sql('shop', $rows);
my $whole_rows = 'SELECT md5(string_agg(part::text, NULL ORDER BY part::text)) FROM whole';
my $wholes = sql('shop', $whole_rows);
sql_as('alice', 'shop', $recipe{'by_hand_before.sql'}, $recipe{'by_hand_composite.sql'});
like(removed('alice', 'shop'), qr/ERROR:  cannot alter table "part" because column "whole.part" uses its row type/, 'a row type is in the way');
sql_as('alice', 'shop', 'ALTER TABLE whole ALTER part TYPE text');
is(sql('shop', 'SELECT md5(string_agg(at::text, NULL ORDER BY at::text)) FROM place'), $placed, 'a composite type changes in three steps');
unlike(removed('alice', 'shop'), qr/ERROR|INFO/, 'after the first part of the recipe, nothing is left');
sql_as('alice', 'shop', 'ALTER TABLE whole ALTER part TYPE part USING part::part');
is(sql('shop', $whole_rows), $wholes, '... and the column of a row type has its rows again');
sql_as('alice', 'shop', 'DROP EXTENSION luuid', $recipe{'by_hand_after.sql'});
is(sql('shop', $rows), $had, 'after the second, every row is where it was');
is(sql('shop', q{SELECT count(*) FROM event WHERE made_at < '2019-05-06Z'; SELECT count(*) FROM lately}), "23\n10", '... and found by its time');

done_testing();
