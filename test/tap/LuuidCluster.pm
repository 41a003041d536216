# A PostgreSQL::Test::Cluster of servers with the staged build of luuid, and helpers for tests of several servers.
package LuuidCluster;

use strict;
use warnings;

use parent 'PostgreSQL::Test::Cluster';
use Fcntl qw(LOCK_EX);
use IPC::Run;
# Methods of the class have names that this would import.
use PostgreSQL::Test::Utils qw(append_to_file slurp_file);
use Test::More;
use Time::HiRes qw(time usleep);

# Who uses this uses what every test does: strict, warnings, PostgreSQL::Test::Utils and Test::More.
sub import
{
	$_->import for qw(strict warnings);
	return eval 'package ' . caller() . '; use PostgreSQL::Test::Utils; use Test::More; 1' || die $@;
}

# Queries and results of a background session go to the log, as here, and not among the test results.
if (eval { require PostgreSQL::Test::BackgroundPsql })
{
	no warnings 'redefine';
	*PostgreSQL::Test::BackgroundPsql::note = sub { print map { "$_\n" } @_ };
}

# Configuration lines under which backends generate alone, or with leases of the cluster.
our %scope = (backend => [], cluster => [q{shared_preload_libraries = 'luuid'}]);

# The first cluster of each test is a copy of one that initdb makes once a run, the second of another, and so on: two of one
# test have different system identifiers. A cluster whose clock is faked has to be made at that time: a server does not go
# back behind its last checkpoint.
my $initialised = 0;

sub init
{
	my ($self, %params) = @_;
	return $self->SUPER::init(%params) if $params{extra} || ($ENV{LD_PRELOAD} // '') =~ /faketime/;
	my $template = "$ENV{LUUID_STAGE}/.templates/" . ++$initialised;
	my $system_or_bail = \&PostgreSQL::Test::Utils::system_or_bail;
	no warnings 'redefine';
	local *PostgreSQL::Test::Utils::system_or_bail = sub {
		return $system_or_bail->(@_) if $_[0] ne 'initdb';
		open my $lock, '>', "$template.lock" or die "$template.lock: $!";
		flock $lock, LOCK_EX;
		$system_or_bail->(map { $_ eq $self->data_dir ? $template : $_ } @_) if !-e $template;
		return $system_or_bail->('cp', '-a', $template, $self->data_dir);
	};
	return $self->SUPER::init(%params);
}

# A running server with the given lines in its configuration.
sub started
{
	my ($class, $name, @configuration) = @_;
	my $node = $class->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', join("\n", @configuration));
	$node->start;
	return $node;
}

# Two servers with the given lines in their configuration, of which the second preloads luuid. Both have a table event.
sub started_both
{
	my ($class, @configuration) = @_;
	my @both = ($class->started('alone', @configuration), $class->started('preloaded', @{ $scope{cluster} }, @configuration));
	$_->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text)') for @both;
	return @both;
}

# A session whose timeout is that of a query, and not of all that the test does meanwhile.
sub background_psql
{
	my ($self, @parameters) = @_;
	my $session = $self->SUPER::background_psql(@parameters);
	$session->set_query_timer_restart;
	return $session;
}

# A running server from a backup of another, which it follows.
sub started_standby
{
	my ($self, $name) = @_;
	$self->backup("for_$name");
	my $standby = (ref $self)->new($name);
	$standby->init_from_backup($self, "for_$name", has_streaming => 1);
	$standby->start;
	return $standby;
}

# A coordinator of Citus and two workers, running, with the given lines in their configuration.
sub started_citus
{
	my ($class, @configuration) = @_;
	return map {
		my $node = $class->started($_, 'wal_level = logical', 'timezone = UTC', 'max_replication_slots = 20', 'max_wal_senders = 20',
			'max_worker_processes = 40', 'max_prepared_transactions = 100', 'jit = off', 'citus.enable_statistics_collection = off',
			@configuration);
		$node->allow_output_plugin('citus');
		$node->safe_psql('postgres', 'ALTER SYSTEM SET citus.local_hostname = ' . "'" . $node->host . "'");
		$node->reload;
		$node;
	} qw(coordinator worker1 worker2);
}

# Makes a database of each of them one distributed database.
sub join_citus
{
	my ($database, $coordinator, @workers) = @_;
	$_->safe_psql($database, 'CREATE EXTENSION citus; CREATE EXTENSION luuid') for $coordinator, @workers;
	$coordinator->safe_psql($database, sprintf q{SELECT citus_set_coordinator_host('%s', %d)}, $coordinator->host, $coordinator->port);
	$coordinator->safe_psql($database, sprintf q{SELECT citus_add_node('%s', %d)}, $_->host, $_->port) for @workers;
	return;
}

