# The functions of sql/plain.sql, for servers that cannot install luuid, give the results of the extension, which can
# replace them in place. It finds differences between plain SQL and the module.
# needs: long
use LuuidCluster;

my $node = LuuidCluster->started('plain', 'timezone = UTC');
$node->safe_psql('postgres', 'CREATE ROLE tenant LOGIN; CREATE DATABASE plain; GRANT CREATE ON DATABASE plain TO tenant');

# As a role without other privileges.
my $connection = $node->connstr('plain') . ' user=tenant';
sub as_tenant { return $node->safe_psql('plain', shift, connstr => $connection) }
as_tenant(slurp_file("$ENV{TESTDIR}/sql/plain.sql"));
pass('a role with CREATE on the database alone installs it');

is(as_tenant(q{
	CREATE TABLE luuid.ids AS SELECT n, luuid.luuid_generate_v7() AS id FROM generate_series(1, 20000) AS n;
	SELECT count(*) FROM luuid.ids AS a JOIN luuid.ids AS b ON b.n = a.n + 1 WHERE a.id < b.id
}), 19999, 'version-7 ids increase in a session');
is(as_tenant(q{
	SELECT set_config('plain_luuid.last_v7', ((extract(epoch FROM now())::bigint + 3600) * 4096000)::text, false) \g /dev/null
	SELECT count(*) FROM (SELECT id > lag(id) OVER (ORDER BY n) AS greater
		FROM (SELECT n, luuid.luuid_generate_v7() AS id FROM generate_series(1, 1001) AS n OFFSET 0) AS made) AS m WHERE greater
}), 1000, 'also while the clock is an hour behind the last one');

# With a probability of 10^-9 one of 64 shards has a share that is off by 7 standard deviations.
is(as_tenant(q{
	SELECT count(*) FROM (
		SELECT count(*) AS ids FROM (SELECT luuid.luuid_generate() AS id FROM generate_series(1, 64000) OFFSET 0) AS made
		GROUP BY luuid.luuid_shard(id, 64)) AS shard WHERE ids BETWEEN 1000 - 220 AND 1000 + 220
}), 64, 'locality ids spread over shards by their first bytes');
is(as_tenant(q{
	SELECT bool_and(luuid.luuid_shard(luuid.luuid_generate_in_shard(n % shards, shards), shards) = n % shards),
		bool_and(left(luuid.luuid_generate_near(id, 16)::text, 4) = left(id::text, 4)),
		bool_and(left(luuid.luuid_generate_near(id, 32)::text, 8) = left(id::text, 8)),
		bool_and(luuid.luuid_extract_version(luuid.luuid_generate_near(id, 0)) = 8)
	FROM (SELECT n, id FROM luuid.ids LIMIT 1000) AS few, unnest(ARRAY[1, 3, 8, 1000, 2147483647]) AS shards
}), 't|t|t|t', 'ids are on the requested shard or near the neighbour');

my @plans = map { as_tenant("SET enable_seqscan = off; SET enable_bitmapscan = off; EXPLAIN (COSTS OFF) $_") } (
	q{SELECT * FROM luuid.spread WHERE luuid.luuid_extract_timestamp(id) >= now() - interval '1 hour'},
	q{SELECT * FROM luuid.ids WHERE id >= luuid.luuid_v7_floor(now() - interval '1 hour')}) if as_tenant(q{
	CREATE TABLE luuid.spread AS SELECT luuid.luuid_generate() AS id FROM generate_series(1, 1000);
	CREATE INDEX spread_time ON luuid.spread (luuid.luuid_extract_timestamp(id));
	CREATE INDEX ids_bytes ON luuid.ids (id);
	SELECT true
});
like($plans[0], qr/spread_time.*\n +Index Cond: .* >= /, 'a query by time uses the index on the time of locality ids');
like($plans[1], qr/ids_bytes.*\n +Index Cond: .* >= /, 'and the index of version-7 ids by their bytes');

# The same results from the same ids: of every version, variant and time.
$node->safe_psql('plain', 'CREATE EXTENSION luuid');
$node->safe_psql('plain', q{
	CREATE TABLE public.hostile AS SELECT id::uuid FROM (
		SELECT gen_random_uuid() FROM generate_series(1, 2000)
		UNION ALL SELECT overlay(overlay(gen_random_uuid()::text PLACING to_hex(n % 16) FROM 15) PLACING to_hex(n / 16 % 16) FROM 20)::uuid
			FROM generate_series(1, 16000) AS n
		UNION ALL SELECT luuid_generate(timestamptz '2026-11-21 00:00+00' + n * interval '7777 s') FROM generate_series(1, 2000) AS n
		UNION ALL VALUES ('00000000-0000-0000-0000-000000000000'::uuid), ('ffffffff-ffff-ffff-ffff-ffffffffffff')) AS made (id);
	GRANT SELECT ON public.hostile TO tenant
});
my %same = (
	'luuid_extract_version(id)' => 'version', 'luuid_extract_timestamp(id)' => 'time', 'luuid_to_base32(id)' => 'base 32',
	'luuid_from_base32(pg_catalog.luuid_to_base32(id))' => 'id of base 32',
	'luuid_from_base32(translate(upper(pg_catalog.luuid_to_base32(id)), \'01\', \'OL\') || \'-\')' => 'id of base 32 as people type it',
	map { ("luuid_shard(id, $_)" => "shard of $_") } 1, 7, 64, 2147483647);
