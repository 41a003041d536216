// The planner support of time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of ids, which
// an index or a partition bound answers. See nodes/supportnodes.h.
#include "boundaries.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// A constant multirange of more ranges is searched in each row, or between its ends in an index.
constexpr int most_rewritten_ranges = 16;

// The strategy of `<>`, beside those of a B-tree, of which `=` is that of <@ and @> too.
constexpr StrategyNumber not_equal_strategy = BTMaxStrategyNumber + 1;

// The comparisons with both ends of a slice.
List* both_ends(Node* id, Node* slice) {
    return list_make2(comparison(id, BTGreaterEqualStrategyNumber, slice),
                      comparison(id, BTLessEqualStrategyNumber, slice));
}

Node* within_any(Node* id, const Const* multirange) {
    if (!IsA(multirange, Const) || multirange->constisnull)
        return nullptr;
    int32 count = 0;
    RangeType** ranges = nullptr;
    multirange_deserialize(lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO),
                           DatumGetMultirangeTypeP(multirange->constvalue), &count, &ranges);
    if (count == 0 || count > most_rewritten_ranges)
        return nullptr;
    List* arms = NIL;
    for (int i = 0; i < count; ++i) {
        Const* range = makeConst(TSTZRANGEOID, -1, InvalidOid, -1, RangeTypePGetDatum(ranges[i]), false, false);
        arms = lappend(arms, make_andclause(both_ends(id, reinterpret_cast<Node*>(range))));
    }
    return reinterpret_cast<Node*>(count == 1 ? static_cast<Expr*>(linitial(arms)) : make_orclause(arms));
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
    if (strategy != BTEqualStrategyNumber && strategy != not_equal_strategy) {
        const bool is_commuted = id != linitial(request->fcall->args);
        return comparison(id, is_commuted ? BTCommuteStrategyNumber(strategy) : strategy, slice);
    }
    if (!may_be_repeated(id) || !may_be_repeated(slice))
        return nullptr;
    if (slice_type(slice) == TSTZMULTIRANGEOID)
        return within_any(id, reinterpret_cast<Const*>(without_relabels(slice)));
    // A join on `=` is estimated as one, and two inequalities as nearly everything.
    const Node* floor = end_of(slice, End::floor);
    if (contain_var_clause(slice) ? slice_type(slice) == TIMESTAMPTZOID : floor == nullptr || !IsA(floor, Const))
        return nullptr;
    auto* comparisons = reinterpret_cast<Node*>(make_andclause(both_ends(id, slice)));
    if (strategy == not_equal_strategy) {
        comparisons = negate_clause(comparisons);
        fix_opfuncids(comparisons);
    }
    return comparisons;
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

// luuid_lt_support, _le_support, _ge_support, _gt_support, _within_support, _outside_support (internal) → internal: the
// planner support of `<`, `<=`, `>=` and `>` with a time, of `=`, <@ and @>, and of `<>`, which no index condition can
// say.
#define LUUID_SUPPORT(name, strategy) \
    LUUID_FUNCTION(luuid_##name##_support) { PG_RETURN_POINTER(answer(PG_GETARG_POINTER(0), strategy)); }

LUUID_SUPPORT(lt, BTLessStrategyNumber)
LUUID_SUPPORT(le, BTLessEqualStrategyNumber)
LUUID_SUPPORT(ge, BTGreaterEqualStrategyNumber)
LUUID_SUPPORT(gt, BTGreaterStrategyNumber)
LUUID_SUPPORT(within, BTEqualStrategyNumber)
LUUID_SUPPORT(outside, not_equal_strategy)

// luuid_extract_timestamp_support(internal) → internal: nothing. That the planner asks loads the module, and so the
// bounds of rewrite.cpp, before the planner of a session's first statement gets there.
LUUID_FUNCTION(luuid_extract_timestamp_support) { PG_RETURN_DATUM(0); }
