// Slices of time as expressions: what a time or a range of times means for ids, in the planner's terms.
#pragma once

#include "server.hpp"

namespace luuid::pg {

// The B-tree family of the chronological order.
Oid time_family();

// What is below changes of the type's name alone.
Node* without_relabels(Node* node) noexcept;

// The least and the greatest id of a time, or of a range of times of any type that <@ takes; constants for a constant,
// where that does not depend on the time zone. Both null for an operand of another type. Between the ends of a
// multirange are ids that are not in it.
struct Ends {
    Node* floor = nullptr;
    Node* ceiling = nullptr;
};
Ends ends_of(Node* operand);

// The ranges of a constant multirange, as constants; NIL for anything else.
List* ranges_of(Node* operand);

}  // namespace luuid::pg
