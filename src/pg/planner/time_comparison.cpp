// Reads comparisons of an id's time.
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Of a timestamptz with another, a date or a timestamp.
StrategyNumber strategy_of(Oid function) noexcept {
    switch (function) {
        case F_TIMESTAMPTZ_LT:
        case F_TIMESTAMPTZ_LT_DATE:
        case F_TIMESTAMPTZ_LT_TIMESTAMP:
        case F_DATE_LT_TIMESTAMPTZ:
        case F_TIMESTAMP_LT_TIMESTAMPTZ:
            return BTLessStrategyNumber;
        case F_TIMESTAMPTZ_LE:
        case F_TIMESTAMPTZ_LE_DATE:
        case F_TIMESTAMPTZ_LE_TIMESTAMP:
        case F_DATE_LE_TIMESTAMPTZ:
        case F_TIMESTAMP_LE_TIMESTAMPTZ:
            return BTLessEqualStrategyNumber;
        case F_TIMESTAMPTZ_EQ:
        case F_TIMESTAMPTZ_EQ_DATE:
        case F_TIMESTAMPTZ_EQ_TIMESTAMP:
        case F_DATE_EQ_TIMESTAMPTZ:
        case F_TIMESTAMP_EQ_TIMESTAMPTZ:
            return BTEqualStrategyNumber;
        case F_TIMESTAMPTZ_GE:
        case F_TIMESTAMPTZ_GE_DATE:
        case F_TIMESTAMPTZ_GE_TIMESTAMP:
        case F_DATE_GE_TIMESTAMPTZ:
        case F_TIMESTAMP_GE_TIMESTAMPTZ:
            return BTGreaterEqualStrategyNumber;
        case F_TIMESTAMPTZ_GT:
        case F_TIMESTAMPTZ_GT_DATE:
        case F_TIMESTAMPTZ_GT_TIMESTAMP:
        case F_DATE_GT_TIMESTAMPTZ:
        case F_TIMESTAMP_GT_TIMESTAMPTZ:
            return BTGreaterStrategyNumber;
        default:
            return InvalidStrategy;
    }
}

// The column of luuid_extract_timestamp(id); null for anything else.
Node* id_of(Node* time) {
    if (!IsA(time, FuncExpr))
        return nullptr;
    const auto* call = reinterpret_cast<FuncExpr*>(time);
    // Most are the server's functions.
    if (call->funcid < FirstNormalObjectId || list_length(call->args) != 1 || call->funcid != time_function())
        return nullptr;
    auto* id = static_cast<Node*>(linitial(call->args));
    return IsA(without_relabels(id), Var) ? id : nullptr;
}

// What a sibling says about an id: its strategy, with the id on the left.
StrategyNumber strategy_about(Node* sibling, Node* id) {
    const TimeComparison comparison = time_comparison(sibling);
    if (comparison.is_some() && equal(comparison.id, id))
        return comparison.strategy;
    const TimeComparison other_way = comparison.commuted();
    return other_way.is_some() && equal(other_way.id, id) ? other_way.strategy : InvalidStrategy;
}

}  // namespace

TimeComparison luuid::pg::time_comparison(Node* clause) {
    if (!IsA(clause, OpExpr))
        return {};
    auto* operation = reinterpret_cast<OpExpr*>(clause);
    set_opfuncid(operation);  // the planner's negation of a comparison lacks it
    const StrategyNumber strategy = strategy_of(operation->opfuncid);
    if (strategy == InvalidStrategy || list_length(operation->args) != 2)
        return {};
    auto* left = static_cast<Node*>(linitial(operation->args));
    auto* right = static_cast<Node*>(lsecond(operation->args));
    Node *left_id = id_of(left), *right_id = id_of(right);
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

Node* luuid::pg::all_times(Node* id, bool is_lower) {
    return is_lower ? comparison(id, BTGreaterEqualStrategyNumber, end_of_all_times(End::floor))
                    : comparison(id, BTLessEqualStrategyNumber, end_of_all_times(End::ceiling));
}
