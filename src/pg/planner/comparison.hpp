// Builds comparisons of ids in the chronological order.
#pragma once

#include "ends.hpp"

namespace luuid::pg {

// A comparison by its B-tree strategy, with a luuid. The id is copied, the bound is not.
Node* comparison(Node* id, StrategyNumber strategy, Node* bound);

// The comparison with a boundary that a comparison with a time is. `id > t`, for example, becomes
// id > luuid_ceiling(t).
Node* comparison_with_time(Node* id, StrategyNumber strategy, Node* time);

// What may be evaluated twice in place of once. The server asks the same of an argument that an inlined function uses
// twice: inline_function of clauses.c.
bool may_be_repeated(Node* node);

}  // namespace luuid::pg
