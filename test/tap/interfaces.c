// Simulates a machine's network interfaces for node.pl: one, with the hardware address in the file named by
// INTERFACES_ADDRESS. Each call adds a line to the file named by INTERFACES_ASKED.
#include <ifaddrs.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int getifaddrs(struct ifaddrs **list)
{
	static struct ifaddrs interface = {.ifa_name = "eth0", .ifa_flags = IFF_UP};
	static struct sockaddr_ll link = {.sll_family = AF_PACKET, .sll_halen = 6};
	unsigned octets[6];
	FILE *address = fopen(getenv("INTERFACES_ADDRESS"), "r");
	FILE *asked = fopen(getenv("INTERFACES_ASKED"), "a");

	if (address == NULL || asked == NULL || fscanf(address, "%x:%x:%x:%x:%x:%x", octets, octets + 1, octets + 2,
			octets + 3, octets + 4, octets + 5) != 6)
		abort();
	fclose(address);
	fputs("asked\n", asked);
	fclose(asked);
	for (int i = 0; i < 6; ++i)
		link.sll_addr[i] = (unsigned char)octets[i];
	interface.ifa_addr = (struct sockaddr *)&link;
	*list = &interface;
	return 0;
}

void freeifaddrs(struct ifaddrs *list)
{
	(void)list;
}
