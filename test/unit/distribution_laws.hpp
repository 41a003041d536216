// Laws for the points of a histogram, computed by counting its values one by one. Define REQUIRE_LAW before including
// this.
#pragma once

#include <core/distribution.hpp>

#include <cmath>
#include <vector>

namespace laws {

class Histogram {
public:
    // In the order of the statistics: two at least.
    explicit Histogram(const std::vector<luuid::Id>& values) {
        for (const luuid::Id& id : values)
            points_.push_back({luuid::detail::place_of(id), 0});
        luuid::detail::add_up(points_, points_.size(), 1);
    }

    luuid::detail::Points points() const { return points_; }

    void points_rise_from_0_to_1() const {
        REQUIRE_LAW(points_.front().fraction == 0 && std::abs(points_.back().fraction - 1) < 1e-9, points_.size());
        for (std::size_t i = 1; i < points_.size(); ++i)
            REQUIRE_LAW(points_[i - 1].place <= points_[i].place && points_[i - 1].fraction < points_[i].fraction, i);
    }

    void has_a_fraction_as_counted(const luuid::detail::Bound& bound) const {
        const double place = luuid::detail::place_of(bound.id);
        double less = 0, equal = 0;
        for (const luuid::detail::Point& other : points_) {
            less += other.place < place;
            equal += other.place == place;
        }
        // The number of a value; between two of them, any place.
        const double last = static_cast<double>(points_.size()) - 1;
        const double high = equal == 0 || !bound.after ? std::min(less, last) : less + equal - 1;
        const double low = equal == 0 ? std::max(less - 1, 0.0) : high;
        const double fraction = fraction_before(points_, bound);
        REQUIRE_LAW(fraction >= 0 && fraction <= 1 + 1e-9, bound.id, fraction);
        REQUIRE_LAW(fraction * last >= low - 1e-9 && fraction * last <= high + 1e-9, bound.id, fraction * last, low,
                    high);
    }

private:
    std::vector<luuid::detail::Point> points_;
};

}  // namespace laws
