// The fractions of a column's rows before a time, and of pairs of rows within a distance, compared with counting.
#include <core/distribution.hpp>

namespace {

// Laws for the points of a histogram, computed by counting its values one by one.
class Histogram {
public:
    // In the order of the statistics: two at least.
    explicit Histogram(const std::vector<Id>& values) {
        for (const Id& id : values)
            points_.push_back({place_of(id), 0});
        add_up(points_, points_.size(), 1);
    }

    Points points() const { return points_; }

    void points_rise_from_0_to_1() const {
        REQUIRE_LAW(points_.front().fraction == 0 && std::abs(points_.back().fraction - 1) < 1e-9, points_.size());
        for (std::size_t i = 1; i < points_.size(); ++i)
            REQUIRE_LAW(points_[i - 1].place <= points_[i].place && points_[i - 1].fraction < points_[i].fraction, i);
    }

    void has_a_fraction_as_counted(const Bound& bound) const {
        const double place = place_of(bound.id);
        double less = 0, equal = 0;
        for (const Point& other : points_) {
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
    std::vector<Point> points_;
};

bool are_near(double a, double b, double tolerance = 1e-9) { return std::abs(a - b) <= tolerance; }

Id id_at(double millisecond) {
    return samples::id_at(Layout::v7, static_cast<std::int64_t>(millisecond) * samples::ticks_per_millisecond, {});
}

// Some points in ascending order, a part of them steps; nil and untimed ids are among the rows of every third list.
std::vector<Point> some_points(samples::Random& random, std::size_t count) {
    std::vector<Point> points;
    double place = 0, fraction = 0;
    const auto step = [&](double at) {
        points.push_back({at, fraction});
        points.push_back({at, fraction += static_cast<double>(random.below(100))});
    };
    const bool has_untimed = random.below(3) == 0;
    if (has_untimed)
        step(place_of(nil_id));
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back({place, fraction});
        place += random.below(4) == 0 ? 0 : static_cast<double>(random.below(1000) + 1);
        fraction += i + 1 == count ? 0 : static_cast<double>(random.below(100));
    }
    if (has_untimed)
        step(place_of(lowest_untimed));
    for (Point& point : points)
        point.fraction /= fraction + 1;
    return points;
}

std::vector<Point> some_points(samples::Random& random) { return some_points(random, 2 + random.below(20)); }

// As many values, each in the middle of its part of the column; null ones are left out.
std::vector<double> values_of(Points points, int count) {
    std::vector<double> values;
    std::size_t n = 1;
    for (double i = 0.5; i < count; ++i) {
        while (n < points.size() && points[n].fraction <= i / count)
            ++n;
        if (n == points.size())
            break;
        const Point &low = points[n - 1], &high = points[n];
        values.push_back(low.place +
                         (high.place - low.place) * (i / count - low.fraction) / (high.fraction - low.fraction));
    }
    return values;
}

// An id at each place of some points, and one between two.
template <class Check>
void for_ids_of(Points points, const Check& check) {
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double place = points[i].place;
        check(place == place_of(nil_id) ? nil_id : place == place_of(lowest_untimed) ? lowest_untimed : id_at(place));
        if (i > 0 && std::abs(place) < 1e9 && std::abs(points[i - 1].place) < 1e9)
            check(id_at(std::floor((place + points[i - 1].place) / 2)));
    }
}

}  // namespace

TEST_CASE("a time between two bounds of a histogram is interpolated, and a value that fills bins is a step",
          "[distribution]") {
    const Histogram histogram({id_at(10), id_at(11), id_at(11), id_at(11), id_at(15)});
    const auto before = [&](double place, bool after = false) {
        return fraction_before(histogram.points(), {id_at(place), after});
    };
    CHECK(before(9) == 0);
    CHECK(before(10) == 0);
    CHECK(before(11) == 0.25);
    CHECK(before(11, true) == 0.75);
    CHECK(are_near(before(14), 0.9375));
    CHECK(before(15) == 1);
    CHECK(before(16) == 1);
    CHECK(are_near(fraction_within(histogram.points(), {Bound{id_at(11), true}, Bound{id_at(14)}}), 0.1875));
    CHECK(fraction_within(histogram.points(), {.upper = {id_at(11)}}) == 0.25);
    CHECK(fraction_within(histogram.points(), {.lower = {id_at(11)}}) == 0.75);
    CHECK(fraction_within(histogram.points(), {Bound{id_at(14)}, Bound{id_at(11)}}) == 0);
    CHECK(fraction_within({}, {}) == 0);
}

