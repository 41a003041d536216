// Shards: equal ranges of the first 32 bits of an id. The ranges must never change, since existing rows lie in them.
#pragma once

#include <luuid/detail/bounded.hpp>
#include <luuid/layout.hpp>

namespace luuid {

// The number of shards: 1 .. 2^31-1, as SQL's integer holds it.
using Shards = detail::Bounded<struct ShardsTag, 1, 0x7fff'ffff>;

// One of `shards`: number 0 .. shards-1. A constant out of range does not compile.
class Shard {
public:
    consteval Shard(std::int64_t number, Shards shards) noexcept : Shard(of(number, shards).value()) {}

    // Nothing if there is no such shard.
    static constexpr std::optional<Shard> of(std::int64_t number, Shards shards) noexcept {
        if (number < 0 || number >= shards.value())
            return std::nullopt;
        return Shard(Checked{}, static_cast<std::uint32_t>(number), shards);
    }

    // The blocks (first 32 bits) of its ids: from begin() up to, not including, end().
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

// The number of first bits that an id has in common with its neighbour: 0 .. 32.
using PrefixBits = detail::Bounded<struct PrefixBitsTag, 0, 32>;

// The shard of any id: 0 .. shards-1.
[[nodiscard]] constexpr std::uint32_t shard_of(const Id& id, Shards shards) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{prefix(id)} * shards.value() >> 32);
}

// The lowest id of a shard in byte order.
[[nodiscard]] constexpr Id shard_floor(Shard shard) noexcept { return {shard.begin() << 32, 0}; }

}  // namespace luuid
