// Generation: the next id as a function of the counters, the generator's own past, who it is and what the clock says.
#pragma once

#include "order.hpp"
#include "window.hpp"

namespace luuid {

enum class CounterMode : std::uint8_t { variable, sequential };

// Where the blocks come from. A generator takes them from any type with these two functions.
class Counters {
public:
    // The variable counter starts at a random value; the sequential one finds its own.
    constexpr explicit Counters(std::uint32_t start) noexcept : variable_(start) {}

    constexpr std::uint32_t next_variable() noexcept { return reverse_nibbles(variable_ += variable_step); }

    // A later window than any before re-seeds; an earlier one, after a clock step, does not.
    constexpr std::uint32_t next_sequential(std::uint64_t now) noexcept {
        if (const std::uint32_t window = window_of(now); window > window_) {
            window_ = window;
            sequential_ = window_seed(window);
        }
        return ++sequential_;
    }

private:
    std::uint32_t variable_;
    std::uint32_t window_ = 0;  // the latest seen; the first there is needs its seed too
    std::uint32_t sequential_ = window_seed(0);
};

template <class Source>
constexpr std::uint32_t next_block(Source& counters, CounterMode mode, std::uint64_t now) noexcept {
    return mode == CounterMode::variable ? counters.next_variable() : counters.next_sequential(now);
}

// One generator's past: what keeps each of its ids greater than the one before it.
class Timeline {
public:
    // A clock that steps back no further than this is waited for; past it, the step is followed.
    static constexpr std::uint64_t hold_milliseconds = 10'000;

    // The id of a block, greater than every id placed before it unless the clock stepped back beyond the hold.
    // `now` is the clock's reading in milliseconds since 1970.
    constexpr Id place(std::uint32_t block, Layout layout, Identity who, std::uint64_t now) noexcept {
        if (now >= clock_) {
            clock_ = now;
        } else if (clock_ - now > hold_milliseconds) {
            clock_ = now;
            last_ = nil_id;
            ++steps_followed_;
        }
        const std::uint64_t last_millisecond = millisecond_field(last_);
        const std::uint64_t millisecond = clock_ > last_millisecond ? clock_ : last_millisecond;
        Id id = locality_id(layout, block, who, millisecond);
        // A counter wrap, another user of the counters or a change of mode, version or identity.
        if (compare(id, last_) <= 0)
            id = locality_id(layout, block, who, millisecond + 1);
        return last_ = id;
    }

    // How often the clock stepped back beyond the hold.
    constexpr std::uint64_t steps_followed() const noexcept { return steps_followed_; }

private:
    std::uint64_t clock_ = 0;  // the latest reading, followed steps excepted
    Id last_ = nil_id;
    std::uint64_t steps_followed_ = 0;
};

}  // namespace luuid
