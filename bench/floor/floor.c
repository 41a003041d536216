/* The least cost of an SQL function that returns 16 bytes, of one that also reads the clock, and of a trigger. */
#include "postgres.h"

#include "commands/trigger.h"
#include "fmgr.h"

#include <time.h>

PG_MODULE_MAGIC;

PG_FUNCTION_INFO_V1(floor_palloc);
PG_FUNCTION_INFO_V1(floor_clock);
PG_FUNCTION_INFO_V1(floor_trigger);

/* floor_palloc() → uuid: 16 bytes that never change. */
Datum
floor_palloc(PG_FUNCTION_ARGS)
{
	uint64	   *halves = palloc(16);

	halves[0] = 1;
	halves[1] = 2;
	PG_RETURN_POINTER(halves);
}

/* floor_clock() → uuid: a counter and the time. */
Datum
floor_clock(PG_FUNCTION_ARGS)
{
	static uint64 counter = 0;
	struct timespec now;
	uint64	   *halves = palloc(16);

	clock_gettime(CLOCK_REALTIME, &now);
	halves[0] = ++counter;
	halves[1] = now.tv_sec * UINT64CONST(1000) + now.tv_nsec / 1000000;
	PG_RETURN_POINTER(halves);
}

/* floor_trigger(): returns the row unchanged, as a trigger BEFORE INSERT. */
Datum
floor_trigger(PG_FUNCTION_ARGS)
{
	return PointerGetDatum(((TriggerData *) fcinfo->context)->tg_trigtuple);
}
