// The ends of a slice of time as expressions: what a time, or a range of times, means for ids in the planner's terms.
#pragma once

#include "server.hpp"

#include <initializer_list>

namespace luuid::pg {

// The type, and the B-tree families of its two orders.
Oid luuid_type();
Oid time_family();
Oid byte_family();

// A call of a function of pg_catalog.
Node* call_of(const char* name, std::initializer_list<Oid> argument_types, Oid result_type, List* arguments);

// luuid_extract_timestamp(luuid).
Oid time_function();

// Whether the planner support of the operator's function is luuid_within_support: `=` with a time, <@ and @>.
bool is_within_operator(Oid op);

// What is below changes of the type's name alone.
Node* without_relabels(Node* node) noexcept;

// Whether an expression is a time, or a range of times of any type that <@ takes; and of which, below its domains.
bool is_slice(Node* operand);
Oid slice_type(Node* operand);

// A timestamptz, date or timestamp as a timestamptz, as the server compares it with one.
Node* time_of(Node* time);

enum class End { floor, ceiling };

// The least, or the greatest, id of a slice; a constant for a constant, if that does not depend on the time zone.
Node* end_of(Node* slice, End end);

// The least, or the greatest, id that has a time.
Node* end_of_all_times(End end);

// Both; null for an operand that is no slice. Between the ends of a multirange are ids that are not in it.
struct Ends {
    Node* floor = nullptr;
    Node* ceiling = nullptr;
};
Ends ends_of(Node* operand);

// The ranges of a constant multirange, as constants; NIL for anything else.
List* ranges_of(Node* operand);

}  // namespace luuid::pg
