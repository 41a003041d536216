// The bounds of an id that comparisons of its time imply, such as `id::timestamptz >= t` and `id::date = d`.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

// Installs the hooks that add these bounds and take them out; called once, by _PG_init.
void rewrite_clauses();

// The bounds that ANDed clauses imply for the ids of a table: a list of ANDed comparisons, and of ORs of these, or NIL.
//
//   id::timestamptz >= t      id >= luuid_floor(t)
//   id::timestamptz <@ r      id >= luuid_range_floor(r) AND id <= luuid_range_ceiling(r)
//   id::date = d              id >= luuid_local_bound(d, '>=', 'day') AND id <= luuid_local_bound(d, '<=', 'day')
//   id::date = ANY (days)     the same, of the least and of the greatest day
//
// An OR implies an OR of bounds if each arm implies some: those of its comparisons or, if it has none, of the first OR
// in it. On a side that the clauses leave open, there is a bound at the end of all times, beyond which ids without a
// time sort: no comparison of their time is true. Marks the bounds, and the clauses that imply them.
List* implied_bounds(PlannerInfo* root, const RelOptInfo* rel, const List* clauses, bool is_arm = false);

// Marks a bound, or a clause that has bounds beside it, by a parse location that the parser never sets. copyObject()
// copies locations, and equal() ignores them. An OR has a mark if each arm has it. An AND is a bound if each part is,
// and bounded if any part is.
enum class Mark { bound = -2, bounded = -3 };
bool is_marked(Node* clause, Mark mark);

// Whether an operand, such as the time of an id, is an indexed expression, for which ANALYZE makes statistics.
bool is_on_indexed_time(const RelOptInfo* rel, const Expr* clause);

// The elements of an array, without the nulls of a constant; NIL if they are not known.
List* elements_of(Node* array);

}  // namespace luuid::pg
