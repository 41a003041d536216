// Boundary ids: the least and the greatest id of an instant, so that a comparison of ids is a comparison of times.
//
// For every time t and every timed id, with µs(id) its time rounded down to microseconds:
//
//   id >= floor_of(t)    exactly where  µs(id) >= t
//   id <= ceiling_of(t)  exactly where  µs(id) <= t
//
// and nil <= every boundary, every other untimed id >= floor_of(t) and > ceiling_of(t). CQL calls these
// minTimeuuid and maxTimeuuid.
#pragma once

#include <luuid/order.hpp>

namespace luuid {

namespace detail {

// The first and the last time of versions 1 and 6, and the microseconds and the millisecond that these are in.
inline constexpr TickTime first_tick{gregorian_start};
inline constexpr TickTime last_tick = first_tick + Ticks(static_cast<std::int64_t>(gregorian_count_max));
inline constexpr Time first_gregorian = std::chrono::floor<std::chrono::microseconds>(first_tick);
inline constexpr Time last_gregorian = std::chrono::floor<std::chrono::microseconds>(last_tick);
inline constexpr std::uint64_t last_gregorian_millisecond = *millisecond_of(last_gregorian);

// The last 8 bytes that sort lowest in version 1, which make a floor CQL's minTimeuuid; and those of RFC 9562's variant
// that sort lowest and highest elsewhere.
inline constexpr std::uint64_t lowest_v1_rest = 0x8080'8080'8080'8080;
inline constexpr std::uint64_t lowest_rest = rfc_variant;
inline constexpr std::uint64_t highest_rest = rfc_variant | ~std::uint64_t{0} >> 2;

inline constexpr Id lowest_untimed{0, 1};

constexpr Id least_v1_at(TickTime time) noexcept { return v1_id(gregorian_count_at(time), lowest_v1_rest); }

constexpr Id greatest_v6_at(TickTime time) noexcept { return v6_id(gregorian_count_at(time), highest_rest); }

// Nothing at this millisecond sorts before it, past the range of versions 1 and 6.
constexpr Id least_v7_at(std::uint64_t millisecond) noexcept {
    return {millisecond << 16 | std::uint64_t{7} << 12, lowest_rest};
}

// Nothing at this millisecond's first tick sorts after it.
constexpr Id greatest_vb_at(std::uint64_t millisecond) noexcept {
    return locality_id(LocalityVersion::vb, block_of(0xffff'ffff), {0xffff, node_max}, millisecond);
}

// No timed id is before it; nil is.
inline constexpr Id lowest_timed = least_v1_at(first_tick);
// No timed id is after it; every untimed one but nil is.
inline constexpr Id highest_timed = greatest_vb_at(millisecond_max);

}  // namespace detail

// The least id of all that are not before t; of Time::max(), the least of all that are after every time.
constexpr Id floor_of(Time t) noexcept {
    using namespace detail;
    if (t <= first_gregorian)
        return lowest_timed;
    if (t <= last_gregorian)
        return least_v1_at(t);
    // From here on only whole milliseconds exist: the next one.
    const std::uint64_t millisecond = (static_cast<std::uint64_t>(t.time_since_epoch().count()) + 999) / 1000;
    return millisecond <= millisecond_max ? least_v7_at(millisecond) : lowest_untimed;
}

// The greatest id of all that are not after t.
constexpr Id ceiling_of(Time t) noexcept {
    using namespace detail;
    if (t < first_gregorian)
        return nil_id;
    if (t < last_gregorian)
        return greatest_v6_at(t + std::chrono::microseconds(1) - Ticks(1));
    // From here on only whole milliseconds exist: the last one, or the last version-6 id where that is later.
    const std::uint64_t millisecond = static_cast<std::uint64_t>(t.time_since_epoch().count()) / 1000;
    if (millisecond <= last_gregorian_millisecond)
        return greatest_v6_at(last_tick);
    return millisecond <= millisecond_max ? greatest_vb_at(millisecond) : highest_timed;
}

// Of a time in another unit: it counts as the microsecond that it is in.
template <class Duration>
constexpr Id floor_of(std::chrono::sys_time<Duration> time) noexcept {
    return floor_of(Time(std::chrono::floor<std::chrono::microseconds>(time)));
}

template <class Duration>
constexpr Id ceiling_of(std::chrono::sys_time<Duration> time) noexcept {
    return ceiling_of(Time(std::chrono::floor<std::chrono::microseconds>(time)));
}

}  // namespace luuid
