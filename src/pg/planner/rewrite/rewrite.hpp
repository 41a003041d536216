// Comparisons of an id's time, such as `id::timestamptz >= t` and `id::date = d`, as comparisons of the id.
#pragma once

#include "../../time/expressions.hpp"

namespace luuid::pg {

// Installs the hook that replaces these comparisons; called once, by _PG_init.
void replace_time_comparisons();

// A column's time, as one side of a comparison has it, or the column itself.
struct ColumnTime {
    Var* column = nullptr;  // null for another expression
    Node* unit = nullptr;   // to which it is rounded down, 'microsecond' if it only becomes local time; null if neither
    Node* zone = nullptr;   // of the rounding and the local time; null for the session's
};

// A comparison of a column's time with values that the scan knows before it begins.
struct TimeComparison {
    ColumnTime time;
    Node* side = nullptr;                        // the side that has the column's time; null for another clause
    StrategyNumber strategy = InvalidStrategy;   // `=` for `<@`
    List* values = NIL;                          // a row passes by any of the values: an array's, a multirange's ranges
    Node *least = nullptr, *greatest = nullptr;  // of the values

    // Whether the bounds of the id are all that the comparison says. Those of a local or rounded time may be wider.
    bool is_exact() const;
};

// Reads a clause as such a comparison with a table's column.
TimeComparison time_comparison_in(PlannerInfo* root, const RelOptInfo* rel, Node* clause);

// The comparisons of the id that a comparison of its time with the least or the greatest of some values implies:
//
//   id::timestamptz >= t      id >= luuid_floor(t)
//   id::timestamptz <@ r      id >= luuid_range_floor(r) AND id <= luuid_range_ceiling(r)
//   id::date = d              id >= luuid_local_bound(d, '>=', 'day') AND id <= luuid_local_bound(d, '<=', 'day')
List* bounds_of(const TimeComparison& comparison, Node* least, Node* greatest);

// Whether a table, or a partition or child of it at any depth, is a foreign table, or has an index, a partition key or
// a CHECK constraint with the time of an id.
bool has_use_for_times(Oid table);

}  // namespace luuid::pg
