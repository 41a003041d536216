// What the server knows of a column's values: its statistics, an index, and how the table has grown.
//
// Statistics may be anybody's: a superuser can write them, and a dump brings them. What is not of the form that ANALYZE
// gives them is taken for missing; in which order they are is believed.
#pragma once

#include "histogram.hpp"
#include "server.hpp"

namespace luuid::pg {

// The values of the statistics of a kind, with the part of the rows that each has if the kind has that.
struct Sample {
    Ids ids;
    Oid op = InvalidOid;  // by which ANALYZE compared them
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

// An index of all rows in chronological order, which the caller has to close.
struct TimeIndex {
    Relation table;
    Relation index;
    bool is_descending;
    bool is_unique;  // by the statistics
};

// Whether the current user may read every row of the table, so that an estimate may tell him how many there are. An
// operator that does not leak may tell of the values in the statistics, but not of each new row that a view or a policy
// hides.
bool sees_all_rows(PlannerInfo* root, const VariableStatData& variable);

// None where there is none. The caller has to have checked that the user sees all rows.
std::optional<TimeIndex> time_index_of(PlannerInfo* root, const VariableStatData& variable);
void close(const TimeIndex& index);

// How many rows with a time it has in a stretch.
double timed_rows(const TimeIndex& index, const Stretch& stretch);

// The part of the table's rows that seem to have come since its rows were last counted, 0 to 1: by the size of the
// table, which updates change too.
double new_part(PlannerInfo* root, const RelOptInfo* rel);

}  // namespace luuid::pg
