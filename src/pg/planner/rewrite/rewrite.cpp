// Replaces comparisons of an id's time, such as `id::timestamptz >= t`, by comparisons of the id, which indexes and
// partition bounds can use. It does so when the planner reads a table. By then the planner has pulled up subqueries and
// inlined functions, so that a view's column `id::timestamptz` is that expression.
//
//   id::timestamptz >= t      id >= luuid_floor(t) AND id <= the last of all times
//   id::date = d              id >= luuid_local_bound(d, '>=', 'day') AND id <= luuid_local_bound(d, '<=', 'day')
//                             AND luuid_checked(id::date = d)
//
// The comparisons of ids are closed at both ends, since ids without a time sort before and after all others, and no
// comparison of their time is true. A comparison that says more than its bounds remains as the argument of
// luuid_checked(), which returns it. There the planner takes it neither for a condition of an index nor for one more
// restriction: luuid_checked_support() of estimate.cpp tells which part of the rows within the bounds passes.
#include "rewrite.hpp"

#include "../../datum.hpp"
#include "../../settings.hpp"
#include "../estimate/estimate.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;

// Whether a column equals an expression in ANDed clauses. The planner then joins or scans by that column, in place of
// the expression: `o.day = e.id::date AND e.id::date = '2026-11-03'` can use an index on o.day. So that equality stays.
bool has_column_equal_to(Node* node, void* expression) {
    if (node == nullptr)
        return false;
    if (const auto* clause = reinterpret_cast<OpExpr*>(node); IsA(clause, OpExpr) && list_length(clause->args) == 2) {
        auto *left = static_cast<Node*>(linitial(clause->args)), *right = static_cast<Node*>(lsecond(clause->args));
        return ((equal(left, expression) && contain_var_clause(right)) ||
                (equal(right, expression) && contain_var_clause(left))) &&
               op_mergejoinable(clause->opno, exprType(left));
    }
    const bool has_clauses = IsA(node, List) || IsA(node, FromExpr) || IsA(node, JoinExpr);
    return has_clauses && walk_below(node, has_column_equal_to, expression);
}

// Whether a plan may need the comparison as it is written, for an index on what it compares or for another use.
bool stays_as_written(PlannerInfo* root, const RelOptInfo* rel, const TimeComparison& comparison) {
    for (const auto* index : each_of<IndexOptInfo>(rel->indexlist))
        if (list_member(index->indexprs, comparison.side))
            return true;
    return has_use_for_times(planner_rt_fetch(rel->relid, root)->relid);
}

// The ends that the comparisons of one list put on a column.
struct Ends {
    Node* id;  // null without any
    bool has_upper, has_lower;
};

// ANDed clauses with comparisons of ids in place of comparisons of their times, in ORs too. Returns the same list if it
// has none.
List* replaced(PlannerInfo* root, const RelOptInfo* rel, List* clauses) {
    check_stack_depth();
    List* result = NIL;
    Ends* ends = nullptr;
    bool has_changed = false;
    for (Node* clause : each_of<Node>(clauses)) {
        CHECK_FOR_INTERRUPTS();
        const TimeComparison comparison = time_comparison_in(root, rel, clause);
        if (comparison.side != nullptr && !stays_as_written(root, rel, comparison)) {
            if (ends == nullptr)
                ends = static_cast<Ends*>(palloc0((rel->max_attr + 1) * sizeof(Ends)));
            Ends& own = ends[comparison.time.column->varattno];
            own.id = reinterpret_cast<Node*>(comparison.time.column);
            own.has_upper |= comparison.strategy <= BTEqualStrategyNumber;
            own.has_lower |= comparison.strategy >= BTEqualStrategyNumber;
            result = list_concat(result, bounds_of(comparison, comparison.least, comparison.greatest));
            if (IsA(clause, OpExpr) && comparison.strategy == BTEqualStrategyNumber &&
                has_column_equal_to(reinterpret_cast<Node*>(root->parse->jointree), comparison.side))
                result = lappend(result, clause);
            else if (!comparison.is_exact())
                result = lappend(result, call_of("luuid_checked", {BOOLOID}, list_make1(clause)));
            has_changed = true;
            continue;
        }
        if (is_orclause(clause)) {
            List* arms = NIL;
            bool has_changed_arm = false;
            for (auto* arm : each_of<Expr>(reinterpret_cast<BoolExpr*>(clause)->args)) {
                List* parts = make_ands_implicit(arm);
                List* new_parts = replaced(root, rel, parts);
                has_changed_arm |= new_parts != parts;
                arms = lappend(arms, new_parts == parts ? arm : make_ands_explicit(new_parts));
            }
            clause = has_changed_arm ? reinterpret_cast<Node*>(make_orclause(arms)) : clause;
            has_changed |= has_changed_arm;
        }
        result = lappend(result, clause);
    }
    for (int number = 1; ends != nullptr && number <= rel->max_attr; ++number) {
        const auto& [id, has_upper, has_lower] = ends[number];
        const auto end = [](Time time) { return id_constant(datum_from_id(ceiling_of(time)), false); };
        if (id != nullptr && !has_lower)
            result = lappend(result, comparison(id, BTGreaterStrategyNumber, end(Time::min())));
        if (id != nullptr && !has_upper)
            result = lappend(result, comparison(id, BTLessEqualStrategyNumber, end(Time::max())));
    }
    return has_changed ? result : clauses;
}

struct Table {
    PlannerInfo* root;
    const RelOptInfo* rel;
};

// Replaces in all clauses of a join tree.
bool replace_below(Node* node, void* context) {
    if (node == nullptr || !(IsA(node, FromExpr) || IsA(node, JoinExpr) || IsA(node, List)))
        return false;
    if (!IsA(node, List)) {
        Node*& quals =
            IsA(node, FromExpr) ? reinterpret_cast<FromExpr*>(node)->quals : reinterpret_cast<JoinExpr*>(node)->quals;
        const auto* table = static_cast<const Table*>(context);
        quals = reinterpret_cast<Node*>(replaced(table->root, table->rel, reinterpret_cast<List*>(quals)));
    }
    return walk_below(node, replace_below, context);
}

void replace_for_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    count_rows_by_index(root, rel);
    const RangeTblEntry* read = root->simple_rte_array[rel->relid];
    // CLUSTER and CREATE INDEX call the planner without a query. A child gets its parent's clauses. Without an index,
    // partitions or children, nothing could use a comparison of the id.
    if (!setting_values.enable_time_rewrite || rel->rtekind != RTE_RELATION || rel->reloptkind != RELOPT_BASEREL ||
        root->parse->jointree == nullptr || (rel->indexlist == NIL && !read->inh))
        return;
    Table replacing{root, rel};
    replace_below(reinterpret_cast<Node*>(root->parse->jointree), &replacing);
    // The conditions of row security, and of views that are security barriers, are not in the join tree.
    ListCell* level;
    foreach (level, read->securityQuals)
        lfirst(level) = replaced(root, rel, static_cast<List*>(lfirst(level)));
}

}  // namespace

void luuid::pg::replace_time_comparisons() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = replace_for_table;
}
