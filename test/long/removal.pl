# luuid_removal.sql converts what is luuid's own, and nothing of what users wrote: dumps differ in types alone.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = LuuidCluster->started('removal', 'wal_level = logical', 'max_prepared_transactions = 5', 'max_connections = 15',
	'max_locks_per_transaction = 64', 'max_wal_senders = 2');
$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
my $dir = PostgreSQL::Test::Utils::tempdir();
my ($typed) = slurp_file("$ENV{TESTDIR}/README.md") =~ /^(psql .*luuid_removal\.sql.*) DATABASE$/m;
my $lists = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^(psql .*luuid_dependents\.sql.*) DATABASE$/m ? $1 : die;
sub sql { return $node->safe_psql(@_) }

sub created    # a new database of that name with the schema
{
	my ($name, @schema) = @_;
	sql('postgres', "DROP DATABASE IF EXISTS $name");
	sql('postgres', "CREATE DATABASE $name");
	sql($name, join '; ', 'CREATE EXTENSION luuid', @schema);
	return;
}

# Whether the script, typed as README has it, ends well, and what it said.
sub removed
{
	my ($database) = @_;
	my $ok = IPC::Run::run([ 'sh', '-c', "$typed $database" ], '>', \my $out, '2>', \my $said);
	return ($ok, $said);
}

sub dump_of
{
	my ($database) = @_;
	my $text = join '', `pg_dump $database`;
	die 'pg_dump' if $?;
	$text =~ s/^\\(un)?restrict.*\n//mg;
	return $text;
}

# A dump as it has to be without luuid: the types and classes have other names, and a default that calls it is not there.
sub without_luuid
{
	my ($text) = @_;
	$text =~ s/^--\n-- Name: (EXTENSION )?luuid(_contrib)?; .*\n--\n\n.*\n\n\n//mg;
	$text =~ s/ DEFAULT luuid_generate\w*\([^)]*\)//g;
	$text =~ s/^(PARTITION BY RANGE .*?) luuid_byte_ops/$1/mg;
	$text =~ s/^(    \w+ )luuid\b/$1uuid/mg;
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
	my ($ok, $said) = removed($database);
	ok($ok, "$name: the script ends well") or return diag $said;
	same(dump_of($database), without_luuid($before), "$name: the dump differs in types alone");
	return;
}

# It ends with an error that names an object, and changes nothing.
sub refuses
{
	my ($name, $object) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $before = dump_of('refused');
	my ($ok, $said) = removed('refused');
	ok(!$ok, "$name: it ends with an error");
	like($said, qr/ERROR:  luuid cannot be removed, because .*\nDETAIL:  (.*\n)*\Q$object\E/, '... that names it');
	same(dump_of('refused'), $before, '... and changes nothing');
	return;
}

# What is kept -------------------------------------------------------------------------------------------------------

sql('postgres', 'CREATE ROLE alice; CREATE ROLE bob');
sql('postgres', q{SET allow_in_place_tablespaces = on; CREATE TABLESPACE elsewhere LOCATION ''});
created('kept', slurp_file("$ENV{TESTDIR}/kept.sql"));
my $marks = q{SELECT string_agg(concat_ws(' ', indexrelid::regclass, indisvalid, indisreplident, indisclustered, obj_description(indexrelid)), ', '
	ORDER BY indexrelid::regclass::text COLLATE "C") FROM pg_index WHERE indrelid >= 16384 AND indrelid::regclass::text !~ '^pg_'};
my $marked = sql('kept', $marks);
my $attached = q{SELECT count(*) FROM pg_inherits JOIN pg_index ON indexrelid = inhrelid};
my $attached_before = sql('kept', $attached);
converts('kept', 'keys, indexes and partitions');
is(sql('kept', $marks), $marked, 'indexes keep their names, marks and comments, and are valid');
is(sql('kept', $attached), $attached_before, '... and belong to those of the partitioned table');
is(sql('kept', 'WITH u AS (UPDATE app.h SET n = n + 1 RETURNING n) SELECT count(*) FROM u'), 500, 'rows of a published partition can be updated');
sql('kept', 'CREATE EXTENSION amcheck; SELECT bt_index_check(indexrelid, true) FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
	JOIN pg_am AS a ON a.oid = relam WHERE amname = \'btree\' AND relkind = \'i\' AND relpersistence = \'p\'');

