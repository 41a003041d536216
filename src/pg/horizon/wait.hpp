// Waiters: sessions in luuid_wait().
#pragma once

#include "../server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// The next horizon up to which a session that has read up to `from`, or nothing, may find something to read; nothing if
// the deadline comes before. Holds no snapshot while it sleeps, and is called without one. Preloaded only, and not in
// recovery.
std::optional<std::uint64_t> wait_for_horizon(std::optional<std::uint64_t> from, TimestampTz deadline);

// Wakes the waiters of this database, when an inserter has ended and no longer holds the horizon back. Preloaded only.
void wake_waiters() noexcept;

}  // namespace luuid::pg
