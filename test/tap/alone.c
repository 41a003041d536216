// A library that, loaded after luuid, keeps the starting server from making luuid's shared memory: it does not call the
// hook that was there before it, as libraries should.
#include "postgres.h"

#include "fmgr.h"
#include "storage/ipc.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

static void start(void) {}

void _PG_init(void) { shmem_startup_hook = start; }
