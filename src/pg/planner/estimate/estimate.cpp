// The selectivity of comparisons of ids with ids and with times.
//
// The index is the statistic. Where a B-tree in chronological order on the column may be read, the rows of a range are
// its entries between the two bounds: `id >= '2026-11-03' AND id < '2026-11-05'` goes down the tree to both bounds at
// once, counts the entries of the two leaves that are within, and the leaves between by the downlinks of the pages
// above. Elsewhere the column is a list of points, each a key proportional to time and the fraction of the rows before
// it: the histogram and the most common values of pg_statistic.
//
// The comparisons of one value in one list of ANDed clauses have one answer: the first of them is answered with the
// selectivity of all, each other one with 1. The planner multiplies these.
//
// Bounds that depend on another row's time, as in `e.id >= o.id AND e.id < luuid_floor(o.id::timestamptz + '5 min')`,
// are a window: they restrict how far the two times lie apart. The fraction of the pairs of rows that pass integrates
// the one column's points over the other's, which are what separates the pages of a level of its index, or those of the
// statistics. It is also the expected fraction of `e` for a single row of `o`, so that joins and index scans for an
// outer row have the same answer. Where the other value is unknown, as in `id >= luuid_floor($1) AND id <
// luuid_floor($1 + '5 min')`, it counts as the time of one of the rows: if a thousand rows came in one hour of each
// day, the window has 83, since queries ask about times when there are rows.
//
// Of what is unknown otherwise, the answer is the server's default. See restriction_selectivity of plancat.c.
#include "../boundaries.hpp"
#include "clauses.hpp"
#include "column.hpp"
#include "instant.hpp"

#include <iterator>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// A bound that is so many milliseconds later.
std::optional<Bound> moved(const std::optional<Bound>& bound, double milliseconds) {
    constexpr double longest = 1e14;  // thousands of years
    if (!bound || !(std::abs(milliseconds) < longest))
        return std::nullopt;
    const auto time = time_of(bound->id);
    if (!time)
        return std::nullopt;
    const auto distance = std::chrono::microseconds(static_cast<std::int64_t>(milliseconds * 1000));
    return Bound{floor_of(std::chrono::floor<std::chrono::microseconds>(*time) + distance), bound->after};
}

// The ids that lie at least, and less than, so many milliseconds after some id in a range. Those without a time are
// near nothing.
IdRange within_reach(const IdRange& range, double least, double greatest) {
    IdRange reach, timed;
    if (least > -infinite_distance) {
        timed.lower = Bound{nil_id, true};
        reach.lower = moved(range.lower, least);
    }
    if (greatest < infinite_distance) {
        timed.upper = Bound{highest_timed, true};
        reach.upper = moved(range.upper, greatest);
    }
    reach.intersect(timed);
    return reach;
}

// The fraction of the pairs of rows in a window; negative if too little is known, and if it has no width.
double fraction_in(PlannerInfo* root, Oid estimator, const Window& window) {
    struct Side {
        VariableStatData variable;
        Column* column = nullptr;
        IdRange range;
    };
    const auto side_of = [&](Node* node) {
        Side side;
        examine_variable(root, node, 0, &side.variable);
        if (side.variable.rel != nullptr && IS_SIMPLE_REL(side.variable.rel))
            side.column = Column::of(root, side.variable, window.is_leakproof);
        if (side.column != nullptr)
            side.range = known_range(root, side.variable.rel, estimator, node);
        ReleaseVariableStats(side.variable);
        return side;
    };
    const double least = window.least, greatest = window.greatest;
    const Side value = side_of(window.value), base = side_of(window.base);
    const RelOptInfo *of_value = value.variable.rel, *of_base = base.variable.rel;
    const bool is_one_unknown = value.column == nullptr || base.column == nullptr;
    const bool is_open = least == -infinite_distance || greatest == infinite_distance;
    if ((value.column == nullptr && base.column == nullptr) || (is_one_unknown && is_open) || of_value == of_base ||
        least == greatest)
        return -1;
    Points values, bases;
    if (value.column != nullptr)
        values = value.column->rows(value.range, within_reach(base.range, least, greatest));
    if (base.column != nullptr)
        bases = base.column->rows(base.range, within_reach(value.range, -greatest, -least));
    if (is_one_unknown)
        (value.column == nullptr ? values : bases) = value.column == nullptr ? bases : values;
    if (window.inner != nullptr && window.inner == of_value)
        return fraction_with_match(bases, values, least, greatest, window.inner->rows);
    if (window.inner != nullptr && window.inner == of_base)
        return fraction_with_match(values, bases, -greatest, -least, window.inner->rows);
    // A value that is unknown has a time.
    const double whole = is_one_unknown ? values.back().fraction : 1;
    return whole > 0 ? fraction_with_match(bases, values, least, greatest, 1) / whole : -1;
}