# Permits a decoding plugin, on servers that require it.
sub allow_output_plugin
{
	my ($self, $plugin) = @_;
	$self->safe_psql('postgres', "ALTER SYSTEM SET output_plugin_libraries = pgoutput, $plugin")
		if $self->safe_psql('postgres', q{SELECT name FROM pg_settings WHERE name = 'output_plugin_libraries'});
	$self->reload;
	return;
}

# Skips the test if one of the files is missing: a module or control file of the server, or a program.
sub needs
{
	my ($package, @files) = @_;
	# Not by run_command, which would find the programs where it found them first.
	chomp(my @folders = `pg_config --pkglibdir --sharedir`);
	my @places = ($folders[0], "$folders[1]/extension", split /:/, $ENV{PATH});
	for my $file (@files)
	{
		plan skip_all => "$package is not installed" unless grep { -e "$_/$file" } @places;
	}
	return;
}

# Gives servers started from now on a copy of the staged programs, for the test to change. Returns its folders for
# --bindir, --sharedir and --pkglibdir.
sub own_stage
{
	my $stage = PostgreSQL::Test::Utils::tempdir();
	PostgreSQL::Test::Utils::system_or_bail('cp', '-r', glob("$ENV{LUUID_STAGE}/*"), $stage);
	# Not by run_command, which would find the programs where it found them first.
	chomp(my @folders = map { s/^\Q$ENV{LUUID_STAGE}\E/$stage/r } `pg_config --bindir --sharedir --pkglibdir`);
	$ENV{PATH} = "$folders[0]:$ENV{PATH}";
	return @folders;
}

# Compiles a module of the tests into such a copy.
sub build_module
{
	my ($pkglibdir, $name) = @_;
	chomp(my $headers = `$ENV{PG_CONFIG} --includedir-server`);
	PostgreSQL::Test::Utils::system_or_bail('cc', '-shared', '-fPIC', "-I$headers",
		'-o', "$pkglibdir/$name.so", "$ENV{TESTDIR}/$name.c");
	return;
}

# Gives servers started from now on such a copy, with a luuid that takes the process id from same_pid.c instead of the
# server; they must preload same_pid first. Returns the module folder.
sub own_stage_of_one_pid
{
	my (undef, undef, $pkglibdir) = own_stage();
	PostgreSQL::Test::Utils::system_or_bail('cp', "$ENV{TESTDIR}/luuid_one_pid.so", "$pkglibdir/luuid.so");
	build_module($pkglibdir, 'same_pid');
	return $pkglibdir;
}

# Gives servers started from now on a later version than the staged one, and an update to it. Returns both.
sub add_next_version
{
	my (undef, $sharedir, $pkglibdir) = own_stage();
	my $control = "$sharedir/extension/luuid.control";
	my ($version) = slurp_file($control) =~ /^default_version = '(.*)'$/m;
	PostgreSQL::Test::Utils::system_or_bail('sed', '-i', "s/^default_version.*/default_version = 'next'/", $control);
	PostgreSQL::Test::Utils::system_or_bail('cp', "$ENV{TESTDIR}/next.sql", "$sharedir/extension/luuid--$version--next.sql");
	# Its module has one function more. The older one is kept beside it.
	PostgreSQL::Test::Utils::system_or_bail('cp', "$pkglibdir/luuid.so", "$pkglibdir/luuid.so.older");
	PostgreSQL::Test::Utils::system_or_bail('cp', "$ENV{TESTDIR}/luuid_next.so", "$pkglibdir/luuid.so");
	return ($version, 'next');
}

# Starts a server with libfaketime's clock.
sub with_clock
{
	my ($start, %faketime) = @_;
	my ($library) = grep { -e } glob('/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1')
		or die "there is no libfaketime: run 'make setup', which installs Debian's package faketime\n";
	# The server's own waits go by a clock that nobody steps.
	local %ENV = (%ENV, LD_PRELOAD => $library, %faketime, DONT_FAKE_MONOTONIC => 1, FAKETIME_DONT_FAKE_MONOTONIC => 1, NO_FAKE_STAT => 1);
	return $start->();
}

