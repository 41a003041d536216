// The index is the statistic. If the user may read all that a B-tree in chronological order has of the column, the rows
// of a range are its entries between two bounds. For `id >= '2026-11-03' AND id < '2026-11-05'` the estimator goes down
// the tree to both bounds at once, and counts the entries of the leaves between them, or of some of these. Otherwise
// the column is a list of points, as in core/distribution.hpp, from the histogram and most common values of ANALYZE.
//
// All comparisons of one value in a list of ANDed clauses are estimated together: the first has the selectivity of all,
// and each other one has 1, since the planner multiplies them. What is unknown has the server's default selectivity.
#include "estimate.hpp"
#include "../../datum.hpp"
#include "../rewrite/rewrite.hpp"

#include <string_view>

using namespace luuid;
using namespace luuid::pg;

namespace {

// A time at a constant distance from a value: `luuid_floor(o.id::timestamptz + '5 min')` is five minutes after o.id.
struct Shifted {
    Node* base = nullptr;  // an id or a timestamptz; null for an expression of another kind
    double offset = 0;     // in milliseconds; a month counts as 30 days
};

// Reads an operand, or one end of a range such as `tstzrange(o.at, o.at + '5 min')`, as a time at a constant distance.
Shifted shifted_of(PlannerInfo* root, Node* node, bool is_lower = true) {
    check_stack_depth();
    node = without_relabels(node);
    const auto* call = reinterpret_cast<const FuncExpr*>(node);
    const auto* operation = reinterpret_cast<const OpExpr*>(node);
    const bool is_call = IsA(node, FuncExpr), is_operation = IsA(node, OpExpr);
    const Oid function = is_call ? call->funcid : is_operation ? get_opcode(operation->opno) : InvalidOid;
    const List* arguments = is_call ? call->args : is_operation ? operation->args : NIL;
    if (function == F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ || function == F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT)
        return shifted_of(root, static_cast<Node*>(list_nth(arguments, is_lower ? 0 : 1)));
    Shifted shifted;
    if (function == F_TIMESTAMPTZ_PL_INTERVAL || function == F_TIMESTAMPTZ_MI_INTERVAL) {
        const Node* known = estimate_expression_value(root, static_cast<Node*>(lsecond(arguments)));
        const auto* interval = reinterpret_cast<const Const*>(known);
        if (IsA(known, Const) && !interval->constisnull) {
            const Interval* value = DatumGetIntervalP(interval->constvalue);
            const double offset = value->time / 1000.0 + (30.0 * value->month + value->day) * (USECS_PER_DAY / 1000.0);
            shifted = shifted_of(root, static_cast<Node*>(linitial(arguments)));
            shifted.offset += function == F_TIMESTAMPTZ_PL_INTERVAL ? offset : -offset;
        }
    } else if (list_length(arguments) == 1) {
        // A function of ours for the time of an id, or for an end of a slice, such as luuid_range_floor().
        const bool is_time = function == extract_timestamp(), is_ours = function >= FirstNormalObjectId;
        const std::string_view name =
            !is_time && is_ours && get_func_namespace(function) == PG_CATALOG_NAMESPACE ? get_func_name(function) : "";
        if (is_time || name.ends_with("_floor") || name.ends_with("_ceiling"))
            shifted = shifted_of(root, static_cast<Node*>(linitial(arguments)), !name.ends_with("_ceiling"));
    }
    if (shifted.base != nullptr)
        return shifted;
    const auto has_time = [](Oid type) { return type == luuid_type() || type == TIMESTAMPTZOID || type == UUIDOID; };
    return {has_time(exprType(node)) || has_time(getBaseType(exprType(node))) ? node : nullptr, 0};
}

// A comparison of a value with a lower or an upper end; `<@`, and `=` with a time, have both.
struct Comparison {
    const OpExpr* clause = nullptr;  // null for a clause of another kind
    RestrictInfo* info = nullptr;    // the clause's; null if it has none
    Node* value = nullptr;           // the side that is bounded
    Shifted shifted = {};            // the value, as a time at a distance
    Node *lower = nullptr, *upper = nullptr;
    bool is_strict = false;     // for `<` and `>`
    bool is_predicate = false;  // whether a partial index has it in its predicate
};

// Accepts the inequalities of the B-tree family. Other operators that name the estimator are `<@`, and `=` with a time;
// one that a superuser has made counts if an operand is a slice.
Comparison comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* entry) {
    auto* info = IsA(entry, RestrictInfo) ? reinterpret_cast<RestrictInfo*>(entry) : nullptr;
    const auto* clause = reinterpret_cast<OpExpr*>(info != nullptr ? info->clause : reinterpret_cast<Expr*>(entry));
    // Most operators are built in, and need no lookup of ours.
    if (!IsA(clause, OpExpr) || list_length(clause->args) != 2 || clause->opno < FirstNormalObjectId)
        return {};
    auto strategy = static_cast<StrategyNumber>(get_op_opfamily_strategy(clause->opno, time_family()));
    if (strategy == BTEqualStrategyNumber ||
        (strategy == InvalidStrategy && get_oprrest(clause->opno) != time_estimator()))
        return {};
    auto *left = static_cast<Node*>(linitial(clause->args)), *right = static_cast<Node*>(lsecond(clause->args));
    const Relids left_of = info != nullptr ? info->left_relids : pull_varnos(root, left);
    const Relids right_of = info != nullptr ? info->right_relids : pull_varnos(root, right);
    const bool is_left = bms_is_member(static_cast<int>(rel->relid), left_of);
    Comparison comparison{clause, info, is_left ? left : right};
    Node* operand = is_left ? right : left;
    if (strategy == InvalidStrategy) {
        comparison.lower = end_of(operand, BTGreaterEqualStrategyNumber);
        comparison.upper = end_of(operand, BTLessEqualStrategyNumber);
    } else {
        strategy = is_left ? strategy : static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy));
        (strategy > BTEqualStrategyNumber ? comparison.lower : comparison.upper) = operand;
        comparison.is_strict = strategy == BTLessStrategyNumber || strategy == BTGreaterStrategyNumber;
    }
    if (is_left == bms_is_member(static_cast<int>(rel->relid), right_of) ||
        (comparison.lower == nullptr && comparison.upper == nullptr))
        return {};
    for (const auto* index : each_of<IndexOptInfo>(rel->indexlist))
        comparison.is_predicate |= list_member(index->indpred, clause);
    comparison.shifted = shifted_of(root, comparison.value);
    return comparison.shifted.base != nullptr ? comparison : Comparison{};
}

