// Computes the horizon, once for a snapshot.
#include "horizon.hpp"

#include "../datum.hpp"
#include "answers.hpp"
#include "backend.hpp"
#include "flights.hpp"
#include "full_snapshot.hpp"

using namespace luuid;
using namespace luuid::pg;

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

// Of all that were in progress when recovery ended, whether this server knows them: they were prepared.
bool are_all_prepared(const SnapshotData* snapshot, std::uint64_t next) {
    for (std::uint32_t number = 0; number < snapshot->xcnt; ++number) {
        const std::uint64_t transaction = detail::full_number(snapshot->xip[number], next);
        if (std::ranges::none_of(cluster()->prepared_flights,
                                 [transaction](const Flight& flight) { return flight.prepared() == transaction; }))
            return false;
    }
    return true;
}

// Whether this server knows of all transactions that were in progress. What a snapshot of recovery found so was in
// progress at the primary, and if it was not prepared, this server knows nothing of it. takenDuringRecovery does not
// tell of a snapshot that a standby's logical slot exported.
bool is_all_known(const SnapshotData* snapshot, const FullSnapshot& full) {
    const std::uint64_t first = cluster()->first_transaction;
    if (full.first_in_progress() >= first || full.first_not_ended() > first)
        return true;
    return !snapshot->takenDuringRecovery && full.first_not_ended() == first && are_all_prepared(snapshot, first);
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

// Lowers a horizon to what a snapshot does not see; nothing if that is not known.
std::optional<std::uint64_t> lower_for(SnapshotData* snapshot, std::uint64_t horizon) {
    const FullSnapshot full(snapshot);
    if (!is_all_known(snapshot, full))
        return std::nullopt;
    const auto is_seen = [&full](std::uint64_t transaction) { return full.sees(transaction); };
    return detail::Horizon<>::lowered(horizon, MyDatabaseId, is_seen, cluster()->flights, cluster()->prepared_flights);
}

// Computes a horizon, so that no id before it is generated from now on.
Answer compute(SnapshotData* snapshot, std::uint64_t lag) {
    find_first_transaction();
    const std::uint64_t horizon = database().horizon.raise(lag, Backend::milliseconds);
    const auto lowered = lower_for(snapshot, horizon);
    ++cluster()->figures.horizons_asked;
    if (!lowered)
        ++cluster()->figures.horizons_unknown;
    return {lowered, horizon + lag};
}

// From REPEATABLE READ on, the statements' snapshots are copies of the transaction's. Others, such as that of a check
// of a foreign key, are later.
SnapshotData* original_of(SnapshotData* snapshot) {
    if (!IsolationUsesXactSnapshot())
        return snapshot;
    SnapshotData* whole = GetTransactionSnapshot();
    return whole->xmax == snapshot->xmax && whole->xcnt == snapshot->xcnt ? whole : snapshot;
}

// The planner may never execute what it estimates, so it gets a horizon that was returned already, and refuses no row.
std::optional<std::uint64_t> look(SnapshotData* snapshot) {
    find_first_transaction();
    return lower_for(snapshot, std::min<std::uint64_t>(database().horizon.floor(), Backend::milliseconds()));
}

// Whoever asks for another lag by the same snapshot gets a horizon that follows from the first answer: one that lies
// further back if the lag is greater, and the same one if it is less.
std::optional<std::uint64_t> find_for(SnapshotData* snapshot, const Interval* lag) {
    const std::uint64_t now = Backend::milliseconds();
    SnapshotData* original = original_of(snapshot);
    const Answer* answer = find_answer(original);
    if (answer == nullptr && planner_depth > 0) {
        const auto horizon = look(snapshot);
        return horizon && lag != nullptr ? std::min(*horizon, detail::Horizon<>::behind(now, milliseconds_of(lag, now)))
                                         : horizon;
    }
    if (answer == nullptr) {
        remember_answer(original, compute(snapshot, lag != nullptr ? milliseconds_of(lag, now) : 0));
        answer = find_answer(original);
    }
    if (!answer->horizon || lag == nullptr)
        return answer->horizon;
    const std::uint64_t asked_at = answer->asked_at;
    return std::min(*answer->horizon, detail::Horizon<>::behind(asked_at, milliseconds_of(lag, asked_at)));
}

// After COMMIT in a procedure there is no active snapshot, until the next query, and a domain's check can ask before
// that.
template <class Find>
std::optional<std::uint64_t> by_active_snapshot(Find&& find) {
    const bool is_without = !ActiveSnapshotSet();
    if (is_without)
        PushActiveSnapshot(GetTransactionSnapshot());
    const auto found = find(GetActiveSnapshot());
    if (is_without)
        PopActiveSnapshot();
    return found;
}

}  // namespace

void luuid::pg::watch_planner() {
    next_planner_hook = planner_hook;
    planner_hook = count_planner;
}

std::optional<std::uint64_t> luuid::pg::find_horizon(const Interval* lag) {
    // Each worker would ask for itself, where one scan must meet one answer.
    if (IsParallelWorker())
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
                        errmsg("cannot compute the luuid horizon in a parallel worker"),
                        errhint("Mark functions that call luuid_horizon() PARALLEL RESTRICTED.")));
    return by_active_snapshot([lag](SnapshotData* snapshot) { return find_for(snapshot, lag); });
}

std::optional<std::uint64_t> luuid::pg::find_next_horizon() {
    PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = compute(GetActiveSnapshot(), 0).horizon;
    PopActiveSnapshot();
    InvalidateCatalogSnapshot();
    return horizon;
}

std::optional<std::uint64_t> luuid::pg::find_horizon_lag() {
    return by_active_snapshot([](SnapshotData* snapshot) -> std::optional<std::uint64_t> {
        find_first_transaction();
        const std::uint64_t now = Backend::milliseconds();
        const auto horizon = lower_for(snapshot, now);
        return horizon ? std::optional(now - *horizon) : std::nullopt;
    });
}