# Sets by how many seconds the clock of with_stepped_clock() is ahead of the machine's. Servers read it at each reading of the clock.
my $clock;
sub set_clock
{
	my ($seconds) = @_;
	$clock //= PostgreSQL::Test::Utils::tempdir() . '/clock';
	append_to_file("$clock.new", sprintf("%+.6f\n", $seconds));
	rename "$clock.new", $clock or die "rename: $!";
	return;
}

sub with_stepped_clock { my ($start) = @_; return with_clock($start, FAKETIME_TIMESTAMP_FILE => $clock, FAKETIME_NO_CACHE => 1) }

# The SQL blocks under a heading of a document.
sub documented
{
	my ($document, $heading) = @_;
	my ($section) = slurp_file("$ENV{TESTDIR}/$document") =~ /^#+ \Q$heading\E\n(.*?)(?=^#|\z)/ms
		or die "doc/$document has no section \"$heading\"";
	return $section =~ /^```sql\n(.*?)^```/gms;
}

# An amount for the everyday run, times LUUID_TEST_SCALE.
sub scaled { my ($amount) = @_; return $amount * ($ENV{LUUID_TEST_SCALE} || 1) }

# Waits until a condition holds; dies if one of the programs ends first.
sub wait_until
{
	my ($what, $condition, @programs) = @_;
	my $deadline = time + $PostgreSQL::Test::Utils::timeout_default;
	until ($condition->())
	{
		die "timed out waiting for $what" if time > $deadline;
		for my $program (@programs)
		{
			die "one of $what ended: $program->{err}" if !$program->{run}->pumpable;
			$program->{run}->pump_nb;
		}
		usleep(50_000);
	}
	return;
}

# A number of lines.
sub lines { my ($file) = @_; return -e $file ? scalar(() = slurp_file($file) =~ /\n/g) : 0 }

# Starts a server program; its standard output and error are in the returned hash.
sub background
{
	my ($self, @command) = @_;
	my %program = (out => '', err => '');
	$program{run} = IPC::Run::start(\@command, '<', \undef, '>', \$program{out}, '2>', \$program{err});
	return \%program;
}

# Starts a session that executes statements, in a database with options of the connection, if any.
sub background_sql
{
	my ($self, $database, @statements) = @_;
	return $self->background('psql', '-XqAt', '-d', $self->connstr . " dbname=$database", map { ('-c', $_) } @statements);
}

# Ends programs that would go on.
sub end
{
	my (@programs) = @_;
	$_->{run}->signal('TERM') for @programs;
	$_->{run}->finish for @programs;
	return;
}

# Tests that no program met an error before it ended.
sub check_no_error
{
	my ($name, @programs) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	return is(join('', map { $_->{err} =~ /^.*(?:ERROR|FATAL|PANIC|abort).*\n/gm } @programs), '', $name);
}

# Kills a process of the server, as the kernel does, and waits until the server has begun anew.
sub kill_process
{
	my ($self, $pid) = @_;
	my $offset = -s $self->logfile;
	kill 'KILL', $pid or die "no process $pid";
	$self->wait_for_log(qr/all server processes terminated; reinitializing.*ready to accept connections/s, $offset);
	return;
}

# The error of the last statement that failed, with its SQLSTATE and all that it says; or nothing.
sub error_of
{
	my ($self, $database, $sql, %params) = @_;
	return ($self->psql($database, "\\set VERBOSITY verbose\n$sql", %params))[2] =~ s/^psql:\S+ //mgr;
}

# Options of pgbench that run one of several scripts, kept in files of a folder.
sub scripts
{
	my ($dir, $name, @scripts) = @_;
	append_to_file("$dir/$name-$_.sql", $scripts[$_]) for 0 .. $#scripts;
	return map { "--file=$dir/$name-$_.sql" } 0 .. $#scripts;
}

# Starts pgbench in a database.
sub background_pgbench
{
	my ($self, $database, @options) = @_;
	return $self->background('pgbench', '--no-vacuum', @options, $self->connstr($database));
}

# Sessions that run a script, half of them in each mode, and write its results to one file each.
sub background_writers
{
	my ($self, $script, @noted) = @_;
	my @programs;
	for my $noted (@noted)
	{
		local $ENV{PGOPTIONS} = '-c luuid.mode=' . (qw(variable sequential))[ @programs % 2 ];
		push @programs, $self->background('psql', '-XqAt', '-d', $self->connstr('postgres'), '-o', $noted,
			'-v', 'ON_ERROR_STOP=1', '-f', $script);
	}
	return @programs;
}

