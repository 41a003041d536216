// SQL functions for readers of new rows: the id below which all rows are visible, and which transactions hold it back.
#include "cluster/horizon.hpp"
#include "datum.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

void check_is_available() {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise no backend knows which ids the others are about to insert.")));
    if (RecoveryInProgress())
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE), errmsg("recovery is in progress"),
                        errdetail("A standby does not know which ids its primary is about to insert."),
                        errhint("Ask the primary, and wait until the standby has replayed what it had written then.")));
}

// Citus sends fragments of a query to workers, which evaluate what the coordinator has not.
void check_is_whole_query() {
    if (application_name != nullptr && strncmp(application_name, "citus_internal", strlen("citus_internal")) == 0)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("cannot ask for the luuid horizon in a part of a distributed query"),
                        errdetail("This server does not know which ids the coordinator is about to insert."),
                        errhint("Ask the coordinator: by (SELECT luuid_horizon()), or in a statement before.")));
}

Time time_of(std::uint64_t millisecond) noexcept { return Time(std::chrono::milliseconds(millisecond)); }

}  // namespace

// luuid_horizon() → luuid: every id below it that a transaction of this database generated and inserted is visible to
// the snapshot of the calling statement, or never will be. NULL if that is unknown at the moment. 55000 unless
// preloaded, in recovery, and in a fragment of a query that Citus distributes.
LUUID_FUNCTION(luuid_horizon) {
    check_is_available();
    check_is_whole_query();
    const auto horizon = find_horizon();
    if (!horizon)
        PG_RETURN_NULL();
    return datum_from_id(floor_of(time_of(*horizon)));
}

// A row of luuid_in_flight(). A database that was dropped meanwhile has no name.
static void put_in_flight(ReturnSetInfo* result, const InFlight& in_flight, TimestampTz now) {
    const bool is_prepared = in_flight.prepared != 0;
    const char* database = get_database_name(in_flight.database);
    NameData name{};
    if (database != nullptr)
        namestrcpy(&name, database);
    const bool is_shown =
        in_flight.first != Flight::unknown && (has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
                                               (!is_prepared && has_privs_of_role(GetUserId(), in_flight.role)));
    const TimestampTz since = timestamptz_from_time(time_of(in_flight.first));
    Datum values[] = {Int32GetDatum(in_flight.pid), NameGetDatum(&name), TimestampTzGetDatum(since),
                      DirectFunctionCall2(timestamp_mi, TimestampTzGetDatum(now), TimestampTzGetDatum(since))};
    bool nulls[] = {is_prepared, database == nullptr, !is_shown, !is_shown};
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

// luuid_in_flight() → (pid integer, datname name, since timestamptz, age interval) of each transaction that generated
// ids and has not ended, in all databases. pid is NULL for a prepared transaction, since and age if it generated ids
// before the server's start, or if pg_stat_activity would hide them from the role. 55000 as luuid_horizon(), except for
// Citus.
LUUID_FUNCTION(luuid_in_flight) {
    check_is_available();
    InitMaterializedSRF(fcinfo, 0);
    const TimestampTz now = GetCurrentTimestamp();
    for (std::size_t place = 0; place < flight_places(); ++place)
        if (const auto in_flight = in_flight_at(place))
            put_in_flight(reinterpret_cast<ReturnSetInfo*>(fcinfo->resultinfo), *in_flight, now);
    return 0;
}
