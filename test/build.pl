# Builds for two servers in one folder whose path has spaces, from sources whose path has too, and installs under umask 077. A
# stand-in for the compiler writes how it was called, so that this takes seconds. Then it checks the built module's symbols,
# files that repeat the version, a figure or a message, the documents' links, the order of the rooms, and the output of `make
# setup` and test/harness. Run by test/run build.
# needs: long
use strict;
use warnings;

use Cwd 'abs_path';
use File::Temp 'tempdir';
use FindBin;
use JSON::PP;
use List::Util qw(max min);
use Test::More;

my $top = abs_path("$FindBin::Bin/..");
chdir $top or die "$top: $!";
$ENV{LUUID_STAGE} or die 'run this as: test/run build';
my $folder = tempdir(CLEANUP => 1);
my $server = $ENV{PG_CONFIG} || 'pg_config';
my $another = "$folder/another";

sub says { chomp(my $value = `$server --$_[0]`); return $value }

sub lines_of
{
	open my $file, '<', $_[0] or die "$_[0]: $!";
	my @lines = <$file>;
	return @lines;
}

sub program
{
	my ($name, $script) = @_;
	open my $file, '>', "$folder/$name" or die "$name: $!";
	print $file "#!/bin/sh\n$script\n";
	chmod 0755, $file;
	close $file;
	return;
}

