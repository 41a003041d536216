# JIT inlines functions from the bitcode of the build under test.
# needs: long, bitcode
use LuuidCluster;

chomp(my $pkglibdir = `pg_config --pkglibdir`);
plan skip_all => 'luuid was built without bitcode for JIT' unless -e "$pkglibdir/bitcode/luuid.index.bc";

my $node = LuuidCluster->started('jit', 'jit = on', 'jit_above_cost = 0', 'jit_optimize_above_cost = 0', 'jit_dump_bitcode = on');
$node->safe_psql('postgres', 'CREATE EXTENSION luuid');
plan skip_all => 'this server has no JIT' if $node->safe_psql('postgres', 'SELECT pg_jit_available()') ne 't';

my @functions = qw(luuid_eq luuid_byte_ge luuid_extract_timestamp luuid_msb luuid_shard);
my $query = q{
	SELECT count(*) FILTER (WHERE id = id AND id ~>=~ id
		AND luuid_extract_timestamp(id) IS NOT NULL AND luuid_msb(id) <> 0 AND luuid_shard(id, 8) < 9)
	FROM (SELECT luuid_generate() AS id FROM generate_series(1, 10) OFFSET 0) AS made
};

# The functions whose bodies are in the bitcode that the server dumped for the query. A function called in the module
# has a name there that begins with pgextern.
sub inlined
{
	my ($jit_inline_above_cost) = @_;
	unlink glob $node->data_dir . '/*.bc';
	is($node->safe_psql('postgres', "SET jit_inline_above_cost = $jit_inline_above_cost; $query"), '10', 'the result');
	my @dumps = grep { !/optimized/ } glob $node->data_dir . '/*.bc';
	cmp_ok(scalar(@dumps), '>=', 1, '... of compiled code');
	my $code = join '', map { slurp_file($_) } @dumps;
	return join ' ', grep { $code =~ /(?<!pgextern\.\$libdir\/luuid\.)$_/ } @functions;
}

is(inlined(-1), '', '... which calls the functions');
is(inlined(0), "@functions", '... which contains the functions if it inlines');

done_testing();
