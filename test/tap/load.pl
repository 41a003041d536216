# Many clients with every generator as a column default, under autovacuum and checkpoints: no error and no duplicate;
# and a backend whose memory does not grow over very many ids and errors.
# needs: long
use LuuidCluster;

my $scale = LuuidCluster::scaled(1);
my $clients = $scale > 1 ? 64 : 16;
# Per scope; minutes in total if there is time.
my $seconds = $scale > 1 ? LuuidCluster::scaled(9) : 3;

# Every generator. Placed ids go to one of many shards, and near a neighbour by the default of 16 bits and by 0.
my %generator = (
	by_mode => 'luuid_generate()',
	variable => 'luuid_generate_variable()',
	sequential => 'luuid_generate_sequential()',
	back_filled => 'luuid_generate(clock_timestamp())',
	version_1 => 'luuid_generate_v1()',
	version_7 => 'luuid_generate_v7()',
	in_shard => 'luuid_generate_in_shard(5, 8)',
	near => q{luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2')},
	anywhere => q{luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2', 0)},
);
my @generators = sort keys %generator;

for my $scope (sort keys %LuuidCluster::scope)
{
	my $node = LuuidCluster->started("load_$scope", @{ $LuuidCluster::scope{$scope} },
		'max_connections = 100', 'log_statement = none', 'log_min_duration_statement = -1', 'autovacuum = on',
		'autovacuum_naptime = 1s', 'autovacuum_vacuum_threshold = 20', 'autovacuum_vacuum_scale_factor = 0',
		'autovacuum_vacuum_insert_threshold = 100', 'autovacuum_vacuum_insert_scale_factor = 0',
		'autovacuum_analyze_threshold = 50', 'autovacuum_analyze_scale_factor = 0', 'autovacuum_vacuum_cost_delay = 0',
		'max_wal_size = 64MB', 'min_wal_size = 32MB');
	$node->safe_psql('postgres', 'CREATE EXTENSION luuid; CREATE TABLE made ('
			. join(', ', 'n int', map { "$_ luuid UNIQUE DEFAULT $generator{$_}" } @generators)
			. ');');

	# What was made stays known, though rows come and go: a deleted row's ids go to a table without an index.
	$node->safe_psql('postgres', 'CREATE TABLE gone (LIKE made)');
	my $checkpoints = $node->pg_version >= 17
		? 'SELECT num_requested FROM pg_stat_checkpointer'
		: 'SELECT checkpoints_req FROM pg_stat_bgwriter';
	my $checkpoints_before = $node->safe_psql('postgres', $checkpoints);
	# A refused id, or any other error, ends its client and fails the run.
	$node->pgbench("--no-vacuum --client=$clients --jobs=2 --time=$seconds --protocol=prepared --max-tries=1",
		0, [ qr/number of transactions actually processed: [1-9]/, qr/number of failed transactions: 0 / ], [qr/^$/],
		"$scope: $clients clients", {
			"insert_$scope\@60" => q{
				\set n random(1, 1000)
				INSERT INTO made (n) VALUES (:n);
				INSERT INTO made (n) SELECT generate_series(1, 10);
			},
			"alternate_$scope\@10" => q{
				BEGIN;
				SET LOCAL luuid.mode = sequential;
				INSERT INTO made (n) VALUES (0);
				SET LOCAL luuid.version = 8;
				INSERT INTO made (n) VALUES (0);
				COMMIT;
			},
			"move_$scope\@20" => q{
				\set n random(1, 1000)
				WITH deleted AS (
					DELETE FROM made
					WHERE ctid IN (SELECT ctid FROM made WHERE n = :n LIMIT 3 FOR UPDATE SKIP LOCKED)
					RETURNING *
				)
				INSERT INTO gone SELECT * FROM deleted;
				UPDATE made SET n = n + 1
				WHERE ctid IN (SELECT ctid FROM made WHERE n = :n + 1 LIMIT 3 FOR UPDATE SKIP LOCKED);
			},
			"rolled_back_$scope\@5" => q{
				BEGIN;
				INSERT INTO made (n) SELECT generate_series(1, 5);
				ROLLBACK;
			},
			"checkpoint_$scope\@1" => q{
				CHECKPOINT;
			},
		});
	cmp_ok($node->safe_psql('postgres', $checkpoints), '>', $checkpoints_before, "$scope: checkpoints were forced");
	$node->poll_query_until('postgres',
		q{SELECT autovacuum_count > 0 AND autoanalyze_count > 0 FROM pg_stat_user_tables WHERE relname = 'made'});
	is($node->safe_psql('postgres', q{SELECT sign(autovacuum_count) FROM pg_stat_user_tables WHERE relname = 'made'}),
		'1', "$scope: autovacuum ran");
	for my $generator (@generators)
	{
		$node->check_no_repeat('postgres', "SELECT $generator FROM made UNION ALL SELECT $generator FROM gone",
			$clients * 10, "$scope, $generator");
	}
	$node->check_no_repeat('postgres',
		join(' UNION ALL ', map { "SELECT unnest(ARRAY[" . join(', ', @generators) . "]) FROM $_" } qw(made gone)),
		$clients * 10 * @generators, "$scope, all generators");
	$node->check_indexes('postgres', $scope);
	is(scalar(() = slurp_file($node->logfile) =~ /\b(ERROR|FATAL|PANIC): /g), 0, "$scope: no error in the server's log");

	# Memory of one backend ---------------------------------------------------------------------------------------

	my $session = $node->background_psql('postgres');
	my ($pid) = $session->query_safe('SELECT pg_backend_pid();') =~ /^(\d+)/m;
	# Ids that are generated faster than their range allows would wait for the clock.
	$session->query_safe('SET client_min_messages = error; SET luuid.max_ahead = 0;');
	my $each = join('', map { "PERFORM $generator{$_};\n" } @generators);
	$session->query_safe(qq{
		CREATE FUNCTION pg_temp.generate(ids bigint) RETURNS void LANGUAGE plpgsql AS \$\$
		BEGIN
			FOR i IN 1 .. ids / @{[ scalar @generators ]} LOOP
				$each
			END LOOP;
		END
		\$\$;
	});
	$session->query_safe(q{
		CREATE FUNCTION pg_temp.fail(errors bigint) RETURNS void LANGUAGE plpgsql AS $$
		DECLARE
			wrong text[] := ARRAY[
				$q$SELECT luuid '20be0ffc-314a-bd53-7a50-013a65ca76d2x'$q$,
				$q$SELECT repeat('x', 1000)::luuid$q$,
				$q$SELECT '\x00'::bytea::luuid$q$,
				$q$SELECT luuid_generate(timestamptz 'infinity')$q$,
				$q$SELECT luuid_generate_in_shard(9, 8)$q$,
				$q$SELECT luuid_generate_near(luuid_generate(), 33)$q$,
				$q$SELECT luuid_shard(luuid_generate(), 0)$q$,
				$q$SELECT luuid_from_uniqid('no key')$q$,
				$q$SELECT luuid_to_uniqid(gen_random_uuid())$q$,
				$q$SET luuid.node = 'wrong'$q$
			];
			caught bigint := 0;
		BEGIN
			FOR i IN 1 .. errors LOOP
				BEGIN
					EXECUTE wrong[1 + i % 10];
				EXCEPTION WHEN data_exception OR invalid_parameter_value THEN
					caught := caught + 1;
				END;
			END LOOP;
			IF caught <> errors THEN
				RAISE '% errors, not %', caught, errors;
			END IF;
		END
		$$;
	});
	my $memory = sub {
		my ($contexts) = $session->query_safe('SELECT sum(total_bytes) FROM pg_backend_memory_contexts;') =~ /^(\d+)/m;
		# Of the backend's own; what it has touched of shared memory is counted apart.
		my ($resident) = slurp_file("/proc/$pid/status") =~ /^RssAnon:\s+(\d+) kB/m;
		return ($contexts / 1024, $resident);
	};
	for my $load ([ 'generate', LuuidCluster::scaled(200_000), 'ids' ], [ 'fail', LuuidCluster::scaled(20_000), 'errors' ])
	{
		my ($function, $amount, $things) = @$load;
		# What is kept once is there after some.
		$session->query_safe("SELECT pg_temp.$function(1000);") for 1 .. 3;
		$memory->();
		my @before = $memory->();
		$session->query_safe("SELECT pg_temp.$function($amount);");
		my @after = $memory->();
		note "$scope: $amount $things, kB in contexts and resident: @before, then @after";
		cmp_ok($after[0] - $before[0], '<=', 64, "$scope: memory contexts have not grown after $amount $things");
		cmp_ok($after[1] - $before[1], '<=', 512, "$scope: resident memory has not grown after $amount $things");
	}
	$session->quit;
	$node->stop;
}

done_testing();
