// Versions 1 and 7: strictly increasing whatever the clock does, with the fields of RFC 9562.

namespace {

constexpr TickTime noon_tick = at_tick(17'952'624'000'000'000);  // 2026-11-21 12:00:00 UTC
constexpr std::uint64_t second = 10'000'000;

// A clock that mostly creeps, sometimes stops and sometimes steps, both ways.
Ticks step(samples::Random& random) {
    switch (random.below(50)) {
        case 0:
            return Ticks(static_cast<std::int64_t>(random.below(7'200 * second))) - std::chrono::hours(1);
        case 1:
            return -Ticks(static_cast<std::int64_t>(random.below(20)));
        default:
            return Ticks(static_cast<std::int64_t>(random.below(3)));
    }
}

}  // namespace

TEST_CASE("version-1 ids increase strictly, one per tick, and follow a moving clock", "[rfc_generator]") {
    samples::Random random(1);
    const std::uint64_t node = process_node(4'194'303, 0xffff'ffff);
    V1Timeline timeline(node, 0x3fff);
    TickTime now = noon_tick;
    Id previous = timeline.next(now);
    CHECK((time_of(previous) == now));
    TickTime latest = now;
    for (int i = 0; i < 1'000'000; ++i) {
        now += step(random);
        const Id id = timeline.next(now);
        REQUIRE_LAW(compare(previous, id) < 0, previous, id);
        REQUIRE_LAW(layout_of(id) == Layout::v1 && node_field(id) == node, id);
        if (now > latest)
            REQUIRE_LAW(time_of(id) == now, id, now.time_since_epoch().count());
        latest = *time_of(id);
        previous = id;
    }
}

TEST_CASE("the node of version 1 distinguishes processes and is no hardware address", "[rfc_generator]") {
    samples::Random random(2);
    for (int i = 0; i < 100'000; ++i) {
        const auto pid = static_cast<std::uint32_t>(random.below(1 << 22));
        const auto bits = static_cast<std::uint32_t>(random.bits());
        const std::uint64_t node = process_node(pid, bits);
        REQUIRE_LAW(node < std::uint64_t{1} << 48, pid, bits);
        REQUIRE_LAW((node >> 40 & 1) == 1, pid, bits);
        const auto other = static_cast<std::uint32_t>(random.below(1 << 22));
        if (other != pid)
            REQUIRE_LAW(process_node(other, static_cast<std::uint32_t>(random.bits())) != node, pid, other);
    }
    CHECK(process_node(0, 0x7f'ffff) == 0xffff'ff00'0000);
}

TEST_CASE("version-7 ids increase strictly and follow a moving clock", "[rfc_generator]") {
    samples::Random random(3);
    V7Timeline timeline;
    TickTime now = noon_tick;
    Id previous = timeline.next(now, random.bits());
    TickTime latest = now;
    for (int i = 0; i < 1'000'000; ++i) {
        now += step(random);
        const Id id = timeline.next(now, random.bits());
        REQUIRE_LAW(compare(previous, id) < 0, previous, id);
        REQUIRE_LAW(compare_bytes(previous, id) < 0, previous, id);
        REQUIRE_LAW(layout_of(id) == Layout::v7, id);
        latest = std::max(latest, now);
        REQUIRE_LAW(time_of(id) == std::chrono::floor<std::chrono::milliseconds>(latest), id,
                    latest.time_since_epoch().count());
        previous = id;
    }
}

TEST_CASE("version 7 has 4096ths of the millisecond after the version", "[rfc_generator]") {
    const auto fraction = [](TickTime now) { return V7Timeline{}.next(now, 0).msb & 0xfff; };
    CHECK(fraction(noon_tick) == 0);
    CHECK(fraction(noon_tick + Ticks(2'500)) == 1'024);
    CHECK(fraction(noon_tick + Ticks(9'999)) == 4'095);
}

TEST_CASE("version 7 increases its random bits, and takes the next stamp if they overflow", "[rfc_generator]") {
    constexpr std::uint64_t ones = ~std::uint64_t{0};
    V7Timeline timeline;
    const Id first = timeline.next(noon_tick, ones);
    CHECK(first.lsb == (rfc_variant | ones >> 2));
    const Id second_id = timeline.next(noon_tick, ones);
    CHECK((second_id.msb & 0xfff) == 1);
    CHECK((compare(first, second_id) < 0));
}

TEST_CASE("versions 1 and 7 of a process go on from a time ahead of the clock, and stay where they are past it",
          "[rfc_generator]") {
    constexpr std::uint64_t bits = 0x1234'5678'9abc'def0;
    Process process;
    process.v1 = V1Timeline(process_node(4711, 0), 0);
    TickTime latest = noon_tick;
    for (const int ahead : {5, 3, 0, 6}) {
        const TickTime begin = noon_tick + std::chrono::milliseconds(ahead);
        process.go_on_from(static_cast<std::uint64_t>(begin.time_since_epoch().count() / 10'000));
        const Id first = process.v1.next(noon_tick), seventh = process.v7.next(noon_tick, bits);
        if (begin > latest) {
            CHECK((time_of(first) == begin && time_of(seventh) == begin));
            CHECK(seventh.lsb == (rfc_variant | bits));
        }
        latest = std::max(latest, begin);
        CHECK((time_of(first) >= latest && time_of(seventh) == latest));
    }
}

TEST_CASE("version-1 and version-7 ids of given times have them, differ, and increase within each", "[rfc_generator]") {
    samples::Random random(4);
    // Clock sequences and nodes at the ends of their ranges, where the next tick begins, and others.
    const std::uint32_t clock_sequence = GENERATE(0u, 0x3f7fu, 0x0080u, 0x1234u);
    const std::uint32_t node_bits = GENERATE(0u, 0x003f'7f7fu, 0x003f'7f00u, 0x0040'8080u, 0x0012'3456u);
    V1Timeline v1(process_node(4711, node_bits), clock_sequence);
    V7Timeline v7;
    const Id of_clock = v1.next(noon_tick);
    const Time at_noon = std::chrono::floor<std::chrono::microseconds>(noon_tick);
    std::map<Time, Id> last_v1, last_v7;
    std::set<std::pair<Time, std::uint64_t>> rests;
    std::set<Id, Bytewise> sevenths;
    bool next_tick = false;
    for (int i = 0; i < 20'000; ++i) {
        const Time time = at_noon + std::chrono::microseconds(random.below(3)) * (random.below(2) == 0 ? 1 : 1000);
        const Id first = *v1.next_at(time), seventh = *v7.next_at(time, [&] { return random.bits(); });
        REQUIRE_LAW(std::chrono::floor<std::chrono::microseconds>(*time_of(first)) == time, first);
        REQUIRE_LAW(layout_of(first) == Layout::v1 && has_rfc_variant(first), first);
        REQUIRE_LAW((first.lsb & 0xff'ffff) == 4711 && (first.lsb & multicast_bit) != 0, first);
        next_tick = next_tick || *time_of(first) != time;
        REQUIRE_LAW(first.lsb != of_clock.lsb && rests.insert({time, first.lsb}).second, first);
        REQUIRE_LAW(time_of(seventh) == std::chrono::floor<std::chrono::milliseconds>(time), seventh);
        REQUIRE_LAW(layout_of(seventh) == Layout::v7, seventh);
        REQUIRE_LAW((seventh.msb & 0xfff) == static_cast<std::uint64_t>((time - at_noon).count() % 1000 * 4096 / 1000),
                    seventh);
        REQUIRE_LAW(sevenths.insert(seventh).second, seventh);
        if (last_v1.contains(time)) {
            REQUIRE_LAW(compare(last_v1[time], first) < 0, last_v1[time], first);
            REQUIRE_LAW(compare(last_v7[time], seventh) < 0, last_v7[time], seventh);
        }
        last_v1[time] = first;
        last_v7[time] = seventh;
    }
    CHECK(last_v1.size() == 5);
    CHECK(next_tick == (clock_sequence == 0x3f7f && (node_bits | 0xff) == 0x003f'7fff));
    CHECK(v1.next(noon_tick + Ticks(1)).lsb == of_clock.lsb);
}

TEST_CASE("random bits of version-7 ids of given times do not show the order of times or calls", "[rfc_generator]") {
    constexpr int count = 100'000;
    samples::Random random(5);
    V7Timeline v7, other;
    int ascents = 0;
    std::vector<int> changes(64);
    Id previous{};
    for (int i = 0; i < count; ++i) {
        const Time time = at_microsecond(1'790'000'000'000'000 + i * std::int64_t{7'000'000});
        const Id id = *v7.next_at(time, [&] { return random.bits(); });
        ascents += previous.lsb < id.lsb ? 1 : 0;
        for (std::size_t bit = 0; bit < changes.size(); ++bit)
            changes[bit] += static_cast<int>((previous.lsb ^ id.lsb) >> bit & 1);
        previous = id;
        REQUIRE_LAW(other.next_at(time, [&] { return random.bits(); })->lsb != id.lsb, id);
    }
    CHECK(std::abs(ascents - count / 2) < 5 * 160);  // 5 times the standard deviation
    for (std::size_t bit = 0; bit < 60; ++bit)
        CHECK(std::abs(changes[bit] - count / 2) < 5 * 160);
}

TEST_CASE("versions 1 and 7 accept the times that their bits hold", "[rfc_generator]") {
    V1Timeline v1(process_node(1, ~std::uint32_t{0}), ~std::uint32_t{0});
    V7Timeline v7;
    const auto zero = [] { return std::uint64_t{0}; };
    const Time first{std::chrono::sys_days(std::chrono::year(1582) / 10 / 15)};
    const Time last = at_microsecond(samples::gregorian_end_us - 1);
    for (const Time time : {first, last, Time{}}) {
        const auto id = v1.next_at(time);
        REQUIRE(id.has_value());
        CHECK((std::chrono::floor<std::chrono::microseconds>(*time_of(*id)) == time));
    }
    for (const Time time :
         {first - std::chrono::microseconds(1), last + std::chrono::microseconds(1), Time::min(), Time::max()})
        CHECK_FALSE(v1.next_at(time).has_value());
    for (const std::int64_t time : {std::int64_t{0}, samples::last_millisecond_us + 999})
        CHECK((time_of(v7.next_at(at_microsecond(time), zero).value()) ==
               std::chrono::floor<std::chrono::milliseconds>(at_microsecond(time))));
    for (const std::int64_t time : {std::int64_t{-1}, samples::last_millisecond_us + 1000})
        CHECK_FALSE(v7.next_at(at_microsecond(time), zero).has_value());
}
