// Shared memory, by the hooks that a preloaded library has: see storage/ipc.h.
#include "shmem.hpp"

#include "../random.hpp"

#include <luuid/detail/system.hpp>

#include <new>

namespace luuid::pg {

namespace {

Cluster* shared_memory = nullptr;

shmem_request_hook_type next_request_hook = nullptr;
shmem_startup_hook_type next_startup_hook = nullptr;

// The postmaster saves these while it replaces the shared memory after a backend has crashed.
detail::Leases<> saved_leases;
std::uint64_t saved_floor = 0;

// The server has a PGPROC for each backend of any kind, and after these one for each prepared transaction.
std::size_t slot_count() noexcept { return Cluster::backend_count() + static_cast<std::size_t>(max_prepared_xacts); }

void request() {
    if (next_request_hook != nullptr)
        next_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(Cluster)));
    RequestAddinShmemSpace(MAXALIGN(slot_count() * sizeof(Slot)));
}

void save(int, Datum) {
    saved_leases.inherit(shared_memory->leases);
    for (const Database& database : shared_memory->databases)
        saved_floor = std::max(saved_floor, database.horizon.floor());
}

// The floor of a server that starts: the clock or, if the clock is behind it, the time of the last checkpoint, which is
// the last thing that a server does before it stops. Nothing else tells which horizons it has returned. The
// checkpoint's time has whole seconds, so its horizons may be of any part of that second.
std::uint64_t floor_of_start() {
    bool is_intact = false;
    ControlFileData* control = get_controlfile(DataDir, &is_intact);
    const auto begin = is_intact ? static_cast<std::uint64_t>(control->checkPointCopy.time) * 1000 : 0;
    pfree(control);
    const std::uint64_t now = detail::System::milliseconds();
    return now < begin ? begin + 1000 : now;
}

// Runs once for each server start, and again after a crash, when all leases and inserters have ended with their
// backends.
void start() {
    if (next_startup_hook != nullptr)
        next_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found = false;
    void* memory = ShmemInitStruct("luuid", sizeof(Cluster), &found);
    void* slots = ShmemInitStruct("luuid slots", slot_count() * sizeof(Slot), &found);
    shared_memory = static_cast<Cluster*>(memory);
    if (!found) {
        if (saved_floor == 0)
            saved_floor = floor_of_start();
        new (memory) Cluster{};
        shared_memory->start = random_bits();
        shared_memory->random_node = random_bits() & node_max;
        shared_memory->hardware_address = detail::System::hardware_address();
        shared_memory->slots = {new (slots) Slot[slot_count()], slot_count()};
        for (Database& database : shared_memory->databases) {
            ConditionVariableInit(&database.woken);
            database.horizon.raise_floor(saved_floor);
        }
        shared_memory->stats.reset();
        shared_memory->leases.inherit(saved_leases);
        on_shmem_exit(save, 0);
    }
    LWLockRelease(AddinShmemInitLock);
}

}  // namespace

Cluster* cluster() noexcept { return shared_memory; }

void check_is_preloaded() {
    if (cluster() == nullptr)
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("luuid must be loaded via \"shared_preload_libraries\""),
                        errdetail("Otherwise its backends share no memory, and none knows which ids others insert."),
                        errhint("Add luuid to \"shared_preload_libraries\", and restart the server. To follow a table "
                                "without this, use luuid.settle() of luuid's sql/plain.sql.")));
}

void check_is_available() {
    check_is_preloaded();
    if (RecoveryInProgress())
        ereport(
            ERROR,
            (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
             errmsg("the luuid horizon is not known during recovery"),
             errdetail("A standby does not know which ids its primary is about to insert."),
             errhint("Read it from a row that the primary updates. Or ask the primary, then wait until the standby has "
                     "replayed up to the primary's pg_current_wal_insert_lsn().")));
}

Database& database() noexcept {
    static Database* mine = nullptr;
    auto& databases = cluster()->databases;
    for (std::size_t number = 0; mine == nullptr && number < databases.size(); ++number) {
        Database& database = databases[(MyDatabaseId + number) % databases.size()];
        std::uint64_t oid = 0;
        if (database.oid.compare_exchange_strong(oid, MyDatabaseId) || oid == MyDatabaseId)
            mine = &database;
    }
    if (mine == nullptr)
        mine = &databases[MyDatabaseId % databases.size()];
    return *mine;
}

void request_cluster() {
    next_request_hook = shmem_request_hook;
    shmem_request_hook = request;
    next_startup_hook = shmem_startup_hook;
    shmem_startup_hook = start;
}

}  // namespace luuid::pg
