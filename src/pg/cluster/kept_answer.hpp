// The horizon that was computed for a snapshot, kept in the snapshot itself.
#pragma once

#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// A horizon is right for a snapshot whenever it is computed after the snapshot was taken. But a scan that computed it
// again for each row would skip some rows for good if the horizon advanced meanwhile, so one scan must use one horizon.
// A scan has one snapshot; a STABLE function that it calls uses the same one, and a cursor keeps it for as long as it
// is open. In READ COMMITTED each statement, one in a PL/pgSQL loop included, takes a new snapshot, and so gets a new
// horizon.
//
// Two snapshots cannot be told apart by what they see, which is the same on a quiet cluster, nor by their address,
// since memory is used again. So the horizon is stored in two members that the server uses for snapshots of other kinds
// alone. Copies that the server makes of a snapshot keep it, and it is gone with the last of them.
class KeptAnswer {
public:
    explicit KeptAnswer(SnapshotData* snapshot) : snapshot_(snapshot) {}

    bool is_there() const noexcept { return snapshot_->vistest != nullptr; }
    std::optional<std::uint64_t> horizon() const noexcept {
        const std::uint64_t high = reinterpret_cast<std::uintptr_t>(snapshot_->vistest) - there;
        const std::uint64_t horizon = high << 32 | snapshot_->speculativeToken;
        return horizon == not_known ? std::nullopt : std::optional(horizon);
    }
    void keep(std::optional<std::uint64_t> horizon) noexcept {
        const std::uint64_t bits = horizon.value_or(not_known);
        snapshot_->speculativeToken = static_cast<std::uint32_t>(bits);
        snapshot_->vistest = reinterpret_cast<GlobalVisState*>(static_cast<std::uintptr_t>(bits >> 32) + there);
    }

private:
    static constexpr std::uint64_t not_known = 0;  // no horizon is of 1970
    static constexpr std::uintptr_t there = 1;     // so that the pointer, which may have 32 bits, is not null

    SnapshotData* snapshot_;
};

}  // namespace luuid::pg
