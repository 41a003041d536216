// Has a comparison that rewrite.cpp has added bounds for count once. The bounds are estimated, and nothing is evaluated
// for them: the planner would multiply by a third for `id::timestamptz >= t` itself.
#include "../rewrite/time_comparison.hpp"
#include "estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Whether an index is on the time that a comparison compares, which has statistics of its own then.
bool is_on_indexed_time(const RelOptInfo* rel, Node* clause) {
    List* arguments = IsA(clause, OpExpr)              ? reinterpret_cast<OpExpr*>(clause)->args
                      : IsA(clause, ScalarArrayOpExpr) ? reinterpret_cast<ScalarArrayOpExpr*>(clause)->args
                                                       : NIL;
    ListCell* cell;
    foreach (cell, rel->indexlist)
        if (list_intersection(arguments, static_cast<IndexOptInfo*>(lfirst(cell))->indexprs) != NIL)
            return true;
    return false;
}

// The fraction of the rows within bounds. Of an OR in them nothing is known here.
double within(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* bounds) {
    const double selectivity =
        selectivity_among(root, rel, estimator, bounds, static_cast<Node*>(linitial(bounds)), false);
    return selectivity < 0 ? 1 : selectivity;
}

// Of the rows within the bounds of a clause, the fraction for which it is true. Each arm of an OR, and each element of
// an array, has its part by the rows within its own bounds.
double left_by_bounds(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, Node* clause) {
    if (is_andclause(clause)) {
        double product = 1;
        ListCell* cell;
        foreach (cell, reinterpret_cast<BoolExpr*>(clause)->args)
            product *= left_by_bounds(root, rel, estimator, static_cast<Node*>(lfirst(cell)));
        return product;
    }
    if (IsA(clause, OpExpr) && is_bounded(clause))
        return 1;
    const List* bounds = implied_bounds(root, rel->relid, clause);
    if (bounds == NIL)
        return clause_selectivity(root, clause, 0, JOIN_INNER, nullptr);
    const List* alternatives = alternatives_of(clause);
    if (list_length(alternatives) < 2)
        return 1;
    // Of a long list, some.
    constexpr int enough = 32;
    const int step = 1 + (list_length(alternatives) - 1) / enough;
    double sum = 0, all = 0;
    for (int i = 0; i < list_length(alternatives); i += step) {
        auto* each = static_cast<Node*>(list_nth(alternatives, i));
        const double own = step * within(root, rel, estimator, closed(implied_bounds(root, rel->relid, each)));
        sum += own * left_by_bounds(root, rel, estimator, each);
        all += own;
    }
    // One range for all of them has more.
    if (!is_orclause(linitial(bounds)))
        all = within(root, rel, estimator, bounds);
    return all > 0 ? std::min(1.0, sum / all) : 0;
}

}  // namespace

// Sets what the planner keeps in a RestrictInfo, as orclauses.c corrects the selectivity of an OR.
void luuid::pg::count_bounded_once(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* clauses) {
    // An index is chosen by the clauses that it answers. If it is on the time itself, these are the comparisons, and
    // the bounds are taken for true in their place.
    bool is_indexed = false;
    ListCell* cell;
    foreach (cell, clauses) {
        auto* clause = reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause);
        is_indexed = is_indexed || (is_bounded(clause) && is_on_indexed_time(rel, clause));
    }
    foreach (cell, clauses) {
        auto* info = lfirst_node(RestrictInfo, cell);
        auto* clause = reinterpret_cast<Node*>(info->clause);
        if (is_bound(clause)) {
            info->eval_cost = QualCost{};
            if (is_indexed)
                info->norm_selec = info->outer_selec = 1;
        } else if (is_bounded(clause) && !is_indexed && info->norm_selec < 0) {
            info->norm_selec = info->outer_selec = left_by_bounds(root, rel, estimator, clause);
        }
    }
}
