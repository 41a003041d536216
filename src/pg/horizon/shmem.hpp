// The memory that all backends of a cluster share if luuid is in shared_preload_libraries.
#pragma once

#include "../server.hpp"

#include <core/horizon.hpp>
#include <luuid/detail/leases.hpp>
#include <luuid/node.hpp>

#include <span>

namespace luuid::pg {

using Slot = detail::Slot<>;

// The sessions of one database share this.
struct alignas(64) Database {
    std::atomic<std::uint64_t> oid;  // 0 while it is no database's
    detail::Horizon<> horizon;
    std::atomic<std::uint64_t> latest;  // millisecond of the ids that its transactions committed or prepared
    std::atomic<std::uint32_t> waiters;
    ConditionVariable woken;
};

// The counts of luuid_stat() since the server's start or the last reset. Only rare events count, so that generating an
// id and committing touch none of these cache lines.
struct alignas(64) Stats {
    std::atomic<std::uint64_t> clock_steps_back, leases_refused, horizons_asked, horizons_unknown, wakeups,
        rows_refused;
    std::atomic<std::uint64_t> most_ahead;  // milliseconds
    std::atomic<TimestampTz> reset_at;

    void reset() noexcept {
        for (auto* count : {&clock_steps_back, &leases_refused, &horizons_asked, &horizons_unknown, &wakeups,
                            &rows_refused, &most_ahead})
            *count = 0;
        reset_at = GetCurrentTimestamp();
    }
};

struct Cluster {
    detail::Leases<> leases;
    std::atomic<std::uint32_t> start;              // of the next backend's variable counter
    std::uint32_t random_node;                     // 28 bits, drawn at server start, for luuid.node = random
    detail::HardwareAddress hardware_address;      // asked of the kernel at server start, so that no session has to
    std::array<Database, 4096> databases;          // that sessions were connected to since the server's start
    std::atomic<std::uint64_t> first_transaction;  // that this server may have begun: its number; 0 until known
    std::span<Slot> slots;                         // by the number of the process: prepared transactions come last
    Stats stats;

    std::span<Slot> backend_slots() const noexcept { return slots.first(backend_count()); }
    std::span<Slot> prepared_slots() const noexcept { return slots.subspan(backend_count()); }
    static std::size_t backend_count() noexcept { return static_cast<std::size_t>(MaxBackends) + NUM_AUXILIARY_PROCS; }
};

// Null without preload.
Cluster* cluster() noexcept;

// Both raise error 55000 without preload, and the second one in recovery too.
void check_is_preloaded();
void check_is_available();

// The entry of this session's database, or that of another if all entries were taken before. Preloaded only.
Database& database() noexcept;

// Asks the starting server for the memory; from _PG_init, while the server loads its preload libraries.
void request_cluster();

}  // namespace luuid::pg
