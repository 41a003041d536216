// Reads comparisons of an id's time, and builds the bounds of the id that they imply.
#include "time_comparison.hpp"

#include <algorithm>
#include <utility>

using namespace luuid;
using namespace luuid::pg;

namespace {

// The strategy of `<@`, beside those of a B-tree.
constexpr StrategyNumber within_strategy = BTMaxStrategyNumber + 1;

// A column's time, converted to local time or rounded down.
struct RoundedTime {
    Var* column = nullptr;    // null for another expression
    int64 width = 0;          // rounded by less than so many microseconds
    Node* zone = nullptr;     // by which it is rounded or converted; null for the session's
    bool is_rounded = false;  // or converted
};

// A comparison of such a time with an expression that does not depend on the same row.
struct TimeComparison {
    RoundedTime time;
    StrategyNumber strategy = InvalidStrategy;
    Node* rounded = nullptr;
    Node* other = nullptr;
};

// The longest of a unit of date_trunc, in microseconds; 0 if it is none, or not a constant.
int64 width_of_unit(Node* name) {
    if (!IsA(name, Const) || reinterpret_cast<Const*>(name)->constisnull)
        return 0;
    char* unit = TextDatumGetCString(reinterpret_cast<Const*>(name)->constvalue);
    int value = 0;
    if (DecodeUnits(0, downcase_truncate_identifier(unit, static_cast<int>(strlen(unit)), false), &value) != UNITS)
        return 0;
    constexpr std::pair<int, int64> widths[] = {{DTK_MICROSEC, 1},
                                                {DTK_MILLISEC, 1000},
                                                {DTK_SECOND, USECS_PER_SEC},
                                                {DTK_MINUTE, USECS_PER_MINUTE},
                                                {DTK_HOUR, USECS_PER_HOUR},
                                                {DTK_DAY, USECS_PER_DAY},
                                                {DTK_WEEK, 7 * USECS_PER_DAY},
                                                {DTK_MONTH, 31 * USECS_PER_DAY},
                                                {DTK_QUARTER, 92 * USECS_PER_DAY},
                                                {DTK_YEAR, 366 * USECS_PER_DAY},
                                                {DTK_DECADE, 3653 * USECS_PER_DAY},
                                                {DTK_CENTURY, 36525 * USECS_PER_DAY},
                                                {DTK_MILLENNIUM, 365243 * USECS_PER_DAY}};
    const auto* found = std::ranges::find(widths, value, &std::pair<int, int64>::first);
    return found != std::end(widths) ? found->second : 0;
}

// Takes one rounding and one conversion to local time off a column's time.
RoundedTime rounded_time(Node* node) {
    RoundedTime time;
    const auto function = [&node] { return IsA(node, FuncExpr) ? reinterpret_cast<FuncExpr*>(node)->funcid : Oid{0}; };
    const auto argument = [&node](int number) {
        return static_cast<Node*>(list_nth(reinterpret_cast<FuncExpr*>(node)->args, number));
    };
    const auto is_zone = [](const Node* zone) { return IsA(zone, Const) || IsA(zone, Param); };
    switch (function()) {
        case F_DATE_TIMESTAMP:
        case F_DATE_TIMESTAMPTZ:
            time = {nullptr, USECS_PER_DAY, nullptr, true};
            node = argument(0);
            break;
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT:
            if (!is_zone(argument(2)))
                return {};
            time.zone = argument(2);
            [[fallthrough]];
        case F_DATE_TRUNC_TEXT_TIMESTAMPTZ:
        case F_DATE_TRUNC_TEXT_TIMESTAMP:
            time.is_rounded = true;
            time.width = width_of_unit(argument(0));
            if (time.width == 0)
                return {};
            node = argument(1);
            break;
        default:
            break;
    }
    if (function() == F_TIMESTAMP_TIMESTAMPTZ) {
        time.is_rounded = true;
        node = argument(0);
    } else if (function() == F_TIMEZONE_TEXT_TIMESTAMPTZ && is_zone(argument(0))) {
        time.is_rounded = true;
        time.zone = argument(0);
        node = argument(1);
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

// Whether the bounds can be built of the other side, and are worth it.
bool is_bounding(PlannerInfo* root, const TimeComparison& comparison, Index table) {
    const Oid type = exprType(comparison.other);
    const Oid rounded_type = exprType(comparison.rounded);
    const bool is_range = comparison.strategy == within_strategy && !comparison.time.is_rounded;
    const bool is_time = comparison.strategy != within_strategy && comparison.strategy != InvalidStrategy &&
                         (type == TIMESTAMPTZOID || type == TIMESTAMPOID || type == DATEOID);
    if (!(is_range && is_slice(comparison.other)) && !is_time)
        return false;
    // The server converts between local and absolute times by the session's time zone.
    if (comparison.time.zone != nullptr && (type == TIMESTAMPTZOID) != (rounded_type == TIMESTAMPTZOID))
        return false;
    if (!may_be_repeated(comparison.other))
        return false;
    // A join on `=` has its own ways, and estimates; one on a rounded time may have few different values to remember.
    const bool is_exact = is_range || (type == TIMESTAMPTZOID && !comparison.time.is_rounded);
    return !contain_var_clause(comparison.other) ||
           (is_exact && comparison.strategy != BTEqualStrategyNumber &&
            !bms_is_member(static_cast<int>(table), pull_varnos(root, comparison.other)));
}

TimeComparison time_comparison(PlannerInfo* root, Index table, Node* clause) {
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (!IsA(clause, OpExpr) || list_length(operation->args) != 2)
        return {};
    for (const bool is_left : {true, false}) {
        auto* side = static_cast<Node*>(list_nth(operation->args, is_left ? 0 : 1));
        TimeComparison comparison{rounded_time(side), InvalidStrategy, side,
                                  static_cast<Node*>(list_nth(operation->args, is_left ? 1 : 0))};
        const Var* column = comparison.time.column;
        if (column == nullptr || column->varno != static_cast<int>(table) || column->varlevelsup != 0)
            continue;
        comparison.strategy = strategy_of(operation->opno, side, is_left);
        if (is_bounding(root, comparison, table))
            return comparison;
    }
    return {};
}

Node* constant(Oid type, int length, Datum datum) {
    return reinterpret_cast<Node*>(
        makeConst(type, -1, type == TEXTOID ? DEFAULT_COLLATION_OID : InvalidOid, length, datum, false, false));
}

// The bounds of a local or rounded time, which may be wide: the clause itself is checked too.
List* local_bounds(const TimeComparison& comparison) {
    auto* id = reinterpret_cast<Node*>(comparison.time.column);
    const Oid type = exprType(comparison.other);
    const auto other = [&] { return static_cast<Node*>(copyObjectImpl(comparison.other)); };
    Node* zone = comparison.time.zone != nullptr ? comparison.time.zone
                                                 : constant(TEXTOID, -1, PointerGetDatum(cstring_to_text("")));
    List* bounds = NIL;
    if (comparison.strategy >= BTEqualStrategyNumber)
        bounds = list_make1(
            pg::comparison(id, BTGreaterEqualStrategyNumber,
                           call_of("luuid_local_floor", {type, TEXTOID}, luuid_type(), list_make2(other(), zone))));
    if (comparison.strategy <= BTEqualStrategyNumber) {
        // A day before another has ended when that begins.
        const bool is_less = comparison.strategy == BTLessStrategyNumber;
        const bool are_days = type == DATEOID && exprType(comparison.rounded) == DATEOID;
        int64 width = is_less && are_days ? 0 : comparison.time.width;
        if (is_less || width > 0)
            --width;
        auto* interval = static_cast<Interval*>(palloc0(sizeof(Interval)));
        interval->day = static_cast<int32>(width / USECS_PER_DAY);
        interval->time = width % USECS_PER_DAY;
        bounds = lappend(
            bounds,
            pg::comparison(
                id, BTLessEqualStrategyNumber,
                call_of(
                    "luuid_local_ceiling", {type, INTERVALOID, TEXTOID}, luuid_type(),
                    list_make3(other(), constant(INTERVALOID, sizeof(Interval), IntervalPGetDatum(interval)), zone))));
    }
    return bounds;
}

List* bounds_of(const TimeComparison& comparison) {
    auto* id = reinterpret_cast<Node*>(comparison.time.column);
    if (comparison.strategy == within_strategy)
        return comparisons_within(id, comparison.other);
    if (comparison.time.is_rounded || exprType(comparison.other) != TIMESTAMPTZOID)
        return local_bounds(comparison);
    if (comparison.strategy == BTEqualStrategyNumber)
        return comparisons_within(id, comparison.other);
    return list_make1(comparison_with_time(id, comparison.strategy, comparison.other));
}

// The elements of an array that are not null; NIL if they are not known, or more than the days of a month. For more,
// the server's lookup in a hash table costs less than a comparison of each row with all.
List* elements_of(Node* array) {
    constexpr int most = 32;
    if (IsA(array, ArrayExpr)) {
        const auto* expression = reinterpret_cast<ArrayExpr*>(array);
        return expression->multidims || list_length(expression->elements) > most ? NIL : expression->elements;
    }
    const auto* values = reinterpret_cast<Const*>(array);
    if (!IsA(array, Const) || values->constisnull)
        return NIL;
    ArrayType* all = DatumGetArrayTypeP(values->constvalue);
    if (ArrayGetNItems(ARR_NDIM(all), ARR_DIMS(all)) > most)
        return NIL;
    const Oid type = ARR_ELEMTYPE(all);
    int16 length = 0;
    bool is_by_value = false;
    char alignment = 0;
    get_typlenbyvalalign(type, &length, &is_by_value, &alignment);
    Datum* datums = nullptr;
    bool* nulls = nullptr;
    int number = 0;
    deconstruct_array(all, type, length, is_by_value, alignment, &datums, &nulls, &number);
    List* elements = NIL;
    for (int i = 0; i < number; ++i)
        if (!nulls[i])
            elements = lappend(elements, makeConst(type, -1, InvalidOid, length, datums[i], false, is_by_value));
    return elements;
}

// The comparisons with each element of a known array; NIL for another clause.
List* comparisons_with_any(Node* clause, Index table) {
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    if (!IsA(clause, ScalarArrayOpExpr) || !any->useOr)
        return NIL;
    auto* side = static_cast<Node*>(linitial(any->args));
    if (const Var* column = rounded_time(side).column; column == nullptr || column->varno != static_cast<int>(table))
        return NIL;
    List* comparisons = NIL;
    ListCell* cell;
    foreach (cell, elements_of(static_cast<Node*>(lsecond(any->args))))
        comparisons = lappend(comparisons, make_opclause(any->opno, BOOLOID, false, reinterpret_cast<Expr*>(side),
                                                         static_cast<Expr*>(lfirst(cell)), InvalidOid, InvalidOid));
    return comparisons;
}

// Each arm's bounds; NIL if one has none. An OR stands in no other OR: the planner would not look into it.
List* bounds_of_any(PlannerInfo* root, Index table, List* arms) {
    List* result = NIL;
    ListCell* cell;
    foreach (cell, arms) {
        List* bounds = implied_bounds(root, table, static_cast<Node*>(lfirst(cell)));
        if (bounds == NIL)
            return NIL;
        auto* first = static_cast<Node*>(linitial(bounds));
        if (list_length(bounds) == 1 && is_orclause(first))
            result = list_concat(result, reinterpret_cast<BoolExpr*>(first)->args);
        else
            result = lappend(result, make_ands_explicit(bounds));
    }
    if (list_length(result) > 1)
        return list_make1(make_orclause(result));
    return result == NIL ? NIL : make_ands_implicit(static_cast<Expr*>(linitial(result)));
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
    if (IsA(clause, ScalarArrayOpExpr))
        return bounds_of_any(root, table, comparisons_with_any(clause, table));
    const TimeComparison comparison = time_comparison(root, table, clause);
    if (comparison.time.column == nullptr)
        return NIL;
    List* bounds = bounds_of(comparison);
    return list_member_ptr(bounds, nullptr) ? NIL : bounds;
}

Node* luuid::pg::first_comparison(Node* bound) {
    while (is_orclause(bound) || is_andclause(bound))
        bound = static_cast<Node*>(linitial(reinterpret_cast<BoolExpr*>(bound)->args));
    return bound;
}
