// SQL functions for readers of new rows: the id below which all rows are visible, which transactions hold it back, and
// waiting for it to advance.
#include "../datum.hpp"
#include "horizon.hpp"
#include "slots.hpp"
#include "wait.hpp"

#include <luuid/layout.hpp>

using namespace luuid;
using namespace luuid::pg;

namespace {

void check_is_available() {
    check_is_preloaded();
    if (RecoveryInProgress())
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("recovery is in progress"),
                        errdetail("A standby does not know which ids its primary is about to insert."),
                        errhint("Ask the primary, and wait until the standby has replayed what it had written then.")));
}

// Citus sends fragments of a query to workers, which evaluate what the coordinator has not.
void check_is_whole_query() {
    if (application_name != nullptr && strncmp(application_name, "citus_internal", strlen("citus_internal")) == 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("cannot compute the luuid horizon in a fragment of a distributed query"),
                        errdetail("This server does not know which ids the coordinator is about to insert."),
                        errhint("Compute it on the coordinator: by (SELECT luuid_horizon()), or beforehand.")));
}

Datum horizon_for(FunctionCallInfo fcinfo, const Interval* lag) {
    check_is_available();
    check_is_whole_query();
    const auto horizon = find_horizon(lag);
    if (!horizon)
        PG_RETURN_NULL();
    return datum_from_id(floor_of(time_of_millisecond(*horizon)));
}

// A row of luuid_in_flight(). A database that was dropped meanwhile has no name.
void put_inserter(ReturnSetInfo* result, const Inserter& inserter, TimestampTz now) {
    const bool is_prepared = inserter.prepared != 0;
    const char* database = get_database_name(inserter.database);
    NameData name{};
    if (database != nullptr)
        namestrcpy(&name, database);
    const bool is_permitted = has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
                              (!is_prepared && has_privs_of_role(GetUserId(), inserter.role));
    const bool has_time = inserter.first != Slot::unknown && is_permitted;
    const TimestampTz since = timestamptz_from_time(time_of_millisecond(inserter.first));
    Datum values[] = {Int32GetDatum(inserter.pid), NameGetDatum(&name), TimestampTzGetDatum(since),
                      DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now), TimestampTzGetDatum(since))};
    bool nulls[] = {is_prepared, database == nullptr, !has_time, !has_time};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

}  // namespace

// luuid_horizon() → luuid: every id below it that a transaction of this database generated and inserted is visible to
// the snapshot of the calling statement, or never will be. NULL if that is unknown at the moment. 55000 unless
// preloaded, in recovery, and in a fragment of a query that Citus distributes.
LUUID_FUNCTION(luuid_horizon) { return horizon_for(fcinfo, nullptr); }

// luuid_horizon(lag interval) → luuid: the same, and at least this far behind the present. 22023 if the lag is
// negative, 22008 if it leads out of the range of timestamptz.
LUUID_FUNCTION(luuid_horizon_behind) { return horizon_for(fcinfo, PG_GETARG_INTERVAL_P(0)); }

// luuid_in_flight() → (pid integer, datname name, since timestamptz, age interval) of each transaction that generated
// ids and has not ended, in all databases. pid is NULL for a prepared transaction, since and age if it generated ids
// before the server's start, or if pg_stat_activity would hide them from the role. 55000 as luuid_horizon(), except for
// Citus.
LUUID_FUNCTION(luuid_in_flight) {
    check_is_available();
    InitMaterializedSRF(fcinfo, 0);
    const TimestampTz now = GetCurrentTimestamp();
    find_first_transaction();
    for (std::size_t number = 0; number < cluster()->slots.size(); ++number)
        if (const auto inserter = inserter_at(number))
            put_inserter(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *inserter, now);
    return 0;
}

namespace {

// The millisecond from which a consumer that has read up to an id reads on. Nil is before every time, and the other
// untimed ids are after it.
std::uint64_t millisecond_to_read_from(const Id& id) noexcept {
    if (compare(id, floor_of(Time::min())) < 0)
        return 0;
    const auto time = luuid::time_of(id);
    if (!time)
        return std::numeric_limits<std::uint64_t>::max();
    return static_cast<std::uint64_t>(std::max<std::int64_t>(milliseconds_since_1970(*time), 0));
}

// Ends the transaction, as COMMIT in a procedure does: while a session waits it must not hold VACUUM back by a
// snapshot, or others by a lock. Refused where that would commit what the transaction has written.
void end_transaction(FunctionCallInfo fcinfo) {
    const Node* context = fcinfo->context;
    if (context == nullptr || !IsA(context, CallContext) || reinterpret_cast<const CallContext*>(context)->atomic)
        ereport(ERROR, (errcode(ERRCODE_INVALID_TRANSACTION_TERMINATION),
                        errmsg("luuid_wait() cannot run inside a transaction block or a function"),
                        errhint("Run CALL luuid_wait() as a statement of its own.")));
    if (TransactionIdIsValid(GetTopTransactionIdIfAny()) || is_inserter() || IsolationUsesXactSnapshot())
        ereport(ERROR, (errcode(ERRCODE_ACTIVE_SQL_TRANSACTION),
                        errmsg("luuid_wait() cannot run in a transaction that has written or generated ids, or in an "
                               "isolation level above READ COMMITTED"),
                        errhint("In a procedure, COMMIT before CALL luuid_wait().")));
    SPI_connect_ext(SPI_OPT_NONATOMIC);
    SPI_commit();
    SPI_finish();
}

}  // namespace

// luuid_wait(INOUT horizon luuid, timeout interval DEFAULT NULL): returns a later horizon as soon as reading up to it
// can find something, or what was given at the timeout. NULL stands for a reader that has read nothing yet.
LUUID_FUNCTION(luuid_wait) {
    check_is_available();
    TimestampTz deadline = DT_NOEND;
    if (!PG_ARGISNULL(1))
        deadline = DatumGetTimestampTz(DirectFunctionCall2(
            timestamptz_pl_interval, TimestampTzGetDatum(GetCurrentTimestamp()), PG_GETARG_DATUM(1)));
    std::optional<std::uint64_t> from;
    if (!PG_ARGISNULL(0))
        from = millisecond_to_read_from(id_argument(fcinfo, 0));

    end_transaction(fcinfo);
    const auto horizon = wait_for_horizon(from, deadline);

    Datum values[] = {horizon ? datum_from_id(floor_of(time_of_millisecond(*horizon))) : PG_GETARG_DATUM(0)};
    bool nulls[] = {!horizon && PG_ARGISNULL(0)};
    return datum_from_row(fcinfo, values, nulls);
}
