// Collects the clauses that bound the distance of two times, and compares how their values are spread.
#include "window.hpp"

#include "clauses.hpp"
#include "instant.hpp"
#include "spread.hpp"

#include <algorithm>
#include <cmath>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// `later` - `earlier` is at least a distance, or less.
struct Comparison {
    Node* later = nullptr;
    Node* earlier = nullptr;
    double distance = 0;
    bool is_lower = false;

    Comparison reversed() const noexcept { return {earlier, later, -distance, !is_lower}; }
};

bool are_of_same_values(const Comparison& a, const Comparison& b) {
    return equal(a.later, b.later) && equal(a.earlier, b.earlier);
}

bool are_same(const Comparison& a, const Comparison& b) { return a.is_lower == b.is_lower && a.distance == b.distance; }

// Without values if it is none.
Comparison comparison_of(PlannerInfo* root, Oid op, List* arguments) {
    const int strategy = list_length(arguments) == 2 ? get_op_opfamily_strategy(op, time_family()) : 0;
    if (strategy == 0 || strategy == BTEqualStrategyNumber)
        return {};
    const Instant left = instant_of(root, static_cast<Node*>(linitial(arguments)));
    const Instant right = instant_of(root, static_cast<Node*>(lsecond(arguments)));
    const double distance = right.offset - left.offset;
    if (left.base == nullptr || right.base == nullptr || std::isnan(distance))
        return {};
    return {left.base, right.base, distance,
            strategy == BTGreaterEqualStrategyNumber || strategy == BTGreaterStrategyNumber};
}

// Of a clause that compares the values that `asked` does, in its direction; without values for any other.
Comparison comparison_like(PlannerInfo* root, const Comparison& asked, const RestrictInfo* info) {
    if (!IsA(info->clause, OpExpr))
        return {};
    const auto* clause = reinterpret_cast<OpExpr*>(info->clause);
    const Comparison comparison = comparison_of(root, clause->opno, clause->args);
    if (comparison.later == nullptr || are_of_same_values(comparison, asked))
        return comparison;
    const Comparison reversed = comparison.reversed();
    return are_of_same_values(reversed, asked) ? reversed : Comparison{};
}

// The distances that comparisons let pass.
struct Window {
    double lower = -infinite_distance;
    double upper = infinite_distance;

    void add(const Comparison& comparison) noexcept {
        if (comparison.is_lower)
            lower = Max(lower, comparison.distance);
        else
            upper = Min(upper, comparison.distance);
    }
    bool is_bounded() const noexcept { return lower > -infinite_distance && upper < infinite_distance; }

    double fraction(Points of_later, Points of_earlier) const noexcept {
        return Max(0.0, fraction_nearer(of_later, of_earlier, upper) - fraction_nearer(of_later, of_earlier, lower));
    }
};

struct Windows {
    Window before;  // of the clauses before the one asked about
    Window with;    // and of the clause itself
    Window all;     // and of those behind it
};

// The clauses are in the planner's order of a relation's restriction and join clauses. NIL if the one asked about is
// none of them, as the ends of `id = t` for an index.
List* clauses_like(PlannerInfo* root, const RelOptInfo* rel, const Comparison& asked) {
    const RestrictInfo* found = nullptr;
    List* clauses = NIL;
    ListCell* cell;
    for (const List* list : {rel->baserestrictinfo, rel->joininfo}) {
        foreach (cell, list) {
            auto* info = static_cast<RestrictInfo*>(lfirst(cell));
            const Comparison comparison = comparison_like(root, asked, info);
            if (comparison.later != nullptr)
                clauses = lappend(clauses, info);
            if (comparison.later != nullptr && found == nullptr && are_same(comparison, asked))
                found = info;
        }
    }
    if (found == nullptr)
        return NIL;
    // The planner asks together about the clauses of the same joins.
    foreach (cell, clauses)
        if (!bms_equal(static_cast<RestrictInfo*>(lfirst(cell))->required_relids, found->required_relids))
            clauses = foreach_delete_current(clauses, cell);
    return clauses;
}

