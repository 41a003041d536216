// Finds what is kept of a run. An operand's function can begin another run.
#include "run.hpp"

using namespace luuid::pg;

namespace {

Run* runs = nullptr;  // the latest first

void forget(void* ended) {
    for (Run** run = &runs; *run != nullptr; run = &(*run)->next) {
        if (*run == ended) {
            *run = (*run)->next;
            return;
        }
    }
}

}  // namespace

Run& luuid::pg::run_of(PlannerInfo* root) {
    for (Run* run = runs; run != nullptr; run = run->next)
        if (run->root == root)
            return *run;
    auto* run = static_cast<Run*>(MemoryContextAlloc(root->planner_cxt, sizeof(Run)));
    *run = {root, NIL, NIL, {}, 0, runs};
    auto* callback =
        static_cast<MemoryContextCallback*>(MemoryContextAlloc(root->planner_cxt, sizeof(MemoryContextCallback)));
    *callback = {forget, run, nullptr};
    MemoryContextRegisterResetCallback(root->planner_cxt, callback);
    runs = run;
    return *run;
}
