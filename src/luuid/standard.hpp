// What the standard library expects of a value type: a string and a hash.
#pragma once

#include <luuid/text.hpp>

#include <functional>
#include <string>

namespace luuid {

// The canonical 36 characters of RFC 9562 §4, in lower case.
inline std::string to_string(const Id& id) {
    std::string text(text_size, '\0');
    format(id, text.data());
    return text;
}

}  // namespace luuid

template <>
struct std::hash<luuid::Id> {
    std::size_t operator()(const luuid::Id& id) const noexcept {
        constexpr std::uint64_t golden_ratio = 0x9e37'79b9'7f4a'7c15;  // 2^64 / golden ratio, made odd
        const auto mix = [](std::uint64_t half) {
            half *= golden_ratio;
            return half ^ half >> 32;
        };
        return std::hash<std::uint64_t>()(mix(mix(id.msb) + id.lsb));
    }
};
