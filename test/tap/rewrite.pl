# Random queries on the time of an id return the same rows whether the planner replaces comparisons or not: with lossy index scans,
# under row security, beside a session that updates the rows found, and through postgres_fdw. None of them fails, or costs twice as much.
# needs: long, pg18
use LuuidCluster;

my (undef, undef, $modules) = LuuidCluster::own_stage();
LuuidCluster::build_module($modules, 'earlier_hook');
my $node = LuuidCluster->started('rewrite', q{shared_preload_libraries = 'pg_stat_statements, auto_explain'}, 'jit = off', 'autovacuum = off', 'max_parallel_workers_per_gather = 0');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE EXTENSION dblink');
$node->safe_psql('postgres', slurp_file('rewrite.sql'));

# Each form of the reference's table is in the grammar.
my ($table) = slurp_file('luuid.md') =~ /^### Comparisons of the cast$(.*?)^###? /ms;
my @missing = grep { my $form = $_; !grep { lc eq lc $form } split /\n/, $node->safe_psql('postgres', 'SELECT form FROM form') }
	map { /`([^`]+)`/g } map { (split /\|/)[2] } $table =~ /^(\| (?:operators|time) \|.*)$/mg;
is_deeply(\@missing, [], 'the grammar has each form of luuid.md');

sub differ { my ($table, $condition) = @_; return $node->safe_psql('postgres', "SELECT * FROM $table WHERE $condition LIMIT 3") }

is(differ('sweep', 'replaced IS DISTINCT FROM as_written'), '', 'each operator, kind of time, end and place of a comparison, over each kind of id');

my ($trials, $seed) = (LuuidCluster::scaled(1000), $ENV{LUUID_SEED} // int rand 1e6);
sub seeded { my ($part) = @_; return "SET timezone = 'UTC'; SELECT setseed(($seed + $part) / 2e6);" }
# What queries change and take back fills the tables, which makes the later ones slow.
$node->safe_psql('postgres', seeded($_) . 'CALL try_queries(250); VACUUM by_pages, by_rows, parted') for 1 .. $trials / 250;
is(differ('trial', 'replaced IS DISTINCT FROM as_written'), '', "rows with comparisons replaced and as written, LUUID_SEED=$seed");
is(differ('trial', 'as_written IS DISTINCT FROM on_twin'), '', 'rows of ids and of times');
is(differ('trial', q{replaced ~ '^error'}), '', 'no error');
# Costs are compared where the planner expects as many rows of both. In a join one cannot see that of each table. One query in a
# thousand is dearer: with the value of a sub-select, which the planner does not know, or where it refutes `IS NOT TRUE`.
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM trial WHERE query !~ 'multirange|EXISTS|JOIN' AND cost > 2.2 * cost_as_written + 10
	AND expected <= 1.2 * expected_as_written + 10}), '<=', $trials / 200, 'few queries cost more than twice as much');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM trial WHERE as_written !~ '^0 '}), '>', $trials / 4, 'of many queries there are some');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM trial WHERE is_lossy'), '>', $trials / 200, 'of many bitmaps, pages alone');

my $interleavings = LuuidCluster::scaled(50);
$node->safe_psql('postgres', seeded(0) . "CALL try_interleavings($interleavings, \$\$" . $node->connstr('postgres') . '$$)');
is(differ('interleaving', 'replaced IS DISTINCT FROM as_written'), '', 'rows that changed meanwhile');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM interleaving WHERE has_waited'), '>', $interleavings / 4, 'many updates have waited');

# 18 prunes partitions as the execution begins, and again by the value of a sub-select. It does not have this value where it looks
# again at a row that another transaction has updated meanwhile. So it skips the row, with partitions of its own types too.
$node->safe_psql('postgres', q{
	CREATE TABLE pruned (at timestamptz, n int) PARTITION BY RANGE (at);
	CREATE TABLE pruned_early PARTITION OF pruned FOR VALUES FROM (MINVALUE) TO ('2026-02-01');
	CREATE TABLE pruned_late PARTITION OF pruned DEFAULT;
	INSERT INTO pruned VALUES ('2026-03-15', 0), ('2026-03-16', 0);
});
my $first = $node->background_psql('postgres');
$first->query_safe(q{BEGIN; UPDATE pruned SET n = 1 WHERE at = '2026-03-15'});
my $second = $node->background_sql('postgres',
	q{UPDATE pruned SET n = n + 10 WHERE at >= timestamptz '2026-03-01' + (now() - now()) AND at >= (SELECT timestamptz '2026-02-10')});
$node->poll_query_until('postgres', q{SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock')}) or die 'no update waits';
$first->query_safe('COMMIT');
$first->quit;
$second->{run}->finish;
is($node->safe_psql('postgres', 'SELECT n FROM pruned ORDER BY at'), $node->safe_psql('postgres', 'SHOW server_version_num') >= 180000 ? "1\n10" : "11\n10",
	'from 18 on the server skips such a row');

is($node->safe_psql('postgres', q{
		CREATE FUNCTION earlier_hook() RETURNS bigint LANGUAGE c AS 'earlier_hook';
		SELECT earlier_hook();
		LOAD 'luuid';
		SELECT count(*) < 0 FROM by_rows AS x JOIN by_rows AS y USING (n);
		SELECT earlier_hook() >= 2;
	}), "0\nf\nt", 'the hook of a library that was loaded before luuid is called');

# Who counts queries sees one, and who logs plans what EXPLAIN shows.
my $day = q{SELECT count(*) FROM by_rows WHERE a = 3 AND id::date = '2026-02-01'};
is($node->safe_psql('postgres', qq{
		CREATE EXTENSION pg_stat_statements;
		SET enable_seqscan = off; SET enable_bitmapscan = off; SET auto_explain.log_min_duration = 0;
		$day; SET luuid.enable_time_rewrite = off; $day;
		SELECT calls FROM pg_stat_statements WHERE query ~ 'a = .1 AND id::date';}) =~ s/^\d+\n\d+\n//r, '2', 'one query of pg_stat_statements');
like(slurp_file($node->logfile), qr/Index Cond: .*luuid_local_bound.*\n.*Filter: luuid_checked/, 'a plan of auto_explain');

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
	}), '3', 'with the comparison as it is written MERGE inserts into each partition');

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
unlike($near->safe_psql('postgres', q{EXPLAIN (VERBOSE) SELECT n FROM parted WHERE id::date = '2026-02-01'}), qr/luuid_checked/,
	'what a foreign partition is asked is as it is written');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM sent_query WHERE wanted !~ '^0 '}), '>', $sent / 4, '... of many queries, some');

done_testing();
