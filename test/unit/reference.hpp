// The layouts, order and text form of ids, implemented a second time on hexadecimal digits without the library's
// readers. The tests compare src/luuid with it.
#pragma once

#include <luuid/id.hpp>
#include <luuid/uniqid.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

namespace reference {

// The 16 bytes as 32 lower-case digits; as strings they sort as the bytes do.
inline std::string digits(const luuid::Id& id) {
    std::string text;
    for (const std::uint64_t half : {id.msb, id.lsb})
        for (int shift = 60; shift >= 0; shift -= 4)
            text += "0123456789abcdef"[half >> shift & 0xf];
    return text;
}

inline std::uint64_t number(std::string_view hexadecimal) { return std::stoull(std::string(hexadecimal), nullptr, 16); }

inline unsigned version(const luuid::Id& id) { return static_cast<unsigned>(number(digits(id).substr(12, 1))); }

inline bool variant_is_10(const luuid::Id& id) {
    return std::string_view("89ab").find(digits(id)[16]) != std::string::npos;
}

inline bool has_locality_layout(const luuid::Id& id) {
    return version(id) == 11 || (version(id) == 8 && variant_is_10(id));
}

// 100 ns since 1970.
inline std::optional<std::int64_t> ticks(const luuid::Id& id) {
    const std::string all = digits(id);
    const auto of_milliseconds = [](std::uint64_t count) { return static_cast<std::int64_t>(count) * 10'000; };
    const auto of_gregorian = [](std::uint64_t count) {
        return static_cast<std::int64_t>(count) - std::int64_t{0x01B21DD213814000};
    };
    if (has_locality_layout(id))
        return of_milliseconds(number(all.substr(20, 12)));
    if (version(id) != 1 && !variant_is_10(id))
        return std::nullopt;
    switch (version(id)) {
        case 1:
            return of_gregorian(number(all.substr(13, 3) + all.substr(8, 4) + all.substr(0, 8)));
        case 6:
            return of_gregorian(number(all.substr(0, 8) + all.substr(8, 4) + all.substr(13, 3)));
        case 7:
            return of_milliseconds(number(all.substr(0, 12)));
        default:
            return std::nullopt;
    }
}

// Microseconds since 1970, rounded down.
inline std::optional<std::int64_t> microseconds(const luuid::Id& id) {
    const auto instant = reference::ticks(id);
    if (!instant)
        return std::nullopt;
    return *instant / 10 - (*instant % 10 < 0 ? 1 : 0);
}

inline std::uint64_t sequence(const luuid::Id& id) {
    if (!has_locality_layout(id))
        return 0;
    const std::string all = digits(id);
    std::uint64_t low_counter = 0;
    for (int i = 3; i >= 0; --i)
        low_counter = 16 * low_counter + number(all.substr(static_cast<std::size_t>(i), 1));
    return low_counter * 0x519d % 65'536 * 65'536 + number(all.substr(4, 4));
}

// TimeUUIDType's tie-break: each byte counts from -128, so that 80 is the least digit pair and 7f the greatest.
inline std::string signed_bytes(const std::string& digits) {
    std::string sortable;
    for (std::size_t at = 0; at < digits.size(); at += 2)
        sortable += static_cast<char>('\0' + (number(digits.substr(at, 2)) + 128) % 256);
    return sortable;
}

// Sorts as the default order does.
using Place = std::tuple<int, std::int64_t, unsigned, std::uint64_t, std::string>;

inline Place place(const luuid::Id& id) {
    const std::string all = digits(id);
    if (all.find_first_not_of('0') == std::string::npos)
        return {0, 0, 0, 0, all};
    if (const auto instant = reference::ticks(id))
        return {1, *instant, version(id), sequence(id), version(id) == 1 ? signed_bytes(all.substr(16)) : all};
    return {2, 0, version(id), 0, all};
}

inline bool is_digit(char c) { return std::string_view("0123456789abcdefABCDEF").find(c) != std::string_view::npos; }

// uuid.c's string_to_uuid, which reads a C string: pairs of digits, a hyphen allowed after every second pair but the
// last. It never sees a NUL inside, so that counts as any other wrong character.
inline std::optional<luuid::Id> parse(const std::string& text) {
    if (text.find('\0') != std::string::npos)
        return std::nullopt;
    const char* at = text.c_str();
    const bool braced = *at == '{';
    if (braced)
        ++at;
    unsigned char bytes[luuid::id_size] = {};
    for (unsigned i = 0; i < luuid::id_size; ++i) {
        if (at[0] == '\0' || at[1] == '\0' || !is_digit(at[0]) || !is_digit(at[1]))
            return std::nullopt;
        bytes[i] = static_cast<unsigned char>(number(std::string_view(at, 2)));
        at += 2;
        if (*at == '-' && i % 2 == 1 && i < luuid::id_size - 1)
            ++at;
    }
    if (braced && *at++ != '}')
        return std::nullopt;
    return *at == '\0' ? std::optional(luuid::load(bytes)) : std::nullopt;
}

// The 26 digits of an id in base 32, in the alphabet and case that are written; nothing if the text has other ones.
inline std::optional<std::string> base32_digits(const std::string& text) {
    std::string digits;
    for (char c : text) {
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (c != '-')
            digits += c == 'o' ? '0' : c == 'i' || c == 'l' ? '1' : c;
    }
    const bool is_id = digits.size() == 26 && digits[0] >= '0' && digits[0] <= '7' &&
                       digits.find_first_not_of("0123456789abcdefghjkmnpqrstvwxyz") == std::string::npos;
    return is_id ? std::optional(digits) : std::nullopt;
}

// What is wrong with a short key, by the scheme's definition, digit by digit; nothing if it is one.
inline std::string_view uniqid_fault(const std::string& text) {
    if (text.size() != 13 && (text.size() < 17 || text.size() > 20))
        return "The key does not have 13 digits, or 17 to 20.";
    const std::string shard = text.substr(0, text.size() > 17 ? text.size() - 17 : 0);
    if (!std::all_of(shard.begin(), shard.end(), [](char c) { return c >= '0' && c <= '9'; }))
        return "a decimal digit";
    if (!std::all_of(text.begin(), text.end(), is_digit))
        return "a hexadecimal digit";
    const std::uint64_t microseconds = number(text.substr(text.size() - 5));
    if (microseconds > 999'999)
        return "The last five digits are microseconds, f423f at most.";
    for (unsigned shards = 1; shards <= 1000; ++shards)
        if (shard.empty() || std::to_string(microseconds % shards) == shard)
            return {};
    return "The last five digits do not fall on that shard for any number of shards up to 1000.";
}

}  // namespace reference
