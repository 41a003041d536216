// Finds what is kept of a run.
#include "run.hpp"

using namespace luuid::pg;

namespace {

Run* runs = nullptr;  // the latest first

void forget(void* ended) {
    Run** run = &runs;
    while (*run != ended)
        run = &(*run)->next;
    *run = (*run)->next;
}

}  // namespace

Run& luuid::pg::run_of(PlannerInfo* root) {
    for (Run* run = runs; run != nullptr; run = run->next)
        if (run->root == root)
            return *run;
    auto* callback =
        static_cast<MemoryContextCallback*>(MemoryContextAlloc(root->planner_cxt, sizeof(MemoryContextCallback)));
    auto* run = static_cast<Run*>(MemoryContextAlloc(root->planner_cxt, sizeof(Run)));
    *run = {root, nullptr, nullptr, 0, {}, runs};
    *callback = {forget, run, nullptr};
    MemoryContextRegisterResetCallback(root->planner_cxt, callback);
    runs = run;
    return *run;
}
