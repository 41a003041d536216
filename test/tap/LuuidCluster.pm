# A PostgreSQL::Test::Cluster whose servers see the staged build of luuid, and what tests of several servers need.
package LuuidCluster;

use strict;
use warnings;

use parent 'PostgreSQL::Test::Cluster';
use IPC::Run;
use PostgreSQL::Test::Utils qw(slurp_file);
use Test::More;
use Time::HiRes qw(time usleep);

# The lines of configuration by which backends generate each for itself, or with leases of the cluster's.
our %scope = (backend => [], cluster => [q{shared_preload_libraries = 'luuid'}]);

# A running server with the given lines in its configuration.
sub started
{
	my ($class, $name, @configuration) = @_;
	my $node = $class->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', slurp_file($ENV{LUUID_SERVER_CONF}));
	$node->append_conf('postgresql.conf', join("\n", @configuration));
	$node->start;
	return $node;
}

# The environment in which a server has the clock that libfaketime is told of; nothing where it is not installed.
sub faked_clock
{
	my (%faketime) = @_;
	my ($library) = grep { -e } glob('/usr/lib/*/faketime/libfaketime.so.1 /usr/lib*/faketime/libfaketime.so.1');
	return unless $library;
	return (
		LD_PRELOAD => $library,
		%faketime,
		# The server's own waits go by a clock that nobody steps.
		DONT_FAKE_MONOTONIC => 1,
		FAKETIME_DONT_FAKE_MONOTONIC => 1,
		NO_FAKE_STAT => 1);
}

# An amount for the everyday run, or as many times that as LUUID_TEST_SCALE says.
sub scaled
{
	my ($amount) = @_;
	return $amount * ($ENV{LUUID_TEST_SCALE} || 1);
}

# Waits until a condition holds; dies where one of the programs ends before.
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
		usleep(10_000);
	}
	return;
}

# A number of lines.
sub lines
{
	my ($file) = @_;
	return -e $file ? scalar(() = slurp_file($file) =~ /\n/g) : 0;
}

# A program of the server's that runs by itself, with its standard output and error in the hash that comes back.
sub background
{
	my ($self, @command) = @_;
	my %program = (out => '', err => '');
	$program{run} = IPC::Run::start(\@command, '<', \undef, '>', \$program{out}, '2>', \$program{err});
	return \%program;
}

# Sessions that run a script, half of them in each mode, and note what it returns: one for each file.
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

# Tests that every index of the database's own tables is sound: B-trees by amcheck, against their tables; others by what
# they find where there is no other index.
sub check_indexes
{
	my ($self, $database, $name) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $own = q{
		FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid JOIN pg_am AS a ON a.oid = relam WHERE relkind = 'i' AND relpersistence <> 't' AND relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
	};
	my @wrong;
	my ($status, $checked, $error) = $self->psql($database, qq{
		SET client_min_messages = warning;
		CREATE EXTENSION IF NOT EXISTS amcheck;
		SELECT count(bt_index_check(indexrelid, true)) $own AND amname = 'btree'
	});
	push @wrong, $error if $status != 0;
	push @wrong, 'no B-tree is there' if $status == 0 && $checked == 0;

	# Operators are looked for by name here.
	my $path = 'SET search_path = public, '
	  . $self->safe_psql($database, q{SELECT quote_ident(extnamespace::regnamespace::text) FROM pg_extension WHERE extname = 'luuid'});
	my @others = split /\n/, $self->safe_psql($database, qq{
		$path;
		SELECT indexrelid::regclass, indrelid::regclass, quote_ident(attname) $own
			AND amname <> 'btree' AND attrelid = indrelid AND attnum = indkey[0]
	} =~ s/ WHERE/, pg_attribute WHERE/r);
	for my $other (@others)
	{
		my ($index, $table, $column) = split /\|/, $other;
		my $found = $self->safe_psql($database, qq{
			$path;
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
	is(join("\n", @wrong), '', "$name: $checked indexes are sound");
	return;
}

# Tests that a query gives no row twice, and more than some: "rows|distinct rows".
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
