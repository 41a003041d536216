// The planner support of time operators: it turns `id >= t`, `id = t` and `id <@ range` into comparisons of ids, which
// an index or a partition bound answers. See nodes/supportnodes.h.
#include "boundaries.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// A constant multirange of more ranges is searched in each row, or between its ends in an index.
constexpr int most_rewritten_ranges = 16;

Node* within(Node* id, Node* slice) {
    List* comparisons = comparisons_within(id, slice);
    return comparisons != NIL ? reinterpret_cast<Node*>(make_andclause(comparisons)) : nullptr;
}

Node* outside(Node* id, Node* slice) {
    Node* earlier = comparison(id, BTLessStrategyNumber, end_of(slice, End::floor));
    Node* later = comparison(id, BTGreaterStrategyNumber, end_of(slice, End::ceiling));
    return earlier != nullptr && later != nullptr ? reinterpret_cast<Node*>(make_orclause(list_make2(earlier, later)))
                                                  : nullptr;
}

Node* within_any(Node* id, Node* multirange) {
    List* ranges = ranges_of(multirange);
    if (ranges == NIL || list_length(ranges) > most_rewritten_ranges)
        return nullptr;
    if (list_length(ranges) == 1)
        return within(id, static_cast<Node*>(linitial(ranges)));
    List* arms = NIL;
    ListCell* cell;
    foreach (cell, ranges)
        arms = lappend(arms, within(id, static_cast<Node*>(lfirst(cell))));
    return reinterpret_cast<Node*>(make_orclause(arms));
}

// The id and the slice among the two arguments of an operator's function; false where they are not of that form.
bool is_id_with_slice(List* arguments, Node** id, Node** slice) {
    if (list_length(arguments) != 2)
        return false;
    *id = static_cast<Node*>(linitial(arguments));
    *slice = static_cast<Node*>(lsecond(arguments));
    const bool is_commuted = is_slice(*id);
    if (is_commuted == is_slice(*slice))
        return false;
    if (is_commuted)
        std::swap(*id, *slice);
    return true;
}

// What a comparison of an id with a time becomes, by its strategy.
Node* simplified_comparison(const SupportRequestSimplify* request, StrategyNumber strategy) {
    Node *id, *time;
    if (!is_id_with_slice(request->fcall->args, &id, &time))
        return nullptr;
    if (id != linitial(request->fcall->args))
        strategy = static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
    return comparison_with_time(id, strategy, without_relabels(time));
}

// By constants, or in a join. Otherwise the operator costs less for each row than boundaries that are computed for it.
Node* simplified(const SupportRequestSimplify* request, bool negated) {
    Node *id, *slice;
    if (!is_id_with_slice(request->fcall->args, &id, &slice) || !may_be_repeated(id) || !may_be_repeated(slice))
        return nullptr;
    if (slice_type(slice) == TSTZMULTIRANGEOID)
        return within_any(id, slice);
    // A join on `=` is estimated as one, and two inequalities as nearly everything.
    const Node* floor = end_of(slice, End::floor);
    if (contain_var_clause(slice) ? slice_type(slice) == TIMESTAMPTZOID : floor == nullptr || !IsA(floor, Const))
        return nullptr;
    return negated ? outside(id, slice) : within(id, slice);
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

    const Oid column = request->index->opcintype[request->indexcol];
    const Oid later = get_opfamily_member(time_family(), column, luuid_type(), BTGreaterEqualStrategyNumber);
    const Oid earlier = get_opfamily_member(time_family(), column, luuid_type(), BTLessEqualStrategyNumber);
    if (!OidIsValid(later) || !OidIsValid(earlier) || !op_in_opfamily(later, request->opfamily) ||
        !op_in_opfamily(earlier, request->opfamily))
        return NIL;

    Node *floor = end_of(slice, End::floor), *ceiling = end_of(slice, End::ceiling);
    if (floor == nullptr || ceiling == nullptr)
        return NIL;
    auto* key = reinterpret_cast<Expr*>(without_relabels(id));
    request->lossy = slice_type(slice) == TSTZMULTIRANGEOID;
    return list_make2(
        make_opclause(later, BOOLOID, false, key, reinterpret_cast<Expr*>(floor), InvalidOid, InvalidOid),
        make_opclause(earlier, BOOLOID, false, key, reinterpret_cast<Expr*>(ceiling), InvalidOid, InvalidOid));
}

}  // namespace

// luuid_lt_support, _le_support, _ge_support, _gt_support, _outside_support (internal) → internal: the planner support
// of `<`, `<=`, `>=` and `>` with a time, and of `<>`, which no index condition can say.
#define LUUID_SIMPLIFYING_SUPPORT(name, simplify)                                        \
    LUUID_FUNCTION(luuid_##name##_support) {                                             \
        auto* request = reinterpret_cast<SupportRequestSimplify*>(PG_GETARG_POINTER(0)); \
        PG_RETURN_POINTER(IsA(request, SupportRequestSimplify) ? simplify : nullptr);    \
    }

LUUID_SIMPLIFYING_SUPPORT(lt, simplified_comparison(request, BTLessStrategyNumber))
LUUID_SIMPLIFYING_SUPPORT(le, simplified_comparison(request, BTLessEqualStrategyNumber))
LUUID_SIMPLIFYING_SUPPORT(ge, simplified_comparison(request, BTGreaterEqualStrategyNumber))
LUUID_SIMPLIFYING_SUPPORT(gt, simplified_comparison(request, BTGreaterStrategyNumber))
LUUID_SIMPLIFYING_SUPPORT(outside, simplified(request, true))

// luuid_within_support(internal) → internal: the planner support of `=`, <@ and @>. See nodes/supportnodes.h.
LUUID_FUNCTION(luuid_within_support) {
    auto* request = reinterpret_cast<Node*>(PG_GETARG_POINTER(0));
    void* answer = nullptr;
    if (IsA(request, SupportRequestSimplify))
        answer = simplified(reinterpret_cast<SupportRequestSimplify*>(request), false);
    else if (IsA(request, SupportRequestIndexCondition))
        answer = index_condition(reinterpret_cast<SupportRequestIndexCondition*>(request));
    PG_RETURN_POINTER(answer);
}

// luuid_extract_timestamp_support(internal) → internal: nothing. That the planner asks loads the module, and so the
// bounds of rewrite.cpp, before the planner of a session's first statement gets there.
LUUID_FUNCTION(luuid_extract_timestamp_support) { PG_RETURN_DATUM(0); }
