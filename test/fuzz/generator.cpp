// A script of any clock, mode, version, node and placement: a backend's ids rise strictly, none repeats, and all lie
// where and when they were asked for. Over a backend with counters of its own, or over two whose counters are the
// cluster's and who are otherwise the same to their ids.
#include "fuzz.hpp"

#include "generator.hpp"

using namespace luuid;

namespace {

// Clocks that a server can show, from 1970 to past year 5236.
constexpr std::uint64_t clock_end = std::uint64_t{1} << 47;

// As many as a run has time for: more than a millisecond holds of any kind.
constexpr int draws_max = 200'000;

template <class Draws>
struct Backend {
    explicit Backend(Draws source) : generator(source) {}

    LocalityGenerator<Draws> generator;
    Identity who = {12'345, 0xd537a50};
    std::uint64_t followed = 0;
    std::uint64_t latest_clock = 0;  // since the last followed step
    std::uint64_t made = 0;          // in all
    Id last = nil_id;                // of the order; nil after a followed step
    std::vector<Id> since_step;      // of every kind, since the last followed step
};

template <class Draws>
struct Script {
    std::vector<Backend<Draws>> backends;
    std::uint64_t now;
    CounterMode mode = CounterMode::variable;
    Layout layout = Layout::vb;
    int draws = 0;
    // What the counters alone keep apart, over followed steps and backends: by mode where they are a backend's own,
    // since then it is the order that keeps its modes apart.
    std::vector<Id> counted[2] = {};
    std::vector<Id> ids = {};

    std::vector<Id>& counted_now() {
        return counted[std::is_same_v<Draws, Counters> && mode == CounterMode::sequential ? 1 : 0];
    }
};

void none_repeats(std::vector<Id>& ids) {
    std::sort(ids.begin(), ids.end());
    const auto repeated = std::adjacent_find(ids.begin(), ids.end());
    REQUIRE_LAW(repeated == ids.end(), *repeated);
    ids.clear();
}

template <class Draws>
void accept(Script<Draws>& script, Backend<Draws>& self, const Id& id) {
    if (self.generator.steps_followed() != self.followed) {
        REQUIRE_LAW(self.generator.steps_followed() == self.followed + 1, script.now);
        REQUIRE_LAW(script.now + Timeline::hold_milliseconds < self.latest_clock, script.now, self.latest_clock);
        self.followed = self.generator.steps_followed();
        self.latest_clock = script.now;
        self.last = nil_id;
        none_repeats(self.since_step);
    } else {
        REQUIRE_LAW(script.now + Timeline::hold_milliseconds >= self.latest_clock, script.now, self.latest_clock);
        self.latest_clock = std::max(self.latest_clock, script.now);
    }
    ++self.made;

    REQUIRE_LAW(layout_of(id) == script.layout, id);
    REQUIRE_LAW(pid_field(id) == self.who.pid, id);
    REQUIRE_LAW(node_field(id) == (script.layout == Layout::vb ? self.who.node : self.who.node & 0xfff'3fff), id);
    REQUIRE_LAW(millisecond_field(id) >= self.latest_clock, id, self.latest_clock);
    REQUIRE_LAW(millisecond_field(id) <= self.latest_clock + self.made, id, self.latest_clock, self.made);
    self.since_step.push_back(id);
    if (script.ids.size() < 64)
        script.ids.push_back(id);
    else
        script.ids[self.made % 64] = id;
}

template <class Draws>
void rises(Backend<Draws>& self, const Id& id) {
    REQUIRE_LAW(compare(self.last, id) < 0, self.last, id);
    self.last = id;
}

template <class Draws>
void place(Script<Draws>& script, Backend<Draws>& self) {
    const Id id = self.generator.next(script.mode, script.layout, self.who, script.now);
    accept(script, self, id);
    rises(self, id);
    script.counted_now().push_back(id);
}

template <class Draws>
void place_within(Script<Draws>& script, Backend<Draws>& self, BlockRange range) {
    const Id id = self.generator.next_within(range, script.layout, self.who, script.now);
    accept(script, self, id);
    REQUIRE_LAW(prefix(id) >= range.begin && prefix(id) < range.end, id, range.begin, range.end);
    if (lanes_in(range).count == 0)
        rises(self, id);
}

// Mostly few, since time goes into them, and now and then half of what a millisecond holds.
int run_length(fuzz::Input& input) {
    const int length = input.byte();
    return length < 250 ? length : static_cast<int>(lap_steps / 2);
}

// How far the clock goes: nowhere, a little, around the hold, windows, or years.
std::int64_t stride(fuzz::Input& input) {
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

BlockRange any_range(fuzz::Input& input, const std::vector<Id>& ids) {
    if (input.byte() % 2 == 0) {
        const std::uint64_t choice = input.byte();
        const Id neighbour = ids.empty() ? Id{choice << 56, 0} : ids[choice % ids.size()];
        return neighbour_range(neighbour, input.byte() % 33);
    }
    const auto shards = static_cast<std::uint32_t>(input.bits(8 * (1 + input.byte() % 4)) % 0x7fff'ffff + 1);
    return shard_range(static_cast<std::uint32_t>(input.bits(32) % shards), shards);
}

template <class Draws>
void run(fuzz::Input& input, std::vector<Backend<Draws>> backends) {
    Script<Draws> script{std::move(backends), input.bits(48) % clock_end};

    while (!input.is_empty() && script.draws < draws_max) {
        const std::uint8_t order = input.byte();
        Backend<Draws>& self = script.backends[(order >> 7) % script.backends.size()];
        int repeat = 1;
        switch (order % 8) {
            case 0: {
                const std::int64_t to = static_cast<std::int64_t>(script.now) + stride(input);
                script.now = static_cast<std::uint64_t>(std::clamp<std::int64_t>(to, 0, clock_end));
                break;
            }
            case 1:
                script.mode = script.mode == CounterMode::variable ? CounterMode::sequential : CounterMode::variable;
                break;
            case 2:
                script.layout = script.layout == Layout::vb ? Layout::v8 : Layout::vb;
                break;
            case 3:
                self.who.node = static_cast<std::uint32_t>(input.bits(32)) & node_max;
                break;
            case 4:
                repeat = run_length(input);
                [[fallthrough]];
            case 5:
                for (; repeat > 0 && script.draws < draws_max; --repeat, ++script.draws)
                    place(script, self);
                break;
            case 6:
                repeat = run_length(input);
                [[fallthrough]];
            default: {
                const BlockRange range = any_range(input, script.ids);
                for (; repeat > 0 && script.draws < draws_max; --repeat, ++script.draws)
                    place_within(script, self, range);
            }
        }
    }

    for (Backend<Draws>& each : script.backends)
        none_repeats(each.since_step);
    for (std::vector<Id>& each : script.counted)
        none_repeats(each);
}

}  // namespace

FUZZ_TARGET(input) {
    const bool alone = input.byte() % 2 == 0;
    const auto start = static_cast<std::uint32_t>(input.bits(32));
    if (alone)
        return run(input, std::vector{Backend(Counters(start))});
    SharedCounters cluster(start);
    run(input, std::vector{Backend(SharedDraws(&cluster)), Backend(SharedDraws(&cluster))});
}
