// The slots of inserters: transactions that generate ids, or store ids from elsewhere behind a guard.
#pragma once

#include "shmem.hpp"

namespace luuid::pg {

// Once after a start or promotion, finds the first transaction that this server may begin and those prepared before,
// and raises the floors to the latest horizon that may have been returned. Does nothing in recovery. Preloaded only.
void find_first_transaction();

// Makes this transaction an inserter, which must generate no id before the millisecond that this returns. Called again
// before its generator follows a clock step, with the latest millisecond of its ids so far. Preloaded only.
std::uint64_t begin_inserter(std::uint64_t last = 0);

// Ends the inserter, if this transaction is one, by XACT_EVENT_COMMIT, _ABORT or _PREPARE. Parallel workers end too.
// `last` is the latest millisecond of the ids that this process generated in it; 0 if there are none. Preloaded only.
void end_inserter(XactEvent event, std::uint64_t last);

// Whether this transaction is an inserter. Preloaded only.
bool is_inserter() noexcept;

// Whether this transaction may store an id of this millisecond, since it generated such ids, or no horizon that was
// returned in this database is later. Preloaded only.
bool accept(std::uint64_t millisecond);

// Keeps horizons from passing the latest one that was returned in this database until this transaction ends, which may
// store ids from that one on. Preloaded only.
void hold_horizon();

}  // namespace luuid::pg
