# DBD::Pg: an id is a string, and needs nothing; a time needs its type.
use strict;
use warnings;

use DBI;
use Test::More;

open my $file, '<', $ENV{LUUID_IDS} or die $!;
chomp(my @rows = <$file>);
my @times = map { (split /\t/)[1] } @rows;
# In chronological order.
my @ids = map { (split /\t/)[0] } @rows;

my $db = DBI->connect('dbi:Pg:', undef, undef, { RaiseError => 1, PrintError => 0 });
sub found { return $db->selectcol_arrayref("SELECT id FROM event WHERE $_[0] ORDER BY id", undef, @_[1 .. $#_]) }

$db->do('INSERT INTO event (id) VALUES (?)', undef, $_) for reverse @ids;
is_deeply(found('true'), \@ids, 'ids of the client are stored and read back');
is_deeply(found('id = ?', $ids[2]), [ $ids[2] ], 'an id finds its row');
is_deeply(found('id = ANY (?)', [ @ids[5, 0, 3] ]), [ @ids[0, 3, 5] ], 'an array finds its rows');
is_deeply($db->selectrow_array('SELECT ARRAY[id]::text[] FROM event WHERE id = ?', undef, $ids[2]), [ $ids[2] ],
	'an array comes back, as one of text');
for my $i (grep { $times[$_] && ($_ == 0 || $times[$_] ne ($times[$_ - 1] // '')) } 0 .. $#ids)
{
	is_deeply(found('id >= ?::timestamptz', $times[$i]), [ @ids[$i .. $#ids] ], 'a time finds the rows since');
}
ok(!eval { found('id >= ?', '2026-11-01') }, 'a time without its type is refused');
is($db->state, '22P02', '... as what is no id');

$db->do('TRUNCATE event');
my @made = map { $db->selectrow_array('INSERT INTO event DEFAULT VALUES RETURNING id') } 1 .. 20;
is_deeply(found('true'), \@made, 'ids of the server come back as made');

done_testing();
