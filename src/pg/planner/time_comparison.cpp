// Reads comparisons of an id's time.
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

bool is_time(Node* node) {
    const Oid type = exprType(node);
    return type == TIMESTAMPTZOID || type == DATEOID || type == TIMESTAMPOID;
}

// Of the comparisons of a timestamptz, date or timestamp with another; their operators are in one family.
StrategyNumber strategy_of(Oid op) {
    const Oid family = lookup_type_cache(TIMESTAMPTZOID, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return static_cast<StrategyNumber>(get_op_opfamily_strategy(op, family));
}

// The column of luuid_extract_timestamp(id), rounded or not, that is compared with another expression; null for
// anything else.
Node* id_of(Node* rounded, Node* other) {
    Node* time = without_rounding(rounded);
    if (!IsA(time, FuncExpr))
        return nullptr;
    const auto* call = reinterpret_cast<FuncExpr*>(time);
    // Most are the server's functions.
    if (call->funcid < FirstNormalObjectId || list_length(call->args) != 1 || call->funcid != time_function())
        return nullptr;
    auto* id = static_cast<Node*>(linitial(call->args));
    return IsA(without_relabels(id), Var) && may_be_compared(rounded, other) ? id : nullptr;
}

// What a sibling says about an id: its strategy, with the id on the left.
StrategyNumber strategy_about(Node* sibling, Node* id) {
    const TimeComparison comparison = time_comparison(sibling);
    if (comparison.is_some() && equal(comparison.id, id))
        return comparison.strategy;
    const TimeComparison other_way = comparison.commuted();
    return other_way.is_some() && equal(other_way.id, id) ? other_way.strategy : InvalidStrategy;
}

bool is_upper_bound(StrategyNumber strategy) noexcept {
    return strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber;
}

List* rounded_bounds(const TimeComparison& comparison) {
    Node *id = comparison.id, *rounded = comparison.time, *other = comparison.other;
    List* bounds = NIL;
    if (!is_upper_bound(comparison.strategy))
        bounds = list_make1(comparison_with_time(id, BTGreaterEqualStrategyNumber, first_rounded_to(rounded, other)));
    if (!is_lower_bound(comparison.strategy)) {
        Node* last = comparison.strategy == BTLessStrategyNumber ? last_rounded_below(rounded, other)
                                                                 : last_rounded_to(rounded, other);
        bounds = lappend(bounds, comparison_with_time(id, BTLessEqualStrategyNumber, last));
    }
    return bounds;
}

}  // namespace

TimeComparison luuid::pg::time_comparison(Node* clause) {
    if (!IsA(clause, OpExpr))
        return {};
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (list_length(operation->args) != 2)
        return {};
    auto* left = static_cast<Node*>(linitial(operation->args));
    auto* right = static_cast<Node*>(lsecond(operation->args));
    Node *left_id = id_of(left, right), *right_id = id_of(right, left);
    if ((left_id == nullptr && right_id == nullptr) || !is_time(left) || !is_time(right))
        return {};
    const StrategyNumber strategy = strategy_of(operation->opno);
    if (strategy == InvalidStrategy)
        return {};
    const TimeComparison comparison{left_id, strategy, right, right_id, left};
    return left_id != nullptr ? comparison : comparison.commuted();
}

bool luuid::pg::is_bounded_beside(List* siblings, const Node* clause, Node* id) {
    ListCell* cell;
    foreach (cell, siblings) {
        auto* sibling = static_cast<Node*>(lfirst(cell));
        if (sibling == clause)
            continue;
        const TimeComparison comparison = time_comparison(sibling);
        if (comparison.is_some() && comparison.other_id == nullptr && equal(comparison.id, id))
            return true;
    }
    return false;
}

bool luuid::pg::excludes_untimed(List* siblings, const Node* clause, const TimeComparison& comparison) {
    bool is_before = true;
    ListCell* cell;
    foreach (cell, siblings) {
        auto* sibling = static_cast<Node*>(lfirst(cell));
        if (sibling == clause) {
            is_before = false;
            continue;
        }
        const StrategyNumber strategy = strategy_about(sibling, comparison.id);
        if (strategy == InvalidStrategy)
            continue;
        const bool is_same_way =
            strategy != BTEqualStrategyNumber && is_lower_bound(strategy) == is_lower_bound(comparison.strategy);
        if (!is_same_way || is_before)
            return true;
    }
    return false;
}

List* luuid::pg::implied_bounds(const TimeComparison& comparison) {
    if (comparison.is_rounded())
        return rounded_bounds(comparison);
    Node *id = comparison.id, *time = time_of(comparison.other);
    if (comparison.strategy == BTEqualStrategyNumber)
        return list_make2(comparison_with_time(id, BTGreaterEqualStrategyNumber, time),
                          comparison_with_time(id, BTLessEqualStrategyNumber, time));
    return list_make1(comparison_with_time(id, comparison.strategy, time));
}

Node* luuid::pg::rechecked(Node* clause) { return call_of("luuid_recheck", {BOOLOID}, BOOLOID, list_make1(clause)); }

Node* luuid::pg::all_times(Node* id, bool is_lower) {
    return is_lower ? comparison(id, BTGreaterEqualStrategyNumber, end_of_all_times(End::floor))
                    : comparison(id, BTLessEqualStrategyNumber, end_of_all_times(End::ceiling));
}
