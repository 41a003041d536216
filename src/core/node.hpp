// Node discovery: the hardware address that a locality UUID shows the end of.
#pragma once

#include <cstdint>
#include <cstring>

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#ifdef AF_PACKET
#include <netpacket/packet.h>
#endif

namespace luuid {

// 48 bits, first octet highest; 0 stands for none.
using HardwareAddress = std::uint64_t;

// The first interface that is up, is not the loopback and has a 6-byte address; 0 where there is none.
inline HardwareAddress first_hardware_address() noexcept {
    HardwareAddress found = 0;
#ifdef AF_PACKET
    ifaddrs* interfaces = nullptr;
    if (getifaddrs(&interfaces) != 0)
        return 0;
    for (const ifaddrs* each = interfaces; each != nullptr && found == 0; each = each->ifa_next) {
        if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_PACKET)
            continue;
        if ((each->ifa_flags & IFF_UP) == 0 || (each->ifa_flags & IFF_LOOPBACK) != 0)
            continue;
        sockaddr_ll link;
        std::memcpy(&link, each->ifa_addr, sizeof link);
        if (link.sll_halen != 6)
            continue;
        for (int octet = 0; octet < 6; ++octet)
            found = found << 8 | link.sll_addr[octet];
    }
    freeifaddrs(interfaces);
#endif
    return found;
}

// True for an address given out by a manufacturer: IEEE 802's "locally administered" and "group" bits are both clear.
// Virtual machines and containers make up addresses of the other kind, and make up the same ones.
constexpr bool is_universal(HardwareAddress address) noexcept { return address != 0 && (address >> 40 & 0b11) == 0; }

}  // namespace luuid
