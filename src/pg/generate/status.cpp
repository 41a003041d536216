// The SQL function that shows a backend's generator and the state of the cluster's horizon.
#include "../datum.hpp"
#include "../horizon/horizon.hpp"
#include "../shmem.hpp"
#include "backend.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// In the order of NodeSource.
constexpr const char* source_words[] = {"setting",           "mac",   "none", "system identifier and mac",
                                        "system identifier", "random"};

// Of all databases: how often the clock was found too far behind a horizon.
std::uint64_t horizon_steps_followed() noexcept {
    std::uint64_t steps = 0;
    for (std::size_t number = 0; cluster() != nullptr && number < cluster()->databases.size(); ++number)
        steps += cluster()->databases[number].horizon.steps_followed();
    return steps;
}

}  // namespace

// luuid_status() → one row: this backend's settings for generation, and the state of the cluster's horizon.
LUUID_FUNCTION(luuid_status) {
    const GeneratorSettings settings = generator_settings();
    const ResolvedNode node = generator.node();
    const auto lag_milliseconds = find_horizon_lag();
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
        UInt64GetDatum(horizon_steps_followed()),
    };
    bool nulls[lengthof(values)] = {};
    nulls[8] = !lag_milliseconds;
    nulls[9] = cluster() == nullptr;
    return datum_from_row(fcinfo, values, nulls);
}
