// The 16 bytes of an id, read big-endian as two 64-bit numbers, so that shifts and masks reach every field.
#pragma once

#include <luuid/detail/language.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace luuid {

// msb is bytes 0..7 and lsb bytes 8..15, named as in java.util.UUID. There is no operator<, since ids have two orders,
// by time and by bytes: see order.hpp.
struct Id {
    std::uint64_t msb = 0;
    std::uint64_t lsb = 0;

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

constexpr std::uint64_t load_half(const unsigned char* bytes) noexcept {
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
        std::uint64_t word;
        std::memcpy(&word, bytes, sizeof word);
        return __builtin_bswap64(word);
    }
    std::uint64_t word = 0;
    for (int i = 0; i < 8; ++i)
        word = word << 8 | bytes[i];
    return word;
}

constexpr void store_half(std::uint64_t word, unsigned char* bytes) noexcept {
    if (!std::is_constant_evaluated() && std::endian::native == std::endian::little) {
        word = __builtin_bswap64(word);
        std::memcpy(bytes, &word, sizeof word);
        return;
    }
    for (int i = 0; i < 8; ++i)
        bytes[i] = static_cast<unsigned char>(word >> (56 - 8 * i));
}

}  // namespace detail

// Reads 16 bytes, of any alignment.
constexpr Id load(const unsigned char* bytes) noexcept {
    return {detail::load_half(bytes), detail::load_half(bytes + 8)};
}

// Writes 16 bytes, to any alignment.
constexpr void store(const Id& id, unsigned char* bytes) noexcept {
    detail::store_half(id.msb, bytes);
    detail::store_half(id.lsb, bytes + 8);
}

}  // namespace luuid
