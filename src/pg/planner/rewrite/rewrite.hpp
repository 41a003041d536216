// What the planner adds to a query before it distributes the clauses to the tables.
#pragma once

namespace luuid::pg {

// Has the planner do it from now on; called once, by _PG_init.
void rewrite_clauses();

}  // namespace luuid::pg
