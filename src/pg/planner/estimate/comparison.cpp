// Reads comparisons, and evaluates their operands.
#include "estimate.hpp"

#include "../../datum.hpp"

#include <string_view>

using namespace luuid;
using namespace luuid::pg;

namespace {

// Reads an operand, or one end of a range such as `tstzrange(o.at, o.at + '5 min')`, as a time at a constant distance.
Shifted shifted_of(PlannerInfo* root, Node* node, bool is_lower = true) {
    check_stack_depth();
    node = without_relabels(node);
    const auto* call = reinterpret_cast<const FuncExpr*>(node);
    const auto* operation = reinterpret_cast<const OpExpr*>(node);
    const bool is_call = IsA(node, FuncExpr), is_operation = IsA(node, OpExpr);
    const Oid function = is_call ? call->funcid : is_operation ? get_opcode(operation->opno) : InvalidOid;
    const List* arguments = is_call ? call->args : is_operation ? operation->args : NIL;
    if (function == F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ || function == F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT)
        return shifted_of(root, static_cast<Node*>(list_nth(arguments, is_lower ? 0 : 1)));
    Shifted shifted;
    if (function == F_TIMESTAMPTZ_PL_INTERVAL || function == F_TIMESTAMPTZ_MI_INTERVAL) {
        const Node* known = estimate_expression_value(root, static_cast<Node*>(lsecond(arguments)));
        const auto* interval = reinterpret_cast<const Const*>(known);
        if (IsA(known, Const) && !interval->constisnull) {
            const Interval* value = DatumGetIntervalP(interval->constvalue);
            const double offset = value->time / 1000.0 + (30.0 * value->month + value->day) * (USECS_PER_DAY / 1000.0);
            shifted = shifted_of(root, static_cast<Node*>(linitial(arguments)));
            shifted.offset += function == F_TIMESTAMPTZ_PL_INTERVAL ? offset : -offset;
        }
    } else if (list_length(arguments) == 1) {
        // A function of ours for the time of an id, or for an end of a slice, such as luuid_range_floor().
        const bool is_time = function == extract_timestamp(), is_ours = function >= FirstNormalObjectId;
        const std::string_view name =
            !is_time && is_ours && get_func_namespace(function) == PG_CATALOG_NAMESPACE ? get_func_name(function) : "";
        if (is_time || name.ends_with("_floor") || name.ends_with("_ceiling"))
            shifted = shifted_of(root, static_cast<Node*>(linitial(arguments)), !name.ends_with("_ceiling"));
    }
    if (shifted.base != nullptr)
        return shifted;
    const auto has_time = [](Oid type) { return type == luuid_type() || type == TIMESTAMPTZOID || type == UUIDOID; };
    return {has_time(exprType(node)) || has_time(getBaseType(exprType(node))) ? node : nullptr, 0};
}

}  // namespace

// Accepts the inequalities of the B-tree family. Other operators that name the estimator are `<@`, and `=` with a time;
// one that a superuser has made counts if an operand is a slice.
Comparison luuid::pg::comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* entry) {
    auto* info = IsA(entry, RestrictInfo) ? reinterpret_cast<RestrictInfo*>(entry) : nullptr;
    const auto* clause = reinterpret_cast<OpExpr*>(info != nullptr ? info->clause : reinterpret_cast<Expr*>(entry));
    // Most operators are built in, and need no lookup of ours.
    if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 || clause->opno < FirstNormalObjectId)
        return {};
    auto strategy = static_cast<StrategyNumber>(get_op_opfamily_strategy(clause->opno, time_family()));
    if (strategy == BTEqualStrategyNumber ||
        (strategy == InvalidStrategy && get_oprrest(clause->opno) != time_estimator()))
        return {};
    auto *left = static_cast<Node*>(linitial(clause->args)), *right = static_cast<Node*>(lsecond(clause->args));
    const Relids left_of = info != nullptr ? info->left_relids : pull_varnos(root, left);
    const Relids right_of = info != nullptr ? info->right_relids : pull_varnos(root, right);
    const bool is_left = bms_is_member(static_cast<int>(rel->relid), left_of);
    Comparison comparison{clause, info, is_left ? left : right};
    Node* operand = is_left ? right : left;
    if (strategy == InvalidStrategy) {
        comparison.lower = end_of(operand, BTGreaterEqualStrategyNumber);
        comparison.upper = end_of(operand, BTLessEqualStrategyNumber);
    } else {
        strategy = is_left ? strategy : static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
        (strategy > BTEqualStrategyNumber ? comparison.lower : comparison.upper) = operand;
        comparison.is_strict = strategy == BTLessStrategyNumber || strategy == BTGreaterStrategyNumber;
    }
    if (is_left == bms_is_member(static_cast<int>(rel->relid), right_of) ||
        (comparison.lower == nullptr && comparison.upper == nullptr))
        return {};
    for (const auto* index : each_of<IndexOptInfo>(rel->indexlist))
        comparison.is_predicate |= list_member(index->indpred, clause);
    comparison.shifted = shifted_of(root, comparison.value);
    return comparison.shifted.base != nullptr ? comparison : Comparison{};
}

void Bounds::add(PlannerInfo* root, const Comparison& comparison) {
    op = comparison.clause->opno;
    const double offset = comparison.shifted.offset;
    for (const bool is_lower : {true, false}) {
        Node* operand = is_lower ? comparison.lower : comparison.upper;
        if (operand == nullptr)
            continue;
        bool is_end = false;  // of all times, as rewrite.cpp adds it
        Node* known = IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
        const auto* constant = reinterpret_cast<const Const*>(known);
        if (!IsA(constant, Const) || offset != 0) {
            const Shifted other = shifted_of(root, operand);
            base = !is_unknown || equal(base, other.base) ? other.base : nullptr;
            is_unknown = true;
            least = is_lower ? std::max(least, other.offset - offset) : least;
            greatest = is_lower ? greatest : std::min(greatest, other.offset - offset);
        } else if (constant->constisnull) {
            range = {Bound{nil_id}, Bound{nil_id}};  // no row passes
        } else {
            const Bound bound{id_from_datum(constant->constvalue), is_lower == comparison.is_strict};
            range.intersect(is_lower ? IdRange{bound, std::nullopt} : IdRange{std::nullopt, bound});
            is_end = bound.id == ceiling_of(is_lower ? Time::min() : Time::max());
        }
        (is_lower ? has_lower : has_upper) |= !is_end;
    }
}
