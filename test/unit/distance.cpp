// The fraction of pairs within a distance, compared with counting pairs of values.
#include "catch.hpp"
#include "samples.hpp"

#include <luuid/detail/distance.hpp>

#include <vector>

using namespace luuid;
using namespace luuid::detail;

namespace {

bool are_near(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance; }

// Some points in ascending order, a part of them steps.
std::vector<Point> some_points(samples::Random& random, std::size_t count) {
    std::vector<Point> points;
    double place = 0, fraction = 0;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({place, fraction});
        const bool is_step = random.bits() % 4 == 0;
        place += is_step ? 0 : static_cast<double>(random.bits() % 1000 + 1);
        fraction += static_cast<double>(random.bits() % 100);
    }
    for (Point& point : points)
        point.fraction /= fraction + 1;
    return points;
}

// As many values, each in the middle of its part of the column; null ones are left out.
std::vector<double> values_of(Points points, int count) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        const double wanted = (i + 0.5) / count;
        for (std::size_t n = 1; n < points.size(); ++n) {
            const Point &low = points[n - 1], &high = points[n];
            if (low.fraction <= wanted && wanted < high.fraction) {
                values.push_back(low.place +
                                 (high.place - low.place) * (wanted - low.fraction) / (high.fraction - low.fraction));
                break;
            }
        }
    }
    return values;
}

double counted(const std::vector<double>& later, const std::vector<double>& earlier, double distance, int count) {
    double pairs = 0;
    for (const double a : later)
        for (const double b : earlier)
            pairs += a - b < distance ? 1 : a - b == distance ? 0.5 : 0;
    return pairs / count / count;
}

}  // namespace

TEST_CASE("an event of ten minutes is within a minute after one of the same ten with 19 of 200", "[distance]") {
    const std::vector<Point> minutes{{0, 0}, {10, 1}};
    CHECK(are_near(fraction_nearer(minutes, minutes, 0), 0.5));
    CHECK(are_near(fraction_nearer(minutes, minutes, 1) - fraction_nearer(minutes, minutes, 0), 0.095));
    CHECK(fraction_nearer(minutes, minutes, infinite_distance) == 1);
    CHECK(fraction_nearer(minutes, minutes, -infinite_distance) == 0);
}

TEST_CASE("the fraction of pairs nearer than a distance is that of counted pairs", "[distance]") {
    constexpr int count = 300;
    samples::Random random{1};
    for (int turn = 0; turn < 100; ++turn) {
        const auto later = some_points(random, 2 + random.bits() % 20),
                   earlier = some_points(random, 2 + random.bits() % 20);
        const auto of_later = values_of(later, count), of_earlier = values_of(earlier, count);
        for (const double distance : {-1e6, -5000.0, -300.0, -1.0, 0.0, 1.0, 100.0, 5000.0, 1e6})
            CHECK(are_near(fraction_nearer(later, earlier, distance), counted(of_later, of_earlier, distance, count),
                           0.02));
    }
}

TEST_CASE("to be nearer one way is not to be farther the other way", "[distance]") {
    samples::Random random{2};
    for (int turn = 0; turn < 100; ++turn) {
        const auto a = some_points(random, 2 + random.bits() % 20), b = some_points(random, 2 + random.bits() % 20);
        double last = 0;
        for (const double distance : {-20000.0, -1000.0, -10.0, 0.0, 10.5, 1000.0, 20000.0}) {
            const double nearer = fraction_nearer(a, b, distance);
            CHECK(nearer >= last - 1e-12);
            CHECK(are_near(nearer + fraction_nearer(b, a, -distance), a.back().fraction * b.back().fraction));
            last = nearer;
        }
    }
}

