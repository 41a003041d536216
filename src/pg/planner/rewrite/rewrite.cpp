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

// Where a join tree points to its lists of ANDed clauses, which are replaced there.
List* places_of_clauses(Node* tree) {
    List *places = NIL, *nodes = list_make1(tree);
    for (int i = 0; i < list_length(nodes); ++i) {
        auto* node = static_cast<Node*>(list_nth(nodes, i));
        if (auto* from = reinterpret_cast<FromExpr*>(node); IsA(node, FromExpr)) {
            places = lappend(places, &from->quals);
            nodes = list_concat(nodes, from->fromlist);
        } else if (auto* join = reinterpret_cast<JoinExpr*>(node); IsA(node, JoinExpr)) {
            places = lappend(places, &join->quals);
            nodes = lappend(lappend(nodes, join->larg), join->rarg);
        }
    }
    return places;
}

// Whether a column equals an id's time. The planner then joins or scans by that column, in place of the time: `o.day =
// e.id::date AND e.id::date = '2026-11-03'` can use an index on o.day. So that equality stays.
bool has_column_equal_to(const PlannerInfo* root, Node* time) {
    for (List* const* clauses : each_of<List*>(places_of_clauses(reinterpret_cast<Node*>(root->parse->jointree))))
        for (const auto* clause : each_of<OpExpr>(*clauses))
            if (IsA(clause, OpExpr) && list_member(clause->args, time) &&
                contain_var_clause(reinterpret_cast<Node*>(list_difference(clause->args, list_make1(time)))) &&
                op_mergejoinable(clause->opno, exprType(time)))
                return true;
    return false;
}

// Whether a plan may need the comparison as it is written, for an index, also on an inlined function, or another use.
bool stays_as_written(PlannerInfo* root, const RelOptInfo* rel, const TimeComparison& comparison) {
    for (const auto* index : each_of<IndexOptInfo>(rel->indexlist))
        if (list_member(index->indexprs, comparison.side))
            return true;
    return has_use_for_times(planner_rt_fetch(rel->relid, root)->relid);
}

// ANDed clauses with comparisons of ids in place of comparisons of their times, in ORs too.
List* replaced(PlannerInfo* root, const RelOptInfo* rel, const List* clauses) {
    check_stack_depth();
    List *result = NIL, *with_lower = NIL, *with_upper = NIL;  // the columns that get such a bound
    for (Node* clause : each_of<Node>(clauses)) {
        CHECK_FOR_INTERRUPTS();
        const TimeComparison comparison = time_comparison_in(root, rel, clause);
        if (comparison.side == nullptr || stays_as_written(root, rel, comparison)) {
            ListCell* arm;
            if (is_orclause(clause))
                foreach (arm, reinterpret_cast<BoolExpr*>(clause)->args)
                    lfirst(arm) =
                        make_ands_explicit(replaced(root, rel, make_ands_implicit(static_cast<Expr*>(lfirst(arm)))));
            result = lappend(result, clause);
            continue;
        }
        if (comparison.strategy >= BTEqualStrategyNumber)
            with_lower = list_append_unique(with_lower, comparison.column);
        if (comparison.strategy <= BTEqualStrategyNumber)
            with_upper = list_append_unique(with_upper, comparison.column);
        result = list_concat(result, bounds_of(comparison, comparison.least, comparison.greatest));
        if (IsA(clause, OpExpr) && comparison.strategy == BTEqualStrategyNumber &&
            has_column_equal_to(root, comparison.side))
            result = lappend(result, clause);
        else if (!comparison.is_exact)
            result = lappend(result, call_of("luuid_checked", {BOOLOID}, list_make1(clause)));
    }
    const auto end = [](Time time) { return id_constant(datum_from_id(ceiling_of(time)), false); };
    for (Node* id : each_of<Node>(list_difference(with_upper, with_lower)))
        result = lappend(result, comparison(id, BTGreaterStrategyNumber, end(Time::min())));
    for (Node* id : each_of<Node>(list_difference(with_lower, with_upper)))
        result = lappend(result, comparison(id, BTLessEqualStrategyNumber, end(Time::max())));
    return result;
}

void replace_for_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    count_rows_by_index(root, rel);
    const RangeTblEntry* read = root->simple_rte_array[rel->relid];
    // CLUSTER and CREATE INDEX call the planner without a query. A child gets its parent's clauses. Without an index,
    // partitions or children, nothing could use a comparison of the id. The database may be without the extension.
    if (!setting_values.enable_time_rewrite || rel->rtekind != RTE_RELATION || rel->reloptkind != RELOPT_BASEREL ||
        root->parse->jointree == nullptr || (rel->indexlist == NIL && !read->inh) || !OidIsValid(extract_timestamp()))
        return;
    List* places = places_of_clauses(reinterpret_cast<Node*>(root->parse->jointree));
    // The conditions of row security, and of views that are security barriers, are not in the join tree.
    ListCell* level;
    foreach (level, read->securityQuals)
        places = lappend(places, &lfirst(level));
    for (List** clauses : each_of<List*>(places))
        *clauses = replaced(root, rel, *clauses);
}

}  // namespace

void luuid::pg::replace_time_comparisons() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = replace_for_table;
}
