// Waiting for transactions of this database that leave something for a reader.
#pragma once

#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// The next horizon up to which who has read up to `from` may find something, or who has read nothing; nothing where
// the deadline comes before. Holds no snapshot while it waits, and is called without one. Preloaded only, and not in
// recovery.
std::optional<std::uint64_t> wait_for_horizon(std::optional<std::uint64_t> from, TimestampTz deadline);

// To be called once a transaction that generated ids has ended, and can be seen: whoever begins to wait later finds it
// by itself. Preloaded only.
void wake_waiters() noexcept;

// To be called at the end of any other transaction, since whoever resolves a prepared one ends a transaction of its
// own. Preloaded only.
void wake_waiters_for_resolved() noexcept;

}  // namespace luuid::pg
