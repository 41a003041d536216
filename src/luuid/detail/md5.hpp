// MD5 (RFC 1321) of at most 55 bytes, one block: it defines sequential mode's seed and the node of `auto`. The server's
// own MD5 calls OpenSSL, which refuses it in FIPS mode.
#pragma once

#include <luuid/detail/language.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace luuid::detail {

// floor(2^32 × |sin(i + 1)|), RFC 1321 §3.4.
inline constexpr std::uint32_t md5_sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

inline constexpr int md5_rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

// A message of at most 55 bytes, padded and with its length in bits, RFC 1321 §3.1 to 3.2.
struct Md5Block {
    std::uint32_t words[16] = {};

    constexpr explicit Md5Block(std::string_view message) noexcept {
        for (std::size_t i = 0; i < message.size(); ++i)
            put(i, static_cast<unsigned char>(message.data()[i]));
        put(message.size(), 0x80);
        words[14] = static_cast<std::uint32_t>(message.size() * 8);
    }

private:
    constexpr void put(std::size_t offset, unsigned char byte) noexcept {
        words[offset / 4] |= std::uint32_t{byte} << offset % 4 * 8;
    }
};

// What step 0 .. 63 adds before it rotates: its round's function of b, c and d, and a word of the block, RFC 1321 §3.4.
constexpr std::uint32_t md5_addend(int step, const Md5Block& block, std::uint32_t b, std::uint32_t c,
                                   std::uint32_t d) noexcept {
    switch (step / 16) {
        case 0:
            return ((b & c) | (~b & d)) + block.words[step];
        case 1:
            return ((d & b) | (~d & c)) + block.words[(5 * step + 1) % 16];
        case 2:
            return (b ^ c ^ d) + block.words[(3 * step + 5) % 16];
        default:
            return (c ^ (b | ~d)) + block.words[7 * step % 16];
    }
}

// The digest's first 4 bytes as a number in little-endian order, which is word A of RFC 1321 §3.5.
constexpr std::uint32_t md5_first_word(std::string_view message) noexcept {
    constexpr std::uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    const Md5Block block(message);
    std::uint32_t a = start[0], b = start[1], c = start[2], d = start[3];
    for (int step = 0; step < 64; ++step) {
        const std::uint32_t sum = a + md5_addend(step, block, b, c, d) + md5_sines[step];
        a = d;
        d = c;
        c = b;
        b += std::rotl(sum, md5_rotations[step / 16][step % 4]);
    }
    return start[0] + a;
}

}  // namespace luuid::detail
