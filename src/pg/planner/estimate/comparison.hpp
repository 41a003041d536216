// Comparisons of an id with ids or times, and the bounds that several put on one value.
#pragma once

#include "../boundaries.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

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
    StrategyNumber strategy = InvalidStrategy;  // of an inequality
    bool is_instant = false;                    // `=` with a time
    bool is_predicate = false;                  // of an index
};

// An entry of a list of clauses as a comparison of a value of the relation, if its operator has the estimator.
Comparison comparison_in(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* entry);

// What ANDed comparisons of one value leave of it.
struct Bounds {
    detail::IdRange range;  // by the operands that are known
    // By the others: at least, and less than, so many milliseconds after a base.
    Node* base = nullptr;  // null if one has no base, or another one
    double least = -detail::infinite_distance, greatest = detail::infinite_distance;
    bool is_unknown = false;  // whether there are others
    bool has_lower = false, has_upper = false;
    bool is_instant = false;  // one is
    Oid op = InvalidOid;      // the operator of one of them

    void add(PlannerInfo* root, const Comparison& comparison);
};

}  // namespace luuid::pg