// The bounds that ANDed comparisons of one value put on it.
struct Bounds {
    IdRange range;  // by the operands that the planner can evaluate
    // By the other operands: the value is at least `least` and less than `greatest` milliseconds after a base.
    Node* base = nullptr;  // null if the operands have none in common
    double least = -infinite_distance, greatest = infinite_distance;
    Oid op = InvalidOid;  // the operator of one of them

    // Bounds at the ends of all times, as rewrite.cpp adds them, do not count.
    static constexpr Id first = ceiling_of(Time::min()), last = ceiling_of(Time::max());
    bool has_lower() const { return least > -infinite_distance || (range.has_lower() && range.lower.id != first); }
    bool has_upper() const { return greatest < infinite_distance || (range.has_upper() && range.upper.id != last); }
    bool is_unknown() const { return least > -infinite_distance || greatest < infinite_distance; }

    void add(PlannerInfo* root, const Comparison& comparison) {
        op = comparison.clause->opno;
        const double offset = comparison.shifted.offset;
        for (const bool is_lower : {true, false}) {
            Node* operand = is_lower ? comparison.lower : comparison.upper;
            if (operand == nullptr)
                continue;
            Node* known = IsA(operand, Const) ? operand : estimate_expression_value(root, operand);
            const auto* constant = reinterpret_cast<const Const*>(known);
            if (!IsA(constant, Const) || offset != 0) {
                const Shifted other = shifted_of(root, operand);
                base = !is_unknown() || equal(base, other.base) ? other.base : nullptr;
                least = is_lower ? std::max(least, other.offset - offset) : least;
                greatest = is_lower ? greatest : std::min(greatest, other.offset - offset);
            } else if (constant->constisnull) {
                range.upper = range.lower;  // no row passes
            } else {
                const Bound bound{id_from_datum(constant->constvalue), is_lower == comparison.is_strict};
                (is_lower ? range.lower : range.upper) =
                    is_lower ? std::max(range.lower, bound) : std::min(range.upper, bound);
            }
        }
    }
};

