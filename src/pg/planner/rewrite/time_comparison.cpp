// Reads comparisons of an id's time, and builds the comparisons of the id that these imply.
#include "rewrite.hpp"

#include "../../datum.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

Node* text_constant(const char* text) {
    return reinterpret_cast<Node*>(
        makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false));
}

// Reads a column's time, rounded and converted to local time at most once, as in date_trunc('day', t AT TIME ZONE z).
ColumnTime time_of_column(const RelOptInfo* rel, Node* node) {
    ColumnTime time;
    const auto function = [&node] { return IsA(node, FuncExpr) ? reinterpret_cast<FuncExpr*>(node)->funcid : Oid{0}; };
    const auto argument = [&node](int number) {
        return static_cast<Node*>(list_nth(reinterpret_cast<FuncExpr*>(node)->args, number));
    };
    const auto is_known = [](const Node* name) { return name == nullptr || IsA(name, Const) || IsA(name, Param); };

    const bool has_zone = function() == F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT;
    if (function() == F_DATE_TIMESTAMP || function() == F_DATE_TIMESTAMPTZ) {
        time.unit = text_constant("day");
        node = argument(0);
    } else if (function() == F_DATE_TRUNC_TEXT_TIMESTAMP || function() == F_DATE_TRUNC_TEXT_TIMESTAMPTZ || has_zone) {
        time.unit = argument(0);
        time.zone = has_zone ? argument(2) : nullptr;
        node = argument(1);
    }
    const bool is_at_zone = function() == F_TIMEZONE_TEXT_TIMESTAMPTZ;
    if (is_at_zone || function() == F_TIMESTAMP_TIMESTAMPTZ) {
        time.unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
        time.zone = is_at_zone ? argument(0) : nullptr;
        node = argument(is_at_zone ? 1 : 0);
    }
    // The OID is looked at first, since most functions are built in and need no lookup of ours.
    if (function() >= FirstNormalObjectId && function() == extract_timestamp())
        node = argument(0);
    else if (time.unit != nullptr)
        return {};
    auto* column = reinterpret_cast<Var*>(without_relabels(node));
    if (IsA(column, Var) && column->varno == static_cast<int>(rel->relid) && column->varlevelsup == 0 &&
        is_known(time.unit) && is_known(time.zone))
        time.column = column;
    return time;
}

bool is_local(Node* time) { return exprType(time) == TIMESTAMPOID || exprType(time) == DATEOID; }

// The bound that an inequality implies. For a local or rounded time it may be wide: the comparison filters the rows.
Node* bound_of(const ColumnTime& time, StrategyNumber strategy, Node* other) {
    auto* id = reinterpret_cast<Node*>(time.column);
    if (time.unit == nullptr && !is_local(other))
        return comparison(id, strategy, other);
    constexpr const char* names[] = {"<", "<=", "=", ">=", ">"};
    Node* unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
    List* arguments = list_make3(copyObjectImpl(other), text_constant(names[strategy - 1]), copyObjectImpl(unit));
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
    extreme->inputcollid = exprCollation(first);
    extreme->op = op;
    extreme->args = expressions;
    extreme->location = -1;
    return eval_const_expressions(root, reinterpret_cast<Node*>(extreme));
}

