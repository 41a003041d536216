// Builds comparisons of ids with boundaries.
#include "expressions.hpp"

#include "../datum.hpp"

using namespace luuid;
using namespace luuid::pg;

Node* luuid::pg::call_of(const char* name, std::initializer_list<Oid> argument_types, List* arguments) {
    const Oid function = function_named(name, argument_types);
    if (!OidIsValid(function))
        ereport(ERROR,
                (errcode(ERRCODE_UNDEFINED_FUNCTION), errmsg("function \"%s\" of extension luuid is missing", name),
                 errhint("ALTER EXTENSION luuid UPDATE adds it if the extension is older than the module.")));
    return reinterpret_cast<Node*>(
        makeFuncExpr(function, get_func_rettype(function), arguments, InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
}

Node* luuid::pg::id_constant(Datum id, bool is_null) {
    return reinterpret_cast<Node*>(makeConst(luuid_type(), -1, InvalidOid, UUID_LEN, id, is_null, false));
}

Node* luuid::pg::without_relabels(Node* node) noexcept {
    while (node != nullptr && IsA(node, RelabelType))
        node = reinterpret_cast<Node*>(reinterpret_cast<RelabelType*>(node)->arg);
    return node;
}

// Most operands are ids or times, for which this looks up no domain.
Oid luuid::pg::slice_type(Node* operand) {
    Oid type = exprType(operand);
    if (type != TIMESTAMPTZOID && type != luuid_type())
        type = getBaseType(type);
    return type == TIMESTAMPTZOID || type == TSTZRANGEOID || type == TSTZMULTIRANGEOID ? type : InvalidOid;
}

Node* luuid::pg::end_of(Node* slice, StrategyNumber strategy) {
    slice = without_relabels(slice);
    const Oid type = slice_type(slice);
    if (!OidIsValid(type))
        return nullptr;
    const bool is_floor = strategy == BTLessStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
    const bool is_time = type == TIMESTAMPTZOID;
    if (const auto* constant = reinterpret_cast<Const*>(slice); is_time && IsA(constant, Const)) {
        const Time time = time_from_timestamptz(DatumGetTimestampTz(constant->constvalue));
        return id_constant(datum_from_id(is_floor ? floor_of(time) : ceiling_of(time)), constant->constisnull);
    }
    auto* argument = static_cast<Node*>(copyObjectImpl(slice));
    if (IsA(argument, Const))
        reinterpret_cast<Const*>(argument)->consttype = type;
    if (type == TSTZMULTIRANGEOID)
        argument = reinterpret_cast<Node*>(makeFuncExpr(F_RANGE_MERGE_ANYMULTIRANGE, TSTZRANGEOID, list_make1(argument),
                                                        InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL));
    Node* boundary =
        is_time ? call_of(is_floor ? "luuid_floor" : "luuid_ceiling", {TIMESTAMPTZOID}, list_make1(argument))
                : call_of(is_floor ? "luuid_range_floor" : "luuid_range_ceiling", {TSTZRANGEOID}, list_make1(argument));
    return IsA(slice, Const) ? eval_const_expressions(nullptr, boundary) : boundary;
}

Node* luuid::pg::comparison(Node* id, StrategyNumber strategy, Node* other) {
    if (Node* end = end_of(other, strategy))
        other = end;
    const Oid type = luuid_type();
    const Oid op = get_opfamily_member(time_family(), type, type, static_cast<int16>(strategy));
    auto* key = static_cast<Expr*>(copyObjectImpl(without_relabels(id)));
    if (exprType(reinterpret_cast<Node*>(key)) != type)
        key = reinterpret_cast<Expr*>(makeRelabelType(key, type, -1, InvalidOid, COERCE_EXPLICIT_CAST));
    Expr* clause = make_opclause(op, BOOLOID, false, key, reinterpret_cast<Expr*>(other), InvalidOid, InvalidOid);
    // The planner would set this, but COPY executes its WHERE without planning it.
    set_opfuncid(reinterpret_cast<OpExpr*>(clause));
    return reinterpret_cast<Node*>(clause);
}
