// luuid_horizon() and what makes it true: each transaction that makes ids is known to the cluster until it has ended.
#include "horizon.hpp"

#include "backend.hpp"
#include "cluster.hpp"
#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace luuid::pg {

namespace {

Flight& flight_of(PGPROC* process) noexcept {
    return cluster()->flights[static_cast<std::size_t>(GetNumberFromPGProc(process))];
}

// Every process that may begin a transaction with a number has ended one without before, so that the first of them all
// to come here finds no number used yet. In recovery there is none to be known.
void find_first_transaction() noexcept {
    std::uint64_t unknown = 0;
    if (cluster()->first_transaction == unknown && !RecoveryInProgress())
        cluster()->first_transaction.compare_exchange_strong(unknown,
                                                             U64FromFullTransactionId(ReadNextFullTransactionId()));
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

// Those of before this server's start are prepared, and nothing is known of their ids.
std::optional<std::uint64_t> ask_horizon(const AskedSnapshot& snapshot) {
    find_first_transaction();
    if (snapshot.first_in_progress() < cluster()->first_transaction)
        return std::nullopt;
    return cluster()->horizon.ask(cluster()->flights, Backend::milliseconds,
                                  [&](std::uint64_t transaction) { return snapshot.sees(transaction); });
}

// What was answered for a snapshot, which its end and how many are in progress before that tell from the others of the
// transaction, since these can but become fewer. A scan that asks again for each row would skip some for good if the
// horizon went on meanwhile.
struct Answer {
    struct Key {
        TransactionId end;
        std::uint32_t in_progress;
    } key;
    std::optional<std::uint64_t> horizon;
};

// Of this transaction, in memory that ends with it; null before the first.
HTAB* answers = nullptr;

void make_answers() {
    HASHCTL control{};
    control.keysize = sizeof(Answer::Key);
    control.entrysize = sizeof(Answer);
    control.hcxt = TopTransactionContext;
    answers = hash_create("luuid horizons", 16, &control, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

std::optional<std::uint64_t> horizon_of(SnapshotData* snapshot) {
    const Answer::Key key{snapshot->xmax, snapshot->xcnt};
    if (answers == nullptr)
        make_answers();
    if (const void* found = hash_search(answers, &key, HASH_FIND, nullptr))
        return static_cast<const Answer*>(found)->horizon;
    const auto horizon = ask_horizon(AskedSnapshot(snapshot));
    static_cast<Answer*>(hash_search(answers, &key, HASH_ENTER, nullptr))->horizon = horizon;
    return horizon;
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
    answers = nullptr;
    find_first_transaction();
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none)
        return;
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    if (event == XACT_EVENT_PREPARE)
        flight.move_to(flight_of(luuid_prepared_proc(transaction)), U64FromFullTransactionId(transaction));
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
    return cluster()->horizon.begin(flight, Backend::milliseconds);
}

std::optional<std::uint64_t> find_horizon() {
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

Time time_of(std::uint64_t millisecond) noexcept { return Time(std::chrono::milliseconds(millisecond)); }

}  // namespace

// luuid_horizon() → luuid: every id below it that a transaction of this cluster made and inserted is visible to the
// snapshot of the statement that asks, or never will be. NULL where that cannot be known at the moment. 55000 unless
// preloaded, and in recovery.
LUUID_FUNCTION(luuid_horizon) {
    check_can_ask();
    const auto horizon = find_horizon();
    if (!horizon)
        PG_RETURN_NULL();
    return datum_from_id(floor_of(time_of(*horizon)));
}

// luuid_in_flight() → (pid integer, since timestamptz, age interval) of each transaction that made ids and has not
// ended; without a process where it is prepared. since and age as pg_stat_activity shows what a role may see. 55000 as
// before.
LUUID_FUNCTION(luuid_in_flight) {
    check_can_ask();
    InitMaterializedSRF(fcinfo, 0);
    auto* result = reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo);
    const TimestampTz now = GetCurrentTimestamp();
    const auto processes = static_cast<std::size_t>(MaxBackends) + NUM_AUXILIARY_PROCS;
    for (std::size_t number = 0; number < cluster()->flights.size(); ++number) {
        const Flight& flight = cluster()->flights[number];
        const std::uint64_t first = flight.first();
        if (first == Flight::none)
            continue;
        const bool is_prepared = number >= processes;
        if (is_prepared && !TransactionIdIsInProgress(static_cast<TransactionId>(flight.prepared())))
            continue;
        const PGPROC* process = &ProcGlobal->allProcs[number];
        const bool is_shown = has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
                              (!is_prepared && has_privs_of_role(GetUserId(), process->roleId));
        const TimestampTz since = timestamptz_from_time(time_of(first));
        Datum values[] = {Int32GetDatum(process->pid), TimestampTzGetDatum(since),
                          DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now), TimestampTzGetDatum(since))};
        bool nulls[] = {is_prepared, !is_shown, !is_shown};
        tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    }
    return 0;
}
