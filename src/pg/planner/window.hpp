// The selectivity of comparisons of an id with another row's time: `e.id >= o.id AND
// e.id < luuid_floor(o.id::timestamptz + '5 min')`.
//
// Such bounds restrict how far the two times lie apart. The fraction of the pairs of rows that pass is also the
// expected fraction of `e` for a single row of `o`, so that joins and index scans for an outer row have the same
// answer. Where the other value is unknown, as in `id >= luuid_floor($1) AND id < luuid_floor($1 + '5 min')`, it counts
// as the time of one of the rows: a table with a row each second has 300 rows in the window, whenever that is. If a
// thousand rows came in one hour of each day, the window has 83, since queries ask about times when there are rows.
#pragma once

#include "distances.hpp"

namespace luuid::pg {

// None if the arguments are not an id and such a time, or if too little is known of them. Of a semijoin, an outer row
// passes if it has one row of `inner`; null for pairs.
std::optional<WindowSelectivity> window_selectivity(PlannerInfo* root, Oid op, List* arguments,
                                                    const RelOptInfo* inner = nullptr);

// The same for pairs, of a clause of the relation with this number, as the planner passes it to an operator's
// estimator; 0 for none.
std::optional<WindowSelectivity> restriction_window_selectivity(PlannerInfo* root, Oid op, List* arguments,
                                                                int relation);

}  // namespace luuid::pg
