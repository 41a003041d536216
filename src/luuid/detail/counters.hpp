// The two counters of a generator, from which it takes blocks.
#pragma once

#include <luuid/detail/block.hpp>
#include <luuid/detail/seed.hpp>

namespace luuid::detail::inline LUUID_FORM {

// 2^32 / golden ratio, made odd. Generators whose counters start this many steps apart together spread their ids as
// evenly as one generator would, whether each generates one id or many.
inline constexpr std::uint32_t start_stride = 0x9e3779b9;

class Counters {
public:
    // The variable counter continues after this step. The sequential one starts at the seed of the clock's window.
    constexpr explicit Counters(std::uint32_t step) noexcept : step_(step) {}

    // A step has 64 bits, so that none repeats, while blocks repeat after 2^32 steps.
    constexpr std::uint64_t next_step() noexcept { return ++step_; }

    constexpr std::uint32_t next_variable() noexcept { return block_at(static_cast<std::uint32_t>(next_step())); }

    // The first block of a window is its seed + 1.
    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept { return sequential_ = sequential(now) + 1; }

    // The last step drawn.
    constexpr std::uint64_t step() const noexcept { return step_; }

    // The last sequential block drawn, or the seed of a new window. An earlier window, after the clock stepped back,
    // keeps the counter.
    constexpr std::uint32_t sequential(std::uint64_t now) noexcept {
        if (const std::uint32_t window = window_of(now); window > window_) {
            window_ = window;
            sequential_ = window_seed(window);
        }
        return sequential_;
    }

private:
    std::uint64_t step_;
    // The seed of window 0, which sequential() never sets.
    std::uint32_t window_ = 0;
    std::uint32_t sequential_ = window_seed(0);
};

}  // namespace luuid::detail::inline LUUID_FORM
