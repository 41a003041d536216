// Ids and times for the property tests: seeded random ones, and those most likely to break a law.
#pragma once

#include "counts.hpp"

#include <luuid/layout.hpp>
#include <luuid/text.hpp>

#include <cctype>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace samples {

// The same numbers in every run and on every machine.
class Random {
public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}

    std::uint64_t bits() { return engine_(); }
    std::uint64_t below(std::uint64_t bound) { return engine_() % bound; }

private:
    std::mt19937_64 engine_;
};

constexpr luuid::Id id_of(std::string_view text) { return *luuid::parse(text); }

inline luuid::Id any_id(Random& random) { return {random.bits(), random.bits()}; }

inline luuid::Id with_version(luuid::Id id, unsigned version) {
    id.msb = (id.msb & ~(std::uint64_t{0xf} << 12)) | std::uint64_t{version} << 12;
    return id;
}

// The two top bits of byte 8.
inline luuid::Id with_variant(luuid::Id id, unsigned variant) {
    id.lsb = id.lsb << 2 >> 2 | std::uint64_t{variant} << 62;
    return id;
}

inline luuid::Id flip_bit(luuid::Id id, unsigned bit) {
    (bit < 64 ? id.msb : id.lsb) ^= std::uint64_t{1} << bit % 64;
    return id;
}

inline constexpr luuid::Layout timed_layouts[] = {
    luuid::Layout::v1, luuid::Layout::v6, luuid::Layout::v7, luuid::Layout::v8, luuid::Layout::vb,
};

inline bool holds_milliseconds_alone(luuid::Layout layout) {
    return layout != luuid::Layout::v1 && layout != luuid::Layout::v6;
}

inline constexpr std::int64_t ticks_per_millisecond = 10'000;

// An id at a time in ticks, every other bit taken from `rest`. Times before 1970 or past year 5236 need layouts that
// can hold them.
inline luuid::Id id_at(luuid::Layout layout, std::int64_t instant, luuid::Id rest) {
    const auto count = static_cast<std::uint64_t>(instant - luuid::detail::first_tick.time_since_epoch().count()) &
                       luuid::detail::gregorian_count_at(luuid::detail::last_tick);
    const std::uint64_t millisecond =
        static_cast<std::uint64_t>(instant / ticks_per_millisecond) & luuid::millisecond_max;
    const std::uint64_t rfc_rest = with_variant(rest, 0b10).lsb;
    switch (layout) {
        case luuid::Layout::v1:
            return luuid::detail::v1_id(count, rest.lsb);
        case luuid::Layout::v6:
            return luuid::detail::v6_id(count, rfc_rest);
        case luuid::Layout::v7:
            return with_version({millisecond << 16 | (rest.msb & 0xfff), rfc_rest}, 7);
        default:
            return luuid::locality_id(static_cast<luuid::LocalityVersion>(layout), luuid::prefix(rest),
                                      {static_cast<std::uint16_t>(rest.msb >> 16),
                                       static_cast<std::uint32_t>(rest.lsb >> 32) & luuid::node_max},
                                      millisecond);
    }
}

// Written out, not taken from the core.
inline constexpr std::int64_t gregorian_start_us = -12'219'292'800'000'000;  // 1582-10-15
inline constexpr std::int64_t gregorian_end_us = 103'072'857'660'684'697;    // the last microsecond of 60-bit counts
inline constexpr std::int64_t last_millisecond_us = ((std::int64_t{1} << 48) - 1) * 1000;

// Microseconds since 1970 at which something changes, and their neighbours.
inline std::vector<std::int64_t> hostile_times() {
    constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t turns[] = {
        gregorian_start_us,
        -1'000'000,
        0,
        1'350'327'498'450'000,           // the published example
        1'645'557'742'000'000,           // RFC 9562's test vectors
        (std::int64_t{1} << 44) * 1000,  // abbreviated keys change layout
        gregorian_end_us / 1000 * 1000,  // the last millisecond that versions 1 and 6 reach
        gregorian_end_us,
        (gregorian_end_us / 1000 + 1) * 1000,
        last_millisecond_us,
        highest / 10,  // past it, ticks overflow
        lowest / 10,
    };
    std::vector<std::int64_t> times = {lowest, lowest + 1, highest - 999, highest - 1, highest};
    for (const std::int64_t turn : turns)
        for (const std::int64_t distance : {0, 1, 2, 9, 10, 11, 999, 1000, 1001, 1'000'000}) {
            times.push_back(turn - distance);
            times.push_back(turn + distance);
        }
    return times;
}

