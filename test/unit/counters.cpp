// The running counters: one backend's and a cluster's give out the same, and a cluster's never gives out one twice.
#include "catch.hpp"
#include "samples.hpp"

#include "counters.hpp"

#include <algorithm>
#include <thread>

using namespace luuid;

namespace {

constexpr std::uint64_t noon = 1'795'262'400'000;  // 2026-11-21 12:00:00 UTC, where a window begins

// Runs draw() on several threads at once, each with draws of its own, and returns everything drawn, sorted.
template <class Draw>
std::vector<std::uint32_t> drawn_at_once(SharedCounters& cluster, Draw draw) {
    constexpr std::size_t threads = 4, draws = 500'000;
    std::vector<std::vector<std::uint32_t>> each(threads);
    std::vector<std::thread> running;
    for (auto& mine : each)
        running.emplace_back([&mine, &cluster, draw] {
            SharedDraws own(&cluster);
            for (std::size_t i = 0; i < draws; ++i)
                mine.push_back(draw(own, i));
        });
    for (auto& thread : running)
        thread.join();
    std::vector<std::uint32_t> all;
    for (const auto& mine : each)
        all.insert(all.end(), mine.begin(), mine.end());
    std::sort(all.begin(), all.end());
    return all;
}

bool any_repeats(const std::vector<std::uint32_t>& sorted) {
    return std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
}

}  // namespace

TEST_CASE("one backend's counters and a cluster's give out the same to one user who takes one at a time",
          "[counters]") {
    samples::Random random(1);
    Counters backend(12'345);
    SharedCounters cluster(12'345);
    std::uint64_t now = noon;
    for (int i = 0; i < 100'000; ++i) {
        now += random.below(20'000) - 5'000;  // windows pass, and the clock steps back
        if (random.below(2) == 0)
            REQUIRE(backend.next_step() == cluster.take_steps(1));
        else
            REQUIRE(backend.next_sequential(now) == cluster.take_sequential(1, now));
        REQUIRE(backend.step() == cluster.step());
        REQUIRE(backend.sequential(now) == cluster.sequential(now));
    }
}

TEST_CASE("a batch is of one, then of twice as many each time, and of its millisecond alone", "[counters]") {
    std::vector<std::uint32_t> taken;
    std::uint32_t last = 0xffff'ffc0;  // across the wrap
    const auto take = [&](std::uint32_t count) {
        taken.push_back(count);
        return last += count;
    };
    Batch batch;
    std::uint32_t expected = last;
    for (int i = 0; i < 1 + 2 + 4 + 8 + 16 + 32 + 64 + 64 + 1; ++i)
        REQUIRE(batch.next(noon, take) == ++expected);
    CHECK(taken == std::vector<std::uint32_t>{1, 2, 4, 8, 16, 32, 64, 64, 64});

    // 63 are left of the last, and dropped.
    expected += 63;
    CHECK(batch.next(noon + 1, take) == expected + 1);
    CHECK(batch.next(noon + 1, take) == expected + 2);
    CHECK(batch.next(noon, take) == expected + 4);  // a step back is another millisecond too
    CHECK(taken.size() == 12);
}

TEST_CASE("generators that draw now and then share one sequence without a gap", "[counters]") {
    SharedCounters cluster(0);
    SharedDraws one(&cluster), other(&cluster);
    std::uint32_t step = 0;
    std::uint32_t sequential = window_seed(window_of(noon));
    for (std::uint64_t now = noon; now < noon + 1000; ++now)
        for (SharedDraws* draws : {&one, &other}) {
            REQUIRE(draws->next_sequential(now) == ++sequential);
            REQUIRE(draws->next_variable(now) == block_at(++step));
        }
}

TEST_CASE("a cluster's step is drawn once, whoever draws", "[counters]") {
    SharedCounters cluster(0xffff'ff00);  // across the wrap
    const auto blocks = drawn_at_once(cluster, [](SharedDraws& draws, std::size_t i) {
        return i % 16 == 0 ? block_at(draws.next_step()) : draws.next_variable(noon + i / 1000);
    });
    CHECK_FALSE(any_repeats(blocks));
}

TEST_CASE("a cluster's sequential block is drawn once, and re-seeded once for all", "[counters]") {
    SharedCounters cluster(0);
    const auto blocks = drawn_at_once(cluster, [](SharedDraws& draws, std::size_t i) {
        // Half-way through, each thread crosses into the next window, at its own time.
        return draws.next_sequential(i < 250'000 ? noon - 1 : noon);
    });
    CHECK_FALSE(any_repeats(blocks));
    const std::uint32_t first = window_seed(window_of(noon)) + 1;
    CHECK(std::binary_search(blocks.begin(), blocks.end(), first));
}

TEST_CASE("a cluster's variable blocks keep clear of its sequential ones, and of nothing else", "[counters]") {
    SharedCounters cluster(0);
    SharedDraws draws(&cluster);
    std::uint32_t step = 0;
    for (std::uint64_t window = 0; window < 20; ++window) {
        const std::uint64_t now = noon + window * window_milliseconds;
        const std::uint32_t seed = window_seed(window_of(now));
        for (int i = 0; i < 200'000; ++i) {
            const std::uint32_t block = draws.next_variable(now);
            REQUIRE_LAW(block - seed + sequential_reach >= 2 * sequential_reach, block, seed);
            if (i > 0)  // between windows a batch may be dropped
                while (block_at(++step) != block)
                    REQUIRE_LAW(block_at(step) - seed + sequential_reach < 2 * sequential_reach, step, seed);
            else
                step = reverse_nibbles(block) * step_inverse;
        }
    }
}
