// The planner support of time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of ids, which
// an index or a partition bound answers. See nodes/supportnodes.h.
#include "boundaries.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The comparisons with both ends of a slice.
List* both_ends(Node* id, Node* slice) {
    return list_make2(comparison(id, BTGreaterEqualStrategyNumber, slice),
                      comparison(id, BTLessEqualStrategyNumber, slice));
}

// The id and the slice among the two arguments of an operator's function; false where they are not of that form.
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

// The four inequalities are comparisons with one end. What has two is these by constants, or in a join: otherwise the
// operator costs less for each row than boundaries that are computed for it.
Node* simplified(const SupportRequestSimplify* request, StrategyNumber strategy) {
    Node *id, *slice;
    if (!is_id_with_slice(request->fcall->args, &id, &slice))
        return nullptr;
    if (strategy != BTEqualStrategyNumber) {
        const bool is_commuted = id != linitial(request->fcall->args);
        return comparison(id, is_commuted ? BTCommuteStrategyNumber(strategy) : strategy, slice);
    }
    if (!may_be_repeated(id) || !may_be_repeated(slice) || slice_type(slice) == TSTZMULTIRANGEOID)
        return nullptr;
    // A join on `=` is estimated as one, and two inequalities as nearly everything.
    const Node* floor = end_of(slice, End::floor);
    if (contain_var_clause(slice) ? slice_type(slice) == TIMESTAMPTZOID : floor == nullptr || !IsA(floor, Const))
        return nullptr;
    return reinterpret_cast<Node*>(make_andclause(both_ends(id, slice)));
}

// The comparisons that an index in chronological order answers in the place of the operator. See
// get_index_clause_from_support of indxpath.c.
List* index_condition(SupportRequestIndexCondition* request) {
    List* arguments = IsA(request->node, OpExpr) ? reinterpret_cast<OpExpr*>(request->node)->args
                                                 : reinterpret_cast<FuncExpr*>(request->node)->args;
    Node *id, *slice;
    if (!is_id_with_slice(arguments, &id, &slice) || list_nth(arguments, request->indexarg) != id ||
        !is_pseudo_constant_for_index(request->root, slice, request->index))
        return NIL;
    List* comparisons = both_ends(id, slice);
    request->lossy = slice_type(slice) == TSTZMULTIRANGEOID;
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
// of `<`, `<=`, `>=` and `>` with a time, and of `=`, <@ and @>.
#define LUUID_SUPPORT(name, strategy) \
    LUUID_FUNCTION(luuid_##name##_support) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), strategy)); }

LUUID_SUPPORT(lt, BTLessStrategyNumber)
LUUID_SUPPORT(le, BTLessEqualStrategyNumber)
LUUID_SUPPORT(ge, BTGreaterEqualStrategyNumber)
LUUID_SUPPORT(gt, BTGreaterStrategyNumber)
LUUID_SUPPORT(within, BTEqualStrategyNumber)

// luuid_extract_timestamp_support(internal) → internal: nothing. That the planner asks loads the module, and so the
// bounds of rewrite.cpp, before the planner of a session's first statement gets there.
LUUID_FUNCTION(luuid_extract_timestamp_support) { PG_RETURN_DATUM(0); }
