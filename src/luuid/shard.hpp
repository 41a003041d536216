// Shards: the first 32 bits of an id, cut into equal ranges. The cut is frozen, since rows lie where it put them.
#pragma once

#include <luuid/detail/bounded.hpp>
#include <luuid/layout.hpp>

namespace luuid {

// How many shards there are: 1 .. 2^31-1, as SQL's integer holds them.
using Shards = detail::Bounded<struct ShardsTag, 1, 0x7fff'ffff>;

// One of so many shards: number 0 .. shards-1. A constant that is none does not compile.
class Shard {
public:
    consteval Shard(std::int64_t number, Shards shards) noexcept : Shard(of(number, shards).value()) {}

    // Nothing where there is no such shard.
    static constexpr std::optional<Shard> of(std::int64_t number, Shards shards) noexcept {
        if (number < 0 || number >= shards.value())
            return std::nullopt;
        return Shard(Checked{}, static_cast<std::uint32_t>(number), shards);
    }

    // Of its blocks, 32 bits each, the first and the one past the last.
    constexpr std::uint64_t begin() const noexcept { return begin_of(number_); }
    constexpr std::uint64_t end() const noexcept { return begin_of(std::uint64_t{number_} + 1); }

private:
    struct Checked {};

    constexpr Shard(Checked, std::uint32_t number, Shards shards) noexcept : shards_(shards), number_(number) {}

    constexpr std::uint64_t begin_of(std::uint64_t number) const noexcept {
        return ((number << 32) + shards_.value() - 1) / shards_.value();
    }

    Shards shards_;
    std::uint32_t number_;
};

// How many of its first bits an id has in common with its neighbour: 0 .. 32.
using PrefixBits = detail::Bounded<struct PrefixBitsTag, 0, 32>;

// 0 .. shards-1.
constexpr std::uint32_t shard_of(const Id& id, Shards shards) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{prefix(id)} * shards.value() >> 32);
}

// The lowest id of a shard in byte order.
constexpr Id shard_floor(Shard shard) noexcept { return {shard.begin() << 32, 0}; }

}  // namespace luuid
