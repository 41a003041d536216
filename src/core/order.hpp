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

#include <algorithm>

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

// What tells the locality UUIDs of one millisecond apart, up to their identities: their version and sequence.
constexpr std::uint64_t place_in_millisecond(Layout layout, std::uint32_t block) noexcept {
    return static_cast<std::uint64_t>(layout) << 32 | sequence_of(block);
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

// Keys for the ids of one sort, which do not contradict the order either. A bulk load's ids are of few milliseconds, so
// these spend their bits on the days around the first timed id they meet, and there on all of the sequence.
//
//   bits 63..62  the other 62 bits
//   00           before the window: the first 62 bits of abbreviate
//   01           in it: milliseconds since it begins (30 bits, twelve days), place within the millisecond (32 bits)
//   10           after it: as before it
//
// The place is the sequence, or for version 7 the first bits after the version, of ids of the first one's layout. Other
// ids of that millisecond come before them all or after them all. Versions 1 and 6 have their 100 ns to be told apart
// by, and open no window.
class SortKeys {
public:
    constexpr std::uint64_t key_of(const Id& id) noexcept {
        const Layout layout = layout_of(id);
        if (layout_ == Layout::untimed)
            open_window(id, layout);
        if (layout == layout_)
            if (const std::uint64_t since = millisecond_of(id) - begin_; since < window_size)
                return inside | since << 32 | own_place(id);
        return key_of_other(id, layout);
    }

private:
    static constexpr std::uint64_t inside = std::uint64_t{1} << 62;
    static constexpr std::uint64_t after = std::uint64_t{2} << 62;
    static constexpr std::uint64_t window_size = std::uint64_t{1} << 30;
    static constexpr std::uint64_t never = std::uint64_t{1} << 62;  // no millisecond is as late

    // Of layouts 7, 8 and b.
    static constexpr std::uint64_t millisecond_of(const Id& id) noexcept {
        return version_nibble(id) == 7 ? id.msb >> 16 : millisecond_field(id);
    }

    constexpr std::uint64_t own_place(const Id& id) const noexcept {
        if (layout_ == Layout::v7)
            return (id.msb & 0xfff) << 20 | (id.lsb >> 42 & 0xf'ffff);
        return sequence_of(prefix(id));
    }

    constexpr void open_window(const Id& id, Layout layout) noexcept {
        layout_ = layout;
        if (layout == Layout::v7 || is_locality(layout))
            begin_ = std::max(millisecond_of(id), window_size / 2) - window_size / 2;
    }

    constexpr std::uint64_t key_of_other(const Id& id, Layout layout) const noexcept {
        const std::uint64_t elsewhere = abbreviate(id) >> 2;
        const auto instant = ticks(id);
        if (!instant)
            return id == nil_id ? elsewhere : after | elsewhere;
        const std::uint64_t millisecond = static_cast<std::uint64_t>(*instant) / ticks_per_millisecond;
        if (*instant < 0 || millisecond < begin_)
            return elsewhere;
        if (millisecond - begin_ >= window_size)
            return after | elsewhere;
        const bool is_last = *instant % ticks_per_millisecond != 0 || layout > layout_;
        return inside | (millisecond - begin_) << 32 | (is_last ? 0xffff'ffff : 0);
    }

    Layout layout_ = Layout::untimed;  // of the first timed id
    std::uint64_t begin_ = never;
};

}  // namespace luuid
