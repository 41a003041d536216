// The counter block w: how each mode counts, and the sequence, by which ids of either compare as they were generated.
#pragma once

#include <luuid/detail/language.hpp>

#include <bit>
#include <cstdint>

namespace luuid::detail {

// Odd, hence coprime to 2^32: stepping by it visits every 32-bit value once before it repeats one.
inline constexpr std::uint32_t variable_step = 198'491'317;
// variable_step × step_inverse ≡ 1 (mod 2^32).
inline constexpr std::uint32_t step_inverse = 0xba67519d;
static_assert(variable_step * step_inverse == 1);

// Reverses the eight nibbles, so that the counter's fastest-changing digits come first, where they determine the shard.
constexpr std::uint32_t reverse_nibbles(std::uint32_t value) noexcept {
    value = (value & 0x0f0f0f0f) << 4 | (value >> 4 & 0x0f0f0f0f);
#ifdef __GNUC__  // also clang, which recognizes no shifts after others, and then does not inline what generates
    return __builtin_bswap32(value);
#else
    value = (value & 0x00ff00ff) << 8 | (value >> 8 & 0x00ff00ff);
    return std::rotl(value, 16);
#endif
}

// The block of a variable-mode counter at its step'th step from 0.
constexpr std::uint32_t block_at(std::uint32_t step) noexcept { return reverse_nibbles(step * variable_step); }

// The step (modulo 2^32) of this block: the inverse of block_at.
constexpr std::uint32_t step_of(std::uint32_t block) noexcept { return reverse_nibbles(block) * step_inverse; }

// A bijection of the block under which both modes count upward: the high half counts the steps of a variable-mode
// counter (modulo 2^16), the low half those of a sequential one.
constexpr std::uint32_t sequence_of(std::uint32_t block) noexcept { return step_of(block) << 16 | (block & 0xffff); }

// The inverse of sequence_of.
constexpr std::uint32_t block_of(std::uint32_t sequence) noexcept {
    const std::uint32_t low_counter = (sequence >> 16) * variable_step & 0xffff;
    return reverse_nibbles(low_counter) | (sequence & 0xffff);
}

}  // namespace luuid::detail
