// For wake.pl: in a session that loads this, a transaction that has become visible to others stops before luuid learns of
// its end, until the data directory has no file named "stop".
#include "postgres.h"

#include <unistd.h>

#include "access/xact.h"
#include "fmgr.h"
#include "tcop/tcopprot.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

static void
stop(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_COMMIT && strstr(debug_query_string, "PREPARED"))
		while (access("stop", F_OK) == 0)
			pg_usleep(1000);
}

void
_PG_init(void)
{
	RegisterXactCallback(stop, NULL);
}
