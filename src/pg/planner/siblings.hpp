// What a clause bounds, and the clauses ANDed with it that bound the same expression: of `id >= x` beside `id < y`, the
// other one. Each operand is evaluated once for a run of the planner.
#pragma once

#include "clauses.hpp"

namespace luuid::pg {

// Reads a clause, and links it with those beside it, unless that was done.
void read(const RelationClauses& relation, Clause& clause);
void link(const RelationClauses& relation, Clause& clause);

// The bounds of a linked clause that bounds something, and those of the previous ones. `known` is its operand, as far
// as the planner knows its value; null if that is to be found.
const Bounds& bounds_so_far(PlannerInfo* root, detail::Order order, Clause& clause, Node* known = nullptr);

// The ids that the relation's own clauses with known bounds let pass.
detail::IdRange constant_range(PlannerInfo* root, const RelOptInfo* rel, Node* expression);

// Whether an argument list is that of a clause of an index's predicate.
bool is_of_predicate(const RelOptInfo* rel, const List* arguments);

}  // namespace luuid::pg
