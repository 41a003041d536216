// Adds bounds of the id beside comparisons of its time, such as `id::timestamptz >= t`. They cost nothing in a path,
// and what of them no index and no pruning uses is taken out of the finished plan: they tell the planner, and filter no
// row. The comparison itself stays, so that no plan is lost that there is without: of
//
//   b.ts >= a.id::timestamptz AND b.ts < a.id::timestamptz + interval '5 min'
//
// an index on b.ts answers what is written, and one on a.id what is added. estimate/estimate.cpp keeps the planner from
// estimating both.
//
// The hook runs once for each table of a query, after the planner has pulled up subqueries, inlined functions and
// simplified expressions. So it sees a view's column `id::timestamptz` as that expression.
#include "rewrite.hpp"

#include "../../settings.hpp"
#include "../estimate/column.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;
create_upper_paths_hook_type previous_upper_hook = nullptr;
ExecutorStart_hook_type previous_start = nullptr;

void take_bounds_out(List*& clauses) {
    ListCell* cell;
    foreach (cell, clauses)
        if (is_marked(static_cast<Node*>(lfirst(cell)), Mark::bound))
            clauses = foreach_delete_current(clauses, cell);
}

// Changes the clauses of a part of the join tree that restrict a table, or all clauses for 0; true if the table is in
// the part. The clauses of an outer, semi or anti join restrict its right side alone: a bound of the left side would be
// one more clause that no index of the right side answers.
template <typename Change>
bool change_clauses(Node* node, Index table, Change change) {
    check_stack_depth();
    if (IsA(node, JoinExpr)) {
        auto* join = reinterpret_cast<JoinExpr*>(node);
        const bool is_left = change_clauses(join->larg, table, change);
        const bool is_right = change_clauses(join->rarg, table, change);
        if (is_right || (is_left && join->jointype == JOIN_INNER))
            change(reinterpret_cast<List*&>(join->quals));
        return is_left || is_right;
    }
    if (!IsA(node, FromExpr))
        return table == 0 || reinterpret_cast<RangeTblRef*>(node)->rtindex == static_cast<int>(table);
    auto* from = reinterpret_cast<FromExpr*>(node);
    bool is_in = false;
    ListCell* cell;
    foreach (cell, from->fromlist)
        is_in = change_clauses(static_cast<Node*>(lfirst(cell)), table, change) || is_in;
    if (is_in)
        change(reinterpret_cast<List*&>(from->quals));
    return is_in;
}

void rewrite_clauses_of_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    count_rows_by_index(root, rel);
    const RangeTblEntry* read = root->simple_rte_array[rel->relid];
    // Some commands ask for a table's indexes without a query; a child has its parent's clauses, and the server of a
    // foreign table bounds of its own. Without an index, and partitions or children that may have some, a bound is of
    // no use, and planning it would take longer than the rest.
    if (!setting_values.enable_time_rewrite || read->relkind == RELKIND_FOREIGN_TABLE || rel->rtekind != RTE_RELATION ||
        rel->reloptkind != RELOPT_BASEREL || root->parse->jointree == nullptr || (rel->indexlist == NIL && !read->inh))
        return;
    // Bounds come first, since the planner estimates one clause after another.
    const auto add_bounds = [&](List*& clauses) { clauses = list_concat(implied_bounds(root, rel, clauses), clauses); };
    change_clauses(reinterpret_cast<Node*>(root->parse->jointree), rel->relid, add_bounds);
    // The conditions of row security, and of views that are security barriers, are not in the join tree.
    ListCell* level;
    foreach (level, read->securityQuals)
        add_bounds(reinterpret_cast<List*&>(lfirst(level)));
}

// Takes the bounds out of a query once its joins are planned. Citus makes the workers' queries of what the planner
// left: the worker's planner would take a bound there for a condition of the user, and filter rows by it.
void leave_query_without_bounds(PlannerInfo* root, UpperRelationKind stage, RelOptInfo* input, RelOptInfo* output,
                                void* extra) {
    if (previous_upper_hook != nullptr)
        previous_upper_hook(root, stage, input, output, extra);
    if (stage == UPPERREL_FINAL)
        change_clauses(reinterpret_cast<Node*>(root->parse->jointree), 0,
                       [](List*& clauses) { take_bounds_out(clauses); });
}

// Takes the bounds out of a plan's filters and rechecks. What remains is a condition of an index, or prunes partitions.
void take_bounds_out(Plan* plan) {
    if (plan == nullptr)
        return;
    check_stack_depth();
    take_bounds_out(plan->qual);
    if (IsA(plan, BitmapHeapScan))
        take_bounds_out(reinterpret_cast<BitmapHeapScan*>(plan)->bitmapqualorig);
    if (IsA(plan, NestLoop) || IsA(plan, MergeJoin) || IsA(plan, HashJoin))
        take_bounds_out(reinterpret_cast<Join*>(plan)->joinqual);
    take_bounds_out(plan->lefttree);
    take_bounds_out(plan->righttree);
    if (IsA(plan, SubqueryScan))
        take_bounds_out(reinterpret_cast<SubqueryScan*>(plan)->subplan);
    const List* children = IsA(plan, Append)        ? reinterpret_cast<Append*>(plan)->appendplans
                           : IsA(plan, MergeAppend) ? reinterpret_cast<MergeAppend*>(plan)->mergeplans
                           : IsA(plan, CustomScan)  ? reinterpret_cast<CustomScan*>(plan)->custom_plans
                                                    : NIL;
    ListCell* cell;
    foreach (cell, children)
        take_bounds_out(static_cast<Plan*>(lfirst(cell)));
}

// Where a plan starts, and not where it is made: the plan of a session's first statement is begun before the module is
// loaded. What is taken out of a plan that is kept is gone for its next start.
void start_without_bounds(QueryDesc* query, int flags) {
    take_bounds_out(query->plannedstmt->planTree);
    ListCell* cell;
    foreach (cell, query->plannedstmt->subplans)
        take_bounds_out(static_cast<Plan*>(lfirst(cell)));
    (previous_start != nullptr ? previous_start : standard_ExecutorStart)(query, flags);
}

}  // namespace

void luuid::pg::rewrite_clauses() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = rewrite_clauses_of_table;
    previous_upper_hook = create_upper_paths_hook;
    create_upper_paths_hook = leave_query_without_bounds;
    previous_start = ExecutorStart_hook;
    ExecutorStart_hook = start_without_bounds;
}
