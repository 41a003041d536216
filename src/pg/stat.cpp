// SQL functions of the cluster's statistics.
#include "shmem.hpp"

#include <luuid/detail/system.hpp>

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

// luuid_stat() → one row: the statistics of the cluster; none unless preloaded.
LUUID_FUNCTION(luuid_stat) {
    InitMaterializedSRF(fcinfo, 0);
    if (cluster() == nullptr)
        return 0;

    Stats& stats = cluster()->stats;
    const auto leases = cluster()->leases.find_held();
    const std::uint64_t unused_at_present = detail::System::milliseconds() + 1;
    const std::uint64_t ahead = std::max(leases.unused_from, unused_at_present) - unused_at_present;
    // A session raises it before its next id, and may have generated its last.
    detail::raise(stats.most_ahead, ahead);
    Datum values[] = {
        UInt64GetDatum(stats.clock_steps_back),
        interval_of_milliseconds(ahead),
        interval_of_milliseconds(stats.most_ahead),
        Int32GetDatum(static_cast<std::int32_t>(leases.count)),
        UInt64GetDatum(stats.leases_refused),
        UInt64GetDatum(stats.horizons_asked),
        UInt64GetDatum(stats.horizons_unknown),
        Int32GetDatum(static_cast<std::int32_t>(count_waiters())),
        UInt64GetDatum(stats.wakeups),
        UInt64GetDatum(stats.rows_refused),
        TimestampTzGetDatum(stats.reset_at),
    };
    bool nulls[lengthof(values)] = {};
    const auto* result = reinterpret_cast<const ReturnSetInfo*>(fcinfo->resultinfo);
    tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
    return 0;
}

// luuid_stat_reset(): the statistics count from zero. 55000 unless preloaded.
LUUID_FUNCTION(luuid_stat_reset) {
    check_is_preloaded();
    cluster()->stats.reset();
    PG_RETURN_VOID();
}
