// What is kept of one run of the planner, in its memory: it asks about one clause after another.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

// That a value is at least, and less than, so many milliseconds after a base; and what was answered about it.
struct Window {
    Node *value, *base;
    double least, greatest;
    const RelOptInfo* inner = nullptr;  // of a semijoin: the fraction is that of the outer rows with a row of it inside
    bool is_leakproof = false;          // the operator, by which the statistics may be seen or not
    double selectivity = -1;            // negative if too little is known
};

struct Run {
    PlannerInfo* root;
    class Column* columns;            // the latest first
    struct RelationClauses* clauses;  // the latest first
    int asked;                        // how many windows the planner has asked about
    Window windows[8];                // the latest of these
    Run* next;
};

// It lives as long as root->planner_cxt. An operand's function can begin another run.
Run& run_of(PlannerInfo* root);

}  // namespace luuid::pg
