// How the values of a column are spread over time, by its statistics and the rows that came after ANALYZE.
#pragma once

#include "statistics.hpp"

#include <luuid/detail/distance.hpp>

namespace luuid::pg {

// Of ids or of timestamptz; empty if nothing is known, or if the statistics are not for the user of `function`. `end`
// is the last place that will be asked about, beyond which only the sum of all is right. The points are kept for the
// planner's run.
detail::Points spread_of(PlannerInfo* root, const VariableStatData& variable, Oid function,
                         double end = detail::infinite_distance);

}  // namespace luuid::pg
