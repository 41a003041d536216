# PL/Proxy over four databases, by the statements of doc/scaling.md: a row is written and found where its id belongs,
# children beside their parent. A slice asks all databases, and a list of ids those where its ids belong.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-plproxy', 'plproxy.so');
my $node = LuuidCluster->started('plproxy', 'timezone = UTC', 'log_statement = none');
my ($tables) = LuuidCluster::documented('scaling.md', 'Each data server');
my ($writers, $proxy, $use) = LuuidCluster::documented('scaling.md', 'PL/Proxy');
my @shards = 0 .. 3;

# The document's servers are databases here, and its user is one of them all.
$node->safe_psql('postgres', 'CREATE ROLE app LOGIN');
for my $shard (@shards)
{
	$node->safe_psql('postgres', "CREATE DATABASE shard$shard OWNER app");
	my $its_tables = $tables =~ s/(?<=\(id, 4\) = )2/$shard/gr;
	$node->safe_psql("shard$shard", $its_tables . $writers, extra_params => [ '-U', 'app' ]);
}
my $here = 'host=' . $node->host . ' port=' . $node->port;
$node->safe_psql('postgres', $proxy =~ s/host=(\w+)\.example\.com dbname=app/$here dbname=$1/gr);

sub ask { return $node->safe_psql('postgres', @_) }

sub ask_each { my ($sql) = @_; return join ' ', map { $node->safe_psql("shard$_", $sql) } @shards }

ask($use);
is(ask_each('SELECT count(*) FROM event') =~ tr/1//, 1, 'a row is on one server');
is(ask_each('SELECT count(*) FROM event'), ask_each('SELECT count(*) FROM item JOIN event ON event.id = event_id'),
	'... and its child is with it');

ask(q{SELECT add_event(luuid_generate(), 'row ' || n) FROM generate_series(1, 400) AS n});
is(ask_each(q{SELECT count(*) FROM event WHERE what LIKE 'row %'}), '100 100 100 100',
	'ids in a row are shared out evenly');
# The constraints of the data servers refuse a row of another shard.
ask(q{
	SELECT add_item(luuid_generate_near(id), id, what) FROM get_events_between('-infinity', 'infinity')
	WHERE what LIKE 'row %'
});
is(ask_each(q{
		SELECT count(*) FROM item
		WHERE what LIKE 'row %' AND what = (SELECT what FROM event WHERE id = event_id)
	}),
	'100 100 100 100', 'children are with their parents');

ask(q{CREATE TABLE seen AS SELECT * FROM get_events_between(now() - interval '1 hour', 'infinity')});
is(ask(q{
		SELECT array_agg(what ORDER BY id) = array_agg('row ' || n ORDER BY n), count(*)
		FROM seen JOIN generate_series(1, 400) AS n ON what = 'row ' || n
	}),
	't|400', 'a slice of all servers has every row, in order');
is(ask('SELECT count(*) FROM seen CROSS JOIN get_event(id) AS found WHERE found = what'), 401,
	'each row is found by its id');
is(ask('SELECT count(*) FROM get_event(luuid_generate())'), 0, '... and none by another');
is(ask(q{
		SELECT count(*), count(DISTINCT luuid_shard(id, 4)) FROM get_events(ARRAY(SELECT id FROM seen ORDER BY id LIMIT 8))
		NATURAL JOIN seen
	}), '8|4', 'rows are found by a list of ids');
is(ask(q{
		SELECT (SELECT array_agg(id ORDER BY id) FROM get_events_between('-infinity', middle))
			= (SELECT array_agg(id ORDER BY id) FROM seen WHERE id < middle)
		FROM (SELECT id::timestamptz AS middle FROM seen ORDER BY id OFFSET 300 LIMIT 1) AS at
	}), 't', 'a slice ends where it should');

like($node->error_of('postgres', q{
	CREATE FUNCTION get_named(event_id luuid) RETURNS SETOF text LANGUAGE plproxy AS
		$$ CLUSTER 'events'; RUN ON luuid_shard(event_id, 4); SELECT what FROM event WHERE id = get_named.event_id; $$;
	SELECT get_named(luuid_generate());
}), qr/missing FROM-clause entry for table "get_named"/, q{an argument after its function's name is not replaced});

done_testing();
