// Takes an expression of a time apart: boundaries, casts, the bounds of ranges, and constant intervals around a base.
#include "instant.hpp"

#include "ends.hpp"

#include <luuid/detail/distance.hpp>

#include <cstring>

using namespace luuid;
using namespace luuid::pg;

namespace {

constexpr double infinite = detail::infinite_distance;

double milliseconds_of(const Interval* interval) noexcept {
    return static_cast<double>(interval->time) / 1000 +
           (30.0 * interval->month + interval->day) * static_cast<double>(USECS_PER_DAY / 1000);
}

Instant moved(Instant instant, double offset) noexcept {
    if (instant.base != nullptr)
        return {instant.base, instant.offset + offset};
    return {};
}

// A timestamptz and a constant interval.
Instant shifted(PlannerInfo* root, Node* time, Node* interval, double sign) {
    interval = estimate_expression_value(root, interval);
    if (!IsA(interval, Const) || reinterpret_cast<Const*>(interval)->constisnull)
        return {};
    const double offset = milliseconds_of(DatumGetIntervalP(reinterpret_cast<Const*>(interval)->constvalue));
    return moved(instant_of(root, time), sign * offset);
}

bool is_null(Node* node) { return IsA(node, Const) && reinterpret_cast<Const*>(node)->constisnull; }

// A range that has no bound there is unbounded: as far as can be from the other one.
Instant bound_of_range(PlannerInfo* root, Node* range, End end) {
    range = without_relabels(range);
    const auto* call = reinterpret_cast<FuncExpr*>(range);
    if (!IsA(range, FuncExpr) || (call->funcid != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ &&
                                  call->funcid != F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT))
        return {};
    auto* lower = static_cast<Node*>(linitial(call->args));
    auto* upper = static_cast<Node*>(lsecond(call->args));
    if (end == End::floor)
        return is_null(lower) ? moved(instant_of(root, upper), -infinite) : moved(instant_of(root, lower), 0);
    return is_null(upper) ? moved(instant_of(root, lower), infinite) : moved(instant_of(root, upper), 0);
}

// Of a function of this extension, by its name.
Instant of_own_function(PlannerInfo* root, const char* name, Node* argument) {
    if (std::strcmp(name, "luuid_floor") == 0 || std::strcmp(name, "luuid_ceiling") == 0 ||
        std::strcmp(name, "luuid_extract_timestamp") == 0)
        return moved(instant_of(root, argument), 0);
    if (std::strcmp(name, "luuid_range_floor") == 0)
        return bound_of_range(root, argument, End::floor);
    if (std::strcmp(name, "luuid_range_ceiling") == 0)
        return bound_of_range(root, argument, End::ceiling);
    return {};
}

Instant of_function(PlannerInfo* root, Oid function, List* arguments) {
    if (list_length(arguments) == 2 && (function == F_TIMESTAMPTZ_PL_INTERVAL || function == F_TIMESTAMPTZ_MI_INTERVAL))
        return shifted(root, static_cast<Node*>(linitial(arguments)), static_cast<Node*>(lsecond(arguments)),
                       function == F_TIMESTAMPTZ_PL_INTERVAL ? 1 : -1);
    if (list_length(arguments) != 1 || get_func_namespace(function) != PG_CATALOG_NAMESPACE)
        return {};
    return of_own_function(root, get_func_name(function), static_cast<Node*>(linitial(arguments)));
}

}  // namespace

Instant luuid::pg::instant_of(PlannerInfo* root, Node* node) {
    check_stack_depth();
    node = without_relabels(node);
    Instant instant;
    if (IsA(node, FuncExpr)) {
        const auto* call = reinterpret_cast<FuncExpr*>(node);
        instant = of_function(root, call->funcid, call->args);
    } else if (IsA(node, OpExpr)) {
        auto* call = reinterpret_cast<OpExpr*>(node);
        set_opfuncid(call);
        instant = of_function(root, call->opfuncid, call->args);
    }
    if (instant.base != nullptr)
        return instant;
    const Oid type = getBaseType(exprType(node));
    return type == TIMESTAMPTZOID || type == luuid_type() || type == UUIDOID ? Instant{node} : Instant{};
}
