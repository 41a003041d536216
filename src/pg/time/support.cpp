// The planner support of time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of ids, which
// indexes and partition bounds can use. See nodes/supportnodes.h.
#include "expressions.hpp"

#include <algorithm>
#include <string_view>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The B-tree strategy of an operator's function, `=` for `<@` and `@>`.
StrategyNumber strategy_of(Oid function) {
    constexpr std::string_view names[] = {"luuid_lt", "luuid_le", "luuid_eq", "luuid_ge", "luuid_gt"};
    const auto* found = std::ranges::find(names, std::string_view(get_func_name(function)));
    return static_cast<StrategyNumber>(found != std::end(names) ? found - names + 1 : BTEqualStrategyNumber);
}

// The comparisons with both ends of a slice.
List* both_ends(Node* id, Node* slice) {
    return list_make2(comparison(id, BTGreaterEqualStrategyNumber, slice),
                      comparison(id, BTLessEqualStrategyNumber, slice));
}

// An inequality always becomes one comparison. `=` and `<@` become two if the boundaries are constants, or if a range
// is computed from columns. With a parameter they stay, since the executor would compute both boundaries for each row,
// which costs more than the operator; an index scan gets them from index_condition().
Node* simplified(const SupportRequestSimplify* request) {
    const List* arguments = request->fcall->args;
    if (list_length(arguments) != 2)
        return nullptr;
    const bool is_commuted = OidIsValid(slice_type(static_cast<Node*>(linitial(arguments))));
    auto* id = static_cast<Node*>(list_nth(arguments, is_commuted ? 1 : 0));
    auto* slice = static_cast<Node*>(list_nth(arguments, is_commuted ? 0 : 1));
    const StrategyNumber strategy = strategy_of(request->fcall->funcid);
    if (strategy != BTEqualStrategyNumber)
        return comparison(id, is_commuted ? BTCommuteStrategyNumber(strategy) : strategy, slice);
    if (!may_be_repeated(id) || !may_be_repeated(slice))
        return nullptr;
    // `id = o.at` stays: eqjoinsel() estimates it by the statistics of both columns.
    if (contain_var_clause(slice) ? slice_type(slice) == TIMESTAMPTZOID : !IsA(without_relabels(slice), Const))
        return nullptr;
    return reinterpret_cast<Node*>(make_andclause(both_ends(id, slice)));
}

// The comparisons that an index in chronological order can use in place of `=` or `<@`, which alone are left of these
// operators. See get_index_clause_from_support() of indxpath.c.
List* index_condition(SupportRequestIndexCondition* request) {
    const List* arguments = IsA(request->node, OpExpr) ? reinterpret_cast<OpExpr*>(request->node)->args
                                                       : reinterpret_cast<FuncExpr*>(request->node)->args;
    auto* id = static_cast<Node*>(list_nth(arguments, request->indexarg));
    auto* slice = static_cast<Node*>(list_nth(arguments, 1 - request->indexarg));
    if (!OidIsValid(slice_type(slice)) || !is_pseudo_constant_for_index(request->root, slice, request->index))
        return NIL;
    List* comparisons = both_ends(id, slice);
    request->lossy = false;
    return op_in_opfamily(linitial_node(OpExpr, comparisons)->opno, request->opfamily) ? comparisons : NIL;
}

}  // namespace

// luuid_time_support(internal) → internal: the planner support of `<`, `<=`, `>=` and `>` with a time, and of `=`, `<@`
// and `@>`. luuid_extract_timestamp() names it too, and gets no answer: the planner calls it while it simplifies the
// query, which loads the module. So the hook of rewrite.cpp is installed in time for a session's first statement.
LUUID_FUNCTION(luuid_time_support);
Datum luuid_time_support(PG_FUNCTION_ARGS) {
    void* request = PG_GETARG_POINTER(0);
    if (IsA(request, SupportRequestSimplify))
        PG_RETURN_POINTER(simplified(static_cast<SupportRequestSimplify*>(request)));
    if (IsA(request, SupportRequestIndexCondition))
        PG_RETURN_POINTER(index_condition(static_cast<SupportRequestIndexCondition*>(request)));
    return Datum{0};
}

// luuid_checked(boolean) → boolean: its argument. rewrite.cpp says what it is for.
LUUID_FUNCTION(luuid_checked);
Datum luuid_checked(PG_FUNCTION_ARGS) { PG_RETURN_DATUM(PG_GETARG_DATUM(0)); }
