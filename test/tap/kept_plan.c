// kept_plan(name text) → text: the generic plan that the session keeps for a prepared statement without parameters, as
// nodeToString() prints it. If the session has none, the statement is planned, but not executed.
#include "postgres.h"

#include "commands/prepare.h"
#include "fmgr.h"
#include "nodes/nodes.h"
#include "optimizer/paths.h"
#include "optimizer/planner.h"
#include "utils/builtins.h"
#include "utils/plancache.h"

PG_MODULE_MAGIC;

PGDLLEXPORT Datum kept_plan(PG_FUNCTION_ARGS);
PG_FUNCTION_INFO_V1(kept_plan);

Datum kept_plan(PG_FUNCTION_ARGS)
{
	PreparedStatement *statement = FetchPreparedStatement(text_to_cstring(PG_GETARG_TEXT_PP(0)), true);
	CachedPlan *plan = GetCachedPlan(statement->plansource, NULL, NULL, NULL);
	char *text = nodeToString(plan->stmt_list);

	ReleaseCachedPlan(plan, NULL);
	PG_RETURN_TEXT_P(cstring_to_text(text));
}

// The hooks of another library, which luuid, loaded after it, has to call: bit 0 if that of upper paths was, bit 1 if that of joins.
static int called = -1;

static void upper_paths(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input, RelOptInfo *output, void *extra)
{
	called |= 1;
}

static void join_paths(PlannerInfo *root, RelOptInfo *join, RelOptInfo *outer, RelOptInfo *inner, JoinType type, JoinPathExtraData *extra)
{
	called |= 2;
}

// hooks_called() → integer: sets them at the first call, then tells.
PGDLLEXPORT Datum hooks_called(PG_FUNCTION_ARGS);
PG_FUNCTION_INFO_V1(hooks_called);

Datum hooks_called(PG_FUNCTION_ARGS)
{
	if (called < 0)
	{
		called = 0;
		create_upper_paths_hook = upper_paths;
		set_join_pathlist_hook = join_paths;
	}
	PG_RETURN_INT32(called);
}
