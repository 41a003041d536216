// The chronological order: total, consistent with equality, and as in reference.hpp.

namespace {

// An id with its place in the reference order.
struct Placed {
    Id id;
    reference::Place place;

    explicit Placed(const Id& of) : id(of), place(reference::place(of)) {}
};

// The reference is a lexicographic comparison, hence total, antisymmetric and transitive. So is an order that agrees
// with it for each pair in both directions.
void compare_as_the_contract_says(const Placed& a, const Placed& b) {
    REQUIRE_LAW((compare(a.id, b.id) < 0) == (a.place < b.place), a.id, b.id);
    REQUIRE_LAW((compare(b.id, a.id) < 0) == (b.place < a.place), a.id, b.id);
    REQUIRE_LAW((compare(a.id, b.id) == 0) == (a.id == b.id), a.id, b.id);
    REQUIRE_LAW((compare(b.id, a.id) == 0) == (a.id == b.id), a.id, b.id);
}

// The keys of a sort are consistent too, whichever id they meet first.
void sort_without_contradiction(const Id& first, const Placed& a, const Placed& b) {
    SortKeys keys;
    keys.key_of(first);
    const std::uint64_t key_of_a = keys.key_of(a.id);
    const std::uint64_t key_of_b = keys.key_of(b.id);
    REQUIRE_LAW(a.place < b.place ? key_of_a <= key_of_b : key_of_a >= key_of_b, first, a.id, b.id);
    REQUIRE_LAW(a.id != b.id || key_of_a == key_of_b, first, a.id);
}

std::vector<Placed> sorted_by_reference(const std::vector<Id>& ids) {
    std::vector<Placed> all;
    for (const Id& id : ids)
        all.emplace_back(id);
    std::sort(all.begin(), all.end(), [](const Placed& a, const Placed& b) { return a.place < b.place; });
    return all;
}

static_assert(compare(nil_id, id_of("00000000-0000-1000-8000-000000000000")) < 0, "nil before all time");
static_assert(compare(nil_id, id_of("00000000-0000-0000-0000-000000000001")) < 0);
static_assert(compare(id_of("ffffffff-ffff-bfff-ffff-ffffffffffff"), id_of("00000000-0000-0000-0000-000000000001")) < 0,
              "the last time before all that is untimed");
static_assert(compare(nil_id, nil_id) == 0);

}  // namespace

TEST_CASE("RFC 9562's vectors of one time sort together, by version", "[order]") {
    const Id ascending[] = {
        id_of("00000000-0000-0000-0000-000000000000"),  // nil
        id_of("C232AAFF-9414-11EC-BFFF-FFFFFFFFFFFF"),  // a tick before
        id_of("C232AB00-9414-11EC-B3C8-9F6BDECED846"),  // A.1
        id_of("1EC9414C-232A-6B00-B3C8-9F6BDECED846"),  // A.5
        id_of("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"),  // A.6
        id_of("00000000-0000-8000-8000-017F22E279B0"), id_of("00000000-0000-b000-0000-017F22E279B0"),
        id_of("C232AB01-9414-11EC-8000-000000000000"),  // a tick after
        id_of("2489E9AD-2EE2-8E00-8EC9-32D5F69181C0"),  // B.1, read as a time
        id_of("5c146b14-3c52-8afd-938a-375d0df1fbf6"),  // B.2, the same
        id_of("5df41881-3aed-3515-88a7-2f4a814cf09e"),  // A.2, untimed from here on, by version
        id_of("919108F7-52D1-4320-9BAC-F847DB4148A8"),  // A.3
        id_of("2ed6657d-e927-568b-95e1-2665a8aea6a2"),  // A.4
        id_of("ffffffff-ffff-ffff-ffff-ffffffffffff"),  // max
    };
    for (const Id& a : ascending)
        for (const Id& b : ascending) {
            CAPTURE(a, b);
            CHECK(compare(a, b) == (std::addressof(a) <=> std::addressof(b)));
        }
}

TEST_CASE("all pairs compare as in the contract", "[order]") {
    samples::Random random(1);
    std::vector<Id> ids = samples::hostile_ids();
    for (const Id& id : samples::crowded_ids(random, 2000))
        ids.push_back(id);
    for (int i = 0; i < 200; ++i)
        ids.push_back(samples::any_id(random));

    const std::vector<Placed> all(ids.begin(), ids.end());
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i; j < all.size(); ++j)
            compare_as_the_contract_says(all[i], all[j]);
}

