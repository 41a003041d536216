// Reads comparisons of an id's time, and builds the bounds of the id that they imply.
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// The strategy of `<@`, beside those of a B-tree.
constexpr StrategyNumber within_strategy = BTMaxStrategyNumber + 1;

// A column's time, converted to local time or rounded down.
struct RoundedTime {
    Var* column = nullptr;  // null for another expression
    Node* unit = nullptr;   // to which it is rounded, a microsecond if it is converted; null if it is neither
    Node* zone = nullptr;   // by which; null for the session's
};

// A comparison of such a time with an expression that does not depend on the same row, or with the elements of an
// array.
struct TimeComparison {
    RoundedTime time;
    StrategyNumber strategy = InvalidStrategy;
    Node* rounded = nullptr;
    Node *least = nullptr, *greatest = nullptr;  // of what it is compared with
};

Node* text_constant(const char* text) {
    return reinterpret_cast<Node*>(
        makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false));
}

// Takes one rounding and one conversion to local time off a column's time.
RoundedTime rounded_time(Node* node) {
    RoundedTime time;
    const auto function = [&node] { return IsA(node, FuncExpr) ? reinterpret_cast<FuncExpr*>(node)->funcid : Oid{0}; };
    const auto argument = [&node](int number) {
        return static_cast<Node*>(list_nth(reinterpret_cast<FuncExpr*>(node)->args, number));
    };
    const auto is_known = [](const Node* name) { return IsA(name, Const) || IsA(name, Param); };
    switch (function()) {
        case F_DATE_TIMESTAMP:
        case F_DATE_TIMESTAMPTZ:
            time.unit = text_constant("day");
            node = argument(0);
            break;
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
            time.zone = argument(2);
            [[fallthrough]];
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
        case F_DATE_TRUNC_TEXT_TIMESTAMP:
            time.unit = argument(0);
            if (!is_known(time.unit) || (time.zone != nullptr && !is_known(time.zone)))
                return {};
            node = argument(1);
            break;
        default:
            break;
    }
    const bool is_at_zone = function() == F_TIMEZONE_TEXT_TIMESTAMPTZ && is_known(argument(0));
    if (is_at_zone || function() == F_TIMESTAMP_TIMESTAMPTZ) {
        if (is_at_zone)
            time.zone = argument(0);
        if (time.unit == nullptr)
            time.unit = text_constant("microsecond");
        node = argument(is_at_zone ? 1 : 0);
    }
    // Most functions are the server's.
    if (function() < FirstNormalObjectId || function() != extract_timestamp())
        return {};
    Node* id = without_relabels(argument(0));
    time.column = IsA(id, Var) ? reinterpret_cast<Var*>(id) : nullptr;
    return time;
}

