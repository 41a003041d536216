# The command line alone: its output, errors and exit codes, with any kind of standard streams.
use File::Temp 'tempdir';
use IPC::Open2;
use JSON::PP;
use Luuid;
no warnings 'portable';    # 64-bit numbers

my $example = '20be0ffc-314a-bd53-7a50-013a65ca76d2';    # of the layout's description: its fields are known
my @commands = qw(generate inspect floor ceiling shard base32 uniqid);
my $folder = tempdir(CLEANUP => 1);

sub is_answer
{
	my ($arguments, $expected, $input) = @_;
	my ($code, $output, $complaints) = luuid($arguments, $input);
	is("$code $output$complaints", "0 $expected", join(' ', 'luuid', @$arguments, defined $input ? '< input' : ()));
}

# Fields ----------------------------------------------------------------------------------------------------------

my $sequence = (0xeb02 * 0x519d % 2**16 << 16) + 0x0ffc;    # the low half of the counter is 0xeb02
is_answer([ 'inspect', $example ], <<"END");
$example
  version    11
  layout     locality UUID
  timestamp  2012-10-15T18:58:18.450Z
  ticks      13503274984500000
  prefix     @{[ 0x20be0ffc ]}
  counter    3488672514
  sequence   $sequence
  pid        12618
  mac        00:00:0d:53:7a:50
  msb        @{[ 0x20be0ffc314abd53 ]}
  lsb        @{[ 0x7a50013a65ca76d2 ]}
END

# RFC 9562's own example of version 1, appendix A.1: 2022-02-22 14:22:22 -05:00.
is_answer([ 'inspect', 'C232AB00-9414-11EC-B3C8-9F6BDECED846' ], <<"END");
c232ab00-9414-11ec-b3c8-9f6bdeced846
  version    1
  layout     Gregorian time
  timestamp  2022-02-22T19:22:22.000Z
  ticks      16455577420000000
  prefix     @{[ 0xc232ab00 ]}
  counter    -
  sequence   -
  pid        -
  mac        9f:6b:de:ce:d8:46
  msb        @{[ unpack 'q', pack 'Q', 0xc232ab00941411ec ]}
  lsb        @{[ unpack 'q', pack 'Q', 0xb3c89f6bdeced846 ]}
END

is_answer([ 'inspect', '--json', '00000000-0000-0000-0000-000000000000' ],
	'{"id":"00000000-0000-0000-0000-000000000000","version":0,"layout":"nil","timestamp":null,"ticks":null,'
		. '"prefix":0,"counter":null,"sequence":null,"pid":null,"mac":null,"msb":0,"lsb":0}' . "\n");
my %layouts = (
	'3f1e5f3a-9c1d-4d4e-8d3e-0f6d5c1b2a39' => 'untimed',
	'1ec9414c-232a-6b00-b3c8-9f6bdeced846' => 'reordered Gregorian time',
	'017f22e2-79b0-7cc3-98c4-dc0c0c07398f' => 'Unix time',
	'20be0ffc-314a-8d53-ba50-013a65ca76d2' => 'locality UUID',
	'20be0ffc-314a-8d53-7a50-013a65ca76d2' => 'untimed',
);
my $lines = (luuid([ 'inspect', '--json', $example, keys %layouts ]))[1];
is_deeply([ map { JSON::PP->new->decode($_) } split /\n/, $lines ], [ objects($lines) ], 'JSON that a parser accepts');
is_deeply({ map { $_->{id} => $_->{layout} } objects((luuid([ 'inspect', '--json', keys %layouts ]))[1]) },
	\%layouts, 'the names of the other layouts');

# Boundaries, shards and keys, with the published examples -----------------------------------------------------------

