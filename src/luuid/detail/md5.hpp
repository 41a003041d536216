// MD5 (RFC 1321) of at most 55 bytes, one block: it defines sequential mode's seed and the node of `auto`. The server's
// own goes through OpenSSL, which refuses MD5 in FIPS mode.
#pragma once

#include <luuid/detail/language.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace luuid::detail {

// The first 32 bits of the digest, read little-endian, as RFC 1321 §3.5 holds them (its word A).
constexpr std::uint32_t md5_first_word(std::string_view message) noexcept {
    // floor(2^32 × |sin(i + 1)|), RFC 1321 §3.4.
    constexpr std::uint32_t sines[64] = {
        0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
        0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
        0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
        0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
        0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
        0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
        0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
        0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
    };
    constexpr int rotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

    std::uint32_t block[16] = {};
    const auto put = [&block](std::size_t offset, unsigned char byte) {
        block[offset / 4] |= std::uint32_t{byte} << offset % 4 * 8;
    };
    for (std::size_t i = 0; i < message.size(); ++i)
        put(i, static_cast<unsigned char>(message.data()[i]));
    put(message.size(), 0x80);
    block[14] = static_cast<std::uint32_t>(message.size() * 8);

    constexpr std::uint32_t start[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    std::uint32_t a = start[0], b = start[1], c = start[2], d = start[3];
    for (int i = 0; i < 64; ++i) {
        std::uint32_t mix = 0;
        int word = 0;
        switch (i / 16) {
            case 0:
                mix = (b & c) | (~b & d);
                word = i;
                break;
            case 1:
                mix = (d & b) | (~d & c);
                word = (5 * i + 1) % 16;
                break;
            case 2:
                mix = b ^ c ^ d;
                word = (3 * i + 5) % 16;
                break;
            default:
                mix = c ^ (b | ~d);
                word = 7 * i % 16;
        }
        const std::uint32_t turned = std::rotl(a + mix + sines[i] + block[word], rotations[i / 16][i % 4]);
        a = d;
        d = c;
        c = b;
        b += turned;
    }
    return start[0] + a;
}

}  // namespace luuid::detail
