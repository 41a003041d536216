// Generation with a scripted clock: the order, uniqueness and time of ids, whatever the clock does.
#include "java.hpp"

namespace {

constexpr std::uint64_t second = 1000;
constexpr std::uint64_t hour = 3600 * second;

bool is_before(const Id& a, const Id& b) { return compare(a, b) < 0; }

CounterMode either_mode() { return GENERATE(CounterMode::variable, CounterMode::sequential); }

}  // namespace

TEST_CASE("ten million ids increase strictly, and stay within two milliseconds of a moving clock", "[generator]") {
    Machine machine;
    machine.mode = either_mode();
    machine.version = GENERATE(LocalityVersion::vb, LocalityVersion::v8);
    machine.now = noon - second;  // into the next window
    Id previous = machine.next();
    for (int i = 0; i < 10'000'000; ++i) {
        machine.now += i % 4096 == 0;  // four million ids a second
        const Id id = machine.next();
        REQUIRE_LAW(is_before(previous, id), previous, id);
        REQUIRE_LAW(layout_of(id) == layout_of(machine.version), id);
        const std::uint64_t millisecond = millisecond_field(id);
        REQUIRE_LAW(millisecond >= machine.now && millisecond <= machine.now + 2, id, machine.now);
        previous = id;
    }
    CHECK(machine.generator.steps_followed() == 0);
}

TEST_CASE(
    "ids increase across changes of mode, version and identity, at most a millisecond ahead for each, "
    "and beside ids of given times",
    "[generator]") {
    samples::Random random(1);
    Machine machine;
    Id previous = machine.next();
    std::uint64_t changes = 0, drawn = 0;
    for (std::uint64_t i = 0; i < 5'000'000; ++i) {
        machine.now += i % 4096 == 0;
        for (std::uint64_t others = random.below(4); others > 0; --others, ++drawn)
            machine.next_at(0);
        if (random.below(50) == 0) {
            ++changes;
            switch (random.below(3)) {
                case 0:
                    machine.toggle_mode();
                    break;
                case 1:
                    machine.toggle_version();
                    break;
                default:
                    machine.who = {static_cast<std::uint16_t>(random.bits()),
                                   static_cast<std::uint32_t>(random.bits()) & node_max};
            }
        }
        const Id id = machine.next();
        REQUIRE_LAW(is_before(previous, id), previous, id);
        REQUIRE_LAW(millisecond_field(id) <= machine.now + changes + (i + drawn) / 65'536 + 2, id, machine.now,
                    changes);
        REQUIRE_LAW(millisecond_field(id) >= machine.now, id, machine.now);
        previous = id;
    }
}

