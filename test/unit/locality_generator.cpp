// Generation with a scripted clock: wraps, clock steps, windows, and the Java class's ids. script.cpp has the order of
// ids.
#include "java.hpp"

namespace {

constexpr std::uint64_t second = 1000;
constexpr std::uint64_t hour = 3600 * second;

}  // namespace

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

TEST_CASE("a clock step back is held up to ten seconds, and followed beyond", "[generator]") {
    Machine machine;
    machine.mode = GENERATE(CounterMode::variable, CounterMode::sequential);
    const auto made_at = [&machine](std::uint64_t now) {
        machine.now = now;
        return millisecond_field(machine.next());
    };
    CHECK(made_at(noon) == noon);
    CHECK(made_at(noon - 10 * second) == noon);
    CHECK(made_at(noon - 10 * second - 1) == noon - 10 * second - 1);
    CHECK(machine.generator.steps_followed() == 1);
    CHECK(made_at(noon + hour) == noon + hour);
    CHECK(made_at(noon) == noon);
    CHECK(machine.generator.steps_followed() == 2);
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
