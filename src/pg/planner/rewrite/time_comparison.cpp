// Reads comparisons of an id's time, and builds the comparisons of the id that these imply.
#include "rewrite.hpp"

#include "../../datum.hpp"

#include <algorithm>
#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

Node* text_constant(const char* text) {
    return reinterpret_cast<Node*>(
        makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false));
}

// Reads a column's time, rounded and converted to local time at most once, as in date_trunc('day', t AT TIME ZONE z).
TimeComparison side_of_column(const RelOptInfo* rel, Node* node) {
    TimeComparison side{node};
    const List* arguments = NIL;
    // Goes from a call of one of these functions to its argument that is a time: the second one, or the only one.
    const auto goes_below = [&](std::initializer_list<Oid> functions) {
        const auto* call = reinterpret_cast<FuncExpr*>(node);
        if (!IsA(call, FuncExpr) || std::ranges::find(functions, call->funcid) == functions.end())
            return false;
        arguments = call->args;
        node = static_cast<Node*>(list_nth(arguments, list_length(arguments) == 1 ? 0 : 1));
        return true;
    };
    if (goes_below({F_DATE_TIMESTAMP, F_DATE_TIMESTAMPTZ}))
        side.unit = text_constant("day");
    else if (goes_below(
                 {F_DATE_TRUNC_TEXT_TIMESTAMP, F_DATE_TRUNC_TEXT_TIMESTAMPTZ, F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT})) {
        side.unit = static_cast<Node*>(linitial(arguments));
        side.zone = list_length(arguments) == 3 ? static_cast<Node*>(lthird(arguments)) : nullptr;
    }
    if (goes_below({F_TIMESTAMP_TIMESTAMPTZ, F_TIMEZONE_TEXT_TIMESTAMPTZ})) {
        side.unit = side.unit != nullptr ? side.unit : text_constant("microsecond");
        side.zone = list_length(arguments) == 2 ? static_cast<Node*>(linitial(arguments)) : nullptr;
    }
    side.is_id = !goes_below({extract_timestamp()});
    const auto is_known = [](const Node* name) { return name == nullptr || IsA(name, Const) || IsA(name, Param); };
    side.column = reinterpret_cast<Var*>(without_relabels(node));
    const bool is_column = IsA(side.column, Var) && side.column->varno == static_cast<int>(rel->relid) &&
                           side.column->varlevelsup == 0 && !(side.is_id && side.unit != nullptr);
    return is_column && is_known(side.unit) && is_known(side.zone) ? side : TimeComparison{};
}

bool is_local(Node* time) { return exprType(time) == TIMESTAMPOID || exprType(time) == DATEOID; }

// The bound that an inequality implies. For a local or rounded time it may be wide: the comparison filters the rows.
Node* bound_of(const TimeComparison& time, StrategyNumber strategy, Node* value) {
    auto* id = reinterpret_cast<Node*>(time.column);
    if (time.unit == nullptr && !is_local(value))
        return comparison(id, strategy, value);
    constexpr const char* names[] = {"<", "<=", "=", ">=", ">"};
    Node* unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
    List* arguments = list_make3(copyObjectImpl(value), text_constant(names[strategy - 1]), copyObjectImpl(unit));
    Node* at = time.zone == nullptr ? call_of("luuid_local_bound", {ANYOID, TEXTOID, TEXTOID}, arguments)
                                    : call_of("luuid_local_bound", {ANYOID, TEXTOID, TEXTOID, TEXTOID},
                                              lappend(arguments, copyObjectImpl(time.zone)));
    return comparison(id, strategy > BTEqualStrategyNumber ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber,
                      at);
}

// The LEAST or the GREATEST of expressions.
Node* extreme_of(PlannerInfo* root, List* expressions, MinMaxOp op) {
    auto* first = static_cast<Node*>(linitial(expressions));
    if (list_length(expressions) == 1)
        return first;
    auto* extreme = makeNode(MinMaxExpr);
    extreme->minmaxtype = exprType(first);
    extreme->op = op;
    extreme->args = expressions;
    extreme->location = -1;
    return eval_const_expressions(root, reinterpret_cast<Node*>(extreme));
}

// The B-tree strategy of an operator, `=` for `<@`; InvalidStrategy if it implies no bounds. Of the operators between
// an id and a time, luuid_time_support leaves only `=` and `<@`, and those with ANY, which are not for this function.
StrategyNumber strategy_of(Oid op, bool is_id) {
    if (is_id)  // most operators are built in or have no support function, and need no lookup of ours
        return op >= FirstNormalObjectId && OidIsValid(get_func_support(get_opcode(op))) &&
                       get_func_support(get_opcode(op)) == function_named("luuid_time_support", {INTERNALOID})
                   ? BTEqualStrategyNumber
                   : InvalidStrategy;
    if (op == OID_RANGE_ELEM_CONTAINED_OP || op == OID_MULTIRANGE_ELEM_CONTAINED_OP)
        return BTEqualStrategyNumber;
    // date, timestamp and timestamptz are in one operator family.
    return static_cast<StrategyNumber>(get_op_opfamily_strategy(op, get_opclass_family(TIMESTAMPTZ_BTREE_OPS_OID)));
}

