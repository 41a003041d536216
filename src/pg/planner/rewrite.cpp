// Rewrites comparisons of an id's time where a null result is as good as false: among the ANDed and ORed restriction
// and join clauses of a query.
//
// The hook runs once for each table of a query, after the planner has pulled up subqueries, inlined functions and
// simplified expressions, and before it distributes the clauses to the tables. So it sees a view's column
// `id::timestamptz` as that expression, and knows the table's indexes.
#include "rewrite.hpp"

#include "../settings.hpp"
#include "arms.hpp"
#include "rewriter.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;

void rewrite_join_tree(Rewriter& rewriter, Node* node) {
    check_stack_depth();
    if (node == nullptr || IsA(node, RangeTblRef))
        return;
    if (IsA(node, FromExpr)) {
        auto* from = reinterpret_cast<FromExpr*>(node);
        ListCell* cell;
        foreach (cell, from->fromlist)
            rewrite_join_tree(rewriter, static_cast<Node*>(lfirst(cell)));
        from->quals = reinterpret_cast<Node*>(rewriter.rewritten_all(reinterpret_cast<List*>(from->quals)));
    } else if (IsA(node, JoinExpr)) {
        auto* join = reinterpret_cast<JoinExpr*>(node);
        rewrite_join_tree(rewriter, join->larg);
        rewrite_join_tree(rewriter, join->rarg);
        join->quals = reinterpret_cast<Node*>(rewriter.rewritten_all(reinterpret_cast<List*>(join->quals)));
    }
}

void rewrite_times_of_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    // Some commands ask for a table's indexes without a query.
    if (!setting_values.enable_time_rewrite || rel->rtekind != RTE_RELATION || root->parse->jointree == nullptr)
        return;
    RangeTblEntry* table_entry = root->simple_rte_array[rel->relid];
    Rewriter rewriter(root, table_entry, rel);
    if (rel->reloptkind == RELOPT_BASEREL)
        rewrite_join_tree(rewriter, reinterpret_cast<Node*>(root->parse->jointree));
    else
        rewrite_conditions_on_arm(root, rel, rewriter);
    ListCell* level;
    foreach (level, table_entry->securityQuals)
        lfirst(level) = rewriter.rewritten_all(static_cast<List*>(lfirst(level)));
}

}  // namespace

void luuid::pg::rewrite_times() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = rewrite_times_of_table;
}
