// Finds what is kept of a run. An operand's function can begin another run.
#include "run.hpp"

using namespace luuid::detail;
using namespace luuid::pg;

namespace {

constexpr int most_kept_counts = 32;

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
    *run = {root, NIL, NIL, NIL, {}, runs};
    auto* callback =
        static_cast<MemoryContextCallback*>(MemoryContextAlloc(root->planner_cxt, sizeof(MemoryContextCallback)));
    *callback = {forget, run, nullptr};
    MemoryContextRegisterResetCallback(root->planner_cxt, callback);
    runs = run;
    return *run;
}

std::optional<double> luuid::pg::kept_count(PlannerInfo* root, Oid index, const IdRange& range) {
    ListCell* cell;
    foreach (cell, run_of(root).counts) {
        const auto* count = static_cast<Count*>(lfirst(cell));
        if (count->index == index && count->range == range)
            return count->rows;
    }
    return std::nullopt;
}

void luuid::pg::keep_count(PlannerInfo* root, const Count& count) {
    const MemoryContext context = MemoryContextSwitchTo(root->planner_cxt);
    auto* kept = static_cast<Count*>(palloc(sizeof(Count)));
    *kept = count;
    Run& run = run_of(root);
    run.counts = list_truncate(lcons(kept, run.counts), most_kept_counts);
    MemoryContextSwitchTo(context);
}
