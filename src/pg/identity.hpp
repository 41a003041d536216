// Who this backend is to the ids it makes.
#pragma once

#include "../core/node.hpp"

namespace luuid::pg {

// Follows luuid.node; may list the machine's interfaces or draw random bits, so keep what it returns.
ResolvedNode find_node(NodeSetting setting);

const char* source_word(NodeSource source) noexcept;

}  // namespace luuid::pg
