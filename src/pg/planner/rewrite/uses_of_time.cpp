// Finds the tables for which the planner needs comparisons of an id's time as they are written.
#include "rewrite.hpp"

#include <utility>

using namespace luuid::pg;

namespace {

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

}  // namespace

// Any such use begins and ends with a change of a table's definition, of which every session is told.
bool luuid::pg::has_use_for_times(Oid table) {
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
