// The two running counters of one generator, which blocks come from.
#pragma once

#include <luuid/detail/block.hpp>
#include <luuid/detail/seed.hpp>

namespace luuid::detail {

// Generators whose counters start one after the other at so many steps more spread as evenly together as one generator
// that makes all their ids, whether they make one each or many: 2^32 over the golden ratio, made odd.
inline constexpr std::uint32_t start_stride = 0x9e3779b9;

class Counters {
public:
    // The variable counter goes on from this step; the sequential one finds its own seed.
    constexpr explicit Counters(std::uint32_t step) noexcept : step_(step) {}

    // Of 64 bits, so that no step comes twice. Blocks come again after 2^32.
    constexpr std::uint64_t next_step() noexcept { return ++step_; }

    constexpr std::uint32_t next_variable() noexcept { return block_at(static_cast<std::uint32_t>(next_step())); }

    // The first block of a window is its seed + 1.
    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept { return sequential_ = sequential(now) + 1; }

    // The last step drawn.
    constexpr std::uint64_t step() const noexcept { return step_; }

    // The last sequential block drawn, or the seed of a window that begins. A later window than any before re-seeds; an
    // earlier one, after a clock step, does not.
    constexpr std::uint32_t sequential(std::uint64_t now) noexcept {
        if (const std::uint32_t window = window_of(now); window > window_) {
            window_ = window;
            sequential_ = window_seed(window);
        }
        return sequential_;
    }

private:
    std::uint64_t step_;
    // Before the first draw: the first window there is needs its seed too.
    std::uint32_t window_ = 0;
    std::uint32_t sequential_ = window_seed(0);
};

}  // namespace luuid::detail
