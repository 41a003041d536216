// What luuid takes for the process id in same_pid.pl and start.pl: each process has one of its own, and all are equal modulo 65 536,
// as process ids can be where they pass that.
#include "postgres.h"

#include "fmgr.h"

#include <pthread.h>
#include <unistd.h>

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

extern PGDLLEXPORT int MyTestPid;
int MyTestPid;

static void set(void) { MyTestPid = (int)((unsigned)getpid() << 16 | 4242); }

// In the postmaster, which forks all others.
void _PG_init(void) {
    set();
    pthread_atfork(NULL, NULL, set);
}
