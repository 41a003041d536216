// What is kept of one run of the planner, in its memory: it asks about one clause after another.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

// That a value is at least, and less than, so many milliseconds after a base; and what was answered about it.
struct Window {
    Node *value, *base;
    double least, greatest;
    const RelOptInfo* inner;  // of a semijoin: the fraction is one of the outer rows that any of its rows passes with
    bool is_leakproof;        // the operator, by which the statistics may be seen or not
    double selectivity;       // negative if too little is known
};

struct Run {
    PlannerInfo* root;
    class Column* columns;            // the latest first
    struct RelationClauses* clauses;  // the latest first
    int asked;                        // about how many windows
    Window windows[8];                // the latest of these
    Run* next;
};

// It lives as long as root->planner_cxt. An operand's function can begin another run.
Run& run_of(PlannerInfo* root);

}  // namespace luuid::pg