created('bare', 'DROP EXTENSION luuid');
my ($ok, $said) = removed('bare');
ok($ok, 'where luuid is not installed, it ends well') or diag $said;

# What its owner has to drop -------------------------------------------------------------------------------------------

# Each in a schema of its own, whose name takes the place of %s.
my @first = (
	[ 'an overload', 'function %s.audit(luuid)', 'CREATE FUNCTION audit(uuid) RETURNS void LANGUAGE sql AS $$ SELECT $$',
		'CREATE FUNCTION audit(luuid) RETURNS void LANGUAGE plpgsql AS $$ BEGIN ALTER ROLE bob SUPERUSER; END $$' ],
	[ 'a function of the row', 'function %s.f(%1$s.t)', 'CREATE FUNCTION f(t) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$' ],
	[ 'an aggregate', 'function %s.a(luuid)', 'CREATE AGGREGATE a(luuid) (SFUNC = luuid_larger, STYPE = luuid)' ],
	[ 'a generated column', 'default value for column g of table %s.t', 'ALTER TABLE t ADD g int GENERATED ALWAYS AS (luuid_shard(id, 8)) STORED' ],
	[ '... of a child alone', 'default value for column g of table %s.c', 'CREATE TABLE c (g bool GENERATED ALWAYS AS (id IS NULL) STORED) INHERITS (t)' ],
	[ 'a check of the order', 'constraint later on table %s.t', 'ALTER TABLE t ADD CONSTRAINT later CHECK (id > pred)' ],
	[ 'an exclusion', 'constraint t_id_excl on table %s.t', 'ALTER TABLE t ADD EXCLUDE (id WITH =)' ],
	[ 'a view in order', 'rule _RETURN on view %s.v', 'CREATE VIEW v AS SELECT n FROM t ORDER BY id' ],
	[ 'a materialized view', 'rule _RETURN on materialized view %s.v', 'CREATE MATERIALIZED VIEW v AS SELECT id FROM t' ],
	[ 'a policy', 'policy p on table %s.t', 'CREATE POLICY p ON t USING (id > pred)' ],
	[ 'a trigger', 'trigger r on table %s.t', 'CREATE TRIGGER r BEFORE UPDATE ON t FOR EACH ROW WHEN (NEW.id > OLD.id)
		EXECUTE FUNCTION suppress_redundant_updates_trigger()' ],
	[ 'a rule', 'rule r on table %s.t', 'CREATE RULE r AS ON DELETE TO t WHERE OLD.id IS NOT NULL DO INSTEAD NOTHING' ],
	[ 'an index of an expression', 'index %s.i', 'CREATE INDEX i ON t ((id::timestamptz))' ],
	[ 'an index of another class', 'index %s.i', 'CREATE INDEX i ON t (id luuid_byte_ops)' ],
	[ 'an index by time of uuid', 'index %s.i', 'CREATE TABLE u (id uuid); CREATE INDEX i ON u (id uuid_time_ops)' ],
	[ 'a predicate', 'index %s.i', q{CREATE INDEX i ON t (n) WHERE id > luuid_floor('2020-01-01Z')} ],
	[ 'statistics', 'statistics object %s.s', 'CREATE STATISTICS s ON id, n FROM t' ],
	[ 'a list of columns', 'publication of table %s.t in publication listed', 'CREATE PUBLICATION listed FOR TABLE t (id)' ],
	[ 'a domain', 'type %s.d', 'CREATE DOMAIN d AS luuid' ],
	[ 'a range type', 'type %s.d', 'CREATE TYPE d AS RANGE (SUBTYPE = luuid)' ],
	[ 'a composite type', 'column a of composite type %s.d', 'CREATE TYPE d AS (a luuid)' ],
	[ 'a column of the row', 'column t of table %s.c', 'CREATE TABLE c (t t)' ],
	[ 'a foreign table', 'column id of foreign table %s.f', 'CREATE FOREIGN DATA WRAPPER w; CREATE SERVER s FOREIGN DATA WRAPPER w;
		CREATE FOREIGN TABLE f (id luuid) SERVER s' ],
	[ 'a cast', 'cast from text to luuid', 'CREATE CAST (text AS luuid) WITH INOUT' ],
	[ 'an operator class', 'operator class %s.c for access method hash',
		'CREATE OPERATOR CLASS c FOR TYPE luuid USING hash AS OPERATOR 1 =, FUNCTION 1 luuid_hash(luuid)' ],
	[ 'partitions by time', 'table %s.e', 'CREATE TABLE e (id luuid) PARTITION BY RANGE (id)' ],
	[ 'partitions of uuid by time', 'table %s.e', 'CREATE TABLE e (id uuid) PARTITION BY RANGE (id uuid_time_ops)' ],
	[ 'two levels of partitions', 'table %s.f', 'CREATE TABLE e (id luuid) PARTITION BY HASH (id);
		CREATE TABLE f PARTITION OF e FOR VALUES WITH (MODULUS 1, REMAINDER 0) PARTITION BY HASH (id)' ],
	[ 'a sequence of a table to be created anew', 'sequence %s.e_n_seq', 'CREATE TABLE e (id luuid, n serial) PARTITION BY HASH (id)' ],
	[ '... an identity column', 'sequence %s.e_n_seq', 'CREATE TABLE e (id luuid, n int GENERATED ALWAYS AS IDENTITY) PARTITION BY HASH (id)' ],
	[ '... a trigger', 'trigger r on table %s.e', 'CREATE TABLE e (id luuid) PARTITION BY HASH (id);
		CREATE TRIGGER r BEFORE UPDATE ON e FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()' ],
	[ '... a publication', 'publication of table %s.e in publication whole', 'CREATE TABLE e (id luuid) PARTITION BY HASH (id);
		CREATE PUBLICATION whole FOR TABLE e' ],
	[ '... privileges on a column', 'table %s.e', 'CREATE TABLE e (id luuid, n int) PARTITION BY HASH (id); GRANT SELECT (n) ON e TO bob' ],
	[ '... a check whose function the planner would call', 'constraint k on table %s.e0',
		'CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT 1 $$; CREATE TABLE e (id luuid, n int) PARTITION BY HASH (id);
		CREATE TABLE e0 PARTITION OF e FOR VALUES WITH (MODULUS 1, REMAINDER 0); ALTER TABLE e0 ADD CONSTRAINT k CHECK (n > f(1))' ],
	[ '... or an operator', 'constraint k on table %s.e0',
		'CREATE FUNCTION f(int, int) RETURNS bool IMMUTABLE LANGUAGE sql AS $$ SELECT true $$; CREATE OPERATOR ## (FUNCTION = f, LEFTARG = int, RIGHTARG = int);
		CREATE TABLE e (id luuid, n int) PARTITION BY HASH (id); CREATE TABLE e0 PARTITION OF e FOR VALUES WITH (MODULUS 1, REMAINDER 0);
		ALTER TABLE e0 ADD CONSTRAINT k CHECK (1 ## 2)' ],
	[ 'an index that a table written anew would build', 'index %s.i', 'CREATE FUNCTION f(int) RETURNS int IMMUTABLE LANGUAGE sql AS $$ SELECT 1 $$;
		CREATE TABLE a (ids luuid[], n int); CREATE INDEX i ON a (f(n))' ]);
created('refused');
for my $n (0 .. $#first)
{
	my (undef, undef, @schema) = @{ $first[$n] };
	sql('refused', join '; ', "CREATE SCHEMA s$n", "SET search_path = s$n, pg_catalog", 'CREATE TABLE t (id luuid PRIMARY KEY, pred luuid, n int)', @schema);
}
my $list = `$lists -At refused`;
for my $n (0 .. $#first)
{
	my $object = sprintf $first[$n][1], "s$n";
	like($list, qr/^first\|\Q$object\E\|/m, "$first[$n][0]: listed");
}
refuses('all these', 'cast from text to luuid');
is(sql('postgres', q{SELECT count(*) FROM pg_roles WHERE rolname = 'bob' AND rolsuper}), '0', 'nobody became a superuser');

my $table = 'CREATE TABLE t (id luuid PRIMARY KEY, n int)';
created('refused', $table, "BEGIN; INSERT INTO t VALUES (luuid_generate()); PREPARE TRANSACTION 'waits'");
refuses('a prepared transaction', q{prepared transaction 'waits'});
sql('refused', q{ROLLBACK PREPARED 'waits'});

# A subscription knows a table by its number.
created('source', 'CREATE TABLE e (id luuid PRIMARY KEY) PARTITION BY HASH (id)', 'CREATE TABLE e0 PARTITION OF e FOR VALUES WITH (MODULUS 1, REMAINDER 0)',
	'CREATE PUBLICATION p FOR TABLE e WITH (publish_via_partition_root)');
created('refused', 'CREATE TABLE e (id luuid PRIMARY KEY) PARTITION BY HASH (id)', 'CREATE TABLE e0 PARTITION OF e FOR VALUES WITH (MODULUS 1, REMAINDER 0)');
$node->allow_output_plugin('pgoutput');
sql('source', q{SELECT pg_create_logical_replication_slot('s', 'pgoutput')});
sql('refused', sprintf q{CREATE SUBSCRIPTION s CONNECTION 'host=%s port=%d dbname=source' PUBLICATION p WITH (create_slot = false, slot_name = s)},
	$node->host, $node->port);
refuses('a subscription to a table that is to be created anew', 'subscription s to table public.e');
sql('refused', 'ALTER SUBSCRIPTION s DISABLE; ALTER SUBSCRIPTION s SET (slot_name = NONE); DROP SUBSCRIPTION s');
$node->poll_query_until('source', q{SELECT NOT active FROM pg_replication_slots});
sql('source', q{SELECT pg_drop_replication_slot('s')});

# The list is right about the locks: too few are an error before anything is done, as many as it says are enough.
created('refused', 'CREATE TABLE e (id luuid PRIMARY KEY, n int) PARTITION BY HASH (id)',
	map { "CREATE TABLE e$_ PARTITION OF e FOR VALUES WITH (MODULUS 250, REMAINDER $_)" } 0 .. 249);
refuses('too few locks', 'max_locks_per_transaction, which has to be ');
my ($enough) = `$lists -At refused` =~ /^first\|max_locks_per_transaction, which has to be (\d+)/m;
$node->append_conf('postgresql.conf', "max_locks_per_transaction = $enough");
$node->restart;
converts('refused', 'as many locks as it asks for');

# What changes, and two recipes ----------------------------------------------------------------------------------------

created('shop', $table, 'ALTER DATABASE shop SET luuid.mode = sequential',
	'CREATE FUNCTION text_body() RETURNS int LANGUAGE sql AS $$ SELECT 1 /* luuid_floor */ $$');
$list = `$lists -At shop`;
like($list, qr/^changes\|\QALTER ROLE or DATABASE ... SET luuid.mode=sequential\E.*^changes\|function public\.text_body\(\).*^changes\|public\.t: ORDER BY id, /ms, 'what changes is listed');
unlike($list, qr/^first/m, '... and is no error');

$node->create_keys('shop');
sql('shop', 'DROP VIEW lately; DROP TABLE booking; DROP INDEX plain_id_idx; DROP INDEX event_new_id_idx1, event_new_id_idx2, event_new_id_idx4, event_new_id_array_idx');
my $rows = 'SELECT count(*), md5(string_agg(concat(id, n), NULL ORDER BY id::text)) FROM event';
my $before = sql('shop', $rows);
my %recipe = slurp_file("$ENV{TESTDIR}/operations.md") =~ /^<!-- (by_\w+\.\w+) -->\n```\w+\n(.*?)^```/gms;
sql('postgres', 'CREATE DATABASE copy TEMPLATE shop');
sql('shop', $recipe{'by_time_before.sql'});
($ok, $said) = removed('shop');
ok($ok, 'partitions by time: the script ends well after the first part of the recipe') or diag $said;
sql('shop', $recipe{'by_time_after.sql'});
is(sql('shop', $rows), $before, '... every row is there after the second');
is(sql('shop', q{SELECT count(*) FROM event WHERE made_at >= '2019-05-05Z' AND made_at < '2019-05-06Z'}), '23', '... and found by its time');

sql('postgres', 'DROP DATABASE shop');
sql('postgres', 'ALTER DATABASE copy RENAME TO shop');
sql('shop', 'DROP TABLE event; ALTER TABLE plain ALTER id DROP DEFAULT; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), n int);
	INSERT INTO event (n) SELECT generate_series(1, 1000); CREATE VIEW recent AS SELECT * FROM event WHERE id > now()');
$before = sql('shop', $rows);
system_log('sh', '-c', "cd $dir && { $recipe{'by_dump.sh'} }");
is(sql('shop_uuid', $rows), $before, 'by dump: every row is there');
is(sql('shop_uuid', q{SELECT count(*) FROM pg_extension WHERE extname = 'luuid'}), '0', '... and luuid is not');

# Schemas made at random ---------------------------------------------------------------------------------------------

my @types = qw(luuid luuid uuid luuid[] int text);
my @features = (
	'CREATE INDEX ON %s (a)', 'CREATE UNIQUE INDEX ON %s (a, k)', 'CREATE INDEX ON %s USING hash (a)', 'CREATE INDEX ON %s (k) WHERE n > 5',
	'ALTER TABLE %s ADD UNIQUE (a, b, k)', 'ALTER TABLE %s ALTER a SET DEFAULT NULL', 'COMMENT ON COLUMN %s.a IS $$luuid \'quoted\' "too"$$',
	'GRANT SELECT ON %s TO bob WITH GRANT OPTION', 'ALTER TABLE %s OWNER TO alice', 'ALTER TABLE %s ADD CHECK (n < 100000)',
	q{ALTER TABLE %s ADD s text DEFAULT '::luuid, luuid_byte_ops'}, 'ALTER TABLE %s DROP b', 'CREATE INDEX ON %s (k luuid_byte_ops)',
	'CREATE VIEW v_%s AS SELECT k FROM %1$s ORDER BY k', 'ALTER TABLE %s ADD FOREIGN KEY (f) REFERENCES r', 'CREATE STATISTICS ON k, n FROM %s');
my @keys = ('', '', ' PARTITION BY HASH (k)', ' PARTITION BY LIST (k)', ' PARTITION BY RANGE (k luuid_byte_ops)', ' PARTITION BY LIST (n)');
my ($seed, %ended) = (int rand 1e9);
srand $seed;
for my $round (1 .. LuuidCluster::scaled(8))
{
	my @schema = 'CREATE TABLE r (k luuid PRIMARY KEY DEFAULT luuid_generate())';
	push @schema, 'INSERT INTO r SELECT luuid_generate() FROM generate_series(1, 20)';
	for my $table (map { "t$_" } 1 .. 4)
	{
		my $key = $keys[ rand @keys ];
		push @schema, sprintf 'CREATE TABLE %s (n int, k luuid, a %s, b %s, f luuid)%s', $table, (map { $types[ rand @types ] } 1, 2), $key;
		push @schema, "CREATE TABLE ${table}_all PARTITION OF $table" . ($key =~ /HASH/ ? ' FOR VALUES WITH (MODULUS 1, REMAINDER 0)' : ' DEFAULT') if $key;
		push @schema, "INSERT INTO $table (n, k, f) SELECT row_number() OVER (), luuid_generate(), k FROM r";
		my @tries = map { sprintf $features[ rand @features ], $table } 1 .. rand 5;
		# One that does not fit its table is left out.
		push @schema, map { sprintf 'DO $do$ BEGIN EXECUTE %s; EXCEPTION WHEN OTHERS THEN NULL; END $do$', '$made$' . $_ . '$made$' } @tries;
	}
	created('random', @schema);
	my $needs = () = `$lists -At random` =~ /^first/mg;
	$ended{ $needs ? 'refused' : 'converted' }++;
	my $dump = dump_of('random');
	($ok, $said) = removed('random');
	is($ok ? 1 : 0, $needs ? 0 : 1, "seed $seed, round $round: it ends as the list says") or diag $said;
	same(dump_of('random'), $ok ? without_luuid($dump) : $dump, '... and the dump is right');
}
note 'random schemas: ', explain \%ended;

done_testing();
