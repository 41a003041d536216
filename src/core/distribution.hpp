// How the ids of a column are distributed over time: one list of points, each a key and the fraction of the rows before
// it. Between two points the fraction is linear in the key, which is proportional to time: if a quarter of the rows is
// before 10:00 and a half before 14:00, three eighths are before 12:00.
#pragma once

#include <core/id_range.hpp>
#include <luuid/boundary.hpp>
#include <luuid/detail/sort_keys.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace luuid::detail {

inline constexpr double infinite_distance = std::numeric_limits<double>::infinity();

// A key as milliseconds since 1970: nil before all times, other untimed ids after them. See abbreviate().
constexpr double place_of(std::uint64_t key) noexcept {
    constexpr double outside = 1e15;  // any timed id is nearer to 1970
    constexpr std::uint64_t rest = ~std::uint64_t{0} >> 2;
    switch (key >> 62) {
        case 0:
            return key == 0 ? -outside
                            : static_cast<double>(key) +
                                  static_cast<double>(first_tick.time_since_epoch().count()) / ticks_per_millisecond;
        case 1:
            return static_cast<double>(key & rest) / (1 << 18);
        case 2:
            return static_cast<double>(key & rest);
        default:
            return outside;
    }
}

// Two points of one key are a step: the rows at the key itself. Null is after the last point.
struct Point {
    std::uint64_t key = 0;
    double fraction = 0;
    double place = place_of(key);
};
using Points = std::span<const Point>;

constexpr std::size_t first_not_before(Points points, std::uint64_t key) noexcept {
    return static_cast<std::size_t>(std::ranges::lower_bound(points, key, {}, &Point::key) - points.begin());
}

constexpr std::size_t first_after(Points points, std::uint64_t key) noexcept {
    return static_cast<std::size_t>(std::ranges::upper_bound(points, key, {}, &Point::key) - points.begin());
}

// Before a key between two points.
constexpr double fraction_between(const Point& low, const Point& high, std::uint64_t key) noexcept {
    return low.fraction + (high.fraction - low.fraction) * static_cast<double>(key - low.key) /
                              static_cast<double>(high.key - low.key);
}

// Before a key, or with all that is at it. Ids of one key count as one place.
constexpr double fraction_before(Points points, std::uint64_t key, bool after = false) noexcept {
    const std::size_t first = first_not_before(points, key), end = first_after(points, key);
    if (first < end)
        return points[after ? end - 1 : first].fraction;
    if (first == 0 || first == points.size())
        return first == 0 ? 0 : points.back().fraction;
    return fraction_between(points[first - 1], points[first], key);
}

constexpr double fraction_before(Points points, const Bound& bound) noexcept {
    return fraction_before(points, abbreviate(bound.id), bound.after);
}

constexpr double fraction_within(Points points, const IdRange& range) noexcept {
    if (points.empty() || range.is_empty())
        return 0;
    return (range.upper ? fraction_before(points, *range.upper) : points.back().fraction) -
           (range.lower ? fraction_before(points, *range.lower) : 0);
}

// The fractions of a histogram's keys: equally many rows lie between two of them. Those of a uuid column are in another
// order, a random sample.
inline void order_histogram(std::span<Point> points) noexcept {
    std::ranges::sort(points, {}, &Point::key);
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].fraction = static_cast<double>(i) / static_cast<double>(points.size() - 1);
}

// A histogram, and the rows at each of some keys in ascending order: a step of two points.
constexpr void add_steps(Points histogram, Points rows, Point* sum) noexcept {
    double common = 0;
    std::size_t next = 0;
    for (const Point& at : rows) {
        const double before = fraction_before(histogram, at.key);
        for (; next < histogram.size() && histogram[next].key < at.key; ++next)
            *sum++ = {histogram[next].key, histogram[next].fraction + common};
        *sum++ = {at.key, before + common};
        *sum++ = {at.key, before + (common += at.fraction)};
    }
    for (; next < histogram.size(); ++next)
        *sum++ = {histogram[next].key, histogram[next].fraction + common};
}

// The points of the rows in a range, as fractions of so large a fraction; they take the place of the others.
constexpr std::span<Point> restricted(std::span<Point> points, const IdRange& range, double whole) noexcept {
    const double before = range.lower ? fraction_before(points, *range.lower) : 0;
    const double within = fraction_within(points, range);
    const std::uint64_t least = range.lower ? abbreviate(range.lower->id) : 0;
    const std::uint64_t greatest = std::max(least, range.upper ? abbreviate(range.upper->id) : ~std::uint64_t{0});
    // With the next one on each side, which becomes an end.
    const std::size_t first = first_not_before(points, least), end = first_after(points, greatest);
    const std::size_t begin = first > 0 ? first - 1 : 0;
    points = points.subspan(begin, std::min(end + 1, points.size()) - begin);
    for (Point& point : points)
        point = {std::clamp(point.key, least, greatest),
                 whole > 0 ? std::clamp(point.fraction - before, 0.0, within) / whole : 0};
    return points;
}

// The mean fraction before the places from `begin` to `end`, which may be equal, and infinite together. `next` is a
// point not beyond the first one that is not before `begin`, and moves on with the places.
constexpr double mean_before(Points points, std::size_t& next, double begin, double end) noexcept {
    if (begin == -infinite_distance || begin == infinite_distance)
        return begin < 0 ? 0 : points.back().fraction;
    const auto before = [&](double place) {
        while (next < points.size() && points[next].place < place)
            ++next;
        if (next == 0 || next == points.size())
            return next == 0 ? 0 : points.back().fraction;
        const Point &low = points[next - 1], &high = points[next];
        return low.fraction + (high.fraction - low.fraction) * (place - low.place) / (high.place - low.place);
    };
    double sum = 0, place = begin, fraction = before(begin);
    if (!(begin < end))
        return fraction;
    for (; next < points.size() && points[next].place < end; ++next) {
        sum += (points[next].place - place) * (fraction + points[next].fraction) / 2;
        place = points[next].place;
        fraction = points[next].fraction;
    }
    sum += (end - place) * (fraction + before(end)) / 2;
    return sum / (end - begin);
}

// The fraction of the outer rows for which one of so many inner rows has lower <= `inner` - `outer` < upper, in
// milliseconds, if the columns are independent; for one inner row, that of the pairs. Most rows of a month may have an
// event in the next hour, and none of those after the last event.
inline double fraction_with_match(Points outer, Points inner, double lower, double upper, double inner_rows) noexcept {
    double sum = 0;
    std::size_t next_lower = 0, next_upper = 0;
    for (std::size_t i = 1; i < outer.size(); ++i) {
        const double low = outer[i - 1].place, high = outer[i].place;
        const double here = outer[i].fraction - outer[i - 1].fraction;
        if (!(here > 0))
            continue;
        const double within = mean_before(inner, next_upper, low + upper, high + upper) -
                              mean_before(inner, next_lower, low + lower, high + lower);
        sum +=
            here * (1 - __builtin_powi(1 - std::clamp(within, 0.0, 1.0), static_cast<int>(std::min(inner_rows, 1e9))));
    }
    return sum;
}

}  // namespace luuid::detail