TEST_CASE("of one bound, the values up to the last of the others have a match", "[distance]") {
    const std::vector<Point> month{{0, 0}, {1, 0.1}, {2, 0.2}, {3, 0.3}, {30, 1}}, days{{1, 0}, {3, 1}};
    CHECK(are_near(fraction_with_match(month, days, 0, infinite_distance, 1000), 0.3, 0.01));
    CHECK(are_near(fraction_with_match(month, days, -infinite_distance, 0, 1000), 0.9, 0.01));
    CHECK(fraction_with_match(month, days, -infinite_distance, infinite_distance, 1) == 1);
    CHECK(fraction_with_match(month, days, -infinite_distance, infinite_distance, 0) == 0);
}

TEST_CASE("the fraction with a match of random rows is that of counted values", "[distance]") {
    constexpr int count = 300, rows = 5, samples_of_rows = 40;
    samples::Random random{5};
    for (int turn = 0; turn < 50; ++turn) {
        const auto outer = some_points(random, 20 + random.bits() % 20),
                   inner = some_points(random, 2 + random.bits() % 20);
        const auto of_outer = values_of(outer, count), of_inner = values_of(inner, count);
        for (const auto& window : {std::pair{-1e6, 0.0}, {0.0, 500.0}, {-300.0, 4000.0}, {100.0, 1e6}}) {
            double matched = 0;
            for (int sample = 0; sample < samples_of_rows; ++sample) {
                std::vector<double> some;
                for (int row = 0; row < rows; ++row)
                    if (const std::size_t number = random.bits() % count; number < of_inner.size())
                        some.push_back(of_inner[number]);
                for (const double value : of_outer)
                    matched += std::ranges::any_of(some, [&](double other) {
                        return window.first <= other - value && other - value < window.second;
                    });
            }
            CHECK(are_near(fraction_with_match(outer, inner, window.first, window.second, rows),
                           matched / samples_of_rows / count, 0.1));
        }
    }
}

TEST_CASE("a sum has the fractions of both columns before each place", "[distance]") {
    samples::Random random{3};
    for (int turn = 0; turn < 100; ++turn) {
        const auto a = some_points(random, 1 + random.bits() % 20), b = some_points(random, 1 + random.bits() % 20);
        std::vector<Point> sum(a.size() + b.size());
        REQUIRE(add(a, b, sum.data()) == sum.size());
        for (double place = -100.25; place < 20000; place += 37)
            CHECK(are_near(fraction_before(sum, place), fraction_before(a, place) + fraction_before(b, place)));
    }
}

TEST_CASE("values between two places are spread as they were", "[distance]") {
    samples::Random random{4};
    for (int turn = 0; turn < 100; ++turn) {
        const auto all = some_points(random, 3 + random.bits() % 20);
        const double lower = static_cast<double>(random.bits() % 2000) + 0.5,
                     upper = lower + 1 + static_cast<double>(random.bits() % 5000);
        const double before = fraction_before(all, lower), within = fraction_before(all, upper) - before;
        auto kept = all;
        const Points points = restricted(kept, lower, upper);
        CHECK(points.front().fraction == 0);
        CHECK(are_near(points.back().fraction, 1));
        for (double place = lower + 1; place < upper && within > 0; place += 37.5)
            CHECK(are_near(fraction_before(points, place), (fraction_before(all, place) - before) / within));
        auto same = all;
        CHECK(are_near(restricted(same, -infinite_distance, infinite_distance).back().fraction, 1));
    }
    std::vector<Point> far{{0, 0}, {1, 1}};
    const Points empty = restricted(far, 10, 20);
    CHECK(are_near(fraction_before(empty, 15), 0.5));
}

TEST_CASE("places are in the order of ids of each version", "[distance]") {
    const double at = place_of(floor_of(Time(std::chrono::hours(1))));
    CHECK(at == 3'600'000);
    CHECK(place_of(Time(std::chrono::hours(1))) == at);
    CHECK(place_of(nil_id) < place_of(lowest_timed));
    CHECK(place_of(highest_timed) < place_of(lowest_untimed));
}
