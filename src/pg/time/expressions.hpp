// Comparisons of an id with the boundaries of a time, or of a range of times, as expressions.
#pragma once

#include "../catalog.hpp"
#include "../server_planner.hpp"

namespace luuid::pg {

// A call of a function of pg_catalog.
Node* call_of(const char* name, std::initializer_list<Oid> argument_types, List* arguments);

// A constant of type luuid.
Node* id_constant(Datum id, bool is_null);

// The expression below its RelabelType nodes.
Node* without_relabels(Node* node) noexcept;

// The type of a slice: timestamptz, tstzrange or tstzmultirange. A domain counts as its base type. InvalidOid for any
// other expression.
Oid slice_type(Node* operand);

// The id of a slice that a B-tree strategy compares with: the least for `<` and `>=`, the greatest for `<=` and `>`. It
// is a constant for a constant slice, and null for another operand. A multirange has the ends of the range that spans
// it, gaps included.
Node* end_of(Node* slice, StrategyNumber strategy);

// Builds the comparison that a B-tree strategy names, of an id and a luuid or slice. A slice is replaced by its
// boundary: `id > t` becomes id > luuid_ceiling(t). The id and a slice are copied, a luuid is not.
Node* comparison(Node* id, StrategyNumber strategy, Node* other);

}  // namespace luuid::pg