# SQL of writers of a table event (kind) that are no plain statements: a trigger that inserts at once, or when the transaction
# commits, and a procedure that commits between its rows.
our $commands = q{
	CREATE TABLE command (kind text NOT NULL);
	CREATE FUNCTION note_command() RETURNS trigger LANGUAGE plpgsql
		AS 'BEGIN INSERT INTO event (kind) VALUES (NEW.kind); RETURN NULL; END';
	CREATE TRIGGER at_once AFTER INSERT ON command FOR EACH ROW WHEN (NEW.kind = 'trigger') EXECUTE FUNCTION note_command();
	CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON command DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW WHEN (NEW.kind = 'deferred') EXECUTE FUNCTION note_command();
	CREATE PROCEDURE write_with_commits() LANGUAGE plpgsql AS $$
	BEGIN
		FOR n IN 1 .. 5 LOOP
			INSERT INTO event (kind) VALUES ('procedure');
			PERFORM pg_sleep(random() * 0.005);
			COMMIT;
		END LOOP;
	END $$;
};

# Scripts of pgbench that write to such a table as applications do: what commits late, in part, or not at all.
our $pause = q{SELECT pg_sleep(random() * 0.02);};
our %writer = (
	plain => q{INSERT INTO event (kind) VALUES ('plain');},
	late => qq{BEGIN; INSERT INTO event (kind) VALUES ('late'); $pause INSERT INTO event (kind) VALUES ('late'); COMMIT;},
	many => qq{BEGIN; INSERT INTO event (kind) SELECT 'many' FROM generate_series(1, 20); $pause COMMIT;},
	aborted => qq{BEGIN; INSERT INTO event (kind) VALUES ('rolled back'); $pause ROLLBACK;},
	savepoint => qq{
		BEGIN;
		SAVEPOINT one; INSERT INTO event (kind) VALUES ('rolled back'); ROLLBACK TO one;
		$pause
		SAVEPOINT two; INSERT INTO event (kind) VALUES ('savepoint'); RELEASE two;
		$pause
		COMMIT;},
	trigger => qq{BEGIN; INSERT INTO command VALUES ('trigger'), ('deferred'); $pause COMMIT;},
	procedure => q{CALL write_with_commits();},
	map { ("prepared_$_" => qq{
		BEGIN; INSERT INTO event (kind) VALUES ('@{[ $_ eq 'COMMIT' ? 'prepared' : 'rolled back' ]}'); PREPARE TRANSACTION 'of :client_id';
		$pause
		$_ PREPARED 'of :client_id';}) } qw(COMMIT ROLLBACK));

# A table with an index of every class, and defaults for the keys.
sub create_event_table
{
	my ($self, $database) = @_;
	return $self->safe_psql($database, q{
		CREATE TABLE event (
			id luuid PRIMARY KEY DEFAULT luuid_generate(),
			plain uuid NOT NULL DEFAULT luuid_generate(),
			writer text NOT NULL,
			n int NOT NULL
		);
		CREATE INDEX event_bytes ON event (id luuid_byte_ops);
		CREATE UNIQUE INDEX event_plain ON event (plain uuid_time_ops);
		CREATE INDEX event_hash ON event USING hash (id);
		CREATE INDEX event_minmax ON event USING brin (id) WITH (pages_per_range = 4, autosummarize = on);
		CREATE INDEX event_multi ON event USING brin (id luuid_minmax_multi_ops) WITH (pages_per_range = 4);
		CREATE INDEX event_bloom ON event USING brin (id luuid_bloom_ops) WITH (pages_per_range = 4);
	});
}

# The tables of keys.sql.
sub create_keys { my ($self, $database) = @_; return $self->safe_psql($database, slurp_file("$ENV{TESTDIR}/keys.sql")) }

# Their rows, and those of partitions and of a view, in one line.
sub contents_of_keys
{
	my ($self, $database) = @_;
	return $self->safe_psql($database, 'SELECT (SELECT count(*) FROM event_old), (SELECT count(*) FROM lately), '
			. join ', ', map { "(SELECT md5(string_agg(r::text, ',' ORDER BY r::text)) FROM $_ AS r)" } qw(event by_prefix plain child booking));
}

