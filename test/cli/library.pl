# The installed library: pkg-config finds it, and the documented example prints what it should, with g++ and, if
# installed, clang++.
# needs: long
use Cwd 'abs_path';
use File::Temp 'tempdir';
use Luuid;
no warnings 'portable';    # 64-bit numbers

my $folder = tempdir(CLEANUP => 1);
my $version = `sed -n "s/^default_version = '\\(.*\\)'/\\1/p" luuid.control`;
is(`pkg-config --modversion luuid`, $version, 'pkg-config has the version');
chomp(my $flags = '-std=c++20 -Wall -Wextra -Wsign-conversion -Werror ' . `pkg-config --cflags luuid`);
chomp(my $libraries = `pkg-config --libs luuid`);

# The fields of the two ids by the description of the layout and RFC 9562. Their prefixes, 0x20be0ffc and 0xc232ab00,
# are on the shards of their first digits. 2012-10-15 is tick 0x01B21DD213814000 + 1350259200 * 10^7 of the Gregorian
# count.
my $floor = 0x01B21DD213814000 + 1350259200 * 10**7;
my $ceiling = $floor + 86400 * 10**7 - 1;
my $first = sprintf '%08x-%04x-1%03x-8080-808080808080', $floor & 0xffffffff, $floor >> 32 & 0xffff, $floor >> 48;
my $last = sprintf '%08x-%04x-6%03x-bfff-ffffffffffff', $ceiling >> 28, $ceiling >> 12 & 0xffff, $ceiling & 0xfff;
my $spread = qr/(?:  [0-9a-f]{8}-[0-9a-f]{4}-b[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\n)/;
my $expected = qr/\AThree new ids, to spread over shards:
$spread{3}Three to lie together:
$spread{3}What ids say:
  20be0ffc-314a-bd53-7a50-013a65ca76d2: version 11, 2012-10-15T18:58:18\.450Z, counter 3488672514, process 12618, shard 2 of 16
  c232ab00-9414-11ec-b3c8-9f6bdeced846: version 1, 2022-02-22T19:22:22\.000Z, shard 12 of 16
  20be0ffc-314a-bd53-7a50-oops: expected a hexadecimal digit at character 25
A day, for a query:
  $first
  $last
Sorted by time:
  $first
  20be0ffc-314a-bd53-7a50-013a65ca76d2
  $last
\z/;

# Constants out of range, and other mistakes: none compiles, and the complaint says why.
my %refused = (
	'shard 16 of 16' => [ 'luuid::Generator().next_in_shard({16, 16})', 'const' ],
	'no shards' => [ '(void)luuid::shard_of(luuid::nil_id, 0)', 'const' ],
	'33 bits of 32' => [ 'luuid::Generator().next_near(luuid::nil_id, 33)', 'const' ],
	'a key for 1001 shards' => [ 'char text[20]; luuid::format_uniqid({}, 1001, text)', 'const' ],
	'a text that may be no id' => [ 'luuid::Id id = luuid::parse(""); (void)id', 'conver' ],
	'a parsed id that nobody uses' => [ 'luuid::parse("")', 'nodiscard' ],
	'a sealed id that nobody uses' => [ 'luuid::seal(luuid::nil_id, {})', 'nodiscard' ],
	'eight characters for an id' => [ 'char text[8]; luuid::format(luuid::nil_id, text)', 'span' ],
	'the memory of an id as its bytes' => [ 'std::bit_cast<std::array<char, 16>>(luuid::nil_id)', 'bit_cast' ],
	'a copy of the memory of an id' => [ 'char bytes[16]; std::memcpy(bytes, &luuid::nil_id, 16)', 'deleted' ],
	'bytes in the memory of an id' => [ 'luuid::Id id; std::memcpy(&id, "0123456789abcdef", 16)', 'deleted' ],
);

# Every header alone, since any can be first.
chomp(my @headers = `cd src && ls luuid/*.hpp`);

for my $compiler ('g++', 'clang++')
{
SKIP: {
		my @what = sort keys %refused;
		skip "no $compiler", 3 + @what unless (shell("command -v $compiler"))[1];
		my ($code, $output, $complaints) =
			shell("$compiler $flags ${\ ($compiler eq 'g++' ? '-Wuseless-cast' : '')} -o $folder/example doc/example.cpp $libraries " .
				"&& $folder/example");
		is("$code$complaints", '0', "the example compiles with $compiler, and runs");
		like($output, $expected, 'and prints what it should');
		is(join(' ', grep { (shell("echo '#include <$_>' | $compiler -std=c++17 `pkg-config --cflags luuid` -fsyntax-only -x c++ - 2>&1 " .
								'| grep -m1 error:'))[1]
						!~ /luuid needs C\+\+20: compile with -std=c\+\+20/ } @headers),
			'', "an earlier C++ is told with $compiler, before anything else");
		my $source = join '', map { "#include <$_>\n" } 'array', 'bit', 'cstring', 'luuid/luuid.hpp';
		$source .= "void use$_() { $refused{$what[$_]}[0]; }\n" for 0 .. $#what;
		(undef, undef, $complaints) = shell("echo '$source' | $compiler $flags -fsyntax-only -x c++ -");
		for my $number (0 .. $#what)
		{
			my ($line, $why) = ($number + 5, $refused{ $what[$number] }[1]);
			like($complaints, qr/^<stdin>:$line:\d+: .*$why/m, "$compiler refuses $what[$number]");
		}
	}
}

SKIP: {
	skip 'there is no CMake', 1 unless (shell('command -v cmake'))[1];
	mkdir "$folder/$_" for qw(cmake build);
	open(my $lists, '>', "$folder/cmake/CMakeLists.txt") or die;
	my ($headers) = `pkg-config --variable=includedir luuid` =~ /(.*)/;
	my $example = abs_path('doc/example.cpp');
	print $lists "cmake_minimum_required(VERSION 3.16)\nproject(example CXX)\n",
		(map { "find_package(luuid $_ QUIET)\nif(luuid_FOUND)\nmessage(FATAL_ERROR $_)\nendif()\n" } '0.9', '1.9', '2.0'),
		"find_package(luuid 1.0 EXACT REQUIRED)\nfind_package(luuid 1 REQUIRED)\nfind_package(luuid REQUIRED)\n",
		"add_executable(example \"$example\")\ntarget_link_libraries(example PRIVATE luuid::luuid)\n";
	close $lists;
	my $prefix = $headers =~ s,/include$,,r;
	my ($code, $output, $complaints) = shell("cmake -S $folder/cmake -B $folder/build -DCMAKE_PREFIX_PATH=$prefix >&2 " .
			"&& cmake --build $folder/build >&2 && $folder/build/example");
	like("$code $output", qr/^0 ${\ ($expected =~ s,\\A,,r)}/, 'CMake finds the library') or diag($complaints);
}

done_testing();
