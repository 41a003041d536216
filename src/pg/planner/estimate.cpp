// The planner's estimates: the selectivity of a comparison of ids, by the bounds beside it and the column's statistics.
#include "question.hpp"
#include "range_selectivity.hpp"
#include "window.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// What the server takes if it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_selectivity(VariableStatData* variable, const Bounds& bounds) {
    bool is_default = false;
    if (bounds.is_instant)
        return 1 / get_variable_numdistinct(variable, &is_default);
    return bounds.are_both() ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

// Of more ranges, the gaps count as rows too.
constexpr int most_estimated_ranges = 100;

// Of what is unknown, the server's default, unless what is known leaves less.
double selectivity_of(PlannerInfo* root, VariableStatData& variable, Order order, RangeSelectivity* column,
                      const Part& part) {
    const Bounds& bounds = part.bounds;
    if (bounds.is_null)
        return 0;
    const double at_most = column == nullptr || bounds.is_unknown ? default_selectivity(&variable, bounds) : 1;
    if (column == nullptr || (!bounds.range.lower && !bounds.range.upper))
        return at_most;
    if (bounds.ranges == NIL || list_length(bounds.ranges) > most_estimated_ranges)
        return std::min(column->of(bounds.range, part.narrowed), at_most);
    double sum = 0;
    ListCell* cell;
    foreach (cell, bounds.ranges) {
        IdRange range = range_of(root, order, static_cast<Node*>(lfirst(cell)));
        range.intersect(order, bounds.range);
        sum += column->of(range, part.narrowed);
    }
    return std::min(sum, at_most);
}

// The selectivity of a clause among the rows that those before it let pass. The planner multiplies the answers, so that
// only the last has to be exact: of 0.3 for `id >= x` and 0.1 for `id < y` after it, the range has 0.03.
double remaining_selectivity(PlannerInfo* root, VariableStatData& variable, Order order, RangeSelectivity* column,
                             const Question& question) {
    // If rows are hidden, an operator that may leak is not answered for as those that do not leak are.
    const bool is_kept = question.kept_before && (variable.acl_ok || question.before.bounds.conditions == 0);
    const double before =
        is_kept ? *question.kept_before : selectivity_of(root, variable, order, column, question.before);
    const double with = selectivity_of(root, variable, order, column, question.with);
    return before > 0 ? with / before : 0;
}

// Without the clauses before it, half of the rows may pass; with them, a hundredth of these.
double remaining_selectivity(const WindowSelectivity& window) noexcept {
    return window.before > 0 ? window.with / window.before : 0;
}

// Of a semijoin, the fraction of the outer rows for which one of the inner rows passes.
double join_selectivity(PlannerInfo* root, Oid op, List* arguments, JoinType type, const SpecialJoinInfo* join) {
    const RelOptInfo* inner = nullptr;
    if (type == JOIN_SEMI || type == JOIN_ANTI) {
        int number = 0;
        if (!bms_get_singleton_member(join->syn_righthand, &number))
            return DEFAULT_INEQ_SEL;
        inner = find_base_rel(root, number);
    }
    const auto window = window_selectivity(root, op, arguments, inner);
    return window ? remaining_selectivity(*window) : DEFAULT_INEQ_SEL;
}

double selectivity(FunctionCallInfo fcinfo, Order order) {
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    const Oid op = PG_GETARG_OID(1);
    auto* arguments = reinterpret_cast<List*>(PG_GETARG_POINTER(2));
    VariableStatData variable;
    Node* operand = nullptr;
    bool is_left = false;
    const int relation = PG_GETARG_INT32(3);
    if (!get_restriction_variable(root, arguments, relation, &variable, &operand, &is_left))
        return get_oprjoin(op) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
    if (order == Order::time && !IsA(operand, Const)) {
        if (const auto window = restriction_window_selectivity(root, op, arguments, relation)) {
            ReleaseVariableStats(variable);
            return remaining_selectivity(*window);
        }
    }
    const Oid estimator = fcinfo->flinfo->fn_oid;
    const Question question = question_of({root, variable.rel, order, op, arguments, is_left, operand});
    double answer = 0;
    if (HeapTupleIsValid(variable.statsTuple) && statistic_proc_security_check(&variable, get_opcode(op))) {
        RangeSelectivity column{root, variable, order, estimator};
        answer = remaining_selectivity(root, variable, order, &column, question);
        column.close();
    } else {
        answer = remaining_selectivity(root, variable, order, nullptr, question);
    }
    ReleaseVariableStats(variable);
    CLAMP_PROBABILITY(answer);
    return answer;
}

}  // namespace

// luuid_timesel(internal, oid, internal, integer) → double precision: the fraction of the rows that an operator of the
// chronological order lets pass, among those that the bounds ANDed before it do. See restriction_selectivity of
// plancat.c.
LUUID_FUNCTION(luuid_timesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::time)); }

// luuid_bytesel: that of the byte order.
LUUID_FUNCTION(luuid_bytesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::bytes)); }

// luuid_timejoinsel(internal, oid, internal, smallint, internal) → double precision: the fraction of the pairs of rows
// that an operator of the chronological order lets pass, among those that the clauses before it do. See
// join_selectivity of plancat.c.
LUUID_FUNCTION(luuid_timejoinsel) {
    double answer =
        join_selectivity(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), PG_GETARG_OID(1),
                         reinterpret_cast<List*>(PG_GETARG_POINTER(2)), static_cast<JoinType>(PG_GETARG_INT16(3)),
                         reinterpret_cast<SpecialJoinInfo*>(PG_GETARG_POINTER(4)));
    CLAMP_PROBABILITY(answer);
    PG_RETURN_FLOAT8(answer);
}
