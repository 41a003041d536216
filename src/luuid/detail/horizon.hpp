// The horizon of those who make ids in transactions: the millisecond before which no id can come up any more.
// Lock-free, and nobody waits for anybody.
//
// Before its first id a transaction shows the present time, and then looks at what horizons were handed out: it makes
// no id before either. Who asks for the horizon hands out the present time, and then looks at what the transactions
// show: the horizon is the least of these. So one of the two sees the other, and no horizon lies after an id that is
// yet to come up. Where the clock steps back amid a transaction, and its generator is about to follow, it does so
// again, since ids come before what it shows. A transaction that ended is not seen by a snapshot taken before, which
// may be the one that is asked for; so each is remembered for a while by who it was.
#pragma once

#include <luuid/detail/timeline.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// The transactions of one place, one after the other: what the one that makes ids shows, and those that ended last. A
// place is written by one transaction at a time, and by its parallel workers. `Word` is an atomic number, in memory
// that all share; times are milliseconds since 1970; `Transaction` numbers are never 0 and never come twice.
template <class Word = std::atomic<std::uint64_t>, std::size_t remembered = 64>
class Flight {
public:
    using Transaction = std::uint64_t;

    // Shows that ids are about to be made, none of them before this millisecond.
    void begin(std::uint64_t millisecond) noexcept {
        std::uint64_t first = first_;
        while ((first == none || millisecond < first) && !first_.compare_exchange_strong(first, millisecond))
            ;
    }

    // The earliest millisecond that its ids may have; none where it makes no ids.
    std::uint64_t first() const noexcept { return first_; }
    static constexpr std::uint64_t none = 0;

    // It ended, visible to all snapshots from now on.
    void end_visible(Transaction transaction) noexcept {
        remember(transaction, first_);
        first_ = none;
    }

    // It ended, never to be visible.
    void end() noexcept { first_ = none; }

    // It goes on at a place of its own, where whoever was there before has ended.
    void move_to(Flight& place, Transaction transaction) noexcept {
        if (place.first() != none)
            place.remember(place.prepared_, place.first_);
        place.prepared_ = transaction;
        place.first_ = first();
        first_ = none;
    }

    // Who has moved here; 0 at a place that nobody moves to.
    Transaction prepared() const noexcept { return prepared_; }

    // Lowers a horizon to the first millisecond of those here whom a snapshot does not see: `is_seen(transaction)`
    // tells. False where it cannot be known, since so many have ended since.
    template <class IsSeen>
    bool lower(std::uint64_t& horizon, IsSeen&& is_seen) const {
        const std::uint64_t first = first_;
        const Transaction prepared = prepared_;
        if (first != none && first < horizon && (prepared == 0 || !is_seen(prepared)))
            horizon = first;

        // The latest first. Where one of them is seen, so are all that ended here before it.
        const std::uint64_t count = count_;
        for (std::uint64_t number = count; number-- > 0;) {
            const Ended& ended = ended_[number % remembered];
            const Transaction transaction = ended.transaction;
            const std::uint64_t millisecond = ended.first;
            if (count_ - number >= remembered)
                return false;  // forgotten, or about to be
            if (is_seen(transaction))
                return true;
            horizon = std::min(horizon, millisecond);
        }
        return true;
    }

private:
    struct Ended {
        Word transaction{0};
        Word first{0};
    };

    void remember(Transaction transaction, std::uint64_t millisecond) noexcept {
        const std::uint64_t count = count_;
        ended_[count % remembered].transaction = transaction;
        ended_[count % remembered].first = millisecond;
        count_ = count + 1;
    }

    Word first_{none};
    Word prepared_{0};
    Word count_{0};  // of all that were remembered
    std::array<Ended, remembered> ended_{};
};

// What was handed out is a floor: no id is made before it, and no step of the clock that is followed passes it, while
// the clock is no further behind it than is waited for.
template <class Word = std::atomic<std::uint64_t>>
class Horizon {
public:
    constexpr Horizon() noexcept = default;

    // Goes on from a floor of before.
    explicit Horizon(std::uint64_t floor) noexcept : floor_(floor) {}

    std::uint64_t floor() const noexcept { return floor_; }

    // Goes on from what the clock was when others, of whom nobody asks for a horizon, made ids: as if it had been
    // handed out then.
    void go_on_from(std::uint64_t millisecond) noexcept {
        std::uint64_t floor = floor_;
        while ((floor < millisecond || !is_waited_for(floor, millisecond)) &&
               !floor_.compare_exchange_strong(floor, millisecond))
            ;
    }

    // How often the clock was found to be further behind the floor than is waited for, so that ids may come up before a
    // horizon.
    std::uint64_t steps_followed() const noexcept { return steps_followed_; }

    // Begins the flight of a transaction, which then makes no id before the millisecond that this returns; begins it
    // anew where a generator is about to follow a step of the clock. `clock()` reads the clock.
    template <class Place, class Clock>
    std::uint64_t begin(Place& flight, Clock&& clock) noexcept {
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

    // The horizon for a snapshot that was taken before; nothing where it cannot be known. Flights are in an order in
    // which they move to later ones alone.
    template <class Places, class Clock, class IsSeen>
    std::optional<std::uint64_t> ask(const Places& flights, Clock&& clock, IsSeen&& is_seen) {
        std::uint64_t horizon = hand_out(clock);
        for (const auto& flight : flights)
            if (!flight.lower(horizon, is_seen))
                return std::nullopt;
        return horizon;
    }

private:
    static bool is_waited_for(std::uint64_t floor, std::uint64_t now) noexcept {
        return floor <= now || floor - now <= Timeline::hold_milliseconds;
    }

    // False where the floor is another one by now.
    bool follow_step(std::uint64_t floor, std::uint64_t now) noexcept {
        const bool is_followed = floor_.compare_exchange_strong(floor, now);
        if (is_followed)
            steps_followed_.fetch_add(1);
        return is_followed;
    }

    template <class Clock>
    std::uint64_t hand_out(Clock&& clock) noexcept {
        for (;;) {
            std::uint64_t floor = floor_;
            const std::uint64_t now = clock();
            if (!is_waited_for(floor, now) ? follow_step(floor, now)
                                           : now <= floor || floor_.compare_exchange_strong(floor, now))
                return now;
        }
    }

    Word floor_{0};
    Word steps_followed_{0};
};

}  // namespace luuid::detail
