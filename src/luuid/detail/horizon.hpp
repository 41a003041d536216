// The horizon of those who make ids in transactions: the millisecond before which no id can come up any more.
// Lock-free, and nobody waits for anybody.
//
// Before its first id a transaction shows the present time, and then looks at what horizons were handed out: it makes
// no id before either. Who asks for the horizon hands out the present time, and then looks at what the transactions
// show: the horizon is the least of these. So one of the two sees the other, and no horizon lies after an id that is
// yet to come up. Where the clock steps back amid a transaction, and its generator is about to follow, it does so
// again, since ids come before what it shows. A transaction that ended is not seen by a snapshot taken before, which
// may be the one that is asked for; so each is remembered for a while by who it was.
//
// An id that was made elsewhere enters in the same way: the transaction shows the id's own millisecond, and then looks
// at what was handed out. It may enter unless a horizon after it was.
#pragma once

#include <luuid/detail/flight.hpp>
#include <luuid/detail/timeline.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// What was handed out is a floor: no id is made before it or enters before it, and no step of the clock that is
// followed passes it, while the clock is no further behind it than is waited for.
template <class Word = std::atomic<std::uint64_t>>
class Horizon {
public:
    constexpr Horizon() noexcept = default;

    // Goes on from a floor of before.
    explicit Horizon(std::uint64_t floor) noexcept : floor_(floor) {}

    std::uint64_t floor() const noexcept { return floor_; }

    // As if this millisecond had been handed out.
    void raise_to(std::uint64_t millisecond) noexcept {
        std::uint64_t floor = floor_;
        while (floor < millisecond && !floor_.compare_exchange_strong(floor, millisecond))
            ;
    }

    // How often the clock was found to be further behind the floor than is waited for, so that ids may come up before a
    // horizon.
    std::uint64_t steps_followed() const noexcept { return steps_followed_; }

    // Begins the flight of a transaction, which then makes no id before the millisecond that this returns; begins it
    // anew where a generator is about to follow a step of the clock. `clock()` reads the clock.
    template <class Place, class Clock>
    std::uint64_t begin(Place& flight, Clock&& clock) noexcept {
        const std::uint64_t beginning = show_present(flight, clock);
        flight.admit(beginning);
        return beginning;
    }

    // Whether an id of this millisecond, wherever it was made, may enter in the transaction of a flight: if no horizon
    // is after it. Shows it before looking, so that no later horizon is either; and looks before showing it too, so
    // that what has no chance holds nobody back.
    template <class Place>
    bool admit(Place& flight, std::uint64_t millisecond) noexcept {
        if (flight.admits(millisecond))
            return true;
        if (millisecond <= Place::unknown || floor_ > millisecond)
            return false;
        flight.begin(millisecond);
        if (floor_ > millisecond)
            return false;
        flight.admit(millisecond);
        return true;
    }

    // The horizon of a database for a snapshot that was taken before, at least so many milliseconds behind the clock;
    // nothing where it cannot be known. Flights are in an order in which they move to later ones alone.
    template <class Clock, class IsSeen, class... Places>
    std::optional<std::uint64_t> ask(std::uint64_t database, std::uint64_t lag, Clock&& clock, IsSeen&& is_seen,
                                     const Places&... flights) {
        return lowered(raise(lag, clock), database, is_seen, flights...);
    }

    // The present less this lag; no id before it is generated or admitted from now on.
    template <class Clock>
    std::uint64_t raise(std::uint64_t lag, Clock&& clock) noexcept {
        for (;;) {
            std::uint64_t floor = floor_;
            const std::uint64_t now = clock();
            const std::uint64_t horizon = behind(now, lag);
            if (!is_waited_for(floor, now) ? follow_step(floor, horizon)
                                           : horizon <= floor || floor_.compare_exchange_strong(floor, horizon))
                return horizon;
        }
    }

    // A millisecond that the floor has reached, lowered to those of transactions in flight that the snapshot does not
    // see.
    template <class IsSeen, class... Places>
    static std::optional<std::uint64_t> lowered(std::uint64_t horizon, std::uint64_t database, IsSeen&& is_seen,
                                                const Places&... flights) {
        const auto lower_by = [&](const auto& places) {
            return std::all_of(places.begin(), places.end(),
                               [&](const auto& flight) { return flight.lower(horizon, database, is_seen); });
        };
        return (lower_by(flights) && ...) ? std::optional(horizon) : std::nullopt;
    }

    // The horizon so many milliseconds before the present; none is in the first two of 1970.
    static constexpr std::uint64_t behind(std::uint64_t now, std::uint64_t lag) noexcept {
        return std::max<std::uint64_t>(now - std::min(lag, now), Flight<Word>::unknown + 1);
    }

private:
    static bool is_waited_for(std::uint64_t floor, std::uint64_t now) noexcept {
        return floor <= now || floor - now <= Timeline::hold_milliseconds;
    }

    // The millisecond from which ids may be made, when the present was shown.
    template <class Place, class Clock>
    std::uint64_t show_present(Place& flight, Clock&& clock) noexcept {
        std::uint64_t now = clock();
        for (;;) {
            flight.begin(now);
            const std::uint64_t floor = floor_;
            if (floor <= now)
                return now;
            const std::uint64_t later = clock();  // than when that was handed out
            if (later >= now) {
                if (is_waited_for(floor, later))
                    return std::max(floor, later);
                if (follow_step(floor, later))
                    return later;
            }
            now = later;
        }
    }

    // False where the floor is another one by now.
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
