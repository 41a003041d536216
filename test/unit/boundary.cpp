// Boundaries: comparing with floor and ceiling compares times, for every id and every microsecond.

namespace {

// An id with its time as the reference reads it.
struct Witness {
    Id id;
    std::optional<std::int64_t> microsecond;

    explicit Witness(const Id& of) : id(of), microsecond(reference::microseconds(of)) {}
};

// Comparing with the boundaries of t compares with t.
void boundaries_hold(const Witness& witness, std::int64_t t, const Id& floor, const Id& ceiling) {
    const Id& id = witness.id;
    const bool from_floor = compare(id, floor) >= 0;
    const bool to_ceiling = compare(id, ceiling) <= 0;
    if (witness.microsecond) {
        REQUIRE_LAW(from_floor == (*witness.microsecond >= t), id, t, floor);
        REQUIRE_LAW(to_ceiling == (*witness.microsecond <= t), id, t, ceiling);
    } else if (id == nil_id) {
        REQUIRE_LAW(compare(id, floor) <= 0, t, floor);
        REQUIRE_LAW(to_ceiling, t, ceiling);
    } else {
        REQUIRE_LAW(from_floor, id, t, floor);
        REQUIRE_LAW(!to_ceiling, id, t, ceiling);
    }
}

// Boundaries increase with time: the ceiling of one microsecond is before the floor of the next.
void boundaries_rise(std::int64_t before, std::int64_t after) {
    REQUIRE_LAW(compare(floor_of(at_microsecond(before)), floor_of(at_microsecond(after))) <= 0, before, after);
    REQUIRE_LAW(compare(ceiling_of(at_microsecond(before)), ceiling_of(at_microsecond(after))) <= 0, before, after);
    constexpr std::int64_t last_millisecond_us = ((std::int64_t{1} << 48) - 1) * 1000;
    if (before < after && before != std::numeric_limits<std::int64_t>::min() && after <= last_millisecond_us)
        REQUIRE_LAW(compare(ceiling_of(at_microsecond(before)), floor_of(at_microsecond(after))) < 0, before, after);
}

static_assert(floor_of(Time::min()) == lowest_timed);
static_assert(ceiling_of(Time::max()) == highest_timed);
static_assert(ceiling_of(at_microsecond(samples::gregorian_start_us - 1)) == nil_id);
static_assert(compare(nil_id, floor_of(Time::min())) < 0);
// Floors reach the untimed ids at the end of time, not before.
static_assert(ticks(floor_of(at_microsecond(samples::last_millisecond_us))) == samples::last_millisecond_us * 10);
static_assert(!ticks(floor_of(at_microsecond(samples::last_millisecond_us + 1))));
static_assert(compare(floor_of(Time::max()), id_of("00000000-0000-0000-0000-000000000001")) <= 0);

std::vector<Witness> witnesses(samples::Random& random, std::size_t count) {
    std::vector<Id> ids = samples::hostile_ids();
    for (const Id& id : samples::crowded_ids(random, count / 2))
        ids.push_back(id);
    for (std::size_t i = 0; i < count / 2; ++i)
        ids.push_back(samples::with_version(samples::any_id(random), static_cast<unsigned>(random.below(16))));
    std::vector<Witness> all;
    for (const Id& id : ids)
        all.emplace_back(id);
    return all;
}

}  // namespace

TEST_CASE("the laws hold for edge and random ids at edge and random times", "[boundary]") {
    samples::Random random(1);
    std::vector<std::int64_t> times = samples::hostile_times();
    for (int i = 0; i < 100; ++i) {
        times.push_back(static_cast<std::int64_t>(random.bits()));
        times.push_back(static_cast<std::int64_t>(random.below(samples::last_millisecond_us)));
        times.push_back(samples::gregorian_start_us + static_cast<std::int64_t>(random.below(100'000'000'000'000'000)));
    }
    const std::vector<Witness> all = witnesses(random, 20'000);
    for (const std::int64_t t : times) {
        const Id floor = floor_of(at_microsecond(t));
        const Id ceiling = ceiling_of(at_microsecond(t));
        for (const Witness& witness : all)
            boundaries_hold(witness, t, floor, ceiling);
    }
}

TEST_CASE("the laws hold for each id at and around its own time", "[boundary]") {
    samples::Random random(2);
    for (const Witness& witness : witnesses(random, 200'000))
        if (witness.microsecond)
            for (const std::int64_t distance : {0, 1, 2, 10, 500, 999, 1000, 1001})
                for (const std::int64_t t : {*witness.microsecond - distance, *witness.microsecond + distance})
                    boundaries_hold(witness, t, floor_of(at_microsecond(t)), ceiling_of(at_microsecond(t)));
}

TEST_CASE("boundaries increase with time: ceiling of one microsecond, floor of the next", "[boundary]") {
    std::vector<std::int64_t> times = samples::hostile_times();
    std::sort(times.begin(), times.end());
    for (std::size_t i = 1; i < times.size(); ++i)
        boundaries_rise(times[i - 1], times[i]);
}

TEST_CASE("the lowest and the highest bound enclose all timed ids", "[boundary]") {
    samples::Random random(3);
    for (const Witness& witness : witnesses(random, 20'000))
        REQUIRE_LAW((compare(witness.id, lowest_timed) >= 0 && compare(witness.id, highest_timed) <= 0) ==
                        witness.microsecond.has_value(),
                    witness.id);
}
