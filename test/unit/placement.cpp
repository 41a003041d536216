// Placement: ids land on their shard or near their neighbour, and differ from all others of their millisecond. It
// generates very many ids, to find a repeat that other tests would miss.

namespace {

bool shares_prefix(const Id& a, const Id& b, unsigned bits) { return bits == 0 || (a.msb ^ b.msb) >> (64 - bits) == 0; }

}  // namespace

TEST_CASE("an id has the neighbour's first bits, for any number of bits", "[placement]") {
    samples::Random random(1);
    Machine machine;
    for (unsigned bits = 0; bits <= 32; ++bits)
        for (int i = 0; i < 5000; ++i) {
            machine.now += i % 1000 == 0;
            const Id neighbour = samples::any_id(random);
            const Id id = machine.next_near(neighbour, bits);
            REQUIRE_LAW(shares_prefix(id, neighbour, bits), id, neighbour, bits);
        }
}

TEST_CASE("an id generated for a shard lies on it", "[placement]") {
    samples::Random random(2);
    Machine machine;
    for (const std::uint32_t shards : {1u, 3u, 8u, 1000u, 32'768u, 32'769u, 65'535u, 65'536u, 1'000'003u, 0x7fff'ffffu})
        for (int i = 0; i < 5000; ++i) {
            machine.now += i % 1000 == 0;
            const auto shard = static_cast<std::uint32_t>(i == 0 ? shards - 1 : random.below(shards));
            const Id id = machine.next_in_shard(shard, shards);
            REQUIRE_LAW(shard_of(id, *Shards::of(shards)) == shard, id, shard, shards);
        }
}

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

TEST_CASE("lanes avoid a window's sequential ids before the first is drawn", "[placement]") {
    for (std::uint64_t window = 0; window < 200; ++window) {
        Machine machine;
        machine.now = noon + window * window_milliseconds;
        const std::uint32_t seed = window_seed(window_of(machine.now));
        std::vector<Id> ids;
        for (int i = 0; i < 3000; ++i)
            ids.push_back(machine.next_in(neighbour_range({std::uint64_t{seed} << 32, 0}, 16)));
        for (int i = 0; i < 3000; ++i)
            ids.push_back(machine.next(CounterMode::sequential));
        REQUIRE_LAW(!any_repeats(ids), window);
    }
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

TEST_CASE("placed ids follow a large clock step and hold through a small one", "[placement]") {
    Machine machine;
    const BlockRange range = shard_range({1, 8});
    CHECK(millisecond_field(machine.next_in(range)) == noon);
    machine.now -= 9'000;
    CHECK(millisecond_field(machine.next_in(range)) == noon);
    machine.now -= 3'600'000;
    CHECK(millisecond_field(machine.next_in(range)) == machine.now);
    CHECK(machine.generator.steps_followed() == 1);
}
