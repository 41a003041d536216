// Reads a column's statistics.
#include "statistics.hpp"

using namespace luuid;
using namespace luuid::detail;
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
            const ArrayType* fractions =
                array_of(statistics, Anum_pg_statistic_stanumbers1 + slot, &sample.fractions_copy);
            if (fractions == nullptr || ARR_ELEMTYPE(fractions) != FLOAT4OID || ARR_DIMS(fractions)[0] != ids.size())
                return sample;
            sample.fractions = reinterpret_cast<const float4*>(ARR_DATA_PTR(fractions));
        }
        sample.ids = ids;
        return sample;
    }
    return {};
}

void luuid::pg::release(const Sample& sample) {
    if (sample.values_copy != nullptr)
        pfree(sample.values_copy);
    if (sample.fractions_copy != nullptr)
        pfree(sample.fractions_copy);
}

double luuid::pg::null_fraction(HeapTuple statistics) {
    const double fraction = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stanullfrac;
    return fraction > 0 ? Min(fraction, 1.0) : 0;
}

double luuid::pg::distinct_fraction(HeapTuple statistics) {
    return -reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stadistinct;
}

const RangeTblEntry* luuid::pg::table_of(PlannerInfo* root, const RelOptInfo* rel) {
    if (rel == nullptr || rel->rtekind != RTE_RELATION || !(rel->tuples > 0))
        return nullptr;
    const RangeTblEntry* entry = planner_rt_fetch(rel->relid, root);
    return entry->inh ? nullptr : entry;
}

double luuid::pg::new_fraction(PlannerInfo* root, const RelOptInfo* rel) {
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
