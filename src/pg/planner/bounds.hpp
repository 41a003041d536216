// The bounds that a comparison puts on an expression: `id >= x` puts a lower one, `id <@ range` puts both.
#pragma once

#include "ends.hpp"
#include "server.hpp"

#include <luuid/detail/histogram.hpp>

namespace luuid::pg {

// What an operator says of an expression: that it is before or after a bound at the operand, or within the operand's
// ends.
enum class Where { none, before, after, within };

struct Condition {
    Where where = Where::none;
    bool bound_after = false;  // the bound is after the operand's value, not before it: `id <= x`, `id > x`
    Node* operand = nullptr;
};

// The condition of `op` on its left argument, or on its right one; none for an operator of another order.
Condition condition_of(detail::Order order, Oid op, List* arguments, bool is_left);

inline bool are_same(const Condition& a, const Condition& b) {
    return a.where == b.where && a.bound_after == b.bound_after && equal(a.operand, b.operand);
}

// The bounds of conditions that are ANDed with one another.
struct Bounds {
    detail::IdRange range;  // as far as the operands are known
    int conditions = 0;
    bool has_lower = false;  // known or not
    bool has_upper = false;
    bool is_unknown = false;  // some operand is not known before the query runs
    bool is_null = false;     // some operand is null, so that no row passes
    bool is_instant = false;  // the one condition is `=` with a time
    List* ranges = NIL;       // of an operand that is a multirange: the range has gaps

    bool are_both() const noexcept { return has_lower && has_upper; }

    // ANDed with those of other conditions.
    void add(detail::Order order, const Bounds& other) noexcept;
};

// The bounds of a condition by itself. `operand` is the condition's, as far as the planner knows its value.
Bounds bounds_of(PlannerInfo* root, detail::Order order, const Condition& condition, Node* operand);

// The ids of a constant time or range of times.
inline detail::IdRange range_of(PlannerInfo* root, detail::Order order, Node* slice) {
    return bounds_of(root, order, {Where::within, false, slice}, slice).range;
}

}  // namespace luuid::pg
