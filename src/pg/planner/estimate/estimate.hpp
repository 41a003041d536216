// What the files of this folder share: how a column's ids are distributed, and the bounds that comparisons put on them.
#pragma once

#include "../boundaries.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

using namespace detail;

// One column, or indexed expression, of a relation, by what the user may know of it: he may use statistics of rows that
// he may not read, if the operator does not leak, but no index that tells of each. Fractions are of all rows. A
// superuser can write statistics, and a dump restores them: values that are no ids count as missing.
struct Column {
    const RelOptInfo* rel = nullptr;
    const IndexOptInfo* index = nullptr;  // null if none may be read
    std::span<Point> points;              // of the statistics, if there is no index

    static Column of(PlannerInfo* root, Node* value, Oid op);
    bool is_known() const { return index != nullptr || !points.empty(); }

    // The fraction of the rows in a range, and how these are distributed.
    double within(const IdRange& range) const;
    Points rows(const IdRange& range) const;
};

// Sets how many rows a table has where pg_class does not tell, so that a scan of all of them is estimated too.
void count_rows_by_index(PlannerInfo* root, RelOptInfo* rel);

// How many rows a B-tree in chronological order has in a range, by at most 24 pages, but for those that a scan has
// marked as dead. The points are how they are distributed, by the separators of a level; without bounds they are of the
// ids, and the number is of all rows, nulls among them.
double rows_by_index(const IndexOptInfo& info, const IdRange& range, std::span<Point>* points = nullptr);

// A time at a constant distance from a value: `luuid_floor(o.id::timestamptz + '5 min')` is five minutes after o.id.
struct Shifted {
    Node* base = nullptr;  // an id or a timestamptz; null for an expression of another kind
    double offset = 0;     // in milliseconds; a month counts as 30 days
};

// An inequality has one end; `<@`, and `=` with a time, have two.
struct Comparison {
    const OpExpr* clause = nullptr;  // null for another clause
    RestrictInfo* info = nullptr;    // null outside of one
    Node* value = nullptr;           // what is bounded, and by how much that differs
    Shifted shifted = {};
    Node *lower = nullptr, *upper = nullptr;
    bool is_strict = false;     // `<` and `>` alone
    bool is_predicate = false;  // of an index
};

// An entry of a list of clauses as a comparison of a value of the relation, if its operator has the estimator.
Comparison comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* entry);

// What ANDed comparisons of one value leave of it.
struct Bounds {
    IdRange range;  // by the operands that are known
    // By the others: at least, and less than, so many milliseconds after a base.
    Node* base = nullptr;  // null if one has no base, or another one
    double least = -infinite_distance, greatest = infinite_distance;
    bool is_unknown = false;  // whether there are others
    bool has_lower = false, has_upper = false;
    Oid op = InvalidOid;  // the operator of one of them

    void add(PlannerInfo* root, const Comparison& comparison);
};

// The fraction of the pairs of rows whose values are as far apart as the bounds say; negative if too little is known.
double fraction_in_window(PlannerInfo* root, const Column& column, Node* value, const Bounds& bounds);

}  // namespace luuid::pg