# Tests that they reject an overlap.
sub check_exclusion
{
	my ($self, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	like(($self->psql($database, 'INSERT INTO booking SELECT item, int4range(upper(during) - 1, NULL) FROM booking LIMIT 1'))[2],
		qr/violates exclusion constraint/, "$name: an overlap is rejected");
	return;
}

# The tables of constructs.sql.
sub create_constructs
{
	my ($self, $database) = @_;
	return $self->safe_psql($database, slurp_file("$ENV{TESTDIR}/constructs.sql"));
}

# Their contents, and those of dependent objects, in one line.
sub constructs
{
	my ($self, $database) = @_;
	return join ' ', map {
		$self->safe_psql($database, "SELECT count(*), md5(string_agg(r::text, ',' ORDER BY r::text COLLATE \"C\")) FROM $_ AS r")
		} qw(checked log joined natural_joined compared grouped), '(SELECT is_root(id, parent), is_root FROM checked)',
		'(SELECT family(id) FROM checked)';
}

# Tests that they work as in the original database.
sub check_constructs
{
	my ($self, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my @refused = map {
		my ($status, $out, $error) = $self->psql($database, "\\set VERBOSITY sqlstate\n$_");
		$error =~ /ERROR:\s+(\S+)/ ? $1 : 'accepted'
		} 'INSERT INTO checked (id, parent, twin) SELECT id, id, id FROM luuid_generate() AS id',
		"INSERT INTO checked (id, twin) SELECT id, gen_random_uuid() FROM luuid_generate() AS id",
		"INSERT INTO checked (id) VALUES ('00000000-0000-0000-0000-000000000000')",
		'INSERT INTO checked (id, twin) SELECT id, id FROM luuid_generate_v7() AS id, generate_series(1, 2)';
	like("@refused", qr/^23514 23514 23514 23(505|P01)$/, "$name: the constraints reject the same rows");
	is($self->safe_psql($database, q{
			BEGIN;
			UPDATE checked SET parent = (SELECT min(id::luuid) FROM checked) WHERE id = (SELECT max(id::luuid) FROM checked);
			DELETE FROM log;
			SELECT count(*) FROM log WHERE id = (SELECT max(id::luuid) FROM checked);
			SELECT count(*) FROM joined WHERE id = (SELECT max(id::luuid) FROM checked);
			ROLLBACK;
		}), "1\n1", "$name: the trigger, the rule and the view work");
	return;
}

# Tests that every index of the database's own tables is valid: B-trees by amcheck, against their tables; others by
# looking up 50 of their keys.
sub check_indexes
{
	my ($self, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $own = q{
		FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_am AS a ON a.oid = relam
		WHERE relkind = 'i' AND relpersistence <> 't' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
	};
	my @wrong;
	my ($status, $checked, $error) = $self->psql($database, qq{
		SET search_path = public;
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS amcheck;
		SELECT count(bt_index_check(indexrelid, true)) $own AND amname = 'btree'
	});
	push @wrong, $error if $status != 0;
	push @wrong, 'no B-tree is there' if $status == 0 && $checked == 0;

	my @others = split /\n/, $self->safe_psql($database, qq{
		SET search_path = public;
		SELECT indexrelid::regclass, indrelid::regclass, quote_ident(attname) $own
			AND amname <> 'btree' AND attrelid = indrelid AND attnum = indkey[0]
	} =~ s/\s+WHERE/, pg_attribute WHERE/r);
	for my $other (@others)
	{
		my ($index, $table, $column) = split /\|/, $other;
		my $found = $self->safe_psql($database, qq{
			SET search_path = public;
			BEGIN;
			CREATE TEMP TABLE asked ON COMMIT DROP AS SELECT $column AS key FROM $table ORDER BY random() LIMIT 50;
			UPDATE pg_index SET indisvalid = false WHERE indrelid = '$table'::regclass AND indexrelid <> '$index'::regclass;
			SET LOCAL enable_seqscan = off;
			EXPLAIN SELECT (SELECT count(*) FROM $table WHERE $column = key) FROM asked;
			SELECT (SELECT count(*) FROM asked) = sum((SELECT count(*) FROM $table WHERE $column = key)) FROM asked;
			ROLLBACK;
		});
		push @wrong, "$index is not used: $found" if $found !~ /Index.* Scan (using|on) \Q$index\E/;
		push @wrong, "$index does not find every row" if $found !~ /^t\z/m;
		$checked++;
	}
	is(join("\n", @wrong), '', "$name: $checked indexes are valid");
	return;
}

# Tests that a query returns no duplicates, and a minimum of rows: "rows|distinct rows".
sub check_no_repeat
{
	my ($self, $database, $query, $at_least, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my ($rows, $distinct) =
		split /\|/, $self->safe_psql($database, "SELECT count(id), count(DISTINCT id) FROM ($query) AS made (id)");
	ok($rows >= $at_least && $rows == $distinct, "$name: $rows ids, all different")
		or diag "$rows ids, of which $distinct differ; at least $at_least were expected";
	return;
}

1;
