// How the ids or times of a column are distributed: by an index, or by the statistics.
#pragma once

#include "run.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// One column, or indexed expression, of a relation, for a run of the planner.
//
// A superuser can write statistics, and a dump restores them. Values that are no ids count as missing; arrays that are
// malformed are the server's error, as for a column of any type.
class Column {
public:
    // Null if too little is known, or if it is not for the user: an operator that does not leak may see statistics of
    // rows that the user may not.
    static Column* of(PlannerInfo* root, const VariableStatData& variable, bool is_leakproof);

    // The fraction of the rows whose id lies in a range.
    double within(const detail::IdRange& range) const;

    // How those of the rows in a range are distributed that lie in `part` too.
    detail::Points rows(const detail::IdRange& range, const detail::IdRange& part) const;

private:
    void read_statistics(HeapTuple statistics);

    const RelOptInfo* rel_;
    Node* value_;
    const IndexOptInfo* index_;        // null if none may be read
    std::span<detail::Point> points_;  // of the statistics, if there is no index
};

}  // namespace luuid::pg
