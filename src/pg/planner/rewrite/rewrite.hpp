// The bounds of an id that comparisons of its time imply, such as `id::timestamptz >= t` and `id::date = d`.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

// Has the planner do it from now on; called once, by _PG_init.
void rewrite_clauses();

// What ANDed clauses imply for the ids of a table: comparisons, ANDed, or ORs of such; NIL for nothing.
//
//   id::timestamptz >= t      id >= luuid_floor(t)
//   id::timestamptz <@ r      id >= luuid_range_floor(r) AND id <= luuid_range_ceiling(r)
//   id::date = d              id >= luuid_local_bound(d, '>=', 'day') AND id <= luuid_local_bound(d, '<=', 'day')
//   id::date = ANY (days)     the same, of the least and of the greatest day
//
// and an OR if each arm implies something: bounds of its comparisons or, without any, of its first OR. They are closed:
// beside an open end is the end of all times, since ids without a time are past these. Marks these, and the clauses
// that imply them.
List* implied_bounds(PlannerInfo* root, const RelOptInfo* rel, const List* clauses, bool is_arm = false);

// A bound, and a comparison that has bounds beside it, by a location that nothing parsed has: the planner copies a
// location wherever it copies a clause, and compares none. An OR has the mark of each arm, an AND that of each part; it
// is bounded if a part is.
enum class Mark { bound = -2, bounded = -3 };
bool is_marked(Node* clause, Mark mark);

// Whether an index is on the time that a comparison compares, which has statistics of its own then.
bool is_on_indexed_time(const RelOptInfo* rel, const Expr* clause);

// The elements of an array that are not null; NIL if they are not known.
List* elements_of(Node* array);

}  // namespace luuid::pg
