// Takes an expression of a time apart: boundaries, casts, the bounds of ranges, and constant intervals around a base.
#include "instant.hpp"

#include <core/distribution.hpp>

#include <cstring>

using namespace luuid;
using namespace luuid::pg;

namespace {

Instant moved(Instant instant, double offset) noexcept {
    return instant.base != nullptr ? Instant{instant.base, instant.offset + offset} : Instant{};
}

// A timestamptz and a constant interval.
Instant shifted(PlannerInfo* root, Node* time, Node* interval, double sign) {
    interval = estimate_expression_value(root, interval);
    if (!IsA(interval, Const) || reinterpret_cast<Const*>(interval)->constisnull)
        return {};
    const Interval* value = DatumGetIntervalP(reinterpret_cast<Const*>(interval)->constvalue);
    const double milliseconds = static_cast<double>(value->time) / 1000 +
                                (30.0 * value->month + value->day) * static_cast<double>(USECS_PER_DAY / 1000);
    return moved(instant_of(root, time), sign * milliseconds);
}

// A range that has no bound there is unbounded: as far as can be from the other one.
Instant bound_of_range(PlannerInfo* root, Node* range, End end) {
    range = without_relabels(range);
    const auto* call = reinterpret_cast<FuncExpr*>(range);
    if (!IsA(range, FuncExpr) || (call->funcid != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ &&
                                  call->funcid != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT))
        return {};
    const bool is_floor = end == End::floor;
    auto* own = static_cast<Node*>(list_nth(call->args, is_floor ? 0 : 1));
    auto* other = static_cast<Node*>(list_nth(call->args, is_floor ? 1 : 0));
    if (IsA(own, Const) && reinterpret_cast<Const*>(own)->constisnull)
        return moved(instant_of(root, other), is_floor ? -detail::infinite_distance : detail::infinite_distance);
    return instant_of(root, own);
}

Instant of_function(PlannerInfo* root, Oid function, List* arguments) {
    if (function == F_TIMESTAMPTZ_PL_INTERVAL || function == F_TIMESTAMPTZ_MI_INTERVAL)
        return shifted(root, static_cast<Node*>(linitial(arguments)), static_cast<Node*>(lsecond(arguments)),
                       function == F_TIMESTAMPTZ_PL_INTERVAL ? 1 : -1);
    if (function < FirstNormalObjectId || list_length(arguments) != 1 ||
        get_func_namespace(function) != PG_CATALOG_NAMESPACE)
        return {};
    const char* name = get_func_name(function);
    auto* argument = static_cast<Node*>(linitial(arguments));
    if (std::strcmp(name, "luuid_floor") == 0 || std::strcmp(name, "luuid_ceiling") == 0 ||
        std::strcmp(name, "luuid_extract_timestamp") == 0)
        return instant_of(root, argument);
    if (std::strcmp(name, "luuid_range_floor") == 0)
        return bound_of_range(root, argument, End::floor);
    return std::strcmp(name, "luuid_range_ceiling") == 0 ? bound_of_range(root, argument, End::ceiling) : Instant{};
}

}  // namespace

Instant luuid::pg::instant_of(PlannerInfo* root, Node* node) {
    check_stack_depth();
    node = without_relabels(node);
    Instant instant;
    if (IsA(node, FuncExpr)) {
        instant = of_function(root, reinterpret_cast<FuncExpr*>(node)->funcid, reinterpret_cast<FuncExpr*>(node)->args);
    } else if (IsA(node, OpExpr)) {
        auto* call = reinterpret_cast<OpExpr*>(node);
        instant = of_function(root, get_opcode(call->opno), call->args);
    }
    if (instant.base != nullptr)
        return instant;
    const Oid type = getBaseType(exprType(node));
    return type == TIMESTAMPTZOID || type == luuid_type() || type == UUIDOID ? Instant{node} : Instant{};
}
