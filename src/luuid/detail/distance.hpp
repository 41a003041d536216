// How far the values of two columns lie apart: the fraction of all pairs whose distance is less than another, and of
// the values that one of the other column's is near to.
//
// A window join asks for it. Of the pairs of an event and an order, `event.id >= order.id` and `event.id <
// luuid_floor(order.id::timestamptz + '5 min')` keep those where the event is 0 to 5 minutes later than the order.
#pragma once

#include <luuid/boundary.hpp>

#include <algorithm>
#include <limits>
#include <span>

namespace luuid::detail {

inline constexpr double infinite_distance = std::numeric_limits<double>::infinity();

// Milliseconds since 1970; nil before all times, other untimed ids after them.
constexpr double place_of(Time time) noexcept { return static_cast<double>(time.time_since_epoch().count()) / 1000; }

constexpr double place_of(const Id& id) noexcept {
    constexpr double outside = 1e15;  // any timed id is nearer to 1970
    if (const auto time = time_of(id))
        return static_cast<double>(time->time_since_epoch().count()) / ticks_per_millisecond;
    return id == nil_id ? -outside : outside;
}

// The fraction of a column's values before a place. Between two points it is linear; of two points with one place, the
// second one's difference is that of values at the place itself. The first point's fraction is 0. If the last one's is
// less than 1, the rest is null.
struct Point {
    double place;
    double fraction;
};
using Points = std::span<const Point>;

// `next` is the first point beyond the place, or at it to leave out the values at the place.
constexpr double fraction_at(Points points, std::size_t next, double place) noexcept {
    if (next == 0 || next == points.size())
        return next == 0 ? 0 : points.back().fraction;
    const Point &low = points[next - 1], &high = points[next];
    return low.fraction + (high.fraction - low.fraction) * (place - low.place) / (high.place - low.place);
}

constexpr std::size_t first_not_before(Points points, double place) noexcept {
    const auto found = std::ranges::lower_bound(points, place, {}, &Point::place);
    return static_cast<std::size_t>(found - points.begin());
}

constexpr std::size_t first_after(Points points, double place) noexcept {
    const auto found = std::ranges::upper_bound(points, place, {}, &Point::place);
    return static_cast<std::size_t>(found - points.begin());
}

// Half of the values at the place count as before it.
constexpr double fraction_before(Points points, double place) noexcept {
    const double up_to = fraction_at(points, first_after(points, place), place);
    const std::size_t at = first_not_before(points, place);
    const bool is_point = at < points.size() && points[at].place == place;
    return is_point ? (points[at].fraction + up_to) / 2 : up_to;
}

// The mean of the fractions before the places from `begin` to a later `end`. `next` is a point not beyond the first one
// after `begin`, and moves there.
constexpr double mean_fraction(Points points, std::size_t& next, double begin, double end) noexcept {
    while (next < points.size() && points[next].place <= begin)
        ++next;
    double sum = 0, place = begin, fraction = fraction_at(points, next, begin);
    for (; next < points.size() && points[next].place < end; ++next) {
        sum += (points[next].place - place) * (fraction + points[next].fraction) / 2;
        place = points[next].place;
        fraction = points[next].fraction;
    }
    sum += (end - place) * (fraction + fraction_at(points, next, end)) / 2;
    return sum / (end - begin);
}

// The same for places that may be equal, and infinite together.
constexpr double mean_before(Points points, std::size_t& next, double begin, double end) noexcept {
    if (begin == -infinite_distance || begin == infinite_distance)
        return begin < 0 ? 0 : points.back().fraction;
    return begin < end ? mean_fraction(points, next, begin, end) : fraction_before(points, begin);
}

// The fraction of the pairs with `later` - `earlier` < distance, if the columns are independent.
constexpr double fraction_nearer(Points later, Points earlier, double distance) noexcept {
    double sum = 0;
    std::size_t next = 0;
    for (std::size_t i = 1; i < earlier.size(); ++i) {
        const Point &low = earlier[i - 1], &high = earlier[i];
        sum += (high.fraction - low.fraction) * mean_before(later, next, low.place + distance, high.place + distance);
    }
    return sum;
}

constexpr double power(double base, std::uint64_t exponent) noexcept {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        if (exponent & 1)
            result *= base;
    return result;
}

// The fraction of the outer values for which one of so many inner rows has lower <= `inner` - `outer` < upper. Most
// rows of a month may have an event in the next hour, and none of those after the last event.
constexpr double fraction_with_match(Points outer, Points inner, double lower, double upper,
                                     std::uint64_t inner_rows) noexcept {
    double sum = 0;
    std::size_t next_lower = 0, next_upper = 0;
    for (std::size_t i = 1; i < outer.size(); ++i) {
        const Point &low = outer[i - 1], &high = outer[i];
        const double within = mean_before(inner, next_upper, low.place + upper, high.place + upper) -
                              mean_before(inner, next_lower, low.place + lower, high.place + lower);
        sum += (high.fraction - low.fraction) * (1 - power(1 - std::clamp(within, 0.0, 1.0), inner_rows));
    }
    return sum;
}

// The points of the sum of two such fractions; their number is that of both.
constexpr std::size_t add(Points a, Points b, Point* sum) noexcept {
    std::size_t of_a = 0, of_b = 0;
    while (of_a < a.size() || of_b < b.size()) {
        Point& point = sum[of_a + of_b];
        if (of_b == b.size() || (of_a < a.size() && a[of_a].place <= b[of_b].place)) {
            point = a[of_a];
            point.fraction += fraction_at(b, of_b, point.place);
            ++of_a;
        } else {
            point = b[of_b];
            point.fraction += fraction_at(a, of_a, point.place);
            ++of_b;
        }
    }
    return of_a + of_b;
}

// The points of the values between two places alone, which may be infinite; they take the place of the others, and are
// never more. If there are no values there, they count as spread evenly over a finite range.
constexpr std::span<Point> restricted(std::span<Point> points, double lower, double upper) noexcept {
    const std::size_t first = first_not_before(points, lower), end = first_after(points, upper);
    const double before = fraction_at(points, first, lower);
    const double within = fraction_at(points, end, upper) - before;
    if (!(within > 1e-9)) {
        if (lower > upper || lower == -infinite_distance || upper == infinite_distance)
            return points;
        points[0] = {lower, 0};
        points[1] = {upper, 1};
        return points.first(2);
    }
    // With the next one on each side, which becomes an end.
    const std::size_t begin = first > 0 ? first - 1 : 0;
    points = points.subspan(begin, std::min(end + 1, points.size()) - begin);
    for (Point& point : points)
        point = {std::clamp(point.place, lower, upper), std::clamp((point.fraction - before) / within, 0.0, 1.0)};
    return points;
}

}  // namespace luuid::detail
