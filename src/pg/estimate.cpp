// The planner's estimates: which part of a table's rows has ids between two bounds, by its statistics.
#include "bounds.hpp"
#include "datum.hpp"
#include "statistics.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// What the server takes where it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_part(VariableStatData* variable, const Bounds& bounds) {
    bool is_default = false;
    if (bounds.is_instant)
        return 1 / get_variable_numdistinct(variable, &is_default);
    return bounds.are_both() ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

// The part of all rows whose value is a common one in the stretch, and of those that have any common one.
struct Common {
    double within = 0;
    double all = 0;
};

Common common_part(HeapTuple statistics, Order order, const Stretch& stretch) {
    Common common;
    const Sample sample = sample_of(statistics, STATISTIC_KIND_MCV);
    for (int i = 0; i < sample.ids.size(); ++i) {
        const double part = sample.parts[i];
        if (!(part > 0))
            continue;
        common.all += part;
        if (stretch.holds(order, sample.ids[i]))
            common.within += part;
    }
    release(sample);
    return common;
}

// Below this, ends that nobody has looked at are not believed. As in ineq_histogram_selectivity of selfuncs.c.
double least_part(const Histogram& histogram) noexcept { return 0.01 / histogram.bins(); }

class Estimate {
public:
    Estimate(PlannerInfo* root, const VariableStatData& variable, Order order) noexcept
        : root_(root), variable_(variable), order_(order) {}

    // The part of the rows between the cuts of a stretch.
    double part_of(const Stretch& stretch) const {
        if (stretch.is_empty(order_))
            return 0;
        const Common common = common_part(variable_.statsTuple, order_, stretch);
        const double rest = Max(0.0, 1 - null_part(variable_.statsTuple) - common.all);
        return common.within + rest * uncommon_part(stretch);
    }

private:
    // The same of the rows whose value is no common one.
    double uncommon_part(const Stretch& stretch) const {
        const Sample sample = sample_of(variable_.statsTuple, STATISTIC_KIND_HISTOGRAM);
        // As scalarineqsel of selfuncs.c takes one bound.
        double part = stretch.lower && stretch.upper ? 0.25 : 0.5;
        if (sample.ids.size() >= 2)
            part = part_by(Histogram{sample.ids, order_}, stretch);
        release(sample);
        return part;
    }

    double part_by(const Histogram& histogram, const Stretch& stretch) const {
        const double old = (stretch.upper ? histogram.position(*stretch.upper) : 1) -
                           (stretch.lower ? histogram.position(*stretch.lower) : 0);
        bool is_end_known = false;
        const Growth growth = growth_of(histogram, stretch, old, &is_end_known);
        const double grown = (stretch.upper ? growth.position(key_of(order_, stretch.upper->id)) : 1) -
                             (stretch.lower ? growth.position(key_of(order_, stretch.lower->id)) : 0);
        const double part = old * (1 - growth.share) + grown * growth.share;
        const bool is_open = !stretch.lower || !stretch.upper;
        return is_open && !is_end_known ? Max(part, least_part(histogram)) : part;
    }

    // Rows that the sample does not know of, where it is of times: they are later, up to the end of the index, or as
    // far as they reach at the rate of the sample's last quarter, which is not beyond now. How many they are is seen in
    // the size of the table; where it did not change, since rows took the place of others or are counted already, the
    // same rate tells.
    Growth growth_of(const Histogram& histogram, const Stretch& stretch, double old, bool* is_end_known) const {
        if (!histogram.has_times() || !grows_with_rows(variable_.statsTuple))
            return {};
        Growth growth{new_part(root_, variable_.rel), histogram.last_timed(), histogram.last_timed()};
        const bool reaches_beyond = !stretch.upper || key_of(order_, stretch.upper->id) > growth.begin;
        if (growth.share < little && (!reaches_beyond || old > much))
            return growth;

        const double rate = histogram.recent_rate();
        if (const auto last = last_timed(root_, variable_)) {
            *is_end_known = true;
            growth.end = key_of(order_, *last);
            // Then new rows are among the old ones.
            if (growth.end <= growth.begin)
                return {};
            if (growth.share <= 0) {
                const double more = rate * static_cast<double>(growth.end - growth.begin);
                growth.share = more / (1 + more);
            }
        } else if (growth.share > 0) {
            const double reach = growth.share / (1 - growth.share) / rate;
            const std::uint64_t now = key_of(order_, ceiling_of(time_from_timestamptz(GetCurrentTimestamp())));
            const std::uint64_t most = Max(now, growth.begin + 1) - growth.begin;
            growth.end = growth.begin + (reach < static_cast<double>(most) ? static_cast<std::uint64_t>(reach) : most);
        }
        return growth;
    }

    // To look at an index takes longer than all the rest. It is not worth it where few rows are new, and either none of
    // them is in the stretch, or many old ones are.
    static constexpr double little = 0.05;
    static constexpr double much = 0.1;

    PlannerInfo* root_;
    const VariableStatData& variable_;
    Order order_;
};

// Of more, the gaps are taken for rows too.
constexpr int most_ranges = 100;

double part_of(PlannerInfo* root, VariableStatData& variable, Order order, Oid op, const Bounds& bounds) {
    if (bounds.is_null)
        return 0;
    if (bounds.is_unknown || !HeapTupleIsValid(variable.statsTuple) ||
        !statistic_proc_security_check(&variable, get_opcode(op)))
        return default_part(&variable, bounds);
    const Estimate estimate{root, variable, order};
    if (bounds.ranges == NIL || list_length(bounds.ranges) > most_ranges)
        return estimate.part_of(bounds.stretch);
    double sum = 0;
    ListCell* cell;
    foreach (cell, bounds.ranges)
        sum += estimate.part_of(stretch_of(root, order, static_cast<Node*>(lfirst(cell))));
    return sum;
}

double selectivity(FunctionCallInfo fcinfo, Order order) {
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    const Oid op = PG_GETARG_OID(1);
    auto* arguments = reinterpret_cast<List*>(PG_GETARG_POINTER(2));
    VariableStatData variable;
    Node* operand = nullptr;
    bool is_left = false;
    if (!get_restriction_variable(root, arguments, PG_GETARG_INT32(3), &variable, &operand, &is_left))
        return DEFAULT_INEQ_SEL;
    const Bounds bounds = bounds_of(root, variable.rel, order, fcinfo->flinfo->fn_oid, op, arguments, is_left ? 0 : 1);
    double part = bounds.is_answered ? 1 : part_of(root, variable, order, op, bounds);
    ReleaseVariableStats(variable);
    CLAMP_PROBABILITY(part);
    return part;
}

}  // namespace

// luuid_timesel(internal, oid, internal, integer) → double precision: the part of the rows that an operator of the
// chronological order lets pass, or all bounds ANDed with it do. See restriction_selectivity of plancat.c.
LUUID_FUNCTION(luuid_timesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::time)); }

// luuid_bytesel: that of the byte order.
LUUID_FUNCTION(luuid_bytesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::bytes)); }
