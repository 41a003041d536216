// One millisecond of one generator: which ids it may still generate without repeating one.
#pragma once

#include <luuid/detail/placement.hpp>
#include <luuid/layout.hpp>

namespace luuid::detail::inline LUUID_FORM {

// A generator makes ids in two ways. Ids in order differ because each is greater than the one before. Ids in lanes
// (placement.hpp) differ because each has its own draw. They have no order: with one, ids beside two neighbours in turn
// would use up a millisecond each. The block keeps the two ways apart. Some blocks are reserved for ids in order, and
// the first id in order with another block closes the millisecond to lanes, so no id repeats, whichever blocks are
// reserved. The reserved blocks are those that the counters draw next, so that few milliseconds close early.
class Millisecond {
public:
    // Before the first millisecond.
    constexpr Millisecond() noexcept = default;

    // Begins after this step of the variable counter and this block of the sequential one.
    constexpr Millisecond(std::uint64_t number, std::uint64_t step, std::uint32_t sequential) noexcept
        : number_(number), step_(step), sequential_(sequential) {}

    // Counted since 1970.
    constexpr std::uint64_t number() const noexcept { return number_; }

    // Allows an id in order, greater than all earlier ones in order; false if the millisecond is full. The first id of
    // a millisecond is always allowed.
    constexpr bool give_in_order(LocalityVersion version, std::uint32_t block) noexcept {
        const std::uint64_t place = static_cast<std::uint64_t>(version) << 32 | sequence_of(block);
        const bool is_free = !is_reserved(block);
        if (place <= last_place_ || (is_free && has_lanes_))
            return false;
        last_place_ = place;
        is_in_order_alone_ |= is_free;
        return true;
    }

    // True if ids in lanes must not have this block, because an id in order has it or may get it.
    constexpr bool is_reserved(std::uint32_t block) const noexcept {
        const bool is_of_this_lap = step_of(block) / lap_steps == static_cast<std::uint32_t>(step_) / lap_steps;
        return is_of_this_lap || block - sequential_ < sequential_reserve;
    }

    // Allows the id of a block that block_in_lanes computed from this draw and that is not reserved; false if the
    // millisecond is full.
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

}  // namespace luuid::detail::inline LUUID_FORM
