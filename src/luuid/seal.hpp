// Sealed ids: version 7 shown as version 4, byte for byte as UUIDv47 does it. The milliseconds are XORed with
// SipHash-2-4 of the 74 random bits, under a secret key; these bits stay as they are. Unsealing does not detect a wrong
// key: it returns an id of another time.
#pragma once

#include <luuid/layout.hpp>

#include <bit>
#include <initializer_list>

namespace luuid {

inline constexpr std::size_t seal_key_size = 16;

// SipHash's key: 128 bits as its paper's two numbers.
struct SealKey {
    std::uint64_t k0 = 0;
    std::uint64_t k1 = 0;
};

// Reads 16 bytes, each half in little-endian order, as SipHash's paper does.
constexpr SealKey load_seal_key(const unsigned char* bytes) noexcept {
    const Id halves = load(bytes);
    return {detail::swap_bytes(halves.msb), detail::swap_bytes(halves.lsb)};
}

namespace detail {

// SipHash-2-4 of a message of 8 to 15 bytes: the first 8, then the others with the length in the highest byte, both
// read in little-endian order. See "SipHash: a fast short-input PRF", Aumasson and Bernstein, 2012.
constexpr std::uint64_t siphash(SealKey key, std::uint64_t first, std::uint64_t last) noexcept {
    std::uint64_t v0 = key.k0 ^ 0x736f'6d65'7073'6575, v1 = key.k1 ^ 0x646f'7261'6e64'6f6d;
    std::uint64_t v2 = key.k0 ^ 0x6c79'6765'6e65'7261, v3 = key.k1 ^ 0x7465'6462'7974'6573;
    const auto add_and_mix = [](std::uint64_t& sum, std::uint64_t& mixed, int bits) {
        sum += mixed;
        mixed = std::rotl(mixed, bits) ^ sum;
    };
    const auto rounds = [&](int count) {
        while (count-- > 0) {
            add_and_mix(v0, v1, 13);
            add_and_mix(v2, v3, 16);
            v0 = std::rotl(v0, 32);
            add_and_mix(v0, v3, 21);
            add_and_mix(v2, v1, 17);
            v2 = std::rotl(v2, 32);
        }
    };
    for (const std::uint64_t word : {first, last}) {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
    }
    v2 ^= 0xff;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
}

// Seals an id of version 7, and unseals one of version 4. The XOR is its own inverse, of the version's bits too.
constexpr Id swap_seal(const Id& id, SealKey key) noexcept {
    constexpr std::uint64_t length = 10;
    const std::uint64_t random = id.lsb << 2 >> 2;
    const std::uint64_t hash =
        siphash(key, swap_bytes((id.msb & 0xfff) << 48 | random >> 16), swap_bytes(random << 48 | length));
    return {id.msb ^ (hash << 16 | std::uint64_t{7 ^ 4} << 12), id.lsb};
}

}  // namespace detail

// Seals an id of version 7: the version-4 id to give out; nothing for an id of another version.
[[nodiscard("it returns the sealed id")]] constexpr std::optional<Id> seal(const Id& id, SealKey key) noexcept {
    return layout_of(id) == Layout::v7 ? std::optional(detail::swap_seal(id, key)) : std::nullopt;
}

// The id of version 7 that was sealed; nothing unless `sealed` has version 4 and RFC 9562's variant.
[[nodiscard("it returns the id")]] constexpr std::optional<Id> unseal(const Id& sealed, SealKey key) noexcept {
    const bool is_v4 = version_nibble(sealed) == 4 && has_rfc_variant(sealed);
    return is_v4 ? std::optional(detail::swap_seal(sealed, key)) : std::nullopt;
}

}  // namespace luuid
