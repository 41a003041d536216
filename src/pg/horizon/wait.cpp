// Waiters: sessions in luuid_wait().
#include "wait.hpp"

#include "../shmem.hpp"
#include "horizon.hpp"
#include "slots.hpp"

#include <core/waiter.hpp>
#include <luuid/detail/system.hpp>

namespace luuid::pg {

namespace {

// Not by a prepared transaction, whose end wakes no waiter.
bool is_held(std::uint64_t millisecond) {
    return std::ranges::any_of(cluster()->backend_slots(),
                               [=](const Slot& slot) { return slot.holds_back(millisecond, MyDatabaseId); });
}

std::uint32_t wait_event() {
    static std::uint32_t event = 0;
    if (event == 0)
        event = luuid_wait_event("LuuidWait");
    return event;
}

// A deadline may be centuries away, and a sleep lasts INT_MAX milliseconds at most.
long milliseconds_until(TimestampTz deadline) noexcept {
    const std::int64_t left = deadline - GetCurrentTimestamp();
    return static_cast<long>(std::clamp<std::int64_t>(left / 1000 + (left > 0), 0, INT_MAX));
}

void sleep_for(long milliseconds) {
    ConditionVariableCancelSleep();
    WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds, wait_event());
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
}

// When this session returned a horizon last.
constinit TimestampTz last_return = 0;

// Where rows come all the time, a session returns those of two milliseconds at once. No commit signals it meanwhile.
void keep_pace(TimestampTz deadline) {
    constexpr std::int64_t pace = 2000;  // microseconds
    const std::int64_t since = GetCurrentTimestamp() - last_return;
    if (since < 0 || since >= pace)
        return;
    const auto rest = static_cast<long>((pace - since + 999) / 1000);
    if (rest <= milliseconds_until(deadline))
        sleep_for(rest);
}

std::optional<std::uint64_t> wait_as_waiter(std::optional<std::uint64_t> from, TimestampTz deadline) {
    using enum detail::WaiterStep::Kind;
    find_first_transaction();
    keep_pace(deadline);
    for (;;) {
        // Before anything is read that an inserter changes before it wakes waiters.
        ConditionVariablePrepareToSleep(&database().woken);
        const auto step =
            detail::next_step(from, database().latest, detail::System::milliseconds, find_next_horizon, is_held);
        if (step.kind == return_horizon) {
            last_return = GetCurrentTimestamp();
            return step.milliseconds;
        }
        const long left = milliseconds_until(deadline);
        if (left == 0)
            return std::nullopt;
        // The clock may be set meanwhile.
        if (step.kind == sleep)
            sleep_for(static_cast<long>(std::min<std::uint64_t>(step.milliseconds, std::min<long>(left, 1000))));
        else if (!ConditionVariableTimedSleep(&database().woken, left, wait_event())) {
            ++cluster()->stats.wakeups;
            // A horizon has milliseconds, and others may commit more often.
            sleep_for(1);
        }
    }
}

void stop_waiting(int, Datum) noexcept {
    ConditionVariableCancelSleep();
    database().waiters.fetch_sub(1);
}

}  // namespace

std::optional<std::uint64_t> wait_for_horizon(std::optional<std::uint64_t> from, TimestampTz deadline) {
    std::optional<std::uint64_t> horizon;
    database().waiters.fetch_add(1);
    PG_ENSURE_ERROR_CLEANUP(stop_waiting, 0);
    { horizon = wait_as_waiter(from, deadline); }
    PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, 0);
    stop_waiting(0, 0);
    return horizon;
}

void wake_waiters() noexcept {
    if (database().waiters > 0)
        ConditionVariableBroadcast(&database().woken);
}

}  // namespace luuid::pg
