// How many entries of a B-tree lie between two ids.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

// By the pages between them, of which a handful is read: exact within one leaf, and as if the leaves between had as
// many entries as the first of these. The index is in chronological order, by its first column. What a leaf keeps as
// one entry, as it may do with the versions of a row, is one; entries of rows that are gone count until VACUUM removes
// them.
double entries_between(Relation table, Relation index, bool is_descending, const Cut& lower, const Cut& upper);

}  // namespace luuid::pg
