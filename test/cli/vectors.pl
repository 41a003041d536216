# The vectors with which the clients are tested are what the C++ library returns. agreement.pl tests their texts in SQL too.
use File::Temp 'tempdir';
use Luuid;

plan tests => 3;
my $program = tempdir(CLEANUP => 1) . '/vectors';
my $compiler = $ENV{CXX} // 'g++';
my (undef, undef, $complaints) = shell("$compiler -std=c++20 -O1 -Wall -Wextra -Werror -Isrc -o $program test/data/vectors.cpp");
is($complaints, '', 'the program compiles');
my ($code, $vectors) = shell($program);
is($code, 0, 'it runs');
open(my $file, '<', 'test/data/vectors.tsv') or die;
my $kept = do { local $/; <$file> };
ok($vectors eq $kept, 'test/data/vectors.tsv is what it prints');
diag('make it anew: g++ -std=c++20 -Isrc -o build/vectors test/data/vectors.cpp && build/vectors > test/data/vectors.tsv')
    unless Test::More->builder->is_passing;
