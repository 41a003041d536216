// What the server replays of the past as it starts, and as a standby: the times of its transactions.
#pragma once

namespace luuid::pg {

// Has the ids of this server begin after the transactions that recovery replays; from _PG_init, while the server loads
// its preload libraries.
void watch_recovery();

}  // namespace luuid::pg
