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

    // Whether so many rows are in a range that the new ones do not change much.
    bool has_enough_within(const detail::IdRange& range) const;

    // Whether times from `begin` to `end`, in milliseconds since 1970, are not all among those that ANALYZE found.
    bool reaches_past(double begin, double end) const noexcept;

    // How the rows in the range that the relation's own clauses leave are distributed. `is_exact` reads an index for
    // those that came since ANALYZE.
    detail::Points rows(PlannerInfo* root, const VariableStatData& variable, const detail::IdRange& range,
                        bool is_exact);

private:
    void read_statistics(HeapTuple statistics);
    void add_newest(PlannerInfo* root, const VariableStatData& variable);

    const RelOptInfo* rel_;
    Node* value_;
    std::span<detail::Point> known_;  // the rows that ANALYZE found
    std::span<detail::Point> rows_;   // in the range of the relation's clauses; empty before these were asked for
    bool is_exact_ = false;           // with those that came since
    double grown_ = 0;                // the fraction of the rows that seem to have come since
    bool is_growing_ = false;         // there are more different ids the more rows there are
    Id first_{}, last_{};             // of the ids with a time that ANALYZE found; nil if there are none
    Column* next_ = nullptr;
};

}  // namespace luuid::pg
