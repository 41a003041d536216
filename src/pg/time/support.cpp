// The planner support of time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of ids, which
// indexes and partition bounds can use. See nodes/supportnodes.h.
#include "expressions.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The comparisons with both ends of a slice.
List* both_ends(Node* id, Node* slice) {
    return list_make2(comparison(id, BTGreaterEqualStrategyNumber, slice),
                      comparison(id, BTLessEqualStrategyNumber, slice));
}

// Finds which of two arguments is the id and which the slice; false if they are not one of each.
bool is_id_with_slice(List* arguments, Node** id, Node** slice) {
    if (list_length(arguments) != 2)
        return false;
    *id = static_cast<Node*>(linitial(arguments));
    *slice = static_cast<Node*>(lsecond(arguments));
    const bool is_commuted = OidIsValid(slice_type(*id));
    if (is_commuted == OidIsValid(slice_type(*slice)))
        return false;
    if (is_commuted)
        std::swap(*id, *slice);
    return true;
}

// An inequality always becomes one comparison. `=` and `<@` become two if the boundaries are constants, or if a range
// is computed from columns. With a parameter they stay, since the executor would compute both boundaries for each row,
// which costs more than the operator; an index scan gets them from index_condition().
Node* simplified(const SupportRequestSimplify* request, StrategyNumber strategy) {
    Node *id, *slice;
    if (!is_id_with_slice(request->fcall->args, &id, &slice))
        return nullptr;
    if (strategy != BTEqualStrategyNumber) {
        const bool is_commuted = id != linitial(request->fcall->args);
        return comparison(id, is_commuted ? BTCommuteStrategyNumber(strategy) : strategy, slice);
    }
    if (!may_be_repeated(id) || !may_be_repeated(slice))
        return nullptr;
    // `id = o.at` stays: eqjoinsel() estimates it by the statistics of both columns.
    if (contain_var_clause(slice) ? slice_type(slice) == TIMESTAMPTZOID : !IsA(without_relabels(slice), Const))
        return nullptr;
    return reinterpret_cast<Node*>(make_andclause(both_ends(id, slice)));
}

// The comparisons that an index in chronological order can use in place of `=` or `<@`. See
// get_index_clause_from_support() of indxpath.c.
List* index_condition(SupportRequestIndexCondition* request) {
    List* arguments = IsA(request->node, OpExpr) ? reinterpret_cast<OpExpr*>(request->node)->args
                                                 : reinterpret_cast<FuncExpr*>(request->node)->args;
    Node *id, *slice;
    if (!is_id_with_slice(arguments, &id, &slice) || list_nth(arguments, request->indexarg) != id ||
        !is_pseudo_constant_for_index(request->root, slice, request->index))
        return NIL;
    List* comparisons = both_ends(id, slice);
    request->lossy = false;
    return op_in_opfamily(linitial_node(OpExpr, comparisons)->opno, request->opfamily) ? comparisons : NIL;
}

void* answer(void* request, StrategyNumber strategy) {
    if (IsA(request, SupportRequestSimplify))
        return simplified(static_cast<SupportRequestSimplify*>(request), strategy);
    const bool is_condition = IsA(request, SupportRequestIndexCondition) && strategy == BTEqualStrategyNumber;
    return is_condition ? index_condition(static_cast<SupportRequestIndexCondition*>(request)) : nullptr;
}

}  // namespace

// luuid_lt_support, _le_support, _ge_support, _gt_support, _within_support (internal) → internal: the planner support
// of `<`, `<=`, `>=` and `>` with a time, and of `=`, `<@` and `@>`.
LUUID_FUNCTION(luuid_lt_support);
Datum luuid_lt_support(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), BTLessStrategyNumber)); }
LUUID_FUNCTION(luuid_le_support);
Datum luuid_le_support(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), BTLessEqualStrategyNumber)); }
LUUID_FUNCTION(luuid_ge_support);
Datum luuid_ge_support(PG_FUNCTION_ARGS) {
    PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), BTGreaterEqualStrategyNumber));
}
LUUID_FUNCTION(luuid_gt_support);
Datum luuid_gt_support(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), BTGreaterStrategyNumber)); }
LUUID_FUNCTION(luuid_within_support);
Datum luuid_within_support(PG_FUNCTION_ARGS) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), BTEqualStrategyNumber)); }

// luuid_extract_timestamp_support(internal) → internal: answers no request. The planner calls it while it simplifies
// the query, which loads the module. So the hook of rewrite.cpp is installed in time for a session's first statement.
LUUID_FUNCTION(luuid_extract_timestamp_support);
Datum luuid_extract_timestamp_support(FunctionCallInfo) { PG_RETURN_DATUM(0); }

// luuid_checked(boolean) → boolean: its argument. rewrite.cpp says what it is for.
LUUID_FUNCTION(luuid_checked);
Datum luuid_checked(PG_FUNCTION_ARGS) { PG_RETURN_DATUM(PG_GETARG_DATUM(0)); }
