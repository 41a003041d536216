// One millisecond of one generator: it gives out ids, no two of them alike, until it is full.
#pragma once

#include <luuid/detail/placement.hpp>
#include <luuid/layout.hpp>

namespace luuid::detail {

// Ids are given out in two ways. Those in order differ since each is greater than the one before it. Those placed in
// whole lanes are in no order, or else ids beside one neighbour and another would take a millisecond each; they differ
// since each has a draw of its own. What keeps the two ways apart is the block: some blocks are reserved for ids in
// order, and the first id in order that has none of these makes the whole millisecond one of ids in order. So no id is
// given twice, whatever it is that the millisecond reserves. It reserves what its generator is about to draw, so that
// few milliseconds are full before their time.
class Millisecond {
public:
    // Before the first is entered.
    constexpr Millisecond() noexcept = default;

    // Entered after this step of the variable counter and this block of the sequential one.
    constexpr Millisecond(std::uint64_t number, std::uint64_t step, std::uint32_t sequential) noexcept
        : number_(number), step_(step), sequential_(sequential) {}

    // Counted since 1970.
    constexpr std::uint64_t number() const noexcept { return number_; }

    // Gives out an id that is greater than all that were given out in order; false where it is full. The first is
    // always given.
    constexpr bool give_in_order(LocalityVersion version, std::uint32_t block) noexcept {
        const std::uint64_t place = static_cast<std::uint64_t>(version) << 32 | sequence_of(block);
        const bool is_free = !is_reserved(block);
        if (place <= last_place_ || (is_free && has_lanes_))
            return false;
        last_place_ = place;
        is_in_order_alone_ |= is_free;
        return true;
    }

    // Whether lanes keep clear of a block, because an id in order has it or may yet.
    constexpr bool is_reserved(std::uint32_t block) const noexcept {
        const bool is_of_this_lap = step_of(block) / lap_steps == static_cast<std::uint32_t>(step_) / lap_steps;
        return is_of_this_lap || block - sequential_ < sequential_reserve;
    }

    // Gives out the id of a block that block_in_lanes made of this draw and that is not reserved; false where it is
    // full.
    constexpr bool give_in_lanes(std::uint64_t draw) noexcept {
        if (is_in_order_alone_ || draw - step_ > distinct_draws)
            return false;
        has_lanes_ = true;
        return true;
    }

private:
    // More sequential blocks than a generator draws in a millisecond, and few enough to leave most of a lane's places.
    static constexpr std::uint32_t sequential_reserve = lap_steps / 4;

    std::uint64_t number_ = 0;
    std::uint64_t last_place_ = 0;
    std::uint64_t step_ = 0;
    std::uint32_t sequential_ = 0;
    bool has_lanes_ = false;
    bool is_in_order_alone_ = false;
};

}  // namespace luuid::detail
