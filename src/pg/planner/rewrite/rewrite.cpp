// Adds bounds of the id beside comparisons of its time, such as `id::timestamptz >= t`, where an index or a partition
// key of the table can use these. The comparison itself stays, so that no plan is lost that there is without: of
//
//   b.ts >= a.id::timestamptz AND b.ts < a.id::timestamptz + interval '5 min'
//
// an index on b.ts answers what is written, and one on a.id what is added. estimate/clauses.cpp keeps the planner from
// estimating both.
//
// The hook runs once for each table of a query, after the planner has pulled up subqueries, inlined functions and
// simplified expressions. So it sees a view's column `id::timestamptz` as that expression, and knows the table's
// indexes.
#include "rewrite.hpp"

#include "../../settings.hpp"
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;

// Before 16 the planner leaves the indexes of a partitioned table out of what it knows of it, and those of a parent of
// other tables always.
bool has_index_by_time(Oid table, AttrNumber column, Oid op) {
    Relation relation = RelationIdGetRelation(table);
    List* indexes = RelationGetIndexList(relation);
    RelationClose(relation);
    bool found = false;
    ListCell* cell;
    foreach (cell, indexes) {
        Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        for (int i = 0; i < IndexRelationGetNumberOfKeyAttributes(index); ++i)
            found = found || (index->rd_index->indkey.values[i] == column && op_in_opfamily(op, index->rd_opfamily[i]));
        index_close(index, AccessShareLock);
    }
    return found;
}

// Whether an index, or the partition key, answers comparisons of the column in the chronological order. No scan of a
// join prunes partitions for each row of another table unless it uses an index.
bool is_keyed_by_time(const RelOptInfo* rel, const RangeTblEntry* table, Var* column, bool is_join) {
    const Oid op = get_opfamily_member(time_family(), luuid_type(), luuid_type(), BTGreaterEqualStrategyNumber);
    auto* node = reinterpret_cast<Node*>(column);
    ListCell* cell;
    foreach (cell, rel->indexlist) {
        auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        for (int i = 0; i < index->nkeycolumns; ++i)
            if (op_in_opfamily(op, index->opfamily[i]) && match_index_to_operand(node, i, index))
                return true;
    }
    if (rel->part_scheme != nullptr && !is_join)
        for (int i = 0; i < rel->part_scheme->partnatts; ++i)
            if (op_in_opfamily(op, rel->part_scheme->partopfamily[i]) && equal(linitial(rel->partexprs[i]), node))
                return true;
    return table->inh && has_index_by_time(table->relid, column->varattno, op);
}

class Rewriter {
public:
    Rewriter(PlannerInfo* root, const RelOptInfo* rel) noexcept
        : root_(root), rel_(rel), table_(root->simple_rte_array[rel->relid]) {}

    // ANDed clauses. The bounds come first, since the planner estimates one clause after another.
    List* rewritten(List* clauses) {
        List* result = NIL;
        ListCell* cell;
        foreach (cell, clauses) {
            auto* clause = static_cast<Node*>(lfirst(cell));
            List* bounds = setting_values.enable_time_rewrite ? implied_bounds(root_, rel_->relid, clause) : NIL;
            if (bounds != NIL && can_use(bounds))
                result = list_concat(result, bounds);
            result = lappend(result, clause);
        }
        return result;
    }

    // Whether the table is in a part of the join tree. The clauses of an outer, semi or anti join restrict its right
    // side alone: a bound of the left side would be one more clause that no index of the right side answers.
    bool rewrite_join_tree(Node* node) {
        check_stack_depth();
        if (IsA(node, JoinExpr)) {
            auto* join = reinterpret_cast<JoinExpr*>(node);
            const bool is_left = rewrite_join_tree(join->larg), is_right = rewrite_join_tree(join->rarg);
            if (is_right || (is_left && join->jointype == JOIN_INNER))
                join->quals = reinterpret_cast<Node*>(rewritten(reinterpret_cast<List*>(join->quals)));
            return is_left || is_right;
        }
        if (!IsA(node, FromExpr))
            return IsA(node, RangeTblRef) &&
                   reinterpret_cast<RangeTblRef*>(node)->rtindex == static_cast<int>(rel_->relid);
        auto* from = reinterpret_cast<FromExpr*>(node);
        bool is_in = false;
        ListCell* cell;
        foreach (cell, from->fromlist)
            is_in = rewrite_join_tree(static_cast<Node*>(lfirst(cell))) || is_in;
        if (is_in)
            from->quals = reinterpret_cast<Node*>(rewritten(reinterpret_cast<List*>(from->quals)));
        return is_in;
    }

    // What row security, or a view, lets pass.
    void rewrite_security_clauses() {
        ListCell* level;
        foreach (level, table_->securityQuals)
            lfirst(level) = rewritten(static_cast<List*>(lfirst(level)));
    }

private:
    bool can_use(List* bounds) {
        const auto* comparison = reinterpret_cast<OpExpr*>(first_comparison(static_cast<Node*>(linitial(bounds))));
        auto* column = reinterpret_cast<Var*>(without_relabels(static_cast<Node*>(linitial(comparison->args))));
        const bool is_join = bms_membership(pull_varnos(root_, reinterpret_cast<Node*>(bounds))) == BMS_MULTIPLE;
        return is_keyed_by_time(rel_, table_, column, is_join);
    }

    PlannerInfo* root_;
    const RelOptInfo* rel_;
    const RangeTblEntry* table_;
};

void rewrite_clauses_of_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    // Some commands ask for a table's indexes without a query; a child has its parent's clauses.
    if (rel->rtekind != RTE_RELATION || rel->reloptkind != RELOPT_BASEREL || root->parse->jointree == nullptr)
        return;
    Rewriter rewriter(root, rel);
    rewriter.rewrite_join_tree(reinterpret_cast<Node*>(root->parse->jointree));
    rewriter.rewrite_security_clauses();
}

}  // namespace

void luuid::pg::rewrite_clauses() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = rewrite_clauses_of_table;
}
