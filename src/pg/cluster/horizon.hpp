// The horizon of a database for a snapshot: before it, every transaction in flight has ended.
#pragma once

#include "memory.hpp"
#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// The horizon for the active snapshot, behind the present by this lag if there is one, and the same however often it is
// asked; nothing if it cannot be known. 22023 for a negative lag. Preloaded only, and not in recovery.
std::optional<std::uint64_t> find_horizon(const Interval* lag = nullptr);

// How many milliseconds it would be behind the present. Nothing is handed out, so this refuses no row. Preloaded only,
// and not in recovery.
std::optional<std::uint64_t> find_horizon_lag();

}  // namespace luuid::pg
