// Reads a column's statistics, and finds an index of it.
#include "statistics.hpp"

#include "datum.hpp"
#include "entries.hpp"
#include "slice.hpp"

using namespace luuid;
using namespace luuid::pg;

namespace {

// An attribute of pg_statistic that is an array without nulls, of one dimension; null otherwise.
ArrayType* array_of(HeapTuple statistics, int attribute, void** copy) {
    bool is_null = false;
    const Datum datum = SysCacheGetAttr(STATRELATTINH, statistics, static_cast<AttrNumber>(attribute), &is_null);
    if (is_null)
        return nullptr;
    ArrayType* array = DatumGetArrayTypeP(datum);
    *copy = array == reinterpret_cast<void*>(DatumGetPointer(datum)) ? nullptr : array;
    return ARR_NDIM(array) == 1 && !ARR_HASNULL(array) ? array : nullptr;
}

// Of uuid's form: luuid, uuid, and domains over them.
bool is_of_ids(const ArrayType* array) {
    int16 length = 0;
    bool by_value = false;
    char alignment = 0;
    get_typlenbyvalalign(ARR_ELEMTYPE(array), &length, &by_value, &alignment);
    return length == static_cast<int>(id_size) && !by_value && alignment == TYPALIGN_CHAR;
}

}  // namespace

Sample luuid::pg::sample_of(HeapTuple statistics, int kind) {
    const auto* form = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics));
    const int16* kinds = &form->stakind1;
    const Oid* ops = &form->staop1;
    for (int slot = 0; slot < STATISTIC_NUM_SLOTS; ++slot) {
        if (kinds[slot] != kind)
            continue;
        Sample sample;
        sample.op = ops[slot];
        const ArrayType* values = array_of(statistics, Anum_pg_statistic_stavalues1 + slot, &sample.values_copy);
        if (values == nullptr || !is_of_ids(values))
            return sample;
        const Ids ids{reinterpret_cast<const unsigned char*>(ARR_DATA_PTR(values)), ARR_DIMS(values)[0]};
        if (kind == STATISTIC_KIND_MCV) {
            const ArrayType* parts = array_of(statistics, Anum_pg_statistic_stanumbers1 + slot, &sample.parts_copy);
            if (parts == nullptr || ARR_ELEMTYPE(parts) != FLOAT4OID || ARR_DIMS(parts)[0] != ids.size())
                return sample;
            sample.parts = reinterpret_cast<const float4*>(ARR_DATA_PTR(parts));
        }
        sample.ids = ids;
        return sample;
    }
    return {};
}

void luuid::pg::release(const Sample& sample) {
    if (sample.values_copy != nullptr)
        pfree(sample.values_copy);
    if (sample.parts_copy != nullptr)
        pfree(sample.parts_copy);
}

double luuid::pg::null_part(HeapTuple statistics) {
    const double part = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stanullfrac;
    return part > 0 ? Min(part, 1.0) : 0;
}

namespace {

// How many different values there are for each row, where that is what ANALYZE found; negative otherwise.
double distinct_part(HeapTuple statistics) {
    return -reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stadistinct;
}

}  // namespace

bool luuid::pg::grows_with_rows(HeapTuple statistics) { return distinct_part(statistics) > 0; }

namespace {

// Null for what is no table, and for a table with children, whose statistics are theirs too.
const RangeTblEntry* table_of(PlannerInfo* root, const RelOptInfo* rel) {
    if (rel == nullptr || rel->rtekind != RTE_RELATION || !(rel->tuples > 0))
        return nullptr;
    const RangeTblEntry* entry = planner_rt_fetch(rel->relid, root);
    return entry->inh ? nullptr : entry;
}

}  // namespace

double luuid::pg::new_part(PlannerInfo* root, const RelOptInfo* rel) {
    const RangeTblEntry* entry = table_of(root, rel);
    if (entry == nullptr)
        return 0;
    const HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(entry->relid));
    if (!HeapTupleIsValid(tuple))
        return 0;
    const double counted = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->reltuples;
    ReleaseSysCache(tuple);
    return counted > 0 && rel->tuples > counted ? (rel->tuples - counted) / rel->tuples : 0;
}

namespace {

// Of the chronological order on the variable, of all rows.
const IndexOptInfo* index_on(const VariableStatData& variable) {
    const Oid family = time_family();
    ListCell* cell;
    foreach (cell, variable.rel->indexlist) {
        auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        if (index->relam == BTREE_AM_OID && index->opfamily[0] == family && index->indpred == NIL &&
            !index->hypothetical && match_index_to_operand(variable.var, 0, index))
            return index;
    }
    return nullptr;
}

}  // namespace

namespace {

// The table that the query names: of a partition or a child, its topmost parent.
Oid named_table(PlannerInfo* root, const RelOptInfo* rel) {
    Index number = rel->relid;
    while (root->append_rel_array != nullptr && root->append_rel_array[number] != nullptr) {
        const Index parent = root->append_rel_array[number]->parent_relid;
        if (planner_rt_fetch(parent, root)->rtekind != RTE_RELATION)
            break;  // an arm of UNION ALL
        number = parent;
    }
    return planner_rt_fetch(number, root)->relid;
}

}  // namespace

// A relation that a view names is checked as the view's owner (rel->userid is valid), who may see rows that the view
// hides from the current user. For such a relation acl_ok tells of the owner. So the current user must be allowed to
// read the table without the view.
bool luuid::pg::sees_all_rows(PlannerInfo* root, const VariableStatData& variable) {
    if (!variable.acl_ok || table_of(root, variable.rel) == nullptr)
        return false;
    if (!OidIsValid(variable.rel->userid) || variable.rel->userid == GetUserId())
        return true;
    const Oid table = named_table(root, variable.rel);
    return pg_class_aclcheck(table, GetUserId(), ACL_SELECT) == ACLCHECK_OK &&
           check_enable_rls(table, InvalidOid, true) != RLS_ENABLED;
}

std::optional<TimeIndex> luuid::pg::time_index_of(PlannerInfo* root, const VariableStatData& variable) {
    const RangeTblEntry* entry = table_of(root, variable.rel);
    const IndexOptInfo* index = entry == nullptr ? nullptr : index_on(variable);
    if (index == nullptr)
        return std::nullopt;
    // The planner has locked both already.
    return TimeIndex{table_open(entry->relid, NoLock), index_open(index->indexoid, NoLock), index->reverse_sort[0],
                     distinct_part(variable.statsTuple) >= 1};
}

void luuid::pg::close(const TimeIndex& index) {
    index_close(index.index, NoLock);
    table_close(index.table, NoLock);
}

double luuid::pg::timed_rows(const TimeIndex& index, const Stretch& stretch) {
    Stretch timed{Cut{nil_id, true}, Cut{detail::highest_timed, true}};
    if (stretch.lower)
        timed.raise(Order::time, *stretch.lower);
    if (stretch.upper)
        timed.lower_to(Order::time, *stretch.upper);
    return timed.is_empty(Order::time) ? 0
                                       : entries_between(index.table, index.index, index.is_descending, index.is_unique,
                                                         *timed.lower, *timed.upper);
}
