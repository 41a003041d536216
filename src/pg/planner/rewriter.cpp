// Rewrites the comparisons among ANDed and ORed clauses, unless an index answers them as they are written.
#include "rewriter.hpp"

#include "comparison.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// Most functions are the server's.
bool calls_time(Node* node, void* context) {
    if (node == nullptr)
        return false;
    if (IsA(node, FuncExpr)) {
        const Oid function = reinterpret_cast<FuncExpr*>(node)->funcid;
        if (function >= FirstNormalObjectId && function == time_function())
            return true;
    }
    return luuid_expression_tree_walker(node, calls_time, context);
}

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
        found = found || names_time(RelationGetIndexExpressions(index)) || names_time(RelationGetIndexPredicate(index));
        index_close(index, AccessShareLock);
    }
    return found;
}

// Whether an index, or the partition key, is by the id's time itself. It answers the comparison as it was written.
bool is_table_keyed_by_time(const RangeTblEntry* table, const RelOptInfo* rel) {
    ListCell* cell;
    foreach (cell, rel->indexlist) {
        const auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        if (names_time(index->indexprs) || names_time(index->indpred))
            return true;
    }
    if (rel->part_scheme != nullptr)
        for (int i = 0; i < rel->part_scheme->partnatts; ++i)
            if (names_time(rel->partexprs[i]))
                return true;
    return table->inh && is_parent_indexed_by_time(table->relid);
}

}  // namespace

bool luuid::pg::names_time(Node* node) { return calls_time(node, nullptr); }

List* Rewriter::rewritten_all(List* clauses) {
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

List* Rewriter::rewritten(Node* clause, List* siblings) {
    if (is_orclause(clause))
        return rewritten_or(reinterpret_cast<BoolExpr*>(clause)->args);
    if (IsA(clause, ScalarArrayOpExpr))
        return rewritten_or(comparisons_with_any(clause));
    const TimeComparison comparison = time_comparison(clause);
    return comparison.is_some() ? rewritten_comparison(comparison, clause, siblings) : NIL;
}

List* Rewriter::rewritten_or(List* arms) {
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

List* Rewriter::rewritten_arm(Node* arm) {
    if (!is_andclause(arm))
        return rewritten(arm, NIL);
    List* clauses = reinterpret_cast<BoolExpr*>(arm)->args;
    List* result = rewritten_all(clauses);
    return result != clauses ? result : NIL;
}

List* Rewriter::rewritten_comparison(const TimeComparison& written, Node* clause, List* siblings) {
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

// A comparison read so that this table's id is the one it bounds; none if it bounds no id of this table. A comparison
// of two ids' times bounds the left one, unless only the other has another bound beside it: the window
// `a <= b AND b < a + interval '5 min'` is one of b.
TimeComparison Rewriter::bounding_this_table(const TimeComparison& written, const Node* clause, List* siblings) {
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

bool Rewriter::is_keyed_by_time() {
    if (!is_keyed_by_time_)
        is_keyed_by_time_ = is_table_keyed_by_time(table_, rel_);
    return *is_keyed_by_time_;
}
