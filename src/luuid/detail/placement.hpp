// Placement: blocks for new ids on a given shard or next to a given id.
#pragma once

#include <luuid/detail/block.hpp>
#include <luuid/shard.hpp>

namespace luuid::detail {

// Blocks from begin up to, not including, end; not empty, and end is at most 2^32.
struct BlockRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// The blocks that have their first bits in common with the neighbour.
constexpr BlockRange neighbour_range(const Id& neighbour, PrefixBits bits) noexcept {
    const std::uint64_t size = std::uint64_t{1} << (32 - bits.value());
    const std::uint64_t begin = prefix(neighbour) / size * size;
    return {begin, begin + size};
}

constexpr BlockRange shard_range(Shard shard) noexcept { return {shard.begin(), shard.end()}; }

// A lane is the 65 536 blocks that have their first 16 bits in common. A variable-mode counter visits each lane once in
// 65 536 steps, a lap, and a different place in the lane in each lap.
inline constexpr std::uint32_t lap_steps = std::uint32_t{1} << 16;

struct LaneRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
};

// The lanes that lie wholly in a range; none if it is narrow.
constexpr LaneRange lanes_in(BlockRange range) noexcept {
    const std::uint64_t first = (range.begin + lap_steps - 1) / lap_steps;
    const std::uint64_t end = range.end / lap_steps;
    return {static_cast<std::uint32_t>(first), first < end ? static_cast<std::uint32_t>(end - first) : 0};
}

// So many draws in a row get distinct blocks, in whatever ranges of lanes.
inline constexpr std::uint32_t distinct_draws = lap_steps - 1;

// The block of a draw in these lanes. A draw is a step of the variable counter that no other block used. Successive
// draws spread over the lanes, and each takes the place that its lane has in another lap.
constexpr std::uint32_t block_in_lanes(LaneRange lanes, std::uint64_t draw) noexcept {
    const auto step = static_cast<std::uint32_t>(draw);
    const std::uint64_t lane = lanes.first + (std::uint64_t{block_at(step)} * lanes.count >> 32);
    const std::uint32_t lap = step / lap_steps + step % lap_steps;
    return block_at(lap * lap_steps | sequence_of(static_cast<std::uint32_t>(lane) * lap_steps) / lap_steps);
}

// The block of a draw in a range too narrow for lanes: successive draws get successive blocks.
constexpr std::uint32_t block_in_narrow(BlockRange range, std::uint64_t draw) noexcept {
    return static_cast<std::uint32_t>(range.begin + draw % (range.end - range.begin));
}

}  // namespace luuid::detail
