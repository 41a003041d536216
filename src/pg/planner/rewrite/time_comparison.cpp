// Reads comparisons of an id's time, and builds the bounds of the id that they imply.
#include "rewrite.hpp"

#include "../boundaries.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::pg;

namespace {

// A column's time, or the column itself.
struct ColumnTime {
    Var* column = nullptr;  // null for another expression
    Node* unit = nullptr;   // to which it is rounded, a microsecond if it is converted to local time; null if neither
    Node* zone = nullptr;   // by which; null for the session's
};

// The ids of a column between two comparisons, of which one may be null.
struct Interval {
    Var* column = nullptr;  // null for none
    Node *lower = nullptr, *upper = nullptr;
    bool is_known = true;  // by values other than those of another row
};

Node* text_constant(const char* text) {
    return reinterpret_cast<Node*>(
        makeConst(TEXTOID, -1, DEFAULT_COLLATION_OID, -1, CStringGetTextDatum(text), false, false));
}

// Takes one rounding and one conversion to local time off a column's time.
ColumnTime time_of_column(Node* node) {
    ColumnTime time;
    const auto function = [&node] { return IsA(node, FuncExpr) ? reinterpret_cast<FuncExpr*>(node)->funcid : Oid{0}; };
    const auto argument = [&node](int number) {
        const List* all = reinterpret_cast<FuncExpr*>(node)->args;
        return number < list_length(all) ? static_cast<Node*>(list_nth(all, number)) : nullptr;
    };
    const auto is_known = [](const Node* name) { return name == nullptr || IsA(name, Const) || IsA(name, Param); };

    const Oid rounding = function();
    if (rounding == F_DATE_TIMESTAMP || rounding == F_DATE_TIMESTAMPTZ) {
        time.unit = text_constant("day");
        node = argument(0);
    } else if (rounding == F_DATE_TRUNC_TEXT_TIMESTAMP || rounding == F_DATE_TRUNC_TEXT_TIMESTAMPTZ ||
               rounding == F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT) {
        time.unit = argument(0);
        time.zone = argument(2);
        node = argument(1);
    }
    const bool is_at_zone = function() == F_TIMEZONE_TEXT_TIMESTAMPTZ;
    if (is_at_zone || function() == F_TIMESTAMP_TIMESTAMPTZ) {
        time.unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
        time.zone = is_at_zone ? argument(0) : nullptr;
        node = argument(is_at_zone ? 1 : 0);
    }
    // Most functions are the server's.
    if (function() >= FirstNormalObjectId && function() == extract_timestamp())
        node = argument(0);
    else if (time.unit != nullptr)
        return {};
    node = without_relabels(node);
    time.column = IsA(node, Var) && is_known(time.unit) && is_known(time.zone) ? reinterpret_cast<Var*>(node) : nullptr;
    return time;
}

bool is_local(Node* time) { return exprType(time) == TIMESTAMPOID || exprType(time) == DATEOID; }

// The bound by one of the four inequalities. Of a local or rounded time it may be wide: the clause itself is checked
// too.
Node* bound_of(const ColumnTime& time, StrategyNumber strategy, Node* other) {
    auto* id = reinterpret_cast<Node*>(time.column);
    if (time.unit == nullptr && !is_local(other))
        return comparison_with_time(id, strategy, other);
    const Oid type = exprType(other);
    constexpr const char* names[] = {"<", "<=", "=", ">=", ">"};
    Node* unit = time.unit != nullptr ? time.unit : text_constant("microsecond");
    List* arguments = list_make3(copyObjectImpl(other), text_constant(names[strategy - 1]), copyObjectImpl(unit));
    Node* at = time.zone == nullptr ? call_of("luuid_local_bound", {type, TEXTOID, TEXTOID}, luuid_type(), arguments)
                                    : call_of("luuid_local_bound", {type, TEXTOID, TEXTOID, TEXTOID}, luuid_type(),
                                              lappend(arguments, copyObjectImpl(time.zone)));
    return comparison(id, strategy > BTEqualStrategyNumber ? BTGreaterEqualStrategyNumber : BTLessEqualStrategyNumber,
                      at);
}

// The least, or the greatest, of expressions.
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

int& location_of(Node* comparison) {
    return IsA(comparison, OpExpr) ? reinterpret_cast<OpExpr*>(comparison)->location
                                   : reinterpret_cast<ScalarArrayOpExpr*>(comparison)->location;
}

// The bounds that ANDed clauses imply for a table.
class ImpliedBounds {
public:
    ImpliedBounds(PlannerInfo* root, Index table) : root_(root), table_(table) {}

    void add_all(const List* clauses) {
        ListCell* cell;
        foreach (cell, clauses)
            add(static_cast<Node*>(lfirst(cell)));
    }

