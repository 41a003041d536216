# Readers of a table `event` that is stored on several servers: three by the least of all servers' horizons, and one by
# the coordinator's own horizon, which misses rows.
package LuuidReaders;

use LuuidCluster;

our @names = map { "reader $_" } 0 .. 2;
my $by_coordinator = q{CALL poll('by the coordinator');};

# In a database of the coordinator, where an expression is the least of all servers' horizons.
sub new
{
	my ($class, $coordinator, $database, $least) = @_;
	$coordinator->safe_psql($database, qq{
		CREATE TABLE reader (name text PRIMARY KEY, position luuid NOT NULL DEFAULT luuid_floor(timestamptz '-infinity'));
		CREATE TABLE seen (name text, id luuid);
		INSERT INTO reader VALUES ('by the coordinator'), @{[ join ', ', map { "('$_')" } @names ]};
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
	return bless { coordinator => $coordinator, database => $database }, $class;
}

sub ask { my ($self, $query) = @_; return $self->{coordinator}->safe_psql($self->{database}, $query) }

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

# How many rows past an id a reader has passed unread, and how many it has twice.
sub missed_and_repeated
{
	my ($self, $name, $since) = @_;
	return $self->ask(qq{
		WITH stored AS MATERIALIZED (SELECT id FROM event WHERE id > '$since'), mine AS (SELECT id FROM seen WHERE name = '$name')
		SELECT (SELECT count(*) FROM stored, reader WHERE name = '$name' AND id < position AND id NOT IN (SELECT id FROM mine)),
			(SELECT count(*) - count(DISTINCT id) FROM mine)
	});
}

sub missed { my ($self, @of) = @_; return (split /\|/, $self->missed_and_repeated(@of))[0] }

# Tests that the readers of a guarded database have each row once, under load in it and in a bare one: in rounds of `write`,
# which returns the running writers, and `resolve`, until ids were `refused` and a reader of the bare one has missed rows past an id.
sub check_load
{
	my ($guarded, $bare, $since, %load) = @_;
	my $dir = PostgreSQL::Test::Utils::tempdir();
	my @reading = map { $guarded->{coordinator}->background_pgbench($_->[0]{database}, '--time=600', "--client=$_->[1]",
		LuuidCluster::scripts($dir, "reader-$_->[1]", $_->[2])) } [ $guarded, 3, q{CALL poll('reader :client_id');} ], [ $bare, 1, $by_coordinator ];
	my $missed_before = $bare->missed('by the coordinator', $since);
	my ($refused, $missed) = (0, 0);
	for (1 .. 20)
	{
		my @writing = $load{write}->();
		$_->{run}->finish for @writing;
		LuuidCluster::check_no_error('no writer met another error', @writing);
		$load{resolve}->();
		$refused = $load{refused}->();
		$missed = $bare->missed('by the coordinator', $since) - $missed_before;
		last if $refused > 0 && $missed > 0;
	}
	LuuidCluster::end(@reading);
	LuuidCluster::check_no_error('no reader met an error', @reading);
	$guarded->poll_past('everything', $guarded->ask('SELECT max(id) FROM event'));
	my ($first, $rows) = split /\|/, $guarded->ask(q{SELECT luuid_floor(timestamptz '-infinity'), count(*) FROM event});
	is($guarded->missed_and_repeated($_, $first), '0|0', "$_ has each of $rows rows once") for @names;
	cmp_ok($refused, '>', 0, "$refused ids were refused");
	cmp_ok($missed, '>', 0, "without the guard, the coordinator's horizon alone missed $missed");
	return;
}

1;
