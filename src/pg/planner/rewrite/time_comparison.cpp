// Reads comparisons of an id's time, and builds the bounds of the id that they imply.
#include "rewrite.hpp"

#include "../../datum.hpp"
#include "../boundaries.hpp"

#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The planner compares each clause of a column with each other one, so more bounds would cost more than they save.
constexpr int most_comparisons = 32;
// With more arms of ORs in one list of clauses, too, planning takes longer than the bounds save.
constexpr int most_arms = 8;

// A column's time, as one side of a comparison has it, or the column itself.
struct ColumnTime {
    Var* column = nullptr;  // null for another expression
    Node* unit = nullptr;   // to which it is rounded down, 'microsecond' if it only becomes local time; null if neither
    Node* zone = nullptr;   // of the rounding and the local time; null for the session's
};

int& location_of(Node* comparison) {
    return IsA(comparison, OpExpr) ? reinterpret_cast<OpExpr*>(comparison)->location
                                   : reinterpret_cast<ScalarArrayOpExpr*>(comparison)->location;
}

Node* bound(Node* id, StrategyNumber strategy, Node* at) {
    Node* bound = comparison(id, strategy, at);
    location_of(bound) = static_cast<int>(Mark::bound);
    return bound;
}

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
        return bound(id, strategy, other);
    const Oid type = exprType(other);
    constexpr const char* names[] = {"<", "<=", "=", ">=", ">"};
    Node* unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
    List* arguments = list_make3(copyObjectImpl(other), text_constant(names[strategy - 1]), copyObjectImpl(unit));
    Node* at = time.zone == nullptr ? call_of("luuid_local_bound", {type, TEXTOID, TEXTOID}, arguments)
                                    : call_of("luuid_local_bound", {type, TEXTOID, TEXTOID, TEXTOID},
                                              lappend(arguments, copyObjectImpl(time.zone)));
    return bound(id, strategy > BTEqualStrategyNumber ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber, at);
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

// The bounds that one list of clauses implies for a column.
struct ColumnBounds {
    Node* id;  // null for nothing
    int count;
    bool has[2];  // an upper and a lower bound
};

// The bounds that a comparison, or an operator with ANY, implies; NIL if there are none, or too many of its column.
List* bounds_of_comparison(PlannerInfo* root, const RelOptInfo* rel, Node* clause, ColumnBounds* columns) {
    const bool is_any = IsA(clause, ScalarArrayOpExpr) && reinterpret_cast<ScalarArrayOpExpr*>(clause)->useOr;
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (!is_any && (!IsA(clause, OpExpr) || list_length(operation->args) != 2))
        return NIL;
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
        return NIL;
    const StrategyNumber strategy = strategy_of(root, rel, op, side, other);
    List* others = strategy == InvalidStrategy ? NIL : is_any ? elements_of(other) : list_make1(other);
    if (others == NIL)
        return NIL;
    Node *least = extreme_of(root, others, IS_LEAST), *greatest = extreme_of(root, others, IS_GREATEST);
    const bool is_exact = time.unit == nullptr, is_time = slice_type(least) == TIMESTAMPTZOID;
    // GREATEST compares ranges by where they begin, so its result need not be the one that ends last.
    const bool is_slice = is_exact && (is_time || (OidIsValid(slice_type(least)) && !is_any));
    if (!(is_slice || is_time || is_local(least)) || !may_be_repeated(least))
        return NIL;
    // To compare a timestamp with a timestamptz, the server converts by the session's time zone, and not by this one.
    if (time.zone != nullptr && is_time != (exprType(side) == TIMESTAMPTZOID))
        return NIL;
    // A join clause has no bounds if it is an equality, which the planner joins by; if the time is rounded, since a
    // bound is one more key of Memoize; or if the time is indexed, since by has_indexed_join_quals() a semijoin would
    // cost more.
    if (contain_var_clause(least) && (!is_slice || (is_time && strategy == BTEqualStrategyNumber) ||
                                      bms_is_member(time.column->varno, pull_varnos(root, least)) ||
                                      is_on_indexed_time(rel, reinterpret_cast<Expr*>(clause))))
        return NIL;
    ColumnBounds& column = columns[time.column->varattno];
    if (++column.count > most_comparisons)
        return NIL;
    column.id = reinterpret_cast<Node*>(time.column);
    column.has[false] |= strategy <= BTEqualStrategyNumber;
    column.has[true] |= strategy >= BTEqualStrategyNumber;
    location_of(clause) = static_cast<int>(Mark::bounded);
    return strategy == BTEqualStrategyNumber
               ? list_make2(bound_of(time, BTGreaterEqualStrategyNumber, least),
                            bound_of(time, BTLessEqualStrategyNumber, greatest))
               : list_make1(bound_of(time, strategy, strategy > BTEqualStrategyNumber ? least : greatest));
}

