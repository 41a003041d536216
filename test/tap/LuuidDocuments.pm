# The SQL of the documents, and what it prints.
package LuuidDocuments;

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Utils qw(slurp_file);

# The sections of a document, each with its blocks of SQL: `sql`, the output, if any, that follows it, and the name, if any,
# in a comment before it, by which another test finds it.
sub sections
{
	my ($document) = @_;
	my @sections;
	my $text = slurp_file("$ENV{TESTDIR}/$document");
	while ($text =~ /^## (.*?)\n(.*?)(?=^## |\z)/gms)
	{
		my ($heading, $body) = ($1, $2);
		my @blocks;
		while ($body =~ /(?:^<!-- (\S+) -->\n)?^( *)```sql\n(.*?)^\2```\n(?:\2```\n(.*?)^\2```\n)?/gms)
		{
			my ($name, $indent, $sql, $output) = ($1, $2, $3, $4);
			push @blocks, { name => $name, sql => $sql =~ s/^$indent//gmr, output => $output };
		}
		push @sections, { document => $document, heading => $heading, blocks => \@blocks } if @blocks;
	}
	return @sections;
}

# Runs blocks in one session, as if pasted into psql. Returns the output of each.
sub outputs
{
	my ($node, $database, @blocks) = @_;
	my $end = '-- end of block';
	my $script = join '', map { "$_->{sql}\\echo $end\n" } @blocks;
	my $output = '';
	IPC::Run::run([ 'psql', '-Xq', '-P', 'footer=off', '-d', $node->connstr($database) ], '<', \$script, '>&', \$output);
	return (split /^$end\n/m, $output, -1)[ 0 .. $#blocks ];
}

# The reproducible part of an output. Ids that are not in the SQL are numbered in order of appearance; times of day,
# psql's padding and plan headings are removed.
sub lasting
{
	my ($output, $sql) = @_;
	my %id;
	$output =~ s{\b([[:xdigit:]]{8}(?:-[[:xdigit:]]{4}){3}-[[:xdigit:]]{12})\b}
		{index($sql, $1) >= 0 ? $1 : 'id ' . ($id{$1} //= 1 + keys %id)}ge;
	$output =~ s/\b(2026-11-21) \d\d:\d\d:\d\d(\.\d+)?/$1 time/g;
	$output =~ s/^ *QUERY PLAN *\n-+\n|^-\[ RECORD 1 \].*\n//gm;
	$output =~ s/-{2,}/--/g;
	$output =~ s/(?<=\S) +/ /g;
	$output =~ s/ +$//gm;
	$output =~ s/\n{2,}/\n/g;
	return $output =~ s/\n+\z/\n/r;
}

1;
