// The clock as a generator sees it: the generator waits for a clock that steps back a little, and follows a larger
// step. And how far ids are ahead of the clock if they are generated faster than time passes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include <luuid/time.hpp>

namespace luuid::detail::inline LUUID_FORM {

// Times are milliseconds since 1970.
class Timeline {
public:
    // The longest step back for which a generator waits.
    static constexpr std::uint64_t hold_milliseconds = 10'000;

    // Continues from this reading.
    constexpr explicit Timeline(std::uint64_t reading) noexcept : reading_(reading) {}

    // True if this reading is a step back to follow.
    constexpr bool is_step(std::uint64_t now) const noexcept {
        return now < reading_ && reading_ - now > hold_milliseconds;
    }

    // Records a reading. True if it is a step back to follow, so that time starts over.
    constexpr bool starts_over(std::uint64_t now) noexcept {
        if (is_step(now)) {
            follow(now);
            return true;
        }
        reading_ = std::max(reading_, now);
        return false;
    }

    // Starts over from this millisecond, and counts that as a step if it is one back.
    constexpr void follow(std::uint64_t millisecond) noexcept {
        if (millisecond < reading_)
            ++steps_followed_;
        reading_ = millisecond;
    }

    // The latest reading since time last started over.
    constexpr std::uint64_t reading() const noexcept { return reading_; }

    // How often time started over from an earlier millisecond.
    constexpr std::uint64_t steps_followed() const noexcept { return steps_followed_; }

private:
    std::uint64_t reading_;
    std::uint64_t steps_followed_ = 0;
};

// How many milliseconds ids up to `last` ran ahead of the clock, whose latest reading was `reading`. A small step back
// adds nothing. After a larger one, for which nobody waits, it is 0.
constexpr std::uint64_t lead_of(TickTime last, TickTime reading, TickTime now) noexcept {
    using std::chrono::milliseconds;
    if (last <= now || reading - now > milliseconds(Timeline::hold_milliseconds))
        return 0;
    return static_cast<std::uint64_t>(std::chrono::duration_cast<milliseconds>(last - std::max(reading, now)).count());
}

}  // namespace luuid::detail::inline LUUID_FORM
