// Which horizon was returned for a snapshot, as long as anything uses the snapshot.
#include "snapshot.hpp"

namespace luuid::pg {

namespace {

struct Entry {
    SnapshotData* snapshot;
    Answer answer;
};

// As many as there are snapshots in use that a horizon was returned for: one, and one for each cursor. In the memory of
// the transaction.
List* entries = NIL;

void release(bool only_unused) {
    ListCell* cell = nullptr;
    foreach (cell, entries) {
        SnapshotData* snapshot = static_cast<Entry*>(lfirst(cell))->snapshot;
        if (only_unused && (snapshot->active_count > 0 || snapshot->regd_count > 1))
            continue;
        UnregisterSnapshotFromOwner(snapshot, TopTransactionResourceOwner);
        entries = foreach_delete_current(entries, cell);
    }
}

// So that an idle transaction does not hold VACUUM back.
void release_unused(ResourceReleasePhase phase, bool, bool, void*) {
    if (phase == RESOURCE_RELEASE_AFTER_LOCKS)
        release(true);
}

void end_transaction(XactEvent event, void*) {
    if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
        release(false);
    else
        entries = NIL;  // after an error, the transaction's resource owner unregisters the snapshots
}

}  // namespace

void watch_snapshots() {
    RegisterXactCallback(end_transaction, nullptr);
    RegisterResourceReleaseCallback(release_unused, nullptr);
}

std::optional<Answer> find_answer(const SnapshotData* snapshot) noexcept {
    const ListCell* cell = nullptr;
    foreach (cell, entries)
        if (const auto* entry = static_cast<const Entry*>(lfirst(cell)); entry->snapshot == snapshot)
            return entry->answer;
    return std::nullopt;
}

void remember_answer(SnapshotData* snapshot, const Answer& answer) {
    release(true);
    const MemoryContext former = MemoryContextSwitchTo(TopTransactionContext);
    auto* entry = static_cast<Entry*>(palloc(sizeof(Entry)));
    *entry = {RegisterSnapshotOnOwner(snapshot, TopTransactionResourceOwner), answer};
    entries = lappend(entries, entry);
    MemoryContextSwitchTo(former);
}

}  // namespace luuid::pg
