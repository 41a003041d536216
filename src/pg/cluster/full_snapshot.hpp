// A snapshot for full transaction numbers, which the server's own does not compare.
#pragma once

#include "server.hpp"

#include <cstdint>

namespace luuid::pg {

class FullSnapshot {
public:
    explicit FullSnapshot(SnapshotData* snapshot) : snapshot_(snapshot), next_(ReadNextFullTransactionId()) {}

    // Every transaction before this one had ended.
    std::uint64_t first_in_progress() const noexcept { return full(snapshot_->xmin); }

    // No transaction from this one on had ended.
    std::uint64_t first_not_ended() const noexcept { return full(snapshot_->xmax); }

    // For a transaction that has ended: whether it had when the snapshot was taken.
    bool sees(std::uint64_t transaction) const {
        return transaction < first_in_progress() ||
               !XidInMVCCSnapshot(static_cast<TransactionId>(transaction), snapshot_);
    }

private:
    std::uint64_t full(TransactionId transaction) const noexcept {
        return U64FromFullTransactionId(next_) - (XidFromFullTransactionId(next_) - transaction);
    }

    SnapshotData* snapshot_;
    FullTransactionId next_;
};

}  // namespace luuid::pg
