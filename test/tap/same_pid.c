// The process id for luuid in same_pid.pl and start.pl: distinct for each process, and all equal modulo 65 536, as
// process ids above that can be.
#include "postgres.h"

#include "fmgr.h"

#include <pthread.h>
#include <unistd.h>

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

// As the linker renames it in modules.mk.
extern PGDLLEXPORT int __wrap_MyProcPid;
int __wrap_MyProcPid;

static void set(void) { __wrap_MyProcPid = (int)((unsigned)getpid() << 16 | 4242); }

// In the postmaster, the parent of all others.
void _PG_init(void) {
    set();
    pthread_atfork(NULL, NULL, set);
}
