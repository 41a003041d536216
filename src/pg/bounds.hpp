// What a query's conditions say of where an expression lies: all that are ANDed with one another, as one stretch.
//
// The server pairs a lower and an upper bound into a range for its own four estimators alone. So ours look for the
// other bounds of the expression themselves. Each answers for what it takes away from what the bounds before it in the
// list leave: the first for itself, and all together for the stretch that they make.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

struct Bounds {
    Stretch stretch;         // as far as the operands are known
    bool has_lower = false;  // known or not
    bool has_upper = false;
    bool is_unknown = false;  // some operand is not known before the query runs
    bool is_null = false;     // some operand is null, so that no row passes
    bool is_instant = false;  // the one operand is a time, by `=`
    List* ranges = NIL;       // of an operand that is a multirange: the stretch has gaps
    int conditions = 0;

    bool are_both() const noexcept { return has_lower && has_upper; }
};

// Those of the clauses of `rel` that are ANDed with the clause `op` over `arguments` and stand before it, these with
// its own, and whether there are none behind it. Number `variable` of the arguments is the expression, and `estimator`
// the function by which operators of this order are known.
struct Question {
    Bounds before;
    Bounds with;
    // What those before leave, where the planner has kept what was answered of each, and asks about the clause itself.
    std::optional<double> part_before = 1;
    bool is_last = true;
};
Question question_of(PlannerInfo* root, RelOptInfo* rel, Order order, Oid estimator, Oid op, List* arguments,
                     int variable);

// The ids of a constant time or range of times.
Stretch stretch_of(PlannerInfo* root, Order order, Node* slice);

}  // namespace luuid::pg
