# The command line and SQL on the same ids, times, keys and texts: they return the same, field by field, or both report
# an error.
# needs: long
use IPC::Run 'run';
use Luuid;

srand 1;

# The rows and columns that psql returns. The given lines are in the table `given (n, line)`.
sub sql {
    my ($query, @given) = @_;
    my $script = "CREATE TEMP TABLE given (n int, line text);\nCOPY given FROM STDIN;\n"
        . join('', map { "$_\t$given[$_]\n" } 0 .. $#given) . "\\.\n$query;\n";
    run [qw(psql -XqAt -v ON_ERROR_STOP=1 -F), "\t", '--pset=null=null'], '<', \$script, '>', \my $output
        or die "psql fails\n";
    return map { [ split /\t/, $_, -1 ] } split /\n/, $output;
}

# The results of luuid for lines, one each, or the error.
sub answers {
    my ($arguments, @lines) = @_;
    my (undef, $output, $complaints) = luuid($arguments, join '', map { "$_\n" } @lines);
    my %refused = map { /^luuid: line (\d+): [^"]*".*?"(?:\.\.\.)?\. (.*)/ ? ($1 - 1 => $2) : die "$_\n" } split /\n/, $complaints;
    my @accepted = split /\n/, $output;
    return map { $refused{$_} // shift @accepted } 0 .. $#lines;
}

# One test for many comparisons, which shows the first few failures.
sub agree {
    my ($name, $given, $cli, $sql) = @_;
    my @wrong = grep { ($cli->[$_] // 'nothing') ne ($sql->[$_] // 'nothing') } 0 .. $#$given;
    ok(@$given > 0 && @$cli == @$given && @$sql == @$given && !@wrong, @$given . " $name");
    diag("$given->[$_]: the command line says $cli->[$_], SQL $sql->[$_]") for @wrong[ 0 .. ($#wrong < 4 ? $#wrong : 4) ];
}

sub random_digits { return join '', map { sprintf '%x', rand 16 } 1 .. shift }

system(qw(psql -Xq -v ON_ERROR_STOP=1 -c), 'CREATE EXTENSION luuid; SET client_min_messages = warning',
    '-f', 'sql/fixture.sql', '-o', '/dev/null') == 0 or die;
# The error detail of a query that returns no result.
system('psql', '-Xq', '-c', <<'END') == 0 or die;
CREATE FUNCTION said(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text; detail text; message text;
BEGIN
    EXECUTE query INTO result;
    RETURN result;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL, message = MESSAGE_TEXT;
    RETURN coalesce(nullif(detail, ''), message);
END $$
END

# The regression tests' edge ids of every version, those of the Java implementation, and random ones.
open(my $java, '<', 'test/data/java.tsv') or die;
my @ids = ((map { (split /\t/)[1] } <$java>), (map { $_->[0] } sql('SELECT id::text FROM ids')),
    map { join '-', map { random_digits($_) } 8, 4, 4, 4, 12 } 1 .. 2000);

# Fields -------------------------------------------------------------------------------------------------------------

my @fields = qw(version ticks prefix counter sequence pid mac msb lsb timestamp);
my @rows = sql(<<'END', @ids);
SET timezone = 'UTC';
SELECT i.version, ticks, prefix, counter, sequence, pid, mac, msb, lsb, to_char("timestamp", 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
FROM given, luuid_inspect(line::luuid) AS i ORDER BY n
END
my @objects = objects((luuid([ 'inspect', '--json' ], join '', map { "$_\n" } @ids))[1]);
for my $field (0 .. $#fields) {
    my $name = $fields[$field];
    my @cli = map { $_->{$name} // 'null' } @objects;
    if ($name eq 'timestamp') {
        # SQL has microseconds, rounded down, and years without a sign.
        s/\.(\d+)Z$/sprintf '.%sZ', substr "${1}000", 0, 6/e, s/^\+0*// for @cli;
    }
    agree("ids: $name", \@ids, \@cli, [ map { $_->[$field] } @rows ]);
}

# Text -----------------------------------------------------------------------------------------------------------------

my @texts = map {
    my $text = $ids[ rand @ids ];
    $text = uc $text if rand() < .2;
    $text = $text =~ tr/-//dr =~ s/.{4}(?=.)/rand() < .5 ? "$&-" : $&/ger if rand() < .5;
    $text = "{$text}" if rand() < .3;
    substr $text, rand(length $text), rand() < .5, substr '0-{}gG', rand 6, 1 for 1 .. rand 3;
    $text = substr $text, 0, rand(1 + length $text) if rand() < .2;
    $text
} 1 .. 3000;
# The command line leaves out space at the ends of a line.
open(my $vectors, '<', 'test/data/vectors.tsv') or die;
push @texts, grep { !/^ | $/ } map { /^text\t([^\t]*)/ ? $1 : () } <$vectors>;
# inspect reads more: base 32, and an id inside of a text.
my @read = map { $_->[0] } sql(q{SELECT said(format('SELECT %L::luuid', line)) FROM given ORDER BY n}, @texts);
my @valid = grep { $read[$_] =~ /^[0-9a-f-]{36}$/ } 0 .. $#texts;
agree('texts as ids', [ @texts[@valid] ], [ map { /^\{"id":"([^"]*)/ ? $1 : $_ } answers([ 'inspect', '--json' ], @texts[@valid]) ],
    [ @read[@valid] ]);
agree('texts as ids on shards, or the reason why not', \@texts, [ answers([ 'shard', 2147483647 ], @texts) ],
    [ map { $_->[0] } sql(q{SELECT said(format('SELECT luuid_shard(%L::luuid, 2147483647)', line)) FROM given ORDER BY n}, @texts) ]);

# Boundaries -----------------------------------------------------------------------------------------------------------

my @times = map {
    my $date = sprintf '%04d-%02d-%02d', 1 + rand 9999, 1 + rand 12, 1 + rand 28;
    my $zone = rand() < .3 ? 'Z' : sprintf '%s%02d%s', rand() < .5 ? '-' : '+', rand 16, rand() < .5 ? '' : sprintf ':%02d', rand 60;
    rand() < .1 ? $date
        : sprintf '%s%s%02d:%02d:%02d%s%s', $date, rand() < .5 ? 'T' : ' ', rand 24, rand 60, rand 61,
        rand() < .3 ? '' : '.' . substr(sprintf('%06d', rand 1e6), 0, 1 + rand 6), $zone
} 1 .. 3000;
push @times, map { ("$_.999999Z", "$_.000001Z", "${_}Z") } map { "${_}T00:00:00" } qw(1970-01-01 1582-10-15 5236-03-31 2000-01-01 0001-01-01);
for my $boundary (qw(floor ceiling)) {
    agree("times: $boundary", \@times, [ answers([$boundary], @times) ],
        [ map { $_->[0] } sql("SET timezone = 'UTC'; SELECT luuid_$boundary(line::timestamptz) FROM given ORDER BY n", @times) ]);
}
my @late = map { sprintf '+%06d-%02d-%02dT%02d:00:00.%06dZ', 10000 + rand 284_277, 1 + rand 12, 1 + rand 28, rand 24, rand 1e6 } 1 .. 500;
for my $boundary (qw(floor ceiling)) {
    agree("late times: $boundary", \@late, [ answers([$boundary], @late) ],
        [ map { $_->[0] } sql("SELECT luuid_$boundary(ltrim(line, '+0')::timestamptz) FROM given ORDER BY n", @late) ]);
}

# Shards and keys --------------------------------------------------------------------------------------------------------

for my $shards (1, 3, 16, 1000, 2147483647) {
    agree("ids: shard of $shards", \@ids, [ answers([ 'shard', $shards ], @ids) ],
        [ map { $_->[0] } sql("SELECT luuid_shard(line::luuid, $shards) FROM given ORDER BY n", @ids) ]);
}
for my $shards (1, 10, 100, 1000) {
    my @cli = answers([ 'uniqid', '--shards', $shards ], @ids);
    # The two format times differently.
    s/T(\S+)Z/ $1+00/g for @cli;
    agree("ids: key of $shards, or the reason why not", \@ids, \@cli,
        [ map { $_->[0] } sql("SELECT said(format('SELECT luuid_to_uniqid(%L, $shards)', line)) FROM given ORDER BY n", @ids) ]);
}
my @keys = map {
    my $time = sprintf '%s%05x', random_digits(8), rand 1_100_000;
    my $key = (rand() < .7 ? hex(substr $time, 8) % (1 + int rand 1000) : random_digits(1 + rand 3)) . random_digits(4) . $time;
    $key = substr $key, (1, 5)[ rand 2 ] if rand() < .4;
    substr $key, rand(length $key), 1, substr 'g-Z', rand 3, 1 if rand() < .1;
    $key = substr $key, rand 3 if rand() < .1;
    rand() < .2 ? uc $key : $key
} 1 .. 3000;
agree('keys: the id, or the error', \@keys, [ answers(['uniqid'], @keys) ],
    [ map { $_->[0] } sql(q{SELECT said(format('SELECT luuid_from_uniqid(%L)', line)) FROM given ORDER BY n}, @keys) ]);

my @digits = answers(['base32'], @ids);
agree('ids: base 32', \@ids, \@digits, [ map { $_->[0] } sql('SELECT luuid_to_base32(line::luuid) FROM given ORDER BY n', @ids) ]);
$_ = rand() < .5 ? uc : $_ for @digits;
substr $_, rand(26), 1, substr 'oil-uU8!', rand 8, 1 for grep { rand() < .5 } @digits;
agree('base 32: the id, or the error', \@digits, [ answers(['base32'], @digits) ],
    [ map { $_->[0] } sql(q{SELECT said(format('SELECT luuid_from_base32(%L)', line)) FROM given ORDER BY n}, @digits) ]);

# Ranges: ids go where luuid_shard says, by the rule that each router documents, and as partitions of a table ------------------

my @routed = split /\n/, (shell('luuid generate -n 10000'))[1];
my %rules = (
    # The first rule whose start, if any, is not after the id, and whose end, if any, is.
    pgdog => sub {
        my @rules = map { { /^(\w+) = "?([^"\n]*)/mg } } split /^\[\[sharded_tables\.mapping\]\]\n/m, shift;
        shift @rules;
        return sub {
            my ($id) = @_;
            for my $rule (@rules) {
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
for my $shards (1, 3, 16, 1000) {
    my @floors = map { $_->[0] } sql("SELECT luuid_shard_floor(n, $shards) FROM generate_series(0, $shards - 1) AS n");
    my @bounds = map { sprintf '%08x-ffff-ffff-ffff-ffffffffffff', hex(substr $_, 0, 8) - 1 } @floors[ 1 .. $#floors ];
    my @asked = (@routed, @floors, @bounds);
    my @expected = map { $_->[0] } sql("SELECT luuid_shard(line::luuid, $shards) FROM given ORDER BY n", @asked);
    for my $router (sort keys %rules) {
        my $rule = $rules{$router}->((luuid([ 'shard', '--ranges', $shards, '--format', $router ]))[1]);
        agree("ids by $router over $shards", \@asked, [ map { $rule->($_) } @asked ], \@expected);
    }
    for my $key ('uuid', 'luuid luuid_byte_ops') {
        my ($type, $class) = split / /, $key;
        my $partitions = (luuid([ 'shard', '--ranges', $shards, '--format', 'sql' ]))[1];
        my @taken = map { $_->[0] } sql("CREATE TEMP TABLE event (id $type, n int) PARTITION BY RANGE (id " . ($class // '') . ");\n"
            . ($partitions =~ s/TABLE/TEMP TABLE/gr) . "INSERT INTO event SELECT line::$type, n FROM given;\n"
            . q{SELECT substr(tableoid::regclass::text, 7) FROM event ORDER BY n}, @asked);
        agree("ids by partitions of $type over $shards", \@asked, \@taken, \@expected);
    }
}

# Generation ---------------------------------------------------------------------------------------------------------------

for my $options ('', '--mode sequential', '--version 8', '--version 1', '--version 7', '--node random') {
    my @made = split /\n/, (shell("luuid generate -n 20000 $options"))[1];
    my ($row) = sql(<<'END', @made);
SELECT count(*), count(*) FILTER (WHERE id <= previous),
    count(*) FILTER (WHERE abs(extract(epoch FROM id::timestamptz - now())) > 60)
FROM (SELECT line::luuid AS id, lag(line::luuid) OVER (ORDER BY n) AS previous FROM given) AS made
END
    is("@$row", '20000 0 0', "luuid generate $options: each greater than the one before, with the current time");
}
my @placed = split /\n/, (shell('luuid generate -n 20000 --shard 5/7'))[1];
is((sql('SELECT count(DISTINCT line) FROM given WHERE luuid_shard(line::luuid, 7) = 5', @placed))[0][0],
    20000, 'all on their shard');
my @filled = split /\n/, (shell('luuid generate -n 20000 --at 2001-02-03T04:05:06.789Z'))[1];
is((sql(q{SELECT count(DISTINCT line) FROM given WHERE line::luuid = timestamptz '2001-02-03 04:05:06.789Z'}, @filled))[0][0],
    20000, 'all of their time');

done_testing();