// The planner asks about a join for each path. From the other relation, value and base change places.
double window_selectivity(PlannerInfo* root, Oid estimator, Window window) {
    const auto is_kept = [&](const Window& kept, Node* value, Node* base, double least, double greatest) {
        return kept.least == least && kept.greatest == greatest && kept.inner == window.inner &&
               kept.is_leakproof == window.is_leakproof && equal(kept.value, value) && equal(kept.base, base);
    };
    Run& run = run_of(root);
    for (const Window& kept : run.windows)
        if (is_kept(kept, window.value, window.base, window.least, window.greatest) ||
            is_kept(kept, window.base, window.value, -window.greatest, -window.least))
            return kept.selectivity;
    window.selectivity = fraction_in(root, estimator, window);
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    window.value = static_cast<Node*>(copyObjectImpl(window.value));
    window.base = static_cast<Node*>(copyObjectImpl(window.base));
    run.windows[run.asked++ % std::size(run.windows)] = window;
    MemoryContextSwitchTo(context);
    return window.selectivity;
}

// What the server takes if it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_selectivity(VariableStatData& variable, const Bounds& bounds) {
    bool is_default = false;
    if (bounds.is_instant)
        return 1 / get_variable_numdistinct(&variable, &is_default);
    return bounds.has_lower && bounds.has_upper ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

double selectivity_of(PlannerInfo* root, Oid estimator, VariableStatData& variable, const Bounds& bounds) {
    if (bounds.is_null)
        return 0;
    const Column* column = Column::of(root, variable, bounds.is_leakproof);
    if (column == nullptr)
        return default_selectivity(variable, bounds);
    if (!bounds.is_unknown)
        return column->within(bounds.range);
    double selectivity = -1;
    if (bounds.base != nullptr)
        selectivity = window_selectivity(
            root, estimator, {bounds.anchor, bounds.base, bounds.least, bounds.greatest, nullptr, bounds.is_leakproof});
    if (selectivity < 0)
        selectivity = default_selectivity(variable, bounds);
    return bounds.range.lower || bounds.range.upper ? std::min(selectivity, column->within(bounds.range)) : selectivity;
}

// The clauses that an index's predicate has too are estimated where that index is, by themselves. So they come first:
// of those that pass them, the others are answered with what they leave.
double answer_of(PlannerInfo* root, Oid estimator, VariableStatData& variable, const Comparison& asked) {
    const Conjunction& all = *asked.conjunction;
    const double before =
        all.first_predicate != nullptr ? selectivity_of(root, estimator, variable, all.predicates) : 1;
    if (asked.is_predicate)
        return before;
    return before > 0 ? selectivity_of(root, estimator, variable, all.all) / before : 0;
}

bool is_first(const Comparison& asked) {
    const Conjunction& all = *asked.conjunction;
    return asked.clause == (asked.is_predicate ? all.first_predicate : all.first);
}

// An index scan has another clause in the place of the query's: the same with its sides changed, or one end of `<@`. A
// clause of an index's predicate, which is estimated by itself, has a constant.
const Comparison* comparison_like(const RelationClauses& relation, const Comparison& other) {
    const bool is_lower = other.floor != nullptr;
    Node* operand = is_lower ? other.floor : other.ceiling;
    ListCell* cell;
    foreach (cell, relation.comparisons) {
        const auto* each = static_cast<Comparison*>(lfirst(cell));
        const bool is_slice = each->floor != nullptr && each->ceiling != nullptr;
        if ((!IsA(operand, Const) || is_slice) && equal(each->value, other.value) &&
            equal(is_lower ? each->floor : each->ceiling, operand))
            return each;
    }
    return nullptr;
}

// Of those that the arguments are of; null for none. From 16 on outer joins have numbers too.
const RelOptInfo* first_relation(PlannerInfo* root, List* arguments) {
    const Bitmapset* numbers = pull_varnos(root, reinterpret_cast<Node*>(arguments));
    for (int number = -1; (number = bms_next_member(numbers, number)) >= 0;)
        if (root->simple_rel_array[number] != nullptr)
            return root->simple_rel_array[number];
    return nullptr;
}