# The Gregorian count of 1970-01-01 is 0x01B21DD213814000 (RFC 9562).
is_answer([ 'floor', '1970-01-01' ], "13814000-1dd2-11b2-8080-808080808080\n");
is_answer([ 'floor', '1970-01-01 01:00+01' ], "13814000-1dd2-11b2-8080-808080808080\n");
like((luuid([ 'floor', '1970-01-01 01:00' ]))[2], qr/The time zone is missing: add Z for UTC/, 'a time of day without its zone');
is_answer([ 'ceiling', '1970-01-01T00:00:00Z' ], "1b21dd21-3814-6009-bfff-ffffffffffff\n");
is_answer(['floor'], "13814000-1dd2-11b2-8080-808080808080\n" x 2, "1970-01-01T01:00:00+01:00\n1970-01-01\n");
is_answer([ 'shard', '4', $example ], "0\n");
# From TypeID's specification.
is_answer([ 'base32', '01h455vb4pex5vsknk084sn02q', 'OIH45-5VB4PEX5VSKNK084SNO2Q' ], "01890a5d-ac96-774b-bcce-b302099a8057\n" x 2);
is((luuid([ 'base32', '8zzzzzzzzzzzzzzzzzzzzzzzzz' ]))[0], 1, 'more than 128 bits: code 1');
like((luuid([ 'base32', 'x' x 32 ]))[2], qr/invalid id/, 'too long for base 32');
like((shell("luuid base32 $example x $example 2>&1"))[1], qr/^\w{26}\nluuid: argument 2: .*\n\w{26}\n$/, 'a complaint stands where the value is');
# A shard of two digits, from a key that PHP generated for 12: 0xaf7e6 = 718822 is 10 modulo 12.
is_answer([ 'uniqid', '10aa286b01eea5af7e6' ], "68b2ef7c-e5e0-11f1-8000-01000000aa28\n");
is_answer([ 'uniqid', '--shards', '12', '68b2ef7c-e5e0-11f1-8000-01000000aa28' ], "10aa286b01eea5af7e6\n");

# Generation --------------------------------------------------------------------------------------------------------

sub made { return objects((shell("luuid generate @_ | luuid inspect --json"))[1]); }

