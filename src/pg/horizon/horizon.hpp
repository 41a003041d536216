// The horizon of this database for a snapshot: a transaction that inserts an earlier id is visible to it or aborts.
#pragma once

#include "../server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// Called by _PG_init, while the server loads its preload libraries.
void install_horizon_hooks();

// The horizon for a snapshot that it takes and drops. Preloaded only, and not in recovery.
std::optional<std::uint64_t> find_next_horizon();

// How many milliseconds the horizon for the active snapshot would be behind the present; nothing if it cannot be known,
// without preload or in recovery. Does not raise the floor, so that guards refuse no row for it.
std::optional<std::uint64_t> find_horizon_lag();

}  // namespace luuid::pg
