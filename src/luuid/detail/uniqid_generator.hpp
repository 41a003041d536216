// Generation of short keys: one microsecond per key, as PHP's uniqid() does, strictly increasing whatever the clock
// does.
#pragma once

#include <luuid/detail/timeline.hpp>
#include <luuid/uniqid.hpp>

namespace luuid::detail::inline LUUID_FORM {

class UniqidTimeline {
public:
    // Takes 16 of the random bits; nothing if the seconds do not fit 32 bits.
    constexpr std::optional<Uniqid> next(TickTime now, std::uint64_t random) noexcept {
        reading_ = std::max(reading_, now);
        const Time reading = std::chrono::floor<std::chrono::microseconds>(now);
        last_ = reading > last_ ? reading : last_ + std::chrono::microseconds(1);
        auto key = uniqid_at(last_);
        if (key)
            key->random = static_cast<std::uint16_t>(random);
        return key;
    }

    // The time of its last key.
    constexpr TickTime last() const noexcept { return last_; }

    // How many milliseconds its keys are ahead of the clock.
    constexpr std::uint64_t lead(TickTime now) const noexcept { return lead_of(last_, reading_, now); }

private:
    Time last_{};
    TickTime reading_{};  // the latest of the clock
};

}  // namespace luuid::detail::inline LUUID_FORM
