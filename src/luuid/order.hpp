// The chronological order: total over all 2^128 values, and consistent with equality of the 16 bytes.
//
//   1. nil
//   2. timed ids by (ticks, version, sequence, the 16 bytes); version 1 compares the last 8 bytes as signed
//   3. untimed ids by (version, the 16 bytes)
//
// Versions b and 8 have the sequence of detail/block.hpp, others 0. Cassandra compares those bytes as signed too:
// within a tick, CQL's minTimeuuid (8080808080808080) is the least id, and maxTimeuuid (7f7f7f7f7f7f7f7f) the greatest.
#pragma once

#include <luuid/layout.hpp>

#include <compare>

namespace luuid {

// Compares the 16 bytes as memcmp does, which is the order of SQL's `~<~`.
[[nodiscard]] constexpr std::strong_ordering compare_bytes(const Id& a, const Id& b) noexcept {
    if (const auto by_msb = a.msb <=> b.msb; by_msb != 0)
        return by_msb;
    return a.lsb <=> b.lsb;
}

namespace detail {

enum class Era : std::uint8_t { nil, timed, untimed };

// What the order compares before the 16 bytes.
struct Rank {
    Era era;
    std::int64_t ticks;
    std::uint8_t version;
    std::uint32_t sequence;

    friend constexpr std::strong_ordering operator<=>(const Rank&, const Rank&) noexcept = default;
};

constexpr Rank rank(const Id& id) noexcept {
    const auto version = static_cast<std::uint8_t>(version_nibble(id));
    if (const auto time = time_of(id))
        return {Era::timed, time->time_since_epoch().count(), version,
                is_locality(layout_of(id)) ? sequence_of(prefix(id)) : 0};
    return {id == nil_id ? Era::nil : Era::untimed, 0, version, 0};
}

// The bytes that order ids of one rank. An unsigned comparison of bytes whose sign bits are flipped is a signed one.
constexpr Id tie_of(const Id& id) noexcept {
    constexpr std::uint64_t signs = 0x8080'8080'8080'8080;
    return layout_of(id) == Layout::v1 ? Id{id.msb, id.lsb ^ signs} : id;
}

// Compares any two ids. Cold, since compare() decides most comparisons before it calls this.
[[gnu::cold, gnu::noinline]] constexpr std::strong_ordering compare_ranks(Id a, Id b) noexcept {
    if (const auto by_rank = rank(a) <=> rank(b); by_rank != 0)
        return by_rank;
    return compare_bytes(tie_of(a), tie_of(b));
}

// Compares two ids of version b that have the same millisecond.
[[gnu::noinline]] constexpr std::strong_ordering compare_sequences(Id a, Id b) noexcept {
    if (const auto by_sequence = sequence_of(prefix(a)) <=> sequence_of(prefix(b)); by_sequence != 0)
        return by_sequence;
    return compare_bytes(a, b);
}

// Compares an id of layout 7 or b with one of version 1, which is less if their times are equal.
constexpr std::strong_ordering compare_with_v1(Id id, Layout layout, Id v1) noexcept {
    const bool is_greater = time_field(v1, Layout::v1) <= time_field(id, layout);
    return is_greater <=> !is_greater;
}

// Compares any two ids, by time and version if these differ, before it computes ranks.
[[gnu::noinline]] constexpr std::strong_ordering compare_layouts(Id a, Id b) noexcept {
    const Layout a_layout = layout_of(a), b_layout = layout_of(b);
    if (a_layout != Layout::untimed && b_layout != Layout::untimed) {
        const auto ticks_of = [](Id id, Layout layout) { return time_field(id, layout).time_since_epoch().count(); };
        if (const auto by_time = ticks_of(a, a_layout) <=> ticks_of(b, b_layout); by_time != 0)
            return by_time;
        if (a_layout != b_layout)
            return a_layout <=> b_layout;
    }
    return compare_ranks(a, b);
}

}  // namespace detail

// Compares by time, which is the order of SQL's `<`. Inlined, since most comparisons take few instructions: two ids of
// version 7 or b, or such an id and the bound of a range, which is of version 1.
[[nodiscard, gnu::always_inline]] constexpr std::strong_ordering compare(Id a, Id b) noexcept {
    if (is_v7(a)) {
        if (is_v7(b))
            return compare_bytes(a, b);
        if (version_nibble(b) == 1)
            return detail::compare_with_v1(a, Layout::v7, b);
    } else if (version_nibble(a) == 11) {
        if (version_nibble(b) == 11) {
            if (const auto by_time = millisecond_field(a) <=> millisecond_field(b); by_time != 0)
                return by_time;
            return detail::compare_sequences(a, b);
        }
        if (version_nibble(b) == 1)
            return detail::compare_with_v1(a, Layout::vb, b);
    } else if (version_nibble(a) == 1) {
        if (is_v7(b))
            return 0 <=> detail::compare_with_v1(b, Layout::v7, a);
        if (version_nibble(b) == 11)
            return 0 <=> detail::compare_with_v1(b, Layout::vb, a);
    }
    return detail::compare_layouts(a, b);
}

// That order, also of std::map, std::sort and their like.
[[nodiscard]] constexpr std::strong_ordering operator<=>(const Id& a, const Id& b) noexcept { return compare(a, b); }

// A comparator by bytes.
struct Bytewise {
    constexpr bool operator()(const Id& a, const Id& b) const noexcept { return compare_bytes(a, b) < 0; }
};

}  // namespace luuid
