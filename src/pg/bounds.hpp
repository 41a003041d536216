// What a query's conditions say of where an expression lies: all that are ANDed with one another, as one stretch.
//
// The server pairs a lower and an upper bound into a range for its own four estimators alone. So ours look for the
// other bounds of the expression themselves. The first of them answers for all, and the others say 1.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

struct Bounds {
    Stretch stretch;         // as far as the operands are known
    bool has_lower = false;  // known or not
    bool has_upper = false;
    bool is_unknown = false;   // some operand is not known before the query runs
    bool is_null = false;      // some operand is null, so that no row passes
    bool is_instant = false;   // the one operand is a time, by `=`
    List* ranges = NIL;        // of the one operand, where that is a multirange: the stretch has gaps
    bool is_answered = false;  // by another of the bounds

    bool are_both() const noexcept { return has_lower && has_upper; }
};

// Those of the clause `op` over `arguments`, of which number `variable` is the expression, and of the clauses of `rel`
// that are ANDed with it. `estimator` is the function by which operators of this order are known.
Bounds bounds_of(PlannerInfo* root, RelOptInfo* rel, Order order, Oid estimator, Oid op, List* arguments, int variable);

// The ids of a constant time or range of times.
Stretch stretch_of(PlannerInfo* root, Order order, Node* slice);

}  // namespace luuid::pg
