// The horizon of this database for a snapshot: every inserter of an earlier id has ended, and is visible to it or
// aborted.
#pragma once

#include "../server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// From _PG_init, while the server loads its preload libraries.
void install_horizon_hooks();

// The horizon for a snapshot that it takes and drops. Preloaded only, and not in recovery.
std::optional<std::uint64_t> find_next_horizon();

// How many milliseconds the horizon for the active snapshot would be behind the present; nothing if it cannot be known,
// without preload or in recovery. No horizon is returned, so no row is refused for it.
std::optional<std::uint64_t> find_horizon_lag();

}  // namespace luuid::pg
