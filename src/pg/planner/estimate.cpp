// The planner's estimates: which part of a table's rows has ids between two bounds, by its statistics.
#include "../datum.hpp"
#include "index_rows.hpp"
#include "question.hpp"
#include "statistics.hpp"

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

// What the server takes where it knows nothing: scalarineqsel, clauselist_selectivity and var_eq_non_const.
double default_part(VariableStatData* variable, const Bounds& bounds) {
    bool is_default = false;
    if (bounds.is_instant)
        return 1 / get_variable_numdistinct(variable, &is_default);
    return bounds.are_both() ? DEFAULT_RANGE_INEQ_SEL : DEFAULT_INEQ_SEL;
}

// The part of all rows whose value is a common one in the range, and of those that have any common one.
struct Common {
    double within = 0;
    double all = 0;
};

Common common_part(HeapTuple statistics, Order order, const IdRange& range) {
    Common common;
    const Sample sample = sample_of(statistics, STATISTIC_KIND_MCV);
    for (int i = 0; i < sample.ids.size(); ++i) {
        const double part = sample.parts[i];
        if (!(part > 0))
            continue;
        common.all += part;
        if (range.contains(order, sample.ids[i]))
            common.within += part;
    }
    release(sample);
    return common;
}

// Below this, ends that nobody has looked at are not believed. As in ineq_histogram_selectivity of selfuncs.c.
double least_part(const Distribution& histogram) noexcept { return 0.01 / histogram.bins(); }

// Whether an operator compares ids in this order. The server's own does in that of bytes; of other types no value is
// read.
bool is_by(Order order, Oid estimator, Oid op) {
    const RegProcedure known_by = get_oprrest(op);
    return known_by == estimator || (order == Order::bytes && known_by == F_SCALARLTSEL);
}

// Of one column, for as many ranges as are asked about. To be closed.
class Estimate {
public:
    // `estimator` is the function by which operators of this order are known.
    Estimate(PlannerInfo* root, const VariableStatData& variable, Order order, Oid estimator)
        : root_(root),
          variable_(variable),
          order_(order),
          sample_(sample_of(variable.statsTuple, STATISTIC_KIND_HISTOGRAM)),
          histogram_(sample_.ids, order, is_by(order, estimator, sample_.op)) {}

    void close() {
        release(sample_);
        if (index_)
            pg::close(*index_);
    }

    // The part of the rows between the cuts of a range. If `is_rough`, a large part is not looked at closely.
    double part_of(const IdRange& range, bool is_rough) {
        if (range.is_empty(order_))
            return 0;
        const Common common = common_part(variable_.statsTuple, order_, range);
        const double rest = Max(0.0, 1 - null_part(variable_.statsTuple) - common.all);
        return common.within + rest * uncommon_part(range, is_rough);
    }

private:
    // The same of the rows whose value is no common one.
    double uncommon_part(const IdRange& range, bool is_rough) {
        if (sample_.ids.size() < 2)
            // As scalarineqsel of selfuncs.c takes one bound.
            return range.lower && range.upper ? 0.25 : 0.5;
        double known = histogram_.fraction_within(range);
        const Later later = later_than_sample(range, known, is_rough);
        if (index_)
            known = histogram_.fraction_within(range);
        const double part = known * (1 - later.all) + later.within;
        const bool is_open = !range.lower || !range.upper;
        return is_open && !index_ ? Max(part, least_part(histogram_)) : part;
    }

    // Rows whose time is later than all that the sample knows of: which part of all rows they are, and which part of
    // all rows those in the range are.
    struct Later {
        double all = 0;
        double within = 0;
    };

    // `known` is the part of the sample's values that are in the range. The index, once it is asked, tells where
    // these end.
    Later later_than_sample(const IdRange& range, double known, bool is_rough) {
        if (histogram_.times().is_empty() || distinct_part(variable_.statsTuple) <= 0)
            return {};
        const Bound end{histogram_.times().last_id, true};
        const bool reaches_beyond = !range.upper || compare(order_, end, *range.upper) < 0;
        const double grown = new_part(root_, variable_.rel);
        if (!reaches_beyond)
            return {grown, 0};
        if (known > much && (is_rough || grown < known / 2))
            return {grown, grown};

        if (!is_index_asked_) {
            is_index_asked_ = true;
            if (sees_all_rows(root_, variable_))
                index_ = time_index_of(root_, variable_);
            if (index_)
                histogram_.end_at_last_value();
        }
        if (!index_)
            return grown > 0 ? guessed(range, grown) : Later{};
        IdRange beyond = range;
        beyond.restrict_lower(order_, end);
        const double within = Min(timed_rows(*index_, beyond) / variable_.rel->tuples, 1);
        return {Max(grown, within), within};
    }

