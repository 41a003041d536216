// Shared memory, by the hooks that a preloaded library has: see storage/ipc.h.
#include "cluster.hpp"

#include "backend.hpp"

#include <new>

namespace luuid::pg {

namespace {

Cluster* shared_memory = nullptr;

shmem_request_hook_type next_request_hook = nullptr;
shmem_startup_hook_type next_startup_hook = nullptr;

void request() {
    if (next_request_hook != nullptr)
        next_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(Cluster)));
}

// Runs once for each server start, and again after a crash, when all leases have ended with their backends.
void start() {
    if (next_startup_hook != nullptr)
        next_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found = false;
    void* memory = ShmemInitStruct("luuid", sizeof(Cluster), &found);
    if (!found)
        new (memory) Cluster{{}, random_bits(), random_bits() & node_max};
    shared_memory = static_cast<Cluster*>(memory);
    LWLockRelease(AddinShmemInitLock);
}

}  // namespace

Cluster* cluster() noexcept { return shared_memory; }

void request_cluster() {
    next_request_hook = shmem_request_hook;
    shmem_request_hook = request;
    next_startup_hook = shmem_startup_hook;
    shmem_startup_hook = start;
}

}  // namespace luuid::pg
