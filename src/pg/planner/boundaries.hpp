// Comparisons of an id with the boundaries of a time, or of a range of times, as expressions.
#pragma once

#include "../catalog.hpp"
#include "server.hpp"

namespace luuid::pg {

// A call of a function of pg_catalog.
Node* call_of(const char* name, std::initializer_list<Oid> argument_types, List* arguments);

// A constant of type luuid.
Node* id_constant(Datum id, bool is_null);

// What is below changes of the type's name alone.
Node* without_relabels(Node* node) noexcept;

// The type of a time, or of a range of times of any type that <@ takes, below its domains; InvalidOid for any other
// expression.
Oid slice_type(Node* operand);

enum class End { floor, ceiling };

// The least, or the greatest, id of a slice; a constant for a constant, if that does not depend on the time zone. Null
// for an operand that is no slice. Between the ends of a multirange are ids that are not in it.
Node* end_of(Node* slice, End end);

// A comparison by its B-tree strategy, with a luuid or, of a slice, the boundary that it is a comparison with: `id >
// t`, for example, becomes id > luuid_ceiling(t). The id and a slice are copied, a luuid is not.
Node* comparison(Node* id, StrategyNumber strategy, Node* other);

// What may be evaluated twice in place of once. The server asks the same of an argument that an inlined function uses
// twice: inline_function of clauses.c.
bool may_be_repeated(Node* node);

}  // namespace luuid::pg
