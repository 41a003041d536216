// What ANALYZE left of a column's values, and how the table has grown since.
//
// A superuser can write statistics, and a dump restores them. Values that are no ids count as missing; arrays that are
// malformed are the server's error, as for a column of any type; the order of the values is believed.
#pragma once

#include "server.hpp"

#include <luuid/detail/histogram.hpp>

namespace luuid::pg {

// The values of the statistics of a kind.
struct Sample {
    detail::Ids ids;
    AttStatsSlot
        slot{};  // that they are in, with the operator that ANALYZE compared them by, and the fractions of an MCV list
};

// Of uuid's form: luuid, uuid, and domains over them.
bool is_id(Oid type);

// STATISTIC_KIND_HISTOGRAM or STATISTIC_KIND_MCV. To be released, since a query may have a thousand partitions.
Sample sample_of(HeapTuple statistics, int kind);
void release(Sample& sample);

// The histogram, kept until another one is asked for: the planner asks about one clause of a column after another.
const Sample& histogram_sample(PlannerInfo* root, HeapTuple statistics);

// The fraction of the rows that are null, 0 to 1.
double null_fraction(HeapTuple statistics);

// How many different values there are for each row, if that is what ANALYZE found: 1 for a key; negative otherwise.
double distinct_fraction(HeapTuple statistics);

// The table that a relation of a query is; null for what is none, and for one with children, whose statistics are
// theirs too.
const RangeTblEntry* table_of(PlannerInfo* root, const RelOptInfo* rel);

// The fraction of the table's rows that seem to have come since its rows were last counted, 0 to 1: by the size of the
// table, which updates change too.
double new_fraction(PlannerInfo* root, const RelOptInfo* rel);

}  // namespace luuid::pg
