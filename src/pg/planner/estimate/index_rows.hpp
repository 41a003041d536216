// What a B-tree in chronological order says of the rows in a range.
#pragma once

#include "../server.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// One of all rows on the variable; null for none.
const IndexOptInfo* time_index_of(const VariableStatData& variable);

// How many rows it has in a range, by a page or two of each level. An entry counts that no scan has found to be of a
// row that is gone.
double rows_by_index(const IndexOptInfo& index, const detail::IdRange& range);

// How the rows in a range are distributed, as fractions of all, by what separates the pages of a level: as finely as
// nights differ from days, or by tenths.
std::span<detail::Point> points_by_index(const IndexOptInfo& index, const detail::IdRange& range, bool is_fine);

}  // namespace luuid::pg
