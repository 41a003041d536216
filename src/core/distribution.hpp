// How the ids of a column are distributed over time: points, each a place in time and the fraction of the rows before
// it. It is linear between two: with a quarter before 10:00 and a half before 14:00, three eighths are before 12:00.
#pragma once

#include <luuid/boundary.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace luuid::detail {

// A bound is just before an id, as in `id >= x` and `id < x`, or just after it, as in `id > x` and `id <= x`.
struct Bound {
    Id id;
    bool after = false;

    friend constexpr std::strong_ordering operator<=>(const Bound& a, const Bound& b) noexcept {
        const auto by_id = compare(a.id, b.id);
        return by_id != 0 ? by_id : a.after <=> b.after;
    }
};

inline constexpr Id last_id{~0ULL, ~0ULL};

// A range without bounds has all ids.
struct IdRange {
    Bound lower{nil_id}, upper{last_id, true};

    constexpr bool has_lower() const noexcept { return Bound{nil_id} < lower; }
    constexpr bool has_upper() const noexcept { return upper < Bound{last_id, true}; }
    constexpr bool is_empty() const noexcept { return upper <= lower; }
};

inline constexpr double infinite_distance = std::numeric_limits<double>::infinity();

// The time of an id in milliseconds since 1970; nil is before all times, other untimed ids are after them.
constexpr double place_of(const Id& id) noexcept {
    constexpr double outside = 1e15;  // any timed id is nearer to 1970
    if (const auto time = time_of(id))
        return static_cast<double>(time->time_since_epoch().count()) / ticks_per_millisecond;
    return id == nil_id ? -outside : outside;
}

// Two points of one place are a step: the rows at that very place. Nulls are the rows that the last fraction lacks.
struct Point {
    double place;
    double fraction;

    friend constexpr auto operator<=>(const Point&, const Point&) noexcept = default;
};
using Points = std::span<const Point>;

// Sorts points and adds up their fractions. The first `values` of them are a histogram's, in any order, and divide
// `fraction` equally. Each other one comes with the fraction of the rows from the point before it.
inline void add_up(std::span<Point> points, std::size_t values, double fraction) noexcept {
    for (Point& point : points.first(values))
        point.fraction = fraction / static_cast<double>(values - 1);
    if (values > 0)
        std::ranges::min_element(points.first(values), {}, &Point::place)->fraction = 0;
    std::ranges::sort(points);
    double sum = 0;
    for (Point& point : points)
        point.fraction = sum += point.fraction;
}

// The fraction of the rows before a place; `next` is the number of the first point that is not before it.
constexpr double fraction_before(Points points, std::size_t next, double place) noexcept {
    if (next == 0 || next == points.size())
        return next == 0 ? 0 : points.back().fraction;
    const Point &low = points[next - 1], &high = points[next];
    return low.fraction + (high.fraction - low.fraction) * ((place - low.place) / (high.place - low.place));
}

// The fraction of the rows before a bound. All ids of one place count as before it, or as after it.
constexpr double fraction_before(Points points, const Bound& bound) noexcept {
    const double place = place_of(bound.id);
    const auto next = bound.after ? std::ranges::upper_bound(points, place, {}, &Point::place)
                                  : std::ranges::lower_bound(points, place, {}, &Point::place);
    return fraction_before(points, static_cast<std::size_t>(next - points.begin()), place);
}

constexpr double fraction_within(Points points, const IdRange& range) noexcept {
    if (points.empty() || range.is_empty())
        return 0;
    return std::max(fraction_before(points, range.upper) - fraction_before(points, range.lower), 0.0);
}

// Restricts points to the rows in a range.
constexpr void restrict_to(std::span<Point> points, const IdRange& range) noexcept {
    const double before = fraction_before(points, range.lower), within = fraction_within(points, range);
    const double least = place_of(range.lower.id), greatest = std::max(least, place_of(range.upper.id));
    for (Point& point : points)
        point = {std::clamp(point.place, least, greatest), std::clamp(point.fraction - before, 0.0, within)};
}

// The fraction of the pairs of rows with `later` - `earlier` < distance, in milliseconds, if the columns are
// independent. Merges the lists, with `earlier` moved by the distance, and first of equal places. Between two points of
// the merged list both fractions are linear, so the rows of `earlier` there have the mean of `later` before them.
constexpr double fraction_nearer(Points earlier, Points later, double distance) noexcept {
    double sum = 0, of_earlier = 0, of_later = 0;
    for (std::size_t i = 0, j = 0; i < earlier.size();) {
        const bool is_later = j < later.size() && later[j].place < earlier[i].place + distance;
        const double to_i = is_later ? fraction_before(earlier, i, later[j].place - distance) : earlier[i].fraction;
        const double to_j = is_later ? later[j].fraction : fraction_before(later, j, earlier[i].place + distance);
        sum += std::max(to_i - of_earlier, 0.0) * (of_later + to_j) / 2;
        of_earlier = to_i;
        of_later = to_j;
        ++(is_later ? j : i);
    }
    return sum;
}

}  // namespace luuid::detail
