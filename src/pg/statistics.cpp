// Reads a column's statistics, and the end of its index.
#include "statistics.hpp"

#include "datum.hpp"
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
    for (int slot = 0; slot < STATISTIC_NUM_SLOTS; ++slot) {
        if (kinds[slot] != kind)
            continue;
        Sample sample;
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

bool luuid::pg::grows_with_rows(HeapTuple statistics) {
    return reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stadistinct < 0;
}

double luuid::pg::new_part(PlannerInfo* root, const RelOptInfo* rel) {
    if (rel == nullptr || rel->rtekind != RTE_RELATION || !(rel->tuples > 0))
        return 0;
    const HeapTuple tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(planner_rt_fetch(rel->relid, root)->relid));
    if (!HeapTupleIsValid(tuple))
        return 0;
    const double counted = reinterpret_cast<Form_pg_class>(GETSTRUCT(tuple))->reltuples;
    ReleaseSysCache(tuple);
    return counted > 0 && rel->tuples > counted ? (rel->tuples - counted) / rel->tuples : 0;
}

namespace {

// Of the chronological order on the variable, with its values in it, of all rows.
const IndexOptInfo* index_on(const VariableStatData& variable) {
    const Oid family = time_family();
    ListCell* cell;
    foreach (cell, variable.rel->indexlist) {
        auto* index = static_cast<IndexOptInfo*>(lfirst(cell));
        if (index->relam == BTREE_AM_OID && index->opfamily[0] == family && index->indpred == NIL &&
            !index->hypothetical && index->canreturn[0] && match_index_to_operand(variable.var, 0, index))
            return index;
    }
    return nullptr;
}

// How many pages of rows that are gone are looked at, as get_actual_variable_endpoint of selfuncs.c does.
constexpr int most_pages = 100;

std::optional<Id> last_entry(Relation table, Relation index, ScanKey key, ScanDirection direction) {
    SnapshotData snapshot;
    InitNonVacuumableSnapshot(snapshot, GlobalVisTestFor(table));
    IndexScanDesc scan = luuid_index_beginscan(table, index, &snapshot, 1);
    scan->xs_want_itup = true;
    index_rescan(scan, key, 1, nullptr, 0);

    TupleTableSlot* slot = table_slot_create(table, nullptr);
    Buffer visibility = InvalidBuffer;
    BlockNumber page = InvalidBlockNumber;
    int pages = 0;
    std::optional<Id> last;
    while (const ItemPointer row = index_getnext_tid(scan, direction)) {
        const BlockNumber block = ItemPointerGetBlockNumber(row);
        if (!VM_ALL_VISIBLE(table, block, &visibility)) {
            if (!index_fetch_heap(scan, slot)) {
                if (block != page && ++pages > most_pages)
                    break;
                page = block;
                continue;
            }
            ExecClearTuple(slot);
        }
        if (scan->xs_itup == nullptr || scan->xs_recheck)
            break;
        Datum values[INDEX_MAX_KEYS];
        bool nulls[INDEX_MAX_KEYS];
        index_deform_tuple(scan->xs_itup, scan->xs_itupdesc, values, nulls);
        if (!nulls[0])
            last = id_from_datum(values[0]);
        break;
    }
    if (visibility != InvalidBuffer)
        ReleaseBuffer(visibility);
    ExecDropSingleTupleTableSlot(slot);
    index_endscan(scan);
    return last;
}

}  // namespace

std::optional<Id> luuid::pg::last_timed(PlannerInfo* root, const VariableStatData& variable) {
    if (variable.rel == nullptr || variable.rel->rtekind != RTE_RELATION || variable.rel->indexlist == NIL)
        return std::nullopt;
    const RangeTblEntry* entry = planner_rt_fetch(variable.rel->relid, root);
    // Those of a partitioned table hold nothing.
    if (entry->relkind == RELKIND_PARTITIONED_TABLE)
        return std::nullopt;
    const IndexOptInfo* index = index_on(variable);
    if (index == nullptr)
        return std::nullopt;

    const Oid type = index->opcintype[0];
    const Oid op = get_opfamily_member(index->opfamily[0], type, type, BTLessEqualStrategyNumber);
    if (!OidIsValid(op))
        return std::nullopt;
    ScanKeyData key;
    ScanKeyEntryInitialize(&key, 0, 1, BTLessEqualStrategyNumber, type, InvalidOid, get_opcode(op),
                           datum_from_id(detail::highest_timed));
    // The planner has locked both already.
    const Relation table = table_open(entry->relid, NoLock);
    const Relation opened = index_open(index->indexoid, NoLock);
    const auto last =
        last_entry(table, opened, &key, index->reverse_sort[0] ? ForwardScanDirection : BackwardScanDirection);
    index_close(opened, NoLock);
    table_close(table, NoLock);
    return last && time_of(*last) ? last : std::nullopt;
}