TEST_CASE("only a wrap of the sequence takes the next millisecond", "[generator]") {
    Machine machine;
    machine.generator = LocalityGenerator(0xfffe);  // the sequence is next 0xffff, then 0
    CHECK(millisecond_field(machine.next()) == noon);
    for (int i = 0; i < 65'536; ++i)
        REQUIRE_LAW(millisecond_field(machine.next()) == noon + 1, i);
    CHECK(millisecond_field(machine.next()) == noon + 2);
    machine.now = noon + 3;
    CHECK(millisecond_field(machine.next()) == noon + 3);
}

TEST_CASE("clock steps are held or followed as documented", "[generator]") {
    const auto [step, returning, followed] = GENERATE(table<std::int64_t, bool, std::uint64_t>({
        {-1, false, 0},
        {-1, true, 0},
        {-9'000, false, 0},
        {-9'000, true, 0},
        {-10'000, false, 0},
        {-10'000, true, 0},
        {-10'001, false, 1},
        {-10'001, true, 1},
        {-3'600'000, false, 1},
        {-3'600'000, true, 1},
        {+3'600'000, false, 0},
        {+3'600'000, true, 1},  // the return is the followed step
    }));
    CAPTURE(step, returning);
    Machine machine;
    machine.mode = either_mode();
    const std::uint64_t start = machine.now;

    std::vector<Id> ids;
    std::uint64_t breaks = 0;
    const auto run = [&] {
        for (int i = 0; i < 100'000; ++i) {
            machine.now += i % 2000 == 1999;
            const std::uint64_t steps_before = machine.generator.steps_followed();
            ids.push_back(machine.next());
            REQUIRE_LAW(millisecond_field(ids.back()) >= machine.now, ids.back(), machine.now);
            if (ids.size() > 1 && !is_before(ids[ids.size() - 2], ids.back())) {
                ++breaks;
                // Only here is the id out of order, and then it has the clock's time.
                REQUIRE_LAW(machine.generator.steps_followed() == steps_before + 1, ids.back());
                REQUIRE_LAW(millisecond_field(ids.back()) == machine.now, ids.back(), machine.now);
            }
        }
    };

    run();
    const Id last_before = ids.back();
    const std::size_t at_step = ids.size();
    machine.now += static_cast<std::uint64_t>(step);
    run();
    if (step < -50 && followed == 0)  // held all through the run: time stands still but for a wrap in 65 536 ids
        for (std::size_t i = at_step; i < ids.size(); ++i)
            REQUIRE_LAW(millisecond_field(ids[i]) - millisecond_field(last_before) <= 2, ids[i], last_before);
    else  // the clock is where it was, or was followed
        CHECK(millisecond_field(ids.back()) <= machine.now + 3);
    if (returning) {
        machine.now -= static_cast<std::uint64_t>(step);
        run();
        CHECK(machine.now == start + 150);
        CHECK(millisecond_field(ids.back()) <= machine.now + 3);
    }
    CHECK(machine.generator.steps_followed() == followed);
    CHECK(breaks == followed);
    CHECK_FALSE(any_repeats(ids));
}

TEST_CASE("a later window re-seeds, an earlier one never does", "[generator]") {
    Machine machine;
    machine.mode = CounterMode::sequential;
    const auto seed_at = [](std::uint64_t millisecond) { return window_seed(window_of(millisecond)); };
    CHECK(prefix(machine.next()) == seed_at(noon) + 1);
    CHECK(prefix(machine.next()) == seed_at(noon) + 2);

    machine.now = noon + window_milliseconds - 1;
    CHECK(prefix(machine.next()) == seed_at(noon) + 3);
    machine.now = noon + window_milliseconds;
    const std::uint32_t later = seed_at(machine.now);
    CHECK(prefix(machine.next()) == later + 1);

    SECTION("within the hold") { machine.now -= 1; }
    SECTION("past the hold") { machine.now -= hour; }
    CHECK(prefix(machine.next()) == later + 2);
    machine.now = noon + window_milliseconds;  // back, to a window no later than before
    CHECK(prefix(machine.next()) == later + 3);
    machine.now = noon + 24 * hour;
    CHECK(prefix(machine.next()) == seed_at(noon + 24 * hour) + 1);
}

TEST_CASE("the first window of 1970 has a seed as any other", "[generator]") {
    Machine machine;
    machine.mode = CounterMode::sequential;
    machine.now = 0;  // an unset clock
    CHECK(prefix(machine.next()) == window_seed(0) + 1);
}

TEST_CASE("the Java implementation's sequential ids are reproduced", "[generator]") {
    const std::vector<JavaId> rows = java_ids("sequential");
    Machine machine;
    machine.mode = CounterMode::sequential;
    for (const JavaId& row : rows) {
        machine.who = {static_cast<std::uint16_t>(row.pid),
                       static_cast<std::uint32_t>(std::stoul(row.mac_fragment, nullptr, 16))};
        machine.now = row.millisecond;
        CHECK(machine.next() == row.id());
    }
}

// It keeps its counter in a signed int, and moves a nibble by shifting it right: from 2^31 on, the sign fills nibble 6
// of the text with ones. The other seven are right, and so are all eight below 2^31.
TEST_CASE("the Java implementation's variable ids are reproduced, with the nibble it loses", "[generator]") {
    constexpr std::uint64_t lost_nibble = std::uint64_t{0xf0} << 32;
    const std::vector<JavaId> rows = java_ids("variable");

    // An id without an f there was generated below 2^31, and determines the whole counter.
    const auto whole = std::find_if(rows.begin(), rows.end(),
                                    [](const JavaId& row) { return (row.id().msb & lost_nibble) != lost_nibble; });
    REQUIRE(whole != rows.end());
    const auto steps = static_cast<std::uint32_t>(whole - rows.begin() + 1);
    Machine machine;
    machine.generator = LocalityGenerator(reverse_nibbles(prefix(whole->id())) * step_inverse - steps);

    int restored = 0;  // nibbles that are not f to begin with
    for (const JavaId& row : rows) {
        machine.who = {static_cast<std::uint16_t>(row.pid),
                       static_cast<std::uint32_t>(std::stoul(row.mac_fragment, nullptr, 16))};
        machine.now = row.millisecond;
        const Id id = machine.next();
        CAPTURE(id, row.text);
        const bool sign_set = reverse_nibbles(prefix(id)) >> 31 != 0;
        CHECK(row.id() == (sign_set ? Id{id.msb | lost_nibble, id.lsb} : id));
        restored += sign_set && (id.msb & lost_nibble) != lost_nibble;
    }
    CHECK(restored > 10);
}
