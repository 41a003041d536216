// The horizon of a database: the millisecond before which no inserter stores an id any more. Lock-free.
// src/pg/horizon/README has the protocol and its proof.
#pragma once

#include <core/slot.hpp>
#include <luuid/detail/timeline.hpp>

#include <optional>

namespace luuid::detail {

template <class Word = std::atomic<std::uint64_t>>
class Horizon {
public:
    constexpr Horizon() noexcept = default;
    explicit Horizon(std::uint64_t floor) noexcept : floor_(floor) {}

    // The greatest horizon that was returned. While the clock is at most 10 s behind it, no id before it is generated
    // or accepted, and no clock step is followed below it.
    std::uint64_t floor() const noexcept { return floor_; }
    void raise_floor(std::uint64_t millisecond) noexcept { raise(floor_, millisecond); }

    // How often the floor followed a clock that was further behind it. Ids may then come before a returned horizon.
    std::uint64_t steps_followed() const noexcept { return steps_followed_; }
    void reset_steps() noexcept { steps_followed_.store(0); }

    // Begins an inserter. Returns the millisecond before which it must generate no id. Called again before its
    // generator follows a clock step. `clock()` reads the clock.
    template <class Slot, class Clock>
    std::uint64_t begin(Slot& slot, std::uint64_t database, Clock&& clock) noexcept {
        const std::uint64_t first = store_first(slot, database, clock);
        slot.accept_from(first);
        return first;
    }

    // Whether an inserter may store an id of this millisecond that was generated elsewhere, since no horizon is later.
    // Loads the floor before it stores first, too, so that an id that will be refused holds no horizon back.
    template <class Slot>
    bool accept(Slot& slot, std::uint64_t database, std::uint64_t millisecond) noexcept {
        if (slot.accepts(millisecond))
            return true;
        if (millisecond <= Slot::unknown || floor_ > millisecond)
            return false;
        slot.begin(millisecond, database);
        if (floor_ > millisecond)
            return false;
        slot.accept_from(millisecond);
        return true;
    }

    // Returns the present less a lag, in milliseconds, and raises the floor to it.
    template <class Clock>
    std::uint64_t raise_behind(std::uint64_t lag, Clock&& clock) noexcept {
        for (;;) {
            std::uint64_t floor = floor_;
            const std::uint64_t now = clock();
            const std::uint64_t horizon = behind(now, lag);
            if (!is_waited_for(floor, now) ? follow_step(floor, horizon)
                                           : horizon <= floor || floor_.compare_exchange_strong(floor, horizon))
                return horizon;
        }
    }

    // Lowers a horizon that the floor has reached as Slot::lower() does; nothing if it cannot be known. Scans the slots
    // in the order in which an inserter moves from one to another.
    template <class IsVisible, class IsSent, class Slots>
    static std::optional<std::uint64_t> lower(std::uint64_t horizon, std::uint64_t database, IsVisible&& is_visible,
                                              IsSent&& is_sent, Slots& slots) {
        for (auto& slot : slots)
            if (!slot.lower(horizon, database, is_visible, is_sent))
                return std::nullopt;
        return horizon;
    }

    // A lag before the present, but no horizon is one of the two milliseconds that mean something else in a slot.
    static constexpr std::uint64_t behind(std::uint64_t now, std::uint64_t lag) noexcept {
        return std::max<std::uint64_t>(now - std::min(lag, now), Slot<Word>::unknown + 1);
    }

private:
    static bool is_waited_for(std::uint64_t floor, std::uint64_t now) noexcept {
        return floor <= now || floor - now <= Timeline::hold_milliseconds;
    }

    template <class Slot, class Clock>
    std::uint64_t store_first(Slot& slot, std::uint64_t database, Clock&& clock) noexcept {
        std::uint64_t now = clock();
        for (;;) {
            slot.begin(now, database);
            const std::uint64_t floor = floor_;
            if (floor <= now)
                return now;
            const std::uint64_t later = clock();  // read after the floor was raised
            if (later >= now) {
                if (is_waited_for(floor, later))
                    return std::max(floor, later);
                if (follow_step(floor, later))
                    return later;
            }
            now = later;
        }
    }

    // Sets the floor to a clock that stepped back; false if another process has changed the floor meanwhile.
    bool follow_step(std::uint64_t floor, std::uint64_t now) noexcept {
        const bool is_followed = floor_.compare_exchange_strong(floor, now);
        if (is_followed)
            steps_followed_.fetch_add(1);
        return is_followed;
    }

    Word floor_{0};
    Word steps_followed_{0};
};

}  // namespace luuid::detail
