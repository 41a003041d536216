// The two running counters that blocks come from: one pair for a backend, or one for all backends of a cluster.
#pragma once

#include "block.hpp"
#include "window.hpp"

#include <atomic>

namespace luuid {

// A sequential counter and the window it was seeded for, in one word: window (high half), last block (low half).
using SequentialState = std::uint64_t;

// Before the first draw: the first window there is needs its seed too.
inline constexpr SequentialState no_window_yet = window_seed(0);

// A later window than any before re-seeds; an earlier one, after a clock step, does not.
constexpr SequentialState in_window(SequentialState state, std::uint64_t now) noexcept {
    const std::uint32_t window = window_of(now);
    return window > state >> 32 ? std::uint64_t{window} << 32 | window_seed(window) : state;
}

// The state whose low half is the next block: the first of a window is its seed + 1.
constexpr SequentialState after(SequentialState state, std::uint64_t now) noexcept {
    const SequentialState current = in_window(state, now);
    return current >> 32 << 32 | (static_cast<std::uint32_t>(current) + 1);
}

// Whether a block is one that a sequential counter in this state gives out, or gave out, within so many draws.
constexpr bool is_near(SequentialState state, std::uint32_t block, std::uint32_t reach) noexcept {
    return block - static_cast<std::uint32_t>(state) + reach < 2 * reach;
}

// More than all backends of a cluster draw in a millisecond.
inline constexpr std::uint32_t sequential_reach = std::uint32_t{1} << 16;

// The counters of one backend.
class Counters {
public:
    // The variable counter starts at a random step; the sequential one finds its own seed.
    constexpr explicit Counters(std::uint32_t start) noexcept : step_(start) {}

    constexpr std::uint32_t next_step() noexcept { return ++step_; }

    constexpr std::uint32_t next_variable(std::uint64_t) noexcept { return block_at(next_step()); }

    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(sequential_ = after(sequential_, now));
    }

    // Of the present window, whether or not one of its blocks was drawn.
    constexpr bool is_near_sequential(std::uint32_t block, std::uint32_t reach, std::uint64_t now) noexcept {
        return is_near(sequential_ = in_window(sequential_, now), block, reach);
    }

private:
    std::uint32_t step_;
    SequentialState sequential_ = no_window_yet;
};

// The same, for any number of threads or processes at once, in memory they share. Lock-free.
class SharedCounters {
public:
    explicit SharedCounters(std::uint32_t start) noexcept : step_(start) {}

    std::uint32_t next_step() noexcept { return step_.fetch_add(1, std::memory_order_relaxed) + 1; }

    // Steps over what sequential mode is at: two backends whose process ids are equal modulo 65 536 may be of either
    // mode.
    std::uint32_t next_variable(std::uint64_t now) noexcept {
        std::uint32_t block = block_at(next_step());
        while (is_near_sequential(block, sequential_reach, now))
            block = block_at(next_step());
        return block;
    }

    std::uint32_t next_sequential(std::uint64_t now) noexcept { return static_cast<std::uint32_t>(move(after, now)); }

    bool is_near_sequential(std::uint32_t block, std::uint32_t reach, std::uint64_t now) noexcept {
        return is_near(move(in_window, now), block, reach);
    }

private:
    // The state that this makes of the present one; nobody else gets the same where it draws.
    SequentialState move(SequentialState (*to)(SequentialState, std::uint64_t), std::uint64_t now) noexcept {
        SequentialState state = sequential_.load(std::memory_order_relaxed);
        SequentialState next = to(state, now);
        while (next != state && !sequential_.compare_exchange_weak(state, next, std::memory_order_relaxed))
            next = to(state, now);
        return next;
    }

    // Apart, so that the modes do not slow each other down.
    alignas(64) std::atomic<std::uint32_t> step_;
    alignas(64) std::atomic<SequentialState> sequential_ = no_window_yet;

    static_assert(std::atomic<SequentialState>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace luuid
