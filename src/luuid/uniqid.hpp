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

#include <luuid/shard.hpp>
#include <luuid/text.hpp>

namespace luuid {

inline constexpr std::size_t uniqid_size = 18;
// Of shards that keys are written for: the shard is one digit.
using UniqidShards = detail::Bounded<struct UniqidShardsTag, 1, 16>;

struct Uniqid {
    std::uint16_t random = 0;
    std::uint32_t seconds = 0;
    std::uint32_t microseconds = 0;  // 0 .. 999 999
};

enum class UniqidFault : std::uint8_t { none, length, digit, microseconds, shard };

// What is wrong, in words for whoever wrote the key; of `digit`, parse_uniqid says which character.
constexpr const char* explanation(UniqidFault fault) noexcept {
    static_assert(UniqidShards::max == 16);
    switch (fault) {
        case UniqidFault::microseconds:
            return "The last five digits are microseconds, f423f at most.";
        case UniqidFault::shard:
            return "The last five digits do not fall on that shard for any number of shards up to 16.";
        default:
            return "The key does not have 18, 17 or 13 digits.";
    }
}

struct ParsedUniqid {
    Uniqid key;
    UniqidFault fault = UniqidFault::none;
    std::size_t stop = 0;  // of the character that is no digit
};

constexpr std::uint32_t uniqid_shard(const Uniqid& key, Shards shards) noexcept {
    return key.microseconds % shards.value();
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
            const int digit = detail::digit_value(text.data()[at]);
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
    for (std::uint32_t shards = shard + 1; !right && shards <= UniqidShards::max; ++shards)
        right = key.microseconds % shards == shard;
    if (!right)
        return {{}, UniqidFault::shard};
    return {key};
}

// Writes exactly uniqid_size characters, lower case.
constexpr void format_uniqid(const Uniqid& key, UniqidShards shards, char* text) noexcept {
    const auto write = [&text](std::uint32_t value, int digits) {
        while (digits-- > 0)
            *text++ = detail::lower_digits[value >> 4 * digits & 0xf];
    };
    write(key.microseconds % shards.value(), 1);
    write(key.random, 4);
    write(key.seconds, 8);
    write(key.microseconds, 5);
}

constexpr Id id_from_uniqid(const Uniqid& key) noexcept {
    const Time time{std::chrono::seconds(key.seconds) + std::chrono::microseconds(key.microseconds)};
    return detail::v1_id(detail::gregorian_count_at(time), detail::rfc_variant | detail::multicast_bit | key.random);
}

// The key of an id, or nothing where it is untimed or its seconds do not fit 32 bits. The random digits are the id's
// last 16 bits, or its first where the last are its time.
constexpr std::optional<Uniqid> uniqid_from_id(const Id& id) noexcept {
    using std::chrono::seconds;
    const auto time = time_of(id);
    if (!time || *time < TickTime{})
        return std::nullopt;
    const auto second = std::chrono::floor<seconds>(*time);
    if (second.time_since_epoch() > seconds(0xffff'ffff))
        return std::nullopt;
    const std::uint64_t random = is_locality(layout_of(id)) ? id.msb >> 48 : id.lsb & 0xffff;
    const auto microsecond = std::chrono::floor<std::chrono::microseconds>(*time - second);
    return Uniqid{static_cast<std::uint16_t>(random), static_cast<std::uint32_t>(second.time_since_epoch().count()),
                  static_cast<std::uint32_t>(microsecond.count())};
}

}  // namespace luuid
