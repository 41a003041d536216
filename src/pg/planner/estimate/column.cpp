// Finds what a column is estimated by: an index, or the statistics of ANALYZE.
#include "estimate.hpp"

#include "../../datum.hpp"
#include "../../settings.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Whether the current user may read every row of the table, so that an estimate may tell him how many there are.
// examine_variable() checks that only for a column with statistics. Below a view, its owner (rel->userid) needs the
// right to read the table too. `is_policy_counted` says that only rows are counted which row security shows to the user
// for whom the planner has added it, so that another user, such as the reader of the owner's view, may not count them.
bool sees_all_rows(PlannerInfo* root, const RelOptInfo* rel, bool is_policy_counted) {
    // The user needs rights to the table that the query names: the topmost parent that is one, unlike UNION ALL.
    const RangeTblEntry* table = planner_rt_fetch(rel->relid, root);
    for (Index number = rel->relid; root->append_rel_array != nullptr && root->append_rel_array[number] != nullptr;) {
        number = root->append_rel_array[number]->parent_relid;
        table = planner_rt_fetch(number, root)->rtekind == RTE_RELATION ? planner_rt_fetch(number, root) : table;
    }
    const auto reads = [table](Oid role) { return pg_class_aclcheck(table->relid, role, ACL_SELECT) == ACLCHECK_OK; };
    const Oid user = GetUserId(), owner = OidIsValid(rel->userid) ? rel->userid : user;
    if (owner == user)
        return reads(user) && (is_policy_counted || table->securityQuals == NIL);
    return !is_policy_counted && table->securityQuals == NIL && reads(owner) && reads(user) &&
           check_enable_rls(table->relid, InvalidOid, true) != RLS_ENABLED;
}

// Adds a clause to a prefix if it has the index's next column constant, as `column = constant`.
bool add_constant(PlannerInfo* root, Node* clause, IndexOptInfo* index, Prefix& prefix) {
    const int column = prefix.count;
    const Oid collation = index->indexcollations[column], family = index->opfamily[column];
    const auto* operation = reinterpret_cast<OpExpr*>(
        IsA(clause, RestrictInfo) ? reinterpret_cast<RestrictInfo*>(clause)->clause : reinterpret_cast<Expr*>(clause));
    if (!IsA(operation, OpExpr) || list_length(operation->args) != 2 ||
        (OidIsValid(collation) && collation != operation->inputcollid))
        return false;
    auto *side = static_cast<Node*>(linitial(operation->args)), *other = static_cast<Node*>(lsecond(operation->args));
    Oid op = operation->opno, left = InvalidOid, right = InvalidOid;
    if (!match_index_to_operand(side, column, index)) {
        std::swap(side, other);
        op = get_commutator(op);
    }
    if (!match_index_to_operand(side, column, index) || get_op_opfamily_strategy(op, family) != BTEqualStrategyNumber)
        return false;
    op_input_types(op, &left, &right);
    const Oid order = get_opfamily_proc(family, index->opcintype[column], right, BTORDER_PROC);
    const auto* constant = reinterpret_cast<const Const*>(estimate_expression_value(root, other));
    if (!OidIsValid(order) || !IsA(constant, Const) || constant->constisnull)
        return false;
    prefix.constants[column] = constant->constvalue;
    prefix.orders[column] = order;
    ++prefix.count;
    prefix.selectivity *= clause_selectivity(root, clause, 0, JOIN_INNER, nullptr);
    return true;
}

// Finds what the query has constant of an index's first columns, by row security first; false if one has no constant.
bool find_prefix(PlannerInfo* root, const RelOptInfo* rel, IndexOptInfo* index, int columns, Prefix& prefix) {
    prefix = {};
    List* clauses = NIL;
    for (const List* level : each_of<List>(planner_rt_fetch(rel->relid, root)->securityQuals))
        clauses = list_concat(clauses, level);
    int of_policy = list_length(clauses);
    prefix.is_policy = of_policy > 0 && rel->reloptkind == RELOPT_BASEREL;
    clauses = list_concat(clauses, rel->baserestrictinfo);
    for (int column = 0; column < columns && prefix.count == column; ++column)
        for (Node* clause : each_of<Node>(clauses))
            if (add_constant(root, clause, index, prefix)) {
                of_policy -= IsA(clause, RestrictInfo) ? 0 : 1;
                break;
            }
    prefix.is_policy = prefix.is_policy && of_policy == 0;
    return prefix.count == columns;
}

// A B-tree that has all rows of its table in the chronological order of a value, or of any column if the value is null,
// and that the user may read; null if there is none. Or one that has other columns before the value, if the query has
// these constant, and no other index begins with the value. The planner would cost a scan of that one by the fraction
// of one tenant's rows, and take it for cheap where other tenants have many.
const IndexOptInfo* readable_index(PlannerInfo* root, const RelOptInfo* rel, Node* value, Prefix& prefix) {
    if (!setting_values.enable_index_estimates || rel->rtekind != RTE_RELATION ||
        planner_rt_fetch(rel->relid, root)->inh || pages_left(root) <= 0)
        return nullptr;
    for (int key = 0; key <= list_length(rel->baserestrictinfo); ++key)
        for (auto* index : each_of<IndexOptInfo>(rel->indexlist))
            if (key < index->nkeycolumns && index->relam == BTREE_AM_OID && index->opfamily[key] == time_family() &&
                index->indpred == NIL && !index->hypothetical &&
                (value == nullptr || match_index_to_operand(value, key, index)) &&
                (key == 0 || find_prefix(root, rel, index, key, prefix)))
                if (const bool may_read = sees_all_rows(root, rel, prefix.is_policy); may_read || key == 0)
                    return may_read ? index : nullptr;
    prefix = {};
    return nullptr;
}

