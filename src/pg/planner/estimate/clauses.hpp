// The bounds that a relation's clauses put on ids, and the range that is left by those that are ANDed.
//
// The server pairs a lower and an upper bound into a range for its own four estimators alone. So ours look for the
// other bound themselves. For
//
//     id >= '2026-11-01' AND id < '2026-12-01'
//
// the planner asks about each of the two and multiplies the answers. The first answer is the selectivity of the first
// bound; the second is that of the range, as a fraction of the first. They are read once for a run of the planner: a
// query can have thousands.
#pragma once

#include "run.hpp"

#include <core/distribution.hpp>

namespace luuid::pg {

// The bounds of one comparison, or of several that are ANDed, on one value.
struct Limits {
    detail::IdRange range;  // as far as the operands are known
    bool has_lower = false, has_upper = false;
    bool is_unknown = false;  // some operand is not known before the query runs
    bool is_null = false;     // some operand is null, so that no row passes
    bool is_instant = false;  // `=` with a time
    // Unknown, but at least, and less than, so many milliseconds after another value: `id < luuid_floor(o.at + '5
    // min')` bounds the anchor `id` by the base `o.at`.
    Node *anchor = nullptr, *base = nullptr;
    double least = -detail::infinite_distance, greatest = detail::infinite_distance;

    bool are_both() const noexcept { return has_lower && has_upper; }
    void add(const Limits& other);
};

// One bound of a comparison. `<@`, and `=` with a time, put two: the lower and then the upper end of a slice.
struct ClauseBound {
    const OpExpr* clause;
    RestrictInfo* info;
    int list;       // by number: those of one list are ANDed
    Node* value;    // what is bounded
    Node* operand;  // by what
    bool is_lower;
    bool is_end;  // of a slice
    Limits own;
    int value_number, anchor_number, base_number;  // equal expressions have one number; -1 for none
    // Of those of one list that bound one value for the same joins, an index's predicates first.
    bool is_linked = false;
    ClauseBound *previous = nullptr, *last = nullptr;
    Limits with = {};                  // of these up to this one
    double selectivity[2] = {-1, -1};  // of that, without statistics and with them; negative if it was not asked for
};

struct RelationClauses {
    const RelOptInfo* rel;
    // The lists that they were found in: the planner adds clauses to a list, and replaces one by another.
    const List *restrictions, *joins;
    int restrictions_length, joins_length;
    ClauseBound* bounds;
    int count;
    int asked;       // the number of the one that the planner asked about last
    int matched;     // and of the one that a comparison of a time was found to have last
    List* numbered;  // expressions, in the order of their numbers
    RelationClauses* next;
};

// The bounds of a relation's clauses whose operators have the estimator, luuid_timesel.
RelationClauses& clauses_of(PlannerInfo* root, const RelOptInfo* rel, Oid estimator);

// The bounds, one or two, of a comparison of the value on one side; the number is 0 for another operator's.
int bounds_of(PlannerInfo* root, const OpExpr* clause, Oid op, List* arguments, bool is_left, ClauseBound* bounds);

// The first bound of the clause with these arguments; null for none.
ClauseBound* bound_with(RelationClauses& relation, const List* arguments);

// Links a bound with those of the same value beside it.
void link(RelationClauses& relation, ClauseBound& bound);

// The range that a relation's own clauses leave of a value's ids, as far as their operands are known.
detail::IdRange known_range(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* value);

// The selectivity of ANDed bounds, of which those of the first one's column count.
double selectivity_of_bounds(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* bounds);

}  // namespace luuid::pg