StrategyNumber strategy_of(Oid op, Node* side, bool is_left) {
    if (op == (is_left ? OID_RANGE_ELEM_CONTAINED_OP : OID_RANGE_CONTAINS_ELEM_OP) ||
        op == (is_left ? OID_MULTIRANGE_ELEM_CONTAINED_OP : OID_MULTIRANGE_CONTAINS_ELEM_OP))
        return within_strategy;
    const Oid family = lookup_type_cache(exprType(side), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    const auto strategy = static_cast<StrategyNumber>(get_op_opfamily_strategy(op, family));
    return is_left || strategy == InvalidStrategy ? strategy
                                                  : static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
}

// The elements of an array that are not null; NIL if they are not known.
List* elements_of(Node* array) {
    if (IsA(array, ArrayExpr)) {
        const auto* expression = reinterpret_cast<ArrayExpr*>(array);
        return expression->multidims ? NIL : expression->elements;
    }
    const auto* values = reinterpret_cast<Const*>(array);
    if (!IsA(array, Const) || values->constisnull)
        return NIL;
    ArrayType* all = DatumGetArrayTypeP(values->constvalue);
    const Oid type = ARR_ELEMTYPE(all);
    int16 length = 0;
    bool is_by_value = false, is_null = false;
    get_typlenbyval(type, &length, &is_by_value);
    List* elements = NIL;
    Datum element = 0;
    for (ArrayIterator each = array_create_iterator(all, 0, nullptr); array_iterate(each, &element, &is_null);)
        if (!is_null)
            elements = lappend(elements, makeConst(type, -1, InvalidOid, length, element, false, is_by_value));
    return elements;
}

// Whether the bounds can be built of the other side, and are worth it.
bool is_bounding(PlannerInfo* root, const TimeComparison& comparison, Index table) {
    Node* other = comparison.least;
    const Oid type = exprType(other);
    const bool is_exact = comparison.time.unit == nullptr;
    const bool is_range = comparison.strategy == within_strategy && is_exact;
    const bool is_time = comparison.strategy != within_strategy && comparison.strategy != InvalidStrategy &&
                         (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID);
    if (!(is_range && is_slice(other)) && !is_time)
        return false;
    // The server converts between local and absolute times by the session's time zone.
    if (comparison.time.zone != nullptr && (type == TIMESTAMPTZOID) != (exprType(comparison.rounded) == TIMESTAMPTZOID))
        return false;
    if (!may_be_repeated(other))
        return false;
    // A join on `=` has its own ways, and estimates; one on a rounded time may have few different values to remember.
    return !contain_var_clause(other) ||
           ((is_range || (type == TIMESTAMPTZOID && is_exact)) && comparison.strategy != BTEqualStrategyNumber &&
            !bms_is_member(static_cast<int>(table), pull_varnos(root, other)));
}

// Whether a comparison is `id <@ slice` or `id = time`, from which partitions can be pruned. For an index its own
// support function says this: luuid_within_support.
bool is_slice_of_partitioned(PlannerInfo* root, Oid op, Node* side, Node* other) {
    const auto* column = reinterpret_cast<Var*>(without_relabels(side));
    return IsA(column, Var) && column->varlevelsup == 0 && is_slice(other) && !contain_var_clause(other) &&
           planner_rt_fetch(column->varno, root)->relkind == RELKIND_PARTITIONED_TABLE &&
           get_func_support(get_opcode(op)) == function_named("luuid_within_support", {INTERNALOID});
}

// The least, or the greatest, of expressions.
Node* extreme_of(PlannerInfo* root, List* expressions, MinMaxOp op) {
    auto* extreme = makeNode(MinMaxExpr);
    extreme->minmaxtype = exprType(static_cast<Node*>(linitial(expressions)));
    extreme->inputcollid = exprCollation(static_cast<Node*>(linitial(expressions)));
    extreme->op = op;
    extreme->args = expressions;
    extreme->location = -1;
    return eval_const_expressions(root, reinterpret_cast<Node*>(extreme));
}

TimeComparison time_comparison(PlannerInfo* root, Index table, Node* clause) {
    const bool is_any = IsA(clause, ScalarArrayOpExpr) && reinterpret_cast<ScalarArrayOpExpr*>(clause)->useOr;
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (!is_any && (!IsA(clause, OpExpr) || list_length(operation->args) != 2))
        return {};
    List* arguments = is_any ? any->args : operation->args;
    for (const bool is_left : {true, false}) {
        auto* side = static_cast<Node*>(list_nth(arguments, is_left ? 0 : 1));
        auto* other = static_cast<Node*>(list_nth(arguments, is_left ? 1 : 0));
        TimeComparison comparison{rounded_time(side), InvalidStrategy, side, other, other};
        if (IsA(clause, OpExpr) && is_slice_of_partitioned(root, operation->opno, side, other))
            comparison.time.column = reinterpret_cast<Var*>(without_relabels(side));
        const Var* column = comparison.time.column;
        if (column == nullptr || column->varno != static_cast<int>(table) || column->varlevelsup != 0)
            continue;
        if (is_any) {
            List* elements = elements_of(other);
            if (!is_left || elements == NIL)
                continue;
            comparison.least = extreme_of(root, elements, IS_LEAST);
            comparison.greatest = extreme_of(root, elements, IS_GREATEST);
        }
        comparison.strategy = strategy_of(is_any ? any->opno : operation->opno, side, is_left);
        if (comparison.time.column == reinterpret_cast<Var*>(without_relabels(side)))
            comparison.strategy = within_strategy;
        // The greatest range need not end last.
        if (is_any && comparison.strategy == within_strategy)
            continue;
        if (is_bounding(root, comparison, table))
            return comparison;
    }
    return {};
}

// The locations of a bound, and of a comparison that has bounds beside it, which nothing parsed has: the planner copies
// a location wherever it copies a clause, and compares none.
constexpr int bound_location = -2, bounded_location = -3;

// Whether a clause has a location, or some part of an AND, or each arm of an OR.
bool is_located(Node* clause, int location) {
    if (IsA(clause, OpExpr))
        return reinterpret_cast<OpExpr*>(clause)->location == location;
    if (IsA(clause, ScalarArrayOpExpr))
        return reinterpret_cast<ScalarArrayOpExpr*>(clause)->location == location;
    const bool is_and = is_andclause(clause), is_or = is_orclause(clause);
    if (!is_and && !is_or)
        return false;
    ListCell* cell;
    foreach (cell, reinterpret_cast<BoolExpr*>(clause)->args)
        if (is_located(static_cast<Node*>(lfirst(cell)), location) == is_and)
            return is_and;
    return is_or;
}

Node* bound(Node* comparison) {
    if (comparison != nullptr)
        reinterpret_cast<OpExpr*>(comparison)->location = bound_location;
    return comparison;
}

// The bound by one of the four inequalities. Of a local or rounded time it may be wide: the clause itself is checked
// too.
Node* bound_of(const TimeComparison& comparison, StrategyNumber strategy) {
    auto* id = reinterpret_cast<Node*>(comparison.time.column);
    const bool is_lower = strategy > BTEqualStrategyNumber;
    Node* other = is_lower ? comparison.least : comparison.greatest;
    const Oid type = exprType(other);
    if (comparison.strategy == within_strategy || (comparison.time.unit == nullptr && type == TIMESTAMPTZOID))
        return bound(comparison_with_time(id, strategy, other));
    constexpr const char* names[] = {"<", "<=", "=", ">=", ">"};
    Node* unit = comparison.time.unit != nullptr ? comparison.time.unit : text_constant("microsecond");
    List* arguments = list_make3(copyObjectImpl(other), text_constant(names[strategy - 1]), copyObjectImpl(unit));
    Node* zone = comparison.time.zone;
    Node* at = zone == nullptr ? call_of("luuid_local_bound", {type, TEXTOID, TEXTOID}, luuid_type(), arguments)
                               : call_of("luuid_local_bound", {type, TEXTOID, TEXTOID, TEXTOID}, luuid_type(),
                                         lappend(arguments, copyObjectImpl(zone)));
    return bound(pg::comparison(id, is_lower ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber, at));
}

List* bounds_of(const TimeComparison& comparison) {
    const StrategyNumber strategy = comparison.strategy;
    if (strategy != BTEqualStrategyNumber && strategy != within_strategy)
        return list_make1(bound_of(comparison, strategy));
    return list_make2(bound_of(comparison, BTGreaterEqualStrategyNumber),
                      bound_of(comparison, BTLessEqualStrategyNumber));
}

bool is_lower(const OpExpr* bound) {
    return get_op_opfamily_strategy(bound->opno, time_family()) > BTEqualStrategyNumber;
}

Var* column_of(const OpExpr* bound) {
    return reinterpret_cast<Var*>(without_relabels(static_cast<Node*>(linitial(bound->args))));
}

// The range from the least to the greatest id that one of several arms allows; NIL if they are not of one column.
List* range_of_all(PlannerInfo* root, List* arms) {
    Node* id = nullptr;
    List *least = NIL, *greatest = NIL;
    ListCell *arm, *cell;
    foreach (arm, arms) {
        Node *lower = nullptr, *upper = nullptr;
        foreach (cell, make_ands_implicit(static_cast<Expr*>(lfirst(arm)))) {
            auto* each = static_cast<OpExpr*>(lfirst(cell));
            if (!IsA(each, OpExpr) || (id != nullptr && !equal(id, column_of(each))))
                continue;
            id = reinterpret_cast<Node*>(column_of(each));
            (is_lower(each) ? lower : upper) = static_cast<Node*>(lsecond(each->args));
        }
        if (lower == nullptr || upper == nullptr)
            return NIL;
        least = lappend(least, lower);
        greatest = lappend(greatest, upper);
    }
    return list_make2(bound(pg::comparison(id, BTGreaterEqualStrategyNumber, extreme_of(root, least, IS_LEAST))),
                      bound(pg::comparison(id, BTLessEqualStrategyNumber, extreme_of(root, greatest, IS_GREATEST))));
}

// Each arm's bounds; NIL if one has none. An OR stands in no other OR: the planner would not look into it.
List* bounds_of_any(PlannerInfo* root, Index table, List* arms) {
    List* result = NIL;
    ListCell* cell;
    foreach (cell, arms) {
        List* bounds = closed(implied_bounds(root, table, static_cast<Node*>(lfirst(cell))));
        if (bounds == NIL)
            return NIL;
        auto* first = static_cast<Node*>(linitial(bounds));
        if (list_length(bounds) == 1 && is_orclause(first))
            result = list_concat(result, reinterpret_cast<BoolExpr*>(first)->args);
        else
            result = lappend(result, make_ands_explicit(bounds));
    }
    // More arms take the planner longer than they save.
    constexpr int most_arms = 8;
    List* range = list_length(result) > most_arms ? range_of_all(root, result) : NIL;
    return range != NIL ? range : list_make1(make_orclause(result));
}

}  // namespace

