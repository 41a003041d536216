// The ids between two bounds, in either order of ids: `id >= x AND id < y`.
#pragma once

#include <luuid/detail/sort_keys.hpp>
#include <luuid/order.hpp>

#include <optional>

namespace luuid::detail {

enum class Order { time, bytes };

constexpr std::strong_ordering compare(Order order, const Id& a, const Id& b) noexcept {
    return order == Order::time ? luuid::compare(a, b) : compare_bytes(a, b);
}

// Consistent with the order, and proportional to time, or to the first bytes, as far as 64 bits allow.
constexpr std::uint64_t key_of(Order order, const Id& id) noexcept {
    return order == Order::time ? abbreviate(id) : id.msb;
}

// Before an id, as in `id >= x` and `id < x`, or after it, as in `id > x` and `id <= x`.
struct Bound {
    Id id;
    bool after = false;

    friend constexpr bool operator==(const Bound&, const Bound&) noexcept = default;
};

constexpr std::strong_ordering compare(Order order, const Bound& a, const Bound& b) noexcept {
    const auto by_id = compare(order, a.id, b.id);
    return by_id != 0 ? by_id : a.after <=> b.after;
}

// A missing bound is unbounded.
struct IdRange {
    std::optional<Bound> lower;
    std::optional<Bound> upper;

    friend constexpr bool operator==(const IdRange&, const IdRange&) noexcept = default;

    constexpr void restrict_lower(Order order, const Bound& bound) noexcept {
        if (!lower || compare(order, *lower, bound) < 0)
            lower = bound;
    }
    constexpr void restrict_upper(Order order, const Bound& bound) noexcept {
        if (!upper || compare(order, bound, *upper) < 0)
            upper = bound;
    }
    constexpr void intersect(Order order, const IdRange& other) noexcept {
        if (other.lower)
            restrict_lower(order, *other.lower);
        if (other.upper)
            restrict_upper(order, *other.upper);
    }

    constexpr bool is_empty(Order order) const noexcept {
        return lower && upper && compare(order, *upper, *lower) <= 0;
    }
    constexpr bool contains(Order order, const Id& id) const noexcept {
        const Bound before{id, false}, after{id, true};
        return (!lower || compare(order, *lower, before) <= 0) && (!upper || compare(order, after, *upper) <= 0);
    }
};

}  // namespace luuid::detail
