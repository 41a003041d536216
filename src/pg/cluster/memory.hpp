// What all backends of a cluster share where luuid is in shared_preload_libraries.
#pragma once

#include "figures.hpp"
#include "server.hpp"

#include <luuid/detail/horizon.hpp>
#include <luuid/detail/leases.hpp>
#include <luuid/detail/waiter.hpp>
#include <luuid/node.hpp>

#include <span>

namespace luuid::pg {

using Flight = detail::Flight<>;

// What the sessions of one database share.
struct alignas(64) Database {
    std::atomic<std::uint64_t> oid;  // 0 while it is no database's
    detail::Horizon<> horizon;
    detail::Latest<> latest;
    std::atomic<std::uint32_t> waiters;
    ConditionVariable woken;
};

struct Cluster {
    detail::Leases<> leases;
    std::atomic<std::uint32_t> start;              // of the next backend's variable counter
    std::uint32_t random_node;                     // 28 bits, drawn at server start, for luuid.node = random
    detail::HardwareAddress hardware_address;      // asked of the kernel at server start, so that no session has to
    std::array<Database, 4096> databases;          // that sessions were connected to since the server's start
    std::atomic<std::uint64_t> first_transaction;  // that this server may have begun: its number; 0 until known
    std::span<Flight> flights;                     // by the number of the process
    std::span<Flight> prepared_flights;            // in the order of their processes, which come after the others
    Figures figures;

    // Of all databases: how often the clock was found too far behind a horizon.
    std::uint64_t steps_followed() const noexcept {
        std::uint64_t steps = 0;
        for (const Database& database : databases)
            steps += database.horizon.steps_followed();
        return steps;
    }
};

// Null without preload.
Cluster* cluster() noexcept;

// That of this session; once there were more than the cluster has places for, those that come later share one.
// Preloaded only.
Database& database() noexcept;

// Asks the starting server for the memory; from _PG_init, while the server loads its preload libraries.
void request_cluster();

}  // namespace luuid::pg
