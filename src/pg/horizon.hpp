// The horizon of a cluster, as the transactions of its backends keep it: what of a table is settled.
#pragma once

#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// Has every backend tell when a transaction ends; from _PG_init, while the server loads its preload libraries.
void watch_transactions();

// This transaction is about to make ids. They are of no millisecond before the one that this returns. Preloaded only.
std::uint64_t begin_flight() noexcept;

// The horizon for the active snapshot, the same however often it is asked; nothing where it cannot be known. Preloaded
// only, and not in recovery.
std::optional<std::uint64_t> find_horizon();

}  // namespace luuid::pg
