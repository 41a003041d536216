// How many entries of a B-tree lie between two ids.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

// By the pages between them, of which a handful is read: exact within one leaf, and as if the leaves between had as
// many entries as those at the ends. The index is in chronological order, by its first column. Entries of rows that are
// gone count until a scan or VACUUM finds them; a unique column's equal ones are versions of one row.
double entries_between(Relation table, Relation index, bool is_descending, bool is_unique, const Cut& lower,
                       const Cut& upper);

}  // namespace luuid::pg
