// Which ids committed transactions have left for readers that wait at a horizon.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace luuid::detail {

// Of the transactions of one place, one after the other: up to which millisecond their ids go. A place is written by
// one transaction at a time. The writer stores what is about to be replaced elsewhere first, and a reader looks there
// last, so that nothing that was shown is ever missing. `Word` is an atomic number, in memory that all share; times are
// milliseconds since 1970; a `Database` is a number, 0 for none.
template <class Word = std::atomic<std::uint64_t>>
class Arrivals {
public:
    using Database = std::uint64_t;

    // Ids of a transaction of this database are there, or will be once the horizon has passed the first: none of them
    // is before the first millisecond, or after the last.
    void show(Database database, std::uint64_t first, std::uint64_t last) noexcept {
        if (database_ == database) {
            raise(earlier_, last_);
        } else {
            raise(others_, earlier_);
            raise(others_, last_);
            database_ = database;
            earlier_ = 0;
        }
        first_ = first;
        last_ = std::max(first, last);
    }

    // A helper made ids for the transaction that is in progress here, up to this millisecond.
    void help(std::uint64_t last) noexcept {
        std::uint64_t helped = helped_;
        while (helped < last && !helped_.compare_exchange_strong(helped, last))
            ;
    }

    // Up to which millisecond helpers did, who have all ended.
    std::uint64_t end_help() noexcept {
        const std::uint64_t helped = helped_;
        if (helped != 0)
            helped_ = 0;
        return helped;
    }

    // Ids of unknown databases are there, up to this millisecond.
    void show_all(std::uint64_t last) noexcept { raise(others_, last); }

    // The millisecond that a horizon has to pass so that who has read up to `from` may find something; nothing where
    // there is nothing to be found. Ids of which many are ahead of the clock come up a bit at a time: for the end of
    // time none is.
    static constexpr std::uint64_t end_of_time = std::numeric_limits<std::uint64_t>::max();
    std::optional<std::uint64_t> due(Database database, std::uint64_t from, std::uint64_t now) const noexcept {
        const bool is_of_database = database_ == database;
        const std::uint64_t last = last_;
        const std::uint64_t first = first_;
        std::uint64_t earlier = is_of_database ? std::uint64_t{earlier_} : 0;
        earlier = std::max<std::uint64_t>(earlier, others_);
        if (earlier >= from)
            return from_ahead(from, from, earlier, now);
        if (is_of_database && last >= from)
            return from_ahead(std::max(from, first), from, last, now);
        return std::nullopt;
    }

private:
    static constexpr std::uint64_t pace = 100;

    static std::uint64_t from_ahead(std::uint64_t due, std::uint64_t from, std::uint64_t last,
                                    std::uint64_t now) noexcept {
        return last > now ? std::max(due, std::min(last, from + pace)) : due;
    }

    static void raise(Word& word, std::uint64_t value) noexcept {
        if (word < value)
            word = value;
    }

    Word database_{0};
    Word first_{0};    // of the latest transaction
    Word last_{0};     // of the latest transaction
    Word earlier_{0};  // the greatest of those before it, of its database
    Word others_{0};   // the greatest of other databases
    Word helped_{0};
};

}  // namespace luuid::detail
