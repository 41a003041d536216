// No id repeats between two followed clock steps, whatever is generated in whatever order, and however much of it in
// one millisecond.

namespace {

// A machine that records every id it generated.
struct Recorder {
    Machine machine = {};
    std::vector<Id> ids = {};

    Id next(CounterMode mode) { return made(machine.next(mode)); }
    Id next_in(BlockRange range) { return made(machine.next_in(range)); }
    Id next_near(const Id& neighbour, std::int64_t bits) { return made(machine.next_near(neighbour, bits)); }

    Id made(const Id& id) {
        ids.push_back(id);
        return id;
    }

    // Generates ids of this many milliseconds, one in each, and so runs ahead of its clock.
    void run_ahead(std::uint64_t milliseconds) {
        for (std::uint64_t i = 0; i < milliseconds; ++i)
            next_near({0x20be'0ffc'0000'0000, 0}, 32);
    }

    bool any_repeats() const { return ::any_repeats(ids); }
};

Id beside(std::uint32_t block) { return {std::uint64_t{block} << 32, 0}; }

}  // namespace

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

TEST_CASE("a millisecond with many sequential ids repeats none of them near them", "[millisecond]") {
    const unsigned bits = GENERATE(0, 4, 12, 16, 20);
    Recorder recorder;
    recorder.run_ahead(3000);
    Id last{};
    for (int i = 0; i < 60'000; ++i)
        last = recorder.next(CounterMode::sequential);
    for (int i = 0; i < 60'000; ++i)
        recorder.next_near(last, bits);
    CHECK_FALSE(recorder.any_repeats());
}

TEST_CASE("a new window while time stands still repeats no id placed at its start", "[millisecond]") {
    const bool is_placed_first = GENERATE(true, false);
    Recorder recorder;
    recorder.machine.now = noon + window_milliseconds - 1;
    recorder.run_ahead(3000);
    const auto place = [&] {
        const std::uint32_t seed = window_seed(window_of(noon + window_milliseconds));
        for (int i = 0; i < 60'000; ++i)
            recorder.next_near(beside(seed), 16);
    };
    if (is_placed_first)
        place();
    ++recorder.machine.now;
    for (int i = 0; i < 60'000; ++i)
        recorder.next(CounterMode::sequential);
    place();
    CHECK_FALSE(recorder.any_repeats());
}

TEST_CASE("ids of given times do not make the counter repeat ids, however many they are", "[millisecond]") {
    Recorder recorder;
    samples::Random random(1);
    for (int turn = 0; turn < 300; ++turn) {
        const Id parent = recorder.next(CounterMode::variable);
        for (std::uint64_t skipped = random.below(70'000); skipped > 0; --skipped)
            recorder.machine.next_at(0);
        for (int i = 0; i < 200; ++i)
            recorder.next_near(parent, 16);
    }
    CHECK_FALSE(recorder.any_repeats());
}

TEST_CASE("no id repeats between two followed steps, whatever is generated", "[millisecond]") {
    const std::uint64_t seed = GENERATE(range(1, 9));
    // From a few ids a millisecond to a clock that stands still.
    const std::uint64_t pace = GENERATE(10, 50'000, 1'000'000'000);
    CAPTURE(seed, pace);
    samples::Random random(seed);
    Recorder recorder;
    std::uint64_t latest = noon + window_milliseconds - random.below(100);
    std::uint64_t behind = 0;  // never enough to be followed
    recorder.machine.now = latest;
    recorder.next(CounterMode::variable);
    while (recorder.ids.size() < 1'000'000) {
        // Most runs are short, and some use up a millisecond.
        const std::uint64_t run = random.below(8) == 0 ? random.below(150'000) : random.below(200);
        // Near a recent id, where duplicates are likeliest; or where the sequential counter starts.
        const Id neighbour =
            random.below(4) == 0
                ? beside(window_seed(window_of(recorder.machine.now + random.below(2) * window_milliseconds)))
                : recorder.ids[recorder.ids.size() - 1 - random.below(std::min<std::size_t>(recorder.ids.size(), 100))];
        const Shards shards =
            *Shards::of(static_cast<std::int64_t>(1 + random.below(random.below(2) == 0 ? 64 : 0x7fff'ffff)));
        const BlockRange shard = shard_range(*Shard::of(shard_of(neighbour, shards), shards));
        const auto bits = static_cast<unsigned>(random.below(33));
        const std::uint64_t what = random.below(6);
        if (random.below(3) == 0)
            recorder.machine.toggle_version();
        for (std::uint64_t i = 0; i < run; ++i) {
            latest += random.below(pace) == 0;
            if (random.below(10'000) == 0)
                behind = random.below(Timeline::hold_milliseconds);
            recorder.machine.now = latest - behind;
            switch (what) {
                case 0:
                    recorder.next(CounterMode::variable);
                    break;
                case 1:
                    recorder.next(CounterMode::sequential);
                    break;
                case 2:
                    recorder.next(random.below(2) == 0 ? CounterMode::variable : CounterMode::sequential);
                    break;
                case 3:
                    recorder.next_in(shard);
                    break;
                case 4:
                    recorder.next_near(recorder.next(CounterMode::sequential), bits);
                    break;
                default:
                    recorder.next_near(neighbour, bits);
            }
        }
    }
    CHECK_FALSE(recorder.any_repeats());
    CHECK(recorder.machine.generator.steps_followed() == 0);
}
