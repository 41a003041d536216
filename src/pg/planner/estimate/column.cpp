// Reads a column's statistics, and adds the rows past their ends.
#include "column.hpp"

#include "../../datum.hpp"
#include "../../settings.hpp"
#include "index_rows.hpp"

#include <new>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

namespace {

std::span<Point> room_for(std::size_t count) {
    return {static_cast<Point*>(palloc(sizeof(Point) * std::max<Size>(count, 1))), count};
}

void scale(std::span<Point> points, double factor) noexcept {
    for (Point& point : points)
        point.fraction *= factor;
}

std::span<Point> sum_of(std::span<Point> a, std::span<Point> b) {
    if (a.empty() || b.empty())
        return a.empty() ? b : a;
    const std::span<Point> sum = room_for(a.size() + b.size());
    add(a, b, sum.data());
    return sum;
}

// The table that a relation of a query is; null for what is none, and for one with children, whose statistics are
// theirs too.
const RangeTblEntry* table_of(PlannerInfo* root, const RelOptInfo* rel) {
    if (rel == nullptr || rel->rtekind != RTE_RELATION || !(rel->tuples > 0))
        return nullptr;
    const RangeTblEntry* entry = planner_rt_fetch(rel->relid, root);
    return entry->inh ? nullptr : entry;
}

// By the size of the table, which updates change too.
double grown_fraction(PlannerInfo* root, const RelOptInfo* rel) {
    const RangeTblEntry* entry = table_of(root, rel);
    const HeapTuple tuple = entry == nullptr ? nullptr : SearchSysCache1(RELOID, ObjectIdGetDatum(entry->relid));
    if (!HeapTupleIsValid(tuple))
        return 0;
    const double counted = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->reltuples;
    ReleaseSysCache(tuple);
    return counted > 0 && rel->tuples > counted ? (rel->tuples - counted) / rel->tuples : 0;
}

// Whether the current user may read every row of the table, so that an estimate may tell him how many there are. An
// operator that does not leak may tell of the values in the statistics, but not of each new row that a view or a policy
// hides. A relation that a view names is checked as the view's owner (rel->userid is valid): for it acl_ok tells of the
// owner, and the current user must be allowed to read the table without the view.
bool sees_all_rows(PlannerInfo* root, const VariableStatData& variable) {
    if (!variable.acl_ok || table_of(root, variable.rel) == nullptr)
        return false;
    if (!OidIsValid(variable.rel->userid) || variable.rel->userid == GetUserId())
        return true;
    // The table that the query names: of a partition or a child, its topmost parent.
    Index number = variable.rel->relid;
    while (root->append_rel_array != nullptr && root->append_rel_array[number] != nullptr) {
        const Index parent = root->append_rel_array[number]->parent_relid;
        if (planner_rt_fetch(parent, root)->rtekind != RTE_RELATION)
            break;  // an arm of UNION ALL
        number = parent;
    }
    const Oid table = planner_rt_fetch(number, root)->relid;
    return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
           check_enable_rls(table, InvalidOid, true) != RLS_ENABLED;
}

std::optional<TimeIndex> readable_index(PlannerInfo* root, const VariableStatData& variable) {
    return setting_values.enable_index_estimates && sees_all_rows(root, variable) ? time_index_of(variable)
                                                                                  : std::nullopt;
}

Bound after(Time time) noexcept { return {ceiling_of(time), true}; }

Time now() { return time_from_timestamptz(GetCurrentTimestamp()); }

// Counts the rows after the statistics in an index, and halves the time where the most of them are, a dozen times, each
// of which takes microseconds.
std::span<Point> newest_by_index(const TimeIndex& index, const Id& last, double tuples) {
    struct Stretch {
        Time begin, end;
        double rows;
    };
    constexpr int most = 14;
    constexpr double few = 100;  // about as many as a page of the index holds
    Stretch stretches[most];
    int count = 0;
    const Time begin = std::chrono::floor<std::chrono::microseconds>(*luuid::time_of(last));
    const Time middle = std::max(begin, now());
    const double all = timed_rows(index, {Bound{last, true}, std::nullopt});
    const double ahead = all < few ? 0 : std::min(timed_rows(index, {after(middle), std::nullopt}), all);
    stretches[count++] = {begin, middle, all - ahead};
    // Ids ahead of the clock, as far again as the clock is.
    if (ahead > 0)
        stretches[count++] = {middle, middle + std::max(middle - begin, Time::duration{1'000'000}), ahead};
    while (count < most) {
        Stretch* fullest = std::max_element(stretches, stretches + count,
                                            [](const Stretch& a, const Stretch& b) { return a.rows < b.rows; });
        if (fullest->rows < few)
            break;
        const Stretch whole = *fullest;
        const Time half = whole.begin + (whole.end - whole.begin) / 2;
        const double rows = std::min(timed_rows(index, {after(whole.begin), after(half)}), whole.rows);
        std::copy_backward(fullest, stretches + count, stretches + count + 1);
        fullest[0] = {whole.begin, half, rows};
        fullest[1] = {half, whole.end, whole.rows - rows};
        ++count;
    }
    const std::span<Point> points = room_for(2 * static_cast<std::size_t>(count));
    double rows = 0;
    for (int i = 0; i < count; ++i) {
        points[2 * i] = {abbreviate(floor_of(stretches[i].begin)), std::min(rows / tuples, 1.0)};
        rows += stretches[i].rows;
        points[2 * i + 1] = {abbreviate(floor_of(stretches[i].end)), std::min(rows / tuples, 1.0)};
    }
    return points;
}

// Without an index: as many as the table seems to have grown by, at the rate of the statistics' last quarter, but not
// beyond now. If they would come more than twice as fast, some count as versions of older rows.
std::span<Point> newest_by_rate(Points known, const Id& first, const Id& last, double grown) {
    const std::uint64_t end = abbreviate(last), quarter = (end - abbreviate(first)) / 4 + 1;
    const double rate =
        (fraction_before(known, end, true) - fraction_before(known, end - quarter)) / static_cast<double>(quarter);
    const std::uint64_t clock = abbreviate(ceiling_of(now()));
    const double longest = static_cast<double>(std::max(clock, end + 1) - end), fastest = 2 * rate * longest;
    const double reach = std::min(grown / std::max(1 - grown, 1e-3) / std::max(rate, 1e-300), longest);
    const std::span<Point> points = room_for(2);
    points[0] = {end, 0};
    points[1] = {end + static_cast<std::uint64_t>(reach), std::min(grown, fastest / (1 + fastest))};
    return points;
}

}  // namespace

