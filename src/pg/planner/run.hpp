// What is kept of one run of the planner, in its memory: the clauses, the spreads, the rows and the histogram that it
// has asked about.
#pragma once

#include "statistics.hpp"

namespace luuid::pg {

// How many rows an index has in a range.
struct Count {
    Oid index;
    detail::IdRange range;
    double rows;
};

// The histogram that was asked for last, and the row that it is of, mostly of pg_statistic.
struct KeptHistogram {
    Oid table = InvalidOid;
    ItemPointerData place{};
    TransactionId made_by = InvalidTransactionId;
    Sample sample;
};

struct Run {
    PlannerInfo* root;
    List* relations;  // RelationClauses, the latest first
    List* spreads;    // as spread.cpp keeps them
    List* counts;     // Count, the latest first
    KeptHistogram histogram;
    Run* next;
};

// It lives as long as root->planner_cxt.
Run& run_of(PlannerInfo* root);

// The rows of a range, if they are among the last that were counted: a table joined with itself is asked about twice,
// at a dozen places each.
std::optional<double> kept_count(PlannerInfo* root, Oid index, const detail::IdRange& range);
void keep_count(PlannerInfo* root, const Count& count);

}  // namespace luuid::pg
