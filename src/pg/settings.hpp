// The settings luuid.mode, luuid.version and luuid.node.
#pragma once

#include "../core/generator.hpp"

namespace luuid::pg {

enum class NodeRule : std::uint8_t { automatic, mac, random, fixed };

// luuid.node, parsed; `fixed` is its seven hexadecimal digits under that rule.
struct NodeSetting {
    NodeRule rule = NodeRule::automatic;
    std::uint32_t fixed = 0;

    friend constexpr bool operator==(const NodeSetting&, const NodeSetting&) noexcept = default;
};

// What the settings say at this moment.
CounterMode mode_setting() noexcept;
Layout version_setting() noexcept;
NodeSetting node_setting() noexcept;

// The words a user writes for them.
const char* mode_word(CounterMode mode) noexcept;
const char* version_word(Layout version) noexcept;

// Registers the settings with the server; once, from _PG_init.
void define_settings();

}  // namespace luuid::pg
