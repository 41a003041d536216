// Boundaries of a time: its floor and its ceiling, so that comparing ids compares times.
//
// For every time t and every timed id, with µs(id) its time rounded down to microseconds:
//
//   id >= floor_of(t)    if and only if  µs(id) >= t
//   id <= ceiling_of(t)  if and only if  µs(id) <= t
//
// nil <= every boundary; every other untimed id is >= floor_of(t) and > ceiling_of(t). CQL's minTimeuuid(t) is
// floor_of(t); its maxTimeuuid(t) is of a whole millisecond, ceiling_of(t) of a microsecond.
#pragma once

#include <luuid/order.hpp>

namespace luuid {

namespace detail {

inline constexpr std::uint64_t last_gregorian_millisecond = *millisecond_of(last_gregorian);

// The last 8 bytes that sort lowest in version 1, as in CQL's minTimeuuid, and those of RFC 9562's variant that sort
// lowest and highest in other versions.
inline constexpr std::uint64_t lowest_v1_rest = 0x8080'8080'8080'8080;
inline constexpr std::uint64_t lowest_rest = rfc_variant;
inline constexpr std::uint64_t highest_rest = rfc_variant | ~std::uint64_t{0} >> 2;

inline constexpr Id lowest_untimed{0, 1};

constexpr Id least_v1_at(TickTime time) noexcept { return v1_id(gregorian_count_at(time), lowest_v1_rest); }

constexpr Id greatest_v6_at(TickTime time) noexcept { return v6_id(gregorian_count_at(time), highest_rest); }

// The least id of a millisecond past the range of versions 1 and 6.
constexpr Id least_v7_at(std::uint64_t millisecond) noexcept {
    return {millisecond << 16 | std::uint64_t{7} << 12, lowest_rest};
}

// The greatest id of a millisecond's first tick.
constexpr Id greatest_vb_at(std::uint64_t millisecond) noexcept {
    return locality_id(LocalityVersion::vb, block_of(0xffff'ffff), {0xffff, node_max}, millisecond);
}

// The least timed id; only nil is before it.
inline constexpr Id lowest_timed = least_v1_at(first_tick);
// The greatest timed id; every untimed one but nil is after it.
inline constexpr Id highest_timed = greatest_vb_at(millisecond_max);

}  // namespace detail

// The least id whose time is >= t. floor_of(Time::max()) is after all timed ids: the least untimed id but nil. A time
// in another unit counts as the microsecond that contains it.
template <class Duration>
[[nodiscard]] constexpr Id floor_of(std::chrono::sys_time<Duration> time) noexcept {
    using namespace detail;
    const Time t = std::chrono::floor<std::chrono::microseconds>(time);
    if (t <= first_gregorian)
        return lowest_timed;
    if (t <= last_gregorian)
        return least_v1_at(t);
    // Past versions 1 and 6 ids have whole milliseconds: round up.
    const std::uint64_t millisecond = (static_cast<std::uint64_t>(t.time_since_epoch().count()) + 999) / 1000;
    return millisecond <= millisecond_max ? least_v7_at(millisecond) : lowest_untimed;
}

// The greatest id whose time is <= t, of such a time; nil if there is none.
template <class Duration>
[[nodiscard]] constexpr Id ceiling_of(std::chrono::sys_time<Duration> time) noexcept {
    using namespace detail;
    const Time t = std::chrono::floor<std::chrono::microseconds>(time);
    if (t < first_gregorian)
        return nil_id;
    if (t < last_gregorian)
        return greatest_v6_at(t + std::chrono::microseconds(1) - Ticks(1));
    // Past versions 1 and 6 ids have whole milliseconds: round down, but not below the last id of version 6.
    const std::uint64_t millisecond = static_cast<std::uint64_t>(t.time_since_epoch().count()) / 1000;
    if (millisecond <= last_gregorian_millisecond)
        return greatest_v6_at(last_tick);
    return millisecond <= millisecond_max ? greatest_vb_at(millisecond) : highest_timed;
}

}  // namespace luuid
