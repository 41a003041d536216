// The layouts: where each version keeps its time and its fields, and how a locality UUID is put together.
//
//   version b (locality UUID)      wwwwwwww-xxxx-byyy-yyyy-zzzzzzzzzzzz
//   version 8 (the same, RFC 9562) wwwwwwww-xxxx-8yyy-Vyyy-zzzzzzzzzzzz
//
//     w  32 bits  counter block, which determines the shard
//     x  16 bits  process id mod 65 536
//     y  28 bits  the last 28 bits of the node; under version 8 the variant V takes two of them, which read as 0
//     z  48 bits  UTC milliseconds since 1970
//
//   version 1 (RFC 9562 §5.1)      llllllll-mmmm-1hhh-Vsss-nnnnnnnnnnnn    t = hhh mmmm llllllll
//   version 6 (RFC 9562 §5.6)      hhhhhhhh-mmmm-6lll-Vsss-nnnnnnnnnnnn    t = hhhhhhhh mmmm lll
//     t  60 bits  100 ns since 1582-10-15;  s  14 bits  clock sequence;  n  48 bits  node
//
//   version 7 (RFC 9562 §5.7)      zzzzzzzz-zzzz-7rrr-Vrrr-rrrrrrrrrrrr    z as above, r random
//
// Versions 6, 7 and 8 require RFC 9562's variant (binary 10); anything else is untimed. Version 1 may have any variant,
// as in Cassandra's TimeUUIDType: CQL's minTimeuuid and maxTimeuuid have different ones.
#pragma once

#include <luuid/detail/block.hpp>
#include <luuid/id.hpp>
#include <luuid/time.hpp>

#include <optional>

