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

#include <luuid/detail/timeline.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>

namespace luuid::detail {

// The full number of a transaction of which the lower 32 bits are given: the greatest that is less than the next one's.
constexpr std::uint64_t full_number(std::uint32_t lower, std::uint64_t next) noexcept {
    return next - 1 - static_cast<std::uint32_t>(next - 1 - lower);
}

// Whether a transaction can be in progress, where the server begins no number half of 32 bits after the oldest that is.
// An older one's lower 32 bits are those of one that is yet to come.
constexpr bool can_be_in_progress(std::uint64_t transaction, std::uint64_t next) noexcept {
    return next - transaction < std::uint64_t{1} << 31;
}

// The transactions of one place, one after the other: what the one that makes ids shows, and those that ended last. A
// place is written by one transaction at a time, and by its parallel workers. `Word` is an atomic number, in memory
// that all share; times are milliseconds since 1970; `Transaction` numbers are never 0 and never come twice. A
// `Database` is a number too, 0 where it is not known; no transaction inserts into another than its own.
template <class Word = std::atomic<std::uint64_t>, std::size_t remembered = 64>
class Flight {
public:
    using Transaction = std::uint64_t;
    using Database = std::uint64_t;

    // Shows the database of the transaction that is about to begin its flight here: who sees the flight sees that too.
    void enter(Database database) noexcept { database_ = database; }

    // Shows that ids are about to be made, none of them before this millisecond.
    void begin(std::uint64_t millisecond) noexcept { lower_to(first_, millisecond); }

    // No horizon is after this millisecond until the transaction has ended, so that ids from it on may enter.
    void admit(std::uint64_t millisecond) noexcept { lower_to(admitted_, millisecond); }
    bool admits(std::uint64_t millisecond) const noexcept {
        const std::uint64_t admitted = admitted_;
        return admitted != none && admitted <= millisecond;
    }

    // The earliest millisecond that its ids may have; none where it makes no ids.
    std::uint64_t first() const noexcept { return first_; }
    static constexpr std::uint64_t none = 0;

    // Of a transaction of which nothing is known but that it made ids, or may have.
    static constexpr std::uint64_t unknown = 1;

    // It ended, visible to all snapshots from now on.
    void end_visible(Transaction transaction) noexcept {
        remember(transaction, first_);
        end();
    }

    // It ended, never to be visible.
    void end() noexcept {
        admitted_ = none;
        first_ = none;
    }

    // It goes on at a place of its own, where whoever was there before has ended.
    template <std::size_t remembered_there>
    void move_to(Flight<Word, remembered_there>& place, Transaction transaction) noexcept {
        place.receive(transaction, database_, first_);
        end();
    }

    // A transaction goes on here, and whoever was here before has ended.
    void receive(Transaction transaction, Database database, std::uint64_t millisecond) noexcept {
        if (first_ != none)
            remember(prepared_, first_);
        prepared_ = transaction;
        database_ = database;
        first_ = millisecond;
    }

    // Who has moved here; 0 at a place that nobody moves to.
    Transaction prepared() const noexcept { return prepared_; }

    // What `look()` finds of the transaction in flight here, and its first millisecond: both of one transaction, unless
    // two of one millisecond look the same.
    template <class Look>
    auto look_at(Look&& look) const {
        for (;;) {
            const std::uint64_t first = first_;
            const auto found = look();
            if (look() == found && first == first_)
                return std::pair(first, found);
        }
    }

    // Whether who is in flight here keeps a database's horizon from passing a millisecond.
    bool holds_back(Database database, std::uint64_t millisecond) const noexcept {
        const std::uint64_t first = first_;
        const Database other = database_;
        return first != none && first <= millisecond && (other == database || other == 0);
    }

    // Lowers a horizon of a database to the first millisecond of those here whom a snapshot does not see:
    // `is_seen(transaction)` tells. False where it cannot be known, since so many have ended since, or nothing is known
    // of one. What has ended counts whatever its database was.
    template <class IsSeen>
    bool lower(std::uint64_t& horizon, Database database, IsSeen&& is_seen) const {
        const std::uint64_t first = first_;
        const Database other = database_;
        const Transaction prepared = prepared_;
        const bool is_counted = other == database || other == 0 || database == 0;
        if (first != none && is_counted && first < horizon && (prepared == 0 || !is_seen(prepared)))
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
                break;
            horizon = std::min(horizon, millisecond);
        }
        return horizon != unknown;
    }

private:
    struct Ended {
        Word transaction{0};
        Word first{0};
    };

    static void lower_to(Word& word, std::uint64_t millisecond) noexcept {
        std::uint64_t before = word;
        while ((before == none || millisecond < before) && !word.compare_exchange_strong(before, millisecond))
            ;
    }

    void remember(Transaction transaction, std::uint64_t millisecond) noexcept {
        const std::uint64_t count = count_;
        ended_[count % remembered].transaction = transaction;
        ended_[count % remembered].first = millisecond;
        count_ = count + 1;
    }

    Word first_{none};
    Word admitted_{none};  // read by those alone who write here
    Word prepared_{0};
    Word database_{0};
    Word count_{0};  // of all that were remembered
    std::array<Ended, remembered> ended_{};
};

// What was handed out is a floor: no id is made before it or enters before it, and no step of the clock that is
// followed passes it, while the clock is no further behind it than is waited for.
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
        return lowest(hand_out(lag, clock), database, is_seen, flights...);
    }

    // Where it would be, at this millisecond; not handed out, so not to be read by.
    template <class IsSeen, class... Places>
    static std::optional<std::uint64_t> look(std::uint64_t database, std::uint64_t millisecond, IsSeen&& is_seen,
                                             const Places&... flights) {
        return lowest(millisecond, database, is_seen, flights...);
    }

    // The horizon so many milliseconds before the present; none is in the first two of 1970.
    static constexpr std::uint64_t behind(std::uint64_t now, std::uint64_t lag) noexcept {
        return std::max<std::uint64_t>(now - std::min(lag, now), Flight<Word>::unknown + 1);
    }

private:
    template <class IsSeen, class... Places>
    static std::optional<std::uint64_t> lowest(std::uint64_t horizon, std::uint64_t database, IsSeen&& is_seen,
                                               const Places&... flights) {
        const auto lower_by = [&](const auto& places) {
            return std::all_of(places.begin(), places.end(),
                               [&](const auto& flight) { return flight.lower(horizon, database, is_seen); });
        };
        return (lower_by(flights) && ...) ? std::optional(horizon) : std::nullopt;
    }

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

    template <class Clock>
    std::uint64_t hand_out(std::uint64_t lag, Clock&& clock) noexcept {
        for (;;) {
            std::uint64_t floor = floor_;
            const std::uint64_t now = clock();
            const std::uint64_t horizon = behind(now, lag);
            if (!is_waited_for(floor, now) ? follow_step(floor, horizon)
                                           : horizon <= floor || floor_.compare_exchange_strong(floor, horizon))
                return horizon;
        }
    }

    Word floor_{0};
    Word steps_followed_{0};
};

}  // namespace luuid::detail
