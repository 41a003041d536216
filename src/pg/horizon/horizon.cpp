// The horizon, which is computed once for a snapshot; luuid_horizon().
#include "horizon.hpp"

#include "../datum.hpp"
#include "slots.hpp"

#include <luuid/detail/system.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

planner_hook_type next_planner_hook = nullptr;

// How many calls of the planner are in progress.
int planner_depth = 0;

// The planner of 19 has another argument, for EXPLAIN. PG_TRY takes 3 ns of the microseconds that planning takes.
template <typename... Arguments>
PlannedStmt* count_planner(Arguments... arguments) {
    PlannedStmt* plan = nullptr;
    ++planner_depth;
    PG_TRY();
    { plan = next_planner_hook != nullptr ? next_planner_hook(arguments...) : standard_planner(arguments...); }
    PG_FINALLY();
    { --planner_depth; }
    PG_END_TRY();
    return plan;
}

// A horizon is right for a snapshot whenever it is computed after the snapshot was taken. But a scan that computed it
// again for each row would skip some rows for good if the horizon advanced meanwhile, so one scan must use one horizon.
// A scan has one snapshot; a STABLE function that it calls uses the same one, and a cursor keeps it for as long as it
// is open. In READ COMMITTED each statement, one in a PL/pgSQL loop included, takes a new snapshot, and so gets a new
// horizon.
struct Answer {
    SnapshotData* snapshot;
    std::optional<std::uint64_t> horizon;
    std::uint64_t computed_at;  // the clock's millisecond then; the horizon is not later
};

// One for each snapshot in use that has a horizon: the statement's, and each cursor's. In TopTransactionContext.
List* answers = NIL;

void release(bool only_unused) {
    ListCell* cell = nullptr;
    foreach (cell, answers) {
        SnapshotData* snapshot = static_cast<Answer*>(lfirst(cell))->snapshot;
        if (only_unused && (snapshot->active_count > 0 || snapshot->regd_count > 1))
            continue;
        UnregisterSnapshotFromOwner(snapshot, TopTransactionResourceOwner);
        pfree(lfirst(cell));
        answers = foreach_delete_current(answers, cell);
    }
}

std::optional<Answer> find_answer(const SnapshotData* snapshot) noexcept {
    const ListCell* cell = nullptr;
    foreach (cell, answers)
        if (const auto* answer = static_cast<const Answer*>(lfirst(cell)); answer->snapshot == snapshot)
            return *answer;
    return std::nullopt;
}

// An answer is found by the address of its snapshot, since on a quiet cluster two snapshots have the same contents. So
// the snapshot stays registered until nothing else uses it, or the transaction ends: no other one gets its address.
void remember_answer(Answer answer) {
    release(true);
    answer.snapshot = RegisterSnapshotOnOwner(answer.snapshot, TopTransactionResourceOwner);
    const MemoryContext former = MemoryContextSwitchTo(TopTransactionContext);
    answers = lappend(answers, new (palloc(sizeof(Answer))) Answer(answer));
    MemoryContextSwitchTo(former);
}

// Whether this server knows all transactions that a snapshot with these bounds found in progress. A snapshot taken in
// recovery found those of the primary, of which this server knows only the prepared ones. takenDuringRecovery alone
// does not tell: a snapshot that a logical slot exported on a standby does not have it set.
bool is_all_known(const SnapshotData* snapshot, std::uint64_t xmin, std::uint64_t xmax) {
    const std::uint64_t first = cluster()->first_transaction;
    if (xmin >= first || xmax > first)
        return true;
    const auto is_prepared_here = [=](TransactionId xid) {
        return std::ranges::count(cluster()->prepared_slots(), detail::full_number(xid, first), &Slot::prepared) > 0;
    };
    return !snapshot->takenDuringRecovery && xmax == first &&
           std::all_of(snapshot->xip, snapshot->xip + snapshot->xcnt, is_prepared_here);
}

