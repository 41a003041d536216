// Shared memory, by the hooks that a preloaded library has: see storage/ipc.h.
#include "shared.hpp"

#include "random.hpp"
#include "server.hpp"

#include "../core/layout.hpp"

#include <new>

namespace luuid::pg {

namespace detail {

Shared* shared_memory = nullptr;

}  // namespace detail

namespace {

shmem_request_hook_type next_request_hook = nullptr;
shmem_startup_hook_type next_startup_hook = nullptr;

void request() {
    if (next_request_hook != nullptr)
        next_request_hook();
    RequestAddinShmemSpace(MAXALIGN(sizeof(Shared)));
}

// Runs once for each server start, and again after a crash, when all leases have ended with their backends.
void start() {
    if (next_startup_hook != nullptr)
        next_startup_hook();
    LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
    bool found = false;
    void* memory = ShmemInitStruct("luuid", sizeof(Shared), &found);
    if (!found)
        new (memory) Shared{{}, random_bits(), random_bits() & node_max};
    detail::shared_memory = static_cast<Shared*>(memory);
    LWLockRelease(AddinShmemInitLock);
}

}  // namespace

void request_shared() {
    next_request_hook = shmem_request_hook;
    shmem_request_hook = request;
    next_startup_hook = shmem_startup_hook;
    shmem_startup_hook = start;
}

}  // namespace luuid::pg