    // Without an index: the rows by which the table seems to have grown, at the rate of the sample's last quarter, but
    // not beyond now. Where that makes them come more than twice as fast, some are taken for updates of older rows.
    Later guessed(const IdRange& range, double grown) const {
        const double rate = histogram_.recent_rate();
        const std::uint64_t begin = histogram_.times().last;
        const std::uint64_t now = key_of(order_, ceiling_of(time_from_timestamptz(GetCurrentTimestamp())));
        const double most = static_cast<double>(Max(now, begin + 1) - begin);
        const double reach = Min(grown / (1 - grown) / rate, most);
        const double fastest = 2 * rate * most;
        const double all = Min(grown, fastest / (1 + fastest));
        const auto position = [&](const Bound& cut) {
            const std::uint64_t key = key_of(order_, cut.id);
            return key <= begin ? 0 : Min(static_cast<double>(key - begin) / reach, 1);
        };
        const double within = (range.upper ? position(*range.upper) : 1) - (range.lower ? position(*range.lower) : 0);
        return {all, all * within};
    }

    // To look at an index takes longer than all the rest. It is not worth it where many rows are in the range, and
    // the new ones do not change that.
    static constexpr double much = 0.1;

    PlannerInfo* root_;
    const VariableStatData& variable_;
    Order order_;
    Sample sample_;
    Distribution histogram_;
    bool is_index_asked_ = false;
    std::optional<TimeIndex> index_;
};

// Of more, the gaps are taken for rows too.
constexpr int most_ranges = 100;

// What is unknown leaves as much as the server takes it to, unless what is known leaves less.
double part_of(PlannerInfo* root, VariableStatData& variable, Order order, Estimate* estimate, const Bounds& bounds,
               bool is_rough) {
    if (bounds.is_null)
        return 0;
    const double at_most = estimate == nullptr || bounds.is_unknown ? default_part(&variable, bounds) : 1;
    if (estimate == nullptr || (!bounds.range.lower && !bounds.range.upper))
        return at_most;
    if (bounds.ranges == NIL || list_length(bounds.ranges) > most_ranges)
        return Min(estimate->part_of(bounds.range, is_rough), at_most);
    double sum = 0;
    ListCell* cell;
    foreach (cell, bounds.ranges) {
        IdRange range = range_of(root, order, static_cast<Node*>(lfirst(cell)));
        range.intersect(order, bounds.range);
        sum += estimate->part_of(range, is_rough);
    }
    return Min(sum, at_most);
}

// What a clause leaves of what the clauses before it do. Of a product of these, it is the last that tells.
double part_left(PlannerInfo* root, VariableStatData& variable, Order order, Estimate* estimate,
                 const Question& question) {
    // Where rows are hidden, an operator that may leak is not answered for as those that do not leak are.
    const bool is_kept = question.kept_before && (variable.acl_ok || question.before.conditions == 0);
    const double before =
        is_kept ? *question.kept_before : part_of(root, variable, order, estimate, question.before, true);
    const double with = part_of(root, variable, order, estimate, question.with, !question.is_last);
    return before > 0 ? with / before : 0;
}

double selectivity(FunctionCallInfo fcinfo, Order order) {
    auto* root = reinterpret_cast<PlannerInfo*>(PG_GETARG_POINTER(0));
    const Oid op = PG_GETARG_OID(1);
    auto* arguments = reinterpret_cast<List*>(PG_GETARG_POINTER(2));
    VariableStatData variable;
    Node* operand = nullptr;
    bool is_left = false;
    if (!get_restriction_variable(root, arguments, PG_GETARG_INT32(3), &variable, &operand, &is_left))
        return get_oprjoin(op) == F_EQJOINSEL ? DEFAULT_EQ_SEL : DEFAULT_INEQ_SEL;
    const Oid estimator = fcinfo->flinfo->fn_oid;
    const Question question = question_of({root, variable.rel, order, op, arguments, is_left, operand});
    double part = 0;
    if (HeapTupleIsValid(variable.statsTuple) && statistic_proc_security_check(&variable, get_opcode(op))) {
        Estimate estimate{root, variable, order, estimator};
        part = part_left(root, variable, order, &estimate, question);
        estimate.close();
    } else {
        part = part_left(root, variable, order, nullptr, question);
    }
    ReleaseVariableStats(variable);
    CLAMP_PROBABILITY(part);
    return part;
}

}  // namespace

// luuid_timesel(internal, oid, internal, integer) → double precision: the part of the rows that an operator of the
// chronological order lets pass, of those that the bounds ANDed before it do. See restriction_selectivity of plancat.c.
LUUID_FUNCTION(luuid_timesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::time)); }

// luuid_bytesel: that of the byte order.
LUUID_FUNCTION(luuid_bytesel) { PG_RETURN_FLOAT8(selectivity(fcinfo, Order::bytes)); }
