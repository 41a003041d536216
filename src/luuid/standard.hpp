// Ids in the text of the standard library: strings, and the functions of <charconv>.
#pragma once

#include <luuid/text.hpp>

#include <charconv>
#include <string>

namespace luuid {

// The canonical 36 characters of RFC 9562 §4, in lower case.
[[nodiscard]] inline std::string to_string(const Id& id) {
    std::string text(text_size, '\0');
    format(id, std::span<char, text_size>(text));
    return text;
}

// The same without an allocation, as std::to_chars writes a number.
constexpr std::to_chars_result to_chars(char* first, char* last, const Id& id) noexcept {
    if (static_cast<std::size_t>(last - first) < text_size)
        return {last, std::errc::value_too_large};
    format(id, std::span<char, text_size>(first, text_size));
    return {first + text_size, {}};
}

// Reads 36 characters, 8-4-4-4-12 in either case, as std::from_chars reads a number: whatever follows them.
constexpr std::from_chars_result from_chars(const char* first, const char* last, Id& id) noexcept {
    Id read;
    if (static_cast<std::size_t>(last - first) < text_size || !detail::parse_canonical(first, read))
        return {first, std::errc::invalid_argument};
    id = read;
    return {first + text_size, {}};
}

}  // namespace luuid