    // All, and the ends of all times where a column is open.
    List* closed() {
        ListCell* cell;
        foreach (cell, intervals_) {
            auto* each = static_cast<Interval*>(lfirst(cell));
            if (each->lower == nullptr)
                add_end(each->lower, end_of_times(each->column, BTGreaterStrategyNumber, DT_NOBEGIN));
            if (each->upper == nullptr)
                add_end(each->upper, end_of_times(each->column, BTLessEqualStrategyNumber, DT_NOEND));
        }
        return bounds_;
    }

private:
    void add(Node* clause) {
        check_stack_depth();
        CHECK_FOR_INTERRUPTS();
        if (is_andclause(clause)) {
            add_all(reinterpret_cast<BoolExpr*>(clause)->args);
        } else if (is_orclause(clause)) {
            add_any(reinterpret_cast<BoolExpr*>(clause)->args);
        } else if (const Interval interval = interval_of(clause); interval.column != nullptr) {
            add_interval(interval);
            location_of(clause) = static_cast<int>(Mark::bounded);
        }
    }

    // The OR of each arm's bounds, or the range from the least to the greatest id of all; nothing if an arm has no
    // bounds. An OR stands in no other OR: the planner would not look into it.
    void add_any(const List* arms) {
        List *alternatives = NIL, *firsts = NIL;
        ListCell* cell;
        foreach (cell, arms) {
            ImpliedBounds arm{root_, table_};
            arm.add(static_cast<Node*>(lfirst(cell)));
            List* bounds = arm.closed();
            if (bounds == NIL)
                return;
            const bool is_or = arm.intervals_ == NIL && list_length(bounds) == 1;
            alternatives =
                list_concat(alternatives, is_or ? arm.alternatives_ : list_make1(make_ands_explicit(bounds)));
            firsts = list_concat(firsts, is_or ? arm.firsts_ : list_truncate(arm.intervals_, 1));
        }
        alternatives_ = alternatives;
        firsts_ = firsts;
        // More arms take the planner longer than they save.
        constexpr int most_arms = 8;
        if (list_length(alternatives) <= most_arms || list_length(firsts) < list_length(alternatives) ||
            !add_range(firsts))
            bounds_ = lappend(bounds_, make_orclause(alternatives));
    }

    // The range from the least to the greatest id of several intervals, if they are of one column.
    bool add_range(const List* intervals) {
        Interval range = *static_cast<Interval*>(linitial(intervals));
        List *least = NIL, *greatest = NIL;
        ListCell* cell;
        foreach (cell, intervals) {
            const auto* each = static_cast<Interval*>(lfirst(cell));
            if (each->column->varattno != range.column->varattno)
                return false;
            least = lappend(least, lsecond(reinterpret_cast<OpExpr*>(each->lower)->args));
            greatest = lappend(greatest, lsecond(reinterpret_cast<OpExpr*>(each->upper)->args));
        }
        auto* id = reinterpret_cast<Node*>(range.column);
        range.lower = comparison(id, BTGreaterEqualStrategyNumber, extreme_of(root_, least, IS_LEAST));
        range.upper = comparison(id, BTLessEqualStrategyNumber, extreme_of(root_, greatest, IS_GREATEST));
        add_interval(range);
        return true;
    }

    // Of a comparison, or of an operator with ANY.
    Interval interval_of(Node* clause) {
        const bool is_any = IsA(clause, ScalarArrayOpExpr) && reinterpret_cast<ScalarArrayOpExpr*>(clause)->useOr;
        const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
        const auto* operation = reinterpret_cast<OpExpr*>(clause);
        if (!is_any && (!IsA(clause, OpExpr) || list_length(operation->args) != 2))
            return {};
        List* arguments = is_any ? any->args : operation->args;
        auto *left = static_cast<Node*>(linitial(arguments)), *right = static_cast<Node*>(lsecond(arguments));
        const Interval interval = interval_by(left, is_any ? any->opno : operation->opno, right, is_any);
        return is_any || interval.column != nullptr ? interval
                                                    : interval_by(right, get_commutator(operation->opno), left, false);
    }

    // Of a time that so compares with the other side, or with an element of it.
    Interval interval_by(Node* side, Oid op, Node* other, bool is_any) {
        const ColumnTime time = time_of_column(side);
        if (time.column == nullptr || time.column->varno != static_cast<int>(table_) || time.column->varlevelsup != 0)
            return {};
        const StrategyNumber strategy = strategy_of(op, side, other);
        if (strategy == InvalidStrategy)
            return {};
        List* others = is_any ? elements_of(other) : list_make1(other);
        if (others == NIL)
            return {};
        Node *least = extreme_of(root_, others, IS_LEAST), *greatest = extreme_of(root_, others, IS_GREATEST);
        if (!is_bounding(time, strategy, exprType(side), least, is_any))
            return {};
        Interval interval{time.column, nullptr, nullptr, !contain_var_clause(least)};
        if (strategy >= BTEqualStrategyNumber)
            interval.lower = bound_of(time, std::max<StrategyNumber>(strategy, BTGreaterEqualStrategyNumber), least);
        if (strategy <= BTEqualStrategyNumber)
            interval.upper = bound_of(time, std::min<StrategyNumber>(strategy, BTLessEqualStrategyNumber), greatest);
        return interval.lower != nullptr || interval.upper != nullptr ? interval : Interval{};
    }

