# Runs the luuid in PATH, and reads its output.
package Luuid;

use strict;
use warnings;
use Exporter 'import';
use IPC::Run qw(run);

our @EXPORT = qw(luuid shell objects);

# Runs luuid with arguments and standard input; returns its exit code, standard output and standard error.
sub luuid {
    my ($arguments, $input) = @_;
    run [ 'luuid', @$arguments ], '<', \($input // ''), '>', \my $output, '2>', \my $complaints;
    return ($? >> 8, $output, $complaints);
}

# The same for a shell command line.
sub shell {
    my ($command) = @_;
    run [ 'bash', '-c', $command ], '<', \'', '>', \my $output, '2>', \my $complaints;
    return ($? >> 8, $output, $complaints);
}

# The objects of JSON lines, null as undef. JSON::PP takes a minute for a hundred thousand; these are flat.
sub objects {
    return map {
        my %fields = /"(\w+)":("[^"]*"|-?\d+|null)/g;
        +{ map { my $value = $fields{$_}; ($_ => $value eq 'null' ? undef : $value =~ tr/"//dr) } keys %fields };
    } split /\n/, shift;
}

1;
