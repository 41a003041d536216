// What is kept of one run of the planner, in its memory: the clauses and the spreads that it has asked about.
#pragma once

#include "server.hpp"

namespace luuid::pg {

struct Run {
    PlannerInfo* root;
    List* relations;  // RelationClauses, the latest first
    List* spreads;    // as spread.cpp keeps them
    Run* next;
};

// It lives as long as root->planner_cxt.
Run& run_of(PlannerInfo* root);

}  // namespace luuid::pg
