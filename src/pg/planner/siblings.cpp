// Reads what clauses bound, links those that bound one expression, and adds up their bounds.
#include "siblings.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// Whether `is_it` is true of a comparison of an index's predicate.
template <typename Predicate>
bool any_index_predicate(const RelOptInfo* rel, Predicate is_it) {
    ListCell* index_cell;
    foreach (index_cell, rel->indexlist) {
        ListCell* cell;
        foreach (cell, static_cast<IndexOptInfo*>(lfirst(index_cell))->indpred) {
            const auto* clause = static_cast<Node*>(lfirst(cell));
            if (IsA(clause, OpExpr) && is_it(reinterpret_cast<const OpExpr*>(clause)))
                return true;
        }
    }
    return false;
}

// What a comparison bounds, and how.
struct Reading {
    Node* expression = nullptr;
    Condition condition;
    bool is_constant = false;
};

Reading reading_of(Order order, const OpExpr* comparison) {
    if (list_length(comparison->args) != 2)
        return {};
    auto* left = static_cast<Node*>(linitial(comparison->args));
    auto* right = static_cast<Node*>(lsecond(comparison->args));
    const bool is_right_constant = is_pseudo_constant_clause(right);
    const bool is_constant = is_right_constant || is_pseudo_constant_clause(left);
    const bool is_left = is_constant ? is_right_constant : !is_slice(left);
    const Condition condition = condition_of(order, comparison->opno, comparison->args, is_left);
    if (condition.where == Where::none || (!is_constant && condition.where != Where::within))
        return {};
    return {without_relabels(is_left ? left : right), condition, is_constant};
}

// Whether they bound one expression, and the planner's lists hold them for the same joins.
bool bound_the_same(const Clause& a, const Clause& b) {
    if (!equal(a.expression, b.expression))
        return false;
    if (!IsA(a.entry, RestrictInfo) || !IsA(b.entry, RestrictInfo))
        return true;
    return bms_equal(reinterpret_cast<const RestrictInfo*>(a.entry)->required_relids,
                     reinterpret_cast<const RestrictInfo*>(b.entry)->required_relids);
}

// Evaluates the operand once, however many clauses stand beside it.
const Bounds& own_bounds(PlannerInfo* root, Order order, Clause& clause) {
    if (!clause.bounds) {
        Node* operand = clause.condition.operand;
        clause.bounds = bounds_of(root, order, clause.condition,
                                  IsA(operand, Const) ? operand : estimate_expression_value(root, operand));
    }
    return *clause.bounds;
}

}  // namespace

void luuid::pg::read(const RelationClauses& relation, Clause& clause) {
    if (clause.is_read)
        return;
    const Reading reading = reading_of(relation.order, clause.comparison);
    clause.expression = reading.expression;
    clause.condition = reading.condition;
    clause.is_constant = reading.is_constant;
    if (clause.condition.where == Where::within)
        clause.ends = ends_of(clause.condition.operand);
    clause.is_predicate = any_index_predicate(relation.rel, [&](const OpExpr* predicate) {
        const Reading of_predicate = reading_of(relation.order, predicate);
        return reading.is_constant && of_predicate.is_constant && equal(of_predicate.expression, reading.expression) &&
               are_same(of_predicate.condition, reading.condition);
    });
    clause.is_read = true;
}

void luuid::pg::link(const RelationClauses& relation, Clause& clause) {
    if (clause.is_linked)
        return;
    Clause* begin = relation.clauses + clause.siblings_begin;
    Clause* end = relation.clauses + clause.siblings_end;
    for (Clause* each = begin; each != end; ++each)
        read(relation, *each);
    Clause* last = nullptr;
    for (const bool are_predicates : {true, false}) {
        for (Clause* each = begin; each != end; ++each) {
            if (each->is_predicate != are_predicates || !each->is_constant || !bound_the_same(*each, clause))
                continue;
            each->previous = last;
            each->is_linked = true;
            if (last != nullptr)
                last->next = each;
            last = each;
        }
    }
}

const Bounds& luuid::pg::bounds_so_far(PlannerInfo* root, Order order, Clause& clause, Node* known) {
    if (known != nullptr && !clause.bounds)
        clause.bounds = bounds_of(root, order, clause.condition, known);
    Clause* each = &clause;
    while (!each->bounds_so_far && each->previous != nullptr)
        each = each->previous;
    for (;; each = each->next) {
        if (!each->bounds_so_far) {
            Bounds sum = each->previous != nullptr ? *each->previous->bounds_so_far : Bounds{};
            sum.add(order, own_bounds(root, order, *each));
            each->bounds_so_far = sum;
        }
        if (each == &clause)
            return *each->bounds_so_far;
    }
}

IdRange luuid::pg::constant_range(PlannerInfo* root, const RelOptInfo* rel, Node* expression) {
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    const RelationClauses& relation = clauses_of(root, rel, Order::time);
    IdRange range;
    ListCell* cell;
    foreach (cell, rel->baserestrictinfo) {
        const auto* comparison = reinterpret_cast<OpExpr*>(static_cast<RestrictInfo*>(lfirst(cell))->clause);
        Clause* clause = IsA(comparison, OpExpr) ? clause_with(relation, comparison->args) : nullptr;
        if (clause == nullptr)
            continue;
        read(relation, *clause);
        if (clause->is_constant && equal(clause->expression, expression))
            range.intersect(Order::time, own_bounds(root, Order::time, *clause).range);
    }
    MemoryContextSwitchTo(context);
    return range;
}

bool luuid::pg::is_of_predicate(const RelOptInfo* rel, const List* arguments) {
    return any_index_predicate(rel, [&](const OpExpr* predicate) { return predicate->args == arguments; });
}
