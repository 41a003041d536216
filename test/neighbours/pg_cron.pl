# pg_cron calls the cookbook's procedure, which creates the partitions of the next months, and shows its error.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-cron', 'pg_cron.so');
my $node = LuuidCluster->started('pg_cron', q{shared_preload_libraries = 'luuid, pg_cron'},
	'cron.use_background_workers = on', 'timezone = UTC');
my ($months) = LuuidCluster::documented('cookbook/shards.md', 'Monthly partitions');
$node->safe_psql('postgres', "CREATE EXTENSION luuid; CREATE EXTENSION pg_cron; $months");
$node->safe_psql('postgres', 'DROP TABLE ' . join ', ', split /\n/,
	$node->safe_psql('postgres', q{SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'reading'::regclass}));
like($node->error_of('postgres', 'INSERT INTO reading VALUES (DEFAULT, 1.5)'),
	qr/no partition of relation "reading" found for row/, 'without partitions no row is taken');

$node->safe_psql('postgres', q{SELECT cron.schedule('none', '* * * * *', $$CALL create_months('pg_class')$$)});
$node->safe_psql('postgres', q{SELECT cron.schedule('months', '* * * * *', $$CALL create_months('reading')$$)});
# The next minute comes within one.
$node->poll_query_until('postgres', q{SELECT bool_or(status = 'succeeded') AND bool_or(status = 'failed') FROM cron.job_run_details})
	or die $node->safe_psql('postgres', 'SELECT * FROM cron.job_run_details');
is($node->safe_psql('postgres', q{
		INSERT INTO reading
		SELECT luuid_generate(now() + months * interval '1 month'), 1.5 FROM generate_series(0, 2) AS months;
		SELECT count(DISTINCT tableoid) FROM reading;
	}),
	3, 'this month and the next two have their partitions');
like($node->safe_psql('postgres', q{SELECT DISTINCT return_message FROM cron.job_run_details WHERE status = 'failed'}),
	qr/^ERROR: +table pg_class is not partitioned/, 'an error is in the list of runs');

done_testing();
