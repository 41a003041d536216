// Waiting for transactions of this database that leave something for a reader.
#include "wait.hpp"

#include "backend.hpp"
#include "flights.hpp"
#include "horizon.hpp"

namespace luuid::pg {

namespace {

Waiters& waiters_of_database() noexcept { return cluster()->waiters[MyDatabaseId % cluster()->waiters.size()]; }

// What a reader that looked for something has found.
enum class Look {
    nothing,
    held_back,  // by a transaction of this database that is in flight, and wakes us as it ends
    ahead,      // of the clock
    early,      // until the clock goes on, or a later snapshot is taken
    something,
};

std::optional<std::uint64_t> find_due(std::uint64_t from, std::uint64_t now) noexcept {
    auto due = cluster()->earlier_arrivals.due(MyDatabaseId, from, now);
    for (const Arrivals& arrivals : cluster()->arrivals) {
        const auto due_here = arrivals.due(MyDatabaseId, from, now);
        if (due_here && (!due || *due_here < *due))
            due = due_here;
    }
    return due;
}

bool is_held_back(std::uint64_t due) {
    for (const Flight& flight : cluster()->flights)
        if (flight.holds_back(MyDatabaseId, due))
            return true;
    for (const PreparedFlight& flight : cluster()->prepared_flights)
        if (flight.holds_back(MyDatabaseId, due) &&
            TransactionIdIsInProgress(static_cast<TransactionId>(flight.prepared())))
            return true;
    return false;
}

// What arrived is looked for before the snapshot is taken, which therefore sees it. Gives the horizon that was found,
// or the millisecond that it has to pass.
Look look(std::optional<std::uint64_t> from, std::uint64_t& millisecond) {
    find_first_transaction();
    // No later than what nothing is known of, which otherwise would hold nobody back.
    const std::uint64_t begin = std::max(from.value_or(0), Flight::unknown);
    auto due = from ? find_due(begin, Backend::milliseconds()) : begin;
    if (!due)
        return Look::nothing;
    PushActiveSnapshot(GetTransactionSnapshot());
    const auto found = find_horizon();
    PopActiveSnapshot();
    InvalidateCatalogSnapshot();
    const auto has_passed = [&] { return found && *found > *due; };
    if (!has_passed() && is_held_back(*due)) {
        // Ids ahead of the clock are due several at once. What holds the later ones back may leave the earlier ones.
        due = from ? find_due(begin, Arrivals::end_of_time) : due;
        if (!due || is_held_back(*due))
            return Look::held_back;
    }
    millisecond = has_passed() ? *found : *due;
    return has_passed() ? Look::something : *due > Backend::milliseconds() ? Look::ahead : Look::early;
}

std::uint32_t wait_event() {
    static std::uint32_t event = 0;
    if (event == 0)
        event = luuid_wait_event("LuuidWait");
    return event;
}

// How long the clock takes to get to a millisecond; a second at most, since it may be set meanwhile.
long time_to(std::uint64_t millisecond) noexcept {
    const std::uint64_t now = Backend::milliseconds();
    return static_cast<long>(std::min<std::uint64_t>(std::max(millisecond, now) - now, 1000));
}

void nap(long milliseconds) {
    WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds, wait_event());
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
}

// A deadline may be centuries away, and a sleep lasts INT_MAX milliseconds at most.
long time_left(TimestampTz deadline) noexcept {
    return std::min<long>(TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline), INT_MAX);
}

// The last time that this session was given a horizon.
constinit TimestampTz last_given = 0;

// Where rows come all the time, a session gets those of two milliseconds at once. No commit signals it meanwhile.
void keep_pace(TimestampTz deadline) {
    constexpr std::int64_t pace = 2000;  // microseconds
    const std::int64_t since = GetCurrentTimestamp() - last_given;
    const auto rest = static_cast<long>((pace - since + 999) / 1000);
    if (since >= 0 && rest > 0 && rest <= time_left(deadline))
        nap(rest);
}

std::optional<std::uint64_t> wait_as_waiter(std::optional<std::uint64_t> from, TimestampTz deadline) {
    keep_pace(deadline);
    for (;;) {
        // Before the look, so that whoever commits after it wakes us.
        ConditionVariablePrepareToSleep(&waiters_of_database().woken);
        std::uint64_t millisecond = 0;
        const Look found = look(from, millisecond);
        if (found == Look::something) {
            last_given = GetCurrentTimestamp();
            return millisecond;
        }
        const long left = time_left(deadline);
        if (left <= 0)
            return std::nullopt;
        const long rest = found == Look::ahead ? std::min(left, time_to(millisecond)) : left;
        if (found != Look::early && !ConditionVariableTimedSleep(&waiters_of_database().woken, rest, wait_event()))
            ++cluster()->figures.wakeups;
        // A horizon has milliseconds, and while it is held back, others may commit more often.
        if (found != Look::nothing) {
            ConditionVariableCancelSleep();
            nap(1);
        }
    }
}

void leave(int, Datum) noexcept {
    ConditionVariableCancelSleep();
    waiters_of_database().count.fetch_sub(1);
}

}  // namespace

std::optional<std::uint64_t> wait_for_horizon(std::optional<std::uint64_t> from, TimestampTz deadline) {
    std::optional<std::uint64_t> horizon;
    waiters_of_database().count.fetch_add(1);
    PG_ENSURE_ERROR_CLEANUP(leave, 0);
    { horizon = wait_as_waiter(from, deadline); }
    PG_END_ENSURE_ERROR_CLEANUP(leave, 0);
    leave(0, 0);
    return horizon;
}

void wake_waiters() noexcept {
    if (waiters_of_database().count > 0)
        ConditionVariableBroadcast(&waiters_of_database().woken);
}

void wake_waiters_for_resolved() noexcept {
    if (waiters_of_database().count == 0)
        return;
    bool is_one_resolved = false;
    for (std::size_t place = 0; place < cluster()->prepared_flights.size(); ++place) {
        const PreparedFlight& flight = cluster()->prepared_flights[place];
        const std::uint64_t prepared = flight.prepared();
        if (prepared == cluster()->resolved[place] || TransactionIdIsInProgress(static_cast<TransactionId>(prepared)))
            continue;
        cluster()->resolved[place] = prepared;
        is_one_resolved = true;
    }
    if (is_one_resolved)
        wake_waiters();
}

}  // namespace luuid::pg
