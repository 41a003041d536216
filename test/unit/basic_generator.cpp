// The generator of a backend and of an application, in a scripted environment: forks, clock steps, settings that
// change; and what it rejects, or does not compile.

namespace {

struct World {
    Process process{1, 12'345, LocalityGenerator(0xdecade, noon), V1Timeline(process_node(12'345, 7), 0), {}, {}, {}};
    GeneratorSettings settings;
    std::uint64_t now = noon;
    HardwareAddress address = 0x000c'29d5'37a5;
    std::optional<MachineIdentity> identity = MachineIdentity{'o', 'n', 'e'};
    int addresses_asked_for = 0;
    std::uint64_t floor = 0;  // no followed step goes below it
    std::uint64_t lead_max = ~std::uint64_t{0};
    int waits = 0;

    void fork(std::uint16_t pid) {
        process = {
            process.number + 1, pid, LocalityGenerator(0xcafe, now), V1Timeline(process_node(pid, 7), 0), {}, {}, {}};
    }
};

struct Scripted {
    World* world;

    struct Nothing {};
    Nothing lock() const { return {}; }
    GeneratorSettings settings() const { return world->settings; }
    Process& process() const { return world->process; }
    Process& present() const { return process(); }
    std::uint64_t announce_step(std::uint64_t now) const { return std::max(now, world->floor); }
    bool wait_if_ahead(std::uint64_t lead) const {
        if (lead < world->lead_max)
            return false;
        ++world->waits;
        ++world->now;
        return true;
    }
    std::uint64_t milliseconds() const { return world->now; }
    TickTime ticks() const { return at_tick(static_cast<std::int64_t>(world->now) * 10'000); }
    static void fill_random(void* buffer, std::size_t size) { std::memset(buffer, 0x5a, size); }
    HardwareAddress hardware_address() const {
        ++world->addresses_asked_for;
        return world->address;
    }
    std::uint32_t random_node() const { return 0x4a4d0; }
    std::optional<MachineIdentity> identity() const { return world->identity; }
};

using ScriptedGenerator = BasicGenerator<Scripted>;

// These do not compile: numbers as times, versions that no locality UUID has, ranges given by numbers.
template <class Time>
constexpr bool has_floor = requires(Time t) {
    floor_of(t);
};
static_assert(has_floor<Time> && has_floor<TickTime> && has_floor<std::chrono::sys_days>);
static_assert(!has_floor<std::int64_t> && !has_floor<Ticks>);

template <class Time>
constexpr bool has_next_at = requires(Generator g, Time t) {
    g.next_at(t);
};
static_assert(has_next_at<Time> && has_next_at<TickTime> && has_next_at<std::chrono::sys_days>);
static_assert(!has_next_at<std::int64_t> && !has_next_at<Ticks>);

template <class Version>
constexpr bool takes_version = requires(Version v) {
    GeneratorSettings{.version = v};
};
static_assert(takes_version<LocalityVersion> && !takes_version<Layout>);

template <class... Arguments>
constexpr bool takes_shard = requires(Generator g, Arguments... a) {
    g.next_in_shard(a...);
};
static_assert(takes_shard<Shard> && !takes_shard<std::uint32_t, std::uint32_t>);

// Nothing throws.
static_assert(noexcept(Generator()) && noexcept(std::declval<Generator>().next()));
static_assert(noexcept(std::declval<Generator>().next_near(nil_id)) && noexcept(std::declval<Generator>().next_v7()));
static_assert(noexcept(shard_of(nil_id, 1)) && noexcept(shard_floor({0, 1})) && noexcept(compare(nil_id, nil_id)));

}  // namespace

TEST_CASE("no id repeats in a process, whichever generator and function generates it", "[basic_generator]") {
    World world;
    samples::Random random(GENERATE(range(1, 5)));
    ScriptedGenerator generators[] = {ScriptedGenerator({&world}), ScriptedGenerator({&world})};
    std::vector<Id> ids = {generators[0].next()};
    while (ids.size() < 500'000) {
        ScriptedGenerator& generator = generators[random.below(2)];
        world.now += random.below(20) == 0;
        world.settings.mode = random.below(2) == 0 ? CounterMode::variable : CounterMode::sequential;
        world.settings.version = random.below(2) == 0 ? LocalityVersion::vb : LocalityVersion::v8;
        const std::uint64_t what = random.below(8);
        // Back-filling at the present, which other version-1 ids have too.
        const Time now{std::chrono::milliseconds(world.now)};
        const Id neighbour = ids[random.below(ids.size())];
        const Shards shards =
            *Shards::of(static_cast<std::int64_t>(1 + random.below(random.below(2) == 0 ? 9 : 99'999)));
        for (std::uint64_t i = random.below(300); i > 0; --i)
            ids.push_back(what == 0   ? generator.next_v1()
                          : what == 1 ? generator.next_v7()
                          : what == 6 ? *generator.next_v1_at(now)
                          : what == 7 ? *generator.next_v7_at(now)
                          : what == 2
                              ? generator.next_near(neighbour, *PrefixBits::of(static_cast<std::int64_t>(i % 33)))
                          : what == 3 ? generator.next_in_shard(*Shard::of(shard_of(neighbour, shards), shards))
                                      : generator.next());
    }
    CHECK_FALSE(any_repeats(ids));
    CHECK(generators[0].clock_steps_back() == 0);
}

TEST_CASE("random words are those of the source, each once", "[basic_generator]") {
    RandomPool pool;
    std::uint64_t last = 0;
    const auto fill = [&](std::uint64_t* words, std::size_t size) {
        std::generate_n(words, size / sizeof *words, [&] { return ++last; });
    };
    std::set<std::uint64_t> words = {0};
    for (int i = 0; i < 300; ++i)
        CHECK(words.insert(pool.next(fill)).second);
}

TEST_CASE("a generator looks up its node again for another setting or process, but not for each id",
          "[basic_generator]") {
    World world;
    ScriptedGenerator generator({&world});
    const std::uint32_t found = node_hash(*world.identity, world.address);
    CHECK(node_field(generator.next()) == found);
    CHECK(generator.node().source == NodeSource::identity_and_mac);
    for (int i = 0; i < 1000; ++i)
        generator.next();
    CHECK(world.addresses_asked_for == 1);

    world.address = 0x0242'ac11'0002;
    CHECK(node_field(generator.next()) == found);
    world.fork(54'321);
    const Id childs = generator.next();
    CHECK(node_field(childs) == node_hash(*world.identity, world.address));
    CHECK(pid_field(childs) == 54'321);
    CHECK(generator.pid() == 54'321);

    world.settings.node = {NodeRule::fixed, 0xd537a50};
    CHECK(node_field(generator.next()) == 0xd537a50);
    world.settings.node = {NodeRule::random};
    CHECK(generator.node().bits == 0x4a4d0);
    CHECK(world.addresses_asked_for == 2);
}

TEST_CASE("only ids that contain the node look up the address", "[basic_generator]") {
    World world;
    ScriptedGenerator generator({&world});
    const Time now{std::chrono::milliseconds(noon)};
    generator.next_v1();
    generator.next_v7();
    generator.next_uniqid();
    CHECK(generator.next_v1_at(now));
    CHECK(generator.next_v7_at(now));
    CHECK(generator.pid() == 12'345);
    CHECK(generator.clock_steps_back() == 0);
    CHECK(world.addresses_asked_for == 0);

    const auto asks = [&world](auto&& show) {
        ScriptedGenerator fresh({&world});
        const int before = world.addresses_asked_for;
        show(fresh);
        return world.addresses_asked_for - before;
    };
    CHECK(asks([](auto& fresh) { fresh.next(); }) == 1);
    CHECK(asks([&](auto& fresh) { fresh.next_at(now); }) == 1);
    CHECK(asks([](auto& fresh) { fresh.next_near(nil_id); }) == 1);
    CHECK(asks([](auto& fresh) { fresh.node(); }) == 1);
    for (const NodeSetting setting : {NodeSetting{NodeRule::fixed, 1}, NodeSetting{NodeRule::random}}) {
        world.settings.node = setting;
        CHECK(asks([](auto& fresh) { fresh.next(); }) == 0);
    }
}

TEST_CASE("a change of settings takes effect at once", "[basic_generator]") {
    World world;
    ScriptedGenerator generator({&world});
    CHECK(layout_of(generator.next()) == Layout::vb);
    world.settings.version = LocalityVersion::v8;
    CHECK(layout_of(generator.next()) == Layout::v8);
    CHECK(layout_of(generator.next_near(nil_id)) == Layout::v8);
    CHECK(layout_of(*generator.next_at(Time{})) == Layout::v8);
    world.settings.mode = CounterMode::sequential;
    const Id first = generator.next();
    CHECK(prefix(generator.next()) == prefix(first) + 1);
    CHECK(prefix(generator.next(CounterMode::variable)) != prefix(first) + 2);
}

TEST_CASE("times outside 48 bits of milliseconds are rejected", "[basic_generator]") {
    World world;
    ScriptedGenerator generator({&world});
    CHECK(generator.next_at(at_microsecond(0)).has_value());
    CHECK(generator.next_at(at_microsecond(samples::last_millisecond_us + 999)).has_value());
    for (const std::int64_t time : {std::int64_t{-1}, samples::last_millisecond_us + 1000})
        CHECK_FALSE(generator.next_at(at_microsecond(time)).has_value());
    for (const Time time : {Time::min(), Time::max()})
        CHECK_FALSE(generator.next_at(time).has_value());
}

TEST_CASE("a clock step back is followed to the environment's millisecond, and counted", "[basic_generator]") {
    World world;
    world.floor = noon - 6'000;
    ScriptedGenerator generator({&world});
    generator.next();
    world.now = noon - 10'001;
    const Id followed = generator.next();
    CHECK(millisecond_field(followed) == world.floor);
    CHECK(generator.clock_steps_back() == 1);
    CHECK((compare(followed, generator.next()) < 0));
    CHECK(generator.clock_steps_back() == 1);
}

TEST_CASE("ids and keys that would run too far ahead wait for the clock", "[basic_generator]") {
    World world;
    world.lead_max = 10;
    ScriptedGenerator generator({&world});
    const auto lead = [&] { return generator.ahead(); };
    const auto make_narrow = [&] { generator.next_near(nil_id, PrefixBits::of(32).value()); };

    SECTION("one millisecond per id") {
        for (int i = 0; i < 1'000; ++i) {
            make_narrow();
            REQUIRE(lead() <= std::chrono::milliseconds(10));
        }
        CHECK(world.waits == 1'000 - 11);
    }
    SECTION("less, and then the other generators too") {
        world.lead_max = ~std::uint64_t{0};
        for (int i = 0; i < 1'000; ++i)
            make_narrow();
        CHECK(lead() == std::chrono::milliseconds(999));
        world.lead_max = 10;
        generator.next();
        CHECK(lead() == std::chrono::milliseconds(9));
    }
    SECTION("version 1") {
        const Id first = generator.next_v1();
        for (int i = 0; i < 300'000; ++i)
            generator.next_v1();
        CHECK(lead() <= std::chrono::milliseconds(10));
        CHECK(world.waits == 20);
        CHECK((compare(first, generator.next_v1()) < 0));
    }
    SECTION("short keys") {
        for (int i = 0; i < 30'000; ++i)
            generator.next_uniqid();
        CHECK(lead() <= std::chrono::milliseconds(10));
        CHECK(world.waits == 20);
    }
}

TEST_CASE("a clock step back does not count as running ahead", "[basic_generator]") {
    const std::uint64_t step = GENERATE(9'000, 3'600'000);
    World world;
    world.lead_max = 10;
    ScriptedGenerator generator({&world});
    generator.next();
    generator.next_v1();
    generator.next_v7();
    generator.next_uniqid();
    world.now -= step;
    CHECK(generator.ahead() == std::chrono::milliseconds(step));
    for (int i = 0; i < 10; ++i) {
        generator.next_near(nil_id, PrefixBits::of(32).value());
        generator.next_v1();
        generator.next_v7();
        generator.next_uniqid();
    }
    CHECK(world.waits == 0);
}