List* luuid::pg::implied_bounds(PlannerInfo* root, Index table, Node* clause) {
    check_stack_depth();
    CHECK_FOR_INTERRUPTS();
    if (is_orclause(clause))
        return bounds_of_any(root, table, reinterpret_cast<BoolExpr*>(clause)->args);
    if (is_andclause(clause)) {
        List* result = NIL;
        ListCell* cell;
        foreach (cell, reinterpret_cast<BoolExpr*>(clause)->args)
            result = list_concat(result, implied_bounds(root, table, static_cast<Node*>(lfirst(cell))));
        return result;
    }
    const TimeComparison comparison = time_comparison(root, table, clause);
    if (comparison.time.column == nullptr)
        return NIL;
    List* bounds = bounds_of(comparison);
    if (list_member_ptr(bounds, nullptr))
        return NIL;
    (IsA(clause, OpExpr) ? reinterpret_cast<OpExpr*>(clause)->location
                         : reinterpret_cast<ScalarArrayOpExpr*>(clause)->location) = bounded_location;
    return bounds;
}

List* luuid::pg::closed(List* bounds) {
    // The ends that a column is bounded at, and those at which it is so by no other row.
    Bitmapset* ends = nullptr;
    const auto end = [](const OpExpr* bound, bool is_lower, bool is_alone) {
        return column_of(bound)->varattno * 4 + (is_lower ? 2 : 0) + (is_alone ? 1 : 0);
    };
    const auto is_alone = [](const OpExpr* bound) {
        return !contain_var_clause(static_cast<Node*>(lsecond(bound->args)));
    };
    const auto add = [&](const OpExpr* bound, bool is_lower) {
        ends = bms_add_member(ends, end(bound, is_lower, false));
        if (is_alone(bound))
            ends = bms_add_member(ends, end(bound, is_lower, true));
    };
    ListCell* cell;
    foreach (cell, bounds)
        if (const auto* each = static_cast<OpExpr*>(lfirst(cell)); IsA(each, OpExpr))
            add(each, is_lower(each));
    List* added = NIL;
    foreach (cell, bounds) {
        const auto* each = static_cast<OpExpr*>(lfirst(cell));
        if (!IsA(each, OpExpr) || bms_is_member(end(each, !is_lower(each), is_alone(each)), ends))
            continue;
        add(each, !is_lower(each));
        const Datum infinity = TimestampTzGetDatum(is_lower(each) ? DT_NOEND : DT_NOBEGIN);
        Const* time = makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(infinity), infinity, false, true);
        added = lappend(added,
                        bound(comparison_with_time(reinterpret_cast<Node*>(column_of(each)),
                                                   is_lower(each) ? BTLessEqualStrategyNumber : BTGreaterStrategyNumber,
                                                   reinterpret_cast<Node*>(time))));
    }
    return list_concat(bounds, added);
}

bool luuid::pg::is_bound(Node* clause) { return is_located(clause, bound_location); }

bool luuid::pg::is_bounded(Node* clause) { return is_located(clause, bounded_location); }

List* luuid::pg::alternatives_of(Node* clause) {
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    if (is_orclause(clause))
        return reinterpret_cast<BoolExpr*>(clause)->args;
    if (!IsA(clause, ScalarArrayOpExpr) || !any->useOr)
        return NIL;
    List* comparisons = NIL;
    ListCell* cell;
    foreach (cell, elements_of(static_cast<Node*>(lsecond(any->args))))
        comparisons =
            lappend(comparisons, make_opclause(any->opno, BOOLOID, false, static_cast<Expr*>(linitial(any->args)),
                                               static_cast<Expr*>(lfirst(cell)), InvalidOid, InvalidOid));
    return comparisons;
}