// Bounds that depend on another row's time, as in
//
//   e.id >= o.id AND e.id < luuid_floor(o.id::timestamptz + '5 min')
//
// restrict how far the two times are apart: here from nothing to five minutes. The fraction of the pairs of rows that
// pass is an integral of one column's points over the other's. If o has nine rows of 10:00 and one of 22:00, and e has
// 60 rows in the five minutes after 10:00 and none after 22:00, a row of o is expected to have 54 rows of e.
//
// An unknown value, as in `id >= luuid_floor($1) AND id < luuid_floor($1 + '5 min')`, counts as the time of one of the
// rows, since queries ask about times that have rows: if a thousand rows come in one hour of each day, 83 are expected.

// The timed ids of `own` that are at least `least` and less than `greatest` milliseconds after some id in a range.
IdRange within_reach(IdRange own, const IdRange& range, double least, double greatest) {
    const auto moved = [](const Bound& bound, double milliseconds) {
        const double place = std::clamp(place_of(bound.id) + milliseconds, -1e15, 1e15);
        return Bound{floor_of(Time(std::chrono::microseconds(static_cast<std::int64_t>(place * 1000))))};
    };
    if (least > -infinite_distance)
        own.lower = std::max(own.lower, moved(range.lower, least));
    if (greatest < infinite_distance)
        own.upper = std::min({own.upper, Bound{highest_timed, true}, moved(range.upper, greatest)});
    return own;
}

// The range that a relation's restriction clauses leave of a value, by the operands that are known.
IdRange known_range(PlannerInfo* root, const RelOptInfo* rel, const Node* value) {
    Bounds bounds;
    for (Node* clause : each_of<Node>(rel->baserestrictinfo))
        if (const Comparison each = comparison_in(root, rel, clause);
            each.clause != nullptr && equal(each.shifted.base, value))
            bounds.add(root, each);
    return bounds.range;
}

std::optional<double> fraction_in_window(PlannerInfo* root, const Column& column, Node* value, const Bounds& bounds) {
    const double least = bounds.least, greatest = bounds.greatest;
    const Column base = Column::of(root, bounds.base, bounds.op);
    const bool is_any_known = column.is_known() || base.is_known(), are_known = column.is_known() && base.is_known();
    const bool is_open = least == -infinite_distance || greatest == infinite_distance;
    if (least == greatest && column.rel != base.rel)  // as eqjoinsel_inner() of selfuncs.c
        return 1 / std::max(column.distinct, base.distinct);
    if (!is_any_known || (is_open && !are_known) || column.rel == base.rel)
        return std::nullopt;
    // An unknown value counts as the time of a row of the other column.
    const Column &later = column.is_known() ? column : base, &earlier = base.is_known() ? base : column;
    const IdRange later_range = known_range(root, later.rel, column.is_known() ? value : bounds.base);
    const IdRange earlier_range = known_range(root, earlier.rel, base.is_known() ? bounds.base : value);
    const Points rows = later.rows(within_reach(later_range, earlier_range, least, greatest));
    const Points base_rows = earlier.rows(within_reach(earlier_range, later_range, -greatest, -least));
    const double pairs = fraction_nearer(base_rows, rows, greatest) - fraction_nearer(base_rows, rows, least);
    const double whole = later.within(later_range) * (are_known ? earlier.within(earlier_range) : rows.back().fraction);
    return pairs > 0 ? std::min(pairs / whole, 1.0) : 0;
}

double selectivity_of(PlannerInfo* root, Node* value, const Bounds& bounds) {
    if (bounds.range.is_empty())
        return 0;
    const Column column = Column::of(root, value, bounds.op);
    const double known = column.is_known() ? column.within(bounds.range) : 1;
    if (!bounds.is_unknown() && column.is_known())
        return known;
    if (bounds.base != nullptr)
        if (const auto in_window = fraction_in_window(root, column, value, bounds))
            return std::min(*in_window, known);
    constexpr double defaults[] = {1, DEFAULT_INEQ_SEL, DEFAULT_RANGE_INEQ_SEL};
    return std::min(known, defaults[(bounds.has_lower() ? 1 : 0) + (bounds.has_upper() ? 1 : 0)]);
}

