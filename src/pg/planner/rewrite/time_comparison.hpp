// Comparisons of an id's time, such as `id::timestamptz >= t` and `id::date = d`, and what they say of the id.
#pragma once

#include "../boundaries.hpp"

namespace luuid::pg {

// What a clause implies for the ids of the table with this number: comparisons, ANDed, or ORs of such; NIL for nothing.
//
//   id::timestamptz >= t      id >= luuid_floor(t)
//   id::timestamptz <@ r      id >= luuid_range_floor(r) AND id <= luuid_range_ceiling(r)
//   id::date = d              id >= luuid_local_bound(d, '>=', 'day') AND id <= luuid_local_bound(d, '<=', 'day')
//   id::date = ANY (days)     the same, of the least and of the greatest day
//
// so for AND, and an OR of which each arm implies something. Marks the comparisons that do, for is_bounded().
List* implied_bounds(PlannerInfo* root, Index table, Node* clause);

// ANDed bounds, and beside them the ends of all times where they are open: ids without a time are past these.
List* closed(List* bounds);

// Whether a clause is one of these, or consists of them; and whether it is one that implies some.
bool is_bound(Node* clause);
bool is_bounded(Node* clause);

// The comparisons of which one is enough, of an OR or of an operator with ANY of a known array; NIL for another clause.
List* alternatives_of(Node* clause);

}  // namespace luuid::pg
