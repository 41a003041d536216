// The clock as a generator goes by it: a small step back is waited for, a larger one is followed.
#pragma once

#include <cstdint>

namespace luuid::detail {

// Times are milliseconds since 1970.
class Timeline {
public:
    // A clock that steps back no further than this is waited for; past it, the step is followed.
    static constexpr std::uint64_t hold_milliseconds = 10'000;

    // Goes on from this reading.
    constexpr explicit Timeline(std::uint64_t reading) noexcept : reading_(reading) {}

    // Takes a reading of the clock. True where it is a step back that is followed, so that time starts over.
    constexpr bool starts_over(std::uint64_t now) noexcept {
        const bool is_followed = now < reading_ && reading_ - now > hold_milliseconds;
        if (is_followed)
            ++steps_followed_;
        if (is_followed || now > reading_)
            reading_ = now;
        return is_followed;
    }

    // The latest reading since time last started over.
    constexpr std::uint64_t reading() const noexcept { return reading_; }

    // How often the clock stepped back beyond the hold.
    constexpr std::uint64_t steps_followed() const noexcept { return steps_followed_; }

private:
    std::uint64_t reading_;
    std::uint64_t steps_followed_ = 0;
};

}  // namespace luuid::detail
