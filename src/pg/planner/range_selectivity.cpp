// Adds up the most common values, the histogram's fraction, and the rows that came after ANALYZE.
#include "range_selectivity.hpp"

#include "../datum.hpp"
#include "visibility.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// To look at an index takes longer than all the rest. It is not worth it if many rows are in the range, and the new
// ones do not change that.
constexpr double many = 0.1;

// The fraction of all rows whose value is one of the most common, and of those of them that are in the range.
struct Common {
    double within = 0;
    double all = 0;
};

Common common_fraction(HeapTuple statistics, Order order, const IdRange& range) {
    Common common;
    Sample sample = sample_of(statistics, STATISTIC_KIND_MCV);
    for (int i = 0; i < sample.ids.size(); ++i) {
        const double fraction = sample.slot.numbers[i];
        if (!(fraction > 0))
            continue;
        common.all += fraction;
        if (range.contains(order, sample.ids[i]))
            common.within += fraction;
    }
    release(sample);
    return common;
}

// Below this, ends that nobody has looked at are not believed. As in ineq_histogram_selectivity of selfuncs.c.
double least_selectivity(const Distribution& histogram) noexcept { return 0.01 / histogram.bins(); }

// Whether an operator compares ids in this order. The server's own does in that of bytes; of other types no value is
// read.
bool is_by(Order order, Oid estimator, Oid op) {
    const RegProcedure known_by = get_oprrest(op);
    return known_by == estimator || (order == Order::bytes && known_by == F_SCALARLTSEL);
}

}  // namespace

RangeSelectivity::RangeSelectivity(PlannerInfo* root, const VariableStatData& variable, Order order, Oid estimator)
    : root_(root),
      variable_(variable),
      order_(order),
      sample_(histogram_sample(root, variable.statsTuple)),
      histogram_(sample_.ids, order, is_by(order, estimator, sample_.slot.staop)) {}

void RangeSelectivity::close() {
    if (index_)
        pg::close(*index_);
}

double RangeSelectivity::of(const IdRange& range, const std::optional<IdRange>& narrowed) {
    if (range.is_empty(order_))
        return 0;
    const Common common = common_fraction(variable_.statsTuple, order_, range);
    const double rest = std::max(0.0, 1 - null_fraction(variable_.statsTuple) - common.all);
    return common.within + rest * of_uncommon(range, narrowed);
}

// Of the rows whose value is not one of the most common.
double RangeSelectivity::of_uncommon(const IdRange& range, const std::optional<IdRange>& narrowed) {
    if (sample_.ids.size() < 2)
        // As scalarineqsel of selfuncs.c takes one bound.
        return range.lower && range.upper ? 0.25 : 0.5;
    double known = histogram_.fraction_within(range);
    const Later later = later_than_histogram(range, known, narrowed);
    if (index_)
        known = histogram_.fraction_within(range);
    const double selectivity = known * (1 - later.all) + later.within;
    const bool is_open = !range.lower || !range.upper;
    return is_open && !index_ ? std::max(selectivity, least_selectivity(histogram_)) : selectivity;
}

// `known` is the fraction of the histogram's values that are in the range: of a table that was analyzed at noon, those
// since 11:00. The index, once it is opened, tells where these end.
RangeSelectivity::Later RangeSelectivity::later_than_histogram(const IdRange& range, double known,
                                                               const std::optional<IdRange>& narrowed) {
    if (histogram_.times().is_empty() || distinct_fraction(variable_.statsTuple) <= 0)
        return {};
    const Bound end{histogram_.times().last_id, true};
    const double grown = new_fraction(root_, variable_.rel);
    if (range.upper && compare(order_, end, *range.upper) >= 0)
        return {grown, 0};
    // No less than what the next clause is answered for, which has none of the later rows.
    if (narrowed && narrowed->upper && compare(order_, end, *narrowed->upper) >= 0)
        return {grown, grown};
    if (known > many && (narrowed || grown < known / 2))
        return {grown, grown};
    open_index();
    if (index_)
        return counted(range, grown);
    return grown > 0 ? guessed(range, grown) : Later{};
}

void RangeSelectivity::open_index() {
    if (is_index_asked_)
        return;
    is_index_asked_ = true;
    if (sees_all_rows(root_, variable_))
        index_ = time_index_of(root_, variable_);
    if (index_)
        histogram_.end_at_last_value();
}

// By the index.
RangeSelectivity::Later RangeSelectivity::counted(const IdRange& range, double grown) const {
    IdRange beyond = range;
    beyond.restrict_lower(order_, {histogram_.times().last_id, true});
    const double within = std::min(timed_rows(*index_, beyond) / variable_.rel->tuples, 1.0);
    return {std::max(grown, within), within};
}

// Without an index: the rows by which the table seems to have grown, at the rate of the histogram's last quarter, but
// not beyond now. If they would come more than twice as fast, some count as updates of older rows.
RangeSelectivity::Later RangeSelectivity::guessed(const IdRange& range, double grown) const {
    const double rate = histogram_.recent_rate();
    const std::uint64_t begin = histogram_.times().last;
    const std::uint64_t now = key_of(order_, ceiling_of(time_from_timestamptz(GetCurrentTimestamp())));
    const double most = static_cast<double>(std::max(now, begin + 1) - begin);
    const double reach = std::min(grown / (1 - grown) / rate, most);
    const double fastest = 2 * rate * most;
    const double all = std::min(grown, fastest / (1 + fastest));
    const auto fraction_before = [&](const Bound& bound) {
        const std::uint64_t key = key_of(order_, bound.id);
        return key <= begin ? 0 : std::min(static_cast<double>(key - begin) / reach, 1.0);
    };
    const double within =
        (range.upper ? fraction_before(*range.upper) : 1) - (range.lower ? fraction_before(*range.lower) : 0);
    return {all, all * within};
}
