// What the files of this folder share: how a column's ids are distributed, and the bounds that comparisons put on them.
#pragma once

#include "../../time/expressions.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

using namespace detail;

// What a query has constant of the columns of an index before the id: `tenant_id = 7` with an index on (tenant_id, id).
struct Prefix {
    Datum constants[INDEX_MAX_KEYS];
    Oid orders[INDEX_MAX_KEYS];  // the functions that compare an entry with a constant
    int count = 0;
    double selectivity = 1;  // of the clauses
    // Whether row security is no more than these constants, as with the policy `tenant_id =
    // current_setting('app.tenant')::int`: then the rows of the prefix are those that the user may read.
    bool is_policy = false;
};

// What the current user may know of a column, or indexed expression, of a relation. If the operator is leakproof, he
// may use statistics of rows that he may not read, but no index, which would tell of single rows. Fractions are of all
// rows. Statistics that a superuser wrote may have values that are no ids: these count as missing.
struct Column {
    PlannerInfo* root = nullptr;
    const RelOptInfo* rel = nullptr;
    const IndexOptInfo* index = nullptr;  // null if none may be read
    Prefix prefix;                        // whose rows alone the index is read for
    std::span<Point> points;              // of the statistics, if there is no index
    double distinct = 1;                  // how many values there are

    static Column of(PlannerInfo* root, Node* value, Oid op);
    bool is_known() const { return index != nullptr || !points.empty(); }
    double all_rows() const { return std::max(rel->tuples * prefix.selectivity, 1.0); }

    // The fraction of the rows in a range, which are those of the prefix if there is one; and how all are distributed.
    double within(const IdRange& range) const;
    Points rows(const IdRange& range) const;
};

// Sets the number of a table's rows by an index if pg_class does not have it, for scans of all rows too.
void count_rows_by_index(PlannerInfo* root, RelOptInfo* rel);

// Estimates how many rows that the statement sees a B-tree in chronological order has of a prefix in a range. `points`
// is set to how the rows are distributed. A range without bounds has the nulls too, unless points are asked for.
double rows_by_index(PlannerInfo* root, const IndexOptInfo& info, const Prefix& prefix, const IdRange& range,
                     std::span<Point>* points = nullptr);

// How many pages may still be read to plan a statement, of 174. A range takes few, or an eighth and two of the index if
// its leaves are not alike, and three quarters of the table if the statement does not see some of its rows.
int& pages_left(PlannerInfo* root);

}  // namespace luuid::pg
