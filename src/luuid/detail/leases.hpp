// Leases of the 16-bit process field among the backends of a cluster: a value has one holder at a time, and no two
// holders use it in the same millisecond, unless the clock stepped back past the last use of all values.
#pragma once

#include <luuid/detail/language.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail::inline LUUID_FORM {

// Lives in shared memory; lock-free. The word of a value holds the first millisecond after its last use, and a flag
// while it is leased. `Word` is an atomic number.
template <class Word = std::atomic<std::uint64_t>>
class Leases {
public:
    // One generator's hold of a value.
    class Lease {
    public:
        constexpr Lease(Word& word, std::uint16_t value, std::uint64_t unused_from) noexcept
            : word_(&word), unused_from_(unused_from), value_(value) {}

        std::uint16_t value() const noexcept { return value_; }

        // Call before generating ids of a millisecond, so that it is recorded even if the holder dies.
        void use(std::uint64_t millisecond) noexcept { *word_ = held | std::max(unused_from_, millisecond + 1); }

        // The holder generates no more ids. The word keeps the last use, a former holder's if this one generated none.
        void give_back() noexcept { *word_ = *word_ & ~held; }

    private:
        Word* word_;
        std::uint64_t unused_from_;  // when the lease was taken
        std::uint16_t value_;
    };

    // Takes the wanted value, or else another that nobody holds and nobody used at or after `now`; nothing if all are
    // held. The holder may generate ids of `now` and later milliseconds.
    std::optional<Lease> take(std::uint16_t wanted, std::uint64_t now) noexcept {
        if (const auto lease = take_unused(wanted, now))
            return lease;
        return take_unused(wanted, held - 1);  // the clock stepped back so far that every value was used later
    }

    // How many values are held, and the first millisecond that none of their holders has used.
    struct Held {
        std::size_t count = 0;
        std::uint64_t unused_from = 0;
    };
    Held find_held() const noexcept {
        Held found;
        for (const Word& each : words_) {
            const std::uint64_t word = each;
            if ((word & held) == 0)
                continue;
            ++found.count;
            found.unused_from = std::max(found.unused_from, word & ~held);
        }
        return found;
    }

    // Copies the words of another memory, whose holders are all dead.
    void inherit(const Leases& former) noexcept {
        for (std::size_t value = 0; value < words_.size(); ++value)
            words_[value] = former.words_[value] & ~held;
    }

private:
    // The flag beside the millisecond; greater than any millisecond.
    static constexpr std::uint64_t held = std::uint64_t{1} << 63;

    // Searches downwards: the kernel assigns process ids upwards, so the next process wants a value above.
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

// A lock inside a std::atomic would not work between processes. Test the size with the alignment that std::atomic has:
// clang's is_always_lock_free looks at a plain long long, which i386 aligns to 4 bytes.
static_assert(alignof(std::atomic<std::uint64_t>) == 8 && __atomic_always_lock_free(8, nullptr));

}  // namespace luuid::detail::inline LUUID_FORM
