// Leases of the process field: each value has one holder at a time, and is used once per millisecond, also by
// interleaved holders. same_pid.pl has many at once.
#include "interleavings.hpp"

TEST_CASE("take returns the wanted value, or else the next lower free one", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    CHECK(leases->take(1, noon)->value() == 1);
    auto lease = leases->take(1, noon).value();
    CHECK(lease.value() == 0);
    CHECK(leases->take(1, noon)->value() == 0xffff);
    CHECK(leases->take(2, noon)->value() == 2);
    lease.use(noon);
    lease.give_back();
    CHECK(leases->take(1, noon)->value() == 0xfffe);  // 0 may have an id of this millisecond
    CHECK(leases->take(1, noon + 1)->value() == 0);
}

TEST_CASE("a value used ahead of the clock is not reused before that time, even if its holder died", "[leases]") {
    const bool died = GENERATE(false, true);
    auto leases = std::make_unique<Leases<>>();
    LocalityGenerator generator(7, noon, leases->take(5, noon));
    CHECK(generator.lease()->value() == 5);
    for (int i = 0; i < 1000; ++i)
        generator.next_within(neighbour_range(nil_id, 32), LocalityVersion::vb, {5, 0}, noon);
    if (died) {
        const auto former = std::move(leases);
        leases = std::make_unique<Leases<>>();
        leases->inherit(*former);
    } else {
        generator.lease()->give_back();
    }
    CHECK(leases->take(5, noon + 999)->value() == 4);
    CHECK(leases->take(5, noon + 1000)->value() == 5);
}

TEST_CASE("a generator uses the millisecond in which it starts, even the first of 1970", "[leases]") {
    const std::uint64_t now = GENERATE(std::uint64_t{0}, noon);
    const auto leases = std::make_unique<Leases<>>();
    LocalityGenerator generator(7, now, leases->take(5, now));
    CHECK(millisecond_field(generator.next(CounterMode::variable, LocalityVersion::vb, {5, 0}, now)) == now);
    generator.lease()->give_back();
    CHECK(leases->take(5, now)->value() == 4);
    CHECK(leases->take(5, now + 1)->value() == 5);
}

TEST_CASE("a lease that generated no id leaves its value unchanged", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    auto lease = leases->take(5, noon).value();
    lease.use(noon);
    lease.give_back();
    auto idle = leases->take(5, noon + 5000).value();
    CHECK(idle.value() == 5);
    idle.give_back();
    CHECK(leases->take(5, noon)->value() == 4);  // a step back within the hold
}

TEST_CASE("find_held counts live holders, and finds the first millisecond after all their uses", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    CHECK(leases->find_held().count == 0);
    CHECK(leases->find_held().unused_from == 0);
    std::vector<Leases<>::Lease> held;
    for (std::uint16_t value : {7, 300, 0xffff})
        held.push_back(leases->take(value, noon).value());
    held[0].use(noon);
    held[1].use(noon + 500);
    held[2].use(noon + 20);
    CHECK(leases->find_held().count == 3);
    CHECK(leases->find_held().unused_from == noon + 501);
    held[1].give_back();
    CHECK(leases->find_held().count == 2);
    CHECK(leases->find_held().unused_from == noon + 21);
}

TEST_CASE("after a clock step back to before all uses, each value still has one holder", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    for (std::uint32_t value = 0; value < 0x1'0000; ++value) {
        auto lease = leases->take(static_cast<std::uint16_t>(value), noon).value();
        lease.use(noon);
        lease.give_back();
    }
    for (std::uint16_t value : {7, 6, 5, 4})
        CHECK(leases->take(7, noon - 3'600'000)->value() == value);
}

TEST_CASE("take returns nothing if all values are held", "[leases]") {
    const auto leases = std::make_unique<Leases<>>();
    std::vector<LocalityGenerator::Lease> held;
    for (std::uint32_t value = 0; value < 0x1'0000; ++value)
        held.push_back(leases->take(static_cast<std::uint16_t>(value), noon).value());
    CHECK_FALSE(leases->take(7, noon + 1).has_value());
    held[8].give_back();
    CHECK(leases->take(7, noon + 1)->value() == 8);
}

TEST_CASE("three leases, however interleaved, never use a value twice in a millisecond", "[leases][interleavings]") {
    const auto leases = std::make_unique<Leases<ExploredWord>>();
    ExploredWord clock(noon);
    ExploredWord holders;  // one bit per value
    struct Session {
        std::uint64_t first;
        std::uint16_t value;
        bool is_shared;
    };
    Session sessions[3];
    const auto session = [&](int number) {
        const std::uint64_t now = clock;
        auto lease = leases->take(9, now).value();
        const std::uint64_t bit = std::uint64_t{1} << lease.value();
        sessions[number] = {now, lease.value(), (holders.fetch_add(bit) & bit) != 0};
        lease.use(now);
        lease.use(now + 1);  // it runs ahead
        holders.fetch_add(-bit);
        lease.give_back();
    };
    const auto check = [&] {
        for (const Session& each : sessions)
            for (const Session& other : sessions) {
                const bool is_apart =
                    each.value != other.value || each.first + 1 < other.first || other.first + 1 < each.first;
                REQUIRE_LAW(!each.is_shared && (&each == &other || is_apart), each.value, each.first, other.first);
            }
    };
    const std::size_t states = Interleavings::explore({
                                                          [&] {  // one after the other, beside one
                                                              session(0);
                                                              session(1);
                                                          },
                                                          [&] { session(2); },
                                                          [&] {
                                                              for (int i = 0; i < 3; ++i)
                                                                  clock.fetch_add(1);
                                                          },
                                                      },
                                                      check);
    CHECK(states > 1000);
}
