// How many rows a window has: bounds at a constant distance from a time that is not known when the query is planned.
#pragma once

#include "column.hpp"
#include "comparison.hpp"

namespace luuid::pg {

// The fraction of the pairs of rows whose values are as far apart as the bounds say; negative if too little is known.
double fraction_in_window(PlannerInfo* root, Oid estimator, const Column& column, Node* value, const Bounds& bounds);

}  // namespace luuid::pg
