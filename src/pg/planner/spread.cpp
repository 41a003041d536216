// Adds up the histogram, the most common values and the newest rows of a column.
#include "spread.hpp"

#include "../datum.hpp"
#include "newest.hpp"
#include "run.hpp"

#include <algorithm>
#include <cmath>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

struct Values {
    Point* points = nullptr;
    int count = 0;
    bool are_ids = false;

    void add(double place, double fraction) noexcept { points[count++] = {place, fraction}; }
    Points all() const noexcept { return {points, static_cast<std::size_t>(count)}; }
};

Values room_for(int count) { return {static_cast<Point*>(palloc(sizeof(Point) * static_cast<Size>(count)))}; }

// In time, each with its own fraction in an MCV list; none if they are no ids and no times.
Values values_of(HeapTuple statistics, int kind) {
    const bool has_fractions = kind == STATISTIC_KIND_MCV;
    AttStatsSlot slot;
    if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
                          ATTSTATSSLOT_VALUES | (has_fractions ? ATTSTATSSLOT_NUMBERS : 0)))
        return {};
    Values values;
    const bool are_ids = is_id(slot.valuetype);
    if ((are_ids || slot.valuetype == TIMESTAMPTZOID) && (!has_fractions || slot.nnumbers == slot.nvalues)) {
        values = room_for(slot.nvalues);
        values.are_ids = are_ids;
        for (int i = 0; i < slot.nvalues; ++i)
            values.add(are_ids ? place_of(id_from_datum(slot.values[i]))
                               : place_of(time_from_timestamptz(DatumGetTimestampTz(slot.values[i]))),
                       has_fractions ? slot.numbers[i] : 0);
    }
    free_attstatsslot(&slot);
    return values;
}

void sort(Values& values) { std::ranges::sort(values.points, values.points + values.count, {}, &Point::place); }

// Equally many values lie between two bounds. Those of a histogram in another order are a random sample, unevenly
// spaced: of n of them, take every √n-th.
Values histogram_of(HeapTuple statistics) {
    Values values = values_of(statistics, STATISTIC_KIND_HISTOGRAM);
    if (!std::ranges::is_sorted(values.all(), {}, &Point::place)) {
        sort(values);
        const int last = values.count - 1;
        int parts = 1;
        while ((parts + 1) * (parts + 1) <= values.count)
            ++parts;
        for (int i = 0; i <= parts; ++i)
            values.points[i] = values.points[last * i / parts];
        values.count = parts + 1;
    }
    for (int i = 0; i < values.count; ++i)
        values.points[i].fraction = static_cast<double>(i) / (values.count - 1);
    if (values.count < 2)
        values.count = 0;
    return values;
}

// Each of the most common values is a step.
Values common_values(HeapTuple statistics) {
    Values values = values_of(statistics, STATISTIC_KIND_MCV);
    sort(values);
    Values steps = room_for(2 * values.count + 1);
    double sum = 0;
    for (const Point& value : values.all()) {
        steps.add(value.place, sum);
        if (value.fraction > 0)
            sum += std::min(value.fraction, 1.0);
        steps.add(value.place, sum);
    }
    return steps;
}

void scale(Values& values, double factor) noexcept {
    for (int i = 0; i < values.count; ++i)
        values.points[i].fraction *= factor;
}

Values sum_of(const Values& a, const Values& b) {
    if (a.count == 0 || b.count == 0)
        return a.count == 0 ? b : a;
    Values sum = room_for(a.count + b.count);
    sum.count = static_cast<int>(add(a.all(), b.all(), sum.points));
    return sum;
}

Points computed_spread(PlannerInfo* root, const VariableStatData& variable, double end) {
    Values histogram = histogram_of(variable.statsTuple);
    const Values common = common_values(variable.statsTuple);
    const double all_common = common.count > 0 ? common.all().back().fraction : 0;
    scale(histogram, std::max(0.0, 1 - null_fraction(variable.statsTuple) - all_common));
    Values known = sum_of(histogram, common);
    if (histogram.are_ids && known.count > 1) {
        Values newest = room_for(newest_points);
        double others = 1;
        newest.count = newest_of(root, variable, known.all(), end, newest.points, &others);
        scale(known, others);
        known = sum_of(known, newest);
    }
    return known.all();
}

// For the next question about the same values.
struct Kept {
    const RelOptInfo* rel;
    Node* value;
    double end;
    Points points;
};

Kept* kept(PlannerInfo* root, const VariableStatData& variable, double end, Points points) {
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    auto* copy = static_cast<Point*>(palloc(points.size_bytes()));
    std::ranges::copy(points, copy);
    auto* kept = static_cast<Kept*>(palloc(sizeof(Kept)));
    *kept = {variable.rel, static_cast<Node*>(copyObjectImpl(variable.var)), end, {copy, points.size()}};
    Run& run = run_of(root);
    run.spreads = lcons(kept, run.spreads);
    MemoryContextSwitchTo(context);
    return kept;
}

}  // namespace

Points luuid::pg::spread_of(PlannerInfo* root, const VariableStatData& variable, Oid function, double end) {
    if (!HeapTupleIsValid(variable.statsTuple) ||
        !statistic_proc_security_check(const_cast<VariableStatData*>(&variable), function))
        return {};
    ListCell* cell;
    foreach (cell, run_of(root).spreads) {
        const auto* each = static_cast<Kept*>(lfirst(cell));
        if (each->rel == variable.rel && each->end >= end && equal(each->value, variable.var))
            return each->points;
    }
    return kept(root, variable, end, computed_spread(root, variable, end))->points;
}
