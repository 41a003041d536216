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
//
// Whoever asks for another lag by the same snapshot gets a horizon that follows from the first answer: one that lies
// further back if the lag is greater, and the same one if it is less.
class KeptAnswer {
public:
    explicit KeptAnswer(SnapshotData* snapshot) : snapshot_(snapshot) {}

    bool is_there() const noexcept { return snapshot_->vistest != nullptr; }
    std::optional<std::uint64_t> horizon() const noexcept {
        const std::uint64_t horizon = (high() & 0xffff) << 32 | snapshot_->speculativeToken;
        return horizon == not_known ? std::nullopt : std::optional(horizon);
    }
    // The millisecond in which it was computed, which the horizon is not after.
    std::uint64_t asked_at() const noexcept { return horizon().value_or(not_known) + (high() >> 16); }

    void keep(std::optional<std::uint64_t> horizon, std::uint64_t asked_at) noexcept {
        const std::uint64_t bits = horizon.value_or(not_known);
        const auto behind = std::min<std::uint64_t>(asked_at - bits, farthest);
        snapshot_->speculativeToken = static_cast<std::uint32_t>(bits);
        snapshot_->vistest =
            reinterpret_cast<GlobalVisState*>(static_cast<std::uintptr_t>(bits >> 32 | behind << 16) + there);
    }

private:
    std::uint64_t high() const noexcept { return reinterpret_cast<std::uintptr_t>(snapshot_->vistest) - there; }

    static constexpr std::uint64_t not_known = 0;  // no horizon is of 1970
    static constexpr std::uintptr_t there = 1;     // so that the pointer is not null
    // Where a pointer has 32 bits, it is a minute. Of what was asked further behind, horizons of greater lags are
    // earlier than need be.
    static constexpr std::uintptr_t farthest = (~std::uintptr_t{0} >> 16) - 1;

    SnapshotData* snapshot_;
};

}  // namespace luuid::pg
