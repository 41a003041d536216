// Finds what a column is estimated by.
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

// Whether the current user may read every row of the table, so that an estimate may tell him how many there are. An
// operator that does not leak may tell of the values in the statistics, but not of each row that a view or a policy
// hides. Where ANALYZE was not yet, the server's acl_ok says nothing. A relation that a view names is checked as the
// view's owner (rel->userid is valid), and the current user must be allowed to read the table without the view.
bool sees_all_rows(PlannerInfo* root, const VariableStatData& variable) {
    const RelOptInfo* rel = variable.rel;
    auto column = IsA(variable.var, Var) ? reinterpret_cast<Var*>(variable.var)->varattno : InvalidAttrNumber;
    // Of the table that the query names, which of a partition or a child is its topmost parent.
    Index number = rel->relid;
    while (root->append_rel_array != nullptr && root->append_rel_array[number] != nullptr) {
        const AppendRelInfo* child = root->append_rel_array[number];
        if (planner_rt_fetch(child->parent_relid, root)->rtekind != RTE_RELATION)
            break;  // an arm of UNION ALL
        column = column > 0 && column <= child->num_child_cols ? child->parent_colnos[column - 1] : InvalidAttrNumber;
        number = child->parent_relid;
    }
    const RangeTblEntry* table = planner_rt_fetch(number, root);
    const auto may_read = [&](Oid user) {
        return pg_class_aclcheck(table->relid, user, ACL_SELECT) == ACLCHECK_OK ||
               (column > 0 && pg_attribute_aclcheck(table->relid, column, user, ACL_SELECT) == ACLCHECK_OK);
    };
    const Oid user = GetUserId(), owner = OidIsValid(rel->userid) ? rel->userid : user;
    return table->securityQuals == NIL && may_read(owner) &&
           (owner == user || (may_read(user) && check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED));
}

const IndexOptInfo* readable_index(PlannerInfo* root, const VariableStatData& variable) {
    const RelOptInfo* rel = variable.rel;
    if (!setting_values.enable_index_estimates || rel->rtekind != RTE_RELATION || !(rel->tuples > 0))
        return nullptr;
    const IndexOptInfo* index = time_index_of(variable);
    return index != nullptr && !planner_rt_fetch(rel->relid, root)->inh && sees_all_rows(root, variable) ? index
                                                                                                         : nullptr;
}

}  // namespace

Column* Column::of(PlannerInfo* root, const VariableStatData& variable, bool is_leakproof) {
    if (variable.rel == nullptr)
        return nullptr;
    Run& run = run_of(root);
    Column* column = nullptr;
    ListCell* cell;
    foreach (cell, run.columns) {
        column = static_cast<Column*>(lfirst(cell));
        if (column->rel_ == variable.rel && equal(column->value_, variable.var))
            break;
        column = nullptr;
    }
    if (column == nullptr) {
        const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
        column = new (palloc(sizeof(Column))) Column;
        column->rel_ = variable.rel;
        column->value_ = static_cast<Node*>(copyObjectImpl(variable.var));
        column->index_ = readable_index(root, variable);
        run.columns = lcons(column, run.columns);
        MemoryContextSwitchTo(context);
    }
    // Those of a subquery are known once that is planned.
    if (column->index_ == nullptr && column->points_.empty() && HeapTupleIsValid(variable.statsTuple)) {
        const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
        column->read_statistics(variable.statsTuple);
        MemoryContextSwitchTo(context);
    }
    const bool is_known = column->index_ != nullptr || (!column->points_.empty() && (variable.acl_ok || is_leakproof));
    return is_known ? column : nullptr;
}

// The histogram and the most common values, each of which is a step.
void Column::read_statistics(HeapTuple statistics) {
    const auto* row = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics));
    const auto fraction = [](double value) { return value > 0 ? std::min(value, 1.0) : 0; };
    std::span<Point> histogram, values;
    double common = 0;
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
        const bool are_known =
            (are_ids || slot.valuetype == TIMESTAMPTZOID) && (!has_fractions || slot.nnumbers == slot.nvalues);
        const std::span<Point> points = room_for(are_known ? static_cast<std::size_t>(slot.nvalues) : 0);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] = {abbreviate(are_ids ? id_from_datum(slot.values[i])
                                            : floor_of(time_from_timestamptz(DatumGetTimestampTz(slot.values[i])))),
                         has_fractions ? fraction(slot.numbers[i]) : 0};
        free_attstatsslot(&slot);
        if (has_fractions) {
            std::ranges::sort(points, {}, &Point::key);
            for (const Point& point : points)
                common += point.fraction;
            values = points;
        } else if (points.size() > 1) {
            histogram = points;
            order_histogram(histogram);
        }
    }
    scale(histogram, std::max(0.0, 1 - fraction(row->stanullfrac) - common));
    points_ = room_for(histogram.size() + 2 * values.size());
    add_steps(histogram, values, points_.data());
}

double Column::within(const IdRange& range) const {
    if (index_ != nullptr)
        return range.is_empty() ? 0 : std::min(rows_by_index(*index_, range) / rel_->tuples, 1.0);
    const double selectivity = fraction_within(points_, range);
    // Of one bound the histogram's ends are not believed: ineq_histogram_selectivity of selfuncs.c.
    const bool is_open = !range.lower || !range.upper;
    return is_open ? std::max(selectivity, 0.01 / static_cast<double>(points_.size())) : selectivity;
}

Points Column::rows(const IdRange& range, const IdRange& part) const {
    IdRange both = range;
    both.intersect(part);
    const bool is_all = !range.lower && !range.upper;
    std::span<Point> points;
    if (index_ == nullptr) {
        points = room_for(points_.size());
        std::ranges::copy(points_, points.begin());
        return restricted(points, both, is_all ? 1 : fraction_within(points_, range));
    }
    const double rows = rows_by_index(*index_, both, &points);
    // An index that has no rows there is believed.
    const double of_range = is_all || both == range ? rows : rows_by_index(*index_, range);
    scale(points, std::min(rows / (is_all ? rel_->tuples : std::max(of_range, 0.5)), 1.0));
    return points;
}
