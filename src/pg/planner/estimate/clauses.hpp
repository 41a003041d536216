// The bounds that a relation's clauses put on ids, and the range that is left by those that are ANDed.
//
// The server pairs a lower and an upper bound into a range for its own four estimators alone. So ours look for the
// other bounds themselves. They are read once for a run of the planner: a query can have thousands.
#pragma once

#include "run.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// The bounds of one comparison, or of several that are ANDed, on one value.
struct Bounds {
    detail::IdRange range;  // as far as the operands are known
    bool has_lower = false, has_upper = false;
    bool is_unknown = false;    // some operand is not known before the query runs
    bool is_null = false;       // some operand is null, so that no row passes
    bool is_instant = false;    // `=` with a time
    bool is_leakproof = false;  // one of the operators is
    // Unknown, but at least, and less than, so many milliseconds after another value: `id < luuid_floor(o.at + '5
    // min')` bounds the anchor `id` by the base `o.at`.
    Node *anchor = nullptr, *base = nullptr;
    double least = -detail::infinite_distance, greatest = detail::infinite_distance;

    void add(const Bounds& other);
};

// Those of one list that bound one value for the same joins.
struct Conjunction {
    int list;
    Node* value;
    Relids joins;
    Bounds predicates, all;                 // of an index's predicates, and of all
    const OpExpr *first_predicate, *first;  // the first of the predicates, and of the others
};

// `<@`, and `=` with a time, have two bounds: the ends of a slice.
struct Comparison {
    const OpExpr* clause;
    Node* value;            // what is bounded
    Node *floor, *ceiling;  // by what: null for none
    Bounds own;
    RestrictInfo* info = nullptr;
    bool is_predicate = false;  // of an index
    Conjunction* conjunction = nullptr;
};

struct RelationClauses {
    const RelOptInfo* rel;
    // The lists that they were found in: the planner adds clauses to a list, and replaces one by another.
    const List *restrictions, *joins;
    int restrictions_length, joins_length;
    List* comparisons;
    List* conjunctions;
    int asked;  // the number of the one that the planner asked about last
};

// Those of a relation's clauses whose operators have the estimator, luuid_timesel.
RelationClauses& clauses_of(PlannerInfo* root, const RelOptInfo* rel, Oid estimator);

// The comparison of the value on one side; without a value if the operator is another.
Comparison comparison_of(PlannerInfo* root, const OpExpr* clause, Oid op, const List* arguments, bool is_left);

// The one with these arguments; null for none.
const Comparison* comparison_with(RelationClauses& relation, const List* arguments);

// The range that a relation's own clauses leave of a value's ids, as far as their operands are known.
detail::IdRange known_range(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* value);

// The selectivity of ANDed bounds, of which those of the first one's column count.
double selectivity_of_bounds(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* bounds);

}  // namespace luuid::pg
