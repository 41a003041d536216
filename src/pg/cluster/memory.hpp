// What all backends of a cluster share where luuid is in shared_preload_libraries.
#pragma once

#include "figures.hpp"
#include "server.hpp"

#include <luuid/detail/arrivals.hpp>
#include <luuid/detail/horizon.hpp>
#include <luuid/detail/leases.hpp>
#include <luuid/node.hpp>

#include <span>

namespace luuid::pg {

using Flight = detail::Flight<>;

// All sessions' prepared transactions take turns at these places, and the server gives the place that was left last to
// the next: one place may have to remember what otherwise many sessions do.
using PreparedFlight = detail::Flight<std::atomic<std::uint64_t>, 1024>;

using Arrivals = detail::Arrivals<>;

// Sessions that wait for commits of the databases whose numbers fall here.
struct alignas(64) Waiters {
    std::atomic<std::uint32_t> count;
    ConditionVariable woken;
};

// One for each database; those whose numbers fall on one place share it, so that each keeps to what was handed out to
// the others too.
using Horizons = std::array<detail::Horizon<>, 64>;

struct Cluster {
    detail::Leases<> leases;
    std::atomic<std::uint32_t> start;          // of the next backend's variable counter
    std::uint32_t random_node;                 // 28 bits, drawn at server start, for luuid.node = random
    detail::HardwareAddress hardware_address;  // asked of the kernel at server start, so that no session has to
    Horizons horizons;
    detail::Horizon<> replayed;                    // of the last transaction that recovery has replayed
    std::atomic<std::uint64_t> first_transaction;  // that this server may have begun: its number; 0 until known
    std::span<Flight> flights;                     // by the number of the process
    std::span<PreparedFlight> prepared_flights;    // in the order of their processes, which come after the others
    std::span<Arrivals> arrivals;                  // by the number of the process, prepared transactions included
    std::span<std::atomic<std::uint64_t>>
        resolved;               // by the place of a prepared flight: whose end waiters were told of
    Arrivals earlier_arrivals;  // of before this server could begin transactions
    std::array<Waiters, 16> waiters;
    Figures figures;

    // Of this session's database.
    detail::Horizon<>& horizon() noexcept { return horizons[MyDatabaseId % horizons.size()]; }

    // Of all databases: how often the clock was found too far behind a horizon.
    std::uint64_t steps_followed() const noexcept {
        std::uint64_t steps = 0;
        for (const detail::Horizon<>& horizon : horizons)
            steps += horizon.steps_followed();
        return steps;
    }
};

// Null without preload.
Cluster* cluster() noexcept;

// Asks the starting server for the memory; from _PG_init, while the server loads its preload libraries.
void request_cluster();

}  // namespace luuid::pg
