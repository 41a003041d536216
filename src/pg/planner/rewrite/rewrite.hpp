// Comparisons of an id's time, such as `id::timestamptz >= t` and `id::date = d`, as comparisons of the id.
#pragma once

#include "../../time/expressions.hpp"

namespace luuid::pg {

// Installs the hook that replaces these comparisons; called once, by _PG_init.
void replace_time_comparisons();

// A comparison of a column's time, or of the column itself, with values that the scan knows before it begins.
struct TimeComparison {
    Node* side = nullptr;  // the side that has the column; null for another clause
    Var* column = nullptr;
    bool is_id = false;    // whether it is the column itself
    Node* unit = nullptr;  // to which it is rounded down, 'microsecond' if it only becomes local time; null if neither
    Node* zone = nullptr;  // of the rounding and the local time; null for the session's
    StrategyNumber strategy = InvalidStrategy;   // `=` for `<@`
    List* values = NIL;                          // a row passes by any of the values: an array's, a multirange's ranges
    Node *least = nullptr, *greatest = nullptr;  // of the values
    bool is_exact = false;                       // whether its bounds are all that it says, and not wider
};

// Reads a clause as such a comparison with a table's column.
TimeComparison time_comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* clause);

// The comparisons of the id that a comparison of its time with the least or the greatest of some values implies.
List* bounds_of(const TimeComparison& comparison, Node* least, Node* greatest);

}  // namespace luuid::pg
