// For partitions.pl: a function that keeps the server's sessions from sending invalidation messages as long as the data
// directory has the file "held", which it makes. A transaction that commits meanwhile is visible to others, and holds its locks.
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "fmgr.h"
#include "storage/lwlock.h"

PG_MODULE_MAGIC;

PGDLLEXPORT Datum hold_messages(PG_FUNCTION_ARGS);
PG_FUNCTION_INFO_V1(hold_messages);

Datum
hold_messages(PG_FUNCTION_ARGS)
{
	LWLockAcquire(SInvalWriteLock, LW_EXCLUSIVE);
	close(creat("held", 0600));
	while (access("held", F_OK) == 0)
		pg_usleep(1000);
	LWLockRelease(SInvalWriteLock);
	PG_RETURN_VOID();
}
