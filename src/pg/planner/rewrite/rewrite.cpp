// Adds bounds of the id beside comparisons of its time, such as `id::timestamptz >= t`, when the planner reads a table,
// and takes them out before a path becomes a plan. A bound tells the planner what an index can answer and how many rows
// to expect, costs nothing, and filters no row. The comparison itself stays, so that no plan is lost: of `b.ts >=
// a.id::timestamptz AND b.ts < a.id::timestamptz + interval '5 min'` an index on b.ts answers what is written, and one
// on a.id what is added. estimate/estimate.cpp estimates them once. By then subqueries are pulled up and functions are
// inlined: a view's column `id::timestamptz` is that expression.
#include "rewrite.hpp"

#include "../../settings.hpp"
#include "../estimate/estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;
create_upper_paths_hook_type previous_upper_hook = nullptr;
set_join_pathlist_hook_type previous_join_hook = nullptr;

// A list of the planner's may be shared, so a new one takes its place.
void take_bounds_out(List*& clauses) {
    List* bounds = NIL;
    ListCell* cell;
    foreach (cell, clauses)
        if (is_marked(static_cast<Node*>(lfirst(cell)), Mark::bound))
            bounds = lappend(bounds, lfirst(cell));
    if (bounds != NIL)
        clauses = list_difference_ptr(clauses, bounds);
}

// Changes the clauses of a part of the join tree that restrict a table, or all for 0; true if the table is in the part.
// The clauses of an outer, semi or anti join restrict its right side alone: a bound of the left side would be one more
// clause that no index of the right side answers.
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

// Takes the bounds out of a query's clauses. A bound that an index answers is part of the index's path, and stays in
// the recheck. A parent's bounds stay too, since they prune partitions while the plan is made and when it starts.
void take_bounds_out(PlannerInfo* root) {
    // Of the join tree Citus makes the workers' queries, whose planner would take a bound for a condition of the user.
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

// When all paths of a query are made. max(id) has a query of its own, for which the planner calls no hook: planagg.c.
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

// A join's paths have lists of their own. The planner frees some of these paths later.
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
