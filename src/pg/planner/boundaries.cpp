// Builds comparisons of ids with boundaries.
#include "boundaries.hpp"

using namespace luuid;
using namespace luuid::pg;

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
    Oid type = exprType(operand);
    if (type != TIMESTAMPTZOID && type != luuid_type())
        type = getBaseType(type);
    const bool is_slice = type == TIMESTAMPTZOID || type == TSTZRANGEOID || type == DATERANGEOID ||
                          type == TSRANGEOID || type == TSTZMULTIRANGEOID;
    return is_slice ? type : InvalidOid;
}

Node* luuid::pg::end_of(Node* slice, End end) {
    slice = without_relabels(slice);
    const Oid type = slice_type(slice);
    if (!OidIsValid(type))
        return nullptr;
    auto* argument = static_cast<Node*>(copyObjectImpl(slice));
    if (IsA(argument, Const))
        reinterpret_cast<Const*>(argument)->consttype = type;
    if (type == DATERANGEOID || type == TSRANGEOID)
        argument = call_of("luuid_range", {type}, TSTZRANGEOID, list_make1(argument));
    if (type == TSTZMULTIRANGEOID)
        argument = call_of("range_merge", {ANYMULTIRANGEOID}, TSTZRANGEOID, list_make1(argument));
    const bool is_time = type == TIMESTAMPTZOID;
    const Oid argument_type = is_time ? TIMESTAMPTZOID : TSTZRANGEOID;
    const char* function = end == End::floor ? (is_time ? "luuid_floor" : "luuid_range_floor")
                                             : (is_time ? "luuid_ceiling" : "luuid_range_ceiling");
    Node* boundary = call_of(function, {argument_type}, luuid_type(), list_make1(argument));
    const auto* constant = reinterpret_cast<Const*>(argument);
    if (boundary == nullptr || !IsA(constant, Const))
        return boundary;
    // It depends on no time zone.
    const Datum id = constant->constisnull
                         ? Datum{0}
                         : OidFunctionCall1(reinterpret_cast<FuncExpr*>(boundary)->funcid, constant->constvalue);
    return reinterpret_cast<Node*>(makeConst(luuid_type(), -1, InvalidOid, UUID_LEN, id, constant->constisnull, false));
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

bool luuid::pg::may_be_repeated(Node* node) {
    if (IsA(node, Const) || IsA(node, Var))
        return true;
    if (contain_subplans(node) || contain_volatile_functions(node))
        return false;
    QualCost cost;
    cost_qual_eval(&cost, list_make1(node), nullptr);
    return cost.startup + cost.per_tuple <= 10 * cpu_operator_cost;
}
