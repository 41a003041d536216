// Reads the clauses of a relation that bound the distance of two times, and keeps them for the planner's run.
#include "distances.hpp"

#include "clauses.hpp"
#include "instant.hpp"

#include <cmath>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace luuid::pg {

// The planner asks together about the clauses that compare two values for the same joins.
struct Pair {
    Comparison first;
    const Bitmapset* joins;
    Window all;
};

struct DistanceBound {
    Comparison comparison;  // in the direction of the pair's first one
    const Pair* pair;
    Window before;
    Answer answer;
};

// In the planner's order of a relation's restriction and join clauses.
struct Distances {
    DistanceBound* bounds;
    int count;
};

}  // namespace luuid::pg

namespace {

bool are_of_same_values(const Comparison& a, const Comparison& b) {
    return equal(a.later, b.later) && equal(a.earlier, b.earlier);
}

bool are_equal(const Comparison& a, const Comparison& b) {
    return a.is_lower == b.is_lower && a.distance == b.distance && are_of_same_values(a, b);
}

// Of the comparison's values, in either direction; null for none.
Pair* pair_of(const List* pairs, const Comparison& comparison, const Bitmapset* joins) {
    ListCell* cell;
    foreach (cell, pairs) {
        auto* pair = static_cast<Pair*>(lfirst(cell));
        if (bms_equal(pair->joins, joins) &&
            (are_of_same_values(pair->first, comparison) || are_of_same_values(pair->first, comparison.reversed())))
            return pair;
    }
    return nullptr;
}

class Collector {
public:
    Collector(PlannerInfo* root, const RelOptInfo* rel, const RelationClauses& relation)
        : root_(root), relation_(relation) {
        const auto size = static_cast<Size>(list_length(rel->baserestrictinfo) + list_length(rel->joininfo));
        distances = static_cast<Distances*>(palloc(sizeof(Distances)));
        *distances = {static_cast<DistanceBound*>(palloc(size * sizeof(DistanceBound))), 0};
        ListCell* cell;
        for (const List* list : {rel->baserestrictinfo, rel->joininfo})
            foreach (cell, list)
                add(static_cast<RestrictInfo*>(lfirst(cell)));
    }

    Distances* distances;

private:
    void add(const RestrictInfo* info) {
        const auto* clause = reinterpret_cast<OpExpr*>(info->clause);
        Comparison comparison = IsA(clause, OpExpr) ? comparison_of(root_, clause->opno, clause->args) : Comparison{};
        if (comparison.later == nullptr)
            return;
        Pair* pair = pair_of(pairs_, comparison, info->required_relids);
        if (pair == nullptr) {
            pair = static_cast<Pair*>(palloc(sizeof(Pair)));
            *pair = {comparison, info->required_relids, {}};
            pairs_ = lappend(pairs_, pair);
        }
        if (!are_of_same_values(pair->first, comparison))
            comparison = comparison.reversed();
        DistanceBound* bound = distances->bounds + distances->count++;
        *bound = {comparison, pair, pair->all, {}};
        clause_with(relation_, clause->args)->distance = bound;
        pair->all.add(comparison);
    }

    PlannerInfo* root_;
    const RelationClauses& relation_;
    List* pairs_ = NIL;
};

DistanceBound* bound_like(const Distances& distances, const Comparison& asked) {
    const Comparison reversed = asked.reversed();
    for (DistanceBound* bound = distances.bounds; bound != distances.bounds + distances.count; ++bound)
        if (are_equal(bound->comparison, asked) || are_equal(bound->comparison, reversed))
            return bound;
    return nullptr;
}

RelationClauses& relation_with_distances(PlannerInfo* root, const RelOptInfo* rel) {
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    RelationClauses& relation = clauses_of(root, rel, Order::time);
    if (relation.distances == nullptr)
        relation.distances = Collector{root, rel, relation}.distances;
    MemoryContextSwitchTo(context);
    return relation;
}

DistanceBound* bound_with(const RelationClauses& relation, const List* arguments) {
    const Clause* clause = clause_with(relation, arguments);
    return clause != nullptr ? clause->distance : nullptr;
}

}  // namespace

Comparison luuid::pg::comparison_of(PlannerInfo* root, Oid op, List* arguments) {
    const int strategy = list_length(arguments) == 2 ? get_op_opfamily_strategy(op, time_family()) : 0;
    if (strategy == 0 || strategy == BTEqualStrategyNumber)
        return {};
    const Instant left = instant_of(root, static_cast<Node*>(linitial(arguments)));
    const Instant right = instant_of(root, static_cast<Node*>(lsecond(arguments)));
    const double distance = right.offset - left.offset;
    if (left.base == nullptr || right.base == nullptr || std::isnan(distance))
        return {};
    return {left.base, right.base, distance,
            strategy == BTGreaterEqualStrategyNumber || strategy == BTGreaterStrategyNumber};
}

const Answer* luuid::pg::answer_about(PlannerInfo* root, const RelOptInfo* rel, const List* arguments) {
    const DistanceBound* bound = bound_with(relation_with_distances(root, rel), arguments);
    return bound != nullptr ? &bound->answer : nullptr;
}

// An index may answer a clause by another one, with its sides changed.
std::optional<Windows> luuid::pg::windows_of(PlannerInfo* root, const RelOptInfo* rel, const List* arguments,
                                             const Comparison& asked) {
    const RelationClauses& relation = relation_with_distances(root, rel);
    DistanceBound* bound = bound_with(relation, arguments);
    if (bound == nullptr)
        bound = bound_like(*relation.distances, asked);
    if (bound == nullptr)
        return std::nullopt;
    Window with = bound->before;
    with.add(bound->comparison);
    const Windows windows{bound->before, with, bound->pair->all, &bound->answer};
    return are_equal(bound->comparison, asked) ? windows : windows.reversed();
}
