// How the ids or times of a column are distributed: by the statistics, and past their ends by an index.
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
    // Null if too little is known, or if the statistics are not for the user of `function`.
    static Column* of(PlannerInfo* root, const VariableStatData& variable, Oid function);

    // The fraction of the rows whose id lies in a range. `is_exact` reads an index where the range reaches past the
    // statistics; otherwise all rows that came since lie in such a range.
    double within(PlannerInfo* root, const VariableStatData& variable, const detail::IdRange& range,
                  bool is_exact) const;

    // How the rows in a range are distributed, those that came since ANALYZE with them.
    std::span<const detail::Point> rows_within(PlannerInfo* root, const VariableStatData& variable,
                                               const detail::IdRange& range);

private:
    void read_statistics(HeapTuple statistics);
    void add_newest(PlannerInfo* root, const VariableStatData& variable);

    const RelOptInfo* rel_;
    Node* value_;
    std::span<detail::Point> known_;  // the rows that ANALYZE found
    std::span<detail::Point> all_;    // and, as fractions of all rows, those since
    double grown_ = 0;                // the fraction of the rows that seem to have come since
    bool is_growing_ = false;         // there are more different ids the more rows there are
    Id first_{}, last_{};             // of the ids with a time that ANALYZE found; nil if there are none
    Column* next_ = nullptr;
};

}  // namespace luuid::pg
