// kept_plan(name text) → text: the generic plan that the session keeps for a prepared statement without parameters, which is
// planned for this where there is none, and not executed.
#include "postgres.h"

#include "commands/prepare.h"
#include "fmgr.h"
#include "nodes/nodes.h"
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
