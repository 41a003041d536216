// Generation of versions 1 and 7 of RFC 9562, strictly increasing whatever the clock does: after a step back they go on
// from the last id until the clock is there again.
#pragma once

#include <luuid/layout.hpp>

#include <algorithm>

namespace luuid::detail {

// The node of version-1 ids: no two live processes of a machine have the same, since it holds the process id (24 bits,
// Linux has at most 22) beside 23 random bits.
constexpr std::uint64_t process_node(std::uint32_t pid, std::uint32_t random) noexcept {
    const std::uint64_t random_high = std::uint64_t{random >> 16 & 0x7f} << 41;
    const std::uint64_t random_low = std::uint64_t{random & 0xffff} << 24;
    return random_high | multicast_bit | random_low | (pid & 0xff'ffff);
}

// Version 1, RFC 9562 §5.1: a tick for each id. Node 48 bits, clock sequence 14.
class V1Timeline {
public:
    constexpr V1Timeline(std::uint64_t node, std::uint32_t clock_sequence) noexcept
        : rest_(rfc_variant | std::uint64_t{clock_sequence & 0x3fff} << 48 | node) {}

    constexpr Id next(TickTime now) noexcept {
        last_ = now > last_ ? now : last_ + Ticks(1);
        return v1_id(gregorian_count_at(last_), rest_);
    }

    // Its next id is not before this time.
    constexpr void go_on_from(TickTime time) noexcept { last_ = std::max(last_, time - Ticks(1)); }

private:
    std::uint64_t rest_;
    TickTime last_{};
};

// Version 7, RFC 9562 §5.7: 4096ths of the millisecond in the 12 bits after the version (§6.2, method 3), and 62 random
// bits, which grow by a random amount where two ids fall on one stamp (method 2). `now` is not before 1970.
class V7Timeline {
public:
    constexpr Id next(TickTime now, std::uint64_t random) noexcept {
        const auto ticks = static_cast<std::uint64_t>(now.time_since_epoch().count());
        const std::uint64_t stamp =
            ticks / ticks_per_millisecond << 12 | ticks % ticks_per_millisecond * 4096 / ticks_per_millisecond;
        if (stamp > stamp_) {
            stamp_ = stamp;
            random_ = random & random_max;
        } else {
            random_ += 1 + (random & 0xffff'ffff);
            if (random_ > random_max) {
                ++stamp_;
                random_ = random & random_max;
            }
        }
        return {stamp_ >> 12 << 16 | std::uint64_t{7} << 12 | (stamp_ & 0xfff), rfc_variant | random_};
    }

    // Its next id is of this millisecond since 1970 or a later one.
    constexpr void go_on_from(std::uint64_t millisecond) noexcept {
        if (millisecond << 12 <= stamp_)
            return;
        stamp_ = millisecond << 12;
        random_ = random_max;  // so that an id of this stamp goes on to the next, where it has random bits of its own
    }

private:
    static constexpr std::uint64_t random_max = (std::uint64_t{1} << 62) - 1;

    std::uint64_t stamp_ = 0;
    std::uint64_t random_ = 0;
};

}  // namespace luuid::detail
