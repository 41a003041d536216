// The selectivity of comparisons of ids with ids and with times.
//
// A column is one list of points, each a key proportional to time and the fraction F of the rows before it: the
// histogram, or a sorted sample of a uuid column, the most common values, and past the two ends what an index counts. A
// range has F(upper) - F(lower) of the rows. Of 1000 rows in ten days at a constant rate, `id >= '2026-11-03' AND
// id < '2026-11-05'` has 0.4 - 0.2, or 200.
//
// Bounds are paired within one list of ANDed clauses: the first of them is answered with its own selectivity, here 0.8,
// and the second with what is left of that, 0.2 / 0.8, so that the planner's product is that of the range. Elsewhere a
// comparison is estimated alone.
//
// Bounds that depend on another row's time, as in `e.id >= o.id AND e.id < luuid_floor(o.id::timestamptz + '5 min')`,
// are a window: they restrict how far the two times lie apart. The fraction of the pairs of rows that pass integrates
// the one column's F over the other's. It is also the expected fraction of `e` for a single row of `o`, so that joins
// and index scans for an outer row have the same answer. Where the other value is unknown, as in
// `id >= luuid_floor($1) AND id < luuid_floor($1 + '5 min')`, it counts as the time of one of the rows: if a thousand
// rows came in one hour of each day, the window has 83, since queries ask about times when there are rows.
//
// Of what is unknown otherwise, the answer is the server's default. See restriction_selectivity of plancat.c.
#include "clauses.hpp"

#include "../boundaries.hpp"
#include "column.hpp"
#include "instant.hpp"

#include <iterator>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// The fraction of the pairs of rows in a window; negative if too little is known, and if it has no width.
double fraction_in(PlannerInfo* root, Oid estimator, Oid function, const Window& window) {
    struct Side {
        VariableStatData variable;
        Column* column = nullptr;
        IdRange range;

        double begin() const { return range.lower ? place_of(abbreviate(range.lower->id)) : -infinite_distance; }
        double end() const { return range.upper ? place_of(abbreviate(range.upper->id)) : infinite_distance; }
    };
    // A few rows of one side may all lead to rows of the other that came since ANALYZE.
    bool are_few = false;
    const auto side_of = [&](Node* node) {
        Side side;
        examine_variable(root, node, 0, &side.variable);
        if (side.variable.rel != nullptr && IS_SIMPLE_REL(side.variable.rel))
            side.column = Column::of(root, side.variable, function);
        if (side.column != nullptr) {
            side.range = known_range(root, side.variable.rel, estimator, node);
            are_few = are_few || !side.column->has_enough_within(side.range);
        }
        return side;
    };
    const Side value = side_of(window.value), base = side_of(window.base);
    const auto rows_of = [&](const Side& side, double begin, double end) {
        if (side.column == nullptr)
            return Points{};
        const bool is_past = side.column->reaches_past(std::max(begin, side.begin()), std::min(end, side.end()));
        return side.column->rows(root, side.variable, side.range, are_few && is_past);
    };
    // A window without an end leads to nearly all rows, of which the new ones are few: only its other end counts.
    const bool has_begin = window.least > -infinite_distance, has_end = window.greatest < infinite_distance;
    const double least = has_begin ? window.least : 0, greatest = has_end ? window.greatest : 0;
    Points values = rows_of(value, base.begin() + least, base.end() + greatest);
    Points bases = rows_of(base, value.begin() - greatest, value.end() - least);
    ReleaseVariableStats(value.variable);
    ReleaseVariableStats(base.variable);
    const bool is_one_unknown = values.empty() || bases.empty();
    if (is_one_unknown)
        (values.empty() ? values : bases) = values.empty() ? bases : values;
    const RelOptInfo *of_value = value.variable.rel, *of_base = base.variable.rel;
    if (values.empty() || (is_one_unknown && !(has_begin && has_end)) || of_value == of_base ||
        window.least == window.greatest)
        return -1;
    if (window.inner != nullptr && window.inner == of_value)
        return fraction_with_match(bases, values, window.least, window.greatest, window.inner->rows);
    if (window.inner != nullptr && window.inner == of_base)
        return fraction_with_match(values, bases, -window.greatest, -window.least, window.inner->rows);
    // A value that is unknown is not null.
    const double whole = is_one_unknown ? values.back().fraction : 1;
    const double nearer =
        fraction_nearer(values, bases, window.greatest) - fraction_nearer(values, bases, window.least);
    return whole > 0 ? std::max(nearer, 0.0) / whole : -1;
}