// Whether a prepared transaction that has ended has sent its invalidation messages: it unlocks its xid after that.
bool is_sent(std::uint64_t transaction, std::uint64_t next) {
    if (!detail::can_be_in_progress(transaction, next))
        return true;
    LOCKTAG tag;
    SET_LOCKTAG_TRANSACTION(tag, static_cast<TransactionId>(transaction));
    int count = 0;
    pfree(GetLockConflicts(&tag, ShareLock, &count));
    return count == 0;
}

// Lowers a horizon to the first millisecond of each inserter of this database that a snapshot does not see, or that has
// yet to send its invalidation messages; nothing if that cannot be known. Compares full transaction ids with xmin,
// since XidInMVCCSnapshot() takes 32 bits.
std::optional<std::uint64_t> lower_for(SnapshotData* snapshot, std::uint64_t horizon) {
    const std::uint64_t next = U64FromFullTransactionId(ReadNextFullTransactionId());
    const std::uint64_t xmin = detail::full_number(snapshot->xmin, next + 1);
    if (!is_all_known(snapshot, xmin, detail::full_number(snapshot->xmax, next + 1)))
        return std::nullopt;
    const auto is_visible = [=](std::uint64_t transaction) {
        return transaction < xmin || !XidInMVCCSnapshot(static_cast<TransactionId>(transaction), snapshot);
    };
    return detail::Horizon<>::lower(
        horizon, MyDatabaseId, is_visible, [=](std::uint64_t transaction) { return is_sent(transaction, next); },
        cluster()->slots);
}

// Computes a horizon, so that no id before it is generated or accepted from now on. Then takes the messages that were
// sent, as a lock does that the transaction does not hold yet: what it plans next knows the tables of all that ended.
Answer compute(SnapshotData* snapshot, std::uint64_t lag) {
    find_first_transaction();
    const std::uint64_t horizon = database().horizon.raise_behind(lag, detail::System::milliseconds);
    const auto lowered = lower_for(snapshot, horizon);
    AcceptInvalidationMessages();
    ++cluster()->stats.horizons_asked;
    if (!lowered)
        ++cluster()->stats.horizons_unknown;
    return {snapshot, lowered, horizon + lag};
}

// For the planner, whose query may never be executed: a horizon not after the floor, so that guards refuse no more
// rows.
Answer estimate(SnapshotData* snapshot) {
    find_first_transaction();
    const std::uint64_t now = detail::System::milliseconds();
    return {snapshot, lower_for(snapshot, std::min(database().horizon.floor(), now)), now};
}

// How many milliseconds before `now` an interval leads.
std::uint64_t milliseconds_of(const Interval* lag, std::uint64_t now) {
    Interval zero{};
    if (DatumGetBool(DirectFunctionCall2(interval_lt, PointerGetDatum(lag), PointerGetDatum(&zero))))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("lag of a luuid horizon must not be negative"),
                        errdetail("No horizon lies after the present.")));
    const TimestampTz present = timestamptz_from_time(time_of_millisecond(now));
    const TimestampTz past = DatumGetTimestampTz(
        DirectFunctionCall2(timestamptz_mi_interval, TimestampTzGetDatum(present), PointerGetDatum(lag)));
    // A month less 30 days is not less than zero, and leads to the future in March.
    return now - std::min(now, millisecond_of(time_from_timestamptz(past)).value_or(0));
}

// After COMMIT in a procedure, a domain's check can ask before the next query has an active snapshot.
SnapshotData* active_snapshot() { return ActiveSnapshotSet() ? GetActiveSnapshot() : GetTransactionSnapshot(); }

// From REPEATABLE READ on, the snapshot of a statement is a copy of the transaction's, and has the same horizon.
// Others, such as the one that checks a foreign key, are taken later.
SnapshotData* original_of(SnapshotData* snapshot) {
    if (!IsolationUsesXactSnapshot())
        return snapshot;
    SnapshotData* whole = GetTransactionSnapshot();
    return whole->xmax == snapshot->xmax && whole->xcnt == snapshot->xcnt ? whole : snapshot;
}

