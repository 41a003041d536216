// A slot: what readers find of one inserter, and of those before it in the same slot. src/pg/horizon/README has the
// protocol and its proof.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace luuid::detail {

// Restores a transaction's full number from its lower 32 bits: the greatest with these bits that is less than `next`.
constexpr std::uint64_t full_number(std::uint32_t lower, std::uint64_t next) noexcept {
    return next - 1 - static_cast<std::uint32_t>(next - 1 - lower);
}

// Whether a transaction can be in progress. The server begins no transaction 2^31 numbers after the oldest one in
// progress, so an older one has ended, and its lower 32 bits are those of a transaction that is yet to come.
constexpr bool can_be_in_progress(std::uint64_t transaction, std::uint64_t next) noexcept {
    return next - transaction < std::uint64_t{1} << 31;
}

// Raises a shared word to a value, if that is greater.
template <class Word>
void raise(Word& word, std::uint64_t value) noexcept {
    std::uint64_t before = word;
    while (before < value && !word.compare_exchange_strong(before, value))
        ;
}

// Written by one inserter at a time, and by its parallel workers. `Word` is an atomic number, in shared memory; times
// are milliseconds since 1970; the numbers of transactions are never 0 and never come twice.
//
// Rings keep the inserters that ended. The first ring has the last `width` of them. Each later ring has one entry for a
// block of entries of the ring before: the block's last transaction, and its earliest millisecond. So a reader with an
// old snapshot still gets a horizon, though it may be earlier than need be. With the first ring alone, a snapshot after
// which 16 transactions of one backend ended would get none.
template <class Word = std::atomic<std::uint64_t>, std::size_t width = 16, std::size_t block = 8,
          std::size_t ring_count = 8>
class Slot {
    static_assert(width >= 2 * block, "a block leaves a ring after it is in the next one");

public:
    // In place of a first millisecond: there is no inserter, or the first millisecond of its ids is not known.
    static constexpr std::uint64_t none = 0;
    static constexpr std::uint64_t unknown = 1;

    // Begins an inserter, whose ids will have this millisecond or later ones. It stores the database first: a waiter
    // that found this millisecond beside the database of the slot's former inserter would sleep until this one ends,
    // which does not wake waiters of that database. For a horizon, either order will do.
    void begin(std::uint64_t millisecond, std::uint64_t database) noexcept {
        database_ = database;
        lower_to(first_, millisecond);
    }

    // The earliest millisecond that the inserter's ids may have.
    std::uint64_t first() const noexcept { return first_; }

    // Until the inserter has ended, no horizon is after this millisecond, so that it may store ids from it on.
    void accept_from(std::uint64_t millisecond) noexcept { lower_to(accepted_, millisecond); }
    bool accepts(std::uint64_t millisecond) const noexcept {
        const std::uint64_t accepted = accepted_;
        return accepted != none && accepted <= millisecond;
    }

    // The latest millisecond of ids that the generator of the inserter's backend does not know, or no longer: those of
    // parallel workers, those that a guard accepted, and those from before a clock step.
    void raise_last(std::uint64_t millisecond) noexcept { raise(last_, millisecond); }
    std::uint64_t last() const noexcept { return last_; }

    // Ends an inserter that has become visible to new snapshots.
    void commit(std::uint64_t transaction) noexcept {
        remember(transaction, first_);
        clear();
    }

    // Empties the slot; ends an inserter that no snapshot will ever see.
    void clear() noexcept {
        accepted_ = none;
        last_ = none;
        first_ = none;
    }

    // Moves an inserter that was prepared to a prepared transaction's slot.
    void move_to(Slot& slot, std::uint64_t transaction) noexcept {
        slot.receive(transaction, database_, first_);
        clear();
    }

    // Takes a prepared inserter over. The former one of this slot has ended, and goes to the ring.
    void receive(std::uint64_t transaction, std::uint64_t database, std::uint64_t millisecond) noexcept {
        if (first_ != none)
            remember(prepared_, first_);
        prepared_ = transaction;
        database_ = database;
        first_ = millisecond;
    }

    // The transaction that was received last, which may have ended; 0 in a backend's slot.
    std::uint64_t prepared() const noexcept { return prepared_; }

