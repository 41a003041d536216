// earlier_hook() → bigint: how often the planner has read a table since the first call, which sets the hook of
// another library. luuid, loaded after it, has to call that.
#include "postgres.h"

#include "fmgr.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"

PG_MODULE_MAGIC;

PGDLLEXPORT Datum earlier_hook(PG_FUNCTION_ARGS);
PG_FUNCTION_INFO_V1(earlier_hook);

static int64 called = -1;

#if PG_VERSION_NUM >= 190000
#define table_hook build_simple_rel_hook
static void count(PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *entry)
#else
#define table_hook get_relation_info_hook
static void count(PlannerInfo *root, Oid table, bool is_parent, RelOptInfo *rel)
#endif
{
	++called;
}

Datum earlier_hook(PG_FUNCTION_ARGS)
{
	if (called < 0)
	{
		called = 0;
		table_hook = count;
	}
	PG_RETURN_INT64(called);
}
