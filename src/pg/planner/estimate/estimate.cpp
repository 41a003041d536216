// The index is the statistic. Where a B-tree in chronological order on the column may be read, the rows of a range are
// its entries between the two bounds: `id >= '2026-11-03' AND id < '2026-11-05'` goes down the tree to both bounds at
// once, counts the entries of the two leaves that are within, and the leaves between by the downlinks of the pages
// above. Elsewhere the column is a list of points, each a place in time and the fraction of the rows before it: the
// histogram and the most common values of pg_statistic.
//
// The comparisons of one value in one list of ANDed clauses have one answer: the first of them is answered with the
// selectivity of all, each other one with 1. The planner multiplies these, and keeps each in its RestrictInfo.
//
// Bounds that depend on another row's time, as in `e.id >= o.id AND e.id < luuid_floor(o.id::timestamptz + '5 min')`,
// restrict how far the two times lie apart. The fraction of the pairs of rows that pass integrates the one column's
// points over the other's; the points of an index are what separates the pages of one of its levels. It is also the
// expected fraction of `e` for a single row of `o`, so that joins and index scans for an outer row have the same
// answer. Where the other value is unknown, as in `id >= luuid_floor($1) AND id < luuid_floor($1 + '5 min')`, it counts
// as the time of one of the rows: if a thousand rows came in one hour of each day, there are 83, since queries ask
// about times when there are rows.
//
// Of what is unknown otherwise, the answer is the server's default. See restriction_selectivity of plancat.c.
#include "estimate.hpp"

#include "../rewrite/time_comparison.hpp"
#include "column.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// A bound that is so many milliseconds later.
std::optional<Bound> moved(const std::optional<Bound>& bound, double milliseconds) {
    constexpr double longest = 1e14;  // thousands of years
    if (!bound || !(std::abs(milliseconds) < longest))
        return std::nullopt;
    const double place = place_of(bound->id) + milliseconds;
    return Bound{floor_of(Time(std::chrono::microseconds(static_cast<std::int64_t>(place * 1000))))};
}

// Those of the ids in `own` that lie at least, and less than, so many milliseconds after some id in a range. Ids
// without a time are near nothing.
IdRange within_reach(IdRange own, const IdRange& range, double least, double greatest) {
    IdRange timed;
    if (least > -infinite_distance)
        timed.lower = Bound{nil_id, true};
    if (greatest < infinite_distance)
        timed.upper = Bound{highest_timed, true};
    own.intersect(timed);
    own.intersect({moved(range.lower, least), moved(range.upper, greatest)});
    return own;
}

// What a relation's own clauses leave of a value, as far as their operands are known.
IdRange known_range(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const Node* value) {
    Bounds bounds;
    ListCell* cell;
    foreach (cell, rel->baserestrictinfo) {
        const Comparison each = comparison_in(root, rel, estimator, static_cast<Node*>(lfirst(cell)));
        if (each.clause != nullptr && equal(each.instant.base, value))
            bounds.add(root, each);
    }
    return bounds.range;
}

// The fraction of the pairs of rows whose values lie so far apart; negative if too little is known.
double fraction_apart(PlannerInfo* root, Oid estimator, const Column& column, Node* value, const Bounds& bounds) {
    const double least = bounds.least, greatest = bounds.greatest;
    const Column base = Column::of(root, bounds.base, bounds.is_leakproof);
    const bool is_open = least == -infinite_distance || greatest == infinite_distance;
    if ((!column.is_known() && !base.is_known()) || (is_open && !(column.is_known() && base.is_known())) ||
        column.rel == base.rel || least == greatest)
        return -1;
    const auto range_of = [&](const Column& of, const Node* node) {
        return of.is_known() ? known_range(root, of.rel, estimator, node) : IdRange{};
    };
    const IdRange range = range_of(column, value), base_range = range_of(base, bounds.base);
    Points rows, base_rows;
    if (column.is_known())
        rows = column.rows(within_reach(range, base_range, least, greatest));
    if (base.is_known())
        base_rows = base.rows(within_reach(base_range, range, -greatest, -least));
    // Of a value that is unknown, the rows are those of the other one: it has a time.
    const double whole = column.is_known() ? column.within(range) : base_rows.back().fraction;
    const double base_whole = base.is_known() ? base.within(base_range) : rows.back().fraction;
    const double pairs =
        fraction_of_pairs(base.is_known() ? base_rows : rows, column.is_known() ? rows : base_rows, least, greatest);
    return pairs > 0 ? std::min(pairs / whole / base_whole, 1.0) : 0;
}

