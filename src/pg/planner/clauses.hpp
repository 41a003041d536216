// The comparisons among a relation's restriction and join clauses, collected once for a run of the planner: it asks
// about one clause after another, each answer depends on the clauses beside it, and a query can have thousands of them.
#pragma once

#include "bounds.hpp"

namespace luuid::pg {

struct Clause {
    Node* entry;  // as the planner's list has it, mostly a RestrictInfo
    const OpExpr* comparison;
    // Those that are ANDed with it, itself among them, by their numbers.
    int siblings_begin = 0, siblings_end = 0;
    // What it bounds; null if it bounds nothing. Of comparisons with another relation's row, only slices are read.
    Node* expression = nullptr;
    Condition condition = {};
    bool is_constant = false;   // the operand does not depend on a row
    Ends ends = {};             // of a slice
    bool is_predicate = false;  // an index's predicate says the same
    bool is_read = false;       // all from the expression on is known
    // Those beside it that bound the same expression for the same joins, in the order in which each answers for what it
    // takes away: those that are predicates first, since the planner asks about an index's predicates without the rest.
    Clause* previous = nullptr;
    Clause* next = nullptr;
    bool is_linked = false;  // these two are known
    std::optional<Bounds> bounds = std::nullopt;
    std::optional<Bounds> bounds_so_far = std::nullopt;  // with the previous ones'
    struct DistanceBound* distance = nullptr;            // of a comparison with another row's time
};

// Of one order of ids, read as far as they were asked for.
struct RelationClauses {
    const RelOptInfo* rel;
    detail::Order order;
    // The lists that they were found in: the planner adds clauses to a list, and replaces one by another.
    const List *restrictions, *joins;
    int restrictions_length, joins_length;
    Clause* clauses;
    int count;
    int* by_arguments;  // their numbers, in the order of the addresses of their argument lists
    int answered = 0;   // the number of the one that an index answered last
    // Of all comparisons with another row's time; null until they were asked for.
    struct Distances* distances = nullptr;
};

// To be called in the planner's memory context, root->planner_cxt, in which the clauses live.
RelationClauses& clauses_of(PlannerInfo* root, const RelOptInfo* rel, detail::Order order);

// The clause that an argument list is of; null for none.
Clause* clause_with(const RelationClauses& relation, const List* arguments);

}  // namespace luuid::pg
