// The chronological order: total over all 2^128 values, and in agreement with equality of the 16 bytes.
//
//   1. nil
//   2. timed ids by (ticks, version, sequence, the 16 bytes)
//   3. untimed ids by (version, the 16 bytes)
//
// The sequence is that of block.hpp in versions b and 8, and 0 elsewhere.
#pragma once

#include "block.hpp"
#include "layout.hpp"

namespace luuid {

enum class Era : std::uint8_t { nil, timed, untimed };

// All that the order looks at before the 16 bytes themselves.
struct Rank {
    Era era = Era::nil;
    Ticks ticks = 0;
    std::uint8_t version = 0;
    std::uint32_t sequence = 0;

    friend constexpr std::strong_ordering operator<=>(const Rank&, const Rank&) noexcept = default;
};

constexpr Rank rank(const Id& id) noexcept {
    const auto version = static_cast<std::uint8_t>(version_nibble(id));
    if (const auto instant = ticks(id))
        return {Era::timed, *instant, version, is_locality(layout_of(id)) ? sequence_of(prefix(id)) : 0};
    return {id == nil_id ? Era::nil : Era::untimed, 0, version, 0};
}

constexpr std::strong_ordering compare(const Id& a, const Id& b) noexcept {
    if (layout_of(a) == Layout::vb && layout_of(b) == Layout::vb) {  // most comparisons: spare them the ranks
        if (const auto by_time = millisecond_field(a) <=> millisecond_field(b); by_time != 0)
            return by_time;
        if (const auto by_sequence = sequence_of(prefix(a)) <=> sequence_of(prefix(b)); by_sequence != 0)
            return by_sequence;
        return a <=> b;
    }
    if (const auto by_rank = rank(a) <=> rank(b); by_rank != 0)
        return by_rank;
    return a <=> b;
}

// A 64-bit key that never contradicts the order: a < b implies abbreviate(a) <= abbreviate(b).
//
//   bits 63..62  the other 62 bits
//   00           0 for nil; before 1970: 1 + milliseconds since 1582-10-15
//   01           1970 to 2527: milliseconds since 1970 (44 bits), place within the millisecond (18 bits)
//   10           later: milliseconds since 1970
//   11           untimed: version (4 bits), the first 58 bits of the id
//
// The place within a millisecond tells apart the ids of one bulk load:
//   00 at its first tick, version 1, 6 or 7: 0, or the 12 bits after the version for 7, where generators put fractions
//   01 version 8 and 10 version b: the high half of the sequence
//   11 later ticks of version 1 and 6: their number
constexpr std::uint64_t abbreviate(const Id& id) noexcept {
    constexpr std::uint64_t present = std::uint64_t{1} << 62;
    constexpr std::uint64_t future = std::uint64_t{2} << 62;
    constexpr std::uint64_t untimed = std::uint64_t{3} << 62;
    constexpr std::uint64_t present_end = std::uint64_t{1} << 44;

    const auto instant = ticks(id);
    if (!instant)
        return id == nil_id ? 0 : untimed | std::uint64_t{version_nibble(id)} << 58 | id.msb >> 6;

    const std::uint64_t since_1582 = static_cast<std::uint64_t>(*instant - gregorian_start);
    if (*instant < 0)
        return 1 + since_1582 / ticks_per_millisecond;
    const std::uint64_t millisecond = static_cast<std::uint64_t>(*instant) / ticks_per_millisecond;
    if (millisecond >= present_end)
        return future | millisecond;

    const auto place = [&]() -> std::uint64_t {
        const std::uint64_t later_ticks = static_cast<std::uint64_t>(*instant) % ticks_per_millisecond;
        switch (layout_of(id)) {
            case Layout::v7:
                return id.msb & 0xfff;
            case Layout::v8:
                return std::uint64_t{1} << 16 | sequence_of(prefix(id)) >> 16;
            case Layout::vb:
                return std::uint64_t{2} << 16 | sequence_of(prefix(id)) >> 16;
            default:
                return later_ticks == 0 ? 0 : std::uint64_t{3} << 16 | later_ticks;
        }
    };
    return present | millisecond << 18 | place();
}

}  // namespace luuid
