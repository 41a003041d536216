// Rewrites a condition on a UNION ALL for each arm in its own way, as a column of the UNION ALL.
//
// An arm is a child of the UNION ALL's relation, and has an expression for each of its columns. The planner replaces
// columns by these expressions wherever it translates the parent's clauses into a child's terms. So
// `at >= t` becomes one more column, whose expression is `id >= luuid_floor(t)` in one arm and `at >= t` in another.
#include "arms.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

bool do_name_time(const List* clauses) {
    ListCell* cell;
    foreach (cell, clauses)
        if (names_time(reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause)))
            return true;
    return false;
}

// A row of the UNION ALL as a whole would have the new column too.
bool is_row_needed(PlannerInfo* root, const RelOptInfo* parent) {
    if (!bms_is_empty(parent->attr_needed[InvalidAttrNumber - parent->min_attr]))
        return true;
    Bitmapset* columns = nullptr;
    ListCell* cell;
    foreach (cell, parent->baserestrictinfo)
        pull_varattnos(reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause), parent->relid, &columns);
    // Outer joins evaluate these below them, with the row in them.
    foreach (cell, root->placeholder_list)
        pull_varattnos(reinterpret_cast<Node*>(static_cast<PlaceHolderInfo*>(lfirst(cell))->ph_var->phexpr),
                       parent->relid, &columns);
    return bms_is_member(InvalidAttrNumber - FirstLowInvalidHeapAttributeNumber, columns);
}

List* translated(PlannerInfo* root, const List* clauses, AppendRelInfo* arm) {
    List* result = NIL;
    ListCell* cell;
    foreach (cell, clauses) {
        auto* clause = reinterpret_cast<Node*>(lfirst_node(RestrictInfo, cell)->clause);
        result = lappend(result, adjust_appendrel_attrs(root, clause, 1, &arm));
    }
    return result;
}

// A new column of a UNION ALL, which is the clause in all arms.
Var* add_column(PlannerInfo* root, Index parent, Expr* clause) {
    AttrNumber number = 0;
    ListCell* cell;
    foreach (cell, root->append_rel_list) {
        auto* arm = lfirst_node(AppendRelInfo, cell);
        if (arm->parent_relid != parent)
            continue;
        Node* expression = adjust_appendrel_attrs(root, reinterpret_cast<Node*>(clause), 1, &arm);
        arm->translated_vars = lappend(arm->translated_vars, expression);
        number = static_cast<AttrNumber>(list_length(arm->translated_vars));
    }
    return makeVar(static_cast<int>(parent), number, BOOLOID, -1, InvalidOid, 0);
}

// The column in a clause's place; a new one unless an arm before it has got it.
const Var* column_for(PlannerInfo* root, const RelOptInfo* parent, ListCell* cell) {
    auto* info = lfirst_node(RestrictInfo, cell);
    const auto* column = reinterpret_cast<Var*>(info->clause);
    if (IsA(info->clause, Var) && column->varattno > parent->max_attr)
        return column;
    // An equivalence class can have the same RestrictInfo.
    auto* replaced = makeNode(RestrictInfo);
    *replaced = *info;
    replaced->clause = reinterpret_cast<Expr*>(add_column(root, parent->relid, info->clause));
    replaced->orclause = nullptr;
    lfirst(cell) = replaced;
    return reinterpret_cast<Var*>(replaced->clause);
}

}  // namespace

void luuid::pg::rewrite_conditions_on_arm(PlannerInfo* root, const RelOptInfo* rel, Rewriter& rewriter) {
    AppendRelInfo* arm = root->append_rel_array[rel->relid];
    const RelOptInfo* parent = root->simple_rel_array[arm->parent_relid];
    if (parent->rtekind != RTE_SUBQUERY ||
        !(names_time(arm->translated_vars) || do_name_time(parent->baserestrictinfo)) || is_row_needed(root, parent))
        return;
    List* clauses = translated(root, parent->baserestrictinfo, arm);
    for (int i = 0; i < list_length(clauses); ++i) {
        List* parts = rewriter.rewritten(static_cast<Node*>(list_nth(clauses, i)), clauses);
        if (parts == NIL)
            continue;
        const Var* column = column_for(root, parent, list_nth_cell(parent->baserestrictinfo, i));
        lfirst(list_nth_cell(arm->translated_vars, column->varattno - 1)) = make_ands_explicit(parts);
    }
}
