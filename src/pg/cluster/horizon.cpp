// What makes the horizon true: each transaction that generates ids is known to the cluster until it has ended.
#include "horizon.hpp"

#include "../datum.hpp"
#include "backend.hpp"
#include "full_snapshot.hpp"
#include "kept_answer.hpp"
#include "wait.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace luuid::pg {

namespace {

std::size_t number_of(PGPROC* process) noexcept { return static_cast<std::size_t>(GetNumberFromPGProc(process)); }

Flight& flight_of(PGPROC* process) noexcept { return cluster()->flights[number_of(process)]; }

Arrivals& arrivals_of(PGPROC* process) noexcept { return cluster()->arrivals[number_of(process)]; }

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
        // Readers may have read before the server's start what others committed after that.
        cluster()->earlier_arrivals.show_all(Backend::milliseconds());
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

// What `ask(is_seen)` says of a snapshot, where what was in progress is known.
template <class Ask>
std::optional<std::uint64_t> ask_of(SnapshotData* snapshot, Ask&& ask) {
    find_first_transaction();
    const FullSnapshot full(snapshot);
    // What was in progress at a standby's primary, this server knows nothing of.
    if (snapshot->takenDuringRecovery && full.first_in_progress() < cluster()->first_transaction)
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
        return cluster()->horizon().ask(MyDatabaseId, milliseconds, Backend::milliseconds, is_seen, cluster()->flights,
                                        cluster()->prepared_flights);
    });
    ++cluster()->figures.horizons_asked;
    if (!horizon)
        ++cluster()->figures.horizons_unknown;
    answer.keep(horizon ? std::optional(std::min(*horizon, now)) : std::nullopt, now);
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

// The last millisecond that this process made ids of.
std::uint64_t last_made() noexcept {
    return static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::milliseconds>(Backend::process().last().time_since_epoch()).count());
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
            // Its leader's transaction goes on.
            if (Backend::end_flight() && MyProc->lockGroupLeader != nullptr)
                arrivals_of(MyProc->lockGroupLeader).help(last_made());
            return;
        default:
            return;
    }
    const bool has_made = Backend::end_flight();
    find_first_transaction();
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none) {
        wake_waiters_for_resolved();
        return;
    }
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    const std::uint64_t last = std::max(arrivals_of(MyProc).end_help(), has_made ? last_made() : 0);
    if (event == XACT_EVENT_PREPARE) {
        PGPROC* process = luuid_prepared_proc(transaction);
        arrivals_of(process).show(MyDatabaseId, flight.first(), last);
        flight.move_to(prepared_flight_of(process), U64FromFullTransactionId(transaction));
    } else if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(transaction)) {
        arrivals_of(MyProc).show(MyDatabaseId, flight.first(), last);
        flight.end_visible(U64FromFullTransactionId(transaction));
    } else {
        flight.end();
    }
    wake_waiters();
}

}  // namespace

void check_is_preloaded() {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise no backend knows which ids the others are about to insert.")));
}

void watch_transactions() { RegisterXactCallback(end_transaction, nullptr); }

// A parallel worker ends before the transaction of its leader does, and so what it makes is its leader's.
std::uint64_t begin_flight() noexcept {
    PGPROC* leader = MyProc->lockGroupLeader;
    Flight& flight = flight_of(IsParallelWorker() && leader != nullptr ? leader : MyProc);
    flight.enter(MyDatabaseId);
    return cluster()->horizon().begin(flight, Backend::milliseconds);
}

// Rows are stored by leaders alone.
bool admit(std::uint64_t millisecond) noexcept {
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none) {
        find_first_transaction();
        flight.enter(MyDatabaseId);
    }
    const bool is_admitted = cluster()->horizon().admit(flight, millisecond);
    if (is_admitted)
        arrivals_of(MyProc).help(millisecond);
    return is_admitted;
}

std::optional<std::uint64_t> find_horizon(const Interval* lag) {
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

std::optional<std::uint64_t> find_horizon_lag() {
    return by_active_snapshot([](SnapshotData* snapshot) -> std::optional<std::uint64_t> {
        const std::uint64_t now = Backend::milliseconds();
        const auto horizon = ask_of(snapshot, [now](auto&& is_seen) {
            return detail::Horizon<>::look(MyDatabaseId, now, is_seen, cluster()->flights, cluster()->prepared_flights);
        });
        return horizon ? std::optional(now - *horizon) : std::nullopt;
    });
}

std::size_t flight_places() {
    find_first_transaction();
    return cluster()->flights.size() + cluster()->prepared_flights.size();
}

std::optional<InFlight> in_flight_at(std::size_t place) {
    const volatile PGPROC* process = &ProcGlobal->allProcs[place];
    const auto of_process = [process](std::uint64_t prepared) {
        return InFlight{process->pid, process->databaseId, process->roleId, prepared};
    };
    const std::size_t backends = cluster()->flights.size();
    if (place < backends) {
        auto [first, in_flight] = cluster()->flights[place].look_at([&] { return of_process(0); });
        in_flight.first = first;
        return first != Flight::none ? std::optional(in_flight) : std::nullopt;
    }
    const PreparedFlight& flight = cluster()->prepared_flights[place - backends];
    auto [first, in_flight] = flight.look_at([&] { return of_process(flight.prepared()); });
    in_flight.first = first;
    // A place shows whom it had last. The server knows who is in progress by 32 bits, which others had before.
    if (first == Flight::none ||
        !detail::can_be_in_progress(in_flight.prepared, U64FromFullTransactionId(ReadNextFullTransactionId())) ||
        !TransactionIdIsInProgress(static_cast<TransactionId>(in_flight.prepared)))
        return std::nullopt;
    return in_flight;
}

}  // namespace luuid::pg
