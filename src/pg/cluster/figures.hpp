// What the backends of a cluster have counted for luuid_stat() since the server's start, or since the last reset.
#pragma once

#include "server.hpp"

#include <atomic>
#include <cstdint>
#include <initializer_list>

namespace luuid::pg {

// Nothing that every id or every commit does is counted. In shared memory, away from what they read.
struct alignas(64) Figures {
    using Count = std::atomic<std::uint64_t>;

    Count clock_steps_back;
    Count leases_refused;
    Count horizons_asked;
    Count horizons_unknown;
    Count wakeups;
    Count rows_refused;  // by luuid_guard()
    Count most_ahead;    // milliseconds
    std::atomic<TimestampTz> reset_at;

    void reset(TimestampTz now) noexcept {
        for (Count* count : {&clock_steps_back, &leases_refused, &horizons_asked, &horizons_unknown, &wakeups,
                             &rows_refused, &most_ahead})
            *count = 0;
        reset_at = now;
    }

    // A session generates ids that are this many milliseconds ahead of the clock.
    void show_ahead(std::uint64_t milliseconds) noexcept {
        std::uint64_t most = most_ahead;
        while (most < milliseconds && !most_ahead.compare_exchange_strong(most, milliseconds))
            ;
    }
};

}  // namespace luuid::pg
