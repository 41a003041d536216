// Times as plain counts since 1970 in one unit, as the reference and the samples have them.
#pragma once

#include <luuid/layout.hpp>

inline constexpr luuid::Time at_microsecond(std::int64_t count) {
    return luuid::Time(std::chrono::microseconds(count));
}

inline constexpr luuid::TickTime at_tick(std::int64_t count) { return luuid::TickTime(luuid::Ticks(count)); }

// Counts of 100 ns.
inline constexpr std::optional<std::int64_t> ticks(const luuid::Id& id) {
    const auto time = luuid::time_of(id);
    return time ? std::optional(time->time_since_epoch().count()) : std::nullopt;
}
