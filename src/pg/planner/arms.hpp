// Conditions on a UNION ALL whose arms the planner has merged with the query.
#pragma once

#include "rewriter.hpp"

namespace luuid::pg {

// Rewrites those for an arm that is a table; does nothing for another child of a parent. Before the planner translates
// them into the child's terms.
void rewrite_conditions_on_arm(PlannerInfo* root, const RelOptInfo* rel, Rewriter& rewriter);

}  // namespace luuid::pg
