// The rewrite of comparisons of an id's time, `id::timestamptz >= t`, into comparisons of ids, which an index or a
// partition bound answers.
#pragma once

namespace luuid::pg {

// Has the planner do it from now on; called once, by _PG_init.
void rewrite_times();

}  // namespace luuid::pg
