# Adds a function to a copy of the checkout by the steps of CONTRIBUTING.md, which have to name every file that this takes. A
# static_assert in the header stands for the unit test, which would take long to compile. Run by test/run build.
# needs: long
use strict;
use warnings;

use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use Test::More;

my $top = abs_path("$FindBin::Bin/..");
$ENV{LUUID_STAGE} or die 'run this as: test/run build';
my $copy = tempdir(CLEANUP => 1);
# With what is built, and times, so that only what changes is built again; and the headers, which have to be compiled with what is new.
chdir $top or die "$top: $!";
system("tar -c --exclude=./build --exclude=./.git . | tar -x -C $copy && mkdir $copy/build && cp -a build/module $copy/build && "
		. "rm -rf $copy/build/module/pg") == 0
	or die 'no copy';
chmod 0755, $copy;
chdir $copy or die "$copy: $!";
my ($steps) = text_of('CONTRIBUTING.md') =~ /^## Add a function\n(.*?)^## /ms;

sub text_of { open my $file, '<', $_[0] or die "$_[0]: $!"; return join '', <$file> }

# Adds lines to a file that the steps name, or whose folder they name, before what matches there, or at its end.
sub add
{
	my ($path, $lines, $before) = @_;
	my ($folder) = $path =~ m{(.*)/};
	like($steps, qr/`(?:\Q$path\E|\Q$folder\E)`|\(\Q$path\E\)/, "the steps name $path");
	my $text = text_of($path);
	$text =~ s/(?=$before)|\z/$lines/ if $before;
	$text .= $lines unless $before;
	my @times = (stat $path)[ 8, 9 ];
	open my $file, '>', $path or die "$path: $!";
	print $file $text;
	close $file;
	# Other sources do not see what is new in the library.
	utime @times, $path if $path =~ /\.hpp$/;
	return;
}

add('src/luuid/layout.hpp', <<'END', qr{// The generator's identity});
// Milliseconds from an id's time to another, negative if that is earlier; nothing if the id is untimed.
constexpr std::optional<std::int64_t> age_of(const Id& id, Time now) noexcept {
    const auto made = time_of(id);
    return made ? std::optional((std::chrono::floor<std::chrono::milliseconds>(now) -
                                 std::chrono::floor<std::chrono::milliseconds>(*made)).count())
                : std::nullopt;
}
static_assert(age_of(Id{1, 1}, Time{}) == std::nullopt);

END
add('src/pg/type/layout.cpp', <<'END');

// luuid_age(luuid) → bigint: milliseconds from the id's time to the start of the transaction; NULL if untimed.
LUUID_FUNCTION(luuid_age);
Datum luuid_age(PG_FUNCTION_ARGS) {
    const auto age = age_of(id_argument(fcinfo, 0), time_from_timestamptz(GetCurrentTransactionStartTimestamp()));
    fcinfo->isnull = !age;
    return Int64GetDatum(age.value_or(0));
}
END
add('sql/luuid--1.0.sql', <<'END', qr/CREATE FUNCTION pg_catalog.luuid_extract_counter\(/);
CREATE FUNCTION pg_catalog.luuid_age(pg_catalog.luuid) RETURNS bigint
    AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT LEAKPROOF PARALLEL SAFE;
COMMENT ON FUNCTION pg_catalog.luuid_age(pg_catalog.luuid) IS 'milliseconds since the time of a luuid; null if it has none';
END
add('sql/layout.sql', "SELECT luuid_age(luuid_floor(now() - interval '1 minute')), luuid_age('00000000-0000-0000-0000-000000000000') IS NULL;\n");
add('doc/luuid.md', "- `luuid_age(luuid)` → `bigint`: milliseconds from the id's time to `now()`\n", qr/- `luuid_extract_counter/);

# Two of its scripts differ, by what is new alone.
my $regress = 'test/staged test/with-server make -s installcheck REGRESS="install fixture catalog layout" '
	. 'EXTRA_REGRESS_OPTS=--outputdir=../regress/plain 2>&1';
mkdir "build/$_" for qw(regress regress/plain);
delete $ENV{LUUID_STAGE};
my $said = `$regress`;
is(join(' ', grep { defined } $said =~ /^(?:not ok \d+ *[-+] *(\w+)|test (\w+) *\.\.\. FAILED)/mg),
	'catalog layout', 'the catalog differs, and the script') or diag $said;
my ($accept) = $steps =~ /`(cp build\/regress[^`]*)`/;
isnt($accept, undef, 'the steps say how to accept an output');
is(system('bash', '-c', $accept =~ s/NAME/layout/r), 0, '... which works');
like(text_of('expected/layout.out'), qr/^60000\|t$/m, '... and was right');
$said = `$regress`;
is($?, 0, 'then both pass') or diag $said;

my ($module) = 'build/module/luuid.so';
my %listed = map { ($_ => 1) } text_of('test/data/symbols.tsv') =~ /\w+/g;
is(join(' ', grep { !$listed{$_} } `nm -D --undefined-only $module` =~ /^ +U (\w+)$/mg), 'GetCurrentTransactionStartTimestamp',
	'of the new symbols one is not listed');
like($steps, qr{`test/data/symbols.tsv`}, 'the steps name the list');
like(text_of('test/build.pl'), qr{look others up in that release, and add them to test/data/symbols.tsv}, '... as the test does');
done_testing();