double restriction_selectivity(PlannerInfo* root, Oid estimator, Oid op, List* arguments, int number) {
    // A query can have thousands of clauses.
    CHECK_FOR_INTERRUPTS();
    RelationClauses* relation = nullptr;
    const Comparison* asked = nullptr;
    if (const RelOptInfo* rel = number > 0 ? find_base_rel(root, number) : first_relation(root, arguments)) {
        relation = &clauses_of(root, rel, estimator);
        asked = comparison_with(*relation, arguments);
    }
    // Those that clauses_of() took for true have been answered there; the planner caches what this returns in its
    // place.
    if (asked != nullptr && (!is_first(*asked) || asked->info->norm_selec == 1))
        return 1;
    VariableStatData variable;
    double selectivity = DEFAULT_INEQ_SEL;
    if (asked != nullptr) {
        examine_variable(root, asked->value, number, &variable);
        selectivity = answer_of(root, estimator, variable, *asked);
    } else {
        Node* operand = nullptr;
        bool is_left = false;
        if (!get_restriction_variable(root, arguments, number, &variable, &operand, &is_left))
            return get_oprjoin(op) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
        const Comparison own = comparison_of(root, nullptr, op, arguments, is_left);
        const bool is_end = own.value != nullptr && (own.floor == nullptr || own.ceiling == nullptr);
        asked = is_end && relation != nullptr ? comparison_like(*relation, own) : nullptr;
        if (asked != nullptr)
            // Of a slice, its end counts with its beginning.
            selectivity = !is_first(*asked) || (own.floor == nullptr && asked->floor != nullptr)
                              ? 1
                              : answer_of(root, estimator, variable, *asked);
        else if (own.value != nullptr)
            selectivity = selectivity_of(root, estimator, variable, own.own);
    }
    ReleaseVariableStats(variable);
    return selectivity;
}

// Of the pairs of rows, the fraction that passes all comparisons of the two values' times, for the first of them.
double join_selectivity(PlannerInfo* root, Oid estimator, List* arguments, JoinType type, const SpecialJoinInfo* join) {
    CHECK_FOR_INTERRUPTS();
    const RelOptInfo* inner = nullptr;
    int number = 0;
    if (type == JOIN_SEMI || type == JOIN_ANTI) {
        if (!bms_get_singleton_member(join->syn_righthand, &number))
            return DEFAULT_INEQ_SEL;
        inner = find_base_rel(root, number);
    }
    // Of one of the relations, whichever it is, all clauses of the join.
    const RelOptInfo* rel = first_relation(root, arguments);
    if (rel == nullptr)
        return DEFAULT_INEQ_SEL;
    RelationClauses& relation = clauses_of(root, rel, estimator);
    const Comparison* asked = comparison_with(relation, arguments);
    if (asked == nullptr || asked->own.base == nullptr)
        return DEFAULT_INEQ_SEL;
    Bounds all;
    ListCell* cell;
    foreach (cell, relation.comparisons) {
        const auto* each = static_cast<Comparison*>(lfirst(cell));
        if (each->conjunction->list != asked->conjunction->list || !equal(each->own.anchor, asked->own.anchor) ||
            !equal(each->own.base, asked->own.base) ||
            !bms_equal(each->info->required_relids, asked->info->required_relids))
            continue;
        if (!all.is_unknown && each != asked)
            return 1;
        all.add(each->own);
    }
    const double selectivity =
        window_selectivity(root, estimator, {all.anchor, all.base, all.least, all.greatest, inner, all.is_leakproof});
    return selectivity < 0 ? DEFAULT_INEQ_SEL : selectivity;
}

}  // namespace

double luuid::pg::selectivity_of_bounds(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* bounds) {
    Node* value = nullptr;
    Bounds all;
    ListCell* cell;
    foreach (cell, bounds) {
        const auto* clause = static_cast<OpExpr*>(lfirst(cell));
        const Comparison each =
            IsA(clause, OpExpr) ? comparison_of(root, clause, clause->opno, clause->args, true) : Comparison{};
        if (each.value == nullptr || (value != nullptr && !equal(each.value, value)))
            continue;
        value = each.value;
        all.add(each.own);
    }
    if (value == nullptr)
        return 1;
    VariableStatData variable;
    examine_variable(root, value, static_cast<int>(rel->relid), &variable);
    const double selectivity = selectivity_of(root, estimator, variable, all);
    ReleaseVariableStats(variable);
    return selectivity;
}

// luuid_timesel(internal, oid, internal, integer) → double precision: the fraction of the rows that pass an operator of
// the chronological order, and all comparisons of the same value that are ANDed with it.
LUUID_FUNCTION(luuid_timesel) {
    double answer =
        restriction_selectivity(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), fcinfo->flinfo->fn_oid,
                                PG_GETARG_OID(1), reinterpret_cast<List*>(PG_GETARG_POINTER(2)), PG_GETARG_INT32(3));
    CLAMP_PROBABILITY(answer);
    PG_RETURN_FLOAT8(answer);
}

// luuid_timejoinsel(internal, oid, internal, smallint, internal) → double precision: the fraction of the pairs of rows
// that pass an operator of the chronological order, and all comparisons of the same two values that are ANDed with it.
LUUID_FUNCTION(luuid_timejoinsel) {
    double answer =
        join_selectivity(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), get_oprrest(PG_GETARG_OID(1)),
                         reinterpret_cast<List*>(PG_GETARG_POINTER(2)), static_cast<JoinType>(PG_GETARG_INT16(3)),
                         reinterpret_cast<SpecialJoinInfo*>(PG_GETARG_POINTER(4)));
    CLAMP_PROBABILITY(answer);
    PG_RETURN_FLOAT8(answer);
}
