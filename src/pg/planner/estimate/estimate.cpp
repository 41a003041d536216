// The index is the statistic. If the user may read all that a B-tree in chronological order has of the column, the rows
// of a range are its entries between two bounds. For `id >= '2026-11-03' AND id < '2026-11-05'` the estimator goes down
// the tree to both bounds at once, and counts the entries of the leaves between them, or of some of these. Otherwise
// the column is a list of points, each a place in time and the fraction of the rows before it, from the histogram and
// the most common values of pg_statistic.
//
// All comparisons of one value in one list of ANDed clauses are estimated together. The estimator returns the
// selectivity of all for the first of them, and 1 for each other one, since the planner multiplies these. windows.cpp
// estimates bounds that depend on an unknown time. Whatever else is unknown has the server's default selectivity.
#include "estimate.hpp"
#include "../rewrite/rewrite.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

double selectivity_of(PlannerInfo* root, Node* value, const Bounds& bounds) {
    if (bounds.range.is_empty())
        return 0;
    const Column column = Column::of(root, value, bounds.op);
    const double known = column.is_known() ? column.within(bounds.range) : 1;
    if (!bounds.is_unknown && column.is_known())
        return known;
    if (bounds.base != nullptr)
        if (const auto in_window = fraction_in_window(root, column, value, bounds))
            return std::min(*in_window, known);
    // Bounds at the ends of all times exclude no row. An instant is expected in one row. Otherwise the server's
    // defaults apply.
    const auto& [lower, upper] = bounds.range;
    const bool is_instant = !bounds.is_unknown && lower && upper && place_of(upper->id) - place_of(lower->id) < 1;
    const double unknown = !bounds.has_lower && !bounds.has_upper ? 1
                           : is_instant                           ? 1 / column.all_rows()
                           : bounds.has_lower && bounds.has_upper ? DEFAULT_RANGE_INEQ_SEL
                                                                  : DEFAULT_INEQ_SEL;
    return std::min(unknown, known);
}

// The selectivity of one entry of a list of ANDed clauses, as the planner is told; none if the entry is no comparison.
// The planner estimates the predicate of a partial index separately. So a clause of a predicate has its own
// selectivity, and the others have the fraction that they leave of its rows. For example, with an index WHERE id >=
// '2026-01-01', `id >= '2026-01-01' AND id < '2026-02-01'` has the fraction since January for the first clause, and
// January's part of this for the second.
std::optional<double> selectivity_among(PlannerInfo* root, const RelOptInfo* rel, const List* clauses, Node* entry,
                                        bool is_in_index) {
    const Comparison asked = comparison_in(root, rel, entry);
    if (asked.clause == nullptr)
        return std::nullopt;
    // Comparisons of a function of the id are of no use to an index on it, and come last.
    const auto is_direct = [](const Comparison& each) {
        return equal(without_relabels(each.value), each.shifted.base);
    };
    List* counted = NIL;
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
        counted = lappend(counted, new (palloc(sizeof(Comparison))) Comparison(each));
    }
    // An index scan for one outer row has the selectivity of the join, which the planner keeps in the RestrictInfo.
    if (is_in_index && !is_part && asked.info != nullptr)
        return clause_selectivity(root, entry, 0, JOIN_INNER, nullptr);
    Bounds predicates, all;
    for (const auto* each : each_of<Comparison>(counted)) {
        all.add(root, *each);
        if (each->is_predicate)
            predicates.add(root, *each);
    }
    // An index on e.id can use only the first clause of `e.id >= o.id AND luuid_floor(e.id::timestamptz - '5 min') <
    // o.id`. A scan of it reads all rows after o.id, and not those of five minutes, so this clause has the default of
    // one bound. The second clause has 1, since the planner multiplies the two.
    if (is_part && !(all.has_lower && all.has_upper))
        return is_direct(asked) ? DEFAULT_INEQ_SEL : 1;
    const double before = OidIsValid(predicates.op) ? selectivity_of(root, asked.shifted.base, predicates) : 1;
    double selectivity =
        asked.is_predicate || !(before > 0) ? before : selectivity_of(root, asked.shifted.base, all) / before;
    CLAMP_PROBABILITY(selectivity);
    return selectivity;
}

