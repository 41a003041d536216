// Computes the horizon, and keeps it with the snapshot it was computed for.
#include "horizon.hpp"

#include "../datum.hpp"
#include "backend.hpp"
#include "flights.hpp"
#include "full_snapshot.hpp"
#include "kept_answer.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

bool is_prepared(TransactionId transaction) noexcept {
    return std::ranges::any_of(cluster()->prepared_flights, [transaction](const PreparedFlight& flight) {
        return static_cast<TransactionId>(flight.prepared()) == transaction;
    });
}

// Whether this server knows of all transactions that were in progress. What a snapshot of recovery found so was in
// progress at the primary, and if it was not prepared, this server knows nothing of it. takenDuringRecovery does not
// tell of a snapshot that a standby's logical slot exported.
bool is_all_known(const SnapshotData* snapshot, const FullSnapshot& full) {
    const std::uint64_t first = cluster()->first_transaction;
    if (full.first_in_progress() >= first || full.first_not_ended() > first)
        return true;
    return !snapshot->takenDuringRecovery && full.first_not_ended() == first &&
           std::all_of(snapshot->xip, snapshot->xip + snapshot->xcnt, is_prepared);
}

// What `ask(is_seen)` says of a snapshot, where what was in progress is known.
template <class Ask>
std::optional<std::uint64_t> ask_of(SnapshotData* snapshot, Ask&& ask) {
    find_first_transaction();
    const FullSnapshot full(snapshot);
    if (!is_all_known(snapshot, full))
        return std::nullopt;
    return ask([&](std::uint64_t transaction) { return full.sees(transaction); });
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

// Asks by a snapshot that did not ask before.
void ask_first(KeptAnswer& answer, SnapshotData* snapshot, const Interval* lag) {
    const std::uint64_t now = Backend::milliseconds();
    const std::uint64_t milliseconds = lag != nullptr ? milliseconds_of(lag, now) : 0;
    const auto horizon = ask_of(snapshot, [&](auto&& is_seen) {
        return database().horizon.ask(MyDatabaseId, milliseconds, Backend::milliseconds, is_seen, cluster()->flights,
                                      cluster()->prepared_flights);
    });
    ++cluster()->figures.horizons_asked;
    if (!horizon)
        ++cluster()->figures.horizons_unknown;
    // The clock may have gone on since it was read first.
    answer.keep(
        horizon ? std::optional(std::min(*horizon, detail::Horizon<>::behind(now, milliseconds))) : std::nullopt, now);
}

KeptAnswer answer_of(SnapshotData* snapshot, const Interval* lag) {
    KeptAnswer answer(snapshot);
    if (answer.is_there())
        return answer;
    // From REPEATABLE READ on, the statements' snapshots are copies of the transaction's, and some are older than its
    // answer.
    SnapshotData* whole = IsolationUsesXactSnapshot() ? GetTransactionSnapshot() : snapshot;
    if (whole->xmax != snapshot->xmax || whole->xcnt != snapshot->xcnt)
        whole = snapshot;
    KeptAnswer first(whole);
    if (!first.is_there())
        ask_first(first, snapshot, lag);
    answer.keep(first.horizon(), first.asked_at());
    return answer;
}

// Calls `ask` with the active snapshot. After COMMIT in a procedure there is none, until the next query, and a domain's
// check can ask before that.
template <class Ask>
std::optional<std::uint64_t> by_active_snapshot(Ask&& ask) {
    const bool is_without = !ActiveSnapshotSet();
    if (is_without)
        PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = ask(GetActiveSnapshot());
    if (is_without)
        PopActiveSnapshot();
    return horizon;
}

}  // namespace

std::optional<std::uint64_t> luuid::pg::find_horizon(const Interval* lag) {
    // Each worker would ask for itself, where one scan must meet one answer.
    if (IsParallelWorker())
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_STATE),
                        errmsg("cannot compute the luuid horizon in a parallel worker"),
                        errhint("Mark functions that call luuid_horizon() PARALLEL RESTRICTED.")));
    return by_active_snapshot([lag](SnapshotData* snapshot) -> std::optional<std::uint64_t> {
        const KeptAnswer answer = answer_of(snapshot, lag);
        const auto horizon = answer.horizon();
        if (!horizon || lag == nullptr)
            return horizon;
        const std::uint64_t now = answer.asked_at();
        return std::min(*horizon, detail::Horizon<>::behind(now, milliseconds_of(lag, now)));
    });
}

std::optional<std::uint64_t> luuid::pg::find_horizon_lag() {
    return by_active_snapshot([](SnapshotData* snapshot) -> std::optional<std::uint64_t> {
        const std::uint64_t now = Backend::milliseconds();
        const auto horizon = ask_of(snapshot, [now](auto&& is_seen) {
            return detail::Horizon<>::look(MyDatabaseId, now, is_seen, cluster()->flights, cluster()->prepared_flights);
        });
        return horizon ? std::optional(now - *horizon) : std::nullopt;
    });
}
