// Shared memory, by the hooks that a preloaded library has: see storage/ipc.h.
#include "memory.hpp"

#include "backend.hpp"

#include <new>

namespace luuid::pg {

namespace {

Cluster* shared_memory = nullptr;

shmem_request_hook_type next_request_hook = nullptr;
shmem_startup_hook_type next_startup_hook = nullptr;

// What the postmaster keeps while it replaces the shared memory of backends of which one crashed.
detail::Leases<> kept_leases;
std::uint64_t kept_floor = 0;

// Those for whom the server has a PGPROC: backends of any kind, and prepared transactions after them.
std::size_t flight_count() noexcept { return static_cast<std::size_t>(MaxBackends) + NUM_AUXILIARY_PROCS; }
std::size_t prepared_count() noexcept { return static_cast<std::size_t>(max_prepared_xacts); }

std::size_t flights_size() noexcept { return flight_count() * sizeof(Flight); }
std::size_t prepared_size() noexcept { return prepared_count() * sizeof(Flight); }

void request() {
    if (next_request_hook != nullptr)
        next_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(Cluster)));
    RequestAddinShmemSpace(MAXALIGN(flights_size()));
    RequestAddinShmemSpace(MAXALIGN(prepared_size()));
}

void keep(int, Datum) {
    kept_leases.inherit(shared_memory->leases);
    for (const Database& database : shared_memory->databases)
        kept_floor = std::max(kept_floor, database.horizon.floor());
}

// No horizon that was handed out before the server's start is after the present, which it leaves no other trace of, or
// after the last checkpoint, which is the last thing that a server does before it stops. The checkpoint's time has
// whole seconds. If the clock is behind that second, ids may be of the whole of it.
std::uint64_t floor_of_start() {
    bool is_intact = false;
    ControlFileData* control = get_controlfile(DataDir, &is_intact);
    const auto begin = is_intact ? static_cast<std::uint64_t>(control->checkPointCopy.time) * 1000 : 0;
    pfree(control);
    const std::uint64_t now = Backend::milliseconds();
    return now < begin ? begin + 1000 : now;
}

// Runs once for each server start, and again after a crash, when all leases and flights have ended with their backends.
void start() {
    if (next_startup_hook != nullptr)
        next_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found = false;
    void* memory = ShmemInitStruct("luuid", sizeof(Cluster), &found);
    void* flights = ShmemInitStruct("luuid flights", flights_size(), &found);
    void* prepared = ShmemInitStruct("luuid prepared flights", prepared_size(), &found);
    shared_memory = static_cast<Cluster*>(memory);
    if (!found) {
        if (kept_floor == 0)
            kept_floor = floor_of_start();
        new (memory) Cluster{{},
                             random_bits(),
                             random_bits() & node_max,
                             Backend::System::hardware_address(),
                             {},
                             0,
                             {new (flights) Flight[flight_count()], flight_count()},
                             {new (prepared) Flight[prepared_count()], prepared_count()},
                             {}};
        for (Database& database : shared_memory->databases) {
            ConditionVariableInit(&database.woken);
            database.horizon.raise_to(kept_floor);
        }
        shared_memory->figures.reset(GetCurrentTimestamp());
        shared_memory->leases.inherit(kept_leases);
        on_shmem_exit(keep, 0);
    }
    LWLockRelease(AddinShmemInitLock);
}

}  // namespace

Cluster* cluster() noexcept { return shared_memory; }

Database& database() noexcept {
    static Database* mine = nullptr;
    if (mine != nullptr)
        return *mine;
    auto& databases = cluster()->databases;
    mine = &databases[MyDatabaseId % databases.size()];
    for (std::size_t number = 0; number < databases.size(); ++number) {
        Database& database = databases[(MyDatabaseId + number) % databases.size()];
        std::uint64_t oid = 0;
        if (database.oid.compare_exchange_strong(oid, MyDatabaseId) || oid == MyDatabaseId) {
            mine = &database;
            break;
        }
    }
    return *mine;
}

void request_cluster() {
    next_request_hook = shmem_request_hook;
    shmem_request_hook = request;
    next_startup_hook = shmem_startup_hook;
    shmem_startup_hook = start;
}

}  // namespace luuid::pg