// The selectivity of one entry of a list of ANDed clauses, as the planner is told; none if the entry is no comparison.
// The planner estimates the predicate of a partial index separately. So a clause of a predicate has its own
// selectivity, and the others have the fraction that they leave of its rows. With an index WHERE id >= '2026-01-01',
// `id >= '2026-01-01' AND id < '2026-02-01'` has the fraction since January, and then January's part of this.
std::optional<double> selectivity_among(PlannerInfo* root, const RelOptInfo* rel, const List* clauses, Node* entry,
                                        bool is_in_index) {
    const Comparison asked = comparison_in(root, rel, entry);
    if (asked.clause == nullptr)
        return std::nullopt;
    // Comparisons of a function of the id are of no use to an index on it, and come last.
    const auto is_direct = [](const Comparison& each) {
        return equal(without_relabels(each.value), each.shifted.base);
    };
    Bounds predicates, all;
    bool is_part = false, has_asked = false;
    for (Node* other : each_of<Node>(clauses)) {
        const Comparison each = other == entry ? asked : comparison_in(root, rel, other);
        if (each.clause == nullptr || !equal(each.shifted.base, asked.shifted.base) ||
            (each.info != nullptr && !bms_equal(each.info->required_relids, asked.info->required_relids)))
            continue;
        if (is_in_index && !equal(each.value, asked.value)) {
            is_part = true;
            continue;
        }
        has_asked = has_asked || each.clause == asked.clause;
        if (each.is_predicate == asked.is_predicate &&
            (is_direct(each) == is_direct(asked) ? !has_asked : is_direct(each)))
            return 1;
        all.add(root, each);
        if (each.is_predicate)
            predicates.add(root, each);
    }
    // An index scan for one outer row has the selectivity of the join, which the planner keeps in the RestrictInfo.
    if (is_in_index && !is_part && asked.info != nullptr)
        return clause_selectivity(root, entry, 0, JOIN_INNER, nullptr);
    // An index on e.id can use only the first clause of `e.id >= o.id AND luuid_floor(e.id::timestamptz - '5 min') <
    // o.id`. A scan of it reads all rows after o.id, and not those of five minutes, so this clause has the default of
    // one bound. The second clause has 1, since the planner multiplies the two.
    if (is_part && !(all.has_lower() && all.has_upper()))
        return is_direct(asked) ? DEFAULT_INEQ_SEL : 1;
    const double before = OidIsValid(predicates.op) ? selectivity_of(root, asked.shifted.base, predicates) : 1;
    return asked.is_predicate || !(before > 0) ? before
                                               : std::min(selectivity_of(root, asked.shifted.base, all) / before, 1.0);
}

// Finds the clause that has these arguments, in ANDs and ORs too, and the entries that it is ANDed with. The planner
// asks about each of two equal clauses, so addresses are compared. For an index it commutes the arguments.
std::pair<Node*, const List*> clause_with(const List* arguments, const List* clauses, bool are_ored = false) {
    check_stack_depth();
    for (Node* entry : each_of<Node>(clauses)) {
        auto* clause =
            IsA(entry, RestrictInfo) ? reinterpret_cast<RestrictInfo*>(entry)->clause : reinterpret_cast<Expr*>(entry);
        if (const auto* operation = reinterpret_cast<OpExpr*>(clause);
            IsA(clause, OpExpr) && list_member_ptr(operation->args, linitial(arguments)) &&
            list_member_ptr(operation->args, llast(arguments)))
            return {entry, are_ored ? list_make1(entry) : clauses};
        if (is_andclause(clause) || is_orclause(clause))
            if (auto found = clause_with(arguments, reinterpret_cast<BoolExpr*>(clause)->args, is_orclause(clause));
                found.first != nullptr)
                return found;
    }
    return {};
}