    // Reads an inserter's first millisecond, and what `read()` finds of the same inserter. Two inserters are mistaken
    // for one only if they have the same first millisecond and `read()` finds the same of both.
    template <class Read>
    auto read_with(Read&& read) const {
        for (;;) {
            const std::uint64_t first = first_;
            const auto found = read();
            if (read() == found && first == first_)
                return std::pair(first, found);
        }
    }

    // Whether the inserter keeps the horizon of a database from passing a millisecond.
    bool holds_back(std::uint64_t millisecond, std::uint64_t database) const noexcept {
        const std::uint64_t first = first_;
        return first != none && first <= millisecond && database_ == database;
    }

    // Lowers a database's horizon to the first millisecond of each inserter that the reader's snapshot does not see,
    // which `is_visible(transaction)` tells, or that was prepared and has yet to send its invalidation messages, which
    // `is_sent(transaction)` tells. The rings do not tell databases apart. False if the horizon cannot be known: an
    // inserter's first millisecond is unknown, or millions have ended here since the snapshot.
    template <class IsVisible, class IsSent>
    bool lower(std::uint64_t& horizon, std::uint64_t database, IsVisible&& is_visible, IsSent&& is_sent) {
        const std::uint64_t first = first_;
        const bool is_counted = database_ == database;
        const std::uint64_t prepared = prepared_;
        if (first != none && is_counted && first < horizon &&
            (prepared == 0 || !is_visible(prepared) || !has_sent(prepared, is_sent)))
            horizon = first;
        return std::ranges::any_of(rings_, [&](const Ring& ring) { return ring.lower(horizon, is_visible); }) &&
               horizon != unknown;
    }

private:
    struct Entry {
        Word transaction{0};
        Word first{0};
    };

    struct Ring {
        Word count{0};  // of all that were ever added
        std::array<Entry, width> entries{};

        // Adds an entry. Returns the earliest millisecond of the block that it completes, or else none.
        std::uint64_t add(std::uint64_t transaction, std::uint64_t millisecond) noexcept {
            const std::uint64_t number = count;
            entries[number % width].transaction = transaction;
            entries[number % width].first = millisecond;
            count = number + 1;
            if ((number + 1) % block != 0)
                return none;
            for (std::uint64_t back = 1; back < block; ++back)
                millisecond = std::min<std::uint64_t>(millisecond, entries[(number - back) % width].first);
            return millisecond;
        }

        // Lowers a horizon by the entries from the latest back to the first visible one, before which all are visible.
        // False if it comes to an entry that was overwritten, whose block is in the next ring by then.
        template <class IsVisible>
        bool lower(std::uint64_t& horizon, IsVisible&& is_visible) const {
            for (std::uint64_t number = count; number-- > 0;) {
                const std::uint64_t transaction = entries[number % width].transaction;
                const std::uint64_t millisecond = entries[number % width].first;
                if (count - number >= width)
                    return false;  // overwritten, or about to be
                if (is_visible(transaction))
                    break;
                horizon = std::min(horizon, millisecond);
            }
            return true;
        }
    };

    template <class IsSent>
    bool has_sent(std::uint64_t transaction, IsSent&& is_sent) {
        if (sent_ == transaction)
            return true;
        const bool is_so = is_sent(transaction);
        if (is_so)
            sent_ = transaction;
        return is_so;
    }

    static void lower_to(Word& word, std::uint64_t millisecond) noexcept {
        std::uint64_t before = word;
        while ((before == none || millisecond < before) && !word.compare_exchange_strong(before, millisecond))
            ;
    }

    void remember(std::uint64_t transaction, std::uint64_t millisecond) noexcept {
        for (auto ring = rings_.begin(); ring != rings_.end() && millisecond != none; ++ring)
            millisecond = ring->add(transaction, millisecond);
    }

    Word first_{none};
    Word accepted_{none};  // read by the inserter alone
    Word last_{none};
    Word prepared_{0};
    Word sent_{0};  // the prepared transaction that a reader found to have sent its messages
    Word database_{0};
    std::array<Ring, ring_count> rings_{};
};

}  // namespace luuid::detail
