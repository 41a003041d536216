# A fork at each step of a process's first id, with the installed library, built with g++ and, if installed, clang++.
# needs: long
use File::Temp 'tempdir';
use Luuid;

my $folder = tempdir(CLEANUP => 1);
chomp(my $flags = '-std=c++20 -O1 -Wall -Wextra -Werror ' . `pkg-config --cflags luuid`);
chomp(my $libraries = `pkg-config --libs luuid`);
for my $compiler (grep { (shell("command -v $_"))[1] } 'g++', 'clang++')
{
	my ($code, $output, $complaints) =
		shell("$compiler $flags -o $folder/fork test/cli/fork.cpp $libraries -ldl && $folder/fork");
	is($code . $complaints, '0', "the program compiles with $compiler, and ends");
	like($output, qr/\A1\d steps\n\z/, 'a child of each step generates an id of its own');
}

done_testing();