# Writes its command into the file after -o, and what the objects among its arguments say.
program('compiler', <<'END');
command=$*
while [ $# -gt 0 ] && [ "$1" != -o ]; do shift; done
[ $# != 0 ] || exit 0
output=$2
shift 2
{ echo "$command"; for file; do case $file in *.o) cat "$file" ;; esac; done; } > "$output"
END
symlink 'compiler', "$folder/llvm-lto";

# A server of another major version, with its own headers and makefiles.
my ($headers, $pgxs) = map { says($_) } qw(includedir-server pgxs);
my ($major) = says('version') =~ /(\d+)/;
mkdir $another;
symlink $headers, "$another/include";
(my $makefiles = $pgxs) =~ s{/src/makefiles/pgxs\.mk$}{};
system('cp', '-r', $makefiles, "$another/pgxs") == 0 or die 'no makefiles';
system('sed', '-i', 's/^\(MAJORVERSION =\).*/\1 ' . ($major < 18 ? 18 : 17) . "/; s,^\\(includedir_server =\\).*,\\1 $another/include,",
	"$another/pgxs/src/Makefile.global");
program('another/pg_config', qq{$server "\$@" | sed 's,$headers,$another/include,; s,$makefiles,$another/pgxs,'});

# The sources are seen through a link.
my $sources = "$folder/the sources";
my $build = "$folder/a build";
symlink $top, $sources;
mkdir $build;
sub built
{
	my ($pg_config, @arguments) = @_;
	my $pid = fork // die "fork: $!";
	if (!$pid)
	{
		chdir $build or die "$build: $!";
		umask 077;
		delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
		open STDOUT, '>', '/dev/null';
		exec 'make', '-s', '-f', "$sources/Makefile", "PG_CONFIG=$pg_config", "CXX=$folder/compiler", "CLANG=$folder/compiler",
			"LLVM_BINPATH=$folder", 'with_llvm=yes', "BUILD=$folder/cli", @arguments;
	}
	waitpid $pid, 0;
	return $? == 0;
}

my %include = ($server => $headers, "$another/pg_config" => "$another/include");
my $sources_of_module = () = `find '$sources/src/pg' -name '*.cpp'`;
my %stage = ($server => "$folder/first", "$another/pg_config" => "$folder/other");
my %version;
my @everything = map { "install$_" } '', '-cli', '-headers';

for my $for ($server, "$another/pg_config", $server)
{
	my $stage = $stage{$for};
	system('rm', '-rf', $stage);
	ok(built($for, @everything, "DESTDIR=$stage"), "$for: it builds and installs, elsewhere than in the sources");
	ok(built($for, '-q', 'all'), "$for: and then is up to date");

	my %found = map { s/.*\///r => $_ } split /\n/, `find $stage -type f`;
	my @compiled = grep { / -c / } map { lines_of($found{$_}) } grep { /^luuid\.so$|(?<!\.index)\.bc$/ } sort keys %found;
	is(scalar(@compiled), 2 * $sources_of_module, "$for: module and bitcode have all sources");
	is_deeply([ grep { !/ -I\Q$include{$for}\E / } @compiled ], [], "$for: all compiled with its headers");
	my ($contrib) = map { /^default_version = '(.*)'/ } lines_of($found{'luuid_contrib.control'});
	is($contrib, ($for eq $server) == ($major < 18) ? '1.0' : '1.1', "$for: luuid_contrib has its version");
	is(scalar(grep { $found{$_} } qw(luuid.control luuid luuid.hpp)), 3, "$for: the command line and the library are there");
	is(`find $stage ! -perm -444 -o -type d ! -perm -555`, '', "$for: under umask 077, all can read what is installed");
}
like(`cd '$build' && make -f '$sources/Makefile' PG_CONFIG=$server with_llvm=yes install DESTDIR='$folder/a stage' 2>&1`,
	qr/PGXS installs no bitcode into a DESTDIR with spaces/, 'a folder that PGXS does not quote is refused');
ok(built($server, 'install', 'with_llvm=no', "DESTDIR=$folder/a stage"), '... and accepted without bitcode');
for my $for (keys %stage)
{
	ok(built($for, 'uninstall', "DESTDIR=$stage{$for}"), "$for: it uninstalls");
	is(`find $stage{$for} -type f`, '', "$for: and nothing is left");
}
SKIP:
{
	skip 'clang is not installed', 1 unless `clang++ --version 2>&1`;
	ok(built($server, '-B', 'CXX=clang++', 'WERROR=-Werror', 'with_llvm=no', 'src/pg/type/base32.o'),
		"clang compiles with the server's flags, without a warning");
}
ok(built($server, 'clean'), 'it cleans');
is(`find '$build' -type f -o -type l`, '', 'and nothing is left');
is(join(' ', glob '{,src/pg/}*.{o,so}'), '', 'in the checkout it builds into build, so that Python does not import luuid.so');
mkdir "$folder/a space";
like(`make -C '$folder/a space' -f - < debian/rules 2>&1`, qr/folder with a space/, "Debian's package says at once that PGXS takes no such folder");

# Symbols ---------------------------------------------------------------------------------------------------------------

# A module built with the headers of a later minor release loads in the first of its major version.
SKIP:
{
	my %there = map { ($_ => 1) } map { /^[\d ]*\b$major\b.*\t(.*)/ ? split / /, $1 : () } lines_of("$top/test/data/symbols.tsv");
	skip "symbols of PostgreSQL $major.0 are not listed", 1 unless "15 17 18" =~ /\b$major\b/;
	my @used = map { /^ +U (\w+)$/ } `nm -D --undefined-only $ENV{LUUID_STAGE}@{[ says('pkglibdir') ]}/luuid.so`;
	my @unknown = grep { !$there{$_} } @used;
	is("@unknown", '', "the built module uses symbols of $major.0 alone: look others up in that release, and add them to test/data/symbols.tsv")
		if ok(@used > 100, 'the built module uses symbols of the server');
}

# Rooms -----------------------------------------------------------------------------------------------------------------

# A file of a room includes its own, those before it, and the flat headers, which include no room. src/core and src/luuid
# include nothing of src/pg.
my @rooms = qw(luuid core pg pg/type pg/time pg/planner pg/horizon pg/generate);
sub rank_of { my ($path) = @_; return max grep { $path =~ m{^src/$rooms[$_]/} } 0 .. $#rooms }
my @back;
for my $file (grep { !m{^src/pg/[^/]+\.cpp$} } split /\n/, `find src/luuid src/core src/pg -name '*.?pp'`)
{
	for (lines_of($file))
	{
		my $included = /^#include "(\S+\.hpp)"/ ? substr(abs_path("$file/../$1"), 1 + length $top)
			: /^#include <(\S+\.hpp)>/ ? "src/$1" : next;
		push @back, "$file: $_" if rank_of($included) > rank_of($file);
	}
}
is("@back", '', 'no include runs back up, in the order of the rooms');

# Versions --------------------------------------------------------------------------------------------------------------

sub text_of { return join '', lines_of("$top/$_[0]") }

my ($release) = text_of('luuid.control') =~ /^default_version = '(.*)'/m;
my $meta = decode_json(text_of('META.json'));
is($meta->{version}, "$release.0", 'META.json has the version of luuid.control');
is($meta->{provides}{luuid}{version}, "$release.0", '... of what it provides too');
like(text_of('CHANGELOG.md'), qr/^## \[\Q$release\E\]/m, 'CHANGELOG.md has the version');
like(text_of('debian/changelog'), qr/\Aluuid \(\Q$release\E\.0-/, 'debian/changelog has the version');
ok(`ls sql/luuid--*$release.sql`, 'and a script in sql has');
like(text_of('clients/python/luuid/__init__.py'), qr/^__version__ = "\Q$release\E"$/m, 'the Python client has it');
is(decode_json(text_of('clients/javascript/package.json'))->{version}, "$release.0", '... and the JavaScript client');
is(text_of("clients/$_/LICENSE"), text_of('LICENSE'), "the client in $_ has the license") for qw(python javascript);

# Figures ---------------------------------------------------------------------------------------------------------------

is(`bench/summary page $_ 2>&1 | diff $_ -`, '', "$_ has the figures of bench/figures.tsv") for qw(README.md doc/performance.md);
for my $chart (glob 'doc/charts/*/*.svg')
{
	my ($width, @sizes) = text_of($chart) =~ /viewBox="0 0 (\d+)|font-size="([\d.]+)"/g;
	cmp_ok(min(grep { defined } @sizes) * 375 / $width, '>=', 9, "the labels of $chart are legible on a telephone, 375 pixels wide");
}

# Errors ----------------------------------------------------------------------------------------------------------------

# Every message of the source has one line in doc/errors.md, with its SQLSTATE or exit code, and every line is of a message.
my %sqlstate = map { /^#define ERRCODE_(\w+) MAKE_SQLSTATE\((.*)\)/ ? ("$1" => join '', $2 =~ /\w/g) : () }
	lines_of("$headers/utils/errcodes.h");
my $literals = qr/(?:"(?:[^"\\]|\\.)*"\s*)+/;
my (%source, @unread);

sub unquoted { return join '', map { s/\\(.)/$1/gr } $_[0] =~ /"((?:[^"\\]|\\.)*)"/g }

# A message of a file, in which % and perhaps letters stand for a value; and how many there have to be.
sub found { my ($code, $message) = @_; $source{ "$code " . $message =~ s/%(?:zu|[sdu])?/%/gr }++; return }
sub all_read { my ($file, $there, $read) = @_; push @unread, "$file: $read of $there" if $there != $read; return }

for my $file (split /\n/, `find src/pg -name '*.?pp'`)
{
	my $text = text_of($file);
	found($sqlstate{INTERNAL_ERROR}, unquoted($1)) while $text =~ /\belog\(\w+, ($literals)/g;
	found($sqlstate{INVALID_PARAMETER_VALUE}, 'invalid value for parameter "luuid.%": "%"') while $text =~ /\bGUC_check_err/g;
	my @read = $text =~ /errcode\(ERRCODE_(\w+)\),\s*errmsg\((?:"%s", )?(message\b|$literals)/g;
	for my $i (grep { $_ % 2 == 0 } keys @read)
	{
		# A parameter is the first literal of each call.
		my ($function) = $text =~ /(\w+)\([^()]*\bconst char\* message\b/;
		found($sqlstate{ $read[$i] }, unquoted($_))
			for $read[ $i + 1 ] eq 'message' ? $text =~ /\b$function\([^";{]*($literals)/g : $read[ $i + 1 ];
	}
	all_read($file, scalar(() = $text =~ /\berrmsg/g), @read / 2);
}
for my $file (glob('sql/luuid*--*.sql sql/luuid_*.sql sql/plain.sql'))
{
	my $text = text_of($file) =~ s/^CREATE FUNCTION luuid\.refused.*?^END \$\$;$//msr =~ s/^COMMENT .*//mgr;
	my $read = 0;
	while ($text =~ /\bRAISE EXCEPTION '([^']*)'[^;]*?\bERRCODE = '(\w+)'|\bluuid\.refused\('(.*?), '(\w{5})'/g)
	{
		my ($format, $condition, $parts, $code) = ($1, $2, $3, $4);
		$parts =~ s/' \|\| \w+(?:::\w+)?(?: \|\| '|$)/%/g if defined $parts;
		found(defined $format ? ($sqlstate{ uc $condition }, $format) : ($code, $parts =~ s/'$//r));
		$read++;
	}
	all_read($file, scalar(() = $text =~ /\bRAISE EXCEPTION\b|\brefused\b/g), $read);
}
for my $file (glob 'src/cli/*.?pp')
{
	my $text = text_of($file);
	found(1, "$1 \"%\"") while $text =~ /\breturn \{"([^"]*)",/g;
	found(3, "$1: %") while $text =~ /\bfail\("([^"]*)"\)/g;
}
is("@unread", '', 'the messages of all files are read');
my ($of_luuid) = text_of('doc/errors.md') =~ /(.*?)^## Of the server$/ms;
my @lines = $of_luuid =~ /^\| `.*/mg;
my %listed = map { /^\| `([^`]+)` \| (\w+) \| [^|]+ \| [^|]+ \|$/ ? ("$2 $1" => 0) : ($_ => 0) } @lines;
is(scalar(keys %listed), scalar(@lines), 'no line of doc/errors.md is there twice');
for my $message (sort keys %source)
{
	my $form = join '.+', map { quotemeta } split /%/, $message, -1;
	my @of_it = grep { /^$form$/ } keys %listed;
	is(scalar(@of_it), 1, "doc/errors.md has: $message");
	$listed{$_}++ for @of_it;
}
is_deeply([ grep { $listed{$_} != 1 } sort keys %listed ], [], 'and nothing else');

# Links -----------------------------------------------------------------------------------------------------------------

# Every link of a document leads to a file, and to a heading of it by the name that GitHub gives that.
my @documents = glob '*.md doc/*.md doc/*/*.md clients/*/README.md bench/README.md test/README.md';
my %prose = map { (abs_path($_) => text_of($_) =~ s/^ *```.*?^ *```$//gmsr) } @documents;
my @lost;
for my $document (@documents)
{
	for my $link ($prose{ abs_path($document) } =~ /\]\((?!\w+:)([^)\s]+)\)/g)
	{
		my ($path, $heading) = split /#/, $link;
		my $file = abs_path($path eq '' ? $document : "$document/../$path");
		my @there = !-e $file ? () : defined $heading ? map { lc s/[^\w -]//gr =~ tr/ /-/r } $prose{$file} =~ /^#+ (.*)/mg : '';
		push @lost, "$document: $link" unless grep { $_ eq ($heading // '') } @there;
	}
}
is(join("\n", @lost), '', 'no link of a document leads nowhere');
my $index = text_of('doc/README.md');
is(join(' ', grep { $index !~ /\($_(#|\))/ } map { s{doc/}{}r } grep { !/README/ } glob 'doc/*.md'), '', "doc/README.md has every page");

# Setup -----------------------------------------------------------------------------------------------------------------

# test/setup calls sudo for apt-get, by env, and for its preparations.
program('sudo', '[ -n "$APT" ] || exit 1; case $1 in env) exec "$@" ;; tee) cat >/dev/null ;; esac');
program('apt-get', 'case "$*" in *install*) eval "$APT" ;; esac');
program('apt-cache', '');
mkdir "$folder/test";
system('cp', "$top/test/setup", "$top/test/environment", "$folder/test") == 0 or die 'no setup';
chmod 0755, $folder;
my $as_user = $> ? '' : 'runuser -u nobody --';    # root runs no sudo
for ([ 'no sudo: a line to paste', '', qr/^    apt-get install .* no-such-package$/m ],
	[ 'apt fails: what it said', 'echo Unable to locate; exit 100', qr/^Unable to locate/m ],
	[ 'apt is interrupted', 'kill -INT $$', qr/^Interrupted: run this again/m ])
{
	my ($name, $apt, $expected) = @$_;
	# Of a background job, Ctrl-C is ignored.
	local @ENV{qw(APT PATH)} = ($apt, "$folder:$ENV{PATH}");
	my $said = `cd $folder && $as_user env --default-signal=INT test/setup no-such-package 2>&1`;
	isnt($?, 0, "setup ends badly: $name");
	like($said, qr/\A.* installs them by apt: .*no-such-package/, '... having said first what it installs') if $apt;
	like($said, $expected, '... and says what to do');
	unlink glob '/tmp/luuid-setup.??????' if $said =~ /luuid-setup/;
}

# Tests ----------------------------------------------------------------------------------------------------------------

# Long ones are seen to run, and the slowest are named, scripts of pg_regress too.
my $said = `test/harness 2 1 'sleep 3; echo ok 1 - plan  9500 ms; echo 1..1' slow 'echo not ok 1; echo 1..1' bad 2>&1`;
isnt($?, 0, 'test/harness ends badly where a test fails');
like($said, qr/^Still running: .*\bslow \(\d+ s\)/m, '... says what still runs');
like($said, qr/^The slowest: slow, plan \(10 s\), slow \(\d s\), bad \(\d s\)\n1 passed, 1 failed\n\z/m, '... and ends with the slowest');

$said = `test/harness 2 9 'sleep 2; echo ok 1; echo 1..1' slow 'echo Bail out!' out 2>&1`;
isnt($?, 0, '... and where one bails out');
like($said, qr/^1 passed, 1 failed\n\z/m, '... which ends no other');

done_testing();
