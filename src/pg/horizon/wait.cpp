// Waiters: sessions in luuid_wait().
#include "../datum.hpp"
#include "horizon.hpp"
#include "slots.hpp"

#include <core/waiter.hpp>
#include <luuid/detail/system.hpp>
#include <luuid/layout.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

// Whether an inserter that will wake waiters keeps the horizon from passing a millisecond. A prepared one will not.
bool is_held(std::uint64_t millisecond) {
    return std::ranges::any_of(cluster()->backend_slots(),
                               [=](const Slot& slot) { return slot.holds_back(millisecond, MyDatabaseId); });
}

std::uint32_t wait_event() {
    static const std::uint32_t event = luuid_wait_event("LuuidWait");
    return event;
}

// At most INT_MAX, since the deadline may be infinite.
long milliseconds_until(TimestampTz deadline) noexcept {
    return std::min<long>(TimestampDifferenceMilliseconds(GetCurrentTimestamp(), deadline), INT_MAX);
}

void sleep_for(long milliseconds) {
    ConditionVariableCancelSleep();
    WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, milliseconds, wait_event());
    ResetLatch(MyLatch);
    CHECK_FOR_INTERRUPTS();
}

std::optional<std::uint64_t> wait_as_waiter(std::optional<std::uint64_t> from, TimestampTz deadline) {
    using enum detail::WaiterStep::Kind;
    find_first_transaction();
    std::uint64_t latest = database().latest;
    // A session that has read up to the present looks again 2 ms later, so that commits between do not wake it.
    if (const std::uint64_t now = detail::System::milliseconds(); from && *from <= now && now < *from + 2)
        sleep_for(std::min(static_cast<long>(*from + 2 - now), milliseconds_until(deadline)));
    for (;;) {
        // I6 of README: first of all, so that no wake-up is missed.
        ConditionVariablePrepareToSleep(&database().woken);
        const auto step = detail::next_step(from, latest, database().latest, detail::System::milliseconds,
                                            find_next_horizon, is_held);
        if (step.kind == return_horizon)
            return step.milliseconds;
        const long left = milliseconds_until(deadline);
        if (left == 0)
            return std::nullopt;
        // At most a second, since the clock may be set meanwhile.
        if (step.kind == sleep)
            sleep_for(static_cast<long>(std::min<std::uint64_t>(step.milliseconds, std::min<long>(left, 1000))));
        else if (!ConditionVariableTimedSleep(&database().woken, left, wait_event())) {
            ++cluster()->stats.wakeups;
            // Horizons are whole milliseconds, so further commits in this one would wake it for nothing.
            sleep_for(1);
        }
    }
}

void stop_waiting(int, Datum) noexcept {
    ConditionVariableCancelSleep();
    database().waiters.fetch_sub(1);
}

// Waits for a horizon below which a session that has read up to `from`, or nothing, may find rows to read; nothing at
// the deadline. Holds no snapshot while it sleeps.
std::optional<std::uint64_t> wait_for_horizon(std::optional<std::uint64_t> from, TimestampTz deadline) {
    std::optional<std::uint64_t> horizon;
    PG_ENSURE_ERROR_CLEANUP(stop_waiting, 0);
    {
        database().waiters.fetch_add(1);
        horizon = wait_as_waiter(from, deadline);
    }
    PG_END_ENSURE_ERROR_CLEANUP(stop_waiting, 0);
    stop_waiting(0, 0);
    return horizon;
}

// The millisecond from which a consumer that has read up to an id reads on. Other untimed ids than nil are after all.
std::uint64_t millisecond_to_read_from(const Id& id) noexcept {
    if (compare(id, floor_of(Time::min())) < 0)
        return 0;
    const auto time = luuid::time_of(id);
    if (!time)
        return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(milliseconds_since_1970(*time), 0));
}

// Commits, as COMMIT AND CHAIN in a procedure does: a session that waits must not hold VACUUM back by a snapshot, or
// others by a lock. The next transaction keeps the isolation level, since each look needs a new snapshot. An error if
// that would commit what the transaction has written.
void commit_and_chain(FunctionCallInfo fcinfo) {
    const Node* context = fcinfo->context;
    if (context == nullptr || !IsA(context, CallContext) || reinterpret_cast<const CallContext*>(context)->atomic)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
                        errmsg("luuid_wait() cannot run inside a transaction block or a function"),
                        errhint("Run CALL luuid_wait() as a statement of its own.")));
    if (TransactionIdIsValid(GetTopTransactionIdIfAny()) || is_inserter())
        ereport(ERROR, (errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
                        errmsg("luuid_wait() cannot run in a transaction that has written or generated ids"),
                        errhint("In a procedure, COMMIT before CALL luuid_wait().")));
    if (IsolationUsesXactSnapshot())
        ereport(ERROR, (errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
                        errmsg("luuid_wait() cannot run in an isolation level above READ COMMITTED"),
                        errhint("Before, SET default_transaction_isolation = 'read committed'.")));
    SPI_connect_ext(SPI_OPT_NONATOMIC);
    SPI_commit_and_chain();
    SPI_finish();
}

}  // namespace

// luuid_wait(INOUT horizon luuid, timeout interval DEFAULT NULL): returns a later horizon as soon as there may be new
// rows below it, or the given one at the timeout. A reader that has read nothing yet passes NULL.
LUUID_FUNCTION(luuid_wait);
Datum luuid_wait(PG_FUNCTION_ARGS) {
    check_is_available();
    TimestampTz deadline = DT_NOEND;
    if (!PG_ARGISNULL(1))
        deadline = DatumGetTimestampTz(DirectFunctionCall2(
            timestamptz_pl_interval, TimestampTzGetDatum(GetCurrentTimestamp()), PG_GETARG_DATUM(1)));
    const auto from = PG_ARGISNULL(0) ? std::nullopt : std::optional(millisecond_to_read_from(id_argument(fcinfo, 0)));

    commit_and_chain(fcinfo);
    const auto horizon = wait_for_horizon(from, deadline);

    Datum values[] = {horizon ? datum_from_id(floor_of(time_of_millisecond(*horizon))) : PG_GETARG_DATUM(0)};
    bool nulls[] = {!horizon && PG_ARGISNULL(0)};
    return datum_from_row(fcinfo, values, nulls);
}
