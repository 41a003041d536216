// Which horizon was returned for a snapshot, as long as anything uses the snapshot.
#pragma once

#include "../server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// A horizon is right for a snapshot whenever it is computed after the snapshot was taken. But a scan that computed it
// again for each row would skip some rows for good if the horizon advanced meanwhile, so one scan must use one horizon.
// A scan has one snapshot; a STABLE function that it calls uses the same one, and a cursor keeps it for as long as it
// is open. In READ COMMITTED each statement, one in a PL/pgSQL loop included, takes a new snapshot, and so gets a new
// horizon.
struct Answer {
    std::optional<std::uint64_t> horizon;
    std::uint64_t computed_at;  // the millisecond, which the horizon is not after
};

// From _PG_init, while the server loads its preload libraries.
void watch_snapshots();

// That for this snapshot, by its address.
std::optional<Answer> find_answer(const SnapshotData* snapshot) noexcept;

// Two snapshots cannot be told apart by what they see, which is the same on a quiet cluster. So the snapshot is
// registered, which keeps its address from another, until nothing else uses it, or the transaction ends.
void remember_answer(SnapshotData* snapshot, const Answer& answer);

}  // namespace luuid::pg
