// The clauses of a relation that bound the distance of two times, as `e.id >= o.id` and
// `e.id < luuid_floor(o.id::timestamptz + '5 min')` do. They are read once for a run of the planner.
#pragma once

#include "server.hpp"

#include <luuid/detail/distance.hpp>

#include <algorithm>
#include <optional>

namespace luuid::pg {

// `later` - `earlier` is at least a distance, or less.
struct Comparison {
    Node* later = nullptr;
    Node* earlier = nullptr;
    double distance = 0;
    bool is_lower = false;

    Comparison reversed() const noexcept { return {earlier, later, -distance, !is_lower}; }
};

// Without values if it is none.
Comparison comparison_of(PlannerInfo* root, Oid op, List* arguments);

// The distances that comparisons let pass.
struct Window {
    double lower = -detail::infinite_distance;
    double upper = detail::infinite_distance;

    void add(const Comparison& comparison) noexcept {
        if (comparison.is_lower)
            lower = std::max(lower, comparison.distance);
        else
            upper = std::min(upper, comparison.distance);
    }
    bool is_bounded() const noexcept { return lower > -detail::infinite_distance && upper < detail::infinite_distance; }
    bool is_unbounded() const noexcept {
        return lower == -detail::infinite_distance && upper == detail::infinite_distance;
    }
    Window reversed() const noexcept { return {-upper, -lower}; }
};

// The fractions of the pairs of rows, or of a semijoin's outer rows, that pass the clauses before one, and these and
// the clause itself.
struct WindowSelectivity {
    double before;
    double with;
};

// What was answered about a clause, for the planner asks about each for every path.
struct Answer {
    Oid function = InvalidOid;          // of the operator, by which the statistics may be seen or not; none before
    const RelOptInfo* inner = nullptr;  // of the semijoin that it was answered for
    std::optional<WindowSelectivity> selectivity = std::nullopt;
};

// Of the clauses that compare the values that one does, for the same joins, in its direction.
struct Windows {
    Window before;  // of those before it
    Window with;    // and of the clause itself
    Window all;     // and of those behind it
    Answer* answer;

    Windows reversed() const noexcept { return {before.reversed(), with.reversed(), all.reversed(), answer}; }
};

// What was answered about a relation's clause with these arguments; null for none.
const Answer* answer_about(PlannerInfo* root, const RelOptInfo* rel, const List* arguments);

// None if the one asked about is none of the relation's clauses, as the ends of `id = t` for an index.
std::optional<Windows> windows_of(PlannerInfo* root, const RelOptInfo* rel, const List* arguments,
                                  const Comparison& asked);

}  // namespace luuid::pg