// The elements of an array, or the ranges of a multirange, without the nulls of a constant; NIL if they are not known.
List* elements_of(Node* node) {
    if (const auto* array = reinterpret_cast<ArrayExpr*>(node); IsA(array, ArrayExpr))
        return array->multidims ? NIL : array->elements;
    const auto* constant = reinterpret_cast<Const*>(node);
    if (!IsA(constant, Const) || constant->constisnull)
        return NIL;
    List* elements = NIL;
    const auto add = [&](const TypeCacheEntry* type, Datum value) {
        elements =
            lappend(elements, makeConst(type->type_id, -1, InvalidOid, type->typlen, value, false, type->typbyval));
    };
    if (slice_type(node) == TSTZMULTIRANGEOID) {
        const MultirangeType* ranges = DatumGetMultirangeTypeP(constant->constvalue);
        TypeCacheEntry* type = lookup_type_cache(TSTZRANGEOID, TYPECACHE_RANGE_INFO);
        for (uint32 i = 0; i < ranges->rangeCount; ++i)
            add(type, RangeTypePGetDatum(multirange_get_range(type, ranges, static_cast<int>(i))));
        return elements;
    }
    ArrayType* values = DatumGetArrayTypeP(constant->constvalue);
    const TypeCacheEntry* type = lookup_type_cache(ARR_ELEMTYPE(values), 0);
    Datum value = 0;
    bool is_null = false;
    for (ArrayIterator each = array_create_iterator(values, 0, nullptr); array_iterate(each, &value, &is_null);)
        if (!is_null)
            add(type, value);
    return elements;
}

}  // namespace

TimeComparison luuid::pg::time_comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* clause) {
    const bool is_any = IsA(clause, ScalarArrayOpExpr) && reinterpret_cast<ScalarArrayOpExpr*>(clause)->useOr;
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    const List* arguments = is_any ? any->args : IsA(clause, OpExpr) ? operation->args : NIL;
    if (list_length(arguments) != 2)
        return {};
    Oid op = is_any ? any->opno : operation->opno;
    auto *side = static_cast<Node*>(linitial(arguments)), *other = static_cast<Node*>(lsecond(arguments));
    TimeComparison comparison = side_of_column(rel, side);
    if (comparison.side == nullptr && !is_any) {
        std::swap(side, other);
        op = get_commutator(op);
        comparison = side_of_column(rel, side);
    }
    if (comparison.side != nullptr && !(comparison.is_id && is_any))
        comparison.strategy = strategy_of(op, comparison.is_id);
    List* values = comparison.strategy == InvalidStrategy ? NIL : is_any ? elements_of(other) : list_make1(other);
    if (values == NIL)
        return {};
    Node* least = comparison.least = extreme_of(root, values, IS_LEAST);
    comparison.greatest = extreme_of(root, values, IS_GREATEST);
    const Oid type = slice_type(least);
    const bool is_time = type == TIMESTAMPTZOID, is_multirange = type == TSTZMULTIRANGEOID;
    // GREATEST compares ranges by where they begin, so of an array's it need not be the one that ends last.
    const bool is_slice = comparison.unit == nullptr && OidIsValid(type) && (is_time || !is_any);
    // In a join, an index of the other table may need a comparison of a time, as it is written.
    const Relids others = pull_varnos(root, least);
    if (!(is_slice || is_time || is_local(least)) || contain_volatile_functions(least) || contain_subplans(least) ||
        (comparison.is_id ? bms_is_member(static_cast<int>(rel->relid), others) : !bms_is_empty(others)))
        return {};
    // To compare a timestamp with a timestamptz, the server converts by the session's time zone, and not by this one.
    if (comparison.zone != nullptr && is_time != (exprType(side) == TIMESTAMPTZOID))
        return {};
    comparison.values = is_multirange ? elements_of(other) : values;
    comparison.is_exact = is_slice && list_length(values) == 1 && !is_multirange;
    return comparison;
}

List* luuid::pg::bounds_of(const TimeComparison& comparison, Node* least, Node* greatest) {
    constexpr StrategyNumber at_least = BTGreaterEqualStrategyNumber, at_most = BTLessEqualStrategyNumber;
    List* bounds = NIL;
    if (comparison.strategy >= BTEqualStrategyNumber)
        bounds = lappend(bounds, bound_of(comparison, std::max(comparison.strategy, at_least), least));
    if (comparison.strategy <= BTEqualStrategyNumber)
        bounds = lappend(bounds, bound_of(comparison, std::min(comparison.strategy, at_most), greatest));
    return bounds;
}
