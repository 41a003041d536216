// Laws that hold for any input, used by both the seeded unit tests and the fuzzers. Include it after defining
// REQUIRE_LAW(condition, values...), which stops the run if the condition is false.
#pragma once

#include "counts.hpp"
#include "reference.hpp"

#include <luuid/boundary.hpp>
#include <luuid/detail/sort_keys.hpp>
#include <luuid/text.hpp>
#include <luuid/uniqid.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace laws {

using namespace luuid;
using namespace luuid::detail;

// A text at the end of its allocation, so that a sanitizer detects any read past it.
class Exactly {
public:
    explicit Exactly(std::string_view text) : copy_(text.begin(), text.end()) {}
    operator std::string_view() const { return {copy_.data(), copy_.size()}; }

private:
    std::vector<char> copy_;
};

// For failure reports: bytes outside printable ASCII as \x and two digits.
inline std::string escaped(std::string_view text) {
    std::string shown;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f)
            shown += c;
        else
            shown += {'\\', 'x', "0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 0xf]};
    }
    return shown;
}

inline ParsedText parsed(const std::string& text) { return parse(Exactly(text)); }

inline std::string formatted(const Id& id) {
    std::string text(text_size, '?');
    format(id, text.data());
    return text;
}

inline std::string formatted(const Uniqid& key, UniqidShards shards) {
    std::string text(uniqid_size_max, '?');
    text.resize(static_cast<std::size_t>(format_uniqid(key, shards, text.data()) - text.data()));
    return text;
}

// Parsing agrees with uuid.c, and stops where no continuation is valid. True if the text is valid.
inline bool parses_as_uuid_does(const std::string& text) {
    const ParsedText parsed = laws::parsed(text);
    const bool braced = text.starts_with('{');
    const auto digits_in = [](const std::string& start) {
        return static_cast<std::size_t>(std::count_if(start.begin(), start.end(), reference::is_digit));
    };
    // True if some continuation of these characters is valid.
    const auto is_promising = [&](const std::string& start) {
        const std::size_t digits = digits_in(start);
        if (digits > 32)
            return false;
        const bool open = start.starts_with('{') && !start.ends_with('}');
        return start.empty() || reference::parse(start + std::string(32 - digits, '0') + (open ? "}" : ""));
    };

    if (const auto expected = reference::parse(text)) {
        REQUIRE_LAW(parsed.fault == TextFault::none && parsed.id == *expected, escaped(text));
        REQUIRE_LAW(parsed.stop == text.size(), escaped(text));
        return true;
    }
    REQUIRE_LAW(parsed.fault != TextFault::none, escaped(text));
    REQUIRE_LAW(parsed.id == nil_id, escaped(text));
    REQUIRE_LAW(parsed.stop <= text.size(), escaped(text), parsed.stop);
    const std::string fitting = text.substr(0, parsed.stop);
    REQUIRE_LAW(is_promising(fitting), escaped(text), parsed.stop);
    REQUIRE_LAW(parsed.stop == text.size() || !is_promising(text.substr(0, parsed.stop + 1)), escaped(text),
                parsed.stop);
    const TextFault reason = digits_in(fitting) < 32             ? TextFault::digit_expected
                             : braced && !fitting.ends_with('}') ? TextFault::brace_expected
                                                                 : TextFault::end_expected;
    REQUIRE_LAW(parsed.fault == reason, escaped(text), parsed.stop);
    return false;
}

// 36 characters, 8-4-4-4-12. True if the text has this form.
inline bool is_canonical_where_it_says(const std::string& text) {
    bool expected = text.size() == 36;
    for (std::size_t at = 0; expected && at < 36; ++at)
        expected = at == 8 || at == 13 || at == 18 || at == 23 ? text[at] == '-' : reference::is_digit(text[at]);
    REQUIRE_LAW(is_canonical(Exactly(text)) == expected, escaped(text));
    return expected;
}