namespace luuid {

enum class Layout : std::uint8_t {
    untimed = 0,
    v1 = 1,
    v6 = 6,
    v7 = 7,
    v8 = 8,
    vb = 11,
};

// The versions of locality UUIDs.
enum class LocalityVersion : std::uint8_t { v8 = 8, vb = 11 };

inline constexpr std::uint64_t millisecond_max = (std::uint64_t{1} << 48) - 1;
inline constexpr std::uint32_t node_max = (std::uint32_t{1} << 28) - 1;

namespace detail {

inline constexpr std::uint64_t ticks_per_millisecond = 10'000;
inline constexpr std::uint64_t rfc_variant = std::uint64_t{0b10} << 62;
// Set in a node that is no hardware address: RFC 9562 §6.10.
inline constexpr std::uint64_t multicast_bit = std::uint64_t{1} << 40;

// The first and the last time of versions 1 and 6, and the microseconds that contain them.
inline constexpr TickTime first_tick{Ticks(-0x01B21DD213814000)};  // 1582-10-15, RFC 9562 §5.1
inline constexpr TickTime last_tick = first_tick + Ticks((std::int64_t{1} << 60) - 1);
inline constexpr Time first_gregorian = std::chrono::floor<std::chrono::microseconds>(first_tick);
inline constexpr Time last_gregorian = std::chrono::floor<std::chrono::microseconds>(last_tick);

// The 60-bit count of a time between these: 100 ns since 1582-10-15.
constexpr std::uint64_t gregorian_count_at(TickTime time) noexcept {
    return static_cast<std::uint64_t>((time - first_tick).count());
}

// Ids of such a count. `rest` is the last 64 bits: variant, clock sequence and node.
constexpr Id v1_id(std::uint64_t count, std::uint64_t rest) noexcept {
    return {count << 32 | (count >> 32 & 0xffff) << 16 | std::uint64_t{1} << 12 | count >> 48, rest};
}
constexpr Id v6_id(std::uint64_t count, std::uint64_t rest) noexcept {
    return {count >> 12 << 16 | std::uint64_t{6} << 12 | (count & 0xfff), rest};
}

}  // namespace detail

// The layout of any id, by its version and variant.
constexpr Layout layout_of(const Id& id) noexcept {
    switch (version_nibble(id)) {
        case 11:
            return Layout::vb;
        case 1:
            return Layout::v1;
        case 6:
        case 7:
        case 8:
            return has_rfc_variant(id) ? static_cast<Layout>(version_nibble(id)) : Layout::untimed;
        default:
            return Layout::untimed;
    }
}

constexpr bool is_locality(Layout layout) noexcept { return layout == Layout::vb || layout == Layout::v8; }

constexpr Layout layout_of(LocalityVersion version) noexcept { return static_cast<Layout>(version); }

// The first 32 bits of any id; in a locality UUID, the counter block w.
constexpr std::uint32_t prefix(const Id& id) noexcept { return static_cast<std::uint32_t>(id.msb >> 32); }

// Field readers, each valid only for the versions that its comment names.

// b, 8: process id mod 65 536.
constexpr std::uint16_t pid_field(const Id& id) noexcept { return static_cast<std::uint16_t>(id.msb >> 16); }

// b, 8: the counter, if `variable` mode generated the id.
constexpr std::uint32_t counter_field(const Id& id) noexcept { return detail::reverse_nibbles(prefix(id)); }

// b, 8: milliseconds since 1970.
constexpr std::uint64_t millisecond_field(const Id& id) noexcept { return id.lsb & millisecond_max; }

// 1, 6: 100 ns since 1582-10-15.
constexpr std::uint64_t gregorian_count(const Id& id, Layout layout) noexcept {
    const std::uint64_t last_12_bits = id.msb & 0xfff;
    return layout == Layout::v1 ? last_12_bits << 48 | (id.msb >> 16 & 0xffff) << 32 | id.msb >> 32
                                : id.msb >> 16 << 12 | last_12_bits;
}

// The node: 28 bits in version b, 26 in 8, 48 in 1 and 6; nothing for other ids.
constexpr std::optional<std::uint64_t> node_field(const Id& id) noexcept {
    switch (layout_of(id)) {
        case Layout::vb:
            return (id.msb & 0xfff) << 16 | id.lsb >> 48;
        case Layout::v8:
            return (id.msb & 0xfff) << 16 | (id.lsb >> 48 & 0x3fff);
        case Layout::v1:
        case Layout::v6:
            return id.lsb & millisecond_max;
        default:
            return std::nullopt;
    }
}

// The time of an id that has this layout, which is not untimed.
constexpr TickTime time_field(const Id& id, Layout layout) noexcept {
    const auto at_millisecond = [](std::uint64_t number) {
        return TickTime(std::chrono::milliseconds(static_cast<std::int64_t>(number)));
    };
    switch (layout) {
        case Layout::vb:
        case Layout::v8:
            return at_millisecond(millisecond_field(id));
        case Layout::v7:
            return at_millisecond(id.msb >> 16);
        case Layout::v1:
        case Layout::v6:
            return detail::first_tick + Ticks(static_cast<std::int64_t>(gregorian_count(id, layout)));
        case Layout::untimed:
            break;
    }
    return {};
}

// The time of an id; nothing if it is untimed.
constexpr std::optional<TickTime> time_of(const Id& id) noexcept {
    const Layout layout = layout_of(id);
    if (layout == Layout::untimed)
        return std::nullopt;
    return time_field(id, layout);
}

// The millisecond since 1970 that a locality UUID stores for a time; nothing before 1970 or past 48 bits.
constexpr std::optional<std::uint64_t> millisecond_of(Time time) noexcept {
    const auto number = std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count();
    if (number < 0 || static_cast<std::uint64_t>(number) > millisecond_max)
        return std::nullopt;
    return static_cast<std::uint64_t>(number);
}

// The generator's identity: the fields of a locality UUID that stay the same from id to id.
struct Identity {
    std::uint16_t pid = 0;
    std::uint32_t node = 0;  // 28 bits
};

// A locality UUID with this counter block and the low 48 bits of this millisecond. Version 8 lacks bits 14 and 15 of
// the node, where it has the variant.
constexpr Id locality_id(LocalityVersion version, std::uint32_t block, Identity who,
                         std::uint64_t millisecond) noexcept {
    const std::uint64_t version_bits = static_cast<std::uint64_t>(version) << 12;
    const std::uint64_t node_high = who.node >> 16 & 0xfff;
    const std::uint64_t node_low = std::uint64_t{who.node & 0xffff} << 48;
    Id id{std::uint64_t{block} << 32 | std::uint64_t{who.pid} << 16 | version_bits | node_high,
          node_low | (millisecond & millisecond_max)};
    if (version == LocalityVersion::v8)
        id.lsb = id.lsb << 2 >> 2 | detail::rfc_variant;
    return id;
}

}  // namespace luuid
