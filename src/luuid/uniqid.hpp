// Short keys: PHP's uniqid() behind four random digits and a shard.
//
//   s rrrr tttttttt uuuuu    shard, random, seconds since 1970, microseconds of the second; 18 to 20 digits
//     rrrr tttttttt uuuuu    without the shard; 17 digits
//          tttttttt uuuuu    uniqid() itself; 13 digits
//
// All digits are hexadecimal except the shard's one to three decimal ones. A key is read from its end, so its length
// tells where the shard ends.
//
// A key's shard is uuuuu modulo the number of shards, so it adds no information.
#pragma once

#include <luuid/shard.hpp>
#include <luuid/text.hpp>

namespace luuid {

inline constexpr std::size_t uniqid_size_max = 20;
// The number of shards that keys are written for.
using UniqidShards = detail::Bounded<struct UniqidShardsTag, 1, 1000>;

struct Uniqid {
    std::uint16_t random = 0;
    std::uint32_t seconds = 0;
    std::uint32_t microseconds = 0;  // 0 .. 999 999
};

// 0 .. shards-1.
[[nodiscard]] constexpr std::uint32_t uniqid_shard(const Uniqid& key, Shards shards) noexcept {
    return key.microseconds % shards.value();
}

namespace detail {

constexpr bool is_shard_for_some_number(std::uint32_t shard, std::uint32_t microseconds) noexcept {
    for (std::uint32_t shards = shard + 1; shards <= UniqidShards::max; ++shards)
        if (microseconds % shards == shard)
            return true;
    return false;
}

// The key of a time, without random digits; nothing if its seconds do not fit 32 bits.
constexpr std::optional<Uniqid> uniqid_at(Time time) noexcept {
    const auto second = std::chrono::floor<std::chrono::seconds>(time);
    if (time < Time{} || second.time_since_epoch() > std::chrono::seconds(0xffff'ffff))
        return std::nullopt;
    return Uniqid{0, static_cast<std::uint32_t>(second.time_since_epoch().count()),
                  static_cast<std::uint32_t>((time - second).count())};
}

}  // namespace detail

// Accepts 13 or 17 hexadecimal digits of either case. Before 17 digits it accepts 1 to 3 decimal digits without a
// leading zero, if they are the key's shard for some number of shards up to 1000. Nothing for another text, and the
// reason in `error`.
[[nodiscard("the text may be no key")]] constexpr std::optional<Uniqid> parse_uniqid(std::string_view text,
                                                                                     ParseError& error) noexcept {
    const auto refuse = [&error](const char* what, std::size_t at = ParseError::nowhere) {
        error = {at, what};
        return std::nullopt;
    };
    constexpr std::size_t random_size = 4, time_size = 13;
    const bool has_random = text.size() >= random_size + time_size;
    const std::size_t shard_size = has_random ? text.size() - random_size - time_size : 0;
    if (text.size() > uniqid_size_max || (!has_random && text.size() != time_size))
        return refuse("The key does not have 13 digits, or 17 to 20.");

    std::size_t at = 0;
    const auto read = [&](std::uint32_t& number, std::size_t digits, unsigned base) {
        for (; digits > 0; --digits, ++at) {
            const auto digit = static_cast<unsigned>(detail::digit_value(text.data()[at]));
            if (digit >= base)
                return false;
            number = number * base + digit;
        }
        return true;
    };
    std::uint32_t shard = 0, random = 0, seconds = 0, microseconds = 0;
    if (!read(shard, shard_size, 10))
        return refuse("a decimal digit", at);
    if (!read(random, has_random ? random_size : 0, 16) || !read(seconds, 8, 16) || !read(microseconds, 5, 16))
        return refuse("a hexadecimal digit", at);

    if (microseconds > 999'999)
        return refuse("The last five digits are microseconds, f423f at most.");
    static_assert(UniqidShards::max == 1000);
    const bool has_leading_zero = shard_size > 1 && text.data()[0] == '0';
    if (shard_size > 0 && (has_leading_zero || !detail::is_shard_for_some_number(shard, microseconds)))
        return refuse("The last five digits do not fall on that shard for any number of shards up to 1000.");
    return Uniqid{static_cast<std::uint16_t>(random), seconds, microseconds};
}

[[nodiscard("the text may be no key")]] constexpr std::optional<Uniqid> parse_uniqid(std::string_view text) noexcept {
    ParseError error;
    return parse_uniqid(text, error);
}

// Writes lower case, and returns what it wrote.
constexpr std::string_view format_uniqid(const Uniqid& key, UniqidShards shards,
                                         std::span<char, uniqid_size_max> text) noexcept {
    const std::uint32_t shard = key.microseconds % shards.value();
    char* at = text.data();
    for (const std::uint32_t unit : {100u, 10u, 1u})
        if (shard >= unit || unit == 1)
            *at++ = detail::lower_digits[shard / unit % 10];
    const auto write = [&at](std::uint32_t value, int digits) {
        while (digits-- > 0)
            *at++ = detail::lower_digits[value >> 4 * digits & 0xf];
    };
    write(key.random, 4);
    write(key.seconds, 8);
    write(key.microseconds, 5);
    return {text.data(), static_cast<std::size_t>(at - text.data())};
}

// The version-1 id of a key's microsecond. The random digits end its node, whose multicast bit marks it as no hardware
// address (RFC 9562 §6.10); the clock sequence is 0.
[[nodiscard]] constexpr Id id_from_uniqid(const Uniqid& key) noexcept {
    const Time time{std::chrono::seconds(key.seconds) + std::chrono::microseconds(key.microseconds)};
    return detail::v1_id(detail::gregorian_count_at(time), detail::rfc_variant | detail::multicast_bit | key.random);
}

// The key of an id; nothing if it is untimed or its seconds do not fit 32 bits. The random digits are the id's last 16
// bits, or its first 16 for a locality UUID, whose last bits are its time.
[[nodiscard]] constexpr std::optional<Uniqid> uniqid_from_id(const Id& id) noexcept {
    const auto time = time_of(id);
    if (!time)
        return std::nullopt;
    auto key = detail::uniqid_at(std::chrono::floor<std::chrono::microseconds>(*time));
    if (key)
        key->random = static_cast<std::uint16_t>(is_locality(layout_of(id)) ? id.msb >> 48 : id.lsb);
    return key;
}

}  // namespace luuid