// The horizon for the active snapshot, at least this lag behind the present if there is one; NULL if it cannot be
// known. It is the same for each call.
Datum horizon_for(FunctionCallInfo fcinfo, const Interval* lag) {
    check_is_available();
    // Citus sends fragments of a query to workers, which call what the coordinator has not evaluated.
    if (application_name != nullptr && strncmp(application_name, "citus_internal", strlen("citus_internal")) == 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("cannot compute the luuid horizon in a fragment of a distributed query"),
                        errdetail("This server does not know which ids the coordinator is about to insert."),
                        errhint("Beforehand, ask all nodes by run_command_on_all_nodes(), and read by the least.")));
    // Each worker would compute a horizon of its own, but one scan must have one horizon.
    if (IsParallelWorker())
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
                        errmsg("cannot compute the luuid horizon in a parallel worker"),
                        errhint("Mark functions that call luuid_horizon() PARALLEL RESTRICTED.")));
    SnapshotData* snapshot = original_of(active_snapshot());
    std::optional<Answer> answer = find_answer(snapshot);
    if (!answer && planner_depth > 0)
        answer = estimate(snapshot);
    if (!answer) {
        answer = compute(snapshot, lag != nullptr ? milliseconds_of(lag, detail::System::milliseconds()) : 0);
        remember_answer(*answer);
    }
    if (!answer->horizon)
        PG_RETURN_NULL();
    // An earlier call may have asked for the horizon of this snapshot with another lag. A greater lag leads further
    // back, a lesser one to the same horizon.
    const std::uint64_t asked = lag == nullptr ? 0 : milliseconds_of(lag, answer->computed_at);
    return datum_from_id(floor_of(
        time_of_millisecond(std::min(*answer->horizon, detail::Horizon<>::behind(answer->computed_at, asked)))));
}

}  // namespace

void luuid::pg::install_horizon_hooks() {
    next_planner_hook = planner_hook;
    planner_hook = count_planner;
    RegisterXactCallback(
        [](XactEvent event, void*) {
            if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
                release(false);
            else
                answers = NIL;  // after an error, the transaction's resource owner unregisters the snapshots
        },
        nullptr);
    // At the end of a query, when its resource owner is released: an idle transaction must not hold VACUUM back.
    RegisterResourceReleaseCallback(
        [](ResourceReleasePhase phase, bool, bool, void*) {
            if (phase == RESOURCE_RELEASE_AFTER_LOCKS)
                release(true);
        },
        nullptr);
}

std::optional<std::uint64_t> luuid::pg::find_next_horizon() {
    PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = compute(GetActiveSnapshot(), 0).horizon;
    PopActiveSnapshot();
    InvalidateCatalogSnapshot();
    return horizon;
}

std::optional<std::uint64_t> luuid::pg::find_horizon_lag() {
    if (cluster() == nullptr || RecoveryInProgress())
        return std::nullopt;
    find_first_transaction();
    const std::uint64_t now = detail::System::milliseconds();
    const auto horizon = lower_for(active_snapshot(), now);
    return horizon ? std::optional(now - *horizon) : std::nullopt;
}

// luuid_horizon() → luuid: every id below it that a transaction of this database generated and inserted is visible to
// the snapshot of the calling statement, or never will be. NULL if that is unknown at the moment. 55000 unless
// preloaded, in recovery, and in a fragment of a query that Citus distributes.
LUUID_FUNCTION(luuid_horizon);
Datum luuid_horizon(PG_FUNCTION_ARGS) { return horizon_for(fcinfo, nullptr); }

// luuid_horizon(lag interval) → luuid: the same, and at least this far behind the present. 22023 if the lag is
// negative, 22008 if it leads out of the range of timestamptz.
LUUID_FUNCTION(luuid_horizon_behind);
Datum luuid_horizon_behind(PG_FUNCTION_ARGS) { return horizon_for(fcinfo, PG_GETARG_INTERVAL_P(0)); }
