// What the transactions of one place show to those who ask for a horizon: horizon.hpp says why.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
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

// The transactions of one slot, one after the other: what the one that generates ids shows, and those that ended. A
// slot is written by one transaction at a time, and by its parallel workers. `Word` is an atomic number, in memory that
// all share; times are milliseconds since 1970; `Transaction` numbers are never 0 and never come twice. A `Database` is
// a number too, 0 where it is not known; no transaction inserts into another than its own.
//
// Those that ended are in rings: the last `width` one by one, and in each ring after the first those of a block of the
// ring before it together: the last transaction of the block, and the earliest millisecond of any. So a snapshot that
// is asked by late gets a horizon that may be earlier than need be, and not none.
template <class Word = std::atomic<std::uint64_t>, std::size_t width = 16, std::size_t block = 8,
          std::size_t ring_count = 8>
class Flight {
    static_assert(width >= 2 * block, "a block leaves a ring after it is in the next one");

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

    // Its ids go up to this millisecond: those of its parallel workers, those from elsewhere, and those that were
    // generated before its clock stepped back. What it generates otherwise, its backend knows.
    void reach(std::uint64_t millisecond) noexcept {
        std::uint64_t last = last_;
        while (last < millisecond && !last_.compare_exchange_strong(last, millisecond))
            ;
    }
    std::uint64_t last() const noexcept { return last_; }

    // It ended, visible to all snapshots from now on.
    void end_visible(Transaction transaction) noexcept {
        remember(transaction, first_);
        end();
    }

    // It ended, never to be visible.
    void end() noexcept {
        admitted_ = none;
        last_ = none;
        first_ = none;
    }

    // It goes on at a place of its own, where whoever was there before has ended.
    void move_to(Flight& place, Transaction transaction) noexcept {
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
    // `is_seen(transaction)` tells. False where it cannot be known, since nothing is known of one, or millions have
    // ended since. What has ended counts whatever its database was.
    template <class IsSeen>
    bool lower(std::uint64_t& horizon, Database database, IsSeen&& is_seen) const {
        const std::uint64_t first = first_;
        const Database other = database_;
        const Transaction prepared = prepared_;
        const bool is_counted = other == database || other == 0 || database == 0;
        if (first != none && is_counted && first < horizon && (prepared == 0 || !is_seen(prepared)))
            horizon = first;
        return std::ranges::any_of(rings_, [&](const Ring& ring) { return ring.lower(horizon, is_seen); }) &&
               horizon != unknown;
    }

private:
    struct Ended {
        Word transaction{0};
        Word first{0};
    };

    struct Ring {
        Word count{0};  // of all that were ever added
        std::array<Ended, width> ended{};

        // True once this has added a whole block.
        bool add(Transaction transaction, std::uint64_t millisecond) noexcept {
            const std::uint64_t number = count;
            ended[number % width].transaction = transaction;
            ended[number % width].first = millisecond;
            count = number + 1;
            return (number + 1) % block == 0;
        }

        // The earliest millisecond of the block that was added last; for the transaction that adds.
        std::uint64_t first_of_block() const noexcept {
            const std::uint64_t number = count;
            std::uint64_t first = ended[(number - 1) % width].first;
            for (std::uint64_t back = 2; back <= block; ++back)
                first = std::min<std::uint64_t>(first, ended[(number - back) % width].first);
            return first;
        }

        // Lowers a horizon to those not seen, the latest first: where one is seen, so are all that ended before it.
        // False where that came to one that is no longer here. The block that it is in is in the next ring by then.
        template <class IsSeen>
        bool lower(std::uint64_t& horizon, IsSeen&& is_seen) const {
            for (std::uint64_t number = count; number-- > 0;) {
                const Transaction transaction = ended[number % width].transaction;
                const std::uint64_t millisecond = ended[number % width].first;
                if (count - number >= width)
                    return false;  // replaced, or about to be
                if (is_seen(transaction))
                    break;
                horizon = std::min(horizon, millisecond);
            }
            return true;
        }
    };

    static void lower_to(Word& word, std::uint64_t millisecond) noexcept {
        std::uint64_t before = word;
        while ((before == none || millisecond < before) && !word.compare_exchange_strong(before, millisecond))
            ;
    }

    void remember(Transaction transaction, std::uint64_t millisecond) noexcept {
        for (Ring& ring : rings_) {
            if (!ring.add(transaction, millisecond) || &ring == &rings_.back())
                return;
            millisecond = ring.first_of_block();
        }
    }

    Word first_{none};
    Word admitted_{none};  // read by those alone who write here
    Word last_{none};
    Word prepared_{0};
    Word database_{0};
    std::array<Ring, ring_count> rings_{};
};

}  // namespace luuid::detail
