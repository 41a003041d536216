// luuid_horizon() and what makes it true: each transaction that makes ids is known to the cluster until it has ended.
#include "horizon.hpp"

#include "backend.hpp"
#include "cluster.hpp"
#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace luuid::pg {

namespace {

std::size_t number_of(PGPROC* process) noexcept { return static_cast<std::size_t>(GetNumberFromPGProc(process)); }

Flight& flight_of(PGPROC* process) noexcept { return cluster()->flights[number_of(process)]; }

PreparedFlight& prepared_flight_of(PGPROC* process) noexcept {
    return cluster()->prepared_flights[number_of(process) - cluster()->flights.size()];
}

PGPROC* process_of_prepared(std::size_t number) noexcept {
    return &ProcGlobal->allProcs[cluster()->flights.size() + number];
}

// Every process that may begin a transaction with a number, or resolve a prepared one, has ended one without before, so
// that the first of them all to come here finds no number used yet, and all prepared transactions of before the
// server's start in their places: nothing is known of their ids. In recovery there is none to be known.
void find_first_transaction() {
    if (cluster()->first_transaction != 0 || RecoveryInProgress())
        return;
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    if (cluster()->first_transaction == 0) {
        const std::uint64_t next = U64FromFullTransactionId(ReadNextFullTransactionId());
        for (std::size_t number = 0; number < cluster()->prepared_flights.size(); ++number) {
            const PGPROC* process = process_of_prepared(number);
            if (TransactionIdIsValid(process->xid))
                cluster()->prepared_flights[number].receive(detail::full_number(process->xid, next),
                                                            process->databaseId, PreparedFlight::unknown);
        }
        cluster()->first_transaction = next;
    }
    LWLockRelease(AddinShmemInitLock);
}

// What a snapshot sees, by the transactions' full numbers.
class AskedSnapshot {
public:
    explicit AskedSnapshot(SnapshotData* snapshot) : snapshot_(snapshot), next_(ReadNextFullTransactionId()) {}

    // No transaction before this one was in progress.
    std::uint64_t first_in_progress() const noexcept {
        return U64FromFullTransactionId(next_) - (XidFromFullTransactionId(next_) - snapshot_->xmin);
    }

    // Whether it has ended before the snapshot was taken; of those that end.
    bool sees(std::uint64_t transaction) const {
        return transaction < first_in_progress() ||
               !XidInMVCCSnapshot(static_cast<TransactionId>(transaction), snapshot_);
    }

private:
    SnapshotData* snapshot_;
    FullTransactionId next_;
};

std::optional<std::uint64_t> ask_horizon(SnapshotData* snapshot) {
    find_first_transaction();
    const AskedSnapshot asked(snapshot);
    // What was in progress at a standby's primary, this server knows nothing of.
    if (snapshot->takenDuringRecovery && asked.first_in_progress() < cluster()->first_transaction)
        return std::nullopt;
    return cluster()->horizon.ask(
        MyDatabaseId, Backend::milliseconds, [&](std::uint64_t transaction) { return asked.sees(transaction); },
        cluster()->flights, cluster()->prepared_flights);
}

// The answer of a snapshot, kept in the snapshot itself.
//
// A horizon is right for a snapshot whenever it is asked for after the snapshot was taken. But a scan that asks again
// for each row would skip some for good if the horizon went on meanwhile: a scan must meet one answer. A scan has one
// snapshot, which a STABLE function that it calls asks by too, and a cursor has it still when others have come and
// gone. A statement of its own, one in a PL/pgSQL loop included, has a new one in READ COMMITTED, and so another
// answer. What tells two snapshots apart is neither what they see, which is the same on a quiet cluster, nor where they
// are, since memory is used again; so the answer lies in two members that the server has for snapshots of other kinds.
// Copies that the server makes of a snapshot keep the answer, and nothing is left of it when the last of them has gone.
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

std::optional<std::uint64_t> horizon_of(SnapshotData* snapshot) {
    KeptAnswer answer(snapshot);
    if (answer.is_there())
        return answer.horizon();
    // From REPEATABLE READ on, the statements' snapshots are copies of the transaction's, and some are older than its
    // answer.
    SnapshotData* whole = IsolationUsesXactSnapshot() ? GetTransactionSnapshot() : snapshot;
    if (whole->xmax != snapshot->xmax || whole->xcnt != snapshot->xcnt)
        whole = snapshot;
    KeptAnswer first(whole);
    if (!first.is_there())
        first.keep(ask_horizon(snapshot));
    answer.keep(first.horizon());
    return answer.horizon();
}

// Called after a transaction has become visible to new snapshots; also where the server's shared memory was made
// without asking luuid.
void end_transaction(XactEvent event, void*) noexcept {
    if (cluster() == nullptr)
        return;
    switch (event) {
        case XACT_EVENT_COMMIT:
        case XACT_EVENT_ABORT:
        case XACT_EVENT_PREPARE:
            break;
        case XACT_EVENT_PARALLEL_COMMIT:
        case XACT_EVENT_PARALLEL_ABORT:
            Backend::end_flight();  // its leader's transaction goes on
            return;
        default:
            return;
    }
    Backend::end_flight();
    find_first_transaction();
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none)
        return;
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    if (event == XACT_EVENT_PREPARE)
        flight.move_to(prepared_flight_of(luuid_prepared_proc(transaction)), U64FromFullTransactionId(transaction));
    else if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(transaction))
        flight.end_visible(U64FromFullTransactionId(transaction));
    else
        flight.end();
}

}  // namespace