Column* Column::of(PlannerInfo* root, const VariableStatData& variable, Oid function) {
    if (variable.rel == nullptr || !HeapTupleIsValid(variable.statsTuple) ||
        !statistic_proc_security_check(const_cast<VariableStatData*>(&variable), function))
        return nullptr;
    Run& run = run_of(root);
    Column* column = run.columns;
    while (column != nullptr && !(column->rel_ == variable.rel && equal(column->value_, variable.var)))
        column = column->next_;
    if (column == nullptr) {
        const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
        column = new (palloc(sizeof(Column))) Column;
        column->rel_ = variable.rel;
        column->value_ = static_cast<Node*>(copyObjectImpl(variable.var));
        column->read_statistics(variable.statsTuple);
        column->grown_ = column->is_growing_ ? grown_fraction(root, variable.rel) : 0;
        column->next_ = run.columns;
        run.columns = column;
        MemoryContextSwitchTo(context);
    }
    return column->known_.empty() ? nullptr : column;
}

// The histogram and the most common values, each of which is a step.
void Column::read_statistics(HeapTuple statistics) {
    const auto* row = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics));
    const auto fraction = [](double value) { return value > 0 ? std::min(value, 1.0) : 0; };
    is_growing_ = row->stadistinct < 0;
    std::span<Point> histogram, steps;
    double common = 0;
    std::uint64_t first = ~std::uint64_t{0}, last = 0;
    for (const int kind : {STATISTIC_KIND_MCV, STATISTIC_KIND_HISTOGRAM}) {
        const bool has_fractions = kind == STATISTIC_KIND_MCV;
        AttStatsSlot slot;
        if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
                              ATTSTATSSLOT_VALUES | (has_fractions ? ATTSTATSSLOT_NUMBERS : 0)))
            continue;
        int16 length = 0;
        bool is_by_value = false;
        char alignment = 0;
        get_typlenbyvalalign(slot.valuetype, &length, &is_by_value, &alignment);
        const bool are_ids = length == static_cast<int>(id_size) && !is_by_value && alignment == TYPALIGN_CHAR;
        if ((!are_ids && slot.valuetype != TIMESTAMPTZOID) || (has_fractions && slot.nnumbers != slot.nvalues)) {
            free_attstatsslot(&slot);
            continue;
        }
        const std::span<Point> points = room_for(static_cast<std::size_t>(slot.nvalues));
        for (int i = 0; i < slot.nvalues; ++i) {
            const Id id = are_ids ? id_from_datum(slot.values[i])
                                  : floor_of(time_from_timestamptz(DatumGetTimestampTz(slot.values[i])));
            const std::uint64_t key = abbreviate(id);
            points[i].key = key;
            points[i].fraction = has_fractions ? fraction(slot.numbers[i]) : 0;
            if (are_ids && is_timed(key) && key < first) {
                first = key;
                first_ = id;
            }
            if (are_ids && is_timed(key) && key >= last) {
                last = key;
                last_ = id;
            }
        }
        free_attstatsslot(&slot);
        if (has_fractions) {
            std::ranges::sort(points, {}, &Point::key);
            steps = room_for(2 * points.size());
            for (std::size_t i = 0; i < points.size(); ++i) {
                steps[2 * i] = {points[i].key, common};
                common += points[i].fraction;
                steps[2 * i + 1] = {points[i].key, common};
            }
        } else if (points.size() > 1) {
            histogram = points.first(static_cast<std::size_t>(points_of_histogram(points)));
        }
    }
    scale(histogram, std::max(0.0, 1 - fraction(row->stanullfrac) - common));
    known_ = sum_of(histogram, steps);
}

