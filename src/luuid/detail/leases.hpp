// Leases of the 16-bit process field among all who generate on one node: at most one has a value at a time, and no two
// ever use one value in the same millisecond.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>

namespace luuid::detail {

// A value that its holder has to itself.
struct Lease {
    std::uint16_t value;
    std::uint64_t unused_from;  // no ids were made with it for this millisecond or a later one before
};

// In memory that they share; lock-free. A word for each value says it all: the first millisecond that no ids were made
// for with it, or that somebody holds it. `Word` is an atomic number.
template <class Word = std::atomic<std::uint64_t>>
class Leases {
public:
    // The wanted value, or else another one, which nobody holds and nobody has used in the millisecond of this reading
    // of the clock or later; nothing where all are held. Whoever takes it makes ids of that millisecond and later ones.
    std::optional<Lease> take(std::uint16_t wanted, std::uint64_t now) noexcept {
        if (const auto lease = take_unused(wanted, now))
            return lease;
        return take_unused(wanted, held - 1);  // the clock stepped back, so far that every value was used later
    }

    // Ends a lease under which no id was made for a later millisecond than this; where none was made at all, what
    // former holders used still counts.
    void give_back(Lease lease, std::uint64_t last_millisecond) noexcept {
        unused_from_[lease.value] = std::max(lease.unused_from, last_millisecond + 1);
    }

private:
    // Later than any millisecond.
    static constexpr std::uint64_t held = ~std::uint64_t{0};

    // Downwards, since process ids are given out upwards: so nobody is driven from the value of his own that comes
    // next.
    std::optional<Lease> take_unused(std::uint16_t wanted, std::uint64_t millisecond) noexcept {
        std::uint16_t value = wanted;
        do {
            std::uint64_t from = unused_from_[value];
            if (from <= millisecond && unused_from_[value].compare_exchange_strong(from, held))
                return Lease{value, from};
        } while (--value != wanted);
        return std::nullopt;
    }

    std::array<Word, 1 << 16> unused_from_{};
};

// Processes share it, and a lock would be one for each of them. Asked of the size, in a place aligned to it, which is
// how std::atomic has it: clang's is_always_lock_free thinks of a plain long long, which i386 aligns to 4 bytes.
static_assert(alignof(std::atomic<std::uint64_t>) == 8 && __atomic_always_lock_free(8, nullptr));

}  // namespace luuid::detail