// How many values a slot of pg_statistic has; 0 if they are no ids or times.
int count_of(const AttStatsSlot& slot) {
    const Oid type = slot.nvalues > 0 ? getBaseType(slot.valuetype) : InvalidOid;
    return slot.valuetype == TIMESTAMPTZOID || type == UUIDOID || type == luuid_type() ? slot.nvalues : 0;
}

double place_in(const AttStatsSlot& slot, int number) {
    return place_of(slot.valuetype == TIMESTAMPTZOID
                        ? floor_of(time_from_timestamptz(DatumGetTimestampTz(slot.values[number])))
                        : id_from_datum(slot.values[number]));
}

double fraction_of(double value) { return value > 0 ? std::min(value, 1.0) : 0; }

// The points of a column with statistics. Each most common value is a step, and equally many of the other rows are
// between two neighbours of the histogram. A uuid column's histogram is in byte order: a random sample of its times.
std::span<Point> points_of(HeapTuple statistics) {
    AttStatsSlot common, histogram;
    get_attstatsslot(&common, statistics, STATISTIC_KIND_MCV, InvalidOid, ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS);
    get_attstatsslot(&histogram, statistics, STATISTIC_KIND_HISTOGRAM, InvalidOid, ATTSTATSSLOT_VALUES);
    const int steps = common.nnumbers == common.nvalues ? count_of(common) : 0;
    const int values = histogram.nvalues > 1 ? count_of(histogram) : 0;
    auto* points = static_cast<Point*>(palloc(sizeof(Point) * static_cast<Size>(values + 2 * steps)));
    double others = 1 - fraction_of(reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stanullfrac);
    Point* next = points + values;
    for (int i = 0; i < steps; ++i) {
        const double fraction = fraction_of(common.numbers[i]), place = place_in(common, i);
        *next++ = {place, 0};
        *next++ = {place, fraction};
        others -= fraction;
    }
    for (int i = 0; i < values; ++i)
        points[i].place = place_in(histogram, i);
    free_attstatsslot(&common);
    free_attstatsslot(&histogram);
    add_up({points, next}, static_cast<std::size_t>(values), std::max(others, 0.0));
    return {points, next};
}

}  // namespace

Column Column::of(PlannerInfo* root, Node* value, Oid op) {
    Column column;
    column.root = root;
    VariableStatData variable;
    examine_variable(root, value, 0, &variable);
    if (variable.rel != nullptr && IS_SIMPLE_REL(variable.rel)) {
        column.rel = variable.rel;
        if (variable.rel->tuples > 0)
            column.index = readable_index(root, variable.rel, variable.var, column.prefix);
        if (column.index == nullptr && HeapTupleIsValid(variable.statsTuple) &&
            statistic_proc_security_check(&variable, get_opcode(op)))
            column.points = points_of(variable.statsTuple);
        bool is_default = false;
        column.distinct = get_variable_numdistinct(&variable, &is_default);
    }
    ReleaseVariableStats(variable);
    return column;
}

double Column::within(const IdRange& range) const {
    if (!range.has_lower() && !range.has_upper())
        return 1;
    if (index != nullptr)
        return range.is_empty() ? 0 : std::min(rows_by_index(root, *index, prefix, range) / all_rows(), 1.0);
    const double selectivity = fraction_within(points, range);
    // The ends of a histogram may not be those of the column: as in ineq_histogram_selectivity() of selfuncs.c.
    return range.has_lower() && range.has_upper() ? selectivity
                                                  : std::max(selectivity, 0.01 / static_cast<double>(points.size()));
}

Points Column::rows(const IdRange& range) const {
    std::span<Point> rows;
    if (index != nullptr) {
        const double fraction = std::min(rows_by_index(root, *index, prefix, range, &rows) / all_rows(), 1.0);
        for (Point& point : rows)
            point.fraction *= fraction;
    } else {
        rows = {static_cast<Point*>(palloc(points.size_bytes())), points.size()};
        std::ranges::copy(points, rows.begin());
        restrict_to(rows, range);
    }
    return rows;
}

// Before the first VACUUM or ANALYZE the planner guesses a page's rows by the columns' widths; after a VACUUM that
// found none, it expects none. The rows counted are scaled to the ten pages that the planner assumes of a new table.
void luuid::pg::count_rows_by_index(PlannerInfo* root, RelOptInfo* rel) {
    if (rel->indexlist == NIL)
        return;
    Relation table = table_open(planner_rt_fetch(rel->relid, root)->relid, NoLock);
    Prefix none;
    const IndexOptInfo* index = table->rd_rel->reltuples > 0 ? nullptr : readable_index(root, rel, nullptr, none);
    if (const double pages = index != nullptr ? RelationGetNumberOfBlocks(table) : 0; pages > 0) {
        rel->tuples = clamp_row_est(rows_by_index(root, *index, none, {}) * rel->pages / pages);
        for (auto* each : each_of<IndexOptInfo>(rel->indexlist))
            each->tuples = each->indpred == NIL ? rel->tuples : std::min(each->tuples, rel->tuples);
    }
    table_close(table, NoLock);
}
