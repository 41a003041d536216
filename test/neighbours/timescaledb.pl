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
	CREATE TABLE spread AS SELECT luuid_generate(id::timestamptz)::uuid AS id FROM plain;
	INSERT INTO legacy TABLE spread;
});
my $half = q{SELECT count(*) FROM %s WHERE id::uuid >= '80000000-db07-11f1-8000-01a1fbeb599a'};
cmp_ok(ask(sprintf $half, 'legacy'), '<', ask(sprintf $half, 'spread'),
	'a uuid column loses rows: the warning still stands');

# Both columns --------------------------------------------------------------------------------------------------------

# Later versions chunk a uuid column by themselves.
if (ask(q{SELECT to_regproc('to_uuidv7_boundary') IS NOT NULL}) eq 't')
{
	my ($by_uuid) = LuuidCluster::documented('scaling.md', 'Which column');
	ask($by_uuid);
	ask(q{INSERT INTO by_uuid SELECT luuid_generate_v7(at), 20.5 FROM generate_series(timestamptz '2026-11-01Z', '2026-11-09 23:00Z', '1 hour') AS at;
		ANALYZE by_uuid});
	for my $case (
		[ q{id >= to_uuidv7_boundary('2026-11-03Z') AND id < to_uuidv7_boundary('2026-11-03 06:00Z')}, 1 ],
		[ q{id >= timestamptz '2026-11-03Z' AND id < timestamptz '2026-11-03 06:00Z'}, 9 ])
	{
		my ($condition, $chunks) = @$case;
		is(ask("SELECT count(*) FROM by_uuid WHERE $condition"), 6, "over uuid, $condition has its rows");
		is(chunks("SELECT count(*) FROM by_uuid WHERE $condition"), $chunks, "... from $chunks chunks");
	}
	is(chunks(q{SELECT count(*) FROM by_uuid WHERE id >= to_uuidv7_boundary(now() + interval '100 years')}), 0, 'over uuid, now() excludes chunks');
	is(chunks(q{SELECT count(*) FROM sample WHERE id >= now() + interval '100 years'}), ask(q{SELECT count(*) FROM show_chunks('sample')}),
		'over luuid it excludes none');
	like(error('INSERT INTO by_uuid VALUES (luuid_generate())'), qr/is not a version 7 UUID/, 'over uuid, other versions are refused');
	if (ask(q{SHOW timescaledb.license}) eq 'timescale')
	{
		like(error(q{CREATE MATERIALIZED VIEW by_day WITH (timescaledb.continuous) AS
			SELECT time_bucket('1 day', chunk_time(id)) AS day, count(*) FROM sample GROUP BY 1 WITH NO DATA}),
			qr/custom partitioning functions not supported with continuous aggregates/, 'no continuous aggregate over luuid');
		ask(q{CREATE MATERIALIZED VIEW by_day WITH (timescaledb.continuous) AS
			SELECT time_bucket('1 day', id) AS day, count(*) FROM by_uuid GROUP BY 1 WITH NO DATA});
		ask(q{CALL refresh_continuous_aggregate('by_day', NULL, NULL)});
		is(ask('SELECT count(*), sum(count) FROM by_day'), '9|216', 'one over uuid');
		for my $hypertable (qw(sample by_uuid))
		{
			my $rows = "SELECT count(*), count(*) FILTER (WHERE id >= timestamptz '2026-11-08Z'), sum(value) FROM $hypertable";
			my $before = ask($rows);
			ask(qq{SET client_min_messages = error;
				ALTER TABLE $hypertable SET (timescaledb.compress, timescaledb.compress_orderby = 'id');
				SELECT compress_chunk(chunk) FROM show_chunks('$hypertable') AS chunk});
			is(ask($rows), $before, "$hypertable is compressed");
			ask(qq{INSERT INTO $hypertable SELECT luuid_generate_v7('2020-01-01Z'), 1});
			my $chunks = ask("SELECT count(*) FROM show_chunks('$hypertable', older_than => timestamptz '2021-01-01Z')");
			my $job = ask("SELECT add_retention_policy('$hypertable', INTERVAL '2 years')");
			ask("CALL run_job($job)");
			is("$chunks " . ask("SELECT count(*) FROM show_chunks('$hypertable', older_than => timestamptz '2021-01-01Z')"), '1 0',
				"a retention policy drops old chunks of $hypertable");
		}
	}
}

done_testing();
