// Runs a script of any clock, modes, versions, nodes and placements over backends that follow each other, each with a
// lease. A backend's ids increase strictly, none repeats, and all have the place and time asked for. Whoever includes
// it defines REQUIRE_LAW(condition, values...).
#pragma once

#include <luuid/detail/leases.hpp>
#include <luuid/luuid.hpp>

#include <algorithm>
#include <memory>
#include <vector>

namespace script {

using namespace luuid;
using namespace luuid::detail;

// Bytes, read as values. Past their end all bytes are 0.
class Input {
public:
    Input(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

    bool is_empty() const { return at_ == end_; }

    std::uint8_t byte() { return is_empty() ? 0 : *at_++; }

    std::uint64_t bits(int width) {
        std::uint64_t value = 0;
        for (; width > 0; width -= 8)
            value = value << 8 | byte();
        return value;
    }

private:
    const std::uint8_t* at_;
    const std::uint8_t* end_;
};

// Clocks of a server, from 1970 to past year 5236.
constexpr std::uint64_t clock_end = std::uint64_t{1} << 47;

// As many as a run has time for: more than a millisecond holds of any kind.
constexpr int draws_max = 200'000;

struct Backend {
    Backend(std::uint32_t step, LocalityGenerator::Lease lease, std::uint64_t now)
        : generator(step, now, lease), who{lease.value(), 0xd537a50}, latest_clock(now) {}