is((shell('luuid generate | wc -l'))[1] + 0, 1, 'one id by default');
is_answer([ 'generate', '-n', '0' ], '');
my @ids = made('-n 20000');
my %distinct = map { $_->{id} => 1 } @ids;
is(keys %distinct, 20000, 'no duplicates');
for my $options ('', '--mode sequential', '--version 8', '--version 1', '--version 7', '--node random')
{
	my @ticks = map { $_->{ticks} } made("-n 1000 $options");
	is(scalar(grep { $ticks[$_] < $ticks[ $_ - 1 ] } 1 .. $#ticks), 0, "luuid generate $options: in the order of time");
	cmp_ok(abs($ticks[-1] / 1e7 - time), '<', 60, '... and with the current one');
}
my @shards = (0) x 4;
$shards[ $_->{prefix} >> 30 ]++ for @ids;
is(scalar(grep { $_ < 4750 || $_ > 5250 } @shards), 0, "the shards have even shares: @shards");

my @sequential = made('-n 1000 --mode sequential');
my $windows = grep { ($sequential[$_]{prefix} - $sequential[ $_ - 1 ]{prefix}) % 2**32 != 1 } 1 .. $#sequential;
cmp_ok($windows, '<=', 1, 'sequential ids are consecutive, except for a new window');

is_deeply([ map { $_->{version} } map { made("--version $_") } qw(b 8 1 7) ], [ 11, 8, 1, 7 ], 'each version');
is((made('--node 1234567'))[0]{mac}, '00:00:01:23:45:67', 'the node has the given digits');
is((made('--node 1234567 --version 8'))[0]{mac}, '00:00:01:23:05:67', 'or those that fit version 8');
isnt((made('--node random'))[0]{mac}, (made('--node random'))[0]{mac}, 'a random node differs in each run');
is((made('--at 2012-10-15T18:58:18.4509Z'))[0]{timestamp}, '2012-10-15T18:58:18.450Z', 'an id of a given time');
is(scalar(grep { $_->{prefix} * 7 >> 32 != 5 } made('--shard 5/7 -n 1000')), 0, 'ids on a shard');

# Streams -------------------------------------------------------------------------------------------------------------

my ($code, $output, $complaints) = luuid([ 'shard', '4' ], "$example\nx\n\n  {$example}\t\r\n$example");
is("$code $output", "1 0\n0\n0\n", 'invalid lines are skipped, and the last needs no newline');
is($complaints, <<'END', 'and reported, with the reason');
luuid: line 2: invalid id "x". Expected a hexadecimal digit at character 1.
luuid: line 3: invalid id "". Expected a hexadecimal digit at character 1.
END

my $hostile = "\e]0;title\a\x9b\0\"\\" . 'x' x 100;
($code, $output, $complaints) = luuid([ 'inspect', '--json' ], "$hostile\n$example\n");
is("$code " . ($output =~ tr/\n//), '1 1', 'a hostile line is one line');
is($complaints,
	'luuid: line 1: invalid id "\x1b]0;title\x07\x9b\x00\"\\\\' . 'x' x 46
		. "\".... Expected a hexadecimal digit at character 1.\n",
	'and reported in safe characters, truncated');

my $digits = '0yr5pz6d9xgczqts0v4sjmjykr';
my $other = (luuid([ 'base32', $digits ]))[1] =~ s/\n//r;
my @logs = ($digits, uc $digits, "user_$digits", "2026-11-28T07:00:00Z ERROR [$example] \"$other\": no.", "id=$example,parent={$other}\t",
	"$example/$example", '20be0ffc314abd537a50013a65ca76d2');
($code, $output) = luuid([ 'inspect', '--json' ], join('', map { "$_\n" } @logs));
is_deeply([ $code, map { $_->{id} } objects($output) ], [ 0, ($other) x 3, ($example, $other) x 2, ($example) x 3 ],
	'ids in base 32, and in lines of a log');
($code, $output, $complaints) = luuid([ 'inspect', '--json' ], "no id here: 20be0ffc-314a-bd53-7a50-013a65ca76d2x\n");
is("$code $output" . ($complaints =~ tr/\n//), '1 1', 'what is part of a longer word is none');
is_answer([ 'shard', '4', $example, '-', 'ffffffff-ffff-ffff-ffff-ffffffffffff' ], "0\n2\n3\n", "80000000-0000-0000-0000-000000000000\n");

my $endless = 'a' x 10_000_000;
($code, $output, $complaints) = luuid([ 'shard', '4' ], "$example\n$endless\n$example\n$endless");
is("$code $output" . ($complaints =~ tr/\n//), "1 0\n0\n2", 'overlong lines are one error each');

# Lines of many lengths, so that some cross block boundaries.
my @forms = map { my $plain = $_ =~ tr/-//dr; ($_, $plain, "{$_}", uc, "  $_  ") } map { $_->{id} } @ids[ 0 .. 4999 ];
($code, $output) = luuid([ 'inspect', '--json' ], join('', map { "$_\n" } @forms));
my @expected = map { ($_->{id}) x 5 } @ids[ 0 .. 4999 ];
is_deeply([ $code, map { $_->{id} } objects($output) ], [ 0, @expected ], '25 000 lines, all in order');

my $pid = open2(my $from, my $to, qw(luuid shard 4));
$to->autoflush(1);
for my $turn (1 .. 2)
{
	print $to "$example\n";
	local $SIG{ALRM} = sub { die "no answer\n" };
	alarm 60;
	is(eval { <$from> }, "0\n", "answer $turn comes before the next line is asked for");
	alarm 0;
}
close $to;
waitpid $pid, 0;

# Ends ------------------------------------------------------------------------------------------------------------------

for my $arguments (
	[], ['frob'],
	[ 'inspect', '--frob' ], ['shard'],
	[ 'shard', '0' ], [ 'shard', '2147483648' ],
	[ 'shard', 'x' ], [ 'uniqid', '--shards', '1001' ],
	[ 'uniqid', '--shards', '0' ], [ 'generate', '-n', '-1' ],
	[ 'generate', '-n', 'x' ], [ 'generate', '--mode', 'x' ],
	[ 'generate', '--version', '4' ], [ 'generate', '--node', '123456' ],
	[ 'generate', '--node', '123456g' ], [ 'generate', '--at', 'now' ],
	[ 'generate', '--at', '1969-12-31T23:59:59.999999Z' ], [ 'generate', '--at', '+010889-08-02T05:31:50.656Z' ],
	[ 'generate', '--shard', '4/4' ], [ 'generate', '--shard', '-1/4' ],
	[ 'generate', '--shard', '1' ], [ 'generate', '--shard', '0/2147483648' ],
	[ 'generate', '--shard', '0/4', '--at', '2026-01-01' ], [ 'generate', '--shard', '0/4', '--mode', 'variable' ],
	[ 'generate', '--version', '7', '--at', '2026-01-01' ], [ 'generate', '--version', '1', '--node', 'mac' ],
	[ 'generate', 'surplus' ], [ 'shard', '--ranges', '4' ],
	[ 'shard', '--format', 'sql', '4' ], [ 'shard', '--ranges', '0', '--format', 'sql' ],
	[ 'shard', '--ranges', '4', '--format', 'x' ], [ 'shard', '--ranges', '4', '--format', 'sql', '4' ],
	)
{
	my ($code, $output, $complaints) = luuid($arguments);
	my $lines = $complaints =~ tr/\n//;
	ok($code == 2 && $output eq '' && $complaints =~ /^luuid: .*\nTry: luuid .*--help\n\z/,
		join(' ', 'luuid', @$arguments) . ' is wrong usage')
		or diag("$code\n$output\n$complaints");
}
is_answer([ 'generate', '--at', '1970-01-01', '-n', '0' ], '');
is_answer([ 'generate', '--at', '+010889-08-02T05:31:50.655999Z', '-n', '0' ], '');

is((luuid([ 'shard', '4', 'x', $example ]))[0], 1, 'an invalid argument: code 1');
my $control = `sed -n "s/^default_version = '\\(.*\\)'/\\1/p" luuid.control`;
is_answer(['--version'], "luuid $control");

for my $command ('generate -n 100000', "inspect $example", 'floor 2026-01-01', "shard 4 $example",
	"base32 $example", "uniqid $example", '--help')
{
	my ($code, undef, $complaints) = shell("luuid $command > /dev/full");
	is("$code $complaints", "3 luuid: cannot write standard output: No space left on device\n",
		"luuid $command on a full disk");
}
is((shell('luuid generate >&-'))[0], 3, 'standard output is closed');
is((shell('luuid inspect <&-'))[0], 3, 'standard input is closed');
is((shell('luuid inspect < /'))[0], 3, 'standard input is a directory');
is((shell('luuid generate -n 100000000 | head -n 1 > /dev/null; exit ${PIPESTATUS[0]}'))[0],
	141, 'a reader that has enough ends it quietly');
is((shell('trap "" PIPE; luuid generate -n 100000000 | head -n 1 > /dev/null; exit ${PIPESTATUS[0]}'))[0],
	3, 'or a failed write, if that signal is ignored');

# Help ---------------------------------------------------------------------------------------------------------------------

open(my $file, '>', "$folder/ids.txt") or die;
print $file map { "$_->{id}\n" } @ids[ 0 .. 9 ];
close $file;
my $manual = `mandoc -T ascii doc/luuid.1 | sed "s/.\x08//g"`;
my %options;

# What bash makes of a line where the cursor is behind its last word.
sub completions
{
	my (@words) = @_;
	my (undef, $output, $complaints) = shell(". src/cli/luuid.bash && complete -p luuid >/dev/null && "
			. "COMP_WORDS=(@words) COMP_CWORD=$#words && _luuid luuid && printf '%s\\n' \"\${COMPREPLY[\@]}\"");
	return join ' ', sort split /\n/, $output . $complaints;
}

for my $command ('', @commands)
{
	my ($code, $help) = luuid([ $command || (), '--help' ]);
	is($code, 0, "luuid $command --help");
	is(scalar(grep { length > 100 } split /\n/, $help), 0, 'fits a terminal');
	my @of_command = $help =~ /^ +(?:-\w, *)?(--[a-z]+)/mg;
	$options{$_} = 1 for @of_command;
	is(completions('luuid', $command || (), '--'), join(' ', sort @of_command), 'bash completes its options');
	my ($examples) = $help =~ /^Examples:\n((?:^  .*\n?)+)/m;
	for my $line ($examples =~ /^  (\S.*)/mg)
	{
		# Output of other programs and servers is not tested here.
		(my $command_line = $line) =~ s/^psql.*? \| |\| jq.*|; .*//g;
		my ($code, $output, $complaints) = shell("cd $folder && set -eo pipefail && { $command_line; } < ids.txt");
		ok($code == 0 && $output ne '' && $complaints eq '', "its example works: $line") or diag($complaints);
	}
}
is(completions('luuid', "''"), join(' ', sort @commands, '--help', '--version'), 'bash completes the commands');
is(completions('luuid', 's'), 'shard', '... from their first letters');
is(completions('luuid', 'inspect', "''"), '', '... and no values');
delete $options{'--help'};
my %described = map { $_ => 1 } $manual =~ /(--[a-z]+)/g;
delete $described{'--help'};
is_deeply(\%described, \%options, 'the manual page has the options of the help');
is(`mandoc -T lint -W warning doc/luuid.1`, '', 'the manual page is well formed');

done_testing();
