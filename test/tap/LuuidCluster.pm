# A PostgreSQL::Test::Cluster whose servers see the staged build of luuid.
package LuuidCluster;

use strict;
use warnings;

use parent 'PostgreSQL::Test::Cluster';
use PostgreSQL::Test::Utils qw(slurp_file);

# A running server with the given lines in its configuration.
sub started
{
	my ($class, $name, @configuration) = @_;
	my $node = $class->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', slurp_file($ENV{LUUID_SERVER_CONF}));
	$node->append_conf('postgresql.conf', join("\n", @configuration));
	$node->start;
	return $node;
}

1;
