// Computes the horizon, once for a snapshot.
#include "horizon.hpp"

#include "../datum.hpp"
#include "../shmem.hpp"
#include "slots.hpp"
#include "snapshot.hpp"

#include <luuid/detail/system.hpp>

namespace luuid::pg {

namespace {

// How many calls of the planner are in progress.
int planner_depth = 0;

planner_hook_type next_planner_hook = nullptr;

PlannedStmt* count_planner(LUUID_PLANNER_PARAMETERS) {
    PlannedStmt* plan = nullptr;
    ++planner_depth;
    PG_TRY();
    {
        plan = next_planner_hook != nullptr ? next_planner_hook(LUUID_PLANNER_ARGUMENTS)
                                            : standard_planner(LUUID_PLANNER_ARGUMENTS);
    }
    PG_FINALLY();
    { --planner_depth; }
    PG_END_TRY();
    return plan;
}

bool is_prepared(std::uint64_t transaction) {
    return std::ranges::any_of(cluster()->prepared_slots(),
                               [=](const Slot& slot) { return slot.prepared() == transaction; });
}

// Whether this server knows of all transactions that a snapshot, of these bounds, found in progress. What a snapshot of
// recovery found so was in progress at the primary, and this server knows it only if it was prepared.
// takenDuringRecovery does not tell of a snapshot that a standby's logical slot exported.
bool is_all_known(const SnapshotData* snapshot, std::uint64_t xmin, std::uint64_t xmax) {
    const std::uint64_t first = cluster()->first_transaction;
    if (xmin >= first || xmax > first)
        return true;
    return !snapshot->takenDuringRecovery && xmax == first &&
           std::all_of(snapshot->xip, snapshot->xip + snapshot->xcnt,
                       [=](TransactionId xid) { return is_prepared(detail::full_number(xid, first)); });
}

// Lowers a horizon to the first millisecond of each inserter of this database that a snapshot does not see; nothing if
// that cannot be known. Inserters are compared by their full numbers, as the server's own function does not.
std::optional<std::uint64_t> lower_for(SnapshotData* snapshot, std::uint64_t horizon) {
    const std::uint64_t next = U64FromFullTransactionId(ReadNextFullTransactionId());
    const std::uint64_t xmin = detail::full_number(snapshot->xmin, next + 1);
    if (!is_all_known(snapshot, xmin, detail::full_number(snapshot->xmax, next + 1)))
        return std::nullopt;
    const auto is_visible = [=](std::uint64_t transaction) {
        return transaction < xmin || !XidInMVCCSnapshot(static_cast<TransactionId>(transaction), snapshot);
    };
    return detail::Horizon<>::lower(horizon, MyDatabaseId, is_visible, cluster()->slots);
}

// Computes a horizon, so that no id before it is generated or accepted from now on.
Answer compute(SnapshotData* snapshot, std::uint64_t lag) {
    find_first_transaction();
    const std::uint64_t horizon = database().horizon.raise_behind(lag, detail::System::milliseconds);
    const auto lowered = lower_for(snapshot, horizon);
    ++cluster()->stats.horizons_asked;
    if (!lowered)
        ++cluster()->stats.horizons_unknown;
    return {lowered, horizon + lag};
}

// The planner may never execute what it estimates, so it gets a horizon that was returned already, and refuses no row.
Answer estimate(SnapshotData* snapshot) {
    find_first_transaction();
    const std::uint64_t now = detail::System::milliseconds();
    return {lower_for(snapshot, std::min(database().horizon.floor(), now)), now};
}

// How many milliseconds an interval takes up to a present millisecond.
std::uint64_t milliseconds_of(const Interval* lag, std::uint64_t now) {
    Interval zero{};
    if (DatumGetBool(DirectFunctionCall2(interval_lt, PointerGetDatum(lag), PointerGetDatum(&zero))))
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("lag of a luuid horizon must not be negative"),
                        errdetail("No horizon lies after the present.")));
    const TimestampTz present = timestamptz_from_time(time_of_millisecond(now));
    const TimestampTz past = DatumGetTimestampTz(
        DirectFunctionCall2(timestamptz_mi_interval, TimestampTzGetDatum(present), PointerGetDatum(lag)));
    // A month less 30 days is not negative, and leads to the future in February.
    return now - std::min(now, millisecond_of(time_from_timestamptz(past)).value_or(0));
}

// After COMMIT in a procedure there is no active snapshot until the next query, and a domain's check can ask before
// that.
SnapshotData* active_snapshot() { return ActiveSnapshotSet() ? GetActiveSnapshot() : GetTransactionSnapshot(); }

// From REPEATABLE READ on, the statements' snapshots are copies of the transaction's. Others, such as that of a check
// of a foreign key, are later.
SnapshotData* original_of(SnapshotData* snapshot) {
    if (!IsolationUsesXactSnapshot())
        return snapshot;
    SnapshotData* whole = GetTransactionSnapshot();
    return whole->xmax == snapshot->xmax && whole->xcnt == snapshot->xcnt ? whole : snapshot;
}

}  // namespace

void watch_planner() {
    next_planner_hook = planner_hook;
    planner_hook = count_planner;
}

std::optional<std::uint64_t> find_horizon(const Interval* lag) {
    // Each worker would compute its own, where one scan must have one horizon.
    if (IsParallelWorker())
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
                        errmsg("cannot compute the luuid horizon in a parallel worker"),
                        errhint("Mark functions that call luuid_horizon() PARALLEL RESTRICTED.")));
    SnapshotData* snapshot = active_snapshot();
    SnapshotData* original = original_of(snapshot);
    std::optional<Answer> answer = find_answer(original);
    if (!answer && planner_depth > 0)
        answer = estimate(snapshot);
    if (!answer) {
        answer = compute(snapshot, lag != nullptr ? milliseconds_of(lag, detail::System::milliseconds()) : 0);
        remember_answer(original, *answer);
    }
    if (!answer->horizon || lag == nullptr)
        return answer->horizon;
    // The snapshot may have been asked by with another lag: a greater one leads further back, and a lesser one to the
    // same horizon.
    return std::min(*answer->horizon,
                    detail::Horizon<>::behind(answer->computed_at, milliseconds_of(lag, answer->computed_at)));
}

std::optional<std::uint64_t> find_next_horizon() {
    PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = compute(GetActiveSnapshot(), 0).horizon;
    PopActiveSnapshot();
    InvalidateCatalogSnapshot();
    return horizon;
}

std::optional<std::uint64_t> find_horizon_lag() {
    if (cluster() == nullptr || RecoveryInProgress())
        return std::nullopt;
    find_first_transaction();
    const std::uint64_t now = detail::System::milliseconds();
    const auto horizon = lower_for(active_snapshot(), now);
    return horizon ? std::optional(now - *horizon) : std::nullopt;
}

}  // namespace luuid::pg
