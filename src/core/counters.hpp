// The two running counters that blocks come from: one pair for a backend, or one for all backends of a cluster.
#pragma once

#include "window.hpp"

#include <atomic>

namespace luuid {

// A sequential counter and the window it was seeded for, in one word: window (high half), last block (low half).
using SequentialState = std::uint64_t;

// A later window than any before re-seeds, and the first block is seed + 1. An earlier one, after a clock step, does
// not.
constexpr SequentialState after(SequentialState state, std::uint64_t now) noexcept {
    const std::uint32_t window = window_of(now);
    const bool later = window > state >> 32;
    const std::uint64_t kept_window = later ? std::uint64_t{window} << 32 : state >> 32 << 32;
    const std::uint32_t block = (later ? window_seed(window) : static_cast<std::uint32_t>(state)) + 1;
    return kept_window | block;
}

// A core makes 40 000 sequential blocks in a millisecond; the reach leaves room for those that run ahead of the clock.
inline constexpr std::uint32_t sequential_reach = std::uint32_t{1} << 20;

// Whether a block is one that a sequential counter may give out, or may have given out, about now.
constexpr bool is_near(SequentialState state, std::uint32_t block, std::uint32_t reach) noexcept {
    return state != 0 && block - static_cast<std::uint32_t>(state) + reach < 2 * reach;
}

// The counters of one backend.
class Counters {
public:
    // The variable counter starts at a random step; the sequential one finds its own seed.
    constexpr explicit Counters(std::uint32_t start) noexcept : step_(start) {}

    constexpr std::uint32_t next_step() noexcept { return ++step_; }

    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(sequential_ = after(sequential_, now));
    }

    constexpr bool is_near_sequential(std::uint32_t block, std::uint32_t reach) const noexcept {
        return is_near(sequential_, block, reach);
    }

private:
    std::uint32_t step_;
    SequentialState sequential_ = 0;
};

// The same, for any number of threads or processes at once, in memory they share. Lock-free.
class SharedCounters {
public:
    explicit SharedCounters(std::uint32_t start) noexcept : step_(start) {}

    std::uint32_t next_step() noexcept { return step_.fetch_add(1, std::memory_order_relaxed) + 1; }

    std::uint32_t next_sequential(std::uint64_t now) noexcept {
        SequentialState state = sequential_.load(std::memory_order_relaxed);
        SequentialState next;
        do
            next = after(state, now);
        while (!sequential_.compare_exchange_weak(state, next, std::memory_order_relaxed));
        return static_cast<std::uint32_t>(next);
    }

    bool is_near_sequential(std::uint32_t block, std::uint32_t reach) const noexcept {
        return is_near(sequential_.load(std::memory_order_relaxed), block, reach);
    }

private:
    // Apart, so that the modes do not slow each other down.
    alignas(64) std::atomic<std::uint32_t> step_;
    alignas(64) std::atomic<SequentialState> sequential_ = 0;

    static_assert(std::atomic<SequentialState>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace luuid
