// The wall clock at the moment of the call, and not the transaction's.
#pragma once

#include "server.hpp"

#include "../core/layout.hpp"

#include <time.h>

namespace luuid::pg {

// The time since 1970, never before it, as a count of what so many nanoseconds make one of. Not GetCurrentTimestamp,
// which would turn it to microseconds since 2000 first.
inline std::uint64_t clock_count(std::uint32_t nanoseconds) noexcept {
    timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (unlikely(now.tv_sec < 0))
        return 0;
    return static_cast<std::uint64_t>(now.tv_sec) * (1'000'000'000 / nanoseconds) +
           static_cast<std::uint32_t>(now.tv_nsec) / nanoseconds;
}

inline std::uint64_t clock_milliseconds() noexcept { return clock_count(1'000'000); }

inline Ticks clock_ticks() noexcept { return static_cast<Ticks>(clock_count(100)); }

}  // namespace luuid::pg
