# DBD::Pg: an id is a string, and needs nothing; a time needs its type.
use strict;
use warnings;

use DBI;

my $db = DBI->connect('dbi:Pg:', undef, undef, { RaiseError => 1, PrintError => 0 });
sub rows { my ($statement, @values) = @_; return $db->selectcol_arrayref($statement, undef, @values) }

$| = 1;
my $id = '20be0ffc-314a-bd53-7a50-013a65ca76d2';
print "own\tan array comes back, as one of text\t@{rows('SELECT ARRAY[?::luuid]::text[]', $id)->[0]}\t$id\n";
eval { rows('SELECT FROM event WHERE id >= ?', '2026-11-01') };
print "own\ta time without its type is refused\t@{[ $db->state ]}\t22P02\n";
print "sql\tDBD::Pg\tmark=?\ttime_mark=?::timestamptz\nready\n";
while (my $line = <STDIN>)
{
	chomp $line;
	my (undef, $kind, $statement, @values) = split /\t/, $line;
	my $found = eval {
		return [ map { $db->do($statement, undef, $_) && () } @values ] if $kind eq 'each';
		rows($statement, $kind eq 'ids' ? \@values : @values);
	} // [ 'error', $db->state ];
	print join("\t", @$found), "\n";
}
