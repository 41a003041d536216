// What the files of this folder share: how a column's ids are distributed, and the bounds that comparisons put on them.
#pragma once

#include "../../time/expressions.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

using namespace detail;

// What a query has constant of the columns of an index before the id: `tenant_id = 7` with an index on (tenant_id, id).
struct Prefix {
    struct Key {
        Datum value;
        FmgrInfo* order;  // compares an entry with the value
    } keys[INDEX_MAX_KEYS];
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

    static Column of(PlannerInfo* root, Node* value, Oid op);
    bool is_known() const { return index != nullptr || !points.empty(); }
    double all_rows() const { return rel != nullptr ? std::max(rel->tuples * prefix.selectivity, 1.0) : 1; }

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

// How many pages of indexes and tables may still be read to plan a statement, of 192 in all. A range takes an eighth of
// these of the index, and half of them of the table if it has rows that the statement does not see.
int& pages_left(PlannerInfo* root);

// A time at a constant distance from a value: `luuid_floor(o.id::timestamptz + '5 min')` is five minutes after o.id.
struct Shifted {
    Node* base = nullptr;  // an id or a timestamptz; null for an expression of another kind
    double offset = 0;     // in milliseconds; a month counts as 30 days
};

// A comparison of a value with a lower or an upper end; `<@`, and `=` with a time, have both.
struct Comparison {
    const OpExpr* clause = nullptr;  // null for a clause of another kind
    RestrictInfo* info = nullptr;    // the clause's; null if it has none
    Node* value = nullptr;           // the side that is bounded
    Shifted shifted = {};            // the value, as a time at a distance
    Node *lower = nullptr, *upper = nullptr;
    bool is_strict = false;     // for `<` and `>`
    bool is_predicate = false;  // whether a partial index has it in its predicate
};

// Reads an entry of a list of clauses as a comparison of a value of the relation, whose operator has our estimator.
Comparison comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* entry);

// The bounds that ANDed comparisons of one value put on it.
struct Bounds {
    IdRange range;  // by the operands that the planner can evaluate
    // By the other operands: the value is at least `least` and less than `greatest` milliseconds after a base.
    Node* base = nullptr;  // null if the operands have none in common
    double least = -infinite_distance, greatest = infinite_distance;
    bool is_unknown = false;  // whether there are such operands
    bool has_lower = false, has_upper = false;
    Oid op = InvalidOid;  // the operator of one of them

    void add(PlannerInfo* root, const Comparison& comparison);
};

// The fraction of the pairs of rows whose values are as far apart as the bounds say; none if too little is known.
std::optional<double> fraction_in_window(PlannerInfo* root, const Column& column, Node* value, const Bounds& bounds);

}  // namespace luuid::pg
