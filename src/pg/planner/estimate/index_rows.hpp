// What a B-tree in chronological order says of the rows in a range.
#pragma once

#include "../server.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// One of all rows on the variable; null for none.
const IndexOptInfo* time_index_of(const VariableStatData& variable);

// How many rows it has in a range, by a page or two of each level. An entry counts that no scan has found to be of a
// row that is gone. And if they are asked for, how these rows are distributed, by what separates the pages of a level.
double rows_by_index(const IndexOptInfo& index, const detail::IdRange& range,
                     std::span<detail::Point>* points = nullptr);

}  // namespace luuid::pg
