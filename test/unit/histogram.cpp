// The fraction of a sample's values before a bound, compared with the range that counting them allows.
#include "catch.hpp"
#include "histogram_laws.hpp"
#include "samples.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace laws;
using samples::id_of;

namespace {

// Up to rounding; keys lose less than a millisecond.
bool are_near(double a, double b) { return std::abs(a - b) < 1e-6; }

constexpr std::int64_t hour = 36'000'000'000;  // in ticks

Id at_hour(double hours) {
    return samples::id_at(Layout::vb, 16'000'000'000'000'000 + static_cast<std::int64_t>(hours * hour), {});
}

std::vector<Id> sorted(std::vector<Id> ids, Order order) {
    std::sort(ids.begin(), ids.end(), [order](const Id& a, const Id& b) { return compare(order, a, b) < 0; });
    return ids;
}

std::vector<Id> some_ids(samples::Random& random, std::size_t count, int kind) {
    std::vector<Id> ids = kind == 0 ? samples::crowded_ids(random, static_cast<int>(count)) : samples::hostile_ids();
    std::shuffle(ids.begin(), ids.end(), std::mt19937_64(random.bits()));
    ids.resize(std::min(ids.size(), count));
    while (ids.size() < count)
        ids.push_back(samples::any_id(random));
    return ids;
}

}  // namespace

TEST_CASE("a bound within a histogram bin is interpolated by time", "[histogram]") {
    const Packed packed({at_hour(10), at_hour(11), at_hour(13)});
    const Distribution distribution(packed.ids(), Order::time, true);
    const auto before = [&](double hours) { return distribution.fraction_before({at_hour(hours), false}); };
    CHECK(before(9) == 0);
    CHECK(before(10) == 0);
    CHECK(are_near(before(10.5), 0.25));
    CHECK(before(11) == 0.5);
    CHECK(are_near(before(12), 0.75));
    CHECK(before(13) == 1);
    CHECK(before(14) == 1);
    CHECK(are_near(distribution.fraction_within({Bound{at_hour(10.5), false}, Bound{at_hour(12), false}}), 0.5));
    CHECK(are_near(distribution.fraction_within({Bound{at_hour(12), false}, std::nullopt}), 0.25));
    CHECK(distribution.bins() == 2);
}

TEST_CASE("a value that fills whole bins is before a bound after it, and not before a bound before it", "[histogram]") {
    const Packed packed({at_hour(10), at_hour(11), at_hour(11), at_hour(11), at_hour(12)});
    const Distribution distribution(packed.ids(), Order::time, true);
    CHECK(distribution.fraction_before({at_hour(11), false}) == 0.25);
    CHECK(distribution.fraction_before({at_hour(11), true}) == 0.75);
}

TEST_CASE("values in another order are a sample, with more values beyond its ends", "[histogram]") {
    const Packed packed({at_hour(13), at_hour(11), at_hour(12)});
    Distribution distribution(packed.ids(), Order::time, false);
    CHECK(distribution.fraction_before({at_hour(11), false}) == 0.25);
    CHECK(are_near(distribution.fraction_before({at_hour(11.5), false}), 0.375));
    CHECK(distribution.fraction_before({at_hour(13), true}) == 0.75);
    CHECK(are_near(distribution.fraction_before({at_hour(10), false}), 0.125));  // half of the first quarter
    CHECK(are_near(distribution.fraction_before({at_hour(13.5), false}), 0.875));
    CHECK(distribution.fraction_before({at_hour(15), false}) == 1);

    distribution.end_at_last_value();
    CHECK(distribution.fraction_before({at_hour(13), true}) == 1);
    CHECK(distribution.fraction_before({at_hour(13.5), false}) == 1);
}

TEST_CASE("values with ordered keys are a histogram, whatever order they were sorted by", "[histogram]") {
    const Packed packed({at_hour(11), at_hour(12), at_hour(13)});
    CHECK(Distribution(packed.ids(), Order::time, false).fraction_before({at_hour(11), false}) == 0);
    CHECK(Distribution(packed.ids(), Order::time, false).bins() == 2);
}

TEST_CASE("the last time is that of the last timed id", "[histogram]") {
    const std::vector<Id> ids = sorted(
        {nil_id, at_hour(1), at_hour(4), at_hour(9), id_of("919108f7-52d1-4320-9bac-f847db4148a8")}, Order::time);
    std::vector<Id> shuffled = ids;
    std::swap(shuffled[1], shuffled[4]);
    for (const auto& [values, is_in_order] : {std::pair(ids, true), std::pair(shuffled, false)}) {
        const Packed packed(values);
        const Distribution distribution(packed.ids(), Order::time, is_in_order);
        CHECK(distribution.times().first == abbreviate(at_hour(1)));
        CHECK(distribution.times().last == abbreviate(at_hour(9)));
        CHECK(distribution.times().last_id == at_hour(9));
        CHECK(!distribution.times().is_empty());
        // One of five values in two of the eight hours, a quarter.
        CHECK(are_near(
            distribution.recent_rate() * static_cast<double>(abbreviate(at_hour(9)) - abbreviate(at_hour(7))), 0.2));
    }
    const Packed untimed(
        {id_of("919108f7-52d1-4320-9bac-f847db4148a8"), id_of("919108f7-52d1-4320-9bac-f847db4148a9")});
    CHECK(Distribution(untimed.ids(), Order::time, true).times().is_empty());
    CHECK(Distribution(Packed(ids).ids(), Order::bytes, true).times().is_empty());
}

TEST_CASE("every fraction is consistent with the number of values before the bound", "[histogram]") {
    samples::Random random(1);
    const Order order = GENERATE(Order::time, Order::bytes);
    const int kind = GENERATE(0, 1);
    for (const std::size_t count : {2, 3, 4, 9, 100, 101, 500, 1023, 1024}) {
        const std::vector<Id> ids = some_ids(random, count, kind);
        for (const auto& values : {sorted(ids, order), ids}) {
            const bool is_in_order = values == sorted(ids, order);
            const Sampled sampled(values, order, is_in_order);
            for (int i = 0; i < 300; ++i) {
                const Id near = values[random.below(count)];
                const Id id =
                    random.below(2) == 0 ? near : samples::flip_bit(near, static_cast<unsigned>(random.below(128)));
                sampled.has_a_fraction_as_counted({id, random.below(2) == 0});
            }
        }
    }
}

TEST_CASE("between equally spaced values, the fraction is linear in the distance", "[histogram]") {
    const Order order = GENERATE(Order::time, Order::bytes);
    const int count = GENERATE(2, 10, 50, 100, 1023, 1024);
    const auto value = [&](double place) {
        return order == Order::time ? at_hour(place) : Id{static_cast<std::uint64_t>((place + 1) * 1e15), 0};
    };
    for (const bool is_in_order : {true, false}) {
        std::vector<Id> ids;
        for (int i = 0; i < count; ++i)
            ids.push_back(value(is_in_order ? i : (i + count / 2) % count));
        const Packed packed(ids);
        const Distribution distribution(packed.ids(), order, is_in_order);
        for (double place = 0.125; place < count - 1; place += 0.25) {
            const double fraction = is_in_order ? place / (count - 1) : (place + 1) / (count + 1);
            REQUIRE_LAW(are_near(distribution.fraction_before({value(place), false}), fraction), count, place);
        }
    }
}

TEST_CASE("a sample above the limit is thinned out evenly", "[histogram]") {
    std::vector<Id> ids;
    for (int i = 0; i < 10'000; ++i)
        ids.push_back(at_hour(i * 7919 % 10'000));
    const Packed packed(ids);
    const Distribution distribution(packed.ids(), Order::time, false);
    for (int percent = 1; percent < 100; ++percent)
        CHECK(std::abs(distribution.fraction_before({at_hour(percent * 100), false}) - percent / 100.0) < 0.02);
}

TEST_CASE("a range contains the ids between its bounds", "[histogram]") {
    samples::Random random(2);
    const Order order = GENERATE(Order::time, Order::bytes);
    const std::vector<Id> ids = some_ids(random, 200, 0);
    for (int i = 0; i < 20'000; ++i) {
        const auto any_bound = [&] { return Bound{ids[random.below(ids.size())], random.below(2) == 0}; };
        const Bound lower = any_bound(), other_lower = any_bound(), upper = any_bound();
        const Id id = ids[random.below(ids.size())];
        IdRange range;
        REQUIRE_LAW(range.contains(order, id) && !range.is_empty(order), id);
        range.restrict_lower(order, lower);
        range.intersect(order, {other_lower, upper});
        const auto is_after = [&](const Bound& bound) {
            return bound.after ? compare(order, bound.id, id) < 0 : compare(order, bound.id, id) <= 0;
        };
        const bool is_within = is_after(lower) && is_after(other_lower) && !is_after(upper);
        REQUIRE_LAW(range.contains(order, id) == is_within, id, lower.id, other_lower.id, upper.id);
        REQUIRE_LAW(!is_within || !range.is_empty(order), id, lower.id, other_lower.id, upper.id);
    }
}
