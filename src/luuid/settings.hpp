// What a generator makes ids by; the defaults are those of SQL's luuid.mode, luuid.version and luuid.node.
#pragma once

#include <luuid/node.hpp>

namespace luuid {

// `variable` spreads ids evenly over shards; `sequential` keeps those of ten minutes together.
enum class CounterMode : std::uint8_t { variable, sequential };

struct GeneratorSettings {
    CounterMode mode = CounterMode::variable;
    LocalityVersion version = LocalityVersion::vb;
    NodeSetting node = {};
};

}  // namespace luuid