    LocalityGenerator generator;
    Identity who;
    std::uint64_t followed = 0;
    std::uint64_t latest_clock;  // since the last followed step
    std::uint64_t made = 0;      // in total
    Id last = nil_id;            // in order; nil after a followed step
};

struct Script {
    std::uint64_t now;
    std::uint64_t floor = 0;  // no followed step goes below it while the clock is within the hold of it
    CounterMode mode = CounterMode::variable;
    LocalityVersion version = LocalityVersion::vb;
    int draws = 0;
    std::unique_ptr<Leases<>> leases = std::make_unique<Leases<>>();
    std::vector<Id> since_step = {};  // all kinds and backends, since the last followed step
    // Distinct by a backend's counter alone, even across followed steps. By mode, since only the order separates the
    // modes.
    std::vector<Id> counted[2] = {};
    std::vector<Id> ids = {};
};

inline void none_repeats(std::vector<Id>& ids) {
    std::sort(ids.begin(), ids.end(), Bytewise());
    const auto repeated = std::adjacent_find(ids.begin(), ids.end());
    REQUIRE_LAW(repeated == ids.end(), *repeated);
    ids.clear();
}

// The millisecond to which a clock step is followed.
inline std::uint64_t end_of_step(const Script& script) {
    return script.floor <= script.now + Timeline::hold_milliseconds ? std::max(script.floor, script.now) : script.now;
}

// Follows a clock step, if there is one, down to the floor.
inline void follow(Script& script, Backend& self) {
    if (self.generator.is_step(script.now))
        self.generator.follow(end_of_step(script));
}

inline void accept(Script& script, Backend& self, const Id& id) {
    if (self.generator.steps_followed() != self.followed) {
        REQUIRE_LAW(self.generator.steps_followed() == self.followed + 1, script.now);
        REQUIRE_LAW(script.now + Timeline::hold_milliseconds < self.latest_clock, script.now, self.latest_clock);
        self.followed = self.generator.steps_followed();
        self.latest_clock = end_of_step(script);
        self.last = nil_id;
        none_repeats(script.since_step);
    } else {
        REQUIRE_LAW(script.now + Timeline::hold_milliseconds >= self.latest_clock, script.now, self.latest_clock);
        self.latest_clock = std::max(self.latest_clock, script.now);
    }
    ++self.made;

    REQUIRE_LAW(layout_of(id) == layout_of(script.version), id);
    REQUIRE_LAW(pid_field(id) == self.who.pid, id);
    REQUIRE_LAW(node_field(id) == (script.version == LocalityVersion::vb ? self.who.node : self.who.node & 0xfff'3fff),
                id);
    REQUIRE_LAW(millisecond_field(id) >= self.latest_clock, id, self.latest_clock);
    REQUIRE_LAW(millisecond_field(id) <= self.latest_clock + self.made, id, self.latest_clock, self.made);
    REQUIRE_LAW(self.generator.lead(script.now) == self.generator.millisecond() - self.latest_clock, id, script.now);
    script.since_step.push_back(id);
    if (script.ids.size() < 64)
        script.ids.push_back(id);
    else
        script.ids[self.made % 64] = id;
}

inline void rises(Backend& self, const Id& id) {
    REQUIRE_LAW(compare(self.last, id) < 0, self.last, id);
    self.last = id;
}

inline void place(Script& script, Backend& self) {
    follow(script, self);
    const Id id = self.generator.next(script.mode, script.version, self.who, script.now);
    accept(script, self, id);
    rises(self, id);
    script.counted[script.mode == CounterMode::sequential].push_back(id);
}

inline void place_within(Script& script, Backend& self, BlockRange range) {
    follow(script, self);
    const Id id = self.generator.next_within(range, script.version, self.who, script.now);
    accept(script, self, id);
    REQUIRE_LAW(prefix(id) >= range.begin && prefix(id) < range.end, id, range.begin, range.end);
    if (lanes_in(range).count == 0)
        rises(self, id);
}

// Mostly few, for speed, and now and then half of what a millisecond holds.
inline int run_length(Input& input) {
    const int length = input.byte();
    return length < 250 ? length : static_cast<int>(lap_steps / 2);
}

// The size of a clock step: none, small, around the hold, windows, or years.
inline std::int64_t stride(Input& input) {
    switch (input.byte() % 6) {
        case 0:
            return 1;
        case 1:
            return static_cast<std::int8_t>(input.byte());
        case 2:
            return -static_cast<std::int64_t>(Timeline::hold_milliseconds) + static_cast<std::int8_t>(input.byte());
        case 3:
            return static_cast<std::int64_t>(window_milliseconds) * static_cast<std::int8_t>(input.byte());
        case 4:
            return static_cast<std::int16_t>(input.bits(16));
        default:
            return static_cast<std::int64_t>(input.bits(48)) - (std::int64_t{1} << 47);
    }
}

inline BlockRange any_range(Input& input, const std::vector<Id>& ids) {
    if (input.byte() % 2 == 0) {
        const std::uint64_t choice = input.byte();
        const Id neighbour = ids.empty() ? Id{choice << 56, 0} : ids[choice % ids.size()];
        return neighbour_range(neighbour, *PrefixBits::of(input.byte() % 33));
    }
    const auto count = static_cast<std::int64_t>(input.bits(8 * (1 + input.byte() % 4)) % Shards::max + 1);
    const auto number = static_cast<std::int64_t>(input.bits(32)) % count;
    return shard_range(*Shard::of(number, *Shards::of(count)));
}

// The next backend wants the process id of the previous one.
inline Backend next_backend(Script& script, Backend& before, std::uint32_t step) {
    before.generator.lease()->give_back();
    for (std::vector<Id>& each : script.counted)
        none_repeats(each);
    return {step, script.leases->take(before.who.pid, script.now).value(), script.now};
}

inline void run(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const auto step = static_cast<std::uint32_t>(input.bits(32));
    Script script{input.bits(48) % clock_end};
    Backend self(step, script.leases->take(12'345, script.now).value(), script.now);

    while (!input.is_empty() && script.draws < draws_max) {
        int repeat = 1;
        switch (input.byte() % 10) {
            case 0: {
                const std::int64_t to = static_cast<std::int64_t>(script.now) + stride(input);
                script.now = static_cast<std::uint64_t>(std::clamp<std::int64_t>(to, 0, clock_end));
                break;
            }
            case 1:
                script.mode = script.mode == CounterMode::variable ? CounterMode::sequential : CounterMode::variable;
                break;
            case 2:
                script.version = script.version == LocalityVersion::vb ? LocalityVersion::v8 : LocalityVersion::vb;
                break;
            case 3:
                self.who.node = static_cast<std::uint32_t>(input.bits(32)) & node_max;
                break;
            case 4:
                self = next_backend(script, self, step);
                break;
            case 5:
                repeat = run_length(input);
                [[fallthrough]];
            case 6:
                for (; repeat > 0 && script.draws < draws_max; --repeat, ++script.draws)
                    place(script, self);
                break;
            case 7:
                script.floor = script.now;
                break;
            case 8:
                repeat = run_length(input);
                [[fallthrough]];
            default: {
                const BlockRange range = any_range(input, script.ids);
                for (; repeat > 0 && script.draws < draws_max; --repeat, ++script.draws)
                    place_within(script, self, range);
            }
        }
    }

    none_repeats(script.since_step);
    for (std::vector<Id>& each : script.counted)
        none_repeats(each);
}

}  // namespace script
