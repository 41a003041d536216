// What one millisecond allows so that no id repeats. script.cpp has the ids.

TEST_CASE("a millisecond allows ids in order, and unreserved blocks of lanes, until it is full", "[millisecond]") {
    const std::uint32_t step = 0x1234'5678, sequential = 0xabcd'0000;
    Millisecond millisecond(noon, step, sequential);
    CHECK(millisecond.number() == noon);
    CHECK(millisecond.is_reserved(block_at(step)));
    CHECK(millisecond.is_reserved(block_at(step + 1)));
    CHECK_FALSE(millisecond.is_reserved(block_at(step + lap_steps)));
    CHECK(millisecond.is_reserved(sequential));
    CHECK(millisecond.is_reserved(sequential + 1));
    CHECK_FALSE(millisecond.is_reserved(sequential + lap_steps));

    SECTION("both together") {
        CHECK(millisecond.give_in_order(LocalityVersion::vb, block_at(step + 1)));
        CHECK(millisecond.give_in_lanes(step + 2));
        CHECK(millisecond.give_in_order(LocalityVersion::vb, block_at(step + 3)));
        CHECK_FALSE(millisecond.give_in_order(LocalityVersion::vb, block_at(step + 3)));
        CHECK_FALSE(millisecond.give_in_order(LocalityVersion::v8, block_at(step + 4)));
        CHECK(millisecond.give_in_lanes(step + distinct_draws));
        CHECK_FALSE(millisecond.give_in_lanes(step + distinct_draws + 1));
        CHECK_FALSE(millisecond.give_in_lanes((std::uint64_t{1} << 32) + step + 2));  // the counter's next round
        CHECK(millisecond.give_in_order(LocalityVersion::vb, block_at(step + 4)));
    }
    SECTION("no lanes after an unreserved block in order") {
        CHECK(millisecond.give_in_order(LocalityVersion::vb, 7));
        CHECK_FALSE(millisecond.give_in_lanes(step + 1));
    }
    SECTION("after lanes, only reserved blocks in order") {
        CHECK(millisecond.give_in_lanes(step + 1));
        CHECK_FALSE(millisecond.give_in_order(LocalityVersion::vb, 7));
        CHECK(millisecond.give_in_order(LocalityVersion::vb, block_at(step + 2)));
    }
}

TEST_CASE("ids of given times do not make the counter repeat ids, however many they are", "[millisecond]") {
    Machine machine;
    std::vector<Id> ids;
    samples::Random random(1);
    for (int turn = 0; turn < 300; ++turn) {
        const Id parent = ids.emplace_back(machine.next(CounterMode::variable));
        for (std::uint64_t skipped = random.below(70'000); skipped > 0; --skipped)
            machine.next_at(0);
        for (int i = 0; i < 200; ++i)
            ids.push_back(machine.next_near(parent, 16));
    }
    CHECK_FALSE(any_repeats(ids));
}