// The planner asks about a join for each path. From the other relation, value and base change places.
double window_selectivity(PlannerInfo* root, Oid estimator, Oid function, Window window) {
    window.is_leakproof = get_func_leakproof(function);
    const auto is_kept = [&](const Window& kept, Node* value, Node* base, double least, double greatest) {
        return kept.least == least && kept.greatest == greatest && kept.inner == window.inner &&
               kept.is_leakproof == window.is_leakproof && equal(kept.value, value) && equal(kept.base, base);
    };
    Run& run = run_of(root);
    for (const Window& kept : run.windows)
        if (is_kept(kept, window.value, window.base, window.least, window.greatest) ||
            is_kept(kept, window.base, window.value, -window.greatest, -window.least))
            return kept.selectivity;
    window.selectivity = fraction_in(root, estimator, function, window);
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    window.value = static_cast<Node*>(copyObjectImpl(window.value));
    window.base = static_cast<Node*>(copyObjectImpl(window.base));
    run.windows[run.asked++ % std::size(run.windows)] = window;
    MemoryContextSwitchTo(context);
    return window.selectivity;
}

// What the server takes if it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_selectivity(VariableStatData& variable, const Limits& limits) {
    bool is_default = false;
    if (limits.is_instant)
        return 1 / get_variable_numdistinct(&variable, &is_default);
    return limits.are_both() ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

// The value that a clause bounds, and its column; null if the user may not see its statistics by this operator.
struct Asked {
    PlannerInfo* root;
    VariableStatData& variable;
    Column* column;
    Oid estimator, function;
};

double selectivity_of(const Asked& asked, const ClauseBound& bound, const Limits& limits, bool is_exact) {
    if (limits.is_null)
        return 0;
    if (asked.column == nullptr)
        return default_selectivity(asked.variable, limits);
    const auto of_range = [&](const IdRange& range) {
        return asked.column->within(asked.root, asked.variable, range, is_exact);
    };
    if (limits.is_unknown) {
        const Window window{bound.value, limits.base, limits.least, limits.greatest};
        const bool is_window = limits.base != nullptr && is_exact;
        double at_most = is_window ? window_selectivity(asked.root, asked.estimator, asked.function, window) : -1;
        if (at_most < 0)
            at_most = default_selectivity(asked.variable, limits);
        return limits.range.lower || limits.range.upper ? std::min(at_most, of_range(limits.range)) : at_most;
    }
    return of_range(limits.range);
}

// Of a bound and those before it. The planner multiplies the answers, so that only the last has to be exact, and none
// less than that.
double selectivity_up_to(const Asked& asked, ClauseBound* bound) {
    if (bound == nullptr)
        return 1;
    double& kept = bound->selectivity[asked.column != nullptr];
    if (kept < 0) {
        const bool is_last = bound == bound->last;
        kept = selectivity_of(asked, *bound, bound->with, is_last);
        if (!is_last)
            kept = std::max(kept, selectivity_up_to(asked, bound->last));
        CLAMP_PROBABILITY(kept);
    }
    return kept;
}

// Of those that the arguments are of; null for none. From 16 on outer joins have numbers too.
const RelOptInfo* first_relation(PlannerInfo* root, List* arguments) {
    const Bitmapset* numbers = pull_varnos(root, reinterpret_cast<Node*>(arguments));
    for (int number = -1; (number = bms_next_member(numbers, number)) >= 0;)
        if (root->simple_rel_array[number] != nullptr)
            return root->simple_rel_array[number];
    return nullptr;
}

double restriction_selectivity(PlannerInfo* root, Oid estimator, Oid op, List* arguments, int relation) {
    // A query can have thousands of clauses.
    CHECK_FOR_INTERRUPTS();
    const Oid function = get_opcode(op);
    VariableStatData variable;
    ClauseBound own[2];
    ClauseBound *first = nullptr, *last = nullptr;
    // A clause that the planner's lists have is read once, with its operand.
    RelationClauses* clauses = nullptr;
    if (const RelOptInfo* rel = relation > 0 ? find_base_rel(root, relation) : first_relation(root, arguments)) {
        clauses = &clauses_of(root, rel, estimator);
        first = bound_with(*clauses, arguments);
    }
    if (first != nullptr) {
        examine_variable(root, first->value, relation, &variable);
        last = first->is_end ? first + 1 : first;
    } else {
        Node* operand = nullptr;
        bool is_left = false;
        if (!get_restriction_variable(root, arguments, relation, &variable, &operand, &is_left))
            return get_oprjoin(op) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
        const int count = bounds_of(root, nullptr, op, arguments, is_left, own);
        if (count == 0) {
            ReleaseVariableStats(variable);
            return DEFAULT_INEQ_SEL;
        }
        // An index scan has another clause in the place of the query's: the same with its sides changed, or one end of
        // `<@`. A clause of an index's predicate, which is estimated by itself, has a constant.
        for (int i = 0; count == 1 && clauses != nullptr && i < clauses->count && first == nullptr; ++i) {
            ClauseBound& each = clauses->bounds[i];
            if ((!IsA(own->operand, Const) || each.is_end) && each.is_lower == own->is_lower &&
                equal(each.value, own->value) && equal(each.operand, own->operand))
                first = last = &each;
        }
        if (count == 2)
            own[0].own.add(own[1].own);
    }
    const Asked asked{root, variable, Column::of(root, variable, function), estimator, function};
    double before = 1, with = 0;
    if (first == nullptr) {
        with = selectivity_of(asked, own[0], own[0].own, true);
    } else {
        link(*clauses, *first);
        before = selectivity_up_to(asked, first->previous);
        with = selectivity_up_to(asked, last);
    }
    ReleaseVariableStats(variable);
    return before > 0 ? with / before : 0;
}

