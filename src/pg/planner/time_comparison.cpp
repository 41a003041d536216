// Reads comparisons of an id's time.
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// A time, or what extract makes of it.
bool is_time(Node* node) {
    const Oid type = exprType(node);
    return type == TIMESTAMPTZOID || type == DATEOID || type == TIMESTAMPOID || type == NUMERICOID || type == FLOAT8OID;
}

// Of the comparisons of a timestamptz, date or timestamp with another, whose operators are in one family, and of
// numbers.
StrategyNumber strategy_of(Oid op, Oid type) {
    const Oid family = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY)->btree_opf;
    return static_cast<StrategyNumber>(get_op_opfamily_strategy(op, family));
}

// The elements of an array that are not null; NIL if they are not known, or more than the days of a month. For more,
// the server's lookup in a hash table costs less than a comparison of each row with all.
List* elements_of(Node* array) {
    constexpr int most = 32;
    if (IsA(array, ArrayExpr)) {
        const auto* expression = reinterpret_cast<ArrayExpr*>(array);
        return expression->multidims || list_length(expression->elements) > most ? NIL : expression->elements;
    }
    const auto* constant = reinterpret_cast<Const*>(array);
    if (!IsA(array, Const) || constant->constisnull)
        return NIL;
    ArrayType* values = DatumGetArrayTypeP(constant->constvalue);
    const Oid type = ARR_ELEMTYPE(values);
    const int count = ArrayGetNItems(ARR_NDIM(values), ARR_DIMS(values));
    if (count > most)
        return NIL;
    int16 length = 0;
    bool is_by_value = false;
    char alignment = 0;
    get_typlenbyvalalign(type, &length, &is_by_value, &alignment);
    Datum* datums = nullptr;
    bool* nulls = nullptr;
    int number = 0;
    deconstruct_array(values, type, length, is_by_value, alignment, &datums, &nulls, &number);
    List* elements = NIL;
    for (int i = 0; i < number; ++i)
        if (!nulls[i])
            elements = lappend(elements, makeConst(type, -1, InvalidOid, length, datums[i], false, is_by_value));
    return elements;
}

// The column of luuid_extract_timestamp(id), rounded or not, that is compared with another expression; null for
// anything else.
Node* id_of(Node* rounded, Node* other) {
    Node* time = without_rounding(rounded);
    if (!IsA(time, FuncExpr))
        return nullptr;
    const auto* call = reinterpret_cast<FuncExpr*>(time);
    // Most are the server's functions.
    if (call->funcid < FirstNormalObjectId || list_length(call->args) != 1 || call->funcid != time_function())
        return nullptr;
    auto* id = static_cast<Node*>(linitial(call->args));
    return IsA(without_relabels(id), Var) && may_be_compared(rounded, other) ? id : nullptr;
}

// What a sibling says about an id: its strategy, with the id on the left.
StrategyNumber strategy_about(Node* sibling, Node* id) {
    const TimeComparison comparison = time_comparison(sibling);
    if (comparison.is_some() && equal(comparison.id, id))
        return comparison.strategy;
    const TimeComparison other_way = comparison.commuted();
    return other_way.is_some() && equal(other_way.id, id) ? other_way.strategy : InvalidStrategy;
}

bool is_upper_bound(StrategyNumber strategy) noexcept {
    return strategy == BTLessStrategyNumber || strategy == BTLessEqualStrategyNumber;
}

List* rounded_bounds(const TimeComparison& comparison) {
    Node *id = comparison.id, *rounded = comparison.time, *other = comparison.other;
    List* bounds = NIL;
    if (!is_upper_bound(comparison.strategy))
        bounds = list_make1(comparison_with_time(id, BTGreaterEqualStrategyNumber, first_rounded_to(rounded, other)));
    if (!is_lower_bound(comparison.strategy)) {
        Node* last = comparison.strategy == BTLessStrategyNumber ? last_rounded_below(rounded, other)
                                                                 : last_rounded_to(rounded, other);
        bounds = lappend(bounds, comparison_with_time(id, BTLessEqualStrategyNumber, last));
    }
    return bounds;
}

}  // namespace