// What the server takes if it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_selectivity(PlannerInfo* root, Node* value, const Bounds& bounds) {
    if (!bounds.is_instant)
        return bounds.has_lower && bounds.has_upper ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
    VariableStatData variable;
    bool is_default = false;
    examine_variable(root, value, 0, &variable);
    const double distinct = get_variable_numdistinct(&variable, &is_default);
    ReleaseVariableStats(variable);
    return 1 / distinct;
}

double selectivity_of(PlannerInfo* root, Oid estimator, Node* value, const Bounds& bounds) {
    if (bounds.range.is_empty())
        return 0;
    const Column column = Column::of(root, value, bounds.is_leakproof);
    double selectivity = bounds.base != nullptr ? fraction_apart(root, estimator, column, value, bounds) : -1;
    if (selectivity < 0)
        selectivity = bounds.is_unknown || !column.is_known() ? default_selectivity(root, value, bounds) : 1;
    return column.is_known() ? std::min(selectivity, column.within(bounds.range)) : selectivity;
}

// An entry of a relation's clauses, and those that it is ANDed with.
struct Place {
    Node* entry = nullptr;
    const List* clauses = NIL;
};

// The first of which something is true, in the ANDs and ORs of the list too.
template <typename Predicate>
Place place_of_first(const List* clauses, bool are_ored, Predicate is_true) {
    check_stack_depth();
    ListCell* cell;
    foreach (cell, clauses) {
        auto* entry = static_cast<Node*>(lfirst(cell));
        Node* clause = clause_in(entry);
        if (IsA(clause, OpExpr) && is_true(entry))
            return {entry, are_ored ? list_make1(entry) : clauses};
        if (is_andclause(clause) || is_orclause(clause))
            if (const Place place =
                    place_of_first(reinterpret_cast<BoolExpr*>(clause)->args, is_orclause(clause), is_true);
                place.entry != nullptr)
                return place;
    }
    return {};
}

template <typename Predicate>
Place place_of_first(const RelOptInfo* rel, Predicate is_true) {
    const Place place = place_of_first(rel->baserestrictinfo, false, is_true);
    return place.entry != nullptr ? place : place_of_first(rel->joininfo, false, is_true);
}

// Of those that the arguments are of; null for none. From 16 on outer joins have numbers too.
const RelOptInfo* first_relation(PlannerInfo* root, List* arguments) {
    const Bitmapset* numbers = pull_varnos(root, reinterpret_cast<Node*>(arguments));
    for (int number = -1; (number = bms_next_member(numbers, number)) >= 0;)
        if (root->simple_rel_array[number] != nullptr)
            return root->simple_rel_array[number];
    return nullptr;
}

double selectivity_for(PlannerInfo* root, Oid estimator, Oid op, List* arguments, int number) {
    // A query can have thousands of clauses.
    CHECK_FOR_INTERRUPTS();
    const double unknown = get_oprjoin(op) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
    const RelOptInfo* rel = number > 0 ? find_base_rel(root, number) : first_relation(root, arguments);
    if (rel == nullptr)
        return unknown;
    Place place = place_of_first(
        rel, [&](Node* entry) { return reinterpret_cast<OpExpr*>(clause_in(entry))->args == arguments; });
    if (place.entry == nullptr) {
        // An index scan has another clause in the place of the query's: the same with its sides changed, or one end of
        // `<@`. A clause of an index's predicate, which is estimated by itself, has a constant.
        auto* clause = makeNode(OpExpr);
        clause->opno = op;
        clause->args = arguments;
        auto* entry = reinterpret_cast<Node*>(clause);
        const Comparison own = comparison_in(root, rel, estimator, entry);
        if (own.clause == nullptr)
            return unknown;
        Node* operand = own.lower != nullptr ? own.lower : own.upper;
        place = place_of_first(rel, [&](Node* other) {
            const Comparison each = comparison_in(root, rel, estimator, other);
            return each.clause != nullptr &&
                   (!IsA(operand, Const) || (each.lower != nullptr && each.upper != nullptr)) &&
                   equal(each.instant.base, own.instant.base) &&
                   equal(own.lower != nullptr ? each.lower : each.upper, operand);
        });
        if (place.entry == nullptr)
            place = {entry, list_make1(entry)};
        else if (own.lower == nullptr && comparison_in(root, rel, estimator, place.entry).lower != nullptr)
            return 1;  // an end counts with its beginning
    }
    if (is_bound(clause_in(place.entry))) {
        count_bounded_once(root, rel, estimator, rel->baserestrictinfo);
        count_bounded_once(root, rel, estimator, rel->joininfo);
    }
    const double selectivity = selectivity_among(root, rel, estimator, place.clauses, place.entry, number > 0);
    return selectivity < 0 ? unknown : selectivity;
}

}  // namespace