// The bounds of each arm of an OR; NIL if an arm implies none, or there are too many arms.
List* bounds_of_arms(PlannerInfo* root, const RelOptInfo* rel, const List* arms) {
    List* alternatives = NIL;
    ListCell* cell;
    foreach (cell, arms) {
        List* bounds = implied_bounds(root, rel, make_ands_implicit(static_cast<Expr*>(lfirst(cell))), true);
        if (bounds == NIL || list_length(alternatives) > most_arms)
            return NIL;
        auto* arm = make_ands_explicit(bounds);
        // The arms of an inner OR become arms of the outer one: the planner looks into no OR below another.
        alternatives =
            list_concat(alternatives, is_orclause(arm) ? reinterpret_cast<BoolExpr*>(arm)->args : list_make1(arm));
    }
    return alternatives;
}

}  // namespace

List* luuid::pg::implied_bounds(PlannerInfo* root, const RelOptInfo* rel, const List* clauses, bool is_arm) {
    check_stack_depth();
    List* bounds = NIL;
    auto* columns = static_cast<ColumnBounds*>(palloc0((rel->max_attr + 1) * sizeof(ColumnBounds)));
    ListCell* cell;
    foreach (cell, clauses) {
        CHECK_FOR_INTERRUPTS();
        bounds = list_concat(bounds, bounds_of_comparison(root, rel, static_cast<Node*>(lfirst(cell)), columns));
    }
    for (int number = 1; bounds != NIL && number <= rel->max_attr; ++number)
        for (const bool is_lower : {false, true})
            if (const auto& [id, count, has] = columns[number]; id != nullptr && !has[is_lower]) {
                Node* end = id_constant(datum_from_id(ceiling_of(is_lower ? Time::min() : Time::max())), false);
                bounds =
                    lappend(bounds, bound(id, is_lower ? BTGreaterStrategyNumber : BTLessEqualStrategyNumber, end));
            }
    int arms = 0;
    foreach (cell, clauses) {
        auto* clause = static_cast<BoolExpr*>(lfirst(cell));
        if (arms > most_arms || (is_arm && bounds != NIL))
            break;
        List* alternatives = is_orclause(clause) ? bounds_of_arms(root, rel, clause->args) : NIL;
        arms += list_length(alternatives);
        if (alternatives != NIL && arms <= most_arms)
            bounds = lappend(bounds, make_orclause(alternatives));
    }
    return bounds;
}

bool luuid::pg::is_on_indexed_time(const RelOptInfo* rel, const Expr* clause) {
    List* arguments = IsA(clause, OpExpr) ? reinterpret_cast<const OpExpr*>(clause)->args : NIL;
    ListCell *index, *expression;
    foreach (index, rel->indexlist)
        foreach (expression, static_cast<IndexOptInfo*>(lfirst(index))->indexprs)
            if (list_member(arguments, lfirst(expression)))
                return true;
    return false;
}

bool luuid::pg::is_marked(Node* clause, Mark mark) {
    if (IsA(clause, RestrictInfo))
        clause = reinterpret_cast<Node*>(reinterpret_cast<RestrictInfo*>(clause)->clause);
    if (IsA(clause, OpExpr) || IsA(clause, ScalarArrayOpExpr))
        return location_of(clause) == static_cast<int>(mark);
    const bool is_and = is_andclause(clause);
    if (!is_and && !is_orclause(clause))
        return false;
    const bool is_by_part = is_and && mark == Mark::bounded;
    ListCell* cell;
    foreach (cell, reinterpret_cast<BoolExpr*>(clause)->args)
        if (is_marked(static_cast<Node*>(lfirst(cell)), mark) == is_by_part)
            return is_by_part;
    return !is_by_part;
}

List* luuid::pg::elements_of(Node* array) {
    if (const auto* expression = reinterpret_cast<ArrayExpr*>(array); IsA(expression, ArrayExpr))
        return expression->multidims ? NIL : expression->elements;
    const auto* constant = reinterpret_cast<Const*>(array);
    if (!IsA(array, Const) || constant->constisnull)
        return NIL;
    ArrayType* values = DatumGetArrayTypeP(constant->constvalue);
    const TypeCacheEntry* type = lookup_type_cache(ARR_ELEMTYPE(values), 0);
    List* elements = NIL;
    Datum value = 0;
    bool is_null = false;
    for (ArrayIterator each = array_create_iterator(values, 0, nullptr); array_iterate(each, &value, &is_null);)
        if (!is_null)
            elements =
                lappend(elements, makeConst(type->type_id, -1, InvalidOid, type->typlen, value, false, type->typbyval));
    return elements;
}
