// Builds comparisons of ids with boundaries.
#include "boundaries.hpp"

#include "../boundary.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// One end of a constant, so far as it depends on no time zone; null if it does, or if that is more work.
Node* constant_end(const Const* slice, Oid type, End end) {
    if (slice->constisnull)
        return reinterpret_cast<Node*>(makeNullConst(luuid_type(), -1, InvalidOid));
    Span span;
    if (type == TIMESTAMPTZOID)
        span.first = span.last = time_from_timestamptz(DatumGetTimestampTz(slice->constvalue));
    else if (type == TSTZRANGEOID)
        span = span_of(lookup_type_cache(type, TYPECACHE_RANGE_INFO), DatumGetRangeTypeP(slice->constvalue));
    else
        return nullptr;
    const Id id = end == End::floor ? floor_of(span.first) : ceiling_of(span.last);
    return reinterpret_cast<Node*>(
        makeConst(luuid_type(), -1, InvalidOid, static_cast<int>(id_size), datum_from_id(id), false, false));
}

}  // namespace

Node* luuid::pg::call_of(const char* name, std::initializer_list<Oid> argument_types, Oid result_type,
                         List* arguments) {
    const Oid function = function_named(name, argument_types);
    if (!OidIsValid(function) || list_member_ptr(arguments, nullptr))
        return nullptr;
    return reinterpret_cast<Node*>(
        makeFuncExpr(function, result_type, arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

Node* luuid::pg::without_relabels(Node* node) noexcept {
    while (node != nullptr && IsA(node, RelabelType))
        node = reinterpret_cast<Node*>(reinterpret_cast<RelabelType*>(node)->arg);
    return node;
}

// Looks for a domain's type last: mostly the operand is an id.
Oid luuid::pg::slice_type(Node* operand) {
    const Oid type = exprType(operand);
    return type == TIMESTAMPTZOID || type == luuid_type() ? type : getBaseType(type);
}

bool luuid::pg::is_slice(Node* operand) {
    const Oid type = slice_type(operand);
    return type == TIMESTAMPTZOID || type == TSTZRANGEOID || type == DATERANGEOID || type == TSRANGEOID ||
           type == TSTZMULTIRANGEOID;
}

Node* luuid::pg::end_of(Node* slice, End end) {
    slice = without_relabels(slice);
    if (!is_slice(slice))
        return nullptr;
    const Oid type = slice_type(slice);
    if (IsA(slice, Const))
        if (Node* constant = constant_end(reinterpret_cast<Const*>(slice), type, end))
            return constant;

    Node* argument = static_cast<Node*>(copyObjectImpl(slice));
    if (IsA(argument, Const))
        reinterpret_cast<Const*>(argument)->consttype = type;
    const bool is_floor = end == End::floor;
    if (type == TIMESTAMPTZOID)
        return call_of(is_floor ? "luuid_floor" : "luuid_ceiling", {type}, luuid_type(), list_make1(argument));
    if (type == DATERANGEOID || type == TSRANGEOID)
        argument = call_of("luuid_range", {type}, TSTZRANGEOID, list_make1(argument));
    if (type == TSTZMULTIRANGEOID)
        argument = call_of("range_merge", {ANYMULTIRANGEOID}, TSTZRANGEOID, list_make1(argument));
    return call_of(is_floor ? "luuid_range_floor" : "luuid_range_ceiling", {TSTZRANGEOID}, luuid_type(),
                   list_make1(argument));
}

List* luuid::pg::ranges_of(Node* operand) {
    operand = without_relabels(operand);
    const auto* constant = reinterpret_cast<Const*>(operand);
    if (!IsA(operand, Const) || constant->constisnull || slice_type(operand) != TSTZMULTIRANGEOID)
        return NIL;
    TypeCacheEntry* type = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
    int32 count = 0;
    RangeType** ranges = nullptr;
    multirange_deserialize(type, DatumGetMultirangeTypeP(constant->constvalue), &count, &ranges);
    List* constants = NIL;
    for (int i = 0; i < count; ++i)
        constants = lappend(constants,
                            makeConst(TSTZRANGEOID, -1, InvalidOid, -1, RangeTypePGetDatum(ranges[i]), false, false));
    return constants;
}

Node* luuid::pg::comparison(Node* id, StrategyNumber strategy, Node* bound) {
    const Oid type = luuid_type();
    const Oid op = get_opfamily_member(time_family(), type, type, static_cast<int16>(strategy));
    if (bound == nullptr || !OidIsValid(op))
        return nullptr;
    auto* key = static_cast<Expr*>(copyObjectImpl(without_relabels(id)));
    if (exprType(reinterpret_cast<Node*>(key)) != type)
        key = reinterpret_cast<Expr*>(makeRelabelType(key, type, -1, InvalidOid, COERCE_IMPLICIT_CAST));
    Expr* clause = make_opclause(op, BOOLOID, false, key, reinterpret_cast<Expr*>(bound), InvalidOid, InvalidOid);
    // COPY's WHERE is simplified and executed without being planned.
    set_opfuncid(reinterpret_cast<OpExpr*>(clause));
    return reinterpret_cast<Node*>(clause);
}

Node* luuid::pg::comparison_with_time(Node* id, StrategyNumber strategy, Node* time) {
    const bool is_floor = strategy == BTLessStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
    return comparison(id, strategy, end_of(time, is_floor ? End::floor : End::ceiling));
}

List* luuid::pg::comparisons_within(Node* id, Node* slice) {
    Node* later = comparison(id, BTGreaterEqualStrategyNumber, end_of(slice, End::floor));
    Node* earlier = comparison(id, BTLessEqualStrategyNumber, end_of(slice, End::ceiling));
    return later != nullptr && earlier != nullptr ? list_make2(later, earlier) : NIL;
}

bool luuid::pg::may_be_repeated(Node* node) {
    if (IsA(node, Const) || IsA(node, Var))
        return true;
    if (contain_subplans(node) || contain_volatile_functions(node))
        return false;
    QualCost cost;
    cost_qual_eval(&cost, list_make1(node), nullptr);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}
