// The node: the machine's bits in a locality UUID, and the rules that choose them.
#pragma once

#include <luuid/detail/md5.hpp>
#include <luuid/layout.hpp>
#include <luuid/text.hpp>

#include <algorithm>
#include <array>

namespace luuid {

enum class NodeRule : std::uint8_t { automatic, mac, random, fixed };

// The user's setting: a rule, and the bits if the rule is `fixed`.
struct NodeSetting {
    NodeRule rule = NodeRule::automatic;
    std::uint32_t fixed = 0;

    friend constexpr bool operator==(const NodeSetting&, const NodeSetting&) noexcept = default;
};

inline constexpr std::size_t node_digits = 7;

// Accepts `auto`, `mac`, `random` and seven hexadecimal digits, in either case; nothing for another text.
constexpr std::optional<NodeSetting> parse_node(std::string_view text) noexcept {
    const auto is_word = [text](std::string_view word) {
        return std::equal(text.begin(), text.end(), word.begin(), word.end(),
                          [](char given, char expected) { return (given | 0x20) == expected; });
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
        const int digit = detail::digit_value(character);
        if (digit < 0)
            return std::nullopt;
        setting.fixed = setting.fixed << 4 | static_cast<std::uint32_t>(digit);
    }
    return setting;
}

// Where a node's bits come from. `none`: zeros, since the rule is `mac` and no address was found.
enum class NodeSource : std::uint8_t { setting, mac, none, identity_and_mac, identity, random };

struct ResolvedNode {
    std::uint32_t bits;  // 28
    NodeSource source;
};

namespace detail {

// 48 bits, first octet highest; 0 if there is none.
using HardwareAddress = std::uint64_t;

// Distinguishes a machine or a database cluster from all others.
using MachineIdentity = std::array<char, 40>;

// 28 bits of a hash of both, since neither alone is unique: hypervisors and containers reuse addresses, two clusters on
// one machine share its address, and clones share an identity.
constexpr std::uint32_t node_hash(const MachineIdentity& identity, HardwareAddress address) noexcept {
    std::array<char, std::tuple_size_v<MachineIdentity> + 6> message{};
    std::copy(identity.begin(), identity.end(), message.begin());
    for (std::size_t octet = 0; octet < 6; ++octet)
        message[identity.size() + octet] = static_cast<char>(address >> (40 - 8 * octet) & 0xff);
    return md5_first_word({message.data(), message.size()}) & node_max;
}

// Applies the setting. A Machine has hardware_address(), random_node() of 28 bits, and identity(), which may return
// nothing. `auto` is random then: a hash of the address alone can be reversed by trying all addresses.
template <class Machine>
constexpr ResolvedNode find_node(NodeSetting setting,
                                 const Machine& machine) noexcept(noexcept(machine.random_node())) {
    if (setting.rule == NodeRule::fixed)
        return {setting.fixed, NodeSource::setting};
    if (setting.rule == NodeRule::mac) {
        const HardwareAddress address = machine.hardware_address();
        return {static_cast<std::uint32_t>(address & node_max), address == 0 ? NodeSource::none : NodeSource::mac};
    }
    if (setting.rule == NodeRule::automatic)
        if (const std::optional<MachineIdentity> identity = machine.identity()) {
            const HardwareAddress address = machine.hardware_address();
            return {node_hash(*identity, address), address == 0 ? NodeSource::identity : NodeSource::identity_and_mac};
        }
    return {machine.random_node(), NodeSource::random};
}

}  // namespace detail

}  // namespace luuid
