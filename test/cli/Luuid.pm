# Runs the luuid in PATH, and reads its output. Imports strict, warnings and Test::More for its users.
package Luuid;

use strict;
use warnings;
use parent 'Exporter';
use IPC::Run qw(run);
use Test::More;

our @EXPORT = (qw(luuid shell objects), @Test::More::EXPORT);

sub import
{
	$_->import for qw(strict warnings);
	return __PACKAGE__->export_to_level(1);
}

# Runs luuid with arguments and standard input; returns its exit code, standard output and standard error.
sub luuid
{
	my ($arguments, $input) = @_;
	run [ 'luuid', @$arguments ], '<', \($input // ''), '>', \my $output, '2>', \my $complaints;
	return ($? >> 8, $output, $complaints);
}

# The same for a shell command line.
sub shell
{
	my ($command) = @_;
	run [ 'bash', '-c', $command ], '<', \'', '>', \my $output, '2>', \my $complaints;
	return ($? >> 8, $output, $complaints);
}

# The objects of JSON lines, null as undef. JSON::PP takes a minute for a hundred thousand; these are flat.
sub objects
{
	return map {
		my %fields = /"(\w+)":("[^"]*"|-?\d+|null)/g;
		+{ map { my $value = $fields{$_}; ($_ => $value eq 'null' ? undef : $value =~ tr/"//dr) } keys %fields };
	} split /\n/, shift;
}

1;
