// Which rows the current user may know of.
#pragma once

#include "server.hpp"

namespace luuid::pg {

// Whether the current user may read every row of the table, so that an estimate may tell him how many there are. An
// operator that does not leak may tell of the values in the statistics, but not of each new row that a view or a policy
// hides.
bool sees_all_rows(PlannerInfo* root, const VariableStatData& variable);

}  // namespace luuid::pg
