// Reads a column's statistics.
#include "statistics.hpp"

#include "run.hpp"

#include <algorithm>

using namespace luuid;
using namespace luuid::detail;
using namespace luuid::pg;

bool luuid::pg::is_id(Oid type) {
    int16 length = 0;
    bool by_value = false;
    char alignment = 0;
    get_typlenbyvalalign(type, &length, &by_value, &alignment);
    return length == static_cast<int>(id_size) && !by_value && alignment == TYPALIGN_CHAR;
}

Sample luuid::pg::sample_of(HeapTuple statistics, int kind) {
    Sample sample;
    AttStatsSlot& slot = sample.slot;
    const bool has_fractions = kind == STATISTIC_KIND_MCV;
    if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
                          ATTSTATSSLOT_VALUES | (has_fractions ? ATTSTATSSLOT_NUMBERS : 0)))
        return sample;
    // An array's elements of this form lie side by side.
    if (slot.nvalues > 0 && is_id(slot.valuetype) && (!has_fractions || slot.nnumbers == slot.nvalues))
        sample.ids = {reinterpret_cast<const unsigned char*>(DatumGetPointer(slot.values[0])), slot.nvalues};
    return sample;
}

void luuid::pg::release(Sample& sample) { free_attstatsslot(&sample.slot); }

// A row is known by its table, its place and its transaction. What is made up for the question, as from CREATE
// STATISTICS, has no place.
const Sample& luuid::pg::histogram_sample(PlannerInfo* root, HeapTuple statistics) {
    KeptHistogram& kept = run_of(root).histogram;
    const TransactionId made_by = HeapTupleHeaderGetRawXmin(statistics->t_data);
    if (ItemPointerIsValid(&statistics->t_self) && statistics->t_tableOid == kept.table &&
        ItemPointerEquals(&statistics->t_self, &kept.place) && made_by == kept.made_by)
        return kept.sample;
    release(kept.sample);
    kept = {};
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    kept = {statistics->t_tableOid, statistics->t_self, made_by, sample_of(statistics, STATISTIC_KIND_HISTOGRAM)};
    MemoryContextSwitchTo(context);
    return kept.sample;
}

double luuid::pg::null_fraction(HeapTuple statistics) {
    const double fraction = reinterpret_cast<Form_pg_statistic>(GETSTRUCT(statistics))->stanullfrac;
    return fraction > 0 ? std::min(fraction, 1.0) : 0;
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
