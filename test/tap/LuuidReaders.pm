# Readers of a table of ids: each keeps the position to which it has read, and the ids that it has seen, in its database, which
# says how many rows it missed or has twice. Beside them, except while a table is rewritten, is one that breaks the rule by which
# they read: it must miss rows.
#
#   rows are written to              readers read to                        meanwhile                                 test
#   one server                       luuid_horizon()                        kill -9, steps of the clock               consumers.pl
#   one server                       luuid_horizon(), luuid.settle          the table is rewritten                    repack.pl, neighbours
#   a server without luuid           luuid.settle, luuid.settle_sequence    readers stop, a transaction stays open    settle.pl
#   the primary of standbys          a row of the primary                   a promotion                               beat.pl
#   a publisher                      the same                               tables are copied                         beat.pl
#   two servers, by a third          the least of all servers' horizons     COMMIT PREPARED and ids are late          several.pl
#   Citus                            the same                               shards move and split                     citus_readers.pl
package LuuidReaders;

use LuuidCluster;

my $nil = '00000000-0000-0000-0000-000000000000';

# Of ids of one type in the table event, with positions of another, each at its first.
sub new
{
	my ($class, $node, $database, $id, $position, %first) = @_;
	$node->safe_psql($database, qq{
		DROP TABLE IF EXISTS reader, seen;
		CREATE TABLE reader (name text PRIMARY KEY, position $position NOT NULL, advances int NOT NULL DEFAULT 0);
		CREATE TABLE seen (name text NOT NULL, id $id NOT NULL);
		GRANT ALL ON reader, seen TO PUBLIC;
	} . join '', map { "INSERT INTO reader VALUES ('$_', '$first{$_}');" } sort keys %first);
	return bless { node => $node, database => $database }, $class;
}

# Such readers from the first id on.
sub of_ids
{
	my ($class, $node, $database, @names) = @_;
	return $class->new($node, $database, 'luuid', 'luuid', map { ($_ => $nil) } @names);
}

# A statement by which a reader, whose name is an expression, stores the rows for which a condition holds, and goes on to a position: by
# default to the last of them.
sub page
{
	my ($name, $condition, $next) = @_;
	my $if_any = defined $next ? '' : 'AND EXISTS (SELECT FROM page)';
	$next //= '(SELECT max(id) FROM page)';
	return qq{
		WITH page AS (INSERT INTO seen SELECT $name, id FROM event WHERE $condition RETURNING id)
		UPDATE reader SET position = $next, advances = advances + ($next <> position)::int WHERE name = $name $if_any;};
}

# What is after a reader's position, by the same expression.
sub after { my ($name) = @_; return "id > (SELECT position FROM reader WHERE name = $name)" }

# The function follow(), by which a reader reads to a horizon, or to the end if that is NULL.
sub create_follow
{
	my ($self) = @_;
	my $page = page('who', after('who') . ' AND (id < upto OR upto IS NULL)');
	$self->ask("CREATE FUNCTION follow(who text, upto luuid) RETURNS void LANGUAGE sql AS \$\$ $page \$\$");
	return $self;
}

sub ask { my ($self, $query) = @_; return $self->{node}->safe_psql($self->{database}, $query) }