TimeComparison luuid::pg::time_comparison(Node* clause) {
    if (!IsA(clause, OpExpr))
        return {};
    const auto* operation = reinterpret_cast<OpExpr*>(clause);
    if (list_length(operation->args) != 2)
        return {};
    auto* left = static_cast<Node*>(linitial(operation->args));
    auto* right = static_cast<Node*>(lsecond(operation->args));
    Node *left_id = id_of(left, right), *right_id = id_of(right, left);
    if ((left_id == nullptr && right_id == nullptr) || !is_time(left) || !is_time(right))
        return {};
    const StrategyNumber strategy = strategy_of(operation->opno, exprType(left));
    if (strategy == InvalidStrategy)
        return {};
    const TimeComparison comparison{left_id, strategy, right, right_id, left};
    return left_id != nullptr ? comparison : comparison.commuted();
}

List* luuid::pg::comparisons_with_any(Node* clause) {
    const auto* any = reinterpret_cast<ScalarArrayOpExpr*>(clause);
    if (!IsA(clause, ScalarArrayOpExpr) || !any->useOr)
        return NIL;
    auto* left = static_cast<Node*>(linitial(any->args));
    List* elements = elements_of(static_cast<Node*>(lsecond(any->args)));
    if (elements == NIL || id_of(left, static_cast<Node*>(linitial(elements))) == nullptr)
        return NIL;
    List* comparisons = NIL;
    ListCell* cell;
    foreach (cell, elements) {
        Expr* comparison = make_opclause(any->opno, BOOLOID, false, static_cast<Expr*>(copyObjectImpl(left)),
                                         static_cast<Expr*>(lfirst(cell)), InvalidOid, any->inputcollid);
        set_opfuncid(reinterpret_cast<OpExpr*>(comparison));
        comparisons = lappend(comparisons, comparison);
    }
    return comparisons;
}

bool luuid::pg::is_bounded_beside(List* siblings, const Node* clause, Node* id) {
    ListCell* cell;
    foreach (cell, siblings) {
        auto* sibling = static_cast<Node*>(lfirst(cell));
        if (sibling == clause)
            continue;
        const TimeComparison comparison = time_comparison(sibling);
        if (comparison.is_some() && comparison.other_id == nullptr && equal(comparison.id, id))
            return true;
    }
    return false;
}

bool luuid::pg::excludes_untimed(List* siblings, const Node* clause, const TimeComparison& comparison) {
    bool is_before = true;
    ListCell* cell;
    foreach (cell, siblings) {
        auto* sibling = static_cast<Node*>(lfirst(cell));
        if (sibling == clause) {
            is_before = false;
            continue;
        }
        const StrategyNumber strategy = strategy_about(sibling, comparison.id);
        if (strategy == InvalidStrategy)
            continue;
        const bool is_same_way =
            strategy != BTEqualStrategyNumber && is_lower_bound(strategy) == is_lower_bound(comparison.strategy);
        if (!is_same_way || is_before)
            return true;
    }
    return false;
}

List* luuid::pg::implied_bounds(const TimeComparison& comparison) {
    if (comparison.is_rounded())
        return rounded_bounds(comparison);
    Node *id = comparison.id, *time = time_of(comparison.other);
    if (comparison.strategy == BTEqualStrategyNumber)
        return list_make2(comparison_with_time(id, BTGreaterEqualStrategyNumber, time),
                          comparison_with_time(id, BTLessEqualStrategyNumber, time));
    return list_make1(comparison_with_time(id, comparison.strategy, time));
}

Node* luuid::pg::rechecked(Node* clause) { return call_of("luuid_recheck", {BOOLOID}, BOOLOID, list_make1(clause)); }

Node* luuid::pg::all_times(Node* id, bool is_lower) {
    return is_lower ? comparison(id, BTGreaterEqualStrategyNumber, end_of_all_times(End::floor))
                    : comparison(id, BTLessEqualStrategyNumber, end_of_all_times(End::ceiling));
}
