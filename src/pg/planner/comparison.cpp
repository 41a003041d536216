// Builds comparisons of ids.
#include "comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

Node* luuid::pg::comparison(Node* id, StrategyNumber strategy, Node* bound) {
    const Oid type = exprType(bound);
    const Oid op = get_opfamily_member(time_family(), type, type, static_cast<int16>(strategy));
    auto* key = static_cast<Expr*>(copyObjectImpl(without_relabels(id)));
    if (exprType(reinterpret_cast<Node*>(key)) != type)
        key = reinterpret_cast<Expr*>(makeRelabelType(key, type, -1, InvalidOid, COERCE_IMPLICIT_CAST));
    return reinterpret_cast<Node*>(
        make_opclause(op, BOOLOID, false, key, reinterpret_cast<Expr*>(bound), InvalidOid, InvalidOid));
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
