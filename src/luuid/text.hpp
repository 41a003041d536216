// The text form: what uuid_in of PostgreSQL's uuid.c accepts, and the canonical 36 characters of RFC 9562 §4.
#pragma once

#include <luuid/id.hpp>

#include <array>
#include <string_view>

namespace luuid {

inline constexpr std::size_t text_size = 36;

enum class TextFault : std::uint8_t {
    none,
    digit_expected,  // neither a hexadecimal digit nor an allowed hyphen
    brace_expected,  // '{' without '}'
    end_expected,    // characters after the last digit
};

// What parse expected at `stop`, for an error message.
constexpr const char* expectation(TextFault fault) noexcept {
    switch (fault) {
        case TextFault::digit_expected:
            return "a hexadecimal digit";
        case TextFault::brace_expected:
            return "a closing brace";
        default:
            return "the end";
    }
}

// The result of parse; `stop` is the offset of the first character that does not fit, or the length.
struct ParsedText {
    Id id;
    std::size_t stop = 0;
    TextFault fault = TextFault::none;
};

namespace detail {

inline constexpr char lower_digits[] = "0123456789abcdef";

// The value of a hexadecimal digit, or -1.
constexpr int digit_value(char c) noexcept {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

// digit_value() of every byte.
inline constexpr auto digit_values = [] {
    std::array<signed char, 256> values{};
    for (std::size_t byte = 0; byte < 256; ++byte)
        values[byte] = static_cast<signed char>(digit_value(static_cast<char>(byte)));
    return values;
}();

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
    const auto digit = [text](int place) { return int{digit_values[static_cast<unsigned char>(text[place])]}; };
    const auto append = [&](int byte) {
        invalid |= byte;
        half = half << 8 | static_cast<unsigned>(byte);
    };
    (append(digit(places) << 4 | digit(places + 1)), ...);
    return half;
}

// Reads text_size characters. False if they are not the canonical form; the digits may have either case.
constexpr bool parse_canonical(const char* text, Id& id) noexcept {
    int invalid = 0;
    id = {half_at<0, 2, 4, 6, 9, 11, 14, 16>(text, invalid), half_at<19, 21, 24, 26, 28, 30, 32, 34>(text, invalid)};
    return invalid >= 0 && text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
}

constexpr ParsedText parse_any_form(std::string_view text) noexcept {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* at = begin;
    const auto stop = [&](TextFault fault) { return ParsedText{{}, static_cast<std::size_t>(at - begin), fault}; };
    const auto digit = [&] { return at == end ? -1 : int{digit_values[static_cast<unsigned char>(*at)]}; };

    const bool braced = at != end && *at == '{';
    if (braced)
        ++at;

    std::uint64_t halves[2] = {0, 0};
    for (unsigned group = 0; group < 8; ++group) {
        if (group > 0 && at != end && *at == '-')
            ++at;
        std::uint64_t quad = 0;
        for (int left = 4; left > 0; --left) {
            const int value = digit();
            if (value < 0)
                return stop(TextFault::digit_expected);
            quad = quad << 4 | static_cast<unsigned>(value);
            ++at;
        }
        halves[group / 4] = halves[group / 4] << 16 | quad;
    }

    if (braced) {
        if (at == end || *at != '}')
            return stop(TextFault::brace_expected);
        ++at;
    }
    if (at != end)
        return stop(TextFault::end_expected);
    return {{halves[0], halves[1]}, text.size(), TextFault::none};
}

}  // namespace detail

// Accepts what uuid_in does: 32 hexadecimal digits of either case, with a hyphen or none between groups of four digits,
// and with braces around the whole or none.
constexpr ParsedText parse(std::string_view text) noexcept {
    if (Id id; text.size() == text_size && detail::parse_canonical(text.data(), id))
        return {id, text_size, TextFault::none};
    return detail::parse_any_form(text);
}

// Writes exactly text_size characters, lower case, 8-4-4-4-12, without a terminator.
constexpr void format(const Id& id, char* text) noexcept {
    const auto write = [&text](std::uint64_t half, int from_byte, int to_byte) {
        for (int byte = from_byte; byte < to_byte; ++byte) {
            const auto& pair = detail::digit_pairs[half >> (56 - 8 * byte) & 0xff];
            *text++ = pair[0];
            *text++ = pair[1];
        }
    };
    write(id.msb, 0, 4);
    *text++ = '-';
    write(id.msb, 4, 6);
    *text++ = '-';
    write(id.msb, 6, 8);
    *text++ = '-';
    write(id.lsb, 0, 2);
    *text++ = '-';
    write(id.lsb, 2, 8);
}

// True for the 36-character form alone, in either case.
constexpr bool is_canonical(std::string_view text) noexcept {
    Id id;
    return text.size() == text_size && detail::parse_canonical(text.data(), id);
}

}  // namespace luuid
