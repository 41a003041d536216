// The canonical text form, sixteen characters at a time: SSSE3 on x86-64, NEON on AArch64.
//
//   character      0         10        20        30
//                  |         |         |         |
//                  20be0ffc-314a-bd53-7a50-013a65ca76d2
//   front, middle  ffffffffffffffffmmmmmmmmmmmmmmmm          characters 0 .. 15 and 16 .. 31
//   back                               bbbbbbbbbbbbbbbb      characters 20 .. 35
//   high, low      hhhhhhhh hhhh hhhh llll llllllllllll      the digits of bytes 0 .. 7, and of bytes 8 .. 15
//
// It uses the vector types that g++ and clang have in common, so that all machines run the same lines. It rejects what
// is not canonical without a reason: the portable code of text.hpp finds what is wrong and where.
#pragma once

#include <luuid/id.hpp>

// g++ has these shuffles since version 12.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#if defined(__x86_64__)
#include <cpuid.h>
#include <tmmintrin.h>
#define LUUID_SIMD [[gnu::target("ssse3")]]
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#include <arm_neon.h>
#define LUUID_SIMD
#endif
#endif
#endif

namespace luuid::detail::simd {

#ifdef LUUID_SIMD

#ifdef __x86_64__
// Read once, at load. __builtin_cpu_supports would execute some twenty CPUID instructions; each exits a virtual
// machine, and a session that loads the module waits for it.
inline const bool has_ssse3 = [] {
    unsigned a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_SSSE3) != 0;
}();
#endif

// True if this machine has the instructions.
inline bool is_available() noexcept {
#ifdef __x86_64__
    return has_ssse3;
#else
    return true;
#endif
}

using Bytes [[gnu::vector_size(16)]] = std::uint8_t;
using SignedBytes [[gnu::vector_size(16)]] = std::int8_t;
using Pairs [[gnu::vector_size(16)]] = std::uint16_t;
using Quads [[gnu::vector_size(16)]] = std::uint32_t;
using Halves [[gnu::vector_size(16)]] = std::uint64_t;

// table[index] for each of sixteen indexes below 16, 0 for indexes from 128 on. The only operation that needs an
// intrinsic of each machine.
LUUID_SIMD [[gnu::always_inline]] inline Bytes look_up(Bytes table, Bytes indexes) noexcept {
#ifdef __x86_64__
    return reinterpret_cast<Bytes>(
        _mm_shuffle_epi8(reinterpret_cast<__m128i>(table), reinterpret_cast<__m128i>(indexes)));
#else
    return vqtbl1q_u8(table, indexes);
#endif
}

[[gnu::always_inline]] inline Bytes load_characters(const char* text) noexcept {
    Bytes characters;
    std::memcpy(&characters, text, sizeof characters);
    return characters;
}

[[gnu::always_inline]] inline void store_characters(Bytes characters, char* text) noexcept {
    std::memcpy(text, &characters, sizeof characters);
}

// Converts between two 64-bit numbers, lowest byte first, and the order in which they are written.
[[gnu::always_inline]] inline Bytes swap_ends(Bytes bytes) noexcept {
    return __builtin_shufflevector(bytes, bytes, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
}

// All ones for characters in first .. first + count - 1. Signed, since SSE has no unsigned comparison.
[[gnu::always_inline]] inline Bytes in_range(Bytes characters, std::uint8_t first, std::uint8_t count) noexcept {
    const Bytes from_lowest = characters + static_cast<std::uint8_t>(0x80 - first);
    return reinterpret_cast<Bytes>(reinterpret_cast<SignedBytes>(from_lowest) < static_cast<std::int8_t>(count - 0x80));
}

struct Digits {
    Bytes values;
    Bytes valid;  // all ones for each digit
};

[[gnu::always_inline]] inline Digits read_digits(Bytes characters) noexcept {
    const Bytes letters = in_range(characters | 0x20, 'a', 6);
    return {(characters & 0x0f) + (letters & 9), in_range(characters, '0', 10) | letters};
}

// Joins each pair of digit values into one byte, the second of the pair: there the product is 16 × the first + the
// second.
[[gnu::always_inline]] inline Bytes join_pairs(Bytes values) noexcept {
    return reinterpret_cast<Bytes>(reinterpret_cast<Pairs>(values) * 0x1001);
}

// Reads text_size characters; false if they are not the canonical form, in either case.
LUUID_SIMD inline bool parse_canonical(const char* text, Id& id) noexcept {
    const Bytes front = load_characters(text);
    const Bytes middle = load_characters(text + 16);
    const Bytes back = load_characters(text + 20);
    const Digits high =
        read_digits(__builtin_shufflevector(front, middle, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17));
    const Digits low =
        read_digits(__builtin_shufflevector(middle, back, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 28, 29, 30, 31));

    const Halves valid = reinterpret_cast<Halves>(high.valid & low.valid);
    const bool hyphens = text[8] == '-' && text[13] == '-' && text[18] == '-' && text[23] == '-';
    if (!hyphens || (valid[0] & valid[1]) != ~std::uint64_t{0})
        return false;
    const Bytes bytes = __builtin_shufflevector(join_pairs(high.values), join_pairs(low.values), 1, 3, 5, 7, 9, 11, 13,
                                                15, 17, 19, 21, 23, 25, 27, 29, 31);
    const Halves halves = reinterpret_cast<Halves>(swap_ends(bytes));
    id = {halves[0], halves[1]};
    return true;
}

// Writes text_size characters, lower case.
LUUID_SIMD inline void format_canonical(const Id& id, char* text) noexcept {
    constexpr Bytes characters = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
    const Bytes bytes = swap_ends(reinterpret_cast<Bytes>(Halves{id.msb, id.lsb}));
    const Bytes first = look_up(characters, bytes >> 4);
    const Bytes second = look_up(characters, bytes & 0x0f);
    const Bytes high = __builtin_shufflevector(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const Bytes low =
        __builtin_shufflevector(first, second, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);

    // An index from 128 on looks up 0, which leaves room for a hyphen.
    constexpr std::uint8_t gap = 0x80;
    const Bytes front = look_up(high, Bytes{0, 1, 2, 3, 4, 5, 6, 7, gap, 8, 9, 10, 11, gap, 12, 13});
    store_characters(front | Bytes{0, 0, 0, 0, 0, 0, 0, 0, '-', 0, 0, 0, 0, '-'}, text);
    const Bytes across =
        __builtin_shufflevector(high, low, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29);
    const Bytes middle = look_up(across, Bytes{0, 1, gap, 2, 3, 4, 5, gap, 6, 7, 8, 9, 10, 11, 12, 13});
    store_characters(middle | Bytes{0, 0, '-', 0, 0, 0, 0, '-'}, text + 16);
    const std::uint32_t last = reinterpret_cast<Quads>(low)[3];
    std::memcpy(text + 32, &last, sizeof last);
}

#undef LUUID_SIMD

#else

constexpr bool is_available() noexcept { return false; }
constexpr bool parse_canonical(const char*, Id&) noexcept { return false; }
constexpr void format_canonical(const Id&, char*) noexcept {}

#endif

}  // namespace luuid::detail::simd
