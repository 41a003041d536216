// Abbreviated keys of 64 bits, as PostgreSQL's SortSupport compares them before the ids: consistent with the order.
#pragma once

#include <luuid/layout.hpp>

#include <algorithm>

namespace luuid::detail {

// a < b implies abbreviate(a) <= abbreviate(b).
//
//   bits 63..62  the other 62 bits
//   00           0 for nil; before 1970: 1 + milliseconds since 1582-10-15
//   01           1970 to 2527: milliseconds since 1970 (44 bits), place within the millisecond (18 bits)
//   10           later: milliseconds since 1970
//   11           untimed: version (4 bits), the first 58 bits of the id
//
// The place within a millisecond distinguishes the ids of one bulk load:
//   00 at its first tick, version 1, 6 or 7: 0, or the 12 bits after the version for 7, where generators put fractions
//   01 version 8 and 10 version b: the high half of the sequence
//   11 later ticks of version 1 and 6: their number
constexpr std::uint64_t abbreviate(Id id) noexcept {
    constexpr std::uint64_t untimed = std::uint64_t{3} << 62;

    const auto key_at = [](std::uint64_t millisecond, std::uint64_t place) {
        constexpr std::uint64_t of_44_bits = std::uint64_t{1} << 62;
        constexpr std::uint64_t of_more_bits = std::uint64_t{2} << 62;
        return millisecond >> 44 == 0 ? of_44_bits | millisecond << 18 | place : of_more_bits | millisecond;
    };
    const Layout layout = layout_of(id);
    switch (layout) {
        case Layout::v7:
            return key_at(id.msb >> 16, id.msb & 0xfff);
        case Layout::v8:
            return key_at(millisecond_field(id), std::uint64_t{1} << 16 | sequence_of(prefix(id)) >> 16);
        case Layout::vb:
            return key_at(millisecond_field(id), std::uint64_t{2} << 16 | sequence_of(prefix(id)) >> 16);
        case Layout::v1:
        case Layout::v6: {
            const std::uint64_t count = gregorian_count(id, layout);
            if (count < gregorian_count_at({}))
                return 1 + count / ticks_per_millisecond;
            const std::uint64_t ticks = count - gregorian_count_at({});
            const std::uint64_t later_ticks = ticks % ticks_per_millisecond;
            return key_at(ticks / ticks_per_millisecond, later_ticks == 0 ? 0 : std::uint64_t{3} << 16 | later_ticks);
        }
        case Layout::untimed:
            break;
    }
    return id == nil_id ? 0 : untimed | std::uint64_t{version_nibble(id)} << 58 | id.msb >> 6;
}

// The keys of one sort, which are consistent with the order too. A bulk load has few milliseconds. So most bits tell
// apart the ids of one layout in one stretch of time, those of the first timed id. Their place has 64 bits:
//
//   version 7       its first 64 bits: milliseconds, the version, 4096ths of the millisecond
//   versions 8, b   milliseconds, the high half of the sequence
//
//   bits 63..62     the other 62 bits
//   00              before the stretch: the first 62 bits of the place
//   01              in the stretch: the place since its begin (46 bits: 12 days),
//                   and the 16 bits after the variant of version 7, or the low half of the sequence
//   10              after the stretch: the first 62 bits of the place
//   11              untimed: abbreviate()
//
// An id of another layout has a key below or above all keys of that layout in its millisecond; before 1970 its key is
// 0. If the first timed id has version 1 or 6, whose 100 ns distinguish ids, every key is abbreviate().
class SortKeys {
public:
    // Most ids that are sorted have version 7 and are in the stretch. Its begin then contains the version, so that one
    // test finds both an id of another version and an id outside of the stretch.
    constexpr std::uint64_t key_of(const Id& id) noexcept {
        const std::uint64_t since_begin = id.msb - begin_;
        if (first_ == Layout::v7 && (since_begin & (~stretch | 0xf000)) == 0 && has_rfc_variant(id))
            return in_stretch | since_begin << 16 | id.lsb << 2 >> 48;
        return key_of_other(id);
    }

private:
    static constexpr std::uint64_t stretch = (std::uint64_t{1} << 46) - 1;
    static constexpr std::uint64_t in_stretch = std::uint64_t{1} << 62;

    constexpr std::uint64_t key_at(std::uint64_t place, std::uint64_t next_16_bits) const noexcept {
        if (const std::uint64_t since_begin = place - begin_; since_begin <= stretch)
            return in_stretch | since_begin << 16 | next_16_bits;
        return (place < begin_ ? 0 : std::uint64_t{2} << 62) | place >> 2;
    }

    static constexpr std::uint64_t place_of(const Id& id, Layout layout) noexcept {
        return layout == Layout::v7 ? id.msb : millisecond_field(id) << 16 | sequence_of(prefix(id)) >> 16;
    }

    [[gnu::noinline]] constexpr std::uint64_t key_of_other(Id id) noexcept {
        const Layout layout = layout_of(id);
        if (first_ == Layout::untimed && layout != Layout::untimed) {
            constexpr std::uint64_t half = stretch / 2 + 1;
            const std::uint64_t begin = std::clamp(place_of(id, layout), half, ~half) - half;
            begin_ = begin >> 16 << 16 | (layout == Layout::v7 ? std::uint64_t{7} << 12 : 0);
            first_ = layout;
        }
        if (layout == Layout::untimed || first_ == Layout::v1 || first_ == Layout::v6)
            return abbreviate(id);
        if (layout == first_)
            return key_at(place_of(id, layout),
                          layout == Layout::v7 ? id.lsb << 2 >> 48 : sequence_of(prefix(id)) & 0xffff);

        const TickTime time = time_field(id, layout);
        if (time < TickTime{})
            return 0;
        const auto ticks = static_cast<std::uint64_t>(time.time_since_epoch().count());
        const bool after = ticks % ticks_per_millisecond != 0 || layout > first_;
        return key_at(ticks / ticks_per_millisecond << 16 | (after ? 0xffff : 0), after ? 0xffff : 0);
    }

    Layout first_ = Layout::untimed;  // of the first timed id
    std::uint64_t begin_ = 0;         // of the stretch: a place
};

}  // namespace luuid::detail
