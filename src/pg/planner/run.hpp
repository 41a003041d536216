// What is kept of one run of the planner, in its memory: the clauses, the spreads and the rows that it has asked about.
#pragma once

#include "server.hpp"

#include <luuid/detail/id_range.hpp>

#include <array>

namespace luuid::pg {

// How many rows an index has in a range.
struct CountedRows {
    Oid index;
    detail::IdRange range;
    double rows;
};

struct Run {
    PlannerInfo* root;
    List* relations;                     // RelationClauses, the latest first
    List* spreads;                       // as spread.cpp keeps them
    std::array<CountedRows, 32> counts;  // the latest, in turn: a table joined with itself is asked about twice
    std::size_t counted;                 // all that were ever kept
    Run* next;
};

// It lives as long as root->planner_cxt.
Run& run_of(PlannerInfo* root);

}  // namespace luuid::pg
