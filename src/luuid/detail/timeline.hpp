// The clock as a generator goes by it: a small step back is waited for, a larger one is followed. And how far ids that
// are made faster than time goes by run ahead of it.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <luuid/time.hpp>

namespace luuid::detail {

// Times are milliseconds since 1970.
class Timeline {
public:
    // A clock that steps back no further than this is waited for; past it, the step is followed.
    static constexpr std::uint64_t hold_milliseconds = 10'000;

    // Goes on from this reading.
    constexpr explicit Timeline(std::uint64_t reading) noexcept : reading_(reading) {}

    // Whether this reading of the clock is a step back that is to be followed.
    constexpr bool is_step(std::uint64_t now) const noexcept {
        return now < reading_ && reading_ - now > hold_milliseconds;
    }

    // Takes a reading of the clock. True where it is a step back that is followed, so that time starts over.
    constexpr bool starts_over(std::uint64_t now) noexcept {
        if (is_step(now)) {
            follow(now);
            return true;
        }
        reading_ = std::max(reading_, now);
        return false;
    }

    // Starts over from this millisecond, where that is a step back.
    constexpr void follow(std::uint64_t millisecond) noexcept {
        if (millisecond < reading_)
            ++steps_followed_;
        reading_ = millisecond;
    }

    // The latest reading since time last started over.
    constexpr std::uint64_t reading() const noexcept { return reading_; }

    // How often the clock stepped back beyond the hold.
    constexpr std::uint64_t steps_followed() const noexcept { return steps_followed_; }

private:
    std::uint64_t reading_;
    std::uint64_t steps_followed_ = 0;
};

// By how many milliseconds ids that have come to `last` ran ahead of the clock, whose latest reading was `reading`.
// What a step back made of it does not count, and nothing does while that is one that nobody waits for.
constexpr std::uint64_t lead_of(TickTime last, TickTime reading, TickTime now) noexcept {
    using std::chrono::milliseconds;
    if (last <= now || reading - now > milliseconds(Timeline::hold_milliseconds))
        return 0;
    return static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(last - std::max(reading, now)).count());
}

}  // namespace luuid::detail
