// The operating system's clock, hardware address and machine identity. Besides this header only application.hpp calls
// the operating system, for process ids, forks and random bytes.
#pragma once

#include <luuid/node.hpp>
#include <luuid/time.hpp>

#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef AF_PACKET
#include <netpacket/packet.h>
#endif

namespace luuid::detail {

// Parses the contents of /etc/machine-id, machine-id(5): 32 hexadecimal digits; nothing for others, as "uninitialized".
constexpr std::optional<MachineIdentity> parse_machine_id(std::string_view text) noexcept {
    constexpr std::size_t digits = 32;
    if (text.size() < digits || (text.size() > digits && text[digits] != '\n'))
        return std::nullopt;
    MachineIdentity identity{};
    for (std::size_t i = 0; i < digits; ++i) {
        if (digit_value(text[i]) < 0)
            return std::nullopt;
        identity[i] = text[i];
    }
    return identity;
}

class System {
public:
    // The wall clock since 1970, or 0 before it. Linux reads it without a system call.
    static std::uint64_t milliseconds() noexcept { return count(1'000'000); }

    static TickTime ticks() noexcept { return TickTime(Ticks(static_cast<std::int64_t>(count(100)))); }

    // The first interface that is up, is not the loopback and has a 6-byte address; 0 if there is none.
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

    // The identity in /etc/machine-id, if this process is in the machine's own PID namespace. A container has process
    // ids of its own, and often the file of its image, so both may be those of another container too.
    static std::optional<MachineIdentity> machine_identity() noexcept {
        constexpr ino_t machines_process_ids = 0xefff'fffc;  // PID_NS_INIT_INO of Linux, since 3.8
        struct stat process_ids;
        if (stat("/proc/self/ns/pid", &process_ids) != 0 || process_ids.st_ino != machines_process_ids)
            return std::nullopt;
        const int file = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
        if (file < 0)
            return std::nullopt;
        char text[34] = {};  // stays empty if reading fails
        [[maybe_unused]] const ssize_t size = read(file, text, sizeof text - 1);
        close(file);
        return parse_machine_id(text);
    }

private:
    // The clock in units of this many nanoseconds. Divides 32-bit numbers: 64-bit division is slower than the clock.
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
