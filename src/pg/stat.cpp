// SQL functions that show how this backend generates ids, the state of the cluster's horizon, and its statistics.
#include "datum.hpp"
#include "generate/backend.hpp"
#include "horizon/horizon.hpp"
#include "horizon/shmem.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

Datum interval_of(std::chrono::microseconds duration) {
    auto* interval = static_cast<Interval*>(palloc0(sizeof(Interval)));
    interval->time = duration.count();
    return IntervalPGetDatum(interval);
}

std::uint32_t count_waiters() noexcept {
    std::uint32_t count = 0;
    for (const Database& database : cluster()->databases)
        count += database.waiters;
    return count;
}

// The latest millisecond of committed or prepared ids, of all versions and databases.
std::uint64_t latest_committed() noexcept {
    std::uint64_t latest = 0;
    for (const Database& database : cluster()->databases)
        latest = std::max<std::uint64_t>(latest, database.latest);
    return latest;
}

// In the order of NodeSource.
constexpr const char* source_words[] = {"setting",           "mac",   "none", "system identifier and mac",
                                        "system identifier", "random"};

// How often a horizon followed a clock that had stepped back, over all databases.
std::uint64_t horizon_steps_followed() noexcept {
    std::uint64_t steps = 0;
    for (const Database& database : cluster()->databases)
        steps += database.horizon.steps_followed();
    return steps;
}

}  // namespace

// luuid_status() → one row: this backend's settings for generation, and the state of the cluster's horizon.
LUUID_FUNCTION(luuid_status);
Datum luuid_status(PG_FUNCTION_ARGS) {
    const ResolvedNode node = generator.node();
    const auto lag = find_horizon_lag();
    Datum values[] = {
        CStringGetTextDatum(GetConfigOption("luuid.mode", false, false)),
        CStringGetTextDatum(GetConfigOption("luuid.version", false, false)),
        CStringGetTextDatum(psprintf("%07x", node.bits)),
        CStringGetTextDatum(source_words[static_cast<int>(node.source)]),
        Int32GetDatum(generator.pid()),
        BoolGetDatum(Backend::process().locality.lease().has_value()),
        UInt64GetDatum(generator.clock_steps_back()),
        interval_of(std::chrono::floor<std::chrono::microseconds>(generator.ahead())),
        interval_of(std::chrono::milliseconds(lag.value_or(0))),
        UInt64GetDatum(cluster() == nullptr ? 0 : horizon_steps_followed()),
    };
    bool nulls[lengthof(values)] = {};
    nulls[8] = !lag;
    nulls[9] = cluster() == nullptr;
    return datum_from_row(fcinfo, values, nulls);
}

// luuid_stat() → one row: the statistics of the cluster; none unless preloaded.
LUUID_FUNCTION(luuid_stat);
Datum luuid_stat(PG_FUNCTION_ARGS) {
    InitMaterializedSRF(fcinfo, 0);
    if (cluster() == nullptr)
        return 0;

    Stats& stats = cluster()->stats;
    const auto leases = cluster()->leases.find_held();
    const std::uint64_t unused_at_present = detail::System::milliseconds() + 1;
    const std::uint64_t ahead =
        std::max({leases.unused_from, latest_committed() + 1, unused_at_present}) - unused_at_present;
    // A session raises it only before its next id, which may never come.
    detail::raise(stats.most_ahead, ahead);
    Datum values[] = {
        UInt64GetDatum(stats.clock_steps_back),
        interval_of(std::chrono::milliseconds(ahead)),
        interval_of(std::chrono::milliseconds(stats.most_ahead)),
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

// luuid_stat_reset(): the statistics, and the steps of horizons, count from zero. 55000 unless preloaded.
LUUID_FUNCTION(luuid_stat_reset);
Datum luuid_stat_reset(FunctionCallInfo) {
    check_is_preloaded();
    cluster()->stats.reset();
    for (Database& database : cluster()->databases)
        database.horizon.reset_steps();
    PG_RETURN_VOID();
}
