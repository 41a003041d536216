// What makes the horizon true: each transaction that generates ids is known to the cluster until it has ended.
#include "horizon.hpp"

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

std::optional<std::uint64_t> ask_horizon(SnapshotData* snapshot) {
    find_first_transaction();
    const FullSnapshot full(snapshot);
    // What was in progress at a standby's primary, this server knows nothing of.
    if (snapshot->takenDuringRecovery && full.first_in_progress() < cluster()->first_transaction)
        return std::nullopt;
    return cluster()->horizon.ask(
        MyDatabaseId, Backend::milliseconds, [&](std::uint64_t transaction) { return full.sees(transaction); },
        cluster()->flights, cluster()->prepared_flights);
}

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
                        errmsg("cannot compute the luuid horizon in a parallel worker"),
                        errhint("Mark functions that call luuid_horizon() PARALLEL RESTRICTED.")));
    // After COMMIT in a procedure there is none, until the next query, and a domain's check can ask before that.
    const bool is_without = !ActiveSnapshotSet();
    if (is_without)
        PushActiveSnapshot(GetTransactionSnapshot());
    const auto horizon = horizon_of(GetActiveSnapshot());
    if (is_without)
        PopActiveSnapshot();
    return horizon;
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
