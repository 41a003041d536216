// How the rows that came after ANALYZE are spread over time.
#pragma once

#include "statistics.hpp"

#include <luuid/detail/distance.hpp>

namespace luuid::pg {

// At most so many points tell it.
inline constexpr int newest_points = 32;

// Of ids whose statistics are `known`: the number of points, whose fractions are of all rows. `others` is the fraction
// of all rows that the statistics are of. How the newest rows lie among themselves is left out if no place beyond the
// statistics is asked about, which `end` is the last of.
int newest_of(PlannerInfo* root, const VariableStatData& variable, detail::Points known, double end,
              detail::Point* points, double* others);

}  // namespace luuid::pg
