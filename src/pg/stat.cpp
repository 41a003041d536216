// SQL functions of the cluster's figures.
#include "cluster/backend.hpp"
#include "cluster/memory.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

Datum interval_of_milliseconds(std::uint64_t milliseconds) {
    auto* interval = static_cast<Interval*>(palloc0(sizeof(Interval)));
    interval->time = static_cast<TimeOffset>(milliseconds) * 1000;
    return IntervalPGetDatum(interval);
}

std::uint32_t count_waiters() noexcept {
    std::uint32_t count = 0;
    for (const Database& database : cluster()->databases)
        count += database.waiters;
    return count;
}

}  // namespace

// luuid_stat() → one row: the figures of the cluster; none unless preloaded.
LUUID_FUNCTION(luuid_stat) {
    InitMaterializedSRF(fcinfo, 0);
    if (cluster() == nullptr)
        return 0;

    Figures& figures = cluster()->figures;
    const auto leases = cluster()->leases.find_held();
    const std::uint64_t unused_at_present = Backend::milliseconds() + 1;
    const std::uint64_t ahead = std::max(leases.unused_from, unused_at_present) - unused_at_present;
    // A session shows how far it is ahead before its next id, and may have generated its last.
    figures.show_ahead(ahead);
    Datum values[] = {
        UInt64GetDatum(figures.clock_steps_back),
        interval_of_milliseconds(ahead),
        interval_of_milliseconds(figures.most_ahead),
        Int32GetDatum(static_cast<std::int32_t>(leases.count)),
        UInt64GetDatum(figures.leases_refused),
        UInt64GetDatum(figures.horizons_asked),
        UInt64GetDatum(figures.horizons_unknown),
        Int32GetDatum(static_cast<std::int32_t>(count_waiters())),
        UInt64GetDatum(figures.wakeups),
        UInt64GetDatum(figures.rows_refused),
        TimestampTzGetDatum(figures.reset_at),
    };
    bool nulls[lengthof(values)] = {};
    const auto* result = reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    return 0;
}

// luuid_stat_reset(): the figures count from zero. 55000 unless preloaded.
LUUID_FUNCTION(luuid_stat_reset) {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise there are no figures of the cluster.")));
    cluster()->figures.reset(GetCurrentTimestamp());
    PG_RETURN_VOID();
}
