// Which horizon was returned for a snapshot, as long as anybody uses the snapshot.
#include "answers.hpp"

namespace luuid::pg {

namespace {

struct Entry {
    SnapshotData* snapshot;
    Answer answer;
};

// As many as there are snapshots in use that were asked by: one, and one for each cursor.
Entry* entries = nullptr;
std::size_t count = 0;
std::size_t capacity = 0;

void release(std::size_t number) {
    UnregisterSnapshotFromOwner(entries[number].snapshot, TopTransactionResourceOwner);
    entries[number] = entries[--count];
}

// So that an idle transaction does not hold VACUUM back.
void release_unused(ResourceReleasePhase phase, bool, bool, void*) {
    if (phase != RESOURCE_RELEASE_AFTER_LOCKS)
        return;
    for (std::size_t number = count; number-- > 0;)
        if (entries[number].snapshot->active_count == 0 && entries[number].snapshot->regd_count == 1)
            release(number);
}

void end_transaction(XactEvent event, void*) {
    if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
        while (count > 0)
            release(count - 1);
    else if (event == XACT_EVENT_ABORT)
        count = 0;  // the transaction's resource owner unregisters them
}

void make_room() {
    if (entries == nullptr) {
        capacity = 8;
        entries = static_cast<Entry*>(MemoryContextAlloc(TopMemoryContext, capacity * sizeof(Entry)));
        RegisterXactCallback(end_transaction, nullptr);
        RegisterResourceReleaseCallback(release_unused, nullptr);
    } else if (count == capacity) {
        entries = static_cast<Entry*>(repalloc(entries, 2 * capacity * sizeof(Entry)));
        capacity *= 2;
    }
}

}  // namespace

const Answer* find_answer(const SnapshotData* snapshot) noexcept {
    for (std::size_t number = 0; number < count; ++number)
        if (entries[number].snapshot == snapshot)
            return &entries[number].answer;
    return nullptr;
}

void remember_answer(SnapshotData* snapshot, const Answer& answer) {
    release_unused(RESOURCE_RELEASE_AFTER_LOCKS, true, false, nullptr);
    make_room();
    entries[count] = {RegisterSnapshotOnOwner(snapshot, TopTransactionResourceOwner), answer};
    ++count;
}

}  // namespace luuid::pg
