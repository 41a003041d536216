// Edge-case arguments by type, as text and in binary, valid and invalid; and the result of each, if it can be
// predicted.
#pragma once

#include "../unit/reference.hpp"
#include "../unit/samples.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fuzz {

using samples::Random;

// The predicted result of a value or a call: `accepted`, an SQLSTATE, or nothing if it cannot be predicted.
using Outcome = std::optional<std::string>;
inline const std::string accepted;

// One argument as sent, and as the server reads it.
struct Argument {
    std::string bytes;
    bool is_null = false;
    bool is_binary = false;
    bool is_wrong = false;    // no server may accept it, even if the SQLSTATE is unknown
    Outcome outcome = {};     // of the input function of its type
    std::int64_t number = 0;  // of an integer; microseconds since 1970; an interval's sign
    luuid::Id id = {};
};

inline std::string big_endian(std::uint64_t value, int bytes) {
    std::string text;
    for (int shift = 8 * bytes - 8; shift >= 0; shift -= 8)
        text += static_cast<char>(value >> shift);
    return text;
}

inline std::string bytes_of(const luuid::Id& id) { return big_endian(id.msb, 8) + big_endian(id.lsb, 8); }

inline std::string noise(Random& random, std::size_t size) {
    std::string text;
    while (text.size() < size)
        text += static_cast<char>(random.bits());
    return text;
}

inline luuid::Id some_id(Random& random) {
    static const std::vector<luuid::Id> hostile = samples::hostile_ids();
    // Sealed ids are of these versions, with the variant of RFC 9562.
    if (random.below(4) == 0)
        return samples::with_variant(samples::with_version(samples::any_id(random), random.below(2) == 0 ? 4 : 7),
                                     0b10);
    return random.below(4) == 0 ? samples::any_id(random) : hostile[random.below(hostile.size())];
}

inline std::uint64_t some_integer(Random& random) {
    // Around 10, or around the ends of a type.
    const std::uint64_t end = random.below(17) == 0 ? 10 : std::uint64_t{1} << random.below(64);
    const std::uint64_t value = random.below(4) == 0 ? random.bits() : end + random.below(3) - 1;
    return random.below(4) == 0 ? 0 - value : value;
}

constexpr std::int64_t microseconds_1970_to_2000 = 946'684'800'000'000;

// Microseconds since 2000, the binary form of timestamptz; the server's input rejects most values out of range.
inline std::uint64_t some_instant(Random& random) {
    static const std::vector<std::int64_t> hostile = samples::hostile_times();
    return random.below(4) == 0
               ? some_integer(random)
               : static_cast<std::uint64_t>(hostile[random.below(hostile.size())]) - microseconds_1970_to_2000;
}

inline std::string some_range(Random& random) {
    const auto flags = static_cast<std::uint8_t>(random.below(32));
    std::string bytes(1, static_cast<char>(flags));
    if ((flags & 1) == 0)
        for (const int infinite : {8, 16})
            if ((flags & infinite) == 0)
                bytes += big_endian(8, 4) + big_endian(some_instant(random), 8);
    return bytes;
}

// A short key, a UUID, base32, digits, a word of a setting, or noise.
inline std::string some_text(Random& random) {
    constexpr const char* words[] = {"variable", "SEQUENTIAL", "b",      "8", "auto", "Mac",
                                     "random",   "0d537a5",    "0d537a", "-", "on",   "Off"};
    switch (random.below(7)) {
        case 0: {
            std::string key;
            for (std::uint64_t digits = std::uint64_t{13} + random.below(6); digits > 0; --digits)
                key += "0123456789abcdefABCDEF"[random.below(22)];
            return key;
        }
        case 1:
            return std::to_string(static_cast<std::int64_t>(some_integer(random)));
        case 2:
            return noise(random, random.below(64));
        case 3:
            return words[random.below(std::size(words))];
        case 4: {
            std::string digits(1, "0123456789oIl"[random.below(13)]);
            while (digits.size() < 26)
                digits += "0123456789abcdefghijkLMNOPQRSTUVWXYZ-"[random.below(37)];
            return digits;
        }
        case 5:
            return random.below(50) == 0 ? std::string(1 << 20, 'a') : std::string(random.below(3000), '0');
        default: {
            std::string text = samples::some_form(some_id(random), random);
            for (std::uint64_t left = random.below(3); left > 0; --left)
                samples::mutate(text, random);
            return text;
        }
    }
}

// The range of timestamptz without infinities: 4714 BC to the end of 294276, in microseconds since 2000.
constexpr bool is_timestamptz(std::int64_t instant) {
    return instant == std::numeric_limits<std::int64_t>::min() || instant == std::numeric_limits<std::int64_t>::max() ||
           (instant >= -211'813'488'000'000'000 && instant < 9'223'371'331'200'000'000);
}

inline std::int64_t read_integer(const std::string& bytes, std::size_t from, std::size_t size) {
    std::uint64_t value = static_cast<signed char>(bytes[from]) < 0 ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes.substr(from, size))
        value = value << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(value);
}

// From microseconds, days and months, as the server compares them: a month is 30 days.
inline int interval_sign(const std::string& bytes) {
    constexpr std::int64_t microseconds_of_day = 86'400'000'000;
    const std::int64_t days = read_integer(bytes, 8, 4) + 30 * read_integer(bytes, 12, 4);
    const __int128 span = static_cast<__int128>(days) * microseconds_of_day + read_integer(bytes, 0, 8);
    return span < 0 ? -1 : span > 0;
}

