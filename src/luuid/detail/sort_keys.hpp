// Keys of 64 bits that make sorting faster and are consistent with the order.
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
constexpr std::uint64_t abbreviate(const Id& id) noexcept {
    constexpr std::uint64_t untimed = std::uint64_t{3} << 62;

    const auto key_at = [](std::uint64_t millisecond, std::uint64_t place) {
        constexpr std::uint64_t of_44_bits = std::uint64_t{1} << 62;
        constexpr std::uint64_t of_more_bits = std::uint64_t{2} << 62;
        return millisecond >> 44 == 0 ? of_44_bits | millisecond << 18 | place : of_more_bits | millisecond;
    };
    switch (layout_of(id)) {
        case Layout::v7:
            return key_at(id.msb >> 16, id.msb & 0xfff);
        case Layout::v8:
            return key_at(millisecond_field(id), std::uint64_t{1} << 16 | sequence_of(prefix(id)) >> 16);
        case Layout::vb:
            return key_at(millisecond_field(id), std::uint64_t{2} << 16 | sequence_of(prefix(id)) >> 16);
        case Layout::v1:
        case Layout::v6: {
            const std::uint64_t count = gregorian_count(id);
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

// Keys for the ids of one sort, also consistent with the order. A bulk load has few milliseconds, so most bits go to
// the days around the first timed id, and to the whole sequence of ids there.
//
//   bits 63..62  the other 62 bits
//   00           before those days: the first 62 bits of abbreviate
//   01           in them: milliseconds since they begin (30 bits, twelve days), place within the millisecond (32 bits)
//   10           after them: as before them
//
// The place of ids in the first one's layout is the sequence, or in version 7 the first bits after the version. Other
// ids of a millisecond come before or after all of those. If the first id has version 1 or 6, there are no such days:
// its 100 ns distinguish ids.
class SortKeys {
public:
    constexpr std::uint64_t key_of(const Id& id) noexcept {
        const Layout layout = layout_of(id);
        if (layout_ == Layout::untimed)
            choose_days(id, layout);
        if (layout == layout_)
            if (const std::uint64_t millisecond = millisecond_in(id); is_in_days(millisecond))
                return in_days | (millisecond - begin_) << 32 | own_place(id);
        return key_of_other(id, layout);
    }

private:
    static constexpr std::uint64_t in_days = std::uint64_t{1} << 62;
    static constexpr std::uint64_t after_days = std::uint64_t{2} << 62;
    static constexpr std::uint64_t days_size = std::uint64_t{1} << 30;

    // For layouts 7, 8 and b.
    static constexpr std::uint64_t millisecond_in(const Id& id) noexcept {
        return version_nibble(id) == 7 ? id.msb >> 16 : millisecond_field(id);
    }

    constexpr bool is_in_days(std::uint64_t millisecond) const noexcept {
        return millisecond >= begin_ && millisecond < end_;
    }

    constexpr std::uint64_t own_place(const Id& id) const noexcept {
        if (layout_ == Layout::v7)
            return (id.msb & 0xfff) << 20 | (id.lsb >> 42 & 0xf'ffff);
        return sequence_of(prefix(id));
    }

    constexpr void choose_days(const Id& id, Layout layout) noexcept {
        layout_ = layout;
        if (layout == Layout::v7 || is_locality(layout)) {
            begin_ = std::max(millisecond_in(id), days_size / 2) - days_size / 2;
            end_ = begin_ + days_size;
        }
    }

    constexpr std::uint64_t key_of_other(const Id& id, Layout layout) const noexcept {
        const std::uint64_t elsewhere = abbreviate(id) >> 2;
        const auto time = time_of(id);
        if (!time)
            return id == nil_id ? elsewhere : after_days | elsewhere;
        if (*time < TickTime{})
            return elsewhere;
        const auto ticks = static_cast<std::uint64_t>(time->time_since_epoch().count());
        const std::uint64_t millisecond = ticks / ticks_per_millisecond;
        if (is_in_days(millisecond)) {
            const bool is_last = ticks % ticks_per_millisecond != 0 || layout > layout_;
            return in_days | (millisecond - begin_) << 32 | (is_last ? 0xffff'ffff : 0);
        }
        return millisecond < end_ ? elsewhere : after_days | elsewhere;
    }

    Layout layout_ = Layout::untimed;  // of the first timed id
    std::uint64_t begin_ = 0;          // of those days, in milliseconds since 1970
    std::uint64_t end_ = 0;            // equals begin_ if there are none
};

}  // namespace luuid::detail
