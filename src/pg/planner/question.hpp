// What the planner asks about a comparison: its bounds, and those of the clauses beside it.
//
// The server pairs a lower and an upper bound into a range for its own four estimators alone. So ours look for the
// other bounds themselves, among the clauses that are ANDed with the one asked about. For
//
//     id >= '2026-11-01' AND id < '2026-12-01'
//
// the planner asks about each of the two and multiplies the answers. The first answer is the selectivity of the first
// bound; the second is that of the range, as a fraction of the first.
#pragma once

#include "bounds.hpp"

namespace luuid::pg {

// A comparison, as the planner asks about it.
struct Asked {
    PlannerInfo* root;
    RelOptInfo* rel;  // of the expression; null if there is no single one
    detail::Order order;
    Oid op;
    List* arguments;
    bool is_left;   // the expression is the left argument
    Node* operand;  // the other one, as far as the planner knows its value
};

// Bounds, and what the next clause leaves of the ids that they let pass: none if no clause behind bounds the
// expression. A part has one answer, whichever clause is asked about, so that in the product it cancels out.
struct Part {
    Bounds bounds;
    std::optional<detail::IdRange> narrowed;
};

struct Question {
    Part before;  // of the clauses before the one asked about
    Part with;    // these, and those of the clause itself
    // The selectivity of the clauses before, if the planner has kept the answer about each of them, and asks about the
    // clause itself.
    std::optional<double> kept_before = 1;
};
Question question_of(const Asked& asked);

}  // namespace luuid::pg
