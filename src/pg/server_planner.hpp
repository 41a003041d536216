// The headers of PostgreSQL's planner and B-trees, and how these differ between servers.
#pragma once

#include "server.hpp"

#include <span>

// Warnings about the server's headers, which are C, are not ours to mend. Our own header is included before this line:
// gcc may write the absolute path of a system header into the module, which would then depend on the build's folder.
#pragma GCC system_header

extern "C" {
#include "access/genam.h"
#include "access/nbtree.h"
#include "access/table.h"
#include "access/tableam.h"
#include "access/visibilitymap.h"
#include "catalog/index.h"
#include "catalog/pg_constraint.h"
#include "catalog/pg_depend.h"
#include "catalog/pg_foreign_table.h"
#include "catalog/pg_inherits.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_operator.h"
#include "catalog/pg_statistic.h"
#include "executor/executor.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "optimizer/appendinfo.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/restrictinfo.h"
#include "parser/parsetree.h"
#include "storage/bufmgr.h"
#include "utils/fmgroids.h"
#include "utils/relcache.h"
#include "utils/rls.h"
#include "utils/selfuncs.h"
}

// The root of a B-tree, locked for reading; InvalidBuffer if it is empty. From 16 on it takes the table, for
// insertions.
#if PG_VERSION_NUM >= 160000
#define luuid_bt_getroot(index) _bt_getroot(index, NULL, BT_READ)
#else
#define luuid_bt_getroot(index) _bt_getroot(index, BT_READ)
#endif

// The hook that the planner calls when it has read a table and its indexes from the catalogs, and the hook's
// parameters. From 19 on the planner calls it for every other entry of FROM too.
#if PG_VERSION_NUM >= 190000
#define luuid_table_hook build_simple_rel_hook
#define LUUID_TABLE_HOOK_PARAMETERS PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *entry
#define LUUID_TABLE_HOOK_ARGUMENTS root, rel, entry
#else
#define luuid_table_hook get_relation_info_hook
#define LUUID_TABLE_HOOK_PARAMETERS PlannerInfo *root, Oid table, bool is_parent, RelOptInfo *rel
#define LUUID_TABLE_HOOK_ARGUMENTS root, table, is_parent, rel
#endif

// The pointers of a list, as a range to loop over.
template <typename T>
std::span<T* const> each_of(const List* list) {
    static_assert(sizeof(ListCell) == sizeof(T*));
    return {list == NIL ? nullptr : reinterpret_cast<T* const*>(list->elements),
            static_cast<size_t>(list_length(list))};
}