    // By which the bounds of a column itself are those of `id = time` and `id <@ slice`, from which partitions can be
    // pruned. For an index their own support function says this: luuid_within_support.
    StrategyNumber strategy_of(Oid op, Node* side, Node* other) {
        if (IsA(without_relabels(side), Var))
            return planner_rt_fetch(table_, root_)->relkind == RELKIND_PARTITIONED_TABLE &&
                           !contain_var_clause(other) &&
                           get_func_support(get_opcode(op)) == function_named("luuid_within_support", {INTERNALOID})
                       ? BTEqualStrategyNumber
                       : InvalidStrategy;
        if (op == OID_RANGE_ELEM_CONTAINED_OP || op == OID_MULTIRANGE_ELEM_CONTAINED_OP)
            return BTEqualStrategyNumber;
        const Oid family = lookup_type_cache(exprType(side), TYPECACHE_BTREE_OPFAMILY)->btree_opf;
        return static_cast<StrategyNumber>(get_op_opfamily_strategy(op, family));
    }

    // Whether bounds can be built of the other side, and are worth it.
    bool is_bounding(const ColumnTime& time, StrategyNumber strategy, Oid type, Node* other, bool is_any) {
        const bool is_exact = time.unit == nullptr, is_time = slice_type(other) == TIMESTAMPTZOID;
        // The greatest of several ranges need not end last.
        const bool is_slice = is_exact && (is_time || (OidIsValid(slice_type(other)) && !is_any));
        if (!(is_slice || is_time || is_local(other)) || !may_be_repeated(other))
            return false;
        // The server converts between local and absolute times by the session's time zone.
        if (time.zone != nullptr && is_time != (type == TIMESTAMPTZOID))
            return false;
        // A join on `=` has its own ways, and estimates; one on a rounded time may have few different values to
        // remember.
        return !contain_var_clause(other) || (is_slice && !(is_time && strategy == BTEqualStrategyNumber) &&
                                              !bms_is_member(static_cast<int>(table_), pull_varnos(root_, other)));
    }

    // Keeps the first bounds of a column.
    void add_interval(const Interval& added) {
        // Of more, the planner compares each clause with each.
        constexpr int most_bounds = 32;
        Interval* kept = nullptr;
        ListCell* cell;
        foreach (cell, intervals_)
            if (auto* each = static_cast<Interval*>(lfirst(cell));
                each->column->varattno == added.column->varattno && each->is_known == added.is_known)
                kept = each;
        if (kept == nullptr) {
            kept = static_cast<Interval*>(palloc(sizeof(Interval)));
            *kept = {added.column, nullptr, nullptr, added.is_known};
            intervals_ = lappend(intervals_, kept);
        } else if (list_length(bounds_) >= most_bounds) {
            return;
        }
        add_end(kept->lower, added.lower);
        add_end(kept->upper, added.upper);
    }

    void add_end(Node*& first, Node* bound) {
        if (bound == nullptr)
            return;
        location_of(bound) = static_cast<int>(Mark::bound);
        bounds_ = lappend(bounds_, bound);
        if (first == nullptr)
            first = bound;
    }

    static Node* end_of_times(Var* column, StrategyNumber strategy, TimestampTz infinity) {
        Const* time =
            makeConst(TIMESTAMPTZOID, -1, InvalidOid, sizeof(infinity), TimestampTzGetDatum(infinity), false, true);
        return comparison_with_time(reinterpret_cast<Node*>(column), strategy, reinterpret_cast<Node*>(time));
    }

    PlannerInfo* root_;
    Index table_;
    List *bounds_ = NIL, *intervals_ = NIL;
    List *alternatives_ = NIL, *firsts_ = NIL;  // of an OR: the bounds of its arms, and the first interval of each
};

}  // namespace

List* luuid::pg::implied_bounds(PlannerInfo* root, Index table, const List* clauses) {
    ImpliedBounds bounds{root, table};
    bounds.add_all(clauses);
    return bounds.closed();
}

bool luuid::pg::is_marked(Node* clause, Mark mark) {
    if (IsA(clause, OpExpr) || IsA(clause, ScalarArrayOpExpr))
        return location_of(clause) == static_cast<int>(mark);
    const bool is_and = is_andclause(clause), is_or = is_orclause(clause);
    if (!is_and && !is_or)
        return false;
    ListCell* cell;
    foreach (cell, reinterpret_cast<BoolExpr*>(clause)->args)
        if (is_marked(static_cast<Node*>(lfirst(cell)), mark) == is_and)
            return is_and;
    return is_or;
}

bool luuid::pg::has_bounds(PlannerInfo* root, const RelOptInfo* rel, const RestrictInfo* info) {
    if (is_marked(reinterpret_cast<Node*>(info->clause), Mark::bounded))
        return true;
    if (info->left_ec == nullptr)
        return false;
    List* bounds = implied_bounds(root, rel->relid, list_make1(copyObjectImpl(info->clause)));
    return bounds != NIL && list_difference(bounds, extract_actual_clauses(rel->baserestrictinfo, false)) == NIL;
}

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
