// The SQL function that shows a backend's generator and the state of the cluster's horizon.
#include "cluster/backend.hpp"
#include "cluster/horizon.hpp"
#include "cluster/memory.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// In the order of NodeSource.
constexpr const char* source_words[] = {"setting",           "mac",   "none", "system identifier and mac",
                                        "system identifier", "random"};

// How many milliseconds the horizon is behind the clock.
std::optional<std::uint64_t> horizon_lag() {
    return cluster() == nullptr || RecoveryInProgress() ? std::nullopt : find_horizon_lag();
}

}  // namespace

// luuid_status() → one row: this backend's settings for generation, and the state of the cluster's horizon.
LUUID_FUNCTION(luuid_status) {
    TupleDesc descriptor = nullptr;
    if (get_call_result_type(fcinfo, nullptr, &descriptor) != TYPEFUNC_COMPOSITE)
        elog(ERROR, "return type must be a row type");

    const GeneratorSettings settings = generator_settings();
    const ResolvedNode node = generator.node();
    const auto lag_milliseconds = horizon_lag();
    Interval ahead{generator.ahead() / std::chrono::microseconds(1), 0, 0};
    Interval lag{static_cast<TimeOffset>(lag_milliseconds.value_or(0)) * 1000, 0, 0};
    Datum values[] = {
        CStringGetTextDatum(mode_word(settings.mode)),
        CStringGetTextDatum(version_word(settings.version)),
        CStringGetTextDatum(psprintf("%07x", node.bits)),
        CStringGetTextDatum(source_words[static_cast<int>(node.source)]),
        Int32GetDatum(generator.pid()),
        BoolGetDatum(Backend::process().locality.lease().has_value()),
        UInt64GetDatum(generator.clock_steps_back()),
        IntervalPGetDatum(&ahead),
        IntervalPGetDatum(&lag),
        UInt64GetDatum(cluster() != nullptr ? cluster()->steps_followed() : 0),
    };
    bool nulls[lengthof(values)] = {};
    nulls[8] = !lag_milliseconds;
    nulls[9] = cluster() == nullptr;
    return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor), values, nulls));
}
