// What the server knows of a column's values: its statistics, the last entry of an index, and how the table has grown.
//
// Statistics may be anybody's: a superuser can write them, and a dump brings them. What is not of the form that ANALYZE
// gives them is taken for missing.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

// The values of the statistics of a kind, with the part of the rows that each has if the kind has that.
struct Sample {
    Ids ids;
    const float4* parts = nullptr;
    // What was unpacked for it.
    void* values_copy = nullptr;
    void* parts_copy = nullptr;
};

// STATISTIC_KIND_HISTOGRAM or STATISTIC_KIND_MCV. To be released, since a query may have a thousand partitions.
Sample sample_of(HeapTuple statistics, int kind);
void release(const Sample& sample);

// The part of the rows that are null, 0 to 1.
double null_part(HeapTuple statistics);

// Whether the values are as many as the rows allow, as those of a key are, and unlike those of a reference.
bool grows_with_rows(HeapTuple statistics);

// The greatest id with a time, by the end of an index in chronological order; none where there is none to look at, or
// where it takes too long to find a row that is still there. The caller has to have checked that the user may know it.
std::optional<Id> last_timed(PlannerInfo* root, const VariableStatData& variable);

// The part of the table's rows that came since its rows were last counted, 0 to 1.
double new_part(PlannerInfo* root, const RelOptInfo* rel);

}  // namespace luuid::pg