std::optional<Windows> windows_of(PlannerInfo* root, const RelOptInfo* rel, const Comparison& asked) {
    const List* clauses = clauses_like(root, rel, asked);
    if (clauses == NIL)
        return std::nullopt;
    Windows windows;
    bool is_found = false;
    ListCell* cell;
    foreach (cell, clauses) {
        const Comparison comparison = comparison_like(root, asked, static_cast<RestrictInfo*>(lfirst(cell)));
        is_found = is_found || are_same(comparison, asked);
        if (!is_found)
            windows.before.add(comparison);
        windows.all.add(comparison);
    }
    windows.with = windows.before;
    windows.with.add(asked);
    return windows;
}

bool is_column_of_simple_rel(const VariableStatData& variable) {
    return variable.rel != nullptr && IS_SIMPLE_REL(variable.rel);
}

// How a value is spread, in the rows that its relation's own clauses let pass.
Points restricted_spread(PlannerInfo* root, Node* value, const VariableStatData& variable, Oid function) {
    const Points points = spread_of(root, variable, function);
    const IdRange range = points.empty() ? IdRange{} : constant_range(root, variable.rel, value);
    if (!range.lower && !range.upper)
        return points;
    auto* copy = static_cast<Point*>(palloc(points.size_bytes()));
    std::ranges::copy(points, copy);
    return restricted({copy, points.size()}, range.lower ? place_of(range.lower->id) : -infinite_distance,
                      range.upper ? place_of(range.upper->id) : infinite_distance);
}

std::optional<WindowSelectivity> selectivity(PlannerInfo* root, const Comparison& asked, const VariableStatData& later,
                                             const VariableStatData& earlier, Oid function) {
    const bool is_later_column = is_column_of_simple_rel(later), is_earlier_column = is_column_of_simple_rel(earlier);
    if (later.rel == earlier.rel || (!is_later_column && !is_earlier_column))
        return std::nullopt;
    const auto windows = windows_of(root, is_later_column ? later.rel : earlier.rel, asked);
    // A single time has no width.
    if (!windows || windows->all.lower == windows->all.upper)
        return std::nullopt;
    Points of_later, of_earlier;
    if (is_later_column && is_earlier_column) {
        of_later = restricted_spread(root, asked.later, later, function);
        of_earlier = restricted_spread(root, asked.earlier, earlier, function);
    } else {
        (is_later_column ? of_later : of_earlier) = spread_of(root, is_later_column ? later : earlier, function);
    }
    const bool is_one_unknown = of_later.empty() || of_earlier.empty();
    if (is_one_unknown && !windows->all.is_bounded())
        return std::nullopt;
    if (is_one_unknown)
        (of_later.empty() ? of_later : of_earlier) = of_later.empty() ? of_earlier : of_later;
    // A value that is unknown is not null.
    const double whole = is_one_unknown && !of_later.empty() ? of_later.back().fraction : 1;
    if (of_later.empty() || !(whole > 0))
        return std::nullopt;
    return WindowSelectivity{windows->before.fraction(of_later, of_earlier) / whole,
                             windows->with.fraction(of_later, of_earlier) / whole};
}

}  // namespace

std::optional<WindowSelectivity> luuid::pg::window_selectivity(PlannerInfo* root, Oid op, List* arguments) {
    // The planner asks often, and keeps its memory until the end.
    const MemoryContext own = AllocSetContextCreate(CurrentMemoryContext, "luuid window", ALLOCSET_DEFAULT_SIZES);
    const MemoryContext context = MemoryContextSwitchTo(own);
    std::optional<WindowSelectivity> answer;
    if (const Comparison asked = comparison_of(root, op, arguments); asked.later != nullptr) {
        VariableStatData later, earlier;
        examine_variable(root, asked.later, 0, &later);
        examine_variable(root, asked.earlier, 0, &earlier);
        answer = selectivity(root, asked, later, earlier, get_opcode(op));
        ReleaseVariableStats(later);
        ReleaseVariableStats(earlier);
    }
    MemoryContextSwitchTo(context);
    MemoryContextDelete(own);
    return answer;
}
