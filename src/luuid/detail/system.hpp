// What the operating system tells of this machine: its clock, its hardware address. Nothing else in <luuid/...> asks
// it, but for what makes an application a process of its own.
#pragma once

#include <luuid/node.hpp>
#include <luuid/time.hpp>

#include <ctime>

#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#ifdef AF_PACKET
#include <netpacket/packet.h>
#endif

namespace luuid::detail {

class System {
public:
    // The wall clock, never before 1970. Read without a call of the system, in some twenty nanoseconds.
    static std::uint64_t milliseconds() noexcept { return count(1'000'000); }

    static TickTime ticks() noexcept { return TickTime(Ticks(static_cast<std::int64_t>(count(100)))); }

    // The first interface that is up, is not the loopback and has a 6-byte address; 0 where there is none.
    static HardwareAddress hardware_address() noexcept {
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

private:
    // Of units of so many nanoseconds. In 32 bits where it can be: a division of 64 costs more than reading the clock.
    static std::uint64_t count(std::uint32_t nanoseconds) noexcept {
        std::timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        if (now.tv_sec < 0) [[unlikely]]
            return 0;
        return static_cast<std::uint64_t>(now.tv_sec) * (1'000'000'000 / nanoseconds) +
               static_cast<std::uint32_t>(now.tv_nsec) / nanoseconds;
    }
};

}  // namespace luuid::detail
