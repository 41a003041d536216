// What makes the horizon true: each transaction that generates ids is known to the cluster until it has ended.
#include "flights.hpp"

#include "../datum.hpp"
#include "backend.hpp"
#include "wait.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace luuid::pg {

namespace {

std::size_t number_of(PGPROC* process) noexcept { return static_cast<std::size_t>(GetNumberFromPGProc(process)); }

Flight& flight_of(PGPROC* process) noexcept { return cluster()->flights[number_of(process)]; }

Flight& prepared_flight_of(PGPROC* process) noexcept {
    return cluster()->prepared_flights[number_of(process) - cluster()->flights.size()];
}

PGPROC* process_of_prepared(std::size_t number) noexcept {
    return &ProcGlobal->allProcs[cluster()->flights.size() + number];
}

// A parallel worker ends before the transaction of its leader does, and so what it makes is its leader's.
PGPROC* process_of_transaction() noexcept {
    PGPROC* leader = MyProc->lockGroupLeader;
    return IsParallelWorker() && leader != nullptr ? leader : MyProc;
}

// The last millisecond that this process made ids of.
std::uint64_t last_made() {
    return static_cast<std::uint64_t>(
        std::chrono::floor<std::chrono::milliseconds>(Backend::process().last().time_since_epoch()).count());
}

// Called after a transaction has become visible to new snapshots; also where the server's shared memory was made
// without asking luuid.
void end_transaction(XactEvent event, void*) {
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
                flight_of(MyProc->lockGroupLeader).reach(last_made());
            return;
        default:
            return;
    }
    const bool has_made = Backend::end_flight();
    find_first_transaction();
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none)
        return;
    const FullTransactionId transaction = GetTopFullTransactionIdIfAny();
    // Before waiters are woken. Those that a prepared transaction is for look for its end themselves.
    if (event != XACT_EVENT_ABORT && FullTransactionIdIsValid(transaction))
        database().latest.raise_to(std::max(flight.last(), has_made ? last_made() : 0));
    if (event == XACT_EVENT_PREPARE)
        flight.move_to(prepared_flight_of(luuid_prepared_proc(transaction)), U64FromFullTransactionId(transaction));
    else if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(transaction))
        flight.end_visible(U64FromFullTransactionId(transaction));
    else
        flight.end();
    wake_waiters();
}

// Horizons may have been returned until now, by this server before a crash or by the one that it takes over from, and
// until the last transaction that was replayed from an archive or a primary. Readers may have read before that what was
// committed after it.
void go_on_from_before() {
    const auto replayed = millisecond_of(time_from_timestamptz(GetLatestXTime()));
    const std::uint64_t latest = std::max(Backend::milliseconds(), replayed.value_or(0) + 1);
    for (Database& database : cluster()->databases) {
        database.horizon.raise_to(latest);
        database.latest.raise_to(database.horizon.floor());
    }
}

}  // namespace

void check_is_preloaded() {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise no backend knows which ids the others are about to insert.")));
}

void watch_transactions() { RegisterXactCallback(end_transaction, nullptr); }

// In recovery there is none. Every process that connects after it ends a transaction without a number before it begins
// one with a number, or resolves a prepared one. So the first to come here finds no number used yet, and all prepared
// transactions of before in their places: nothing is known of their ids. A session that was connected in recovery may
// come here with a number; then the horizon is NULL until its transaction has ended.
void find_first_transaction() {
    if (cluster()->first_transaction != 0 || RecoveryInProgress())
        return;
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    if (cluster()->first_transaction == 0) {
        go_on_from_before();
        const std::uint64_t next = U64FromFullTransactionId(ReadNextFullTransactionId());
        for (std::size_t number = 0; number < cluster()->prepared_flights.size(); ++number) {
            const PGPROC* process = process_of_prepared(number);
            if (TransactionIdIsValid(process->xid))
                cluster()->prepared_flights[number].receive(detail::full_number(process->xid, next),
                                                            process->databaseId, Flight::unknown);
        }
        cluster()->first_transaction = next;
    }
    LWLockRelease(AddinShmemInitLock);
}

std::uint64_t begin_flight() {
    find_first_transaction();
    Flight& flight = flight_of(process_of_transaction());
    flight.enter(MyDatabaseId);
    return database().horizon.begin(flight, Backend::milliseconds);
}

// What has been made stays up to its millisecond, though what follows is before it.
std::uint64_t begin_flight_anew() {
    flight_of(process_of_transaction()).reach(last_made());
    return begin_flight();
}

bool is_in_flight() noexcept { return flight_of(MyProc).first() != Flight::none; }

// Rows are stored by leaders alone.
bool admit(std::uint64_t millisecond) {
    Flight& flight = flight_of(MyProc);
    if (flight.first() == Flight::none) {
        find_first_transaction();
        flight.enter(MyDatabaseId);
    }
    const bool is_admitted = database().horizon.admit(flight, millisecond);
    // An id of the far future would wake waiters every waiter_pace until then.
    if (is_admitted && millisecond > flight.last())
        flight.reach(std::min(millisecond, Backend::milliseconds() + std::min(setting_values.max_ahead,
                                                                              detail::Timeline::hold_milliseconds)));
    return is_admitted;
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
    const Flight& flight = cluster()->prepared_flights[place - backends];
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