// The clauses that an index's predicate has too are estimated where that index is, by themselves. So they come first:
// of those that pass them, the others are answered with what they leave.
double luuid::pg::selectivity_among(PlannerInfo* root, const RelOptInfo* rel, Oid estimator, const List* clauses,
                                    Node* entry, bool is_in_index) {
    const Comparison asked = comparison_in(root, rel, estimator, entry);
    if (asked.clause == nullptr)
        return -1;
    RestrictInfo* keeper = nullptr;
    List* counted = NIL;
    bool is_part = false, has_first = false, has_lower = false, has_upper = false;
    ListCell* cell;
    foreach (cell, clauses) {
        const Comparison each = comparison_in(root, rel, estimator, static_cast<Node*>(lfirst(cell)));
        if (each.clause == nullptr || !equal(each.instant.base, asked.instant.base) ||
            (each.info != nullptr && !bms_equal(each.info->required_relids, asked.info->required_relids)))
            continue;
        const bool is_alike = each.is_predicate == asked.is_predicate;
        keeper = keeper == nullptr && is_alike ? each.info : keeper;
        if (is_in_index && !equal(each.value, asked.value)) {
            is_part = true;
            continue;
        }
        if (is_alike && !has_first && each.clause != asked.clause)
            return 1;
        has_first = has_first || is_alike;
        has_lower = has_lower || each.lower != nullptr;
        has_upper = has_upper || each.upper != nullptr;
        counted = lappend(counted, palloc(sizeof(Comparison)));
        *static_cast<Comparison*>(llast(counted)) = each;
    }
    // An index that answers one end alone has no use of the other.
    if (is_part && !(has_lower && has_upper))
        return DEFAULT_INEQ_SEL;
    // More is known of a subquery once it is planned.
    if (keeper != nullptr && keeper->norm_selec >= 0 && rel->rtekind == RTE_RELATION)
        return keeper->norm_selec;
    Bounds predicates, all;
    foreach (cell, counted) {
        const auto* each = static_cast<Comparison*>(lfirst(cell));
        all.add(root, *each);
        if (each->is_predicate)
            predicates.add(root, *each);
    }
    const bool has_predicates = predicates.has_lower || predicates.has_upper;
    Node* value = asked.instant.base;
    const double before = has_predicates ? selectivity_of(root, estimator, value, predicates) : 1;
    double selectivity = asked.is_predicate ? before : selectivity_of(root, estimator, value, all) / before;
    if (!(before > 0))
        selectivity = 0;
    CLAMP_PROBABILITY(selectivity);
    if (keeper != nullptr)
        keeper->norm_selec = selectivity;
    return selectivity;
}

// luuid_timesel(internal, oid, internal, integer) → double precision: the fraction of the rows that pass an operator of
// the chronological order, and all comparisons of the same value that are ANDed with it.
LUUID_FUNCTION(luuid_timesel) {
    PG_RETURN_FLOAT8(selectivity_for(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), fcinfo->flinfo->fn_oid,
                                     PG_GETARG_OID(1), reinterpret_cast<List*>(PG_GETARG_POINTER(2)),
                                     PG_GETARG_INT32(3)));
}

// luuid_timejoinsel(internal, oid, internal, smallint, internal) → double precision: the fraction of the pairs of rows
// that pass an operator of the chronological order, and all comparisons of the same two values that are ANDed with it.
// That of a semijoin or an antijoin is the server's default.
LUUID_FUNCTION(luuid_timejoinsel) {
    const auto type = static_cast<JoinType>(PG_GETARG_INT16(3));
    if (type == JOIN_SEMI || type == JOIN_ANTI)
        PG_RETURN_FLOAT8(DEFAULT_INEQ_SEL);
    const Oid op = PG_GETARG_OID(1);
    PG_RETURN_FLOAT8(selectivity_for(reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0)), get_oprrest(op), op,
                                     reinterpret_cast<List*>(PG_GETARG_POINTER(2)), 0));
}
