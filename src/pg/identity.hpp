// Who this backend is to the ids it makes.
#pragma once

#include "settings.hpp"

namespace luuid::pg {

enum class NodeSource : std::uint8_t { setting, mac, none, system_identifier, random };

struct ResolvedNode {
    std::uint32_t bits = 0;  // 28
    NodeSource source = NodeSource::none;
};

// Follows luuid.node; may list the machine's interfaces or draw random bits, so keep what it returns.
ResolvedNode find_node(NodeSetting setting);

const char* source_word(NodeSource source) noexcept;

}  // namespace luuid::pg
