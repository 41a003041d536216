// Rewrites clauses about one table where a null result is as good as false.
#pragma once

#include "time_comparison.hpp"

#include <optional>

namespace luuid::pg {

// Whether an expression, or one of a list, calls luuid_extract_timestamp.
bool names_time(Node* node);
inline bool names_time(List* expressions) { return names_time(reinterpret_cast<Node*>(expressions)); }

// Rewrites the comparisons of one table's ids.
class Rewriter {
public:
    Rewriter(PlannerInfo* root, const RangeTblEntry* table, const RelOptInfo* rel) noexcept
        : root_(root), table_(table), rel_(rel) {}

    // ANDed clauses: the same list if all of them stay.
    List* rewritten_all(List* clauses);

    // What takes a clause's place, ANDed; NIL if it stays. The siblings are ANDed with it, itself among them.
    List* rewritten(Node* clause, List* siblings);

private:
    List* rewritten_or(List* arms);
    List* rewritten_arm(Node* arm);
    List* rewritten_comparison(const TimeComparison& written, Node* clause, List* siblings);
    TimeComparison bounding_this_table(const TimeComparison& written, const Node* clause, List* siblings);
    bool is_keyed_by_time();

    PlannerInfo* root_;
    const RangeTblEntry* table_;
    const RelOptInfo* rel_;
    std::optional<bool> is_keyed_by_time_;  // known if it was needed
};

}  // namespace luuid::pg