// Every field agrees with the reference, which reads the digits.
inline void fields_are_the_digits(const Id& id) {
    const std::string all = reference::digits(id);
    REQUIRE_LAW(ticks(id) == reference::ticks(id), id);
    REQUIRE_LAW((layout_of(id) != Layout::untimed) == reference::ticks(id).has_value(), id);
    REQUIRE_LAW(prefix(id) == reference::number(all.substr(0, 8)), id);
    if (reference::has_locality_layout(id)) {
        REQUIRE_LAW(pid_field(id) == reference::number(all.substr(8, 4)), id);
        REQUIRE_LAW(millisecond_field(id) == reference::number(all.substr(20)), id);
    }
    if (version_nibble(id) == 11)
        REQUIRE_LAW(node_field(id) == reference::number(all.substr(13, 7)), id);
    else if (reference::has_locality_layout(id))
        REQUIRE_LAW(node_field(id) == (reference::number(all.substr(13, 7)) & 0xfff'3fff), id);
    else if (ticks(id) && version_nibble(id) != 7)
        REQUIRE_LAW(node_field(id) == reference::number(all.substr(20)), id);
    else
        REQUIRE_LAW(!node_field(id), id);
}

// An id with its place in the reference order.
struct Placed {
    Id id;
    reference::Place place;

    explicit Placed(const Id& of) : id(of), place(reference::place(of)) {}
};

// The reference is a lexicographic comparison, hence total, antisymmetric and transitive. So is an order that agrees
// with it for each pair in both directions.
inline void compare_as_the_contract_says(const Placed& a, const Placed& b) {
    REQUIRE_LAW((compare(a.id, b.id) < 0) == (a.place < b.place), a.id, b.id);
    REQUIRE_LAW((compare(b.id, a.id) < 0) == (b.place < a.place), a.id, b.id);
    REQUIRE_LAW((compare(a.id, b.id) == 0) == (a.id == b.id), a.id, b.id);
    REQUIRE_LAW((compare(b.id, a.id) == 0) == (a.id == b.id), a.id, b.id);
}

inline void abbreviate_without_contradiction(const Placed& a, const Placed& b) {
    REQUIRE_LAW(a.place < b.place ? abbreviate(a.id) <= abbreviate(b.id) : abbreviate(a.id) >= abbreviate(b.id), a.id,
                b.id);
}

// The keys of a sort are consistent too, whichever id they meet first.
inline void sort_without_contradiction(const Id& first, const Placed& a, const Placed& b) {
    SortKeys keys;
    keys.key_of(first);
    const std::uint64_t key_of_a = keys.key_of(a.id);
    const std::uint64_t key_of_b = keys.key_of(b.id);
    REQUIRE_LAW(a.place < b.place ? key_of_a <= key_of_b : key_of_a >= key_of_b, first, a.id, b.id);
    REQUIRE_LAW(a.id != b.id || key_of_a == key_of_b, first, a.id);
}

// An id with its time according to the contract.
struct Witness {
    Id id;
    std::optional<std::int64_t> microsecond;

    explicit Witness(const Id& of) : id(of), microsecond(reference::microseconds(of)) {}
};

// Comparing with the boundaries of t compares with t.
inline void boundaries_hold(const Witness& witness, std::int64_t t, const Id& floor, const Id& ceiling) {
    const Id& id = witness.id;
    const bool from_floor = compare(id, floor) >= 0;
    const bool to_ceiling = compare(id, ceiling) <= 0;
    if (witness.microsecond) {
        REQUIRE_LAW(from_floor == (*witness.microsecond >= t), id, t, floor);
        REQUIRE_LAW(to_ceiling == (*witness.microsecond <= t), id, t, ceiling);
    } else if (id == nil_id) {
        REQUIRE_LAW(compare(id, floor) <= 0, t, floor);
        REQUIRE_LAW(to_ceiling, t, ceiling);
    } else {
        REQUIRE_LAW(from_floor, id, t, floor);
        REQUIRE_LAW(!to_ceiling, id, t, ceiling);
    }
}

// Boundaries increase with time: the ceiling of one microsecond is before the floor of the next.
inline void boundaries_rise(std::int64_t before, std::int64_t after) {
    REQUIRE_LAW(compare(floor_of(at_microsecond(before)), floor_of(at_microsecond(after))) <= 0, before, after);
    REQUIRE_LAW(compare(ceiling_of(at_microsecond(before)), ceiling_of(at_microsecond(after))) <= 0, before, after);
    constexpr std::int64_t last_millisecond_us = ((std::int64_t{1} << 48) - 1) * 1000;
    if (before < after && before != std::numeric_limits<std::int64_t>::min() && after <= last_millisecond_us)
        REQUIRE_LAW(compare(ceiling_of(at_microsecond(before)), floor_of(at_microsecond(after))) < 0, before, after);
}

}  // namespace laws
