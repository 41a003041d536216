// Functions of a time that convert it to local time or round it down: casts to date and timestamp, AT TIME ZONE,
// date_trunc, date_bin, and extract or date_part of the epoch or the year.
#pragma once

#include "ends.hpp"

namespace luuid::pg {

// The time within such functions: `t` of `date_trunc('month', t::date)`. What is none of them itself.
Node* without_rounding(Node* time);

// Whether a comparison of the two types reads the rounded time in its own time zone. One of the local time of another
// zone than the session's with a timestamptz does not.
bool may_be_compared(Node* rounded, Node* other);

// The first time that can be rounded to a bound or beyond it, or the last one that can be rounded to it or less, as an
// expression. `t::date = d`, for example, is true at most from luuid_earliest(luuid_time(d)) to
// luuid_latest(luuid_time(d), '1 day').
Node* first_rounded_to(Node* rounded, Node* bound);
Node* last_rounded_to(Node* rounded, Node* bound);

// The last one that can be rounded to less than it.
Node* last_rounded_below(Node* rounded, Node* bound);

}  // namespace luuid::pg
