// Settings of a generator; the defaults are those of luuid.mode, luuid.version and luuid.node in SQL.
#pragma once

#include <luuid/node.hpp>

namespace luuid {

// `variable` spreads ids evenly over shards; `sequential` keeps the ids of ten minutes together.
enum class CounterMode : std::uint8_t { variable, sequential };

struct GeneratorSettings {
    CounterMode mode = CounterMode::variable;
    LocalityVersion version = LocalityVersion::vb;
    NodeSetting node = {};
};

}  // namespace luuid
