// How the ids or times of a column are distributed: by an index, or by the statistics.
#pragma once

#include "../server.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// One column, or indexed expression, of a relation. Fractions are of all its rows. A superuser can write statistics,
// and a dump restores them: values that are no ids count as missing.
struct Column {
    const RelOptInfo* rel = nullptr;
    const IndexOptInfo* index = nullptr;  // null if none may be read
    std::span<detail::Point> points;      // of the statistics, if there is no index

    // Of what the user may know: if the operator does not leak, also by statistics of rows that the user may not read.
    static Column of(PlannerInfo* root, Node* value, Oid op);

    bool is_known() const { return index != nullptr || !points.empty(); }

    // The fraction of the rows in a range, and how these are distributed.
    double within(const detail::IdRange& range) const;
    detail::Points rows(const detail::IdRange& range) const;
};

// Sets how many rows a table has where pg_class does not tell, so that a scan of all of them is estimated too.
void count_rows_by_index(PlannerInfo* root, RelOptInfo* rel);

// How many rows a B-tree in chronological order has in a range, by at most 24 pages; without bounds, all rows, nulls
// among them. A row does not count once a scan has marked its entry as dead. With points: how the rows are distributed,
// by the separators of a level.
double rows_by_index(const IndexOptInfo& info, const detail::IdRange& range,
                     std::span<detail::Point>* points = nullptr);

}  // namespace luuid::pg