// Every version nibble with every variant, times at their limits, all layouts at one time, ids that differ in one bit.
inline std::vector<luuid::Id> hostile_ids() {
    constexpr std::uint64_t ones = ~std::uint64_t{0};
    constexpr luuid::Id bodies[] = {
        {0, 0}, {ones, ones}, {0, ones}, {ones, 0}, {0x5555555555555555, 0xaaaaaaaaaaaaaaaa}, {0, 1},
    };
    std::vector<luuid::Id> ids;
    for (const luuid::Id& body : bodies) {
        ids.push_back(body);
        for (unsigned version = 0; version < 16; ++version)
            for (unsigned variant = 0; variant < 4; ++variant)
                ids.push_back(with_variant(with_version(body, version), variant));
    }

    for (const std::int64_t microsecond : hostile_times()) {
        if (microsecond < gregorian_start_us || microsecond > last_millisecond_us)
            continue;
        for (const luuid::Layout layout : timed_layouts) {
            const std::int64_t first = holds_milliseconds_alone(layout) ? 0 : gregorian_start_us;
            const std::int64_t last = holds_milliseconds_alone(layout) ? last_millisecond_us : gregorian_end_us;
            if (microsecond < first || microsecond > last)
                continue;
            for (const luuid::Id& rest : {bodies[0], bodies[1], bodies[4]})
                for (const std::int64_t tick : {0, 5})
                    ids.push_back(id_at(layout, microsecond * 10 + tick, rest));
        }
    }

    const luuid::Id crowded[] = {
        luuid::nil_id,
        {ones, ones},
        id_of("20be0ffc-314a-bd53-7a50-013a65ca76d2"),
        id_at(luuid::Layout::v1, -1, {}),
        id_at(luuid::Layout::v6, 0, {}),
        id_at(luuid::Layout::v7, ticks_per_millisecond, {}),
        id_at(luuid::Layout::v8, ticks_per_millisecond, {}),
    };
    for (const luuid::Id& id : crowded)
        for (unsigned bit = 0; bit < 128; ++bit)
            ids.push_back(flip_bit(id, bit));
    return ids;
}

// Random ids of every version, mostly within a few milliseconds, so that every key of the order matters.
inline std::vector<luuid::Id> crowded_ids(Random& random, std::size_t count) {
    constexpr std::int64_t instants[] = {-1, 0, 9'999, 10'000, 16'455'577'420'000'000};
    std::vector<luuid::Id> ids;
    while (ids.size() < count) {
        const luuid::Id rest = any_id(random);
        switch (random.below(4)) {
            case 0:
                ids.push_back(with_version(rest, static_cast<unsigned>(random.below(16))));
                break;
            case 1:  // one millisecond, one of few counter blocks
                ids.push_back(id_at(timed_layouts[random.below(std::size(timed_layouts))], 20'000,
                                    {(rest.msb & 0x0003'0003'ffff'ffff), rest.lsb}));
                break;
            default: {
                const luuid::Layout layout = timed_layouts[random.below(std::size(timed_layouts))];
                const std::int64_t instant = instants[random.below(std::size(instants))];
                if (instant >= 0 || !holds_milliseconds_alone(layout))
                    ids.push_back(id_at(layout, instant, rest));
            }
        }
    }
    return ids;
}

// One of the many valid forms of an id.
inline std::string some_form(const luuid::Id& id, Random& random) {
    const bool braced = random.below(2) == 0;
    const bool canonical_hyphens = random.below(2) == 0;
    const std::uint64_t hyphens = random.bits();
    std::string text = braced ? "{" : "";
    std::size_t digit = 0;
    char canonical[luuid::text_size];
    luuid::format(id, canonical);
    for (const char c : canonical) {
        if (c == '-')
            continue;
        if (digit > 0 && digit % 4 == 0) {
            const bool usual = digit == 8 || digit == 12 || digit == 16 || digit == 20;
            if (canonical_hyphens ? usual : (hyphens >> digit & 1) != 0)
                text += '-';
        }
        text += random.below(2) == 0 ? static_cast<char>(std::toupper(c)) : c;
        ++digit;
    }
    return text + (braced ? "}" : "");
}

inline char hostile_character(Random& random) {
    constexpr std::string_view nearly_right("-{}gG/:@`xX \t\n\0\x7f\xff\x80\xb0\xe1", 20);
    switch (random.below(3)) {
        case 0:
            return nearly_right[random.below(nearly_right.size())];
        case 1:
            return "0123456789abcdefABCDEF"[random.below(22)];
        default:
            return static_cast<char>(random.below(256));
    }
}

// A slightly mutated text.
inline void mutate(std::string& text, Random& random) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = random.below(6);
    switch (random.below(6)) {
        case 0:
            text.insert(at, 1, hostile_character(random));
            break;
        case 1:
            if (at < text.size())
                text[at] = hostile_character(random);
            break;
        case 2:
            text.erase(at, length);
            break;
        case 3:
            text.resize(at);
            break;
        case 4:
            text.insert(at, text.substr(at, length));
            break;
        default:
            text += hostile_character(random);
    }
}

}  // namespace samples
