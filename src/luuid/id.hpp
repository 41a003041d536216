// The 16 bytes of an id, read big-endian as two 64-bit numbers, so that shifts and masks reach every field.
#pragma once

#include <luuid/detail/language.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

namespace luuid {

// msb is bytes 0..7 and lsb bytes 8..15, named as in java.util.UUID. In memory they have this machine's order, since in
// their own one compare() takes up to 1.4 times as long. So that nobody takes the memory for the 16 bytes, which load()
// and store() read and write, Id is not trivially copyable and has no &: memcpy(to, &id, 16) does not compile, nor does
// std::bit_cast. std::addressof gives the address to who needs it.
struct Id {
    std::uint64_t msb = 0;
    std::uint64_t lsb = 0;

    constexpr Id() noexcept = default;
    constexpr Id(std::uint64_t first_8_bytes, std::uint64_t last_8_bytes) noexcept
        : msb(first_8_bytes), lsb(last_8_bytes) {}
    constexpr Id(const Id&) noexcept = default;
    constexpr Id& operator=(const Id& other) noexcept {
        msb = other.msb;
        lsb = other.lsb;
        return *this;
    }

    void operator&() const = delete;

    friend constexpr bool operator==(const Id&, const Id&) noexcept = default;
};

inline constexpr std::size_t id_size = 16;
inline constexpr Id nil_id{};

// The version, 0 .. 15: the high nibble of byte 6, RFC 9562 §4.2.
constexpr unsigned version_nibble(const Id& id) noexcept { return (id.msb >> 12) & 0xf; }

// True if the two top bits of byte 8 are 10, the variant that RFC 9562 §4.1 defines.
constexpr bool has_rfc_variant(const Id& id) noexcept { return id.lsb >> 62 == 0b10; }

// True for version 7 of RFC 9562 §5.7.
constexpr bool is_v7(const Id& id) noexcept { return version_nibble(id) == 7 && has_rfc_variant(id); }

namespace detail {

// Compilers recognize it as one instruction.
constexpr std::uint64_t swap_bytes(std::uint64_t word) noexcept {
    word = (word & 0x00ff'00ff'00ff'00ff) << 8 | (word >> 8 & 0x00ff'00ff'00ff'00ff);
    word = (word & 0x0000'ffff'0000'ffff) << 16 | (word >> 16 & 0x0000'ffff'0000'ffff);
    return word << 32 | word >> 32;
}

constexpr bool can_swap() noexcept {
    return !std::is_constant_evaluated() && std::endian::native == std::endian::little;
}

// By a whole word where that is possible: the server's JIT inlines no function of as many instructions as bytes take.
constexpr std::uint64_t load_half(const unsigned char* bytes) noexcept {
    std::uint64_t word = 0;
    if (can_swap()) {
        std::memcpy(&word, bytes, sizeof word);
        return swap_bytes(word);
    }
    for (int i = 0; i < 8; ++i)
        word = word << 8 | bytes[i];
    return word;
}

constexpr void store_half(std::uint64_t word, unsigned char* bytes) noexcept {
    if (can_swap()) {
        word = swap_bytes(word);
        std::memcpy(bytes, &word, sizeof word);
        return;
    }
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<unsigned char>(word >> (56 - 8 * i));
}

}  // namespace detail

// Reads 16 bytes, of any alignment.
[[nodiscard]] constexpr Id load(const unsigned char* bytes) noexcept {
    return {detail::load_half(bytes), detail::load_half(bytes + 8)};
}

// Writes 16 bytes, to any alignment.
constexpr void store(const Id& id, unsigned char* bytes) noexcept {
    detail::store_half(id.msb, bytes);
    detail::store_half(id.lsb, bytes + 8);
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
