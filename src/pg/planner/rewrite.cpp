// Rewrites comparisons of an id's time where a null result is as good as false: among the ANDed and ORed restriction
// and join clauses of a query.
//
// The hook runs once for each table of a query, after the planner has pulled up subqueries, inlined functions and
// simplified expressions, and before it distributes the clauses to the tables. So it sees a view's column
// `id::timestamptz` as that expression, and knows the table's indexes.
#include "rewrite.hpp"

#include "../settings.hpp"
#include "comparison.hpp"
#include "time_comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

decltype(luuid_table_hook) previous_hook = nullptr;

bool names_time(Node* node, void* context) {
    if (node == nullptr)
        return false;
    if (IsA(node, FuncExpr) && reinterpret_cast<FuncExpr*>(node)->funcid == time_function())
        return true;
    return luuid_expression_tree_walker(node, names_time, context);
}

bool any_names_time(List* expressions) { return names_time(reinterpret_cast<Node*>(expressions), nullptr); }

// The planner leaves the indexes of a parent of other tables out of what it knows of it, before 16 of a partitioned
// table too.
bool is_parent_indexed_by_time(Oid table) {
    Relation relation = RelationIdGetRelation(table);
    List* indexes = RelationGetIndexList(relation);
    RelationClose(relation);
    bool found = false;
    ListCell* cell;
    foreach (cell, indexes) {
        Relation index = index_open(lfirst_oid(cell), AccessShareLock);
        found = found || any_names_time(RelationGetIndexExpressions(index)) ||
                any_names_time(RelationGetIndexPredicate(index));
        index_close(index, AccessShareLock);
    }
    return found;
}

// Whether an index, or the partition key, is by the id's time itself. It answers the comparison as it was written.
bool is_keyed_by_time(const RangeTblEntry* table, const RelOptInfo* rel) {
    ListCell* cell;
    foreach (cell, rel->indexlist) {
        const auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        if (any_names_time(index->indexprs) || any_names_time(index->indpred))
            return true;
    }
    if (rel->part_scheme != nullptr)
        for (int i = 0; i < rel->part_scheme->partnatts; ++i)
            if (any_names_time(rel->partexprs[i]))
                return true;
    return table->inh && is_parent_indexed_by_time(table->relid);
}

// Rewrites the comparisons of one table's ids.
class Rewriter {
public:
    Rewriter(PlannerInfo* root, const RangeTblEntry* table, const RelOptInfo* rel) noexcept
        : root_(root), table_(table), rel_(rel) {}

    void rewrite_join_tree(Node* node) {
        check_stack_depth();
        if (node == nullptr || IsA(node, RangeTblRef))
            return;
        if (IsA(node, FromExpr)) {
            auto* from = reinterpret_cast<FromExpr*>(node);
            ListCell* cell;
            foreach (cell, from->fromlist)
                rewrite_join_tree(static_cast<Node*>(lfirst(cell)));
            from->quals = reinterpret_cast<Node*>(rewritten_all(reinterpret_cast<List*>(from->quals)));
        } else if (IsA(node, JoinExpr)) {
            auto* join = reinterpret_cast<JoinExpr*>(node);
            rewrite_join_tree(join->larg);
            rewrite_join_tree(join->rarg);
            join->quals = reinterpret_cast<Node*>(rewritten_all(reinterpret_cast<List*>(join->quals)));
        }
    }

    // ANDed clauses: the same list if all of them stay.
    List* rewritten_all(List* clauses) {
        List* result = clauses;
        for (int i = 0; i < list_length(clauses); ++i) {
            auto* clause = static_cast<Node*>(list_nth(clauses, i));
            List* parts = rewritten(clause, clauses);
            if (parts != NIL && result == clauses)
                result = list_copy_head(clauses, i);
            if (result != clauses)
                result = parts != NIL ? list_concat(result, parts) : lappend(result, clause);
        }
        return result;
    }

private:
    // What takes a clause's place, ANDed; NIL if it stays. The siblings are ANDed with it, itself among them.
    List* rewritten(Node* clause, List* siblings) {
        if (is_orclause(clause))
            return rewritten_or(reinterpret_cast<BoolExpr*>(clause)->args);
        if (IsA(clause, ScalarArrayOpExpr))
            return rewritten_or(comparisons_with_any(clause));
        const TimeComparison comparison = time_comparison(clause);
        return comparison.is_some() ? rewritten_comparison(comparison, clause, siblings) : NIL;
    }