TEST_CASE("a large sample sorts as by the reference, and abbreviated keys are consistent", "[order]") {
    samples::Random random(2);
    std::vector<Id> ids = samples::crowded_ids(random, 200'000);
    for (const Id& id : samples::hostile_ids())
        ids.push_back(id);
    for (int i = 0; i < 50'000; ++i)
        ids.push_back(samples::any_id(random));

    const std::vector<Placed> all = sorted_by_reference(ids);
    std::sort(ids.begin(), ids.end(), [](const Id& a, const Id& b) { return compare(a, b) < 0; });
    std::size_t told_apart = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        REQUIRE_LAW(ids[i] == all[i].id, ids[i], all[i].id);
        if (i == 0)
            continue;
        REQUIRE_LAW(abbreviate(all[i - 1].id) <= abbreviate(all[i].id), all[i - 1].id, all[i].id);
        told_apart += abbreviate(all[i - 1].id) != abbreviate(all[i].id);
    }
    // A constant would satisfy the law but be useless.
    CHECK(told_apart > all.size() / 2);
}

TEST_CASE("the keys of a sort are consistent with the order, whichever id comes first", "[order]") {
    samples::Random random(5);
    std::vector<Id> ids = samples::crowded_ids(random, 20'000);
    for (const Id& id : samples::hostile_ids())
        ids.push_back(id);
    // Around the ends of the stretches of time around the first id, and beyond.
    for (int i = 0; i < 20'000; ++i) {
        const Id near = ids[random.below(ids.size())];
        const auto instant = ticks(near);
        const Layout layout = samples::timed_layouts[random.below(std::size(samples::timed_layouts))];
        const std::int64_t distance =
            (std::int64_t{1} << (22 + random.below(9))) + static_cast<std::int64_t>(random.below(3)) - 1;
        const std::int64_t sign = random.below(2) == 0 ? 1 : -1;
        if (instant && *instant / samples::ticks_per_millisecond + sign * distance > 0)
            ids.push_back(samples::id_at(layout, *instant + sign * distance * samples::ticks_per_millisecond,
                                         samples::any_id(random)));
    }

    const std::vector<Placed> all = sorted_by_reference(ids);
    for (int round = 0; round < 100; ++round) {
        const Id first = ids[random.below(ids.size())];
        for (std::size_t i = 1; i < all.size(); ++i)
            sort_without_contradiction(first, all[i - 1], all[i]);
    }
    for (int i = 0; i < 1'000'000; ++i)
        sort_without_contradiction(ids[random.below(ids.size())], all[random.below(all.size())],
                                   all[random.below(all.size())]);
}

TEST_CASE("a tick after the last sequence of a millisecond has no lesser key", "[order]") {
    constexpr std::uint64_t millisecond = 1'795'262'400'000;
    const Id last = locality_id(LocalityVersion::vb, block_of(0xffff'ffff), {}, millisecond);
    const Id after = v1_id(gregorian_count_at(*time_of(last) + Ticks(1)), rfc_variant);
    sort_without_contradiction(last, Placed(last), Placed(after));
}

TEST_CASE("in a sort of a bulk load no two keys are equal", "[order]") {
    const LocalityVersion version = GENERATE(LocalityVersion::vb, LocalityVersion::v8);
    const bool sequential = GENERATE(false, true);
    constexpr std::uint64_t day = 24 * 3600 * 1000;
    constexpr std::uint64_t begin = 1'795'262'400'000;
    SortKeys keys;
    std::uint64_t previous = 0;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) {
        // Several thousand in each millisecond, over five days.
        const auto sequence = static_cast<std::uint32_t>(sequential ? i : i << 16);
        const Id id = locality_id(version, block_of(sequence), {12'345, 0xd537a50}, begin + i / 5000 * (day / 40));
        const std::uint64_t key = keys.key_of(id);
        REQUIRE_LAW(key > previous || (!sequential && i % 65'536 == 0), id, key, previous);
        previous = key;
    }
}

TEST_CASE("few are of version 7, whether several of its ids share a stamp or they are of a year", "[order]") {
    const double ticks_apart = GENERATE(0.6, 315'360'000.0);
    samples::Random random(6);
    V7Timeline timeline;
    SortKeys keys;
    std::uint64_t previous = 0, equal = 0;
    constexpr std::uint64_t count = 1'000'000;
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto ticks = static_cast<std::int64_t>(static_cast<double>(i) * ticks_apart);
        const Id id = timeline.next(TickTime(Ticks(17'952'624'000'000'000 + ticks)), random.bits());
        const std::uint64_t key = keys.key_of(id);
        REQUIRE_LAW(key >= previous, id, key, previous);
        equal += key == previous;
        previous = key;
    }
    CHECK(equal < count / 100);
}

TEST_CASE("version-1 ids of a time are between the least and the greatest of Cassandra's TimeUUIDType", "[order]") {
    samples::Random random(5);
    const Id least = id_of("e23f1e00-53a6-11e2-8080-808080808080");     // minTimeuuid('2013-01-01 00:05+0000')
    const Id greatest = id_of("e23f1e00-53a6-11e2-7f7f-7f7f7f7f7f7f");  // maxTimeuuid of the same
    for (int i = 0; i < 200'000; ++i) {
        const Id id = v1_id(gregorian_count(least, Layout::v1), random.bits());
        REQUIRE_LAW(compare(least, id) <= 0 && compare(id, greatest) <= 0, id);
        const Id next = v1_id(gregorian_count(least, Layout::v1) + 1, random.bits());
        REQUIRE_LAW(compare(greatest, next) < 0, next);
    }
}
