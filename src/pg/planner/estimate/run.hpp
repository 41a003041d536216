// What is kept of one run of the planner, in its memory: it asks about one clause after another.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

struct Run {
    PlannerInfo* root;
    class Column* columns;            // the latest first
    struct RelationClauses* clauses;  // the latest first
    struct Window* windows;           // the latest first
    Run* next;
};

// It lives as long as root->planner_cxt. An operand's function can begin another run.
Run& run_of(PlannerInfo* root);

}  // namespace luuid::pg
