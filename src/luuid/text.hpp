// The text form: what uuid_in of PostgreSQL's uuid.c accepts, and the canonical 36 characters of RFC 9562 §4.
#pragma once

#include <luuid/id.hpp>

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace luuid {

inline constexpr std::size_t text_size = 36;

// Why a text was refused, for an error message.
struct ParseError {
    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    std::size_t at = nowhere;    // offset of the first character that does not fit, or the length
    const char* what = nullptr;  // what was expected there, as "a hexadecimal digit"; a sentence if that is nowhere
};

namespace detail {

inline constexpr char lower_digits[] = "0123456789abcdef";

// The value of each byte as one of these digits, in either case, or -1.
constexpr auto values_of(std::string_view digits) noexcept {
    std::array<signed char, 256> values{};
    values.fill(-1);
    for (std::size_t value = 0; value < digits.size(); ++value) {
        const auto digit = static_cast<unsigned char>(digits[value]);
        const unsigned upper_case = digit >= 'a' ? digit & ~0x20u : digit;
        values[digit] = values[upper_case] = static_cast<signed char>(value);
    }
    return values;
}

inline constexpr auto digit_values = values_of(lower_digits);

// The value of a hexadecimal digit, or -1.
constexpr int digit_value(char digit) noexcept { return digit_values[static_cast<unsigned char>(digit)]; }

// The two digits of every byte.
inline constexpr auto digit_pairs = [] {
    std::array<std::array<char, 2>, 256> pairs{};
    for (std::size_t byte = 0; byte < 256; ++byte)
        pairs[byte] = {lower_digits[byte >> 4], lower_digits[byte & 0xf]};
    return pairs;
}();

// Reads eight pairs of digits, which begin at these places. `invalid` becomes negative if one is not a digit.
template <int... places>
constexpr std::uint64_t half_at(const char* text, int& invalid) noexcept {
    std::uint64_t half = 0;
    const auto append = [&](int byte) {
        invalid |= byte;
        half = half << 8 | static_cast<unsigned>(byte);
    };
    (append(digit_value(text[places]) << 4 | digit_value(text[places + 1])), ...);
    return half;
}

// Reads text_size characters. False if they are not the canonical form; the digits may have either case.
constexpr bool parse_canonical(const char* text, Id& id) noexcept {
    int invalid = 0;
    id = {half_at<0, 2, 4, 6, 9, 11, 14, 16>(text, invalid), half_at<19, 21, 24, 26, 28, 30, 32, 34>(text, invalid)};
    return invalid >= 0 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
}

constexpr std::optional<Id> parse_any_form(std::string_view text, ParseError& error) noexcept {
    std::size_t at = 0;
    const auto is = [&](char c) { return at < text.size() && text.data()[at] == c; };
    const auto refuse = [&](const char* expected) {
        error = {at, expected};
        return std::nullopt;
    };

    const bool braced = is('{');
    at += braced;
    std::uint64_t halves[2] = {0, 0};
    for (unsigned digit = 0; digit < 32; ++digit) {
        at += digit > 0 && digit % 4 == 0 && is('-');
        const int value = at < text.size() ? digit_value(text.data()[at]) : -1;
        if (value < 0)
            return refuse("a hexadecimal digit");
        halves[digit / 16] = halves[digit / 16] << 4 | static_cast<unsigned>(value);
        ++at;
    }
    if (braced && !is('}'))
        return refuse("a closing brace");
    at += braced;
    if (at < text.size())
        return refuse("the end");
    return Id{halves[0], halves[1]};
}

}  // namespace detail

// Accepts what uuid_in does: 32 hexadecimal digits of either case, with a hyphen or none between groups of four digits,
// and with braces around the whole or none. Nothing for another text, and the reason in `error`.
[[nodiscard("the text may be no id")]] constexpr std::optional<Id> parse(std::string_view text,
                                                                         ParseError& error) noexcept {
    if (Id id; text.size() == text_size && detail::parse_canonical(text.data(), id)) [[likely]]
        return id;
    return detail::parse_any_form(text, error);
}

[[nodiscard("the text may be no id")]] constexpr std::optional<Id> parse(std::string_view text) noexcept {
    ParseError error;
    return parse(text, error);
}

// Writes lower case, 8-4-4-4-12, without a terminator.
constexpr void format(const Id& id, std::span<char, text_size> text) noexcept {
    char* at = text.data();
    const auto write = [&at](std::uint64_t half, int from_byte, int to_byte) {
        for (int byte = from_byte; byte < to_byte; ++byte) {
            const auto& pair = detail::digit_pairs[half >> (56 - 8 * byte) & 0xff];
            *at++ = pair[0];
            *at++ = pair[1];
        }
    };
    write(id.msb, 0, 4);
    *at++ = '-';
    write(id.msb, 4, 6);
    *at++ = '-';
    write(id.msb, 6, 8);
    *at++ = '-';
    write(id.lsb, 0, 2);
    *at++ = '-';
    write(id.lsb, 2, 8);
}

// True for the 36-character form alone, in either case.
[[nodiscard]] constexpr bool is_canonical(std::string_view text) noexcept {
    Id id;
    return text.size() == text_size && detail::parse_canonical(text.data(), id);
}

}  // namespace luuid
