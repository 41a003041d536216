// Comparisons of an id's time, `luuid_extract_timestamp(id) >= t`, or of that time rounded down, `id::date >= d`, as
// they are written, and those beside them.
#pragma once

#include "comparison.hpp"
#include "rounding.hpp"

namespace luuid::pg {

// A comparison of a column's time with another expression; the strategy is a B-tree's.
struct TimeComparison {
    Node* id = nullptr;  // null for none
    StrategyNumber strategy = InvalidStrategy;
    Node* other = nullptr;
    Node* other_id = nullptr;  // that of which `other` is the time; null if it is none
    Node* time = nullptr;      // that of the id, as it is written

    bool is_some() const noexcept { return id != nullptr; }
    bool is_rounded() const { return without_rounding(time) != time; }
    // The same comparison with its sides exchanged; none if the other side is no id's time.
    TimeComparison commuted() const noexcept {
        if (other_id == nullptr)
            return {};
        return {other_id, static_cast<StrategyNumber>(BTCommuteStrategyNumber(strategy)), time, id, other};
    }
};

// How a clause reads, with an id's time on the left; none for another clause.
TimeComparison time_comparison(Node* clause);

// The comparisons with the elements of an array, of which `id::date = ANY (array)`, or `id::date IN (…)`, is the OR;
// NIL for another clause.
List* comparisons_with_any(Node* clause);

// `>` and `>=`.
inline bool is_lower_bound(StrategyNumber strategy) noexcept {
    return strategy == BTGreaterStrategyNumber || strategy == BTGreaterEqualStrategyNumber;
}

// The comparisons of ids that all of them pass of which a comparison can be true, and for a time that is not rounded
// no others. `id::date = d`, for example, has the bounds of a day, or a little more where clocks change.
List* implied_bounds(const TimeComparison& comparison);

// A clause to filter by what such bounds let pass. It is expected to be true, since the bounds are estimated.
Node* rechecked(Node* clause);

// Whether a comparison with something else than an id's time bounds the id beside a clause.
bool is_bounded_beside(List* siblings, const Node* clause, Node* id);

// A comparison of ids lets untimed ids pass that are beyond it. Whether a clause's siblings exclude them, or one of
// them, before it, was given the bound that does.
bool excludes_untimed(List* siblings, const Node* clause, const TimeComparison& comparison);

// The bound that excludes untimed ids after, or before, those that have a time.
Node* all_times(Node* id, bool is_lower);

}  // namespace luuid::pg
