# TimescaleDB chunks a table by its key, by the statements of doc/scaling.md: queries by key and by time ask the chunks
# that they need, old chunks are dropped, and what does not work says what the document says.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-timescaledb', 'timescaledb.so');
my $node = LuuidCluster->started('timescaledb', q{shared_preload_libraries = 'timescaledb, luuid'},
	'timezone = UTC', 'jit = off', 'timescaledb.telemetry_level = off');
my ($table, $slice, $drop) = LuuidCluster::documented('scaling.md', 'TimescaleDB');

sub ask { return $node->safe_psql('postgres', @_) }

sub chunks
{
	my ($query) = @_;
	my %chunks = map { ($_ => 1) } ask("EXPLAIN (COSTS OFF) $query") =~ /\b(?:on|using) "?(_hyper_\d+_\d+_chunk)\b/g;
	return scalar keys %chunks;
}

sub error
{
	my (undef, undef, $error) = $node->psql('postgres', @_);
	return $error;
}

ask($table);
like(ask($slice), qr/Append|_chunk/, 'the document runs');
is(ask(q{SELECT count(*) FROM show_chunks('sample')}), 9, 'nine days are nine chunks');
is(chunks($slice =~ s/.*(?=SELECT avg)//sr), 1, 'a slice of six hours asks one');

# Every query is answered as a plain table answers it.
ask('CREATE TABLE plain AS TABLE sample');
my $id = ask('SELECT id FROM plain ORDER BY id OFFSET 50 LIMIT 1');
my $v4 = '573c0000-db07-41f1-8000-000000000000';
my $whole = q{SELECT count(*), string_agg(id::text, ' ') FROM (SELECT id FROM sample WHERE true %s) AS asked};
for my $case (
	[ '', 9 ],
	[ "AND id = '$id'", 1 ],
	[ "AND id = luuid '$id'", 1 ],
	[ "AND id < '$id'", 3 ],
	[ "AND id >= timestamptz '2026-11-08Z'", 2 ],
	[ "AND id <@ tstzrange('2026-11-03Z', '2026-11-04Z')", 1 ],
	[ "AND id <= timestamptz 'infinity' AND id > timestamptz '-infinity'", 9 ],
	[ "AND id >= '$v4'", 0 ],
	[ "AND id < '$v4' AND id > '00000000-0000-0000-0000-000000000000'", 9 ],
	[ q{AND id ~>=~ '80000000-db07-11f1-8000-000000000000'}, 9 ],
	[ q{AND id >= (SELECT timestamptz '2026-11-08Z')}, 9 ])
{
	my ($condition, $chunks) = @$case;
	my $query = sprintf $whole, "$condition ORDER BY id";
	is(ask($query), ask($query =~ s/sample/plain/r), "as in a plain table: $condition" =~ s/\Q$id\E/.../r);
	is(chunks($query), $chunks, "... from $chunks chunks");
}

# Which chunks that asks depends on the version.
is(ask("SELECT id FROM sample WHERE id = uuid '$id'"), $id, 'a parameter of type uuid finds its row');
is(ask("INSERT INTO sample VALUES ('$v4') RETURNING id"), $v4, 'an id without a time is taken');
is(ask('SELECT id FROM sample ORDER BY id DESC LIMIT 1'), $v4, '... and comes last');
is(ask("$drop; SELECT count(*), min(id::timestamptz) FROM sample"),
	join("\n", map({ "_timescaledb_internal._hyper_1_${_}_chunk" } 1 .. 4), '121|2026-11-05 00:00:00+00'),
	'chunks before a time are dropped');

# What does not work ------------------------------------------------------------------------------------------------

ask('CREATE TABLE by_type (id luuid PRIMARY KEY)');
like(error(q{SELECT create_hypertable('by_type', by_range('id', INTERVAL '1 day'))}),
	qr/invalid type for dimension "id"/, 'the type alone is refused');
ask(q{
	CREATE TABLE by_time (id luuid PRIMARY KEY);
	SELECT create_hypertable('by_time', by_range('id', INTERVAL '1 day', 'luuid_extract_timestamp'));
	INSERT INTO by_time SELECT luuid_generate();
});
like(error("SELECT FROM by_time WHERE id = '$v4'"),
	qr/partitioning function "pg_catalog.luuid_extract_timestamp" returned NULL/, 'a function that gives no time is refused, in a query too');
like(error(q{INSERT INTO sample VALUES ('00000000-0000-0000-0000-000000000000')}), qr/timestamp out of range/,
	'nil is refused');
my @licensed = (q{SELECT add_retention_policy('sample', INTERVAL '1 day')}, q{ALTER TABLE sample SET (timescaledb.compress)});
like(join('', map { error($_) } @licensed),
	qr/not supported under the current "apache" license.*not supported under the current "apache" license/s,
	'policies and compression are not of the Apache licence')
  if ask(q{SHOW timescaledb.license}) eq 'apache';
ask(q{
	CREATE FUNCTION legacy_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT
		RETURN luuid_extract_timestamp($1);
	CREATE TABLE legacy (id uuid PRIMARY KEY);
	SELECT create_hypertable('legacy', by_range('id', INTERVAL '1 day', 'legacy_time'));
	INSERT INTO legacy SELECT id FROM plain;
});
my $half = q{SELECT count(*) FROM %s WHERE id::uuid >= '80000000-db07-11f1-8000-01a1fbeb599a'};
cmp_ok(ask(sprintf $half, 'legacy'), '<', ask(sprintf $half, 'plain'),
	'a uuid column loses rows: the warning still stands');

done_testing();
