// The horizon of a cluster, as the transactions of its backends keep it: which rows of a table are settled.
#pragma once

#include "memory.hpp"
#include "server.hpp"

#include <cstdint>
#include <optional>

namespace luuid::pg {

// Has every backend tell when a transaction ends; from _PG_init, while the server loads its preload libraries.
void watch_transactions();

// 55000 unless preloaded.
void check_is_preloaded();

// This transaction is about to generate ids. They are of no millisecond before the one that this returns. Preloaded
// only.
std::uint64_t begin_flight() noexcept;

// Whether this transaction may store an id of this millisecond, which no horizon of this database has passed: those
// that it generated, and others that come in time. Preloaded only.
bool admit(std::uint64_t millisecond) noexcept;

// The horizon for the active snapshot, behind the present by this lag if there is one, and the same however often it is
// asked; nothing if it cannot be known. 22023 for a negative lag. Preloaded only, and not in recovery.
std::optional<std::uint64_t> find_horizon(const Interval* lag = nullptr);

// How many milliseconds it would be behind the present. Nothing is handed out, so this refuses no row. Preloaded only,
// and not in recovery.
std::optional<std::uint64_t> find_horizon_lag();

// A transaction that generated ids and has not ended.
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
