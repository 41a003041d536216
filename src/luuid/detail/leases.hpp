// Leases of the 16-bit process field among all who generate on one node: at most one has a value at a time, and no two
// ever use one value in the same millisecond.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// In memory that they share; lock-free. A word for each value says it all: the first millisecond that no ids were made
// for with it, and whether somebody holds it. `Word` is an atomic number.
template <class Word = std::atomic<std::uint64_t>>
class Leases {
public:
    // A value that its holder has to itself.
    class Lease {
    public:
        constexpr Lease(Word& word, std::uint16_t value, std::uint64_t unused_from) noexcept
            : word_(&word), unused_from_(unused_from), value_(value) {}

        std::uint16_t value() const noexcept { return value_; }

        // Told before ids are made for a millisecond, so that it is known even where their maker dies.
        void use(std::uint64_t millisecond) noexcept { *word_ = held | std::max(unused_from_, millisecond + 1); }

        // Makes no ids any more. Where it made none, what former holders used still counts.
        void give_back() noexcept { *word_ = *word_ & ~held; }

    private:
        Word* word_;
        std::uint64_t unused_from_;  // as it was taken
        std::uint16_t value_;
    };

    // The wanted value, or else another one, which nobody holds and nobody has used in the millisecond of this reading
    // of the clock or later; nothing where all are held. Whoever takes it makes ids of that millisecond and later ones.
    std::optional<Lease> take(std::uint16_t wanted, std::uint64_t now) noexcept {
        if (const auto lease = take_unused(wanted, now))
            return lease;
        return take_unused(wanted, held - 1);  // the clock stepped back, so far that every value was used later
    }

    // Goes on from leases whose holders are all dead.
    void inherit(const Leases& former) noexcept {
        for (std::size_t value = 0; value < words_.size(); ++value)
            words_[value] = former.words_[value] & ~held;
    }

private:
    // Beside the millisecond, and later than any.
    static constexpr std::uint64_t held = std::uint64_t{1} << 63;

    // Downwards, since process ids are given out upwards: so nobody is driven from the value of his own that comes
    // next.
    std::optional<Lease> take_unused(std::uint16_t wanted, std::uint64_t millisecond) noexcept {
        std::uint16_t value = wanted;
        do {
            std::uint64_t from = words_[value];
            if (from <= millisecond && words_[value].compare_exchange_strong(from, held | from))
                return Lease(words_[value], value, from);
        } while (--value != wanted);
        return std::nullopt;
    }

    std::array<Word, 1 << 16> words_{};
};

// Processes share it, and a lock would be one for each of them. Asked of the size, in a place aligned to it, which is
// how std::atomic has it: clang's is_always_lock_free thinks of a plain long long, which i386 aligns to 4 bytes.
static_assert(alignof(std::atomic<std::uint64_t>) == 8 && __atomic_always_lock_free(8, nullptr));

}  // namespace luuid::detail
