// Placement: how even it is, how far apart lanes repeat, and how long ids take. script.cpp has where they land, and
// that they differ.

TEST_CASE("placed ids spread evenly within their shard", "[placement]") {
    Machine machine;
    int counts[16] = {};
    for (int i = 0; i < 16'000; ++i)
        ++counts[shard_of(machine.next_in_shard(3, 8), 128) - 48];
    for (const int count : counts)
        CHECK((count > 900 && count < 1100));
}

TEST_CASE("nearby draws never get the same block in a lane", "[placement]") {
    const auto holds = [](LaneRange lane, std::uint64_t draw, std::uint32_t distance) {
        REQUIRE_LAW(block_in_lanes(lane, draw) != block_in_lanes(lane, draw + distance), draw, distance);
    };
    samples::Random random(3);
    for (int i = 0; i < 200'000; ++i)
        holds({static_cast<std::uint32_t>(random.below(65'536)), 1}, random.bits() >> 1,
              static_cast<std::uint32_t>(1 + random.below(distinct_draws - 1)));
    // Every pair this far apart around the counter's own wrap, and in two of its laps.
    constexpr std::uint64_t wrap = std::uint64_t{1} << 32;
    for (const std::uint64_t start : {wrap - 2 * lap_steps, wrap})
        for (std::uint64_t draw = start; draw != start + 2 * lap_steps; ++draw)
            for (const std::uint32_t distance : {1u, 2u, 15u, 16u, distinct_draws - 2, distinct_draws - 1})
                holds({7, 1}, draw, distance);
}

TEST_CASE("ids near many neighbours keep up with the clock", "[placement]") {
    samples::Random random(5);
    Machine machine;
    for (int i = 0; i < 1'000'000; ++i) {
        machine.now += i % 4096 == 0;
        const Id id = machine.next_near(samples::any_id(random), 16);
        REQUIRE_LAW(millisecond_field(id) == machine.now, id, machine.now);
    }
}

TEST_CASE("a full lane continues in the next millisecond", "[placement]") {
    Machine machine;
    std::vector<Id> ids;
    for (int i = 0; i < 300'000; ++i)
        ids.push_back(machine.next_in({0x1234'0000, 0x1235'0000}));
    CHECK_FALSE(any_repeats(ids));
    CHECK(millisecond_field(ids.back()) == noon + 300'000 / distinct_draws);
}

TEST_CASE("ids in a narrow range increase strictly and take the milliseconds they need", "[placement]") {
    Machine machine;
    const unsigned bits = GENERATE(17, 24, 32);
    const Id neighbour = machine.next(CounterMode::variable);
    Id previous = neighbour;
    for (int i = 0; i < 10'000; ++i) {
        const Id id = machine.next_near(neighbour, bits);
        REQUIRE_LAW(compare(previous, id) < 0, previous, id);
        previous = id;
    }
    CHECK(millisecond_field(previous) <= noon + 10'000 / (1u << (32 - bits)) + 2);
}
