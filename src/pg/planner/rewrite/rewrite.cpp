// Adds bounds of an id beside comparisons of its time, such as `id::timestamptz >= t`, when the planner reads a table,
// and takes them out before a path becomes a plan. From a bound the planner learns which indexes it can use and how
// many rows to expect. It costs nothing, and no plan has it as a filter. The comparison stays, so that no plan is lost:
// for `b.ts >= a.id::timestamptz`, an index on b.ts uses the comparison, and an index on a.id uses the bound.
// estimate/estimate.cpp counts the two once. When the planner reads tables, it has pulled up subqueries and inlined
// functions, so that a view's column `id::timestamptz` is that expression.
#include "rewrite.hpp"

#include "../../settings.hpp"
#include "../estimate/estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;
create_upper_paths_hook_type previous_upper_hook = nullptr;
set_join_pathlist_hook_type previous_join_hook = nullptr;

// The planner may use the list elsewhere too, so a new one takes its place.
void take_bounds_out(List*& clauses) {
    List* bounds = NIL;
    ListCell* cell;
    foreach (cell, clauses)
        if (is_marked(static_cast<Node*>(lfirst(cell)), Mark::bound))
            bounds = lappend(bounds, lfirst(cell));
    if (bounds != NIL)
        clauses = list_difference_ptr(clauses, bounds);
}

// Changes each list of clauses that can restrict a table, in a part of the join tree, or each list if the table is 0.
// Returns whether the part has the table. The clauses of an outer, semi or anti join can restrict only its right side:
// a bound of the left side would be one more clause there, which no index of the right side can use.
template <typename Change>
bool change_clauses(Node* node, Index table, Change change) {
    check_stack_depth();
    if (IsA(node, RangeTblRef))
        return table == 0 || reinterpret_cast<RangeTblRef*>(node)->rtindex == static_cast<int>(table);
    auto* join = IsA(node, JoinExpr) ? reinterpret_cast<JoinExpr*>(node) : nullptr;
    auto* from = reinterpret_cast<FromExpr*>(node);
    bool is_in = false, is_in_last = false;
    ListCell* cell;
    foreach (cell, join != nullptr ? list_make2(join->larg, join->rarg) : from->fromlist) {
        is_in_last = change_clauses(static_cast<Node*>(lfirst(cell)), table, change);
        is_in = is_in || is_in_last;
    }
    if (is_in && (join == nullptr || join->jointype == JOIN_INNER || is_in_last))
        change(reinterpret_cast<List*&>(join != nullptr ? join->quals : from->quals));
    return is_in;
}

void rewrite_clauses_of_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    count_rows_by_index(root, rel);
    const RangeTblEntry* read = root->simple_rte_array[rel->relid];
    // CLUSTER and CREATE INDEX call the planner without a query. A child gets its parent's clauses. The server of a
    // foreign table adds bounds itself. Without an index, partitions or children, nothing could use a bound.
    if (!setting_values.enable_time_rewrite || read->relkind == RELKIND_FOREIGN_TABLE || rel->rtekind != RTE_RELATION ||
        rel->reloptkind != RELOPT_BASEREL || root->parse->jointree == nullptr || (rel->indexlist == NIL && !read->inh))
        return;
    // Bounds come first, so that luuid_timesel() sets the selectivity of a comparison before the planner asks for it.
    const auto add_bounds = [&](List*& clauses) { clauses = list_concat(implied_bounds(root, rel, clauses), clauses); };
    change_clauses(reinterpret_cast<Node*>(root->parse->jointree), rel->relid, add_bounds);
    // The conditions of row security, and of views that are security barriers, are not in the join tree.
    ListCell* level;
    foreach (level, read->securityQuals)
        add_bounds(reinterpret_cast<List*&>(lfirst(level)));
}

// Takes the bounds out of a query's clauses. The path of an index scan keeps those that it uses, as index conditions
// and rechecks. A partitioned table keeps all of them, for the executor's pruning: see create_append_plan().
void take_bounds_out(PlannerInfo* root) {
    // Citus deparses the join tree into queries for its workers, which would take a bound for a condition of the user.
    change_clauses(reinterpret_cast<Node*>(root->parse->jointree), 0, [](List*& clauses) { take_bounds_out(clauses); });
    for (int i = 1; i < root->simple_rel_array_size; ++i) {
        RelOptInfo* rel = root->simple_rel_array[i];
        if (rel == nullptr || root->simple_rte_array[i]->inh)
            continue;
        const List* all = rel->baserestrictinfo;
        take_bounds_out(rel->baserestrictinfo);
        ListCell* cell;
        foreach (cell, rel->indexlist)
            if (List*& clauses = lfirst_node(IndexOptInfo, cell)->indrestrictinfo; clauses == all)
                clauses = rel->baserestrictinfo;
            else
                take_bounds_out(clauses);
        foreach (cell, rel->ppilist)
            take_bounds_out(lfirst_node(ParamPathInfo, cell)->ppi_clauses);
    }
}

// Called when all paths of a query exist. planagg.c plans max(id) by a PlannerInfo of its own, without such a call.
void take_bounds_out_of_query(PlannerInfo* root, UpperRelationKind stage, RelOptInfo* input, RelOptInfo* output,
                              void* extra) {
    if (previous_upper_hook != nullptr)
        previous_upper_hook(root, stage, input, output, extra);
    ListCell *cell, *aggregate;
    if (stage == UPPERREL_FINAL)
        take_bounds_out(root);
    else if (stage == UPPERREL_GROUP_AGG)
        foreach (cell, output->pathlist)
            if (auto* path = static_cast<MinMaxAggPath*>(lfirst(cell)); IsA(path, MinMaxAggPath))
                foreach (aggregate, path->mmaggregates)
                    take_bounds_out(lfirst_node(MinMaxAggInfo, aggregate)->subroot);
}

// Join paths have lists of their own. They are visited now, since the planner later frees some that are still listed.
void take_bounds_out_of_join(PlannerInfo* root, RelOptInfo* join, RelOptInfo* outer, RelOptInfo* inner, JoinType type,
                             JoinPathExtraData* extra) {
    if (previous_join_hook != nullptr)
        previous_join_hook(root, join, outer, inner, type, extra);
    ListCell* cell;
    for (const List* paths : {join->pathlist, join->partial_pathlist})
        foreach (cell, paths)
            if (auto* path = static_cast<JoinPath*>(lfirst(cell));
                IsA(path, NestPath) || IsA(path, MergePath) || IsA(path, HashPath))
                take_bounds_out(path->joinrestrictinfo);
}

}  // namespace

void luuid::pg::rewrite_clauses() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = rewrite_clauses_of_table;
    previous_upper_hook = create_upper_paths_hook;
    create_upper_paths_hook = take_bounds_out_of_query;
    previous_join_hook = set_join_pathlist_hook;
    set_join_pathlist_hook = take_bounds_out_of_join;
}
