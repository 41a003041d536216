// Counts ids that repeat: of one generator at full speed; of generators that want the same process field and have the
// same node, in two threads with leases; and without leases, with a scripted clock.
#include <luuid/detail/leases.hpp>
#include <luuid/detail/locality_generator.hpp>
#include <luuid/detail/rfc_generator.hpp>
#include <luuid/detail/system.hpp>
#include "duplicates.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <numbers>
#include <random>
#include <span>
#include <string>
#include <thread>

using namespace luuid;
using namespace luuid::detail;
using bench::count_duplicates;

namespace {

using Random = std::mt19937_64;

constexpr Identity same{0x1234, 0xd537a50};

void print(const char* what, std::size_t ids, std::size_t duplicates, const std::string& expected) {
    std::printf("%s\t%zu\t%zu\t%s\n", what, ids, duplicates, expected.c_str());
    std::fflush(stdout);
}

std::string number(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

// What a generator may be asked for.
enum class Way : unsigned { variable, sequential, shard_of_8, shard_of_1024, near_16_bits, near_24_bits };

constexpr unsigned bit(Way way) { return 1u << static_cast<unsigned>(way); }

// What one generator does. A switch of mode or version costs it up to a millisecond, so that runs of fewer ids than it
// makes in one (some 40 000) let it run ahead of the clock.
struct Mixture {
    unsigned ways = 0;
    std::size_t longest_run = 1 << 17;
    bool versions = false;
};

// A generator that holds a lease, though all of them want the same process id.
class Session {
public:
    Session(Leases<>& leases, Random& random)
        : random_(random),
          begin_(System::milliseconds()),
          generator_(0, begin_, leases.take(same.pid, begin_)),
          who_{generator_.lease().value().value(), same.node} {}

    ~Session() { generator_.lease()->give_back(); }

    Session(const Session&) = delete;

    Id next(Way way, LocalityVersion version) {
        const std::uint64_t now = System::milliseconds();
        switch (way) {
            case Way::variable:
                return generator_.next(CounterMode::variable, version, who_, now);
            case Way::sequential:
                return generator_.next(CounterMode::sequential, version, who_, now);
            case Way::shard_of_8:
                return generator_.next_within(shard_range(*Shard::of(static_cast<std::int64_t>(random_() % 8), 8)),
                                              version, who_, now);
            case Way::shard_of_1024:
                return generator_.next_within(
                    shard_range(*Shard::of(static_cast<std::int64_t>(random_() % 1024), 1024)), version, who_, now);
            case Way::near_16_bits:
                return generator_.next_within(neighbour_range(neighbour, 16), version, who_, now);
            case Way::near_24_bits:
                break;
        }
        return generator_.next_within(neighbour_range(neighbour, 24), version, who_, now);
    }

    // So many ids, in runs of one way and, where versions are mixed, one version; lengths by chance.
    void fill(Mixture mixture, std::span<Id> ids) {
        for (std::size_t at = 0; at < ids.size();) {
            const auto way = static_cast<Way>(random_() % 6);
            if ((mixture.ways & bit(way)) == 0)
                continue;
            const LocalityVersion version =
                mixture.versions && random_() % 2 == 0 ? LocalityVersion::v8 : LocalityVersion::vb;
            for (std::size_t left = 1 + random_() % mixture.longest_run; left > 0 && at < ids.size(); --left)
                ids[at++] = next(way, version);
        }
    }

private:
    static constexpr Id neighbour{0x20be0ffc314abd53, 0x7a50013a65ca76d2};

    Random& random_;
    const std::uint64_t begin_;
    LocalityGenerator generator_;
    const Identity who_;
};

// Each half of the ids by a thread of its own, at the same time.
template <class Fill>
std::size_t race(std::size_t ids, Fill fill) {
    std::vector<Id> made(ids);
    const std::span<Id> all(made);
    std::thread other([&] { fill(0, all.first(ids / 2)); });
    fill(1, all.subspan(ids / 2));
    other.join();
    return count_duplicates(made);
}

void one_generator(const std::string& what, Mixture mixture, std::size_t ids) {
    const auto leases = std::make_unique<Leases<>>();
    Random random(0);
    std::vector<Id> made(ids);
    Session(*leases, random).fill(mixture, made);
    print(("one generator: " + what).c_str(), ids, count_duplicates(made), "0");
}

// Two threads, each one session after the other.
void leased(const std::string& what, Mixture mixture, std::size_t ids) {
    const auto leases = std::make_unique<Leases<>>();
    const std::size_t duplicates = race(ids, [&](unsigned thread, std::span<Id> part) {
        Random random(thread);
        while (!part.empty()) {
            const std::size_t count = std::min<std::size_t>(part.size(), random() % 20'000);
            Session(*leases, random).fill(mixture, part.first(count));
            part = part.subspan(count);
        }
    });
    print(("one process id, leased: " + what).c_str(), ids, duplicates, "0");
}

// Process ids that are equal modulo 65 536, and the worst luck with the random bits of the node.
void version_1(std::size_t ids) {
    const std::size_t duplicates = race(ids, [](unsigned thread, std::span<Id> part) {
        V1Timeline timeline(process_node(0x1234 + (thread << 16), 0), 0);
        for (Id& id : part)
            id = timeline.next(System::ticks());
    });
    print("version 1: node and clock sequence equal but for the process id", ids, duplicates, "0");
}

void version_7(std::size_t ids) {
    const std::size_t duplicates = race(ids, [](unsigned thread, std::span<Id> part) {
        V7Timeline timeline;
        Random random(thread);
        for (Id& id : part)
            id = timeline.next(System::ticks(), random());
    });
    print("version 7", ids, duplicates, "0");
}

// A counter each, variable mode: both make `each` ids in one millisecond. Starts are drawn `reach` apart at most, so
// that 2^32 / (2 × reach) pairs of unrelated starts stand behind each pair here.
void counter_each_variable(std::size_t each, std::size_t pairs) {
    constexpr std::uint32_t reach = 1 << 15;
    constexpr std::uint64_t now = 1'400'000'000'000;
    Random random(1);
    std::size_t duplicates = 0;
    std::vector<Id> ids(2 * each);
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        const auto start = static_cast<std::uint32_t>(random());
        const auto distance = static_cast<std::uint32_t>(random() % (2 * reach)) - reach;
        for (unsigned side = 0; side < 2; ++side) {
            Counters counters(start + side * distance);
            for (std::size_t at = 0; at < each; ++at)
                ids[side * each + at] = locality_id(LocalityVersion::vb, counters.next_variable(), same, now);
        }
        duplicates += count_duplicates(ids);
    }
    const double expected = static_cast<double>(pairs * each * each) / (2.0 * reach);
    const std::string what =
        "a counter each, variable: " + std::to_string(each) + " ids each in one ms, starts within 2^15 steps";
    print(what.c_str(), pairs * 2 * each, duplicates, number(expected));
}

// A counter each, sequential mode: both make ids at random moments, so many a second, over whole windows.
void counter_each_sequential(double rate, std::size_t windows) {
    constexpr double window = window_milliseconds;
    Random random(2);
    std::exponential_distribution<double> pause(rate / 1000);
    std::size_t duplicates = 0;
    std::size_t made = 0;
    LocalityGenerator generators[] = {LocalityGenerator(0), LocalityGenerator(0)};
    for (std::size_t each = 0; each < windows; ++each) {
        const std::uint64_t begin = (2'400'000 + each) * window_milliseconds;
        std::vector<Id> ids;
        for (unsigned side = 0; side < 2; ++side)
            for (double at = pause(random); at < window; at += pause(random)) {
                const std::uint64_t now = begin + static_cast<std::uint64_t>(at);
                ids.push_back(generators[side].next(CounterMode::sequential, LocalityVersion::vb, same, now));
            }
        made += ids.size();
        duplicates += count_duplicates(ids);
    }
    // The i'th ids of both fall into one millisecond with probability rate / 1000 / (2 sqrt(pi i)), since the moments
    // are gamma distributed; the sum over i up to rate × 600.
    const double expected =
        static_cast<double>(windows) * rate / 1000 * std::sqrt(rate * window / 1000 * std::numbers::inv_pi);
    const std::string what =
        "a counter each, sequential: " + number(rate) + " ids a second each, " + std::to_string(windows) + " windows";
    print(what.c_str(), made, duplicates, number(expected));
}

}  // namespace

int main(int argc, char** argv) {
    const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
    const std::size_t ids = quick ? 2'000'000 : 24'000'000;
    constexpr unsigned modes = bit(Way::variable) | bit(Way::sequential);
    constexpr unsigned lanes = bit(Way::shard_of_8) | bit(Way::shard_of_1024) | bit(Way::near_16_bits);
    constexpr unsigned narrow = bit(Way::near_24_bits);
    const std::pair<const char*, Mixture> mixtures[] = {
        {"variable", {bit(Way::variable)}},
        {"sequential", {bit(Way::sequential)}},
        {"in a shard, near 16 bits", {lanes}},
        {"sequential, and near 16 bits", {bit(Way::sequential) | bit(Way::near_16_bits)}},
        {"near 24 bits, which are 256 blocks", {narrow}},
        {"modes and placement switched in flight", {modes | lanes}},
        {"modes, versions, placement switched so often that time runs ahead", {modes | lanes, 1 << 12, true}},
        {"modes, versions, every placement in turns", {modes | lanes | narrow, 8, true}},
    };

    std::puts("case\tids\tduplicates\texpected");
    for (const auto& [what, mixture] : mixtures) {
        one_generator(what, mixture, ids);
        leased(what, mixture, ids);
    }
    version_1(ids);
    version_7(ids);
    counter_each_variable(10, quick ? 100'000 : 10'000'000);
    counter_each_variable(100, quick ? 10'000 : 1'000'000);
    counter_each_sequential(10, quick ? 100 : 1'000);
    counter_each_sequential(100, quick ? 10 : 300);
}
