# Plugins of one program that each contain the installed library, built with g++ and, if installed, clang++: the
# promises of doc/cpp.md for their ids. Sequential mode is the hard case, since all generators start it at the same
# seed.
# needs: long
use File::Temp 'tempdir';
use Luuid;

chdir 'test/cli' or die;
my $folder = tempdir(CLEANUP => 1);
chomp(my $flags = '-std=c++20 -O1 -Wall -Wextra -Werror ' . `pkg-config --cflags luuid`);
chomp(my $libraries = `pkg-config --libs luuid`);

sub ran
{
	my ($command) = @_;
	my ($code, $output, $complaints) = shell($command);
	return $code == 0 ? $output : "status $code: $complaints";
}

my @compilers = grep { (shell("command -v $_"))[1] } 'g++', 'clang++';
is(ran("g++ $flags -o $folder/plugins plugins.cpp $libraries -ldl"), '', 'the program compiles');
for my $compiler (@compilers)
{
	# In two files, since one file loaded twice is one plugin.
	my $built = ran("$compiler $flags -fPIC -shared -fvisibility=hidden -o $folder/$compiler.1.so "
			. "plugin.cpp $libraries && cp $folder/$compiler.1.so $folder/$compiler.2.so");
	is($built, '', "a plugin compiles with $compiler");

	# Two versions whose state has another form. Their symbols are not hidden, so that those of one meet the other's.
	my $headers = "$folder/later";
	$built = ran("mkdir -p $headers && cp -R `pkg-config --variable=includedir luuid`/luuid $headers && cd $headers/luuid/detail "
			. "&& sed -i 's/ form_1\$/ form_2/' language.hpp "
			. "&& sed -i 's/^    Counters counters_;/    [[maybe_unused]] std::uint64_t more_[4] = {};&/' locality_generator.hpp");
	$built .= ran("$compiler -I $_->[1] $flags -fPIC -shared -o $folder/$compiler.$_->[0].so plugin.cpp $libraries")
		for [ 'earlier', '.' ], [ 'later', $headers ];
	is($built, '', "two versions compile with $compiler");
}

my $good = 'differ and rise';
my @pairs = map { [ $_, $_ ] } @compilers;
push @pairs, [@compilers] if @compilers == 2;
for my $pair (@pairs)
{
	my ($first, $second) = ("$folder/$pair->[0].1.so", "$folder/$pair->[1].2.so");
	my $who = join ' and ', @$pair;
	is(ran("$folder/plugins global $first 1 $second 1"), "first: $good\nsecond: $good\nboth: $good\none state\n",
		"$who, RTLD_GLOBAL: the plugins share one generator");
	my $local = ran("$folder/plugins local $first 1 $second 1");
	like($local, qr/^first: $good\nsecond: $good\n/, "$who, RTLD_LOCAL: the ids of each differ and rise");
	note "$who, RTLD_LOCAL, one node: $1" if $local =~ /(both: .*)/;
	like(ran("$folder/plugins local $first 1 $second 2"), qr/^both: differ/m,
		"$who, RTLD_LOCAL, a node each: no id twice");
}

for my $compiler (@compilers)
{
	my ($earlier, $later) = ("$folder/$compiler.earlier.so", "$folder/$compiler.later.so");
	for my $order ([ $earlier, $later ], [ $later, $earlier ])
	{
		like(ran("$folder/plugins global $order->[0] 1 $order->[1] 2"), qr/^first: $good\nsecond: $good\nboth: differ.*\ntwo states$/,
			"$compiler, two versions in one process: each has a state of its own");
	}
}

done_testing();
