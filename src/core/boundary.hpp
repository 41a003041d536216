// Boundary ids: the least and the greatest id of an instant, so that a comparison of ids is a comparison of times.
//
// For every microsecond t and every timed id, with µs(id) its ticks rounded down to microseconds:
//
//   id >= floor_of(t)    exactly where  µs(id) >= t
//   id <= ceiling_of(t)  exactly where  µs(id) <= t
//
// and nil <= every boundary, every other untimed id >= floor_of(t) and > ceiling_of(t). CQL calls these
// minTimeuuid and maxTimeuuid.
#pragma once

#include "order.hpp"

#include <limits>

namespace luuid {

using Microseconds = std::int64_t;  // since 1970-01-01 UTC

// Rounded down, before 1970 too.
constexpr Microseconds microseconds_from_ticks(Ticks instant) noexcept {
    const Ticks remainder = instant % ticks_per_microsecond;
    return instant / ticks_per_microsecond - (remainder < 0);
}

// Saturated times: every id is after the first and before the second.
inline constexpr Microseconds always = std::numeric_limits<Microseconds>::min();
inline constexpr Microseconds never = std::numeric_limits<Microseconds>::max();

namespace detail {

inline constexpr Microseconds gregorian_start_us = gregorian_start / ticks_per_microsecond;
inline constexpr Ticks gregorian_end = static_cast<Ticks>(gregorian_count_max) + gregorian_start;
inline constexpr Microseconds gregorian_end_us = gregorian_end / ticks_per_microsecond;

// The rest of a version-1 or -6 id, lowest and highest that is legal: variant 10, then zeros or ones.
inline constexpr std::uint64_t lowest_rest = rfc_variant;
inline constexpr std::uint64_t highest_rest = rfc_variant | ~std::uint64_t{0} >> 2;

inline constexpr Id lowest_untimed{0, 1};

constexpr Id least_v1_at(Ticks instant) noexcept {
    return gregorian_id(Layout::v1, static_cast<std::uint64_t>(instant - gregorian_start), lowest_rest);
}

constexpr Id greatest_v6_at(Ticks instant) noexcept {
    return gregorian_id(Layout::v6, static_cast<std::uint64_t>(instant - gregorian_start), highest_rest);
}

// Nothing at this millisecond sorts before it, past the range of versions 1 and 6.
constexpr Id least_v7_at(std::uint64_t millisecond) noexcept {
    return {millisecond << 16 | std::uint64_t{7} << 12, lowest_rest};
}

// Nothing at this millisecond's first tick sorts after it.
constexpr Id greatest_vb_at(std::uint64_t millisecond) noexcept {
    return locality_id(Layout::vb, block_of(0xffff'ffff), {0xffff, node_max}, millisecond);
}

}  // namespace detail

// No timed id is before it; nil is.
inline constexpr Id lowest_timed = detail::least_v1_at(gregorian_start);
// No timed id is after it; every untimed one but nil is.
inline constexpr Id highest_timed = detail::greatest_vb_at(millisecond_max);

// The least id of all that are not before t.
constexpr Id floor_of(Microseconds t) noexcept {
    using namespace detail;
    if (t <= gregorian_start_us)
        return lowest_timed;
    if (t <= gregorian_end_us)
        return least_v1_at(t * ticks_per_microsecond);
    // From here on only whole milliseconds exist: the next one.
    const std::uint64_t millisecond = (static_cast<std::uint64_t>(t) + 999) / 1000;
    return millisecond <= millisecond_max ? least_v7_at(millisecond) : lowest_untimed;
}

// The greatest id of all that are not after t.
constexpr Id ceiling_of(Microseconds t) noexcept {
    using namespace detail;
    if (t < gregorian_start_us)
        return nil_id;
    if (t < gregorian_end_us)
        return greatest_v6_at(t * ticks_per_microsecond + (ticks_per_microsecond - 1));
    // From here on only whole milliseconds exist: the last one, or the last version-6 id where that is later.
    const std::uint64_t millisecond = static_cast<std::uint64_t>(t) / 1000;
    if (static_cast<Ticks>(millisecond) <= gregorian_end / ticks_per_millisecond)
        return greatest_v6_at(gregorian_end);
    return millisecond <= millisecond_max ? greatest_vb_at(millisecond) : highest_timed;
}

}  // namespace luuid
