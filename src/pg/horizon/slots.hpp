// The slots of inserters: transactions that generate ids, or store ids from elsewhere behind a guard.
#pragma once

#include "../shmem.hpp"

namespace luuid::pg {

// Finds the first transaction that this server may have begun, and the transactions prepared before it. The floors go
// on from the horizons returned before. Does nothing in recovery, or if it has been done. Preloaded only.
void find_first_transaction();

// This transaction is about to generate ids, none before the millisecond that this returns. Once more before its
// generator follows a clock step: then its ids so far go up to `last`. Preloaded only.
std::uint64_t begin_inserter(std::uint64_t last = 0);

// This transaction has ended, or this parallel worker of one, by an event of XactCallback. The ids that this process
// generated in it go up to this millisecond; 0 if there are none. Preloaded only.
void end_inserter(XactEvent event, std::uint64_t last);

// Whether this transaction is an inserter. Preloaded only.
bool is_inserter() noexcept;

// Whether this transaction may store an id of this millisecond: one that it generated, or one that no horizon of this
// database has passed. Preloaded only.
bool accept(std::uint64_t millisecond);

}  // namespace luuid::pg
