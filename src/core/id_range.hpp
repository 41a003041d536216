// The ids between two bounds in the chronological order: `id >= x AND id < y`.
#pragma once

#include <luuid/order.hpp>

#include <optional>

namespace luuid::detail {

// Before an id, as in `id >= x` and `id < x`, or after it, as in `id > x` and `id <= x`.
struct Bound {
    Id id;
    bool after = false;
};

constexpr std::strong_ordering compare(const Bound& a, const Bound& b) noexcept {
    const auto by_id = luuid::compare(a.id, b.id);
    return by_id != 0 ? by_id : a.after <=> b.after;
}

// A missing bound is unbounded.
struct IdRange {
    std::optional<Bound> lower;
    std::optional<Bound> upper;

    constexpr void intersect(const IdRange& other) noexcept {
        if (other.lower && (!lower || compare(*lower, *other.lower) < 0))
            lower = other.lower;
        if (other.upper && (!upper || compare(*other.upper, *upper) < 0))
            upper = other.upper;
    }

    constexpr bool is_empty() const noexcept { return lower && upper && compare(*upper, *lower) <= 0; }
};

}  // namespace luuid::detail
