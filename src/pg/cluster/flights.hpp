// Transactions in flight: those that have generated ids, or stored ids from elsewhere behind a guard, and have not
// ended.
#pragma once

#include "memory.hpp"
#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// 55000 unless preloaded.
void check_is_preloaded();

// Has every backend tell when a transaction ends; from _PG_init, while the server loads its preload libraries.
void watch_transactions();

// Finds, before anybody else, the first transaction that this server may have begun, and what was prepared before it.
// Horizons go on from those of before. Nothing in recovery. Preloaded only.
void find_first_transaction();

// This transaction is about to generate ids. They are of no millisecond before the one that this returns. Preloaded
// only.
std::uint64_t begin_flight();

// The same once more, before its generator follows a step of the clock. Preloaded only.
std::uint64_t begin_flight_anew();

// Whether this transaction holds horizons back. Preloaded only.
bool is_in_flight() noexcept;

// Whether this transaction may store an id of this millisecond, which no horizon of this database has passed: those
// that it generated, and others that come in time. Preloaded only.
bool admit(std::uint64_t millisecond);

// One of them.
struct InFlight {
    int pid;
    Oid database;
    Oid role;
    std::uint64_t prepared;                 // its full number if it is prepared, otherwise 0
    std::uint64_t first = Flight::unknown;  // millisecond that its ids begin with

    bool operator==(const InFlight&) const = default;
};

// Places that transactions in flight have, prepared ones last; and the one at a place. Preloaded only, and not in
// recovery.
std::size_t flight_places();
std::optional<InFlight> in_flight_at(std::size_t place);

}  // namespace luuid::pg
