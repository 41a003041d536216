// The two running counters that blocks come from: one pair for a backend, or one for all backends of a cluster.
#pragma once

#include "block.hpp"
#include "window.hpp"

#include <algorithm>
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

// The state so many draws later: the first block of a window is its seed + 1.
constexpr SequentialState after(SequentialState state, std::uint32_t draws, std::uint64_t now) noexcept {
    const SequentialState current = in_window(state, now);
    return current >> 32 << 32 | (static_cast<std::uint32_t>(current) + draws);
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
        return static_cast<std::uint32_t>(sequential_ = after(sequential_, 1, now));
    }

    // The last step drawn.
    constexpr std::uint32_t step() const noexcept { return step_; }

    // The last sequential block drawn, or the seed of the window of this time.
    constexpr std::uint32_t sequential(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(sequential_ = in_window(sequential_, now));
    }

private:
    std::uint32_t step_;
    SequentialState sequential_ = no_window_yet;
};

// The same for any number of threads or processes at once, in memory they share. Lock-free. Each generator draws from
// it by SharedDraws.
class SharedCounters {
public:
    explicit SharedCounters(std::uint32_t start) noexcept : step_(start) {}

    // The last of so many steps in a row that nobody else gets.
    std::uint32_t take_steps(std::uint32_t count) noexcept {
        return step_.fetch_add(count, std::memory_order_relaxed) + count;
    }

    // The last of so many sequential blocks in a row, of the window of this time, that nobody else gets.
    std::uint32_t take_sequential(std::uint32_t count, std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(move([=](SequentialState state) { return after(state, count, now); }));
    }

    std::uint32_t step() const noexcept { return step_.load(std::memory_order_relaxed); }

    std::uint32_t sequential(std::uint64_t now) noexcept {
        return static_cast<std::uint32_t>(move([=](SequentialState state) { return in_window(state, now); }));
    }

private:
    // The state that this makes of the present one; nobody else gets the same where it draws.
    template <class To>
    SequentialState move(To to) noexcept {
        SequentialState state = sequential_.load(std::memory_order_relaxed);
        SequentialState next = to(state);
        while (next != state && !sequential_.compare_exchange_weak(state, next, std::memory_order_relaxed))
            next = to(state);
        return next;
    }

    // Apart, so that the modes do not slow each other down.
    alignas(64) std::atomic<std::uint32_t> step_;
    alignas(64) std::atomic<SequentialState> sequential_ = no_window_yet;

    // Asked of the sizes, each in a place aligned to it, which is how std::atomic has them: clang's is_always_lock_free
    // thinks of a plain long long instead, which i386 aligns to 4 bytes.
    template <class T>
    static constexpr bool is_lock_free = alignof(std::atomic<T>) == sizeof(T) &&
                                         __atomic_always_lock_free(sizeof(T), nullptr);
    static_assert(is_lock_free<SequentialState> && is_lock_free<std::uint32_t>);
};

// Numbers that one generator took at once, so that cores do not wait for each other with every id. The first of a
// millisecond is taken alone, and then twice as many each time: generators that make an id now and then stay in the
// order of their draws, and waste none. What a millisecond leaves is dropped, since a number kept for long could meet
// itself on the counter's next way round.
class Batch {
public:
    static constexpr std::uint32_t size_max = 64;

    // The next number; `take` takes so many, and returns the last of them.
    template <class Take>
    std::uint32_t next(std::uint64_t now, Take take) noexcept {
        if (now != millisecond_) {
            millisecond_ = now;
            size_ = left_ = 0;
        }
        if (left_ == 0) {
            size_ = size_ == 0 ? 1 : std::min(2 * size_, size_max);
            last_ = take(size_);
            left_ = size_;
        }
        return last_ - --left_;
    }

private:
    std::uint64_t millisecond_ = 0;
    std::uint32_t size_ = 0;
    std::uint32_t left_ = 0;
    std::uint32_t last_ = 0;
};

// One generator's draws from counters that it shares with others.
class SharedDraws {
public:
    constexpr explicit SharedDraws(SharedCounters* counters) noexcept : counters_(counters) {}

    std::uint32_t next_step() noexcept { return counters_->take_steps(1); }

    // Steps over what sequential mode is at: two backends whose process ids are equal modulo 65 536 may be of either
    // mode.
    std::uint32_t next_variable(std::uint64_t now) noexcept {
        std::uint32_t block = 0;
        do {
            block = block_at(steps_.next(now, [this](std::uint32_t count) { return counters_->take_steps(count); }));
        } while (is_near(counters_->sequential(now), block, sequential_reach));
        return block;
    }

    std::uint32_t next_sequential(std::uint64_t now) noexcept {
        return sequential_.next(now,
                                [this, now](std::uint32_t count) { return counters_->take_sequential(count, now); });
    }

    std::uint32_t step() const noexcept { return counters_->step(); }

    std::uint32_t sequential(std::uint64_t now) noexcept { return counters_->sequential(now); }

private:
    SharedCounters* counters_;
    Batch steps_;
    Batch sequential_;
};

}  // namespace luuid
