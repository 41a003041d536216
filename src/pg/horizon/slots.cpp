// The slots of inserters: what is stored in them at an inserter's first id, and when it ends.
#include "slots.hpp"

#include "../datum.hpp"
#include "../settings.hpp"
#include "wait.hpp"

#include <luuid/detail/system.hpp>

namespace luuid::pg {

namespace {

Slot& slot_of(const PGPROC* process) noexcept {
    return cluster()->slots[static_cast<std::size_t>(GetNumberFromPGProc(process))];
}

// A parallel worker ends before the transaction of its leader does, so it uses its leader's slot.
Slot& own_slot() noexcept {
    return slot_of(IsParallelWorker() && MyProc->lockGroupLeader != nullptr ? MyProc->lockGroupLeader : MyProc);
}

// Horizons may have been returned until now, by this server before a crash or by the one that it takes over from, and
// until the last transaction that was replayed from an archive or a primary. Consumers may have read before that what
// was committed after it.
void raise_floors() {
    const auto replayed = millisecond_of(time_from_timestamptz(GetLatestXTime()));
    const std::uint64_t latest = std::max(detail::System::milliseconds(), replayed.value_or(0) + 1);
    for (Database& database : cluster()->databases) {
        database.horizon.raise_floor(latest);
        detail::raise(database.latest, database.horizon.floor());
    }
}

}  // namespace

// In recovery there is none. Every process that connects after it ends a transaction without a number before it begins
// one with a number, or resolves a prepared one. So the first to come here finds no number used yet, and all that were
// prepared before in their slots: nothing is known of their ids. A session that was connected in recovery may come here
// with a number; then the horizon is NULL until its transaction has ended.
void find_first_transaction() {
    if (cluster()->first_transaction != 0 || RecoveryInProgress())
        return;
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    if (cluster()->first_transaction == 0) {
        raise_floors();
        const std::uint64_t next = U64FromFullTransactionId(ReadNextFullTransactionId());
        for (Slot& slot : cluster()->prepared_slots()) {
            const PGPROC& process = ProcGlobal->allProcs[&slot - cluster()->slots.data()];
            if (TransactionIdIsValid(process.xid))
                slot.receive(detail::full_number(process.xid, next), process.databaseId, Slot::unknown);
        }
        cluster()->first_transaction = next;
    }
    LWLockRelease(AddinShmemInitLock);
}

std::uint64_t begin_inserter() {
    find_first_transaction();
    return database().horizon.begin(own_slot(), MyDatabaseId, detail::System::milliseconds);
}

std::uint64_t begin_inserter_again(std::uint64_t last) {
    own_slot().raise_last(last);
    return begin_inserter();
}

void end_inserter(XactEvent event, std::uint64_t last) {
    find_first_transaction();
    Slot& slot = own_slot();
    slot.raise_last(last);
    if (IsParallelWorker() || slot.first() == Slot::none)
        return;
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    // Before waiters are woken. Those that a prepared transaction is for look for its end themselves.
    if (event != XACT_EVENT_ABORT && FullTransactionIdIsValid(transaction))
        detail::raise(database().latest, slot.last());
    if (event == XACT_EVENT_PREPARE)
        slot.move_to(slot_of(luuid_prepared_proc(transaction)), U64FromFullTransactionId(transaction));
    else if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(transaction))
        slot.commit(U64FromFullTransactionId(transaction));
    else
        slot.clear();
    wake_waiters();
}

bool is_inserter() noexcept { return own_slot().first() != Slot::none; }

bool accept(std::uint64_t millisecond) {
    Slot& slot = own_slot();
    find_first_transaction();
    const bool is_accepted = database().horizon.accept(slot, MyDatabaseId, millisecond);
    // An id of the far future would wake waiters every waiter_pace until then.
    if (is_accepted && millisecond > slot.last())
        slot.raise_last(std::min(
            millisecond,
            detail::System::milliseconds() + std::min(setting_values.max_ahead, detail::Timeline::hold_milliseconds)));
    return is_accepted;
}

std::optional<Inserter> inserter_at(std::size_t number) {
    const volatile PGPROC* process = &ProcGlobal->allProcs[number];
    const Slot& slot = cluster()->slots[number];
    auto [first, inserter] = slot.read_with([&] {
        return Inserter{process->pid, process->databaseId, process->roleId, slot.prepared()};
    });
    if (first == Slot::none)
        return std::nullopt;
    // A prepared one may have ended. The server is asked by 32 bits, which an earlier transaction had too.
    if (inserter.prepared != 0 &&
        !(detail::can_be_in_progress(inserter.prepared, U64FromFullTransactionId(ReadNextFullTransactionId())) &&
          TransactionIdIsInProgress(static_cast<TransactionId>(inserter.prepared))))
        return std::nullopt;
    inserter.first = first;
    return inserter;
}

}  // namespace luuid::pg
