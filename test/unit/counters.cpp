// The counters: what each draws next, and when the sequential one starts over.
#include "catch.hpp"

#include <luuid/detail/counters.hpp>

using namespace luuid;
using namespace luuid::detail;

namespace {

constexpr std::uint64_t noon = 1'795'262'400'000;  // 2026-11-21 12:00:00 UTC, where a window begins

}  // namespace

TEST_CASE("a variable counter takes one step after another, across the wrap", "[counters]") {
    Counters counters(0xffff'fffe);
    CHECK(counters.next_variable() == block_at(0xffff'ffff));
    CHECK(counters.next_step() == std::uint64_t{1} << 32);
    CHECK(counters.next_variable() == block_at(1));
    CHECK(counters.step() == (std::uint64_t{1} << 32) + 1);
}

TEST_CASE("a sequential counter starts at the seed of its window, before the first draw", "[counters]") {
    const std::uint32_t seed = window_seed(window_of(noon));
    Counters counters(7);
    CHECK(counters.sequential(noon) == seed);
    CHECK(counters.next_sequential(noon) == seed + 1);
    CHECK(counters.next_sequential(noon - 1) == seed + 2);
    CHECK(counters.sequential(noon - 1) == seed + 2);
    CHECK(counters.sequential(noon + window_milliseconds) == window_seed(window_of(noon) + 1));
    CHECK(counters.next_sequential(noon) == window_seed(window_of(noon) + 1) + 1);
}

TEST_CASE("the modes have separate counters", "[counters]") {
    Counters both(7);
    Counters variable_alone(7);
    Counters sequential_alone(8);
    for (int i = 0; i < 1000; ++i) {
        CHECK(both.next_step() == variable_alone.next_step());
        CHECK(both.next_sequential(noon) == sequential_alone.next_sequential(noon));
    }
}
