# pgAudit logs statements on tables of ids, with ids among the parameters. Functions of luuid are in pg_catalog, of which
# it logs none.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-pgaudit', 'pgaudit.so');
my $node = LuuidCluster->started('pgaudit', q{shared_preload_libraries = 'luuid, pgaudit'},
	q{pgaudit.log = 'write, ddl, function'}, 'pgaudit.log_parameter = on', 'pgaudit.log_relation = on', 'log_statement = none');
$node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION pgaudit;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
});

sub audited
{
	my ($statement) = @_;
	my $before = -s $node->logfile;
	$node->safe_psql('postgres', $statement);
	return join '', substr(slurp_file($node->logfile), $before) =~ /AUDIT: (.*\n)/g;
}

like(audited(q{
		PREPARE add (luuid, text) AS INSERT INTO event VALUES ($1, $2);
		EXECUTE add ('{20BE0FFC-314A-BD53-7A50-013A65CA76D2}', 'made');
	}),
	qr/WRITE,INSERT,TABLE,public\.event,.*20be0ffc-314a-bd53-7a50-013a65ca76d2/, 'an INSERT, with its id');
like(audited(q{DELETE FROM event WHERE id < now()}), qr/WRITE,DELETE,TABLE,public\.event/, 'a DELETE by time');
is(audited(q{SELECT luuid_generate_near(id) FROM event WHERE id <@ tstzrange(now(), NULL)}), '',
	'a SELECT, which was not asked for');
is(audited(q{SELECT luuid_generate_near('20be0ffc-314a-bd53-7a50-013a65ca76d2'), gen_random_uuid()}), '',
	"a function of luuid's, as little as one of the server's");

done_testing();
