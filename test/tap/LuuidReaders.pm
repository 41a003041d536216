# Readers of a table `event` that is stored on several servers: three by the least of all servers' horizons, and one by
# the coordinator's own horizon, which misses rows.
package LuuidReaders;

use strict;
use warnings;

use LuuidCluster;

our @names = map { "reader $_" } 0 .. 2;

# What pgbench's clients run.
our $poll_as_client = q{CALL poll('reader :client_id');};
our $poll_by_coordinator = q{CALL poll('by the coordinator');};

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
		$self->ask($poll_by_coordinator);
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

1;
