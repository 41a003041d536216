// The node: what a locality UUID shows of the machine it was made on, and the rules by which that is found.
#pragma once

#include "layout.hpp"
#include "text.hpp"

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

enum class NodeRule : std::uint8_t { automatic, mac, random, fixed };

// What a user asks for: a rule, and the bits that `fixed` stands for.
struct NodeSetting {
    NodeRule rule = NodeRule::automatic;
    std::uint32_t fixed = 0;

    friend constexpr bool operator==(const NodeSetting&, const NodeSetting&) noexcept = default;
};

inline constexpr std::size_t node_digits = 7;

// Accepts `auto`, `mac`, `random` and seven hexadecimal digits, in either case.
constexpr std::optional<NodeSetting> parse_node(std::string_view text) noexcept {
    const auto is_word = [text](std::string_view word) {
        bool same = text.size() == word.size();
        for (std::size_t i = 0; same && i < word.size(); ++i)
            same = (text.data()[i] | 0x20) == word.data()[i];
        return same;
    };
    if (is_word("auto"))
        return NodeSetting{};
    if (is_word("mac"))
        return NodeSetting{NodeRule::mac};
    if (is_word("random"))
        return NodeSetting{NodeRule::random};
    if (text.size() != node_digits)
        return std::nullopt;
    NodeSetting setting{NodeRule::fixed};
    for (const char character : text) {
        const int digit = digit_value(character);
        if (digit < 0)
            return std::nullopt;
        setting.fixed = setting.fixed << 4 | static_cast<std::uint32_t>(digit);
    }
    return setting;
}

enum class NodeSource : std::uint8_t { setting, mac, none, system_identifier, random };

struct ResolvedNode {
    std::uint32_t bits = 0;  // 28
    NodeSource source = NodeSource::none;
};

// Follows the setting. `random` makes 28 random bits; `stand_in` is the node of `auto` on a machine without an address
// of its own.
template <class Random, class StandIn>
ResolvedNode find_node(NodeSetting setting, Random random, StandIn stand_in) {
    if (setting.rule == NodeRule::fixed)
        return {setting.fixed, NodeSource::setting};
    if (setting.rule == NodeRule::random)
        return {random(), NodeSource::random};
    const HardwareAddress address = first_hardware_address();
    if (setting.rule == NodeRule::automatic && !is_universal(address))
        return stand_in();
    return {static_cast<std::uint32_t>(address & node_max), address == 0 ? NodeSource::none : NodeSource::mac};
}

}  // namespace luuid
