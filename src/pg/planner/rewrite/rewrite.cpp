// Replaces comparisons of an id's time, such as `id::timestamptz >= t`, by comparisons of the id, which indexes and
// partition bounds can use. It does so when the planner reads a table. By then the planner has pulled up subqueries and
// inlined functions, so that a view's column `id::timestamptz` is that expression. `id <@ (SELECT r)` is replaced too.
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

#include <utility>

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

template <typename Row, typename Visit>
void for_each_row(Oid catalog, Oid index, std::initializer_list<std::pair<AttrNumber, Oid>> columns, Visit visit) {
    ScanKeyData keys[2];
    int count = 0;
    for (const auto& [column, value] : columns)
        ScanKeyInit(&keys[count++], column, BTEqualStrategyNumber, F_OIDEQ, ObjectIdGetDatum(value));
    Relation relation = table_open(catalog, AccessShareLock);
    SysScanDesc scan = systable_beginscan(relation, index, OidIsValid(index), nullptr, count, keys);
    while (HeapTuple row = systable_getnext(scan))
        visit(reinterpret_cast<Row>(GETSTRUCT(row)));
    systable_endscan(scan);
    table_close(relation, AccessShareLock);
}

// The tables with an index or a partition key on the time of an id, the foreign tables, and all parents of these. By a
// CHECK of its own a child is excluded from a scan of its parent, but not from one of itself, and a CHECK that it
// inherits excludes all children or none.
List* tables_with_uses() {
    List *tables = NIL, *functions = list_make1_oid(extract_timestamp());  // and functions in SQL that call it
    const auto add_parents = [&](Oid child) {
        for_each_row<Form_pg_inherits>(InheritsRelationId, InheritsRelidSeqnoIndexId,
                                       {{Anum_pg_inherits_inhrelid, child}},
                                       [&](auto* row) { tables = list_append_unique_oid(tables, row->inhparent); });
    };
    const auto add_user = [&](const FormData_pg_depend* user) {
        if (user->classid == RelationRelationId && user->objsubid == 0) {
            const Oid indexed = IndexGetRelation(user->objid, true);
            tables = list_append_unique_oid(tables, OidIsValid(indexed) ? indexed : user->objid);
        } else if (user->classid == ProcedureRelationId) {
            functions = list_append_unique_oid(functions, user->objid);
        } else if (user->classid == ConstraintRelationId) {
            HeapTuple row = SearchSysCacheCopy1(CONSTROID, ObjectIdGetDatum(user->objid));
            if (HeapTupleIsValid(row) && Form_pg_constraint(GETSTRUCT(row))->conislocal)
                add_parents(Form_pg_constraint(GETSTRUCT(row))->conrelid);
        }
    };
    for (int i = 0; i < list_length(functions); ++i)
        for_each_row<Form_pg_depend>(
            DependRelationId, DependReferenceIndexId,
            {{Anum_pg_depend_refclassid, ProcedureRelationId}, {Anum_pg_depend_refobjid, list_nth_oid(functions, i)}},
            add_user);
    for_each_row<Form_pg_foreign_table>(ForeignTableRelationId, InvalidOid, {},
                                        [&](auto* row) { tables = lappend_oid(tables, row->ftrelid); });
    for (int i = 0; i < list_length(tables); ++i)
        add_parents(list_nth_oid(tables, i));
    return tables;
}

// Whether a table is one of these. Any such use begins and ends with a change of a table's definition, of which every
// session is told.
bool has_use_for_times(Oid table) {
    static List* tables = NIL;
    static uint64 changes = 0, known_changes = 0;
    if (changes == 0) {
        changes = 1;
        CacheRegisterRelcacheCallback([](Datum, Oid) { ++changes; }, 0);
    }
    if (known_changes != changes) {
        const uint64 changes_before = changes;  // others may come meanwhile
        const List* found = tables_with_uses();
        MemoryContext caller = MemoryContextSwitchTo(CacheMemoryContext);
        list_free(std::exchange(tables, list_copy(found)));
        MemoryContextSwitchTo(caller);
        known_changes = changes_before;
    }
    return list_member_oid(tables, table);
}

// Whether a plan may need the comparison as it is written, for an index, also on an inlined function, or another use.
bool stays_as_written(PlannerInfo* root, const RelOptInfo* rel, const TimeComparison& comparison) {
    if (comparison.is_id || !setting_values.enable_time_rewrite)
        return !comparison.is_id;
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
        if (IsA(clause, OpExpr) && comparison.strategy == BTEqualStrategyNumber && !comparison.is_id &&
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
    if (rel->rtekind != RTE_RELATION || rel->reloptkind != RELOPT_BASEREL || root->parse->jointree == nullptr ||
        (rel->indexlist == NIL && !read->inh) || !OidIsValid(extract_timestamp()))
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