    List* rewritten_or(List* arms) {
        check_stack_depth();
        if (list_length(arms) == 1)
            return rewritten_arm(static_cast<Node*>(linitial(arms)));
        List* result = NIL;
        bool is_changed = false;
        ListCell* cell;
        foreach (cell, arms) {
            auto* arm = static_cast<Node*>(lfirst(cell));
            List* parts = rewritten_arm(arm);
            is_changed = is_changed || parts != NIL;
            result = lappend(result, parts != NIL ? static_cast<void*>(make_ands_explicit(parts)) : arm);
        }
        return is_changed ? list_make1(make_orclause(result)) : NIL;
    }

    List* rewritten_arm(Node* arm) {
        if (!is_andclause(arm))
            return rewritten(arm, NIL);
        List* clauses = reinterpret_cast<BoolExpr*>(arm)->args;
        List* result = rewritten_all(clauses);
        return result != clauses ? result : NIL;
    }

    List* rewritten_comparison(const TimeComparison& written, Node* clause, List* siblings) {
        const TimeComparison comparison = bounding_this_table(written, clause, siblings);
        if (!comparison.is_some() || is_keyed_by_time())
            return NIL;
        const bool is_equality = comparison.strategy == BTEqualStrategyNumber;
        // A join on `=` stays one, so that it can hash and merge.
        if ((is_equality && contain_var_clause(comparison.other)) ||
            ((is_equality || comparison.is_rounded()) && !may_be_repeated(comparison.other)))
            return NIL;
        List* result = implied_bounds(comparison);
        if (!is_equality && !excludes_untimed(siblings, clause, comparison))
            result = lappend(result, all_times(comparison.id, !is_lower_bound(comparison.strategy)));
        return comparison.is_rounded() ? lappend(result, rechecked(clause)) : result;
    }

    // A comparison read so that this table's id is the one it bounds; none if it bounds no id of this table. A
    // comparison of two ids' times bounds the left one, unless only the other has another bound beside it: the window
    // `a <= b AND b < a + interval '5 min'` is one of b.
    TimeComparison bounding_this_table(const TimeComparison& written, const Node* clause, List* siblings) {
        TimeComparison comparison = written;
        const TimeComparison other_way = written.commuted();
        if (other_way.is_some() && !is_bounded_beside(siblings, clause, comparison.id) &&
            is_bounded_beside(siblings, clause, other_way.id))
            comparison = other_way;
        const auto* column = reinterpret_cast<Var*>(without_relabels(comparison.id));
        // No index answers a comparison with the same row's time.
        const bool is_own = column->varno == static_cast<int>(rel_->relid) && column->varlevelsup == 0 &&
                            !bms_is_member(static_cast<int>(rel_->relid), pull_varnos(root_, comparison.other));
        return is_own ? comparison : TimeComparison{};
    }

    bool is_keyed_by_time() {
        if (!is_keyed_by_time_)
            is_keyed_by_time_ = ::is_keyed_by_time(table_, rel_);
        return *is_keyed_by_time_;
    }

    PlannerInfo* root_;
    const RangeTblEntry* table_;
    const RelOptInfo* rel_;
    std::optional<bool> is_keyed_by_time_;  // known if it was needed
};

void rewrite_times_of_table(LUUID_TABLE_HOOK_PARAMETERS) {
    if (previous_hook != nullptr)
        previous_hook(LUUID_TABLE_HOOK_ARGUMENTS);
    // A child inherits its parent's clauses. Some commands ask for a table's indexes without a query.
    if (!setting_values.enable_time_rewrite || rel->reloptkind != RELOPT_BASEREL || rel->rtekind != RTE_RELATION ||
        root->parse->jointree == nullptr)
        return;
    RangeTblEntry* table_entry = root->simple_rte_array[rel->relid];
    Rewriter rewriter(root, table_entry, rel);
    rewriter.rewrite_join_tree(reinterpret_cast<Node*>(root->parse->jointree));
    ListCell* level;
    foreach (level, table_entry->securityQuals)
        lfirst(level) = rewriter.rewritten_all(static_cast<List*>(lfirst(level)));
}

}  // namespace

void luuid::pg::rewrite_times() {
    previous_hook = luuid_table_hook;
    luuid_table_hook = rewrite_times_of_table;
}
