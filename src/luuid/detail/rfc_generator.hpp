// Generation of RFC 9562's versions 1 and 7. Ids increase strictly whatever the clock does: after a step back they
// continue from the last one until the clock catches up. Ids of one given time, for back-filling, differ and increase
// by the other fields of the version, so a time may have any number of them.
#pragma once

#include <luuid/detail/timeline.hpp>
#include <luuid/seal.hpp>

#include <algorithm>

namespace luuid::detail::inline LUUID_FORM {

// The node of version-1 ids: the process id (24 bits, Linux has at most 22) and 23 random bits. No two live processes
// of one PID namespace share it.
constexpr std::uint64_t process_node(std::uint32_t pid, std::uint32_t random) noexcept {
    const std::uint64_t random_high = std::uint64_t{random >> 16 & 0x7f} << 41;
    const std::uint64_t random_low = std::uint64_t{random & 0xffff} << 24;
    return random_high | multicast_bit | random_low | (pid & 0xff'ffff);
}

// Version 1, RFC 9562 §5.1: one tick per id. Node 48 bits, clock sequence 14.
class V1Timeline {
public:
    constexpr V1Timeline(std::uint64_t node, std::uint32_t clock_sequence) noexcept
        : rest_(rfc_variant | std::uint64_t{clock_sequence & 0x3fff} << 48 | node) {}

    constexpr Id next(TickTime now) noexcept {
        reading_ = std::max(reading_, now);
        last_ = now > last_ ? now : last_ + Ticks(1);
        return v1_id(gregorian_count_at(last_), rest_);
    }

    // An id of a given time, for back-filling. Its clock sequence and node differ from next()'s and earlier calls', and
    // it is greater than their ids of its microsecond. Nothing unless 60 bits hold all ticks of the microsecond.
    constexpr std::optional<Id> next_at(Time time) noexcept {
        if (time < first_gregorian || time >= last_gregorian)
            return std::nullopt;
        const std::uint64_t number = number_in(rest_) + ++given_;
        // After the last number, continue with the first in the next tick of the microsecond.
        return v1_id(gregorian_count_at(time) + number / numbers % ticks_per_microsecond, with_number(rest_, number));
    }

    // From now on, its ids are not before this time.
    constexpr void go_on_from(TickTime time) noexcept {
        reading_ = std::max(reading_, time - Ticks(1));
        last_ = std::max(last_, reading_);
    }

    // The time of its last id.
    constexpr TickTime last() const noexcept { return last_; }

    // How many milliseconds its ids are ahead of the clock.
    constexpr std::uint64_t lead(TickTime now) const noexcept { return lead_of(last_, reading_, now); }

private:
    static constexpr std::uint64_t ticks_per_microsecond = 10;

    // The clock sequence (14 bits) and the random bits of the node (7 before the multicast bit, 16 after it) as one
    // number. Ids increase with it. The order compares these bytes as signed, so `signs` flips their sign bits, except
    // the first, which is the variant's.
    static constexpr std::uint64_t numbers = std::uint64_t{1} << 37;
    static constexpr std::uint64_t signs = 0x0080'8080'8000'0000;

    static constexpr std::uint64_t number_in(std::uint64_t rest) noexcept {
        const std::uint64_t unsigned_rest = rest ^ signs;
        return (unsigned_rest >> 41 & 0x1f'ffff) << 16 | (unsigned_rest >> 24 & 0xffff);
    }

    static constexpr std::uint64_t with_number(std::uint64_t rest, std::uint64_t number) noexcept {
        constexpr std::uint64_t others = ~(std::uint64_t{0x1f'ffff} << 41 | std::uint64_t{0xffff} << 24);
        return (rest & others) | (((number >> 16 & 0x1f'ffff) << 41 | (number & 0xffff) << 24) ^ signs);
    }

    std::uint64_t rest_;
    TickTime last_{};
    TickTime reading_{};       // the latest of the clock
    std::uint64_t given_ = 0;  // ids of next_at()
};

// Version 7, RFC 9562 §5.7: 4096ths of the millisecond in the 12 bits after the version (§6.2, method 3), and 62 random
// bits. If two ids share a stamp, the millisecond and its fraction, the random bits grow by a random amount (method 2),
// so large that mostly the first 16 differ, which are all that sort_keys.hpp reads of them. `now` is not before 1970.
class V7Timeline {
public:
    constexpr Id next(TickTime now, std::uint64_t random) noexcept {
        const std::uint64_t stamp = stamp_of(now);
        if (stamp > stamp_) {
            stamp_ = stamp;
            random_ = random & random_max;
        } else {
            random_ += 1 + (random & random_max >> 10);
            if (random_ > random_max) {
                ++stamp_;
                random_ = random & random_max;
            }
        }
        return id_of(stamp_, random_);
    }

    // For back-filling. Its random bits are a number that grows, so ids differ and increase within a time, plus a keyed
    // hash of the time, so they have no order across times. Nothing outside 48 bits of ms. `draw()` returns random bits.
    template <class Draw>
    constexpr std::optional<Id> next_at(Time time, Draw draw) {
        if (!millisecond_of(time))
            return std::nullopt;
        given_key_ = given_ == 0 ? SealKey{draw(), draw()} : given_key_;
        given_ += 1 + (draw() & 0xff'ffff);
        const std::uint64_t hash = siphash(given_key_, stamp_of(time), std::uint64_t{8} << 56) >> 3;
        return id_of(stamp_of(time), (given_ + hash) & random_max);
    }

    // From now on, its ids have this millisecond since 1970 or a later one.
    constexpr void go_on_from(std::uint64_t millisecond) noexcept {
        if (millisecond << 12 <= stamp_)
            return;
        stamp_ = millisecond << 12;
        random_ = random_max;  // so that the next id takes the next stamp, with new random bits
    }

    // The millisecond of its last id.
    constexpr TickTime last() const noexcept { return TickTime(std::chrono::milliseconds(stamp_ >> 12)); }

private:
    static constexpr std::uint64_t random_max = (std::uint64_t{1} << 62) - 1;

    static constexpr std::uint64_t stamp_of(TickTime time) noexcept {
        const auto ticks = static_cast<std::uint64_t>(time.time_since_epoch().count());
        return ticks / ticks_per_millisecond << 12 | ticks % ticks_per_millisecond * 4096 / ticks_per_millisecond;
    }

    static constexpr Id id_of(std::uint64_t stamp, std::uint64_t random) noexcept {
        return {stamp >> 12 << 16 | std::uint64_t{7} << 12 | (stamp & 0xfff), rfc_variant | random};
    }

    std::uint64_t stamp_ = 0;
    std::uint64_t random_ = 0;
    std::uint64_t given_ = 0;  // the last number of next_at(): for 2^37 ids, it and a hash of 61 bits have at most 62
    SealKey given_key_;        // of its hash
};

}  // namespace luuid::detail::inline LUUID_FORM