# How many rows a reader missed, has twice, and has that are not stored; of the rows since an id, and of those that are `passed`, if these
# are given.
sub counts
{
	my ($self, $name, %of) = @_;
	my ($rows, $since) = ($of{rows} // 'event', $of{since} // $nil);
	my $passed = $of{passed} ? "AND id < (SELECT position FROM reader WHERE name = '$name')" : '';
	return split /\|/, $self->ask(qq{
		WITH stored AS MATERIALIZED (SELECT id FROM $rows WHERE id > '$since'),
			mine AS MATERIALIZED (SELECT id FROM seen WHERE name = '$name' AND id > '$since')
		SELECT (SELECT count(*) FROM stored WHERE NOT EXISTS (SELECT FROM mine WHERE mine.id = stored.id) $passed),
			(SELECT count(*) - count(DISTINCT id) FROM mine),
			(SELECT count(*) FROM mine WHERE NOT EXISTS (SELECT FROM stored WHERE stored.id = mine.id))
	});
}

# How many of those that it has passed it missed.
sub missed { my ($self, $name, %of) = @_; return ($self->counts($name, %of, passed => 1))[0] }

# Tests that readers have each row once.
sub check_each_once
{
	my ($self, $what, $names, %of) = @_;
	local $Test::Builder::Level = $Test::Builder::Level + 1;
	my $rows = $self->ask('SELECT count(*) FROM ' . ($of{rows} // 'event'));
	for my $name (@$names)
	{
		my %counts;
		@counts{qw(missed twice gone)} = $self->counts($name, %of);
		is_deeply(\%counts, { missed => 0, twice => 0, gone => 0 }, "$what: reader $name has each of $rows rows once");
	}
	return;
}

# Tests that readers of a table event (id, kind) in READ COMMITTED, below luuid_horizon() and below luuid.settle, get each row once
# while a command rewrites it beside writers. Returns how many rows readers by an older snapshot missed meanwhile.
sub check_beside
{
	my ($class, $node, $what, $rewrite) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir();
	$node->safe_psql('postgres', slurp_file("$ENV{TESTDIR}/sql/plain.sql"))
		if $node->safe_psql('postgres', q{SELECT to_regnamespace('luuid') IS NULL}) eq 't';
	my $self = $class->of_ids($node, 'postgres', qw(horizon settle older));
	my $page = sub { my ($name, $upto) = @_; return page("'$name'", after("'$name'") . " AND id < $upto") };
	my %poll = (
		horizon => $page->('horizon', 'luuid_horizon()'),
		settle => q{CALL luuid.settle('event', '-infinity') \gset} . "\n" . $page->('settle', q{luuid_floor(':horizon')}),
		older => 'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT luuid_horizon(); SELECT pg_sleep(random() * 0.3); '
			. $page->('older', 'luuid_horizon()') . ' COMMIT;');
	my %script = map { ($_ => (LuuidCluster::scripts($dir, $_, $poll{$_}))[0]) } keys %poll;
	my @reading = map { $node->background_pgbench('postgres', '--client=1', '--time=600', $script{$_}) } sort keys %poll;
	my $writing = $node->background_pgbench('postgres', '--client=6', '--time=600',
		LuuidCluster::scripts($dir, 'writer', @LuuidCluster::writer{qw(plain late many aborted)}));
	my $rows = 'SELECT count(*) FROM event';
	for (1 .. 3)
	{
		my $more = $self->ask($rows) + LuuidCluster::scaled(1000);
		$rewrite->();
		LuuidCluster::wait_until('writers and readers', sub { return $self->ask($rows) > $more }, $writing, @reading);
	}
	LuuidCluster::end($writing, @reading);
	LuuidCluster::check_no_error("$what: no writer and no reader meets an error", $writing, @reading);
	$self->ask('SELECT pg_sleep(0.01)');
	$node->background_pgbench('postgres', '--transactions=1', $script{$_})->{run}->finish for sort keys %poll;
	$self->check_each_once("$what three times", [qw(horizon settle)]);
	return ($self->counts('older'))[0];
}

# Several servers: three readers by the least of all servers' horizons, and one by the coordinator's own horizon, which misses rows.

our @names = map { "reader $_" } 0 .. 2;
my $by_coordinator = q{CALL poll('by the coordinator');};

# In a database of the coordinator, where an expression is the least of all servers' horizons.
sub of_servers
{
	my ($class, $coordinator, $database, $least) = @_;
	my $self = $class->of_ids($coordinator, $database, @names, 'by the coordinator');
	$self->ask(qq{
		CREATE PROCEDURE poll(who text) LANGUAGE plpgsql AS \$poll\$
		DECLARE
			horizon luuid;
			since luuid;
		BEGIN
			IF who = 'by the coordinator' THEN
				horizon := luuid_horizon();
			ELSE
				horizon := ($least);
			END IF;
			COMMIT;
			SELECT position INTO since FROM reader WHERE name = who FOR UPDATE;
			INSERT INTO seen SELECT who, id FROM event WHERE id >= since AND id < horizon;
			UPDATE reader SET position = greatest(position, horizon) WHERE name = who;
		END \$poll\$;
	});
	return $self;
}

# Those by the least of all horizons read once.
sub poll { my ($self) = @_; return $self->ask(join '', map { "CALL poll('$_');" } @names) }

# The least and the greatest position of the same.
sub positions { my ($self) = @_; return $self->ask(q{SELECT min(position), max(position) FROM reader WHERE name LIKE 'reader%'}) }

# All read until a condition holds.
sub poll_until
{
	my ($self, $what, $condition) = @_;
	LuuidCluster::wait_until("$self->{database}: $what", sub {
			$self->poll;
			$self->ask($by_coordinator);
			return $self->ask("SELECT $condition") eq 't';
	});
	return;
}

# All read until they have passed an id.
sub poll_past { my ($self, $what, $id) = @_; return $self->poll_until("all readers to pass $what", "min(position) > '$id' FROM reader") }

# Tests that the readers of a guarded database have each row once, under load in it and in a bare one: in rounds of `write`,
# which returns the running writers, and `resolve`, until ids were `refused` and a reader of the bare one has missed rows past an id.
sub check_load
{
	my ($guarded, $bare, $since, %load) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my @reading = map { $_->[0]{node}->background_pgbench($_->[0]{database}, '--time=600', "--client=$_->[1]",
			LuuidCluster::scripts($dir, "reader-$_->[1]", $_->[2])) } [ $guarded, 3, q{CALL poll('reader :client_id');} ], [ $bare, 1, $by_coordinator ];
	my $missed_before = $bare->missed('by the coordinator', since => $since);
	my ($refused, $missed) = (0, 0);
	for (1 .. 20)
	{
		my @writing = $load{write}->();
		$_->{run}->finish for @writing;
		LuuidCluster::check_no_error('no writer met another error', @writing);
		$load{resolve}->();
		$refused = $load{refused}->();
		$missed = $bare->missed('by the coordinator', since => $since) - $missed_before;
		last if $refused > 0 && $missed > 0;
	}
	LuuidCluster::end(@reading);
	LuuidCluster::check_no_error('no reader met an error', @reading);
	$guarded->poll_past('everything', $guarded->ask('SELECT max(id) FROM event'));
	$guarded->check_each_once('under load', \@names);
	cmp_ok($refused, '>', 0, "$refused ids were refused");
	cmp_ok($missed, '>', 0, "without the guard, the coordinator's horizon alone missed $missed");
	return;
}

1;
