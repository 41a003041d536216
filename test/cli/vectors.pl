# What clients in other languages are tested with is what the C++ library says; of texts, the server and the command line
# say so too.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use File::Temp 'tempdir';
use IPC::Run 'run';
use Luuid;
use Test::More tests => 6;

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
sub ids_of_server {
    run [qw(psql -XqAt -v ON_ERROR_STOP=1)], '<', \<<"END", '>', \my $output, '2>', \my $notice or die;
CREATE EXTENSION IF NOT EXISTS luuid;
CREATE FUNCTION pg_temp.id(line text) RETURNS luuid LANGUAGE plpgsql AS
    'BEGIN RETURN line::luuid; EXCEPTION WHEN invalid_text_representation THEN RETURN NULL; END';
CREATE TEMP TABLE given (n int, line text);
COPY given FROM STDIN;
${\join '', map { "$_\t$_[$_]\n" } 0 .. $#_}\\.
SELECT pg_temp.id(line) FROM given ORDER BY n;
END
    return $output;
}
is(ids_of_server(map { $_->[0] } @texts), $wanted, 'the server reads texts alike');

# An argument each to the command line.
my $read = '';
for my $text (map { $_->[0] } @texts) {
    my (undef, $object) = luuid([ 'inspect', '--json', $text ]);
    $read .= ($object =~ /"id":"([^"]*)"/ ? $1 : '') . "\n";
}
is($read, $wanted, 'so does the command line');

# Ids in any form, with up to two characters changed, as lines: the command line says which are none.
my @digits = (0 .. 9, 'a' .. 'f', 'A' .. 'F');
my @lines = map {
    my $chance = (0, 0.5, 1)[ rand 3 ];
    my $line = join '', map { (map { $digits[ rand @digits ] } 1 .. 4), $_ < 8 && rand() < $chance ? '-' : () } 1 .. 8;
    $line = "{$line}" if rand() < 0.3;
    substr($line, rand(length $line), int rand 2) = ('', split //, '-{}g_7f')[ rand 8 ] for 1 .. rand 3;
    $line;
} 1 .. 20_000;
my (undef, $objects, $refusals) = luuid([qw(inspect --json)], join "\n", @lines, '');
my %refused = map { $_ => 1 } $refusals =~ /^luuid: line (\d+)/gm;
my @ids = $objects =~ /"id":"([^"]*)"/g;
my $ids = join '', map { ($refused{$_} ? '' : shift @ids) . "\n" } 1 .. @lines;
ok($ids eq ids_of_server(@lines) && %refused && !@ids, 'and both read 20 000 others alike');
