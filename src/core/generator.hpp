// Generation: the next id as a function of a block, the generator's own past, who it is and what the clock says.
#pragma once

#include "counters.hpp"
#include "order.hpp"
#include "placement.hpp"

#include <algorithm>

namespace luuid {

enum class CounterMode : std::uint8_t { variable, sequential };

// The block of the next id. `Source` is Counters or SharedDraws.
template <class Source>
constexpr std::uint32_t next_block(Source& counters, CounterMode mode, std::uint64_t now) noexcept {
    return mode == CounterMode::variable ? counters.next_variable(now) : counters.next_sequential(now);
}

// One generator's past: what keeps its ids apart, and each greater than the one before it.
// Times are milliseconds since 1970; `now` is the clock's reading.
class Timeline {
public:
    // A clock that steps back no further than this is waited for; past it, the step is followed.
    static constexpr std::uint64_t hold_milliseconds = 10'000;

    // The id of a block, greater than every id placed before it unless the clock stepped back beyond the hold.
    constexpr Id place(std::uint32_t block, Layout layout, Identity who, std::uint64_t now) noexcept {
        return place_at(block, layout, who, present(now));
    }

    // The id of a block somewhere in a range. It is unlike the others of its millisecond, and in a range that holds no
    // lane greater than the one before it. Elsewhere it stays in the present millisecond instead: ids beside one
    // neighbour and another are in no order, and to wait for one would run ahead of the clock by half a millisecond an
    // id. A narrow range may hold the blocks that lanes gave out, and so the two keep to milliseconds of their own.
    template <class Source>
    constexpr Id place_within(BlockRange range, Source& counters, Layout layout, Identity who,
                              std::uint64_t now) noexcept {
        const std::uint64_t earliest = present(now);
        const LaneRange lanes = lanes_in(range);
        if (lanes.count == 0) {
            const std::uint32_t block = block_in_narrow(range, counters.next_step());
            const Id id = place_at(block, layout, who, std::max(earliest, lanes_millisecond_ + 1));
            narrow_millisecond_ = last_millisecond_;
            return id;
        }

        // Half of the range is left, even where sequential mode is in the midst of it.
        const auto reach = static_cast<std::uint32_t>(
            std::min<std::uint64_t>(std::uint64_t{lanes.count} * (lap_steps / 4), sequential_reach));
        std::uint32_t draw = 0;
        std::uint32_t block = 0;
        do {
            draw = counters.next_step();
            block = block_in_lanes(lanes, draw);
        } while (is_left_out(draw) || counters.is_near_sequential(block, reach, now));

        if (const std::uint64_t millisecond = std::max(earliest, narrow_millisecond_ + 1);
            millisecond > lanes_millisecond_) {
            lanes_millisecond_ = millisecond;
            lanes_first_draw_ = draw;
        } else if (draw - lanes_first_draw_ >= distinct_draws) {
            ++lanes_millisecond_;
            lanes_first_draw_ = draw;
        }
        return locality_id(layout, block, who, lanes_millisecond_);
    }

    // How often the clock stepped back beyond the hold.
    constexpr std::uint64_t steps_followed() const noexcept { return steps_followed_; }

private:
    // Not before the last id's millisecond.
    constexpr Id place_at(std::uint32_t block, Layout layout, Identity who, std::uint64_t millisecond) noexcept {
        const std::uint64_t place = place_in_millisecond(layout, block);
        // A counter wrap, another user of the counters or a change of mode or version.
        if (millisecond == last_millisecond_ && place <= last_place_)
            ++millisecond;
        last_millisecond_ = millisecond;
        last_place_ = place;
        return locality_id(layout, block, who, millisecond);
    }

    // The millisecond to place an id in: the clock's, or a later one that was used already.
    constexpr std::uint64_t present(std::uint64_t now) noexcept {
        if (now >= clock_) {
            clock_ = now;
        } else if (clock_ - now > hold_milliseconds) {
            clock_ = now;
            last_millisecond_ = 0;
            last_place_ = 0;
            lanes_millisecond_ = 0;
            narrow_millisecond_ = 0;
            ++steps_followed_;
        }
        return std::max(clock_, last_millisecond_);
    }

    std::uint64_t clock_ = 0;  // the latest reading, followed steps excepted
    std::uint64_t last_millisecond_ = 0;
    std::uint64_t last_place_ = 0;
    std::uint64_t lanes_millisecond_ = 0;
    std::uint32_t lanes_first_draw_ = 0;
    std::uint64_t narrow_millisecond_ = 0;
    std::uint64_t steps_followed_ = 0;
};

}  // namespace luuid
