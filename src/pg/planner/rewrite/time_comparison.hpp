// Comparisons of an id's time, such as `id::timestamptz >= t` and `id::date = d`, and what they say of the id.
#pragma once

#include "../boundaries.hpp"

namespace luuid::pg {

// What a clause implies for the ids of the table with this number: comparisons, ANDed, or one OR of such; NIL for
// nothing.
//
//   id::timestamptz >= t                 id >= luuid_floor(t)
//   id::date = d                         id >= luuid_local_floor(d, '') AND id <= luuid_local_ceiling(d, …, '')
//   date_trunc('month', id::timestamptz) < t    id <= luuid_local_ceiling(t, …, '')
//   id::timestamptz <@ r                 id >= luuid_range_floor(r) AND id <= luuid_range_ceiling(r)
//
// so for `=` ANY a known array of at most 32 elements, AND, and an OR of which each arm implies something.
List* implied_bounds(PlannerInfo* root, Index table, Node* clause);

// The first comparison in bounds.
Node* first_comparison(Node* bound);

}  // namespace luuid::pg