// The B-tree strategy of an operator, `=` for `<@`; InvalidStrategy if it implies no bounds. On a column itself, only
// `id = t` and `id <@ slice` do, and only to prune the partitions of a table: luuid_within_support serves its indexes.
StrategyNumber strategy_of(PlannerInfo* root, const RelOptInfo* rel, Oid op, Node* side, Node* other) {
    if (IsA(without_relabels(side), Var)) {
        const bool is_pruning =
            planner_rt_fetch(rel->relid, root)->relkind == RELKIND_PARTITIONED_TABLE && !contain_var_clause(other);
        // Most operators have no support function, and need no lookup of ours.
        const Oid support = is_pruning ? get_func_support(get_opcode(op)) : InvalidOid;
        return OidIsValid(support) && support == function_named("luuid_within_support", {INTERNALOID})
                   ? BTEqualStrategyNumber
                   : InvalidStrategy;
    }
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
    if (slice_type(node) == TSTZMULTIRANGEOID) {
        const MultirangeType* ranges = DatumGetMultirangeTypeP(constant->constvalue);
        TypeCacheEntry* type = lookup_type_cache(MultirangeTypeGetOid(ranges), TYPECACHE_MULTIRANGE_INFO)->rngtype;
        for (uint32 i = 0; i < ranges->rangeCount; ++i)
            elements =
                lappend(elements, makeConst(type->type_id, -1, InvalidOid, -1,
                                            RangeTypePGetDatum(multirange_get_range(type, ranges, i)), false, false));
        return elements;
    }
    ArrayType* values = DatumGetArrayTypeP(constant->constvalue);
    const TypeCacheEntry* type = lookup_type_cache(ARR_ELEMTYPE(values), 0);
    Datum value = 0;
    bool is_null = false;
    for (ArrayIterator each = array_create_iterator(values, 0, nullptr); array_iterate(each, &value, &is_null);)
        if (!is_null)
            elements =
                lappend(elements, makeConst(type->type_id, -1, InvalidOid, type->typlen, value, false, type->typbyval));
    return elements;
}

}  // namespace

TimeComparison luuid::pg::time_comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* clause) {
    const bool is_any = IsA(clause, ScalarArrayOpExpr) && reinterpret_cast<ScalarArrayOpExpr*>(clause)->useOr;
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (!is_any && (!IsA(clause, OpExpr) || list_length(operation->args) != 2))
        return {};
    List* arguments = is_any ? any->args : operation->args;
    Oid op = is_any ? any->opno : operation->opno;
    auto *side = static_cast<Node*>(linitial(arguments)), *other = static_cast<Node*>(lsecond(arguments));
    ColumnTime time = time_of_column(rel, side);
    if (time.column == nullptr && !is_any) {
        std::swap(side, other);
        op = get_commutator(op);
        time = time_of_column(rel, side);
    }
    if (time.column == nullptr)
        return {};
    const StrategyNumber strategy = strategy_of(root, rel, op, side, other);
    if (strategy == InvalidStrategy)
        return {};
    const bool is_multirange = IsA(other, Const) && slice_type(other) == TSTZMULTIRANGEOID;
    List* values = is_any || is_multirange ? elements_of(other) : list_make1(other);
    if (values == NIL && !is_multirange)
        return {};
    // The bounds of a multirange are those of the range that spans it, and not the lower one of its first range and the
    // upper one of its last: no id is in (,-infinity), whose lower bound therefore is after all ids.
    Node* least = is_multirange ? other : extreme_of(root, values, IS_LEAST);
    Node* greatest = is_multirange ? other : extreme_of(root, values, IS_GREATEST);
    const bool is_time = slice_type(least) == TIMESTAMPTZOID;
    // GREATEST compares ranges by where they begin, so of an array's it need not be the one that ends last.
    const bool is_slice = time.unit == nullptr && OidIsValid(slice_type(least)) && (is_time || !is_any);
    if (!(is_slice || is_time || is_local(least)) || !may_be_repeated(least))
        return {};
    // To compare a timestamp with a timestamptz, the server converts by the session's time zone, and not by this one.
    if (time.zone != nullptr && is_time != (exprType(side) == TIMESTAMPTZOID))
        return {};
    // In a join, an index of the other table may need the comparison.
    if (contain_var_clause(least))
        return {};
    return {time, side, strategy, values, least, greatest};
}

bool TimeComparison::is_exact() const {
    return time.unit == nullptr && list_length(values) == 1 && !is_local(least) &&
           slice_type(least) != TSTZMULTIRANGEOID;
}

List* luuid::pg::bounds_of(const TimeComparison& comparison, Node* least, Node* greatest) {
    const ColumnTime& time = comparison.time;
    const StrategyNumber strategy = comparison.strategy;
    if (strategy != BTEqualStrategyNumber)
        return list_make1(bound_of(time, strategy, strategy > BTEqualStrategyNumber ? least : greatest));
    return list_make2(bound_of(time, BTGreaterEqualStrategyNumber, least),
                      bound_of(time, BTLessEqualStrategyNumber, greatest));
}
