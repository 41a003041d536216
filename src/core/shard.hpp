// Shards: the first 32 bits of an id, cut into equal ranges. The cut is frozen, since rows lie where it put them.
#pragma once

#include "layout.hpp"

namespace luuid {

// A count of shards is 1 .. 2^31-1, a shard 0 .. count-1, as SQL's integer holds them.
constexpr std::uint32_t shard_of(const Id& id, std::uint32_t shards) noexcept {
    return static_cast<std::uint32_t>(std::uint64_t{prefix(id)} * shards >> 32);
}

// The first block of a shard; for shard = shards, one past the last block of all.
constexpr std::uint64_t shard_begin(std::uint32_t shard, std::uint32_t shards) noexcept {
    return ((std::uint64_t{shard} << 32) + shards - 1) / shards;
}

// The lowest id of a shard in byte order.
constexpr Id shard_floor(std::uint32_t shard, std::uint32_t shards) noexcept {
    return {shard_begin(shard, shards) << 32, 0};
}

}  // namespace luuid