inline bool is_ascii(const std::string& text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0; });
}

// The binary form of a type, with a valid or invalid length. An integer may be next to the previous one.
inline Argument some_binary(const std::string& type, const Argument* before, Random& random) {
    static const std::map<std::string, std::size_t> sizes = {
        {"luuid", 16},           {"uuid", 16},   {"integer", 4},   {"smallint", 2},
        {"bigint", 8},           {"boolean", 1}, {"interval", 16}, {"timestamp with time zone", 8},
        {"double precision", 8}, {"oid", 4},     {"macaddr", 6},
    };
    Argument argument;
    argument.is_binary = true;
    const auto found = sizes.find(type);
    if (found == sizes.end()) {
        argument.bytes = type == "tstzrange"                       ? some_range(random)
                         : type == "bytea" && random.below(2) == 0 ? noise(random, 16)
                                                                   : some_text(random);
        if (type == "tstzrange" && random.below(4) == 0)
            samples::mutate(argument.bytes, random);
        if (type == "bytea" || (type == "text" && is_ascii(argument.bytes)))
            argument.outcome = accepted;
        return argument;
    }
    const std::size_t size = found->second;
    if (type == "luuid" || type == "uuid")
        argument.bytes = bytes_of(some_id(random));
    else if (type == "timestamp with time zone")
        argument.bytes = big_endian(some_instant(random), 8);
    else if (size <= 8 && before != nullptr && random.below(3) == 0)
        argument.bytes =
            big_endian(static_cast<std::uint64_t>(before->number) + random.below(3) - 1, static_cast<int>(size));
    else if (size <= 8)
        argument.bytes = big_endian(some_integer(random), static_cast<int>(size));
    else
        argument.bytes = big_endian(some_integer(random), 8) + big_endian(some_integer(random), 4) +
                         big_endian(some_integer(random), 4);
    if (random.below(5) == 0)
        argument.bytes = noise(random, random.below(40));

    argument.is_wrong = argument.bytes.size() != size;
    if (argument.is_wrong) {
        // The first bytes of an overlong value are read before its end is missed, and a time can be out of range.
        if (argument.bytes.size() < size || type != "timestamp with time zone")
            argument.outcome = argument.bytes.size() < size ? "08P01" : "22P03";
        return argument;
    }
    argument.outcome = accepted;
    if (type == "luuid" || type == "uuid") {
        argument.id = luuid::load(reinterpret_cast<const unsigned char*>(argument.bytes.data()));
    } else if (type == "interval") {
        argument.number = interval_sign(argument.bytes);
    } else if (size <= 8) {
        argument.number = read_integer(argument.bytes, 0, size);
        if (type == "timestamp with time zone") {
            if (!is_timestamptz(argument.number))
                argument.outcome = "22008";
            else if (std::abs(argument.number) < std::int64_t{1} << 62)  // what is far out stays far out
                argument.number += microseconds_1970_to_2000;
        }
    }
    return argument;
}

inline Argument some_argument(const std::string& type, const Argument* before, Random& random) {
    Argument argument;
    if (random.below(20) == 0 || type == "internal") {
        argument.is_null = true;
        return argument;
    }
    if (random.below(3) > 0)
        return some_binary(type, before, random);
    if (type == "luuid" || type == "uuid") {
        argument.bytes = samples::some_form(some_id(random), random);
        if (random.below(2) == 0)
            samples::mutate(argument.bytes, random);
    } else if (type == "timestamp with time zone" && random.below(2) == 0) {
        constexpr const char* words[] = {"infinity",
                                         "-infinity",
                                         "epoch",
                                         "294276-12-31 23:59:59.999999+00",
                                         "4714-11-24 00:00:00+00 BC",
                                         "1582-10-14 23:59:59.999999+00",
                                         "10889-08-03+00"};
        argument.bytes = words[random.below(std::size(words))];
    } else if (type == "tstzrange" && random.below(2) == 0) {
        constexpr const char* words[] = {"empty",
                                         "(,)",
                                         "[infinity,]",
                                         "[,-infinity)",
                                         "(-infinity,infinity)",
                                         "[2020-01-01,2020-01-02)",
                                         "[2020-01-02,2020-01-01]",
                                         "(294276-01-01,)"};
        argument.bytes = words[random.below(std::size(words))];
    } else {
        argument.bytes = some_text(random);
    }
    std::string& bytes = argument.bytes;
    bytes = bytes.substr(0, bytes.find('\0'));  // as libpq sends text

    if (type == "luuid" || type == "uuid") {
        const auto id = reference::parse(bytes);
        argument.is_wrong = !id;
        argument.id = id.value_or(luuid::nil_id);
        // Text that is not ASCII may be rejected as invalid text.
        if (is_ascii(bytes))
            argument.outcome = id ? accepted : "22P02";
    } else if (type == "text" || type == "cstring") {
        if (is_ascii(bytes))
            argument.outcome = accepted;
    } else if (type == "integer") {
        std::int32_t number = 0;
        const auto [end, fault] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), number);
        if (fault == std::errc() && end == bytes.data() + bytes.size()) {
            argument.outcome = accepted;
            argument.number = number;
        }
    }
    return argument;
}

}  // namespace fuzz
