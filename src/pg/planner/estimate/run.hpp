// What is kept of one run of the planner, in its memory: it asks about one clause after another.
#pragma once

#include "../server.hpp"

namespace luuid::pg {

// That a value is at least, and less than, so many milliseconds after a base; and what was answered about it.
struct Window {
    Node *value, *base;
    double least, greatest;
    const RelOptInfo* inner = nullptr;  // of a semijoin: the fraction is that of the outer rows with a row of it inside
    bool is_leakproof = false;          // whether its operators may see statistics of rows that the user may not
    double selectivity = -1;            // negative if too little is known
};

struct Run {
    PlannerInfo* root;
    List* columns;      // of Column
    List* relations;    // of RelationClauses
    int asked;          // how many windows the planner has asked about
    Window windows[8];  // the latest of these
    Run* next;
};

inline Run* runs = nullptr;  // the latest first

// It lives as long as root->planner_cxt. An operand's function can begin another run.
inline Run& run_of(PlannerInfo* root) {
    for (Run* run = runs; run != nullptr; run = run->next)
        if (run->root == root)
            return *run;
    auto* run = static_cast<Run*>(MemoryContextAlloc(root->planner_cxt, sizeof(Run)));
    auto* callback =
        static_cast<MemoryContextCallback*>(MemoryContextAlloc(root->planner_cxt, sizeof(MemoryContextCallback)));
    const auto forget = [](void* ended) {
        Run** place = &runs;
        while (*place != ended)
            place = &(*place)->next;
        *place = (*place)->next;
    };
    *run = {root, NIL, NIL, 0, {}, runs};
    *callback = {forget, run, nullptr};
    MemoryContextRegisterResetCallback(root->planner_cxt, callback);
    runs = run;
    return *run;
}

}  // namespace luuid::pg
