// What the standard library asks of a value: a string, a hash, an order for containers, times of std::chrono.
#pragma once

#include "boundary.hpp"
#include "text.hpp"

#include <chrono>
#include <functional>
#include <string>

namespace luuid {

// The canonical 36 characters.
inline std::string to_string(const Id& id) {
    std::string text(text_size, '\0');
    format(id, text.data());
    return text;
}

// For std::map, std::sort and their like: the order that `<` has in SQL. The operators of Id itself go by bytes.
struct Chronological {
    constexpr bool operator()(const Id& a, const Id& b) const noexcept { return compare(a, b) < 0; }
};

// The resolution at which times and ids are compared.
using Time = std::chrono::sys_time<std::chrono::microseconds>;

// The time of an id, rounded down; nothing where it is untimed.
constexpr std::optional<Time> time_of(const Id& id) noexcept {
    if (const auto instant = ticks(id))
        return Time(std::chrono::microseconds(microseconds_from_ticks(*instant)));
    return std::nullopt;
}

// As floor_of and ceiling_of of a count of microseconds.
template <class Duration>
constexpr Id floor_of(std::chrono::sys_time<Duration> time) noexcept {
    return floor_of(Microseconds{std::chrono::floor<std::chrono::microseconds>(time).time_since_epoch().count()});
}

template <class Duration>
constexpr Id ceiling_of(std::chrono::sys_time<Duration> time) noexcept {
    return ceiling_of(Microseconds{std::chrono::floor<std::chrono::microseconds>(time).time_since_epoch().count()});
}

}  // namespace luuid

template <>
struct std::hash<luuid::Id> {
    std::size_t operator()(const luuid::Id& id) const noexcept {
        constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;  // of 2^64, odd
        const auto mix = [](std::uint64_t half) {
            half *= golden_ratio;
            return half ^ half >> 32;
        };
        return static_cast<std::size_t>(mix(mix(id.msb) + id.lsb));
    }
};
