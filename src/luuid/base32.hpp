// Ids in base 32, for URLs: 26 characters of Crockford's alphabet, which sort as the bytes do.
//
// The first digit holds the id's first 3 bits, each other digit the next 5. A TypeID ends with these digits in lower
// case; a ULID is the digits in upper case.
#pragma once

#include <luuid/layout.hpp>
#include <luuid/text.hpp>

namespace luuid {

inline constexpr std::size_t base32_size = 26;

namespace detail {

inline constexpr const char* base32_digit = "a digit or a letter other than \"u\"";
inline constexpr char base32_digits[] = "0123456789abcdefghjkmnpqrstvwxyz";

// The value of each byte as a digit in either case, or -1; o reads as 0, i and l as 1.
inline constexpr auto base32_values = [] {
    auto values = values_of(base32_digits);
    values['o'] = values['O'] = 0;
    values['i'] = values['I'] = values['l'] = values['L'] = 1;
    return values;
}();

}  // namespace detail

// Accepts 26 digits of either case, and reads o as 0, i and l as 1. Ignores hyphens anywhere. Nothing for another text,
// and the reason in `error`.
[[nodiscard("the text may be no id")]] constexpr std::optional<Id> parse_base32(std::string_view text,
                                                                                ParseError& error) noexcept {
    const auto refuse = [&error](std::size_t at, const char* expected) {
        error = {at, expected};
        return std::nullopt;
    };
    Id id;
    std::size_t digits = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char character = text.data()[at];
        if (character == '-')
            continue;
        if (digits == base32_size)
            return refuse(at, "the end");
        const int value = detail::base32_values[static_cast<unsigned char>(character)];
        if (value < 0)
            return refuse(at, detail::base32_digit);
        if (digits == 0 && value > 7)
            return refuse(at, "a digit from 0 to 7");  // for more than 128 bits
        id = {id.msb << 5 | id.lsb >> 59, id.lsb << 5 | static_cast<unsigned>(value)};
        ++digits;
    }
    if (digits < base32_size)
        return refuse(text.size(), detail::base32_digit);
    return id;
}

[[nodiscard("the text may be no id")]] constexpr std::optional<Id> parse_base32(std::string_view text) noexcept {
    ParseError error;
    return parse_base32(text, error);
}

// Writes lower case.
constexpr void format_base32(const Id& id, std::span<char, base32_size> text) noexcept {
    Id rest = id;
    for (std::size_t at = base32_size; at > 0;) {
        text[--at] = detail::base32_digits[rest.lsb & 31];
        rest = {rest.msb >> 5, rest.lsb >> 5 | rest.msb << 59};
    }
}

// A version-7 id with a ULID's millisecond and 74 of its 80 random bits. The version overwrites the first 4 of them,
// the variant 2 in the middle.
[[nodiscard]] constexpr Id id_from_ulid(const Id& ulid) noexcept {
    return {(ulid.msb & ~std::uint64_t{0xf000}) | std::uint64_t{7} << 12, ulid.lsb << 2 >> 2 | detail::rfc_variant};
}

}  // namespace luuid
