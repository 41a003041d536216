# What clients in other languages are tested with is what the C++ library says; of texts, the server and the command line
# say so too.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp 'tempdir';
use IPC::Run 'run';
use Luuid;
use Test::More tests => 5;

chdir "$FindBin::Bin/../.." or die;
my $program = tempdir(CLEANUP => 1) . '/vectors';
my $compiler = $ENV{CXX} // 'g++';
my (undef, undef, $complaints) = shell("$compiler -std=c++20 -O1 -Wall -Wextra -Werror -Isrc -o $program test/data/vectors.cpp");
is($complaints, '', 'the program compiles');
my ($code, $vectors) = shell("$program test/data/java.tsv");
is($code, 0, 'it runs');
open(my $file, '<', 'test/data/vectors.tsv') or die;
my $kept = do { local $/; <$file> };
ok($vectors eq $kept, 'test/data/vectors.tsv is what it prints');
diag('make it anew: g++ -std=c++20 -Isrc -o build/vectors test/data/vectors.cpp && build/vectors test/data/java.tsv > test/data/vectors.tsv')
    unless Test::More->builder->is_passing;

my @texts = map { [ (split /\t/, $_, -1)[ 1, 2 ] ] } grep { /^text\t/ } split /\n/, $kept;
my $wanted = join '', map { "$_->[1]\n" } @texts;
# A line each to the server, where a text that is none is NULL.
run [qw(psql -XqAt -v ON_ERROR_STOP=1)], '<', \<<"END", '>', \my $output or die;
CREATE EXTENSION luuid;
CREATE FUNCTION pg_temp.id(line text) RETURNS luuid LANGUAGE plpgsql AS
    'BEGIN RETURN line::luuid; EXCEPTION WHEN invalid_text_representation THEN RETURN NULL; END';
CREATE TEMP TABLE given (n int, line text);
COPY given FROM STDIN;
${\join '', map { "$_\t$texts[$_][0]\n" } 0 .. $#texts}\\.
SELECT pg_temp.id(line) FROM given ORDER BY n;
END
is($output, $wanted, 'the server reads texts alike');
# An argument each to the command line.
my $read = '';
for my $text (map { $_->[0] } @texts) {
    my (undef, $object) = luuid([ 'inspect', '--json', $text ]);
    $read .= ($object =~ /"id":"([^"]*)"/ ? $1 : '') . "\n";
}
is($read, $wanted, 'so does the command line');