void watch_transactions() { RegisterXactCallback(end_transaction, nullptr); }

// A parallel worker ends before the transaction of its leader does, and so what it makes is its leader's.
std::uint64_t begin_flight() noexcept {
    PGPROC* leader = MyProc->lockGroupLeader;
    Flight& flight = flight_of(IsParallelWorker() && leader != nullptr ? leader : MyProc);
    flight.enter(MyDatabaseId);
    return cluster()->horizon.begin(flight, Backend::milliseconds);
}

std::optional<std::uint64_t> find_horizon() {
    // Each worker would ask for itself, where one scan must meet one answer.
    if (IsParallelWorker())
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
                        errmsg("cannot ask for the luuid horizon in a parallel worker"),
                        errhint("Mark functions that ask for it PARALLEL RESTRICTED.")));
    // After COMMIT in a procedure there is none, until the next query, and a domain's check can ask before that.
    const bool is_without = !ActiveSnapshotSet();
    if (is_without)
        PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = horizon_of(GetActiveSnapshot());
    if (is_without)
        PopActiveSnapshot();
    return horizon;
}

}  // namespace luuid::pg

namespace {

void check_can_ask() {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise no backend knows which ids the others are about to insert.")));
    if (RecoveryInProgress())
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("recovery is in progress"),
                        errdetail("A standby does not know which ids its primary is about to insert."),
                        errhint("Ask the primary, and wait until the standby has replayed what it had written then.")));
}

// Citus has each worker run a part of a query, and evaluate there what the coordinator has not.
void check_is_whole_query() {
    if (application_name != nullptr && strncmp(application_name, "citus_internal", strlen("citus_internal")) == 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("cannot ask for the luuid horizon in a part of a distributed query"),
                        errdetail("This server does not know which ids the coordinator is about to insert."),
                        errhint("Ask the coordinator: by (SELECT luuid_horizon()), or in a statement before.")));
}

Time time_of(std::uint64_t millisecond) noexcept { return Time(std::chrono::milliseconds(millisecond)); }

}  // namespace

// luuid_horizon() → luuid: every id below it that a transaction of this database made and inserted is visible to the
// snapshot of the statement that asks, or never will be. NULL where that cannot be known at the moment. 55000 unless
// preloaded, in recovery, and in a part of a query that Citus distributes.
LUUID_FUNCTION(luuid_horizon) {
    check_can_ask();
    check_is_whole_query();
    const auto horizon = find_horizon();
    if (!horizon)
        PG_RETURN_NULL();
    return datum_from_id(floor_of(time_of(*horizon)));
}

namespace {

// Who makes ids at a place.
struct Maker {
    int pid;
    Oid database;
    Oid role;
    std::uint64_t transaction;  // where it is prepared

    bool operator==(const Maker&) const = default;
};

// A row of luuid_in_flight(). A database that was dropped meanwhile has no name.
void put_in_flight(ReturnSetInfo* result, const Maker& maker, std::uint64_t first, TimestampTz now) {
    const bool is_prepared = maker.transaction != 0;
    const char* database = get_database_name(maker.database);
    NameData name{};
    if (database != nullptr)
        namestrcpy(&name, database);
    const bool is_shown = first != Flight::unknown && (has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
                                                       (!is_prepared && has_privs_of_role(GetUserId(), maker.role)));
    const TimestampTz since = timestamptz_from_time(time_of(first));
    Datum values[] = {Int32GetDatum(maker.pid), NameGetDatum(&name), TimestampTzGetDatum(since),
                      DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now), TimestampTzGetDatum(since))};
    bool nulls[] = {is_prepared, database == nullptr, !is_shown, !is_shown};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// luuid_in_flight() → (pid integer, datname name, since timestamptz, age interval) of each transaction that made ids
// and has not ended, in all databases; without a process where it is prepared, and without a time where that was before
// the server's start. since and age as pg_stat_activity shows what a role may see. 55000 as luuid_horizon(), but for
// Citus.
LUUID_FUNCTION(luuid_in_flight) {
    check_can_ask();
    find_first_transaction();
    InitMaterializedSRF(fcinfo, 0);
    auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
    const TimestampTz now = GetCurrentTimestamp();
    for (std::size_t number = 0; number < cluster()->flights.size(); ++number) {
        const volatile PGPROC* process = &ProcGlobal->allProcs[number];
        const auto [first, maker] = cluster()->flights[number].look_at([&] {
            return Maker{process->pid, process->databaseId, process->roleId, 0};
        });
        if (first != Flight::none)
            put_in_flight(result, maker, first, now);
    }
    for (std::size_t number = 0; number < cluster()->prepared_flights.size(); ++number) {
        const volatile PGPROC* process = process_of_prepared(number);
        const PreparedFlight& flight = cluster()->prepared_flights[number];
        const auto [first, maker] = flight.look_at([&] {
            return Maker{0, process->databaseId, process->roleId, flight.prepared()};
        });
        // A place shows whom it had last. The server knows who is in progress by 32 bits, which others had before.
        if (first != Flight::none &&
            detail::can_be_in_progress(maker.transaction, U64FromFullTransactionId(ReadNextFullTransactionId())) &&
            TransactionIdIsInProgress(static_cast<TransactionId>(maker.transaction)))
            put_in_flight(result, maker, first, now);
    }
    return 0;
}