// The first operator clause that a predicate is true of, in ANDs and ORs too, and the entries that it is ANDed with.
template <typename Predicate>
std::pair<Node*, const List*> first_found(const List* clauses, bool are_ored, Predicate is_true) {
    check_stack_depth();
    for (Node* entry : each_of<Node>(clauses)) {
        auto* clause =
            IsA(entry, RestrictInfo) ? reinterpret_cast<RestrictInfo*>(entry)->clause : reinterpret_cast<Expr*>(entry);
        if (IsA(clause, OpExpr) && is_true(reinterpret_cast<OpExpr*>(clause)))
            return {entry, are_ored ? list_make1(entry) : clauses};
        if (is_andclause(clause) || is_orclause(clause))
            if (auto found = first_found(reinterpret_cast<const BoolExpr*>(clause)->args, is_orclause(clause), is_true);
                found.first != nullptr)
                return found;
    }
    return {};
}

// The selectivity of a clause that the planner asks about; none if it is no comparison of a value of the relation.
std::optional<double> selectivity_in(PlannerInfo* root, const RelOptInfo* rel, OpExpr* clause, bool is_in_index) {
    const List* all = list_concat_copy(rel->baserestrictinfo, rel->joininfo);
    // The planner passes the arguments of a clause, but not the clause. It is found by their address, since the planner
    // asks about each of two equal clauses, as in `id < $1 AND id < $1`.
    auto found = first_found(all, false, [clause](auto* other) { return other->args == clause->args; });
    if (found.first == nullptr) {
        // For an index scan the planner asks about a clause that it has built, such as `e.id >= o.id` for `o.id <=
        // e.id`, or one end of `id <@ $1`. The query's own clause is found by what it compares, if it has that.
        const Comparison own = comparison_in(root, rel, reinterpret_cast<Node*>(clause));
        found = first_found(all, false, [&](auto* other) {
            const Comparison each = comparison_in(root, rel, reinterpret_cast<Node*>(other));
            return own.clause != nullptr && equal(each.shifted.base, own.shifted.base) &&
                   (own.lower != nullptr ? equal(each.lower, own.lower) : equal(each.upper, own.upper));
        });
        if (found.first == nullptr)
            found = {reinterpret_cast<Node*>(clause), list_make1(clause)};
        else if (own.lower == nullptr && comparison_in(root, rel, found.first).lower != nullptr)
            return 1;  // the upper end counts with the lower one
    }
    return selectivity_among(root, rel, found.second, found.first, is_in_index);
}

// The selectivity for the relation whose index the planner costs, or else for the first one that the clause compares a
// value of. A partition or child comes before other tables: a clause with its columns is in its lists alone.
double selectivity_for(FunctionCallInfo fcinfo, int number) {
    CHECK_FOR_INTERRUPTS();  // a query can have thousands of clauses
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    auto* clause = makeNode(OpExpr);
    clause->opno = PG_GETARG_OID(1);
    clause->args = reinterpret_cast<List*>(PG_GETARG_POINTER(2));
    const Bitmapset* numbers =
        number > 0 ? bms_make_singleton(number) : pull_varnos(root, reinterpret_cast<Node*>(clause->args));
    for (const bool is_child : {true, false})
        for (int each = -1; (each = bms_next_member(numbers, each)) >= 0;)
            if (const RelOptInfo* rel = root->simple_rel_array[each];
                rel != nullptr && (rel->reloptkind == RELOPT_OTHER_MEMBER_REL) == is_child)  // null for an outer join
                if (const auto selectivity = selectivity_in(root, rel, clause, number > 0))
                    return *selectivity;
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
// that pass all comparisons of the same two values. A semijoin or an antijoin has the server's default.
LUUID_FUNCTION(luuid_timejoinsel);
Datum luuid_timejoinsel(PG_FUNCTION_ARGS) {
    const auto type = static_cast<JoinType>(PG_GETARG_INT16(3));
    PG_RETURN_FLOAT8(type == JOIN_SEMI || type == JOIN_ANTI ? DEFAULT_INEQ_SEL : selectivity_for(fcinfo, 0));
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
