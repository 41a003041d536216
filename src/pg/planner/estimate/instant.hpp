// A point in time at a constant distance from a value: `luuid_floor(o.id::timestamptz + '5 min')` is five minutes after
// o.id.
#pragma once

#include "../boundaries.hpp"

namespace luuid::pg {

struct Instant {
    Node* base = nullptr;  // an id or a timestamptz; null for an expression of another kind
    double offset = 0;     // in milliseconds, may be infinite
};

// Of an expression that is an id or a timestamptz. Months count as 30 days.
Instant instant_of(PlannerInfo* root, Node* node);

}  // namespace luuid::pg
