// The node: what a locality UUID shows of the machine it was made on, and the rules by which that is found.
#pragma once

#include <luuid/layout.hpp>
#include <luuid/text.hpp>

namespace luuid {

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
        const int digit = detail::digit_value(character);
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

namespace detail {

// 48 bits, first octet highest; 0 stands for none.
using HardwareAddress = std::uint64_t;

// True for an address given out by a manufacturer: IEEE 802's "locally administered" and "group" bits are both clear.
// Virtual machines and containers make up addresses of the other kind, and make up the same ones.
constexpr bool is_universal(HardwareAddress address) noexcept { return address != 0 && (address >> 40 & 0b11) == 0; }

// Follows the setting. The machine has a hardware_address(), a random_node() of 28 bits, and a stand_in_node(), which
// is that of `auto` where it has no address of a manufacturer.
template <class Machine>
constexpr ResolvedNode find_node(NodeSetting setting, const Machine& machine) noexcept {
    if (setting.rule == NodeRule::fixed)
        return {setting.fixed, NodeSource::setting};
    if (setting.rule == NodeRule::random)
        return {machine.random_node(), NodeSource::random};
    const HardwareAddress address = machine.hardware_address();
    if (setting.rule == NodeRule::automatic && !is_universal(address))
        return machine.stand_in_node();
    return {static_cast<std::uint32_t>(address & node_max), address == 0 ? NodeSource::none : NodeSource::mac};
}

}  // namespace detail

}  // namespace luuid
