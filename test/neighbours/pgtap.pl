# pgTAP checks a column of ids, its default and its key, and compares ids.
use LuuidCluster;

LuuidCluster::needs('postgresql-NN-pgtap', 'pgtap.control');
my $node = LuuidCluster->started('pgtap');
my $answer = $node->safe_psql('postgres', q{
	CREATE EXTENSION luuid;
	CREATE EXTENSION pgtap;
	CREATE TABLE event (id luuid PRIMARY KEY DEFAULT luuid_generate(), what text);
	CREATE INDEX event_bytes ON event (id luuid_byte_ops);
	INSERT INTO event (id, what) VALUES ('20be0ffc-314a-bd53-7a50-013a65ca76d2', 'made');

	SELECT plan(9);
	SELECT has_extension('luuid');
	SELECT has_type('luuid');
	SELECT col_type_is('event', 'id', 'luuid');
	SELECT col_default_is('event', 'id', 'luuid_generate()');
	SELECT col_is_pk('event', 'id');
	SELECT is((SELECT id FROM event), '20be0ffc-314a-bd53-7a50-013a65ca76d2'::luuid);
	SELECT cmp_ok((SELECT id FROM event), '<', luuid_generate());
	SELECT results_eq('SELECT id FROM event', ARRAY['20be0ffc-314a-bd53-7a50-013a65ca76d2']::luuid[]);
	SELECT isnt((SELECT id FROM event), luuid_generate(), 'that another id is not equal');
	SELECT * FROM finish();
	SELECT is((SELECT id FROM event), luuid_generate());
});
is(scalar(() = $answer =~ /^ok /mg), 9, 'what holds is ok') or diag $answer;
is(scalar(() = $answer =~ /^not ok /mg), 1, 'what does not is not') or diag $answer;

done_testing();
