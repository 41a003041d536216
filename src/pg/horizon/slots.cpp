// The slots of inserters: what is stored in them at an inserter's first id, and when it ends; and luuid_in_flight(),
// which shows them.
#include "slots.hpp"

#include "../datum.hpp"

#include <luuid/detail/system.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

Slot& slot_of(const PGPROC* process) noexcept {
    return cluster()->slots[static_cast<std::size_t>(GetNumberFromPGProc(process))];
}

// A parallel worker ends before the transaction of its leader does, so it uses its leader's slot.
Slot& own_slot() noexcept {
    return slot_of(IsParallelWorker() && MyProc->lockGroupLeader != nullptr ? MyProc->lockGroupLeader : MyProc);
}

}  // namespace

// A process that connects after recovery ends a transaction without an xid before it gets an xid or resolves a prepared
// transaction, and end_inserter() calls this. So the first call comes before any xid is assigned. It finds all prepared
// transactions of before, and their slots get an unknown first millisecond. A session that connected in recovery may
// call this first when it has an xid; then the horizon is NULL until its transaction has ended.
void luuid::pg::find_first_transaction() {
    if (cluster()->first_transaction != 0 || RecoveryInProgress())
        return;
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    if (cluster()->first_transaction == 0) {
        // Before a crash this server may have returned horizons up to now. A primary that it takes over from may have
        // returned some up to the last transaction that was replayed here. No floor may be before either.
        const auto replayed = millisecond_of(time_from_timestamptz(GetLatestXTime()));
        const std::uint64_t latest = std::max(detail::System::milliseconds(), replayed.value_or(0) + 1);
        for (Database& database : cluster()->databases) {
            database.horizon.raise_floor(latest);
            detail::raise(database.latest, database.horizon.floor());
        }
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

std::uint64_t luuid::pg::begin_inserter(std::uint64_t last) {
    find_first_transaction();
    own_slot().raise_last(last);
    return database().horizon.begin(own_slot(), MyDatabaseId, detail::System::milliseconds);
}

void luuid::pg::end_inserter(XactEvent event, std::uint64_t last) {
    find_first_transaction();
    Slot& slot = own_slot();
    slot.raise_last(last);
    if (IsParallelWorker() || slot.first() == Slot::none)
        return;
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    // I5 of README. Resolving a prepared transaction wakes no waiter, so its ids are counted when it is prepared.
    if (event != XACT_EVENT_ABORT && FullTransactionIdIsValid(transaction))
        detail::raise(database().latest, slot.last());
    if (event == XACT_EVENT_PREPARE)
        slot.move_to(slot_of(luuid_prepared_proc(transaction)), U64FromFullTransactionId(transaction));
    else if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(transaction))
        slot.commit(U64FromFullTransactionId(transaction));
    else
        slot.clear();
    if (database().waiters > 0)
        ConditionVariableBroadcast(&database().woken);
}

bool luuid::pg::is_inserter() noexcept { return own_slot().first() != Slot::none; }

bool luuid::pg::accept(std::uint64_t millisecond) {
    Slot& slot = own_slot();
    find_first_transaction();
    const bool is_accepted = database().horizon.accept(slot, MyDatabaseId, millisecond);
    if (is_accepted)
        slot.raise_last(millisecond);
    return is_accepted;
}

void luuid::pg::hold_horizon() {
    find_first_transaction();
    while (!database().horizon.accept(own_slot(), MyDatabaseId, database().horizon.floor()))
        ;
}

namespace {

struct Inserter {
    int pid;
    Oid database;
    Oid role;
    std::uint64_t prepared;               // its full number if it is prepared, otherwise 0
    std::uint64_t first = Slot::unknown;  // millisecond of its ids

    bool operator==(const Inserter&) const = default;
};

// The open inserter of a slot.
std::optional<Inserter> inserter_at(std::size_t number) {
    const volatile PGPROC* process = &ProcGlobal->allProcs[number];
    const Slot& slot = cluster()->slots[number];
    auto [first, inserter] = slot.read_with([&] {
        return Inserter{process->pid, process->databaseId, process->roleId, slot.prepared()};
    });
    if (first == Slot::none)
        return std::nullopt;
    // A prepared one may have ended. The server looks for 32 bits of its number, which a later transaction may share.
    if (inserter.prepared != 0 &&
        !(detail::can_be_in_progress(inserter.prepared, U64FromFullTransactionId(ReadNextFullTransactionId())) &&
          TransactionIdIsInProgress(static_cast<TransactionId>(inserter.prepared))))
        return std::nullopt;
    inserter.first = first;
    return inserter;
}

// Puts a row of luuid_in_flight(). A database that was dropped meanwhile has no name.
void put_inserter(ReturnSetInfo* result, const Inserter& inserter, TimestampTz now) {
    const bool is_prepared = inserter.prepared != 0;
    const char* database = get_database_name(inserter.database);
    NameData name{};
    if (database != nullptr)
        namestrcpy(&name, database);
    const bool is_permitted = has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
                              (!is_prepared && has_privs_of_role(GetUserId(), inserter.role));
    const bool has_time = inserter.first != Slot::unknown && is_permitted;
    const TimestampTz since = timestamptz_from_time(time_of_millisecond(inserter.first));
    Datum values[] = {Int32GetDatum(inserter.pid), NameGetDatum(&name), TimestampTzGetDatum(since),
                      DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now), TimestampTzGetDatum(since))};
    bool nulls[] = {is_prepared, database == nullptr, !has_time, !has_time};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// luuid_in_flight() → (pid integer, datname name, since timestamptz, age interval) of each transaction that generated
// ids and has not ended, in all databases. pid is NULL for a prepared transaction. since and age are NULL if it
// generated ids before the server's start, or if pg_stat_activity would hide them from the role. 55000 as
// luuid_horizon(), except for Citus.
LUUID_FUNCTION(luuid_in_flight);
Datum luuid_in_flight(PG_FUNCTION_ARGS) {
    check_is_available();
    InitMaterializedSRF(fcinfo, 0);
    const TimestampTz now = GetCurrentTimestamp();
    find_first_transaction();
    for (std::size_t number = 0; number < cluster()->slots.size(); ++number)
        if (const auto inserter = inserter_at(number))
            put_inserter(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *inserter, now);
    return 0;
}