// The selectivity for the relation whose index the planner costs, or else for the first whose value the clause
// compares, children first: a clause with a child's columns is in its lists alone, one of a partial index in none.
double selectivity_for(FunctionCallInfo fcinfo, int number) {
    CHECK_FOR_INTERRUPTS();  // a query can have thousands of clauses
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    auto* clause = makeNode(OpExpr);
    clause->opno = PG_GETARG_OID(1);
    clause->args = reinterpret_cast<List*>(PG_GETARG_POINTER(2));
    const Bitmapset* numbers =
        number > 0 ? bms_make_singleton(number) : pull_varnos(root, reinterpret_cast<Node*>(clause->args));
    for (const bool is_child : {true, false})
        for (int each = -1; (each = bms_next_member(numbers, each)) >= 0;) {
            const RelOptInfo* rel = root->simple_rel_array[each];  // null for an outer join
            if (rel == nullptr || (rel->reloptkind == RELOPT_OTHER_MEMBER_REL) != is_child)
                continue;
            auto [entry, list] = clause_with(clause->args, list_concat_copy(rel->baserestrictinfo, rel->joininfo));
            if (entry == nullptr)
                list = list_make1(entry = reinterpret_cast<Node*>(clause));
            if (const auto selectivity = selectivity_among(root, rel, list, entry, number > 0))
                return *selectivity;
        }
    return get_oprjoin(clause->opno) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
}

// Of the rows within the bounds of a comparison of an id's time, the fraction for which it is true. For an array, or a
// multirange, it is what the ranges of its elements have of the range of all: of the rows from the third to the
// thirtieth of November, those of these two days are a fourteenth.
double fraction_checked(PlannerInfo* root, Node* clause) {
    int number = 0;
    if (!bms_get_singleton_member(pull_varnos(root, clause), &number))
        return 1;
    const RelOptInfo* rel = root->simple_rel_array[number];
    const TimeComparison comparison = time_comparison_in(root, rel, clause);
    const int count = list_length(comparison.values);
    if (count < 2)
        return 1;
    const auto within = [&](Node* least, Node* greatest) {
        const List* bounds = bounds_of(comparison, least, greatest);
        return selectivity_among(root, rel, bounds, static_cast<Node*>(linitial(bounds)), false).value_or(1);
    };
    // In a long list, each value that is estimated counts for those up to the next one.
    const int stride = 1 + (count - 1) / 32;
    double sum = 0;
    for (int i = 0; i < count; i += stride) {
        auto* value = static_cast<Node*>(list_nth(comparison.values, i));
        sum += std::min(stride, count - i) * within(value, value);
    }
    const double all = within(comparison.least, comparison.greatest);
    return sum < all ? sum / all : 1;
}

}  // namespace

// luuid_timesel(internal, oid, internal, integer) → double precision: the fraction of the rows that pass an operator of
// the chronological order, and all comparisons of the same value that are ANDed with it.
LUUID_FUNCTION(luuid_timesel);
Datum luuid_timesel(PG_FUNCTION_ARGS) { PG_RETURN_FLOAT8(selectivity_for(fcinfo, PG_GETARG_INT32(3))); }

// luuid_timejoinsel(internal, oid, internal, smallint, internal) → double precision: the fraction of the pairs of rows
// that pass all comparisons of the same two values. Of a semijoin or antijoin, the fraction of rows with such a pair.
LUUID_FUNCTION(luuid_timejoinsel);
Datum luuid_timejoinsel(PG_FUNCTION_ARGS) {
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    const bool is_semi = PG_GETARG_INT16(3) == JOIN_SEMI || PG_GETARG_INT16(3) == JOIN_ANTI;
    const auto* join = reinterpret_cast<SpecialJoinInfo*>(PG_GETARG_POINTER(4));
    double selectivity = selectivity_for(fcinfo, 0);
    for (Node* side : each_of<Node>(is_semi ? reinterpret_cast<List*>(PG_GETARG_POINTER(2)) : NIL))
        if (Node* value = shifted_of(root, side).base;
            value != nullptr && bms_is_subset(pull_varnos(root, value), join->syn_righthand))
            if (const Column inner = Column::of(root, value, PG_GETARG_OID(1)); inner.rel != nullptr)
                selectivity = std::min(selectivity * std::min(inner.rel->rows, inner.distinct), 1.0);
    PG_RETURN_FLOAT8(selectivity);
}

// luuid_checked_support(internal) → internal: the selectivity of luuid_checked() beside the bounds of its argument.
LUUID_FUNCTION(luuid_checked_support);
Datum luuid_checked_support(PG_FUNCTION_ARGS) {
    auto* request = reinterpret_cast<SupportRequestSelectivity*>(PG_GETARG_POINTER(0));
    if (!IsA(request, SupportRequestSelectivity))
        return Datum{0};
    request->selectivity = fraction_checked(request->root, static_cast<Node*>(linitial(request->args)));
    PG_RETURN_POINTER(request);
}