bool Column::has_enough_within(const IdRange& range) const {
    const double known = fraction_within(known_, range);
    return known > 0.1 && grown_ < known / 10;
}

bool Column::reaches_past(double begin, double end) const noexcept {
    return !(place_of(abbreviate(first_)) <= begin && end <= place_of(abbreviate(last_)));
}

double Column::within(PlannerInfo* root, const VariableStatData& variable, const IdRange& range, bool is_exact) const {
    const double known = fraction_within(known_, range);
    const Bound begin{first_, false}, end{last_, true};
    const bool is_before = !range.lower || detail::compare(*range.lower, begin) < 0;
    const bool is_after = !range.upper || detail::compare(*range.upper, end) > 0;
    if (range.is_empty() || !is_growing_ || first_ == last_ || (!is_before && !is_after))
        return known * (1 - grown_);
    // To look at an index takes longer than all the rest.
    if (!is_exact || has_enough_within(range))
        return known * (1 - grown_) + (is_after ? grown_ : 0);

    if (const auto index = readable_index(root, variable)) {
        IdRange before{std::nullopt, begin}, after{end, std::nullopt};
        before.intersect(range);
        after.intersect(range);
        const double rows = (is_before ? timed_rows(*index, before) : 0) + (is_after ? timed_rows(*index, after) : 0);
        close(*index);
        const double newer = std::min(rows / variable.rel->tuples, 1.0);
        return known * (1 - std::max(grown_, newer)) + newer;
    }
    const std::span<Point> newest = newest_by_rate(known_, first_, last_, grown_);
    const double selectivity = known * (1 - newest.back().fraction) + fraction_within(newest, range);
    // An end that nobody has looked at is not believed: ineq_histogram_selectivity of selfuncs.c.
    const bool is_open = !range.lower || !range.upper;
    return is_open ? std::max(selectivity, 0.01 / static_cast<double>(known_.size())) : selectivity;
}

// The statistics count for the rows that did not come since.
void Column::add_newest(PlannerInfo* root, const VariableStatData& variable) {
    const double tuples = variable.rel->tuples;
    std::span<Point> newest, oldest;
    if (const auto index = readable_index(root, variable)) {
        newest = newest_by_index(*index, last_, tuples);
        // Evenly over as much time as the statistics have.
        oldest = room_for(2);
        const std::uint64_t end = abbreviate(first_), span = std::min(abbreviate(last_) - end, end - 1);
        oldest[0] = {end - span, 0};
        oldest[1] = {end, std::min(timed_rows(*index, {std::nullopt, Bound{first_, false}}) / tuples, 1.0)};
        close(*index);
    } else {
        newest = newest_by_rate(known_, first_, last_, grown_);
    }
    const double since = newest.back().fraction + (oldest.empty() ? 0 : oldest.back().fraction);
    scale(rows_, 1 - std::min(std::max(grown_, since), 1.0));
    rows_ = sum_of(sum_of(oldest, rows_), newest);
}

Points Column::rows(PlannerInfo* root, const VariableStatData& variable, const IdRange& range, bool is_exact) {
    if (!rows_.empty() && is_exact_ >= is_exact)
        return rows_;
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    rows_ = room_for(known_.size());
    std::ranges::copy(known_, rows_.begin());
    is_exact_ = is_exact;
    if (is_exact && is_growing_ && first_ != last_)
        add_newest(root, variable);
    else
        scale(rows_, 1 - grown_);
    if (range.lower || range.upper)
        rows_ = restricted(rows_, range);
    MemoryContextSwitchTo(context);
    return rows_;
}
