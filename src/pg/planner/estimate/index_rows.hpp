// The rows of a table that a B-tree counts between two bounds: the index, and its pages.
#pragma once

#include "../server.hpp"

#include <core/id_range.hpp>

namespace luuid::pg {

// An index of all rows in chronological order, which the caller has to close.
struct TimeIndex {
    Relation index;
    bool is_descending;
    bool is_unique;  // by the statistics
};

// None if there is none. The caller has to have checked that the user sees all rows.
std::optional<TimeIndex> time_index_of(const VariableStatData& variable);
inline void close(const TimeIndex& index) { index_close(index.index, NoLock); }

// How many rows with a time it has in a range, by the pages between its bounds, of which a handful is read: exact
// within one leaf, and as if the leaves between had as many entries as those at the ends. Entries of rows that are gone
// count until a scan or VACUUM finds them; a unique column's equal ones are versions of one row.
double timed_rows(const TimeIndex& index, const detail::IdRange& range);

}  // namespace luuid::pg
