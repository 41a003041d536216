// Compares how two times are spread, between the bounds of their distance.
#include "window.hpp"

#include "siblings.hpp"
#include "spread.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

double fraction(const Window& window, Points of_later, Points of_earlier) noexcept {
    return std::max(
        0.0, fraction_nearer(of_later, of_earlier, window.upper) - fraction_nearer(of_later, of_earlier, window.lower));
}

double fraction_of_semijoin(const Window& window, Points outer, Points inner, double inner_rows) noexcept {
    return fraction_with_match(outer, inner, window.lower, window.upper,
                               static_cast<std::uint64_t>(std::min(inner_rows, 1e18)));
}

bool is_column_of_simple_rel(const VariableStatData& variable) {
    return variable.rel != nullptr && IS_SIMPLE_REL(variable.rel);
}

// The last place of a column that such windows ask about, whose other value is in a range too. If orders of before
// March are joined with the events of the five minutes after each, it is five minutes past February: later events are
// too late.
double last_place(const IdRange& own, const IdRange& other, const Windows& windows) noexcept {
    const auto reach = [](const Window& window) {
        return window.upper < infinite_distance ? window.upper : window.lower;
    };
    if (own.upper)
        return place_of(own.upper->id);
    return other.upper
               ? place_of(other.upper->id) + std::max({reach(windows.before), reach(windows.with), reach(windows.all)})
               : infinite_distance;
}

// How a value is spread in the rows of this range; `end` is the last place that matters.
Points restricted_spread(PlannerInfo* root, const VariableStatData& variable, Oid function, const IdRange& range,
                         double end) {
    const Points points = spread_of(root, variable, function, end);
    if (points.empty() || (!range.lower && !range.upper))
        return points;
    auto* copy = static_cast<Point*>(palloc(points.size_bytes()));
    std::ranges::copy(points, copy);
    return restricted({copy, points.size()}, range.lower ? place_of(range.lower->id) : -infinite_distance,
                      range.upper ? place_of(range.upper->id) : infinite_distance);
}

std::optional<WindowSelectivity> selectivity(PlannerInfo* root, const Comparison& asked, const Windows& windows,
                                             const VariableStatData& later, const VariableStatData& earlier,
                                             Oid function, const RelOptInfo* inner) {
    // A single time has no width.
    if (windows.all.lower == windows.all.upper)
        return std::nullopt;
    const bool is_later_column = is_column_of_simple_rel(later), is_earlier_column = is_column_of_simple_rel(earlier);
    Points of_later, of_earlier;
    if (is_later_column && is_earlier_column) {
        // What the relations' own clauses let pass.
        const IdRange in_later = constant_range(root, later.rel, asked.later);
        const IdRange in_earlier = constant_range(root, earlier.rel, asked.earlier);
        of_later = restricted_spread(root, later, function, in_later, last_place(in_later, in_earlier, windows));
        of_earlier = restricted_spread(root, earlier, function, in_earlier,
                                       last_place(in_earlier, in_later, windows.reversed()));
    } else {
        (is_later_column ? of_later : of_earlier) = spread_of(root, is_later_column ? later : earlier, function);
    }
    const bool is_one_unknown = of_later.empty() || of_earlier.empty();
    if (is_one_unknown && !windows.all.is_bounded())
        return std::nullopt;
    if (is_one_unknown)
        (of_later.empty() ? of_later : of_earlier) = of_later.empty() ? of_earlier : of_later;
    // A value that is unknown is not null.
    const double whole = is_one_unknown && !of_later.empty() ? of_later.back().fraction : 1;
    if (of_later.empty() || !(whole > 0))
        return std::nullopt;
    const auto of = [&](const Window& window) {
        // Nulls pass if there is no bound.
        if (window.is_unbounded())
            return 1.0;
        if (inner == nullptr)
            return fraction(window, of_later, of_earlier) / whole;
        return inner == later.rel ? fraction_of_semijoin(window, of_earlier, of_later, inner->rows)
                                  : fraction_of_semijoin(window.reversed(), of_later, of_earlier, inner->rows);
    };
    return WindowSelectivity{of(windows.before), of(windows.with)};
}

std::optional<WindowSelectivity> kept_selectivity(PlannerInfo* root, const List* arguments, const Comparison& asked,
                                                  const VariableStatData& later, const VariableStatData& earlier,
                                                  Oid function, const RelOptInfo* inner) {
    // A semijoin's clause may compare outer rows alone.
    if (later.rel != inner && earlier.rel != inner)
        inner = nullptr;
    const bool is_later_column = is_column_of_simple_rel(later), is_earlier_column = is_column_of_simple_rel(earlier);
    if (later.rel == earlier.rel || (!is_later_column && !is_earlier_column))
        return std::nullopt;
    const auto windows = windows_of(root, is_later_column ? later.rel : earlier.rel, arguments, asked);
    if (!windows)
        return std::nullopt;
    if (windows->answer->function != function || windows->answer->inner != inner)
        *windows->answer = {function, inner, selectivity(root, asked, *windows, later, earlier, function, inner)};
    return windows->answer->selectivity;
}

}  // namespace

std::optional<WindowSelectivity> luuid::pg::window_selectivity(PlannerInfo* root, Oid op, List* arguments,
                                                               const RelOptInfo* inner) {
    // The planner asks often, and keeps its memory until the end.
    const MemoryContext own = AllocSetContextCreate(CurrentMemoryContext, "luuid window", ALLOCSET_DEFAULT_SIZES);
    const MemoryContext context = MemoryContextSwitchTo(own);
    std::optional<WindowSelectivity> answer;
    if (const Comparison asked = comparison_of(root, op, arguments); asked.later != nullptr) {
        VariableStatData later, earlier;
        examine_variable(root, asked.later, 0, &later);
        examine_variable(root, asked.earlier, 0, &earlier);
        answer = kept_selectivity(root, arguments, asked, later, earlier, get_opcode(op), inner);
        ReleaseVariableStats(later);
        ReleaseVariableStats(earlier);
    }
    MemoryContextSwitchTo(context);
    MemoryContextDelete(own);
    return answer;
}

std::optional<WindowSelectivity> luuid::pg::restriction_window_selectivity(PlannerInfo* root, Oid op, List* arguments,
                                                                           int relation) {
    const Answer* kept = relation > 0 ? answer_about(root, find_base_rel(root, relation), arguments) : nullptr;
    if (kept != nullptr && kept->function == get_opcode(op) && kept->inner == nullptr)
        return kept->selectivity;
    return window_selectivity(root, op, arguments);
}
