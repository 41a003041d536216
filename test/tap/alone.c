// A library that, loaded after luuid, prevents luuid from allocating shared memory at startup: it does not call the
// previous hook, as libraries should.
#include "postgres.h"

#include "fmgr.h"
#include "storage/ipc.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

static void start(void) {}

void _PG_init(void) { shmem_startup_hook = start; }