// Of the pairs of rows that pass the comparisons of two values' times before one, the fraction that passes this too.
double join_selectivity(PlannerInfo* root, Oid estimator, Oid op, List* arguments, JoinType type,
                        const SpecialJoinInfo* join) {
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
    ClauseBound* asked = bound_with(relation, arguments);
    if (asked == nullptr || asked->base_number < 0 || asked->anchor_number < 0)
        return DEFAULT_INEQ_SEL;
    auto* value = static_cast<Node*>(list_nth(relation.numbered, asked->anchor_number));
    Window window{value, asked->own.base, -infinite_distance, infinite_distance, inner};
    ClauseBound *first = nullptr, *last = nullptr;
    for (ClauseBound* each = relation.bounds; each != relation.bounds + relation.count; ++each) {
        if (each->list != asked->list || each->anchor_number != asked->anchor_number ||
            each->base_number != asked->base_number ||
            !bms_equal(each->info->required_relids, asked->info->required_relids))
            continue;
        window.least = std::max(window.least, each->own.least);
        window.greatest = std::min(window.greatest, each->own.greatest);
        first = first == nullptr ? each : first;
        last = each;
    }
    const double selectivity = window_selectivity(root, estimator, get_opcode(op), window);
    if (selectivity < 0)
        return DEFAULT_INEQ_SEL;
    // All but the last are answered as if nothing were known, and no less than all together.
    const double earlier = std::max(selectivity, DEFAULT_INEQ_SEL);
    if (last->clause != asked->clause)
        return first->clause == asked->clause ? earlier : 1;
    return first->clause == asked->clause ? selectivity : selectivity / earlier;
}

}  // namespace

double luuid::pg::selectivity_of_bounds(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* bounds) {
    ClauseBound all, own[2];
    Oid op = InvalidOid;
    ListCell* cell;
    foreach (cell, bounds) {
        const auto* each = static_cast<OpExpr*>(lfirst(cell));
        if (!IsA(each, OpExpr) || bounds_of(root, each, each->opno, each->args, true, own) != 1 ||
            (OidIsValid(op) && !equal(own->value, all.value)))
            continue;
        if (OidIsValid(op))
            all.own.add(own->own);
        else
            all = *own;
        op = each->opno;
    }
    if (!OidIsValid(op))
        return 1;
    VariableStatData variable;
    examine_variable(root, all.value, static_cast<int>(rel->relid), &variable);
    const Oid function = get_opcode(op);
    const Asked asked{root, variable, Column::of(root, variable, function), estimator, function};
    const double selectivity = selectivity_of(asked, all, all.own, true);
    ReleaseVariableStats(variable);
    return selectivity;
}

// luuid_timesel(internal, oid, internal, integer) → double precision: the fraction of the rows that an operator of the
// chronological order lets pass, among those that the bounds ANDed before it do.
LUUID_FUNCTION(luuid_timesel) {
    double answer =
        restriction_selectivity(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), fcinfo->flinfo->fn_oid,
                                PG_GETARG_OID(1), reinterpret_cast<List*>(PG_GETARG_POINTER(2)), PG_GETARG_INT32(3));
    CLAMP_PROBABILITY(answer);
    PG_RETURN_FLOAT8(answer);
}

// luuid_timejoinsel(internal, oid, internal, smallint, internal) → double precision: the fraction of the pairs of rows
// that an operator of the chronological order lets pass, among those that the clauses before it do.
LUUID_FUNCTION(luuid_timejoinsel) {
    const Oid op = PG_GETARG_OID(1);
    double answer =
        join_selectivity(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), get_oprrest(op), op,
                         reinterpret_cast<List*>(PG_GETARG_POINTER(2)), static_cast<JoinType>(PG_GETARG_INT16(3)),
                         reinterpret_cast<SpecialJoinInfo*>(PG_GETARG_POINTER(4)));
    CLAMP_PROBABILITY(answer);
    PG_RETURN_FLOAT8(answer);
}