for my $call (sort keys %same)
{
	is($node->safe_psql('plain', "SELECT count(*), count(*) FILTER (WHERE luuid.$call IS DISTINCT FROM pg_catalog.$call) FROM hostile"),
		'20002|0', "$same{$call}: as in the extension");
}
is($node->safe_psql('plain', q{
	SELECT count(*) FILTER (WHERE luuid.luuid_shard_floor(shard, shards) IS DISTINCT FROM pg_catalog.luuid_shard_floor(shard, shards)::uuid)
	FROM generate_series(1, 100) AS shards, generate_series(0, shards - 1) AS shard
}), 0, 'floors of shards: as in the extension');
is($node->safe_psql('plain', q{
	SELECT num_nulls(luuid.luuid_shard(NULL, 0), luuid.luuid_shard(gen_random_uuid(), NULL), luuid.luuid_shard_floor(NULL, 0),
		luuid.luuid_shard_floor(-1, NULL), luuid.luuid_generate_in_shard(NULL, 0), luuid.luuid_generate_in_shard(-1, NULL),
		luuid.luuid_generate_near(NULL, 33), luuid.luuid_generate_near(gen_random_uuid(), NULL))
}), 8, 'NULL for NULL, whatever the other argument');
# Conversely, the extension reads ids that plain.sql generates.
is($node->safe_psql('plain', q{
	SELECT count(*), bool_and(luuid_extract_timestamp(id) BETWEEN now() - interval '1 s' AND clock_timestamp()),
		bool_and(luuid_extract_version(id) = 8), bool_and(luuid_shard(id, 8) = n % 8)
	FROM (SELECT n, luuid.luuid_generate_in_shard(n % 8, 8) AS id FROM generate_series(1, 20000) AS n OFFSET 0) AS made
}), '20000|t|t|t', 'the extension reads locality ids');
is($node->safe_psql('plain', q{
	SELECT count(*) FILTER (WHERE (id >= luuid.luuid_v7_floor(t)) <> (luuid_extract_timestamp(id) >= t)
		OR (id <= luuid.luuid_v7_ceiling(t)) <> (luuid_extract_timestamp(id) <= t)) || ' of ' || (count(*) > 5000)
	FROM (SELECT id FROM hostile WHERE luuid_extract_version(id) = 7 AND luuid_extract_timestamp(id) IS NOT NULL) AS v7, (
		SELECT luuid_extract_timestamp(id) + n * interval '1 microsecond' FROM hostile, generate_series(-1, 1) AS n
		WHERE luuid_extract_version(id) = 7 AND luuid_extract_timestamp(id) IS NOT NULL AND left(id::text, 1) >= 'e'
		UNION ALL VALUES ('-infinity'), ('infinity'), (timestamptz '1969-12-31 23:59:59.9999+00'), ('294276-01-01 00:00+00')) AS times (t)
}), '0 of true', 'version-7 bounds are those of the time in byte order');

my $refused = join ' ', map {
	my $call = $_;
	map { ($node->psql('plain', "\\set VERBOSITY sqlstate\nSELECT $_.$call"))[2] =~ /ERROR:\s+(\S+)/ } qw(luuid pg_catalog)
	} 'luuid_shard(gen_random_uuid(), 0)', 'luuid_shard_floor(8, 8)', 'luuid_generate_in_shard(-1, 8)', 'luuid_generate_in_shard(0, 0)',
	'luuid_generate_near(gen_random_uuid(), 33)', q{luuid_from_base32('8zzzzzzzzzzzzzzzzzzzzzzzzz')}, q{luuid_from_base32('')};
is($refused, join(' ', ('22023') x 10, ('22P02') x 4), 'errors have the same SQLSTATE as in the extension');

# The steps of the document, with rows that can be identified.
$node->safe_psql('postgres', 'CREATE DATABASE taken_over');
chdir $ENV{TESTDIR};
my ($before, $take_over) = LuuidCluster::documented('plain.md', 'When luuid is installed later');
my $state = q{SELECT string_agg(oid::regclass || ' ' || relfilenode, ', ' ORDER BY relname) FROM pg_class
	WHERE relname IN ('visit', 'event') AND relkind = 'r';
	SELECT md5(string_agg(id::text || page, ',' ORDER BY id::text)) FROM visit;
	SELECT md5(string_agg(id::text || what, ',' ORDER BY id::text)) FROM event};
$node->safe_psql('taken_over', $before);
my $was = $node->safe_psql('taken_over', $state);
$node->safe_psql('taken_over', $take_over);
is($node->safe_psql('taken_over', $state), $was, 'the extension takes over without rewriting a table or changing an id');
is($node->safe_psql('taken_over', q{
	INSERT INTO visit (page) VALUES ('new'); INSERT INTO event (what) VALUES ('new');
	SELECT (SELECT luuid_extract_version(max(id::luuid)) FROM visit), (SELECT luuid_extract_version(id) FROM event WHERE what = 'new'),
		(SELECT count(*) FROM pg_namespace WHERE nspname = 'luuid')
}), '11|7|0', 'the defaults are the extension\'s, and the schema is gone');
like($node->safe_psql('taken_over', q{SET enable_seqscan = off; EXPLAIN (COSTS OFF) SELECT * FROM visit WHERE id >= now() - interval '1 day'}),
	qr/visit_time\n +Index Cond/, 'and the chronological index is used');

done_testing();
