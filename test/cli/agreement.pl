# The rules by which routers and partitions place ids on shards, as the command line prints them, do as a server's luuid_shard.
# needs: long, server
use IPC::Run 'run';
use Luuid;

# The rows and columns that psql returns. The given lines are in the table `given (n, line)`.
sub sql
{
	my ($query, @given) = @_;
	my $script = "CREATE TEMP TABLE given (n int, line text);\nCOPY given FROM STDIN;\n"
		. join('', map { "$_\t$given[$_]\n" } 0 .. $#given) . "\\.\n$query;\n";
	run [ qw(psql -XqAt -v ON_ERROR_STOP=1 -F), "\t", '--pset=null=null' ], '<', \$script, '>', \my $output
		or die "psql fails\n";
	return map { [ split /\t/, $_, -1 ] } split /\n/, $output;
}

# One test for many comparisons, which shows the first few failures.
sub agree
{
	my ($name, $given, $cli, $sql) = @_;
	my @wrong = grep { ($cli->[$_] // 'nothing') ne ($sql->[$_] // 'nothing') } 0 .. $#$given;
	ok(@$given > 0 && @$cli == @$given && @$sql == @$given && !@wrong, @$given . " $name");
	diag("$given->[$_]: the command line says $cli->[$_], SQL $sql->[$_]") for @wrong[ 0 .. ($#wrong < 4 ? $#wrong : 4) ];
}

system(qw(psql -Xq -c), 'CREATE EXTENSION luuid') == 0 or die;

# Ranges: ids go where luuid_shard says, by the rule that each router documents, and as partitions of a table ----------------

my @routed = split /\n/, (shell('luuid generate -n 1000'))[1];
my %rules = (
	# The first rule whose start, if any, is not after the id, and whose end, if any, is.
	pgdog => sub {
		my @rules = map { { /^(\w+) = "?([^"\n]*)/mg } } split /^\[\[sharded_tables\.mapping\]\]\n/m, shift;
		shift @rules;
		return sub {
			my ($id) = @_;
			for my $rule (@rules)
			{
				return $rule->{shard} if ($rule->{start} // '') le $id && (!exists $rule->{end} || $id lt $rule->{end});
			}
			return 'all';
		};
	},
	# The range with the greatest lower bound that is not after the id; a new range has to be below all before it.
	spqr => sub {
		my @ranges = map { [/^CREATE KEY RANGE shard(\d+) FROM '(.{36})' ROUTE TO shard\1 FOR DISTRIBUTION event;$/] } split /\n/, shift;
		ok(!(grep { $ranges[ $_ - 1 ][1] le $ranges[$_][1] } 1 .. $#ranges), '... in the order that SPQR accepts');
		return sub { my ($id) = @_; return (map { $_->[0] } grep { $_->[1] le $id } @ranges)[0] // 'none' };
	});
for my $shards (1, 3, 16, 1000)
{
	my @floors = map { $_->[0] } sql("SELECT luuid_shard_floor(n, $shards) FROM generate_series(0, $shards - 1) AS n");
	my @bounds = map { sprintf '%08x-ffff-ffff-ffff-ffffffffffff', hex(substr $_, 0, 8) - 1 } @floors[ 1 .. $#floors ];
	my @asked = (@routed, @floors, @bounds);
	my @expected = map { $_->[0] } sql("SELECT luuid_shard(line::luuid, $shards) FROM given ORDER BY n", @asked);
	for my $router (sort keys %rules)
	{
		my $rule = $rules{$router}->((luuid([ 'shard', '--ranges', $shards, '--format', $router ]))[1]);
		agree("ids by $router over $shards", \@asked, [ map { $rule->($_) } @asked ], \@expected);
	}
	for my $key ('uuid', 'luuid luuid_byte_ops')
	{
		my ($type, $class) = split / /, $key;
		my $partitions = (luuid([ 'shard', '--ranges', $shards, '--format', 'sql' ]))[1];
		my @taken = map { $_->[0] } sql("CREATE TEMP TABLE event (id $type, n int) PARTITION BY RANGE (id " . ($class // '') . ");\n"
				. ($partitions =~ s/TABLE/TEMP TABLE/gr) . "INSERT INTO event SELECT line::$type, n FROM given;\n"
				. q{SELECT substr(tableoid::regclass::text, 7) FROM event ORDER BY n}, @asked);
		agree("ids by partitions of $type over $shards", \@asked, \@taken, \@expected);
	}
}

done_testing();
