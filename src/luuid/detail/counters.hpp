// The two counters of one generator, which blocks come from.
#pragma once

#include <luuid/detail/block.hpp>
#include <luuid/detail/seed.hpp>

namespace luuid::detail {

// Generators whose counters start this many steps apart spread their ids together as evenly as one generator would,
// whether each generates one id or many: 2^32 over the golden ratio, rounded to odd.
inline constexpr std::uint32_t start_stride = 0x9e3779b9;

class Counters {
public:
    // The variable counter continues from this step; the sequential one computes its own seed.
    constexpr explicit Counters(std::uint32_t step) noexcept : step_(step) {}

    // A step has 64 bits, so that none repeats. Blocks repeat after 2^32.
    constexpr std::uint64_t next_step() noexcept { return ++step_; }

    constexpr std::uint32_t next_variable() noexcept { return block_at(static_cast<std::uint32_t>(next_step())); }

    // The first block of a window is its seed + 1.
    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept { return sequential_ = sequential(now) + 1; }

    // The last step drawn.
    constexpr std::uint64_t step() const noexcept { return step_; }

    // The last sequential block drawn, or the seed of a new window. A window later than any before re-seeds; an earlier
    // one, after a clock step, does not.
    constexpr std::uint32_t sequential(std::uint64_t now) noexcept {
        if (const std::uint32_t window = window_of(now); window > window_) {
            window_ = window;
            sequential_ = window_seed(window);
        }
        return sequential_;
    }

private:
    std::uint64_t step_;
    // Initialized for window 0, which needs its seed too.
    std::uint32_t window_ = 0;
    std::uint32_t sequential_ = window_seed(0);
};

}  // namespace luuid::detail
