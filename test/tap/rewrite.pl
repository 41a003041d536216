# Long: `make test-long` runs it.
# Random queries on the time of an id return the same rows with bounds and without: with lossy index scans, under row security,
# beside a session that updates the rows found, and through postgres_fdw. No plan that the server keeps is changed.
use strict;
use warnings;

use LuuidCluster;
use PostgreSQL::Test::Utils;
use Test::More;

my (undef, undef, $modules) = LuuidCluster::own_stage();
LuuidCluster::build_module($modules, 'kept_plan');
my $node = LuuidCluster->started('rewrite', 'jit = off', 'autovacuum = off', 'max_parallel_workers_per_gather = 0');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION dblink');
$node->safe_psql('postgres', slurp_file('rewrite.sql'));

sub differ { my ($table, $condition) = @_; return $node->safe_psql('postgres', "SELECT * FROM $table WHERE $condition LIMIT 3") }

my ($trials, $seed) = (LuuidCluster::scaled(1000), $ENV{LUUID_SEED} // int rand 1e6);
sub seeded { my ($part) = @_; return "SET timezone = 'UTC'; SELECT setseed(($seed + $part) / 2e6);" }
# What queries change and take back fills the tables, which makes the later ones slow.
$node->safe_psql('postgres', seeded($_) . 'CALL try_queries(250); VACUUM by_pages, by_rows, parted') for 1 .. $trials / 250;
is(differ('trial', 'with_bounds IS DISTINCT FROM without'), '', "rows with bounds and without, LUUID_SEED=$seed");
is(differ('trial', 'without IS DISTINCT FROM on_twin'), '', 'rows of ids and of times');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM trial WHERE without !~ '^0 '}), '>', $trials / 4, 'of many queries there are some');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM trial WHERE is_lossy'), '>', $trials / 200, 'of many bitmaps, pages alone');

my $interleavings = LuuidCluster::scaled(50);
$node->safe_psql('postgres', seeded(0) . "CALL try_interleavings($interleavings, \$\$" . $node->connstr('postgres') . '$$)');
is(differ('interleaving', 'with_bounds IS DISTINCT FROM without'), '', 'rows that changed meanwhile');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM interleaving WHERE has_waited'), '>', $interleavings / 4, 'many updates have waited');

# The plans that a session keeps ---------------------------------------------------------------------------------------

$node->safe_psql('postgres', q{CREATE FUNCTION kept_plan(text) RETURNS text LANGUAGE c AS 'kept_plan'});
my $query = 0;
for my $said (
	'SELECT n FROM by_rows WHERE a = 3 AND (id::date = current_date - 1 OR id::date = current_date)',
	q{SELECT n FROM by_pages WHERE (a = 3 OR b = 2) AND id::timestamptz >= '2026-02-01'},
	q{SELECT n FROM parted WHERE id::timestamptz >= now() - interval '1 day' AND id::date < '2027-01-01'},
	q{SELECT x.n FROM by_rows AS x JOIN by_rows AS y ON x.id::timestamptz >= y.id::timestamptz AND x.id::timestamptz < y.at + interval '1 h'},
	q{SELECT max(id), (SELECT min(b) FROM by_rows WHERE id::date = '2026-02-01') FROM by_rows WHERE id::timestamptz < '2026-02-01'},
	q{UPDATE by_rows SET n = n WHERE id::timestamptz < '2026-02-01' AND a = 3})
{
	is($node->safe_psql('postgres', qq{
			LOAD 'luuid';
			SET plan_cache_mode = force_generic_plan;
			PREPARE kept AS $said;
			CREATE TEMP TABLE plan AS SELECT kept_plan('kept') AS before;
			\\o @{[ PostgreSQL::Test::Utils::tempdir() ]}/rows
			EXECUTE kept;
			EXECUTE kept;
			\\o
			SELECT before = kept_plan('kept'), before ~ 'INDEXSCAN|BITMAPINDEXSCAN|APPEND|SEQSCAN' FROM plan;
		}), 't|t', "unchanged by its execution: $said");
}

is($node->safe_psql('postgres', q{
		CREATE FUNCTION hooks_called() RETURNS int LANGUAGE c AS 'kept_plan';
		SELECT hooks_called();
		LOAD 'luuid';
		SELECT count(*) < 0 FROM by_rows AS x JOIN by_rows AS y USING (n);
		SELECT hooks_called();
	}), "0\nf\n3", 'hooks of a library that was loaded before luuid are called');

# On 18 and 19, MERGE fails where the start of the execution pruned the partition that it inserts into and that has another
# order of columns, as doc/neighbours.md says.
$node->safe_psql('postgres', q{
	CREATE TABLE merged (k int, id luuid, x text) PARTITION BY RANGE (id);
	CREATE TABLE merged_early (x text, k int, id luuid);
	ALTER TABLE merged ATTACH PARTITION merged_early FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-04-01 00:00+00'));
	CREATE TABLE merged_late PARTITION OF merged DEFAULT;
});
is($node->safe_psql('postgres', q{
		SET luuid.enable_time_rewrite = off;
		MERGE INTO merged AS m USING generate_series(1, 3) AS s (n) ON m.k = s.n AND m.id::date >= '2026-04-06'
			WHEN NOT MATCHED THEN INSERT (k, id) VALUES (s.n, luuid_generate_v7(timestamptz '2026-03-01 00:00+00'));
		SELECT count(*) FROM merged_early;
	}), '3', 'without bounds MERGE inserts into each partition');

# postgres_fdw --------------------------------------------------------------------------------------------------------

my $near = LuuidCluster->started('near', 'jit = off');
$near->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION postgres_fdw;
	CREATE DOMAIN stamp AS uuid;
	CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw
		OPTIONS (host '} . $node->host . q{', port '} . $node->port . q{', dbname 'postgres', extensions 'luuid');
	CREATE USER MAPPING FOR CURRENT_USER SERVER far;
	IMPORT FOREIGN SCHEMA public LIMIT TO (by_pages, by_rows, parted_early, parted_late, sent_query) FROM SERVER far INTO public;
	CREATE TABLE parted (LIKE by_rows) PARTITION BY RANGE (id);
	ALTER TABLE parted ATTACH PARTITION parted_early FOR VALUES FROM (MINVALUE) TO (luuid_floor('2026-02-10 00:00+00'));
	ALTER TABLE parted ATTACH PARTITION parted_late DEFAULT;
	CREATE TABLE sent (number int, rows text);
});
$near->safe_psql('postgres', $node->safe_psql('postgres', q{SELECT pg_get_functiondef('rows_of'::regproc)}));
my $sent = LuuidCluster::scaled(100);
$node->safe_psql('postgres', seeded(0) . qq{
	INSERT INTO sent_query SELECT number, random_sent_query() FROM generate_series(1, $sent) AS number;
	UPDATE sent_query SET wanted = rows_of(query, 'none', false);
});
$near->safe_psql('postgres', q{
	SET timezone = 'UTC';
	INSERT INTO sent SELECT number, rows_of(query, 'none', true) FROM sent_query;
});
is($near->safe_psql('postgres', 'SELECT query, rows, wanted FROM sent JOIN sent_query USING (number) WHERE rows IS DISTINCT FROM wanted LIMIT 3'),
	'', 'rows through postgres_fdw');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM sent_query WHERE wanted !~ '^0 '}), '>', $sent / 4, '... of many queries, some');

done_testing();
