// Short keys: PHP's uniqid() behind a shard digit and four random digits, all hexadecimal.
//
//   s rrrr tttttttt uuuuu    shard, random, seconds since 1970, microseconds of the second; 18 digits
//     rrrr tttttttt uuuuu    without the shard; 17 digits
//          tttttttt uuuuu    uniqid() itself; 13 digits
//
// A key's shard is uuuuu modulo the count of shards, so the digit tells nothing that the rest does not. As an id it is
// a version-1 luuid of its microsecond; the random digits are the end of a node whose multicast bit says that it is no
// hardware address.
#pragma once

#include "boundary.hpp"
#include "text.hpp"

namespace luuid {

inline constexpr std::size_t uniqid_size = 18;
inline constexpr std::uint32_t uniqid_shards_max = 16;  // the shard is one digit

struct Uniqid {
    std::uint16_t random = 0;
    std::uint32_t seconds = 0;
    std::uint32_t microseconds = 0;  // 0 .. 999 999
};

enum class UniqidFault : std::uint8_t { none, length, digit, microseconds, shard };

struct ParsedUniqid {
    Uniqid key;
    UniqidFault fault = UniqidFault::none;
    std::size_t stop = 0;  // of the character that is no digit
};

constexpr std::uint32_t uniqid_shard(const Uniqid& key, std::uint32_t shards) noexcept {
    return key.microseconds % shards;
}

// Accepts 18, 17 or 13 hexadecimal digits of either case, with a shard that is the right one for some count of shards.
constexpr ParsedUniqid parse_uniqid(std::string_view text) noexcept {
    if (text.size() != 18 && text.size() != 17 && text.size() != 13)
        return {{}, UniqidFault::length};

    std::size_t at = 0;
    bool valid = true;
    const auto number = [&](std::size_t digits) {
        std::uint32_t value = 0;
        for (; valid && digits > 0; --digits) {
            const int digit = digit_value(text.data()[at]);
            valid = digit >= 0;
            if (valid) {
                value = value << 4 | static_cast<unsigned>(digit);
                ++at;
            }
        }
        return value;
    };
    const bool has_shard = text.size() == 18;
    const std::uint32_t shard = has_shard ? number(1) : 0;
    Uniqid key;
    if (text.size() >= 17)
        key.random = static_cast<std::uint16_t>(number(4));
    key.seconds = number(8);
    key.microseconds = number(5);
    if (!valid)
        return {{}, UniqidFault::digit, at};
    if (key.microseconds > 999'999)
        return {{}, UniqidFault::microseconds};

    bool right = !has_shard;
    for (std::uint32_t shards = shard + 1; !right && shards <= uniqid_shards_max; ++shards)
        right = uniqid_shard(key, shards) == shard;
    if (!right)
        return {{}, UniqidFault::shard};
    return {key};
}

// Writes exactly uniqid_size characters, lower case; shards is 1 .. uniqid_shards_max.
constexpr void format_uniqid(const Uniqid& key, std::uint32_t shards, char* text) noexcept {
    const auto write = [&text](std::uint32_t value, int digits) {
        while (digits-- > 0)
            *text++ = lower_digits[value >> 4 * digits & 0xf];
    };
    write(uniqid_shard(key, shards), 1);
    write(key.random, 4);
    write(key.seconds, 8);
    write(key.microseconds, 5);
}

constexpr Id id_from_uniqid(const Uniqid& key) noexcept {
    const Microseconds instant = Microseconds{key.seconds} * 1'000'000 + key.microseconds;
    const Ticks count = instant * ticks_per_microsecond - gregorian_start;
    return gregorian_id(Layout::v1, static_cast<std::uint64_t>(count), rfc_variant | multicast_bit | key.random);
}

// The key of an id, or nothing where it is untimed or its seconds do not fit 32 bits. The random digits are the id's
// last 16 bits, or its first where the last are its time.
constexpr std::optional<Uniqid> uniqid_from_id(const Id& id) noexcept {
    const auto instant = ticks(id);
    if (!instant || *instant < 0)
        return std::nullopt;
    const auto microseconds = static_cast<std::uint64_t>(*instant / ticks_per_microsecond);
    const std::uint64_t seconds = microseconds / 1'000'000;
    if (seconds > 0xffff'ffff)
        return std::nullopt;
    const std::uint64_t random = is_locality(layout_of(id)) ? id.msb >> 48 : id.lsb & 0xffff;
    return Uniqid{static_cast<std::uint16_t>(random), static_cast<std::uint32_t>(seconds),
                  static_cast<std::uint32_t>(microseconds % 1'000'000)};
}

}  // namespace luuid