TEST_CASE("every fraction is consistent with the number of values before the bound", "[distribution]") {
    samples::Random random(1);
    for (const bool is_crowded : {true, false})
        for (const std::size_t count : {2, 3, 4, 9, 100, 101, 1024}) {
            std::vector<Id> ids = is_crowded ? samples::crowded_ids(random, count) : samples::hostile_ids();
            std::shuffle(ids.begin(), ids.end(), std::mt19937_64(random.bits()));
            ids.resize(count);
            for (int order = 0; order < 2; ++order) {
                const Histogram histogram(ids);
                histogram.points_rise_from_0_to_1();
                for (int i = 0; i < 300; ++i) {
                    const Id near = ids[random.below(count)];
                    const Id id =
                        random.below(2) == 0 ? near : samples::flip_bit(near, static_cast<unsigned>(random.below(128)));
                    histogram.has_a_fraction_as_counted({id, random.below(2) == 0});
                }
                std::sort(ids.begin(), ids.end(), [](const Id& a, const Id& b) { return compare(a, b) < 0; });
            }
        }
}

TEST_CASE("values in another order are a sample, of which each one counts", "[distribution]") {
    const auto value = [](int i) { return i < 50 ? nil_id : i < 10'050 ? id_at(i) : lowest_untimed; };
    std::vector<Id> ids;
    for (int i = 0; i < 10'101; ++i)
        ids.push_back(value(i * 7919 % 10'101));
    const Histogram histogram(ids);
    CHECK(histogram.points().size() == ids.size());
    for (int i = 49; i < 10'050; i += 111)
        CHECK(are_near(10'100 * fraction_before(histogram.points(), {value(i), true}), i));
}

TEST_CASE("a range has the ids between its bounds", "[distribution]") {
    samples::Random random(2);
    const std::vector<Id> ids = samples::crowded_ids(random, 100);
    for (int i = 0; i < 20'000; ++i) {
        const Bound lower{ids[random.below(ids.size())], random.below(2) == 0};
        const Bound upper{ids[random.below(ids.size())], random.below(2) == 0};
        const Id id = ids[random.below(ids.size())];
        const auto has = [&](const IdRange& range) { return range.lower <= Bound{id} && Bound{id} < range.upper; };
        REQUIRE_LAW(has({.lower = lower}) == (compare(lower.id, id) < 0 || (id == lower.id && !lower.after)), id);
        REQUIRE_LAW(has({.upper = upper}) == (compare(id, upper.id) < 0 || (id == upper.id && upper.after)), id);
        REQUIRE_LAW(!(has({lower, upper}) && IdRange{lower, upper}.is_empty()), id);
        REQUIRE_LAW(has({}), id);
    }
}

TEST_CASE("values that are steps of a histogram add the rows at and before each place", "[distribution]") {
    samples::Random random(3);
    for (int turn = 0; turn < 100; ++turn) {
        std::vector<Point> histogram, sum, steps;
        for (std::size_t i = 0, count = 2 + random.below(20); i < count; ++i)
            histogram.push_back({static_cast<double>(random.below(5000)), 0});
        for (std::size_t i = 0, count = random.below(10); i < count; ++i)
            steps.push_back(
                {random.below(3) == 0 ? histogram.front().place : static_cast<double>(random.below(6000)), 0.01});
        sum = histogram;
        for (const Point& step : steps)
            sum.insert(sum.end(), {{step.place, 0}, step});
        const double others = 1 - 0.01 * static_cast<double>(steps.size());
        add_up(sum, histogram.size(), others);
        add_up(histogram, histogram.size(), others);
        CHECK(std::ranges::is_sorted(sum, {}, &Point::place));
        CHECK(std::ranges::is_sorted(sum, {}, &Point::fraction));
        const double bin = 1 / static_cast<double>(histogram.size() - 1);
        for_ids_of(sum, [&](const Id& id) {
            for (const bool after : {false, true}) {
                double before = 0;
                for (const Point& step : steps)
                    before += step.place < place_of(id) || (after && step.place == place_of(id)) ? step.fraction : 0;
                // Within a bin the rows are after its last step.
                REQUIRE_LAW(
                    are_near(fraction_before(sum, {id, after}), fraction_before(histogram, {id, after}) + before, bin),
                    turn, id);
            }
        });
    }
    std::vector<Point> alone{{7, 0.25}};  // beside no histogram
    add_up(alone, 0, 0.75);
    CHECK(alone.front() == Point{7, 0.25});
}

TEST_CASE("the rows of a range are spread as they were", "[distribution]") {
    samples::Random random(4);
    for (int turn = 0; turn < 300; ++turn) {
        const auto all = some_points(random);
        const auto some_bound = [&](const Bound& open) {
            switch (random.below(4)) {
                case 0:
                    return open;
                case 1:
                    return Bound{nil_id, random.below(2) == 0};
                default:
                    return Bound{id_at(static_cast<double>(random.below(5000))), random.below(2) == 0};
            }
        };
        const IdRange range{some_bound(IdRange{}.lower), some_bound(IdRange{}.upper)};
        const double before = fraction_before(all, range.lower), within = fraction_within(all, range);
        auto points = all;
        restrict_to(points, range);
        CHECK(points.front().fraction == 0);
        CHECK(are_near(points.back().fraction, within));
        if (within > 1e-9)
            for_ids_of(all, [&](const Id& id) {
                for (const bool after : {false, true})
                    REQUIRE_LAW(are_near(fraction_before(points, {id, after}),
                                         std::clamp(fraction_before(all, {id, after}) - before, 0.0, within), 1e-6),
                                turn, id);
            });
    }
    std::vector<Point> far{{0, 0}, {1, 1}};
    restrict_to(far, {Bound{id_at(10)}, Bound{id_at(20)}});
    CHECK(fraction_before(far, Bound{id_at(15)}) == 0);
}

TEST_CASE("an event of ten minutes is within a minute after one of the same ten with 19 of 200", "[distribution]") {
    const std::vector<Point> minutes{{0, 0}, {10, 1}};
    CHECK(are_near(fraction_nearer(minutes, minutes, 0), 0.5));
    CHECK(are_near(fraction_nearer(minutes, minutes, 1) - fraction_nearer(minutes, minutes, 0), 0.095));
    CHECK(fraction_nearer(minutes, minutes, infinite_distance) == 1);
    CHECK(fraction_nearer(minutes, minutes, -infinite_distance) == 0);
}

TEST_CASE("the fraction of pairs nearer than a distance is that of counted pairs, and rises with it",
          "[distribution]") {
    constexpr int count = 300;
    samples::Random random(5);
    for (int turn = 0; turn < 100; ++turn) {
        const auto later = some_points(random), earlier = some_points(random);
        const auto of_later = values_of(later, count), of_earlier = values_of(earlier, count);
        double last = 0;
        for (const double distance : {-1e6, -5000.0, -300.0, -1.0, 0.0, 1.0, 100.0, 5000.0, 1e6}) {
            double pairs = 0;
            for (const double a : of_later)
                for (const double b : of_earlier)
                    pairs += a - b < distance;
            const double nearer = fraction_nearer(earlier, later, distance);
            CHECK(are_near(nearer, pairs / count / count, 0.02));
            CHECK(nearer >= last - 1e-12);
            // The other way, the others are nearer, but for those at the distance.
            CHECK(nearer + fraction_nearer(later, earlier, -distance) <=
                  later.back().fraction * earlier.back().fraction + 1e-9);
            last = nearer;
        }
    }
}

TEST_CASE("places are in the order of ids of each version", "[distribution]") {
    CHECK(place_of(floor_of(Time(std::chrono::hours(1)))) == 3'600'000);
    const Id ids[] = {nil_id,        lowest_timed,  floor_of(Time(std::chrono::hours(-1))),
                      id_at(0),      id_at(1),      id_at(1LL << 44),
                      highest_timed, lowest_untimed};
    for (std::size_t i = 1; i < std::size(ids); ++i)
        CHECK(place_of(ids[i - 1]) < place_of(ids[i]));
}
